//! What becomes of a render: its files are kept and it completes, or it fails, or it is tried again.

use std::sync::atomic::Ordering;
use std::time::Duration;

use rondo_composition::{Composition, Limits};
use rondo_render::{Format, Recipe};
use rondo_store::{
    Draft, FileParts, Files, Lease, NewOutput, Outage, Output, OutputFile, Render, RenderStatus, Retry,
    StoreError,
};
use tokio::time::{Instant, sleep};

use super::segments::Film;
use super::watch::LEASE;
use super::worker::POLL;
use crate::error::ServiceError;
use crate::film::{Control, FilmError};
use crate::resolve::options::stored_recipes;
use crate::service::Service;

/// Delay before a retry after a transient failure.
pub const RETRY_AFTER: Duration = Duration::from_secs(5);
/// How long a finished file waits for a bucket that does not answer. After that the film is made again.
pub const FILES_PATIENCE: Duration = Duration::from_secs(120);
/// Delay before a retry when the disk was full.
const DISK_RETRY: Duration = Duration::from_secs(10);
/// How long a render waits for room on the disk or for the bucket, from when it was created.
const DISK_PATIENCE: Duration = Duration::from_secs(24 * 3600);
/// Age of a render up to which it starts again each time that it has no process.
const PROCESS_PATIENCE: Duration = Duration::from_secs(3600);

/// The files of a film.
pub struct Made {
    /// How they are made, the first one first, and where they are written.
    recipes: Vec<Recipe>,
    pub drafts: Vec<Draft>,
    /// Not written for a film that is only heard.
    pub poster: Draft,
}

impl Made {
    pub fn new(files: &Files, recipes: Vec<Recipe>) -> Self {
        let drafts = recipes.iter().map(|_| files.draft()).collect();
        Self { recipes, drafts, poster: files.draft() }
    }

    /// The names under which the files are kept.
    fn names(&self, render_id: &str) -> Vec<String> {
        let named = self.recipes.iter().enumerate();
        named.map(|(number, recipe)| output_name(render_id, number, recipe)).collect()
    }
}

/// The names of the files that a render may have kept, but for its poster.
pub fn names_of(render: &Render) -> Vec<String> {
    let read = render.input_props.as_ref().map(|props| Composition::read(props, Limits::WIDEST));
    // What can no longer be read was not rendered either.
    let Some(Ok(read)) = read else { return Vec::new() };
    let recipes = stored_recipes(render.output.as_ref(), render.draft, &read.composition).unwrap_or_default();
    recipes.iter().enumerate().map(|(number, recipe)| output_name(&render.id, number, recipe)).collect()
}

/// Saves what became of a film. A failed render keeps no files: an attempt may have kept some before another one failed.
pub async fn conclude(
    service: &Service,
    render: &Render,
    lease: &Lease,
    files: Made,
    control: &Control,
    made: Result<Film, FilmError>,
) -> Result<(), StoreError> {
    let names = files.names(&render.id);
    let saved = save(service, render, lease, files, control, made).await;
    if let Err(error) = remove_files_of_failed(service, &render.id, &names).await {
        tracing::warn!(render = lease.render_id, %error, "failed to remove the files of a failed render");
    }
    saved
}

async fn remove_files_of_failed(
    service: &Service,
    render_id: &str,
    names: &[String],
) -> Result<(), StoreError> {
    // Until it has failed, another worker may be keeping the same film under the same names.
    match service.store.render(render_id).await? {
        Some(job) if job.status != RenderStatus::Failed => Ok(()),
        _ => service.media.files.remove_outputs(render_id, names.iter().map(String::as_str)).await,
    }
}

