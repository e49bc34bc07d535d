//! What is rendered, what waits, and the processes that do it.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::routing::get;
use rondo_store::Time;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::dashboard::Operator;
use crate::envelope::{Answer, Data};
use crate::error::ApiResult;

pub fn routes() -> Router<Arc<App>> {
    Router::new().route("/queue", get(queue)).route("/workers", get(workers))
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QueueInfo {
    /// Renders nobody works on yet.
    waiting: u64,
    running: Vec<RunningInfo>,
    finished_last_hour: u64,
    failed_last_hour: u64,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunningInfo {
    job_id: String,
    account_email: String,
    progress: u32,
    /// The process that works on it.
    owner: Option<String>,
    #[schema(value_type = Option<String>, format = DateTime)]
    started_at: Option<Time>,
    attempts: u32,
}

/// A process of the service.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorkerInfo {
    owner: String,
    /// `all`, `api` or `worker`.
    role: String,
    #[schema(value_type = String, format = DateTime)]
    started_at: Time,
    #[schema(value_type = String, format = DateTime)]
    last_seen_at: Time,
    /// Renders it works on.
    running: u64,
}

/// What is rendered and what waits.
#[utoipa::path(
    get, path = "/operator/queue", tag = "Operator", operation_id = "getQueue",
    responses((status = 200, description = "The queue", body = inline(Answer<QueueInfo>)))
)]
pub async fn queue(State(app): State<Arc<App>>, _: Operator) -> ApiResult<Data<QueueInfo>> {
    let queue = app.store.queue().await?;
    let running = queue.running.into_iter().map(|render| RunningInfo {
        job_id: render.render_id,
        account_email: render.account_email,
        progress: render.progress,
        owner: render.owner,
        started_at: render.started_at,
        attempts: render.attempts,
    });
    Ok(Data(QueueInfo {
        waiting: queue.waiting,
        running: running.collect(),
        finished_last_hour: queue.finished_last_hour,
        failed_last_hour: queue.failed_last_hour,
    }))
}

/// The processes of the service that are there.
#[utoipa::path(
    get, path = "/operator/workers", tag = "Operator", operation_id = "listWorkers",
    responses((status = 200, description = "The processes", body = inline(Answer<Vec<WorkerInfo>>)))
)]
pub async fn workers(State(app): State<Arc<App>>, _: Operator) -> ApiResult<Data<Vec<WorkerInfo>>> {
    let workers = app.store.workers().await?.into_iter().map(|worker| WorkerInfo {
        owner: worker.owner,
        role: worker.role,
        started_at: worker.started_at,
        last_seen_at: worker.last_seen_at,
        running: worker.running,
    });
    Ok(Data(workers.collect()))
}
