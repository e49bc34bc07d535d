//! Watches a render while it is made: renews its lease, reports its progress, and says when it must stop.

use std::sync::atomic::Ordering;
use std::time::Duration;

use rondo_store::{Lease, StoreError};
use tokio::time::{Instant, Interval, MissedTickBehavior, interval, timeout};

use crate::chunk_board::{CHUNK_LEASE, Unfinished};
use crate::film::Control;
use crate::service::Service;

/// How long a lease lasts; it is renewed after a third of this.
pub const LEASE: Duration = Duration::from_secs(30);
/// Time between two writes of the progress, and the same while others help: they and the film have better use for the time.
const REPORT: Duration = Duration::from_millis(250);
const REPORT_OF_HELPED: Duration = Duration::from_secs(1);

/// Why a worker stopped a render early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The service ends.
    Stopping,
    /// The lease was lost.
    Lost,
    Overtime,
}

/// Renews the lease and reports progress until the render must stop.
pub async fn watch(
    service: &Service,
    lease: &Lease,
    control: &Control,
    end: Instant,
    taken: Option<&Unfinished>,
) -> Ended {
    let mut renewal = interval(LEASE / 3);
    renewal.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut telling = interval(REPORT);
    telling.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let (mut percent, mut chunks, mut frames) = (0, 0, 0);
    let mut heard = Instant::now();
    let mut told = None::<Instant>;
    loop {
        let written = tokio::select! {
            () = service.queue.stopping.cancelled() => return Ended::Stopping,
            () = control.stopped() => return Ended::Lost,
            () = tokio::time::sleep_until(end) => return Ended::Overtime,
            _ = renewal.tick() => renew(service, lease, taken).await,
            () = news(&mut telling, control) => {
                let count = control.frames();
                service.metrics.frames_rendered.fetch_add(u64::from(count.saturating_sub(frames)), Ordering::Relaxed);
                frames = count.max(frames);
                let (now, done) = (control.percent(), control.chunks());
                if done > chunks {
                    chunks = done;
                    if let Err(StoreError::LostLease { .. }) = service.store.note_chunk_finished(lease).await {
                        return Ended::Lost;
                    }
                }
                let is_early = control.is_helped() && told.is_some_and(|told| told.elapsed() < REPORT_OF_HELPED);
                if now <= percent || is_early {
                    continue;
                }
                (percent, told) = (now, Some(Instant::now()));
                service.store.set_progress(lease, percent).await
            }
        };
        match written {
            Ok(()) => heard = Instant::now(),
            Err(StoreError::LostLease { .. }) => return Ended::Lost,
            // A database that is away for a moment ends nothing, one that is away for longer gives others the lease.
            Err(error) if heard.elapsed() < LEASE => tracing::warn!(%error, "failed to renew a lease"),
            Err(_) => return Ended::Lost,
        }
    }
}

/// Renews the lease on the render, and those on its chunks.
async fn renew(service: &Service, lease: &Lease, taken: Option<&Unfinished>) -> Result<(), StoreError> {
    service.store.renew(lease, LEASE).await?;
    if let Some(taken) = taken {
        service.store.renew_chunks(&lease.render_id, &taken.names(), CHUNK_LEASE).await?;
    }
    Ok(())
}

/// Renews the lease during work before or after the film: a layout may wait for a process, and large files take long to reach a
/// bucket.
pub async fn renewing<T>(service: &Service, lease: &Lease, work: impl Future<Output = T>) -> T {
    tokio::pin!(work);
    loop {
        match timeout(LEASE / 3, &mut work).await {
            Ok(done) => return done,
            // Whoever lost the lease hears of it with the next write.
            Err(_) => drop(service.store.renew(lease, LEASE).await),
        }
    }
}

/// Waits until progress is due. A finished chunk is reported at once: a crash then costs only what came after it.
async fn news(telling: &mut Interval, control: &Control) {
    tokio::select! {
        _ = telling.tick() => {}
        () = control.chunk_finished() => {}
    }
}
