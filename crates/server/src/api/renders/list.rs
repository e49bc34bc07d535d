//! GET /renders.

use std::sync::Arc;

use axum::extract::State;
use rondo_store::{Mode, RenderFilter, RenderStatus, Time};
use serde::Serialize;
use utoipa::ToSchema;

use super::RenderJob;
use crate::api::query::Params;
use crate::app::App;
use crate::auth::Caller;
use crate::envelope::{Answer, Data, Failure};
use crate::error::ApiResult;

/// Jobs on a page unless the request says otherwise.
const PAGE: u32 = 20;

/// A page of render jobs, newest first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RenderList {
    /// Without their `inputProps`.
    renders: Vec<RenderJob>,
    /// How many there are on all pages.
    total: u64,
    /// For the next page, when there is one.
    next_cursor: Option<String>,
    has_more: bool,
}

/// Lists the caller's render jobs.
#[utoipa::path(
    get, path = "/renders", tag = "Renders", operation_id = "listRenders",
    params(
        ("status" = Option<String>, Query, description = "PENDING, PROCESSING, COMPLETED or FAILED"),
        ("mode" = Option<String>, Query, description = "direct, template or project"),
        ("projectId" = Option<String>, Query, description = "Only jobs of this project"),
        ("createdAfter" = Option<String>, Query, description = "Only jobs created after this moment, as in 2026-11-14T09:30:00Z"),
        ("createdBefore" = Option<String>, Query, description = "Only jobs created before this moment"),
        ("limit" = Option<u32>, Query, description = "Jobs on a page, 1 to 100; 20 if not given"),
        ("cursor" = Option<String>, Query, description = "The nextCursor of the page before"),
    ),
    responses(
        (status = 200, description = "A page of jobs", body = inline(Answer<RenderList>)),
        (status = 400, description = "A parameter is not of the right form", body = Failure),
        (status = 401, description = "The key is missing, malformed, revoked or unknown", body = Failure),
        (status = 429, description = "Too many requests", body = Failure),
        (status = 500, description = "Something went wrong on our side", body = Failure),
    )
)]
pub async fn list(
    State(app): State<Arc<App>>,
    caller: Caller,
    params: Params,
) -> ApiResult<Data<RenderList>> {
    const A_MOMENT: &str = "a moment, as in 2026-11-14T09:30:00Z";
    let filter = RenderFilter {
        status: params.read("status", "PENDING, PROCESSING, COMPLETED or FAILED", |text| {
            RenderStatus::parse(&text.to_ascii_uppercase())
        })?,
        mode: params
            .read("mode", "direct, template or project", |text| Mode::parse(&text.to_ascii_lowercase()))?,
        project_id: params.text("projectId").map(str::to_owned),
        created_after: params.read("createdAfter", A_MOMENT, Time::parse)?,
        created_before: params.read("createdBefore", A_MOMENT, Time::parse)?,
    };
    let mut page = params.page()?;
    page.limit = page.limit.or(Some(PAGE));
    let found = app.store.renders(&caller.account.id, &filter, &page).await?;
    Ok(Data(RenderList {
        renders: found.items.into_iter().map(|render| RenderJob::of(&app, render)).collect(),
        total: found.total,
        has_more: found.next_cursor.is_some(),
        next_cursor: found.next_cursor,
    }))
}
