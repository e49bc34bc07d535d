//! Lists render jobs.

use rondo_fields::{record, text};
use rondo_store::{Mode, RenderFilter, RenderStatus, Time};
use serde::Serialize;
use utoipa::ToSchema;

use super::RenderJob;
use crate::error::ServiceResult;
use crate::operation::{Call, Operation};
use crate::operations::codecs::{cursor, limit, moment, page, render_mode, render_status};

record! {
    /// Which jobs to list.
    pub struct RenderQuery {
        /// Only jobs with this status.
        status: optional RenderStatus => "status", render_status();
        /// Only jobs created this way.
        mode: optional Mode => "mode", render_mode();
        /// Only jobs of this project.
        project_id: optional String => "projectId", text();
        /// Only jobs created after this moment, such as 2026-11-14T09:30:00Z.
        created_after: optional Time => "createdAfter", moment();
        /// Only jobs created before this moment.
        created_before: optional Time => "createdBefore", moment();
        /// Only jobs with this text in the name of their project or in their id.
        search: optional String => "search", text();
        /// Jobs on a page. Default: 20.
        limit: optional u32 => "limit", limit();
        /// The `nextCursor` of the previous page.
        cursor: optional String => "cursor", cursor();
    }
}

/// Jobs on a page unless the request says otherwise.
const PAGE: u32 = 20;

/// A page of render jobs, newest first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RenderList {
    /// Without their `inputProps`.
    renders: Vec<RenderJob>,
    /// Jobs on all pages.
    total: u64,
    /// For the next page, when there is one.
    next_cursor: Option<String>,
    has_more: bool,
}

pub struct ListRenders;

impl Operation for ListRenders {
    const ID: &'static str = "listRenders";
    const ABOUT: &'static str = "Lists the caller's render jobs, newest first.";
    const RETURNS: &'static str = "A page of jobs";

    type Request = RenderQuery;
    type Response = RenderList;

    async fn run(call: Call<'_>, query: RenderQuery) -> ServiceResult<RenderList> {
        let service = call.service;
        let filter = RenderFilter {
            status: query.status,
            mode: query.mode,
            project_id: query.project_id,
            created_after: query.created_after,
            created_before: query.created_before,
            search: query.search,
        };
        let page = page(query.limit.or(Some(PAGE)), query.cursor);
        let found = service.store.renders(call.account_id(), &filter, &page).await?;
        Ok(RenderList {
            renders: found.items.into_iter().map(|render| RenderJob::of(service, render)).collect(),
            total: found.total,
            has_more: found.next_cursor.is_some(),
            next_cursor: found.next_cursor,
        })
    }
}
