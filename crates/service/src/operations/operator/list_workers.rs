//! Lists the processes of the service.

use rondo_store::Time;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ServiceResult;
use crate::operation::{Call, NoInput, Operation};

/// A process of the service.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorkerInfo {
    owner: String,
    /// The name of its machine.
    #[schema(required = true)]
    host: Option<String>,
    /// `all`, `api` or `worker`.
    role: String,
    #[schema(value_type = String, format = DateTime)]
    started_at: Time,
    #[schema(value_type = String, format = DateTime)]
    last_seen_at: Time,
    /// Renders it runs.
    running: u64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct WorkerList(Vec<WorkerInfo>);

pub struct ListWorkers;

impl Operation for ListWorkers {
    const ID: &'static str = "listWorkers";
    const ABOUT: &'static str = "Lists the processes of the service that are running.";
    const RETURNS: &'static str = "The processes";
    const OPERATORS_ONLY: bool = true;

    type Request = NoInput;
    type Response = WorkerList;

    async fn run(call: Call<'_>, _: NoInput) -> ServiceResult<WorkerList> {
        let workers = call.service.store.workers().await?.into_iter().map(|worker| WorkerInfo {
            owner: worker.owner,
            host: worker.host,
            role: worker.role,
            started_at: worker.started_at,
            last_seen_at: worker.last_seen_at,
            running: worker.running,
        });
        Ok(WorkerList(workers.collect()))
    }
}
