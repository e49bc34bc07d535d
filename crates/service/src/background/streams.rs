//! Deletes the segments of films that nobody watches any more: those of renders that failed or whose files were deleted, as soon as
//! they end, and those of films that have another output, after an hour.

use std::sync::Arc;
use std::time::Duration;

use rondo_store::StoreError;
use tokio::time::{MissedTickBehavior, interval};

use crate::service::Service;
use crate::stream::{self, is_unwanted};

/// Time between two looks at all renders: others may have ended them.
const EVERY: Duration = Duration::from_secs(600);
/// How long segments are kept after their film is complete.
const KEPT: Duration = Duration::from_secs(3600);
/// Renders between two looks at the database.
const AT_ONCE: u32 = 200;

/// Runs in every process until the service shuts down. What is left then is deleted at the next start.
pub async fn run(service: Arc<Service>) {
    let mut rounds = interval(EVERY);
    rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let removed = tokio::select! {
            () = service.queue.stopping.cancelled() => return,
            _ = rounds.tick() => clear(&service).await,
            ended = service.queue.ended_streams() => remove(&service, &ended).await,
        };
        if let Err(error) = removed {
            tracing::warn!(%error, "failed to remove segments of films");
        }
    }
}

async fn clear(service: &Service) -> Result<(), StoreError> {
    let completed = service.store.now().minus(KEPT);
    loop {
        let old = service.store.old_streams(completed, AT_ONCE).await?;
        if old.is_empty() || service.queue.stopping.is_cancelled() {
            return Ok(());
        }
        for render_id in old {
            stream::remove(&service.media.files, &service.store, &render_id).await?;
        }
    }
}

async fn remove(service: &Service, ended: &[String]) -> Result<(), StoreError> {
    for render_id in ended {
        if is_unwanted(&service.store, render_id).await? {
            stream::remove(&service.media.files, &service.store, render_id).await?;
        }
    }
    Ok(())
}
