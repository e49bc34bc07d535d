//! GET /renders/{jobId}.

use std::sync::Arc;

use axum::extract::{Path, State};

use super::{RenderJob, own_render};
use crate::app::App;
use crate::auth::Caller;
use crate::envelope::{Answer, Data, Failure};
use crate::error::ApiResult;

/// Reads a render job.
#[utoipa::path(
    get, path = "/renders/{jobId}", tag = "Renders", operation_id = "getRender",
    params(("jobId" = String, Path, description = "The id POST /renders answered with")),
    responses(
        (status = 200, description = "The job", body = inline(Answer<RenderJob>)),
        (status = 401, description = "The key is missing, malformed, revoked or unknown", body = Failure),
        (status = 403, description = "The job belongs to another account", body = Failure),
        (status = 404, description = "There is no such job", body = Failure),
        (status = 429, description = "Too many requests", body = Failure),
        (status = 500, description = "Something went wrong on our side", body = Failure),
    )
)]
pub async fn get(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> ApiResult<Data<RenderJob>> {
    let render = own_render(&app, &caller, &id).await?;
    Ok(Data(RenderJob::of(&app, render)))
}
