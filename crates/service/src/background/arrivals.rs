//! Looks for files that arrived in the bucket, so that uploads are complete also if nobody asks for them.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;

use crate::service::Service;

/// Time between two looks.
const EVERY: Duration = Duration::from_secs(20);

/// Runs until the service shuts down.
pub async fn run(service: Arc<Service>) {
    loop {
        tokio::select! {
            () = service.queue.stopping.cancelled() => return,
            () = sleep(EVERY) => {}
        }
        if let Err(error) = service.uploads.sweep().await {
            tracing::warn!(error = error.message, "failed to look for uploads that arrived");
        }
    }
}
