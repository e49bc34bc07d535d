//! GET /renders/{jobId}/events: progress as server-sent events.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::Stream;
use rondo_store::{Render, RenderStatus};

use super::{RenderJob, own_render};
use crate::app::App;
use crate::auth::Caller;
use crate::envelope::Failure;
use crate::error::ApiResult;

/// Time between two looks at the job.
const LOOK_EVERY: Duration = Duration::from_millis(400);

/// Follows a render job: a `progress` event at once and after every change, then `completed` or `failed`, and the end. The
/// data of each event is the job without its `inputProps`.
#[utoipa::path(
    get, path = "/renders/{jobId}/events", tag = "Renders", operation_id = "followRender",
    params(("jobId" = String, Path, description = "The id POST /renders answered with")),
    responses(
        (status = 200, description = "Events until the job has ended", body = String, content_type = "text/event-stream"),
        (status = 401, description = "The key is missing, malformed, revoked or unknown", body = Failure),
        (status = 403, description = "The job belongs to another account", body = Failure),
        (status = 404, description = "There is no such job", body = Failure),
        (status = 429, description = "Too many requests", body = Failure),
        (status = 500, description = "Something went wrong on our side", body = Failure),
    )
)]
pub async fn events(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> ApiResult<Sse<impl Stream<Item = Result<Event, Infallible>>>> {
    let render = own_render(&app, &caller, &id).await?;
    let watch = Watch::new(app, render);
    let stream = futures_util::stream::unfold(watch, |mut watch| async {
        let render = watch.change().await?;
        let event = event(&watch.app, render);
        Some((Ok(event), watch))
    });
    Ok(Sse::new(stream).keep_alive(KeepAlive::default()))
}

/// A render job and its changes.
pub struct Watch {
    app: Arc<App>,
    id: String,
    /// Read but not looked at yet.
    next: Option<Render>,
    /// What was last told; the end has been told when it is final.
    shown: Option<(RenderStatus, u32)>,
}

impl Watch {
    pub fn new(app: Arc<App>, render: Render) -> Self {
        Self { app, id: render.id.clone(), next: Some(render), shown: None }
    }

    /// The job as it is at first and after every change; `None` when there is no more to come.
    pub async fn change(&mut self) -> Option<Render> {
        loop {
            if self.shown.is_some_and(|(status, _)| status.is_final()) {
                return None;
            }
            let render = match self.next.take() {
                Some(render) => render,
                None => {
                    tokio::select! {
                        () = self.app.stopping.cancelled() => return None,
                        () = tokio::time::sleep(LOOK_EVERY) => {}
                    }
                    self.app.store.render(&self.id).await.ok()??
                }
            };
            let state = (render.status, render.progress);
            if self.shown != Some(state) {
                self.shown = Some(state);
                return Some(render);
            }
        }
    }
}

fn event(app: &App, mut render: Render) -> Event {
    render.input_props = None;
    let name = match render.status {
        RenderStatus::Completed => "completed",
        RenderStatus::Failed => "failed",
        RenderStatus::Pending | RenderStatus::Processing => "progress",
    };
    Event::default().event(name).json_data(RenderJob::of(app, render)).unwrap_or_default()
}