async fn save(
    service: &Service,
    render: &Render,
    lease: &Lease,
    files: Made,
    control: &Control,
    made: Result<Film, FilmError>,
) -> Result<(), StoreError> {
    match made {
        Ok(film) => match complete(service, render, lease, files, film).await {
            Err(error)
                if error.outage().is_some()
                    && service.store.now() < render.created_at.plus(DISK_PATIENCE) =>
            {
                tracing::error!(render = lease.render_id, %error, "failed to keep a film; the render waits");
                persist(|| service.store.postpone(lease, RETRY_AFTER)).await
            }
            Err(error @ StoreError::LostLease { .. }) => Err(error),
            Err(error) => {
                tracing::error!(render = lease.render_id, %error, "failed to keep a film");
                retry(service, lease, "Failed to keep the film.").await
            }
            Ok(()) => Ok(()),
        },
        Err(FilmError::Stopped) if control.is_stopped() => {
            Err(StoreError::LostLease { id: lease.render_id.clone() })
        }
        Err(FilmError::Stopped) => fail(service, lease, "The render stopped unexpectedly.").await,
        Err(error) if error.is_disk_full() && service.store.now() < render.created_at.plus(DISK_PATIENCE) => {
            tracing::error!(render = lease.render_id, "the disk is full; the render waits");
            persist(|| service.store.postpone(lease, DISK_RETRY)).await
        }
        Err(FilmError::StorageAway) if service.store.now() < render.created_at.plus(DISK_PATIENCE) => {
            tracing::error!(render = lease.render_id, "the storage of files is away; the render waits");
            persist(|| service.store.postpone(lease, RETRY_AFTER)).await
        }
        Err(error @ FilmError::StorageAway) => fail(service, lease, &error.to_string()).await,
        Err(FilmError::Wrong(sentence)) => fail(service, lease, &sentence).await,
        Err(FilmError::Crashed(sentence)) => {
            let crashed = persist(|| service.store.crashed(lease, &sentence, RETRY_AFTER)).await?;
            if let Retry::GivenUp(_) = crashed {
                count_failure(service);
            }
            Ok(())
        }
        Err(FilmError::NoProcess(sentence)) if is_patient(service, render) => {
            tracing::error!(render = lease.render_id, %sentence, "the render starts again");
            persist(|| service.store.postpone(lease, RETRY_AFTER)).await
        }
        Err(FilmError::Transient(sentence) | FilmError::NoProcess(sentence)) => {
            let sentence = rondo_store::redact(&sentence);
            tracing::error!(render = lease.render_id, %sentence, "render failed temporarily");
            retry(service, lease, &sentence).await
        }
    }
}

/// Has the render tried again, if it was not too often.
async fn retry(service: &Service, lease: &Lease, sentence: &str) -> Result<(), StoreError> {
    match persist(|| service.store.retry(lease, sentence, RETRY_AFTER)).await? {
        Retry::Again { .. } => {}
        Retry::GivenUp(_) => count_failure(service),
    }
    Ok(())
}

/// Whether a render that cannot be made for now is tried again, without counting against it.
fn is_patient(service: &Service, render: &Render) -> bool {
    service.store.now() < render.created_at.plus(PROCESS_PATIENCE)
}

async fn complete(
    service: &Service,
    render: &Render,
    lease: &Lease,
    Made { recipes, drafts, poster }: Made,
    Film { report, streamed, has_stream, mut parts }: Film,
) -> Result<(), StoreError> {
    if let Some(problem) = &report.cache_problem {
        tracing::warn!(problem, "failed to cache finished chunks");
    }
    let unwritten = parts.as_ref().map_or(streamed, FileParts::bytes);
    if let Some(refusal) = not_kept(service, render, &drafts, unwritten).await? {
        return fail(service, lease, &refusal).await;
    }
    // Whoever has taken the render over may make other bytes, and would find them replaced.
    persist(|| service.store.renew(lease, LEASE)).await?;
    // A crash in between leaves files that the next attempt replaces: they belong to the render once all are kept.
    let sizes = std::iter::once((report.width, report.height)).chain(report.also.iter().copied());
    let keeping = async {
        let mut kept = Vec::with_capacity(drafts.len());
        for (number, ((draft, recipe), size)) in drafts.into_iter().zip(&recipes).zip(sizes).enumerate() {
            let dimensions = (recipe.pixels() > 0).then_some(size);
            let file = output_name(&render.id, number, recipe);
            let size = match (recipe.format, parts.take()) {
                // Its segments are kept, and its playlist is written when it is asked for.
                (Format::Hls, _) => streamed,
                (_, Some(mut parts)) => join_parts(&service.media.files, &mut parts, &file).await?,
                (_, None) => keep_draft(&service.media.files, &draft, &file).await?,
            };
            let url = service.links.file(&file);
            kept.push(NewOutput { url, made: OutputFile { file, size, dimensions } });
        }
        Ok::<_, StoreError>(kept)
    };
    let (kept, poster) = tokio::join!(keeping, keep_poster(service, render, poster));
    let mut kept = kept?.into_iter();
    let Some(main) = kept.next() else {
        return fail(service, lease, "The render made no file.").await;
    };
    let output = Output { main, also: kept.collect(), credits: None, poster, has_stream };
    persist(|| service.store.complete(lease, &output)).await?;
    service.metrics.renders_completed.fetch_add(1, Ordering::Relaxed);
    let ms = report.elapsed_ms;
    let (frames, loudness) = (report.frames, report.loudness);
    tracing::info!(render = lease.render_id, frames, loudness, ms, "render completed");
    Ok(())
}

