//! Reports that this process is alive, tends the credits held for AI work, writes when credentials were used, and deletes
//! counters that have ended.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use rondo_store::StoreError;

use crate::service::Service;
use crate::settings::Role;

/// Time between two reports.
const EVERY: Duration = Duration::from_secs(5);

/// Reports between two deletions of counters.
const PURGED_EVERY: u64 = 12;

/// Finds out whether other processes answer requests. A database server may be shared at any time.
async fn share(service: &Service) -> Result<(), StoreError> {
    if !service.store.is_server() {
        let processes = service.store.workers().await?;
        let answering = processes.iter().filter(|process| process.role != Role::Worker.name()).count();
        service.is_shared.store(answering > 1, Ordering::Relaxed);
    }
    Ok(())
}

/// Reports until the service shuts down.
pub async fn run(service: Arc<Service>) {
    let started = service.store.now();
    for round in 0u64.. {
        if let Err(error) = service.store.report_process(service.settings.role.name(), started).await {
            tracing::warn!(%error, "failed to report this process");
        }
        if let Err(error) = service.store.tend_ai_holds().await {
            tracing::warn!(%error, "failed to renew the holds for AI work");
        }
        if let Err(error) = share(&service).await {
            tracing::warn!(%error, "failed to count the processes");
        }
        if round % PURGED_EVERY == 0
            && let Err(error) = service.store.purge_rates().await
        {
            tracing::warn!(%error, "failed to delete counters that have ended");
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
