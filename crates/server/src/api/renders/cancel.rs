//! POST /renders/{jobId}/cancel and DELETE /renders/{jobId}.

use std::sync::Arc;

use axum::extract::{Path, State};
use rondo_store::Cancellation;

use super::{RenderJob, own_render};
use crate::app::App;
use crate::auth::Caller;
use crate::envelope::{Answer, Data, Failure};
use crate::error::ApiResult;

/// Ends a render job that has not ended yet: it fails with the message "Cancelled" and its credits are given back. A job
/// that has ended stays as it is.
#[utoipa::path(
    post, path = "/renders/{jobId}/cancel", tag = "Renders", operation_id = "cancelRender",
    params(("jobId" = String, Path, description = "The id POST /renders answered with")),
    responses(
        (status = 200, description = "The job as it is now", body = inline(Answer<RenderJob>)),
        (status = 400, description = "The Idempotency-Key cannot be used", body = Failure),
        (status = 401, description = "The key is missing, malformed, revoked or unknown", body = Failure),
        (status = 403, description = "The job belongs to another account", body = Failure),
        (status = 404, description = "There is no such job", body = Failure),
        (status = 409, description = "A request with the same Idempotency-Key is still being answered", body = Failure),
        (status = 413, description = "The body is too large", body = Failure),
        (status = 422, description = "The Idempotency-Key was used for another request", body = Failure),
        (status = 429, description = "Too many requests", body = Failure),
        (status = 500, description = "Something went wrong on our side", body = Failure),
    )
)]
pub async fn cancel(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> ApiResult<Data<RenderJob>> {
    let render = own_render(&app, &caller, &id).await?;
    let render = match app.store.cancel(&render.id).await? {
        Cancellation::Cancelled(render) => {
            app.jobs.stop(&render.id);
            app.post.notify_one();
            app.work.notify_one();
            render
        }
        Cancellation::AlreadyFinal(render) => render,
    };
    Ok(Data(RenderJob::of(&app, *render)))
}

/// The same as POST /renders/{jobId}/cancel.
#[utoipa::path(
    delete, path = "/renders/{jobId}", tag = "Renders", operation_id = "deleteRender",
    params(("jobId" = String, Path, description = "The id POST /renders answered with")),
    responses(
        (status = 200, description = "The job as it is now", body = inline(Answer<RenderJob>)),
        (status = 401, description = "The key is missing, malformed, revoked or unknown", body = Failure),
        (status = 403, description = "The job belongs to another account", body = Failure),
        (status = 404, description = "There is no such job", body = Failure),
        (status = 429, description = "Too many requests", body = Failure),
        (status = 500, description = "Something went wrong on our side", body = Failure),
    )
)]
pub async fn delete(state: State<Arc<App>>, caller: Caller, id: Path<String>) -> ApiResult<Data<RenderJob>> {
    cancel(state, caller, id).await
}
