//! Cancels a batch.

use super::{BatchId, BatchInfo};
use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::operation::{Call, Operation};

pub struct CancelBatch;

impl Operation for CancelBatch {
    const ID: &'static str = "cancelBatch";
    const ABOUT: &'static str = "Cancels the renders of a batch that have not ended. They fail with the message \"Cancelled\" and \
                                 their credits are refunded. Renders that have ended stay as they are.";
    const RETURNS: &'static str = "The batch as it is now";
    const FAILURES: &'static [(ErrorKind, &'static str)] = &[
        (ErrorKind::Forbidden, "The batch belongs to another account"),
        (ErrorKind::NotFound, "There is no such batch"),
    ];

    type Request = BatchId;
    type Response = BatchInfo;

    async fn run(call: Call<'_>, request: BatchId) -> ServiceResult<BatchInfo> {
        let service = call.service;
        let batch = call.own_batch(&request.batch_id).await?;
        for id in service.store.cancel_batch(&batch).await? {
            service.queue.stop_render(&id);
            service.queue.sweep_stream(&id);
        }
        service.queue.wake_deliveries();
        service.queue.wake_workers();
        let state = service.store.batch_state(&batch.id).await?;
        let batch = service.store.batch(&batch.id).await?.ok_or_else(|| ServiceError::not_found("batch"))?;
        Ok(BatchInfo::of(batch, state))
    }
}
