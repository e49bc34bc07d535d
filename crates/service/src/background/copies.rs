//! Copies finished films to the destinations that their renders name. Copies are taken from the store's outbox under a lease, so
//! any process can go on after a crash. What fails is tried again for a day.

use std::sync::Arc;
use std::time::Duration;

use rondo_store::{COPY_PATIENCE, CopyOutcome, DueCopy, StoreError};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::destinations::{Client, CopyError, Keys, Place};
use crate::service::Service;

/// Time between two looks into the outbox.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// Copies under way at a time.
const AT_ONCE: usize = 6;
const LEASE: Duration = Duration::from_secs(60);
/// Time between two renewals. A destination that was deleted is noticed then.
const RENEW: Duration = Duration::from_secs(5);
/// Waits after each attempt; the last one is repeated.
const WAITS: [Duration; 6] = [
    Duration::from_secs(5),
    Duration::from_secs(20),
    Duration::from_secs(60),
    Duration::from_secs(5 * 60),
    Duration::from_secs(20 * 60),
    Duration::from_secs(3600),
];
/// Time for copies under way when the service ends.
const END_WITHIN: Duration = Duration::from_secs(5);

/// Copies what is due until the service ends.
pub async fn run(service: Arc<Service>) {
    let mut under_way = JoinSet::new();
    while !service.queue.stopping.is_cancelled() {
        while under_way.try_join_next().is_some() {}
        while under_way.len() < AT_ONCE {
            match service.store.claim_copy(LEASE).await {
                Ok(Some(copy)) => drop(under_way.spawn(attempt(service.clone(), copy))),
                Ok(None) => break,
                Err(error) => {
                    tracing::warn!(%error, "failed to claim copies");
                    break;
                }
            }
        }
        tokio::select! {
            () = service.queue.stopping.cancelled() => {}
            () = sleep(LOOK_EVERY) => {}
            Some(_) = under_way.join_next() => {}
        }
    }
    // What is not done by then is taken up at the next start.
    let _ = timeout(END_WITHIN, async { while under_way.join_next().await.is_some() {} }).await;
}

/// One attempt.
async fn attempt(service: Arc<Service>, mut copy: DueCopy) {
    let copied = {
        let lease = copy.clone();
        tokio::select! {
            copied = copy_files(&service, &mut copy) => copied,
            () = lost_lease(&service, &lease) => {
                tracing::info!(render = lease.render_id, "the destination was deleted, or another process copies");
                return;
            }
        }
    };
    let outcome = match copied {
        Ok(()) => CopyOutcome::Copied,
        Err(Problem::Copy(error)) => after_failure(&service, &copy, error),
        Err(Problem::Store(StoreError::LostLease { .. })) => return,
        Err(Problem::Store(error)) => {
            tracing::warn!(render = copy.render_id, %error, "failed to read the files of a copy");
            let reason = "the files of the service could not be read".to_owned();
            after_failure(&service, &copy, CopyError { reason, is_final: false })
        }
    };
    match &outcome {
        CopyOutcome::Copied => tracing::info!(render = copy.render_id, "film copied to its destination"),
        CopyOutcome::RetryAt(_, reason) | CopyOutcome::Failed(reason) => {
            let (attempt, failed) = (copy.attempt, matches!(outcome, CopyOutcome::Failed(_)));
            tracing::info!(render = copy.render_id, attempt, failed, reason, "failed to copy a film");
        }
    }
    match service.store.finish_copy(&copy, &outcome).await {
        Err(StoreError::LostLease { .. }) => {
            tracing::info!(
                render = copy.render_id,
                "the copy is no longer wanted, or another process makes it"
            );
        }
        // The lease ends, and the copy is made again.
        Err(error) => tracing::warn!(render = copy.render_id, %error, "failed to save the result of a copy"),
        Ok(()) => {}
    }
}

enum Problem {
    Copy(CopyError),
    Store(StoreError),
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<CopyError> for Problem {
    fn from(error: CopyError) -> Self {
        Self::Copy(error)
    }
}

/// Copies the files that earlier attempts did not.
async fn copy_files(service: &Service, copy: &mut DueCopy) -> Result<(), Problem> {
    let last = |reason: &str| CopyError { reason: reason.to_owned(), is_final: true };
    let destination = &copy.destination;
    let place = Place::parse(&destination.url).map_err(last)?;
    let keys = Keys::from_json(&copy.credentials).ok_or_else(|| last("its credentials cannot be read"))?;
    let (endpoint, region) = (destination.endpoint.as_deref(), destination.region.as_deref());
    let client = Client::open(&service.media.fetch, &place, endpoint, region, &keys).map_err(last)?;
    for file in copy.files.iter().skip(copy.urls.len()).cloned().collect::<Vec<_>>() {
        service.store.renew_copy(copy, LEASE).await?;
        let path = service.media.files.find(&file).await?;
        let path =
            path.ok_or_else(|| last("the files of the render were deleted before they were copied"))?;
        copy.urls.push(client.copy(&file, &path).await?);
        service.store.note_copied(copy).await?;
    }
    Ok(())
}

/// Tries again, unless the time is up or it ends the same way.
fn after_failure(service: &Service, copy: &DueCopy, error: CopyError) -> CopyOutcome {
    let CopyError { reason, is_final } = error;
    let index = (copy.attempt.saturating_sub(1) as usize).min(WAITS.len() - 1);
    let next = service.store.now().plus(WAITS[index]);
    match is_final || next > copy.created_at.plus(COPY_PATIENCE) {
        true => CopyOutcome::Failed(format!("The film was not copied: {reason}.")),
        false => {
            CopyOutcome::RetryAt(next, format!("The film is not copied yet: {reason}. It is tried again."))
        }
    }
}

/// Renews the lease. Returns when it is lost.
async fn lost_lease(service: &Service, copy: &DueCopy) {
    loop {
        sleep(RENEW).await;
        match service.store.renew_copy(copy, LEASE).await {
            Err(StoreError::LostLease { .. }) => return,
            Err(error) => tracing::warn!(%error, "failed to renew the lease of a copy"),
            Ok(()) => {}
        }
    }
}