/// `job_….mp4` for the first file, `job_…-2.gif` for the second.
pub fn output_name(render_id: &str, number: usize, recipe: &Recipe) -> String {
    match number {
        0 => format!("{render_id}.{}", recipe.ending()),
        _ => format!("{render_id}-{}.{}", number + 1, recipe.ending()),
    }
}

/// Gives a finished file its name. Returns its size in bytes.
pub async fn keep_draft(files: &Files, draft: &Draft, file: &str) -> Result<u64, StoreError> {
    let end = Instant::now() + FILES_PATIENCE;
    loop {
        match files.keep(draft, file).await {
            Ok(size) => return Ok(size),
            Err(error) => wait_for_files(file, error, end).await?,
        }
    }
}

/// Makes a file of its parts. Returns its size in bytes.
async fn join_parts(files: &Files, parts: &mut FileParts, file: &str) -> Result<u64, StoreError> {
    let end = Instant::now() + FILES_PATIENCE;
    loop {
        match parts.finish().await {
            Ok(size) => return Ok(size),
            // The film is made again and sent whole.
            Err(error) if !files.takes_parts() => return Err(error),
            Err(error) => {
                wait_for_files(file, error, end).await.inspect_err(|_| parts.give_up())?;
            }
        }
    }
}

/// Waits a moment while the bucket does not answer. Other errors are returned, and all of them after the end.
pub async fn wait_for_files(file: &str, error: StoreError, end: Instant) -> Result<(), StoreError> {
    if error.outage() != Some(Outage::FilesAway) || Instant::now() >= end {
        return Err(error);
    }
    tracing::warn!(%error, file, "failed to keep a file, trying again");
    sleep(POLL).await;
    Ok(())
}

/// Keeps the poster, if one was drawn. A film without one is a film all the same.
async fn keep_poster(service: &Service, render: &Render, poster: Draft) -> Option<String> {
    if !poster.path().is_file() {
        return None;
    }
    let name = Files::poster(&render.id);
    match service.media.files.keep(&poster, &name).await {
        Ok(_) => Some(name),
        Err(error) => {
            tracing::warn!(render = render.id, %error, "failed to keep a poster");
            None
        }
    }
}

/// Repeats a write that ends a lease while the database is away or the disk full, for as long as the lease may last.
pub async fn persist<T, W: Future<Output = Result<T, StoreError>>>(
    write: impl Fn() -> W,
) -> Result<T, StoreError> {
    let deadline = Instant::now() + LEASE;
    loop {
        match write().await {
            Err(error) if error.outage().is_some() && Instant::now() < deadline => {
                tracing::warn!(%error, "failed to save render result, trying again");
                sleep(POLL).await;
            }
            result => return result,
        }
    }
}

/// Why a finished film is not kept: it is too large, or the account's storage filled up meanwhile. A film of segments or parts has
/// `unwritten` bytes, and no file.
async fn not_kept(
    service: &Service,
    render: &Render,
    drafts: &[Draft],
    unwritten: u64,
) -> Result<Option<String>, StoreError> {
    let most = service.settings.max_output_bytes;
    for draft in drafts {
        let size = match std::fs::metadata(draft.path()) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => unwritten,
            facts => {
                facts.map_err(|source| StoreError::File { path: draft.path().to_owned(), source })?.len()
            }
        };
        if size > most {
            let megabytes = |bytes: u64| bytes.div_ceil(1_000_000);
            return Ok(Some(format!(
                "The output has {} MB, and at most {} MB are allowed. Render a shorter, smaller or more compressed film.",
                megabytes(size),
                megabytes(most)
            )));
        }
    }
    match service.store.check_storage(&render.account_id).await {
        Err(StoreError::StorageQuota { used, allowed }) => {
            Ok(Some(ServiceError::storage_quota(used, allowed).message))
        }
        checked => checked.map(|()| None),
    }
}

pub async fn fail(service: &Service, lease: &Lease, message: &str) -> Result<(), StoreError> {
    let message = &*rondo_store::redact(message);
    persist(|| service.store.fail(lease, message)).await?;
    tracing::info!(render = lease.render_id, message, "render failed");
    count_failure(service);
    Ok(())
}

fn count_failure(service: &Service) {
    service.metrics.renders_failed.fetch_add(1, Ordering::Relaxed);
}
