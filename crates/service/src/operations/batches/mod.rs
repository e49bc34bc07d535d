//! Batches: many renders of one template or project, created and followed together.

mod cancel_batch;
mod create_batch;
mod csv;
mod get_batch;
mod request;

use rondo_fields::{record, text};
use rondo_store::{Batch, BatchState, Time};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

pub use cancel_batch::CancelBatch;
pub use create_batch::{CreateBatch, CreatedBatch};
pub use csv::csv_body;
pub use get_batch::{BatchPage, GetBatch};
pub use request::BatchRequest;

use crate::error::{ServiceError, ServiceResult};
use crate::operation::Call;
use crate::words::{Metadata, RenderState};

/// Renders of a batch at most.
pub const MOST_SETS: usize = 1000;

record! {
    /// Names a batch.
    pub struct BatchId {
        /// The id that POST /renders/batch returned.
        batch_id: required String => "batchId", text();
    }
}

/// A batch of renders.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BatchInfo {
    batch_id: String,
    #[schema(required = true)]
    template_id: Option<String>,
    #[schema(required = true)]
    project_id: Option<String>,
    /// PROCESSING, or COMPLETED once every render has ended, also if some have failed.
    #[schema(value_type = RenderState)]
    status: &'static str,
    /// All renders.
    total: u32,
    counts: BatchCounts,
    /// 0 to 100; a render that has ended counts as 100.
    progress_percentage: u32,
    /// Of all renders: held until each ends, then settled.
    credits_used: i64,
    /// As given in the request.
    #[schema(value_type = Option<Metadata>, required = true)]
    metadata: Option<Value>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    /// When the last render ended.
    #[schema(value_type = Option<String>, format = DateTime, required = true)]
    completed_at: Option<Time>,
}

/// Renders by status.
#[derive(Debug, Serialize, ToSchema)]
pub struct BatchCounts {
    pending: u32,
    processing: u32,
    completed: u32,
    failed: u32,
}

impl BatchInfo {
    fn of(batch: Batch, state: BatchState) -> Self {
        let BatchState { pending, processing, completed, failed, progress, credits } = state;
        Self {
            status: if batch.completed_at.is_some() { "COMPLETED" } else { "PROCESSING" },
            total: batch.total,
            counts: BatchCounts { pending, processing, completed, failed },
            progress_percentage: progress,
            credits_used: credits.whole_up(),
            created_at: batch.created_at,
            completed_at: batch.completed_at,
            metadata: batch.metadata,
            template_id: batch.template_id,
            project_id: batch.project_id,
            batch_id: batch.id,
        }
    }
}

impl Call<'_> {
    /// A batch of the caller's account.
    async fn own_batch(&self, id: &str) -> ServiceResult<Batch> {
        let batch = self.service.store.batch(id).await?.ok_or_else(|| ServiceError::not_found("batch"))?;
        match batch.account_id == self.account_id() {
            true => Ok(batch),
            false => Err(ServiceError::forbidden("batch")),
        }
    }
}
