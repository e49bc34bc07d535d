//! Reports the render queue.

use rondo_store::Time;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ServiceResult;
use crate::operation::{Call, NoInput, Operation};

/// The renders that wait, run and ended recently.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QueueInfo {
    /// Renders that no process has taken yet.
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
    /// The process that renders it.
    #[schema(required = true)]
    owner: Option<String>,
    /// The name of its machine.
    #[schema(required = true)]
    host: Option<String>,
    #[schema(value_type = Option<String>, format = DateTime, required = true)]
    started_at: Option<Time>,
    attempts: u32,
}

pub struct GetQueue;

impl Operation for GetQueue {
    const ID: &'static str = "getQueue";
    const ABOUT: &'static str = "Reports the renders that run and how many wait.";
    const RETURNS: &'static str = "The queue";
    const OPERATORS_ONLY: bool = true;

    type Request = NoInput;
    type Response = QueueInfo;

    async fn run(call: Call<'_>, _: NoInput) -> ServiceResult<QueueInfo> {
        let queue = call.service.store.queue().await?;
        let running = queue.running.into_iter().map(|render| RunningInfo {
            job_id: render.render_id,
            account_email: render.account_email,
            progress: render.progress,
            owner: render.owner,
            host: render.host,
            started_at: render.started_at,
            attempts: render.attempts,
        });
        Ok(QueueInfo {
            waiting: queue.waiting,
            running: running.collect(),
            finished_last_hour: queue.finished_last_hour,
            failed_last_hour: queue.failed_last_hour,
        })
    }
}
