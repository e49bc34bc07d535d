//! Deletes expired data: films, narrations, uploads, previews, deliveries, idempotency keys, sessions, tokens and
//! abandoned files.

use std::sync::Arc;
use std::time::Duration;

use rondo_store::{StoreError, Time};
use tokio::time::sleep;

use super::result::names_of;
use crate::error::{ErrorKind, ServiceError};
use crate::service::Service;
use crate::stream;

/// Time between two rounds.
const EVERY: Duration = Duration::from_secs(3600);
const TIDY_EVERY: Duration = Duration::from_secs(600);
/// Things removed between two looks at the database.
const AT_ONCE: u32 = 200;
/// An unfinished file this old is abandoned.
const ABANDONED: Duration = Duration::from_secs(86_400);
/// At a start, files are looked for of renders that failed so long ago; later, between two rounds and some more.
const FAILED_BEFORE_START: Duration = Duration::from_secs(2 * 86_400);
const FAILED_OVERLAP: Duration = Duration::from_secs(3600);
/// A copy of a file of the bucket that was not used for so long is fetched again when it is.
const UNUSED: Duration = Duration::from_secs(6 * 3600);
/// Fetched media stay in the bucket for so long, for the other machines.
const SHARED_MEDIA: Duration = Duration::from_secs(2 * 86_400);
/// Images of a preview are useless once the preview has expired.
const PREVIEW_FILES: Duration = Duration::from_secs(86_400);
/// How long the row of an expired preview is kept, so that requests for it can report the expiry.
const PREVIEW_ROWS: Duration = Duration::from_secs(7 * 86_400);
/// How long it is known that a project was deleted: editors that are open hear of it within a second.
const DELETED_PROJECTS: Duration = Duration::from_secs(3600);

/// Runs hourly until the service shuts down.
pub async fn run(service: Arc<Service>) {
    let mut failed_since = service.store.now().minus(FAILED_BEFORE_START);
    loop {
        let now = service.store.now();
        if let Err(error) = clear(&service).await {
            tracing::warn!(%error, "retention failed");
        }
        match clear_failed(&service, failed_since).await {
            Ok(()) => failed_since = now.minus(FAILED_OVERLAP),
            Err(error) => tracing::warn!(%error, "failed to remove files of failed renders"),
        }
        tokio::select! {
            () = service.queue.stopping.cancelled() => return,
            () = sleep(EVERY) => {}
        }
    }
}

/// Removes what this machine no longer needs, now and every ten minutes. Runs in every process: each may have a folder of its own.
pub async fn tidy(service: Arc<Service>) {
    loop {
        let (files, most) = (service.media.files.clone(), service.settings.media_cache_bytes);
        let tidied = tokio::task::spawn_blocking(move || {
            Ok::<_, StoreError>(
                files.remove_old_drafts(ABANDONED)?
                    + files.remove_old_parts(ABANDONED)?
                    + files.remove_old_copies(UNUSED, most)?,
            )
        });
        match tidied.await {
            Ok(Ok(0)) => {}
            Ok(Ok(removed)) => tracing::info!(removed, "unneeded files removed"),
            Ok(Err(error)) => tracing::warn!(%error, "failed to remove unneeded files"),
            Err(error) => tracing::warn!(%error, "failed to remove unneeded files"),
        }
        tidy_media(&service).await;
        tokio::select! {
            () = service.queue.stopping.cancelled() => return,
            () = sleep(TIDY_EVERY) => {}
        }
    }
}

/// One round.
async fn clear(service: &Service) -> Result<(), StoreError> {
    let now = service.store.now();
    let mut removed = clear_outputs(service, now).await?;
    removed += clear_uploads(service, now).await?;
    removed += clear_previews(service, now).await?;
    removed += clear_voiceovers(service, now).await?;
    if let Err(error) = service.uploads.sweep_parts().await {
        tracing::warn!(error = error.message, "failed to remove parts of uploads");
    }
    removed += clear_chunks(service).await?;
    let most = service.settings.media_cache_bytes;
    removed += or_warn(service.media.files.remove_old_media(SHARED_MEDIA, most).await);
    removed += service.store.purge_old_secrets().await?;
    removed += service.store.purge_idempotency().await?;
    removed += service.store.purge_deleted_projects(now.minus(DELETED_PROJECTS)).await?;
    removed += service.store.purge_sessions().await?;
    removed += service.store.purge_invites().await?;
    removed += service.store.purge_apps().await?;
    if let Some(age) = service.settings.keep_deliveries {
        removed += service.store.purge_deliveries(now.minus(age)).await?;
    }
    if let Some(age) = service.settings.keep_audit {
        removed += service.store.purge_audit_events(now.minus(age)).await?;
    }
    if removed > 0 {
        tracing::info!(removed, "expired data deleted");
    }
    Ok(())
}

/// A bucket that does not list its files holds up nothing else.
fn or_warn(removed: Result<u64, StoreError>) -> u64 {
    removed.unwrap_or_else(|error| {
        tracing::warn!(%error, "failed to remove old files of the bucket");
        0
    })
}

