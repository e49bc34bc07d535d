//! Reads a batch and a page of its renders.

use rondo_fields::{record, text};
use serde::Serialize;
use utoipa::ToSchema;

use super::BatchInfo;
use crate::error::{ErrorKind, ServiceResult};
use crate::operation::{Call, Operation};
use crate::operations::chosen::{Chosen, Fields};
use crate::operations::codecs::{limit, names, place};
use crate::operations::renders::RenderJob;

/// Renders on a page unless the request says otherwise.
const PAGE: u32 = 20;

record! {
    /// Which batch to return, and which of its renders.
    pub struct BatchQuery {
        /// The id that POST /renders/batch returned.
        batch_id: required String => "batchId", text();
        /// The fields of each render to return, with commas between them. Default: all but `inputProps`.
        fields: optional Vec<String> => "fields", names::<RenderJob>();
        /// Renders on a page. Default: 20.
        limit: optional u32 => "limit", limit();
        /// The `nextCursor` of the previous page.
        cursor: optional u32 => "cursor", place();
    }
}

/// A batch with a page of its renders.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BatchPage {
    #[serde(flatten)]
    batch: BatchInfo,
    /// In the order of the sets, without their `inputProps`.
    #[schema(value_type = Vec<RenderJob>)]
    renders: Vec<Chosen<RenderJob>>,
    /// For the next page, when there is one.
    #[schema(required = true)]
    next_cursor: Option<String>,
    has_more: bool,
}

pub struct GetBatch;

impl Operation for GetBatch {
    const ID: &'static str = "getBatch";
    const ABOUT: &'static str = "Returns a batch: how many of its renders have which status, its progress, and a page of its renders.";
    const RETURNS: &'static str = "The batch";
    const FAILURES: &'static [(ErrorKind, &'static str)] = &[
        (ErrorKind::Invalid, "A parameter is malformed, or `fields` names a field that does not exist"),
        (ErrorKind::Forbidden, "The batch belongs to another account"),
        (ErrorKind::NotFound, "There is no such batch"),
    ];

    type Request = BatchQuery;
    type Response = BatchPage;

    async fn run(call: Call<'_>, query: BatchQuery) -> ServiceResult<BatchPage> {
        let service = call.service;
        let fields = Fields::of::<RenderJob>(query.fields)?;
        let batch = call.own_batch(&query.batch_id).await?;
        let state = service.store.batch_state(&batch.id).await?;
        let (from, limit) = (query.cursor.unwrap_or(0), query.limit.unwrap_or(PAGE));
        let found = service.store.batch_renders(&batch.id, from, limit).await?;
        let next =
            found.last().and_then(|render| Some(render.batch_index? + 1)).filter(|next| *next < batch.total);
        let job = |render| Chosen { whole: RenderJob::of(service, render), fields: fields.clone() };
        Ok(BatchPage {
            batch: BatchInfo::of(batch, state),
            renders: found.into_iter().map(job).collect(),
            has_more: next.is_some(),
            next_cursor: next.map(|next| next.to_string()),
        })
    }
}
