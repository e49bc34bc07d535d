//! Render jobs.

pub mod cancel;
pub mod create;
pub mod events;
pub mod get;
pub mod list;

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};
use rondo_store::{ProjectOfRender, Render, RenderStatus, Time};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::Caller;
use crate::error::{ApiError, ApiResult};
use crate::resolve::sources::FILES;

pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/renders", post(create::create).get(list::list))
        .route("/renders/{jobId}", get(get::get).delete(cancel::delete))
        .route("/renders/{jobId}/cancel", post(cancel::cancel))
        .route("/renders/{jobId}/events", get(events::events))
}

/// A render job.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RenderJob {
    job_id: String,
    project_id: Option<String>,
    /// The final composition; left out of lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    input_props: Option<Value>,
    /// `direct`, `template` or `project`.
    mode: &'static str,
    /// PENDING, PROCESSING, COMPLETED or FAILED.
    status: &'static str,
    /// 0 to 100; 100 only when completed.
    progress_percentage: u32,
    /// Held until the job ends, then settled: 0 for a failed one.
    credits_used: i64,
    width: u32,
    height: u32,
    fps: u32,
    duration_in_frames: u32,
    output_url: Option<String>,
    /// Bytes.
    output_size: Option<u64>,
    error_message: Option<String>,
    /// Seconds.
    estimated_time_remaining: Option<i64>,
    /// Render time in milliseconds.
    duration: Option<i64>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Time,
    #[schema(value_type = Option<String>, format = DateTime)]
    completed_at: Option<Time>,
    project: Option<ProjectInfo>,
    /// As given at creation.
    metadata: Option<Value>,
}

/// The project a job belongs to.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProjectInfo {
    id: String,
    name: String,
    template_id: Option<String>,
}

impl RenderJob {
    pub fn of(app: &App, render: Render) -> Self {
        Self {
            mode: render.mode.as_str(),
            status: render.status.as_str(),
            progress_percentage: render.progress,
            credits_used: render.credits.whole_up(),
            width: render.width,
            height: render.height,
            fps: render.fps,
            duration_in_frames: render.duration_in_frames,
            output_url: render.output_file.as_ref().map(|file| app.url(&format!("{FILES}{file}"))),
            output_size: render.output_size,
            estimated_time_remaining: seconds_left(&render, Time::now()),
            duration: render.duration_ms(),
            created_at: render.created_at,
            updated_at: render.updated_at,
            completed_at: render.completed_at,
            error_message: render.error_message,
            project: render.project.map(|ProjectOfRender { id, name, template_id }| ProjectInfo {
                id,
                name,
                template_id,
            }),
            metadata: render.metadata,
            input_props: render.input_props,
            project_id: render.project_id,
            job_id: render.id,
        }
    }
}

/// What is left when the rest goes as fast as what is done.
fn seconds_left(render: &Render, now: Time) -> Option<i64> {
    if render.status != RenderStatus::Processing || render.progress == 0 {
        return None;
    }
    let elapsed = (now.millis() - render.started_at?.millis()).max(0);
    let done = i64::from(render.progress);
    Some((elapsed * (100 - done) / done + 999) / 1000)
}

/// The caller's own job: 404 where there is none, 403 where it is another account's.
pub async fn own_render(app: &App, caller: &Caller, id: &str) -> ApiResult<Render> {
    let render = app.store.render(id).await?.ok_or_else(|| ApiError::not_found("render job"))?;
    if render.account_id == caller.account.id { Ok(render) } else { Err(ApiError::forbidden("render job")) }
}