/// Removes the rest of interrupted downloads. The media cache enforces its size limit itself.
async fn tidy_media(service: &Service) -> u64 {
    let cache = service.media.cache.clone();
    let tidied = tokio::task::spawn_blocking(move || cache.tidy(ABANDONED)).await;
    tidied.unwrap_or_else(|error| Err(std::io::Error::other(error))).unwrap_or_else(|error| {
        tracing::warn!(%error, "failed to clean up the media cache");
        0
    })
}

async fn clear_outputs(service: &Service, now: Time) -> Result<u64, StoreError> {
    let Some(age) = service.settings.keep_outputs else { return Ok(0) };
    let mut removed = 0;
    loop {
        let old = service.store.old_outputs(now.minus(age), AT_ONCE).await?;
        if old.is_empty() || service.queue.stopping.is_cancelled() {
            return Ok(removed);
        }
        for output in old {
            service.media.files.remove_outputs(&output.id, output.files.iter().map(String::as_str)).await?;
            stream::remove(&service.media.files, &service.store, &output.id).await?;
            service.store.forget_output(&output.id).await?;
            removed += 1;
        }
    }
}

/// Deletes what failed renders have kept: a worker that disappeared while it kept the files removes none of them.
async fn clear_failed(service: &Service, since: Time) -> Result<(), StoreError> {
    let (mut since, mut after) = (since, String::new());
    loop {
        let ended = service.store.failed_renders(since, &after, AT_ONCE).await?;
        let Some((last, at)) = ended.last().cloned() else { return Ok(()) };
        for (id, _) in ended {
            if service.queue.stopping.is_cancelled() {
                return Ok(());
            }
            let names = match service.store.render(&id).await {
                Ok(Some(render)) => names_of(&render),
                // Newer processes remove what only they know.
                Ok(None) | Err(StoreError::UnknownValue { .. }) => continue,
                Err(error) => return Err(error),
            };
            service.media.files.remove_outputs(&id, names.iter().map(String::as_str)).await?;
        }
        (since, after) = (at, last);
    }
}

/// Deletes the chunks unused longest from the bucket, beyond the size of the chunk cache.
async fn clear_chunks(service: &Service) -> Result<u64, StoreError> {
    if !service.media.files.uses_bucket() {
        return Ok(0);
    }
    let mut removed = 0;
    loop {
        let names = service.store.superfluous_chunks(service.settings.chunk_cache_bytes).await?;
        if names.is_empty() || service.queue.stopping.is_cancelled() {
            return Ok(removed);
        }
        for name in names {
            service.store.forget_chunk(&name).await?;
            service.media.files.remove_chunk(&name).await?;
            removed += 1;
        }
    }
}

/// Deletes uploads without content when their upload URL has expired, with any settings.
async fn clear_uploads(service: &Service, now: Time) -> Result<u64, StoreError> {
    let before = service.settings.keep_uploads.map_or(Time(0), |age| now.minus(age));
    let mut removed = 0;
    loop {
        let old = service.store.old_uploads(before, AT_ONCE).await?;
        if old.is_empty() || service.queue.stopping.is_cancelled() {
            return Ok(removed);
        }
        let mut kept = 0;
        for old in &old {
            let Some(upload) = service.store.upload(&old.id).await? else { continue };
            let is_fault =
                |error: &ServiceError| matches!(error.kind, ErrorKind::Unavailable | ErrorKind::Internal);
            // A file that arrived at the last moment is kept.
            let settled = match upload.completed_at {
                None => service.uploads.settle(upload.clone()).await,
                Some(_) => Ok(None),
            };
            let is_kept = match &settled {
                Ok(stored) => stored.is_some(),
                Err(error) => is_fault(error),
            };
            if is_kept || service.uploads.delete(&upload).await.is_err() {
                kept += 1;
                continue;
            }
            removed += 1;
        }
        // Those that cannot be deleted for now would come again.
        if kept > 0 {
            return Ok(removed);
        }
    }
}

/// Deletes narrations like films, counted from their last use.
async fn clear_voiceovers(service: &Service, now: Time) -> Result<u64, StoreError> {
    let Some(age) = service.settings.keep_outputs else { return Ok(0) };
    let mut removed = 0;
    loop {
        let old = service.store.old_voiceovers(now.minus(age), AT_ONCE).await?;
        if old.is_empty() || service.queue.stopping.is_cancelled() {
            return Ok(removed);
        }
        for voiceover in old {
            service.speech.forget(&voiceover.id, voiceover.file.as_deref().unwrap_or_default()).await?;
            removed += 1;
        }
    }
}

async fn clear_previews(service: &Service, now: Time) -> Result<u64, StoreError> {
    let mut removed = u64::from(service.media.files.remove_old_previews(PREVIEW_FILES)?);
    removed += or_warn(service.media.files.remove_shared_previews(PREVIEW_FILES).await);
    removed += service.store.empty_expired_previews().await?;
    loop {
        let old = service.store.old_previews(now.minus(PREVIEW_ROWS), AT_ONCE).await?;
        if old.is_empty() || service.queue.stopping.is_cancelled() {
            return Ok(removed);
        }
        for preview in old {
            service.store.forget_preview(&preview.id).await?;
            removed += 1;
        }
    }
}
