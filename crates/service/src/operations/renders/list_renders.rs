//! Lists render jobs.

use std::collections::BTreeMap;

use rondo_fields::{json_map, record, text};
use rondo_store::id::Kind;
use rondo_store::{Mode, RenderFilter, RenderStatus, Time};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::RenderJob;
use crate::error::{ErrorKind, ServiceResult};
use crate::operation::{Call, Operation};
use crate::operations::chosen::{Chosen, Fields};
use crate::operations::codecs::{cursor, limit, moment, names, page, render_mode, render_status};

record! {
    /// Which jobs to list.
    pub struct RenderQuery {
        /// Only jobs with this status.
        status: optional RenderStatus => "status", render_status();
        /// Only jobs created this way.
        mode: optional Mode => "mode", render_mode();
        /// Only jobs of this project.
        project_id: optional String => "projectId", text();
        /// Only jobs of this template.
        template_id: optional String => "templateId", text();
        /// Only jobs of this batch.
        batch_id: optional String => "batchId", text();
        /// Only jobs with these values in their metadata, such as `metadata[order]=4711`. Numbers, `true` and `false` are
        /// compared as they are written.
        metadata: optional Map<String, Value> => "metadata", json_map().at_most(MOST_METADATA);
        /// Only jobs created after this moment, such as 2026-11-14T09:30:00Z.
        created_after: optional Time => "createdAfter", moment();
        /// Only jobs created before this moment.
        created_before: optional Time => "createdBefore", moment();
        /// Only jobs with this text in the name of their project or in their id.
        search: optional String => "search", text();
        /// The fields of each job to return, with commas between them. Default: all but `inputProps`.
        fields: optional Vec<String> => "fields", names::<RenderJob>();
        /// Jobs on a page. Default: 20.
        limit: optional u32 => "limit", limit();
        /// The `nextCursor` of the previous page.
        cursor: optional String => "cursor", cursor(&[Kind::Render]);
    }
}

/// Values of metadata that one request looks for.
const MOST_METADATA: usize = 10;

/// Jobs on a page unless the request says otherwise.
const PAGE: u32 = 20;

/// A page of render jobs, newest first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RenderList {
    /// Without their `inputProps`.
    #[schema(value_type = Vec<RenderJob>)]
    renders: Vec<Chosen<RenderJob>>,
    /// Jobs on all pages.
    total: u64,
    /// For the next page, when there is one.
    #[schema(required = true)]
    next_cursor: Option<String>,
    has_more: bool,
}

pub struct ListRenders;

impl Operation for ListRenders {
    const ID: &'static str = "listRenders";
    const ABOUT: &'static str = "Lists the caller's render jobs, newest first.";
    const RETURNS: &'static str = "A page of jobs";
    const FAILURES: &'static [(ErrorKind, &'static str)] =
        &[(ErrorKind::Invalid, "A parameter is malformed, or `fields` names a field that does not exist")];

    type Request = RenderQuery;
    type Response = RenderList;

    async fn run(call: Call<'_>, query: RenderQuery) -> ServiceResult<RenderList> {
        let service = call.service;
        let fields = Fields::of::<RenderJob>(query.fields)?;
        let job = |render| Chosen { whole: RenderJob::of(service, render), fields: fields.clone() };
        let filter = RenderFilter {
            status: query.status,
            mode: query.mode,
            project_id: query.project_id,
            template_id: query.template_id,
            batch_id: query.batch_id,
            metadata: texts(query.metadata.unwrap_or_default()),
            created_after: query.created_after,
            created_before: query.created_before,
            search: query.search,
        };
        let page = page(query.limit.or(Some(PAGE)), query.cursor);
        let found = service.store.renders(call.account_id(), &filter, &page).await?;
        Ok(RenderList {
            renders: found.items.into_iter().map(job).collect(),
            total: found.total,
            has_more: found.next_cursor.is_some(),
            next_cursor: found.next_cursor,
        })
    }
}

/// Values as metadata are compared by.
fn texts(values: Map<String, Value>) -> BTreeMap<String, String> {
    let text = |value| match value {
        Value::String(text) => text,
        other => other.to_string(),
    };
    values.into_iter().map(|(key, value)| (key, text(value))).collect()
}
