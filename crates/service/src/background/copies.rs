//! Copies finished films to the destinations that their renders name. Copies are taken from the store's outbox under a lease, so
//! any process can go on after a crash. What fails is tried again for a day.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rondo_render::segment_name;
use rondo_store::{COPY_PATIENCE, CopyOutcome, DueCopy, StoreError};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::destinations::{Client, CopyError, Keys, Place};
use crate::service::Service;
use crate::stream::{is_playlist, playlist_text};

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
/// Time for copies under way when the service ends, and then for removing the parts of those that are not done.
const END_WITHIN: Duration = Duration::from_secs(4);
const STOP_WITHIN: Duration = Duration::from_secs(3);

const DELETED: &str = "the files of the render were deleted before they were copied";

/// Copies what is due until the service ends.
pub async fn run(service: Arc<Service>) {
    let (mut under_way, stop) = (JoinSet::new(), CancellationToken::new());
    while !service.queue.stopping.is_cancelled() {
        while under_way.try_join_next().is_some() {}
        while under_way.len() < AT_ONCE {
            match service.store.claim_copy(LEASE).await {
                Ok(Some(copy)) => {
                    drop(under_way.spawn(attempt(service.clone(), copy, stop.child_token())));
                }
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
    if timeout(END_WITHIN, ended(&mut under_way)).await.is_err() {
        stop.cancel();
        let _ = timeout(STOP_WITHIN, ended(&mut under_way)).await;
    }
}

async fn ended(under_way: &mut JoinSet<()>) {
    while under_way.join_next().await.is_some() {}
}

/// One attempt.
async fn attempt(service: Arc<Service>, mut copy: DueCopy, stop: CancellationToken) {
    let lease = copy.clone();
    let copied = {
        let copying = copy_files(&service, &mut copy, &stop);
        tokio::pin!(copying);
        tokio::select! {
            copied = &mut copying => copied,
            () = lost_lease(&service, &lease) => {
                tracing::info!(render = lease.render_id, "the destination was deleted, or another process copies");
                // It removes the parts that have arrived.
                stop.cancel();
                copying.await
            }
        }
    };
    let outcome = match copied {
        Ok(()) => CopyOutcome::Copied,
        Err(_) if stop.is_cancelled() => return,
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

/// A failure after which trying again ends the same way.
fn last(reason: &str) -> CopyError {
    CopyError { reason: reason.to_owned(), is_final: true }
}

/// Copies the files that earlier attempts did not.
async fn copy_files(service: &Service, copy: &mut DueCopy, stop: &CancellationToken) -> Result<(), Problem> {
    let destination = &copy.destination;
    let place = Place::parse(&destination.url).map_err(last)?;
    let keys = Keys::from_json(&copy.credentials).ok_or_else(|| last("its credentials cannot be read"))?;
    let (endpoint, region) = (destination.endpoint.as_deref(), destination.region.as_deref());
    let client = Client::open(&service.media.fetch, &place, endpoint, region, &keys).map_err(last)?;
    for file in copy.files.iter().skip(copy.urls.len()).cloned().collect::<Vec<_>>() {
        service.store.renew_copy(copy, LEASE).await?;
        let url = match is_playlist(&file) {
            true => copy_stream(service, &client, copy, &file, stop).await?,
            false => client.copy(&file, &find(service, &file).await?, stop).await?,
        };
        copy.urls.push(url);
        service.store.note_copied(copy).await?;
    }
    Ok(())
}

async fn find(service: &Service, file: &str) -> Result<PathBuf, Problem> {
    let path = service.media.files.find(file).await?;
    Ok(path.ok_or_else(|| last(DELETED))?)
}

/// Copies the segments of a film that earlier attempts did not, and then its playlist: it names nothing that is not there. Returns
/// the URL of the playlist.
async fn copy_stream(
    service: &Service,
    client: &Client,
    copy: &mut DueCopy,
    file: &str,
    stop: &CancellationToken,
) -> Result<String, Problem> {
    let stream = service.store.stream(&copy.render_id).await?.ok_or_else(|| last(DELETED))?;
    for segment in stream.segments.iter().skip(copy.segments as usize) {
        let name = segment_name(&copy.render_id, segment.number);
        client.copy(&name, &find(service, &name).await?, stop).await?;
        copy.segments = segment.number + 1;
        service.store.note_copied(copy).await?;
    }
    let draft = service.media.files.draft();
    let written = tokio::fs::write(draft.path(), playlist_text(&copy.render_id, &stream)).await;
    written.map_err(|source| StoreError::File { path: draft.path().to_owned(), source })?;
    Ok(client.copy(file, draft.path(), stop).await?)
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
