//! Reports that this process is alive, tends the credits held for AI work, and writes when credentials were used.

use std::sync::Arc;
use std::time::Duration;

use crate::service::Service;

/// Time between two reports.
const EVERY: Duration = Duration::from_secs(5);

/// Reports until the service shuts down.
pub async fn run(service: Arc<Service>) {
    let started = service.store.now();
    loop {
        if let Err(error) = service.store.report_process(service.settings.role.name(), started).await {
            tracing::warn!(%error, "failed to report this process");
        }
        if let Err(error) = service.store.tend_ai_holds().await {
            tracing::warn!(%error, "failed to renew the holds for AI work");
        }
        tokio::select! {
            () = service.queue.stopping.cancelled() => return,
            () = tokio::time::sleep(EVERY) => {}
        }
        if let Err(error) = service.credential_uses.flush(&service.store).await {
            tracing::warn!(%error, "failed to save when credentials were used");
        }
    }
}
