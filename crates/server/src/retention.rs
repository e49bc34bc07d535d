//! Clearing away what has grown old, by the settings: films, narrations, uploads, previews, deliveries, idempotency keys, sessions,
//! tokens, and files that were never finished, fetched media among them.

use std::sync::Arc;
use std::time::Duration;

use rondo_store::{StoreError, Time};
use tokio::time::sleep;

use crate::app::App;
use crate::files::upload_name;

/// Time between two rounds.
const EVERY: Duration = Duration::from_secs(3600);
/// Things removed between two looks at the database.
const AT_ONCE: u32 = 200;
/// A file nobody has written to for so long will never be finished.
const ABANDONED: Duration = Duration::from_secs(86_400);
/// What is drawn for a preview is of no use once the preview has expired.
const PREVIEW_FILES: Duration = Duration::from_secs(86_400);
/// How long an expired preview is remembered, to tell that it has expired.
const PREVIEW_ROWS: Duration = Duration::from_secs(7 * 86_400);

/// Clears away hourly until the service ends.
pub async fn run(app: Arc<App>) {
    loop {
        if let Err(error) = clear(&app).await {
            tracing::warn!(%error, "old files are not cleared away");
        }
        tokio::select! {
            () = app.stopping.cancelled() => return,
            () = sleep(EVERY) => {}
        }
    }
}

/// One round.
async fn clear(app: &App) -> Result<(), StoreError> {
    let now = app.store.now();
    let mut removed = clear_outputs(app, now).await?;
    removed += clear_uploads(app, now).await?;
    removed += clear_previews(app, now).await?;
    removed += clear_voiceovers(app, now).await?;
    removed += u64::from(app.files.remove_old_drafts(ABANDONED)?);
    removed += tidy_media(app).await;
    removed += app.store.purge_idempotency().await?;
    removed += app.store.purge_sessions().await?;
    removed += app.store.purge_invites().await?;
    removed += app.store.purge_apps().await?;
    if let Some(age) = app.settings.keep_deliveries {
        removed += app.store.purge_deliveries(now.minus(age)).await?;
    }
    if removed > 0 {
        tracing::info!(removed, "old things were cleared away");
    }
    Ok(())
}

/// The cache of media keeps to its size by itself; what is left over of interrupted downloads is removed here.
async fn tidy_media(app: &App) -> u64 {
    let media = app.media.clone();
    let tidied = tokio::task::spawn_blocking(move || media.tidy(ABANDONED)).await;
    tidied.unwrap_or_else(|error| Err(std::io::Error::other(error))).unwrap_or_else(|error| {
        tracing::warn!(%error, "the cache of media is not tidied");
        0
    })
}

async fn clear_outputs(app: &App, now: Time) -> Result<u64, StoreError> {
    let Some(age) = app.settings.keep_outputs else { return Ok(0) };
    let mut removed = 0;
    loop {
        let old = app.store.old_outputs(now.minus(age), AT_ONCE).await?;
        if old.is_empty() || app.stopping.is_cancelled() {
            return Ok(removed);
        }
        for output in old {
            if let Some(name) = &output.file {
                app.files.remove(&app.files.output(name)?)?;
            }
            app.store.forget_output(&output.id).await?;
            removed += 1;
        }
    }
}

/// Uploads that were never sent go when their address has expired, whatever the settings.
async fn clear_uploads(app: &App, now: Time) -> Result<u64, StoreError> {
    let before = app.settings.keep_uploads.map_or(Time(0), |age| now.minus(age));
    let mut removed = 0;
    loop {
        let old = app.store.old_uploads(before, AT_ONCE).await?;
        if old.is_empty() || app.stopping.is_cancelled() {
            return Ok(removed);
        }
        for old in old {
            if let Some(upload) = app.store.upload(&old.id).await? {
                app.files.remove(&app.files.upload(&upload_name(&upload))?)?;
            }
            app.store.forget_upload(&old.id).await?;
            removed += 1;
        }
    }
}

/// Narrations go as films do, counted from when they were last asked for.
async fn clear_voiceovers(app: &App, now: Time) -> Result<u64, StoreError> {
    let Some(age) = app.settings.keep_outputs else { return Ok(0) };
    let mut removed = 0;
    loop {
        let old = app.store.old_voiceovers(now.minus(age), AT_ONCE).await?;
        if old.is_empty() || app.stopping.is_cancelled() {
            return Ok(removed);
        }
        for voiceover in old {
            // The last account that has the sound takes it along.
            if let Some(name) = &voiceover.file
                && app.store.voiceovers_in(name).await?.len() == 1
            {
                app.files.remove(&app.files.voiceover(name)?)?;
            }
            app.store.forget_voiceover(&voiceover.id).await?;
            removed += 1;
        }
    }
}

async fn clear_previews(app: &App, now: Time) -> Result<u64, StoreError> {
    let mut removed = u64::from(app.files.remove_old_previews(PREVIEW_FILES)?);
    loop {
        let old = app.store.old_previews(now.minus(PREVIEW_ROWS), AT_ONCE).await?;
        if old.is_empty() || app.stopping.is_cancelled() {
            return Ok(removed);
        }
        for preview in old {
            app.store.forget_preview(&preview.id).await?;
            removed += 1;
        }
    }
}
