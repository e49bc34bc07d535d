//! Render workers: each claims the next render under a lease, renders it and saves the result. A worker that lost its
//! lease changes nothing.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use rondo_composition::{AiReplacement, Composition, Limits};
use rondo_jobs::{AccountChunks, ChunkBoard, Priority};
use rondo_render::{ChunkCache, Format, Recipe};
use rondo_store::{
    Claimed, Draft, Files, Lease, NewOutput, Outage, Output, OutputFile, Render, RenderStatus, Retry,
    Revision, Signal, StoreError,
};
use tokio::sync::mpsc::unbounded_channel;
use tokio::task::JoinSet;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval, sleep, timeout};

use super::helper::{Helper, give_back};
use super::segments::{Film, Watched, remove_failed, watched};
use crate::chunk_board::{Board, CHUNK_LEASE, Unfinished, Work};
use crate::error::ServiceError;
use crate::film::{Control, FilmError, FilmOrder, FilmSegments, make};
use crate::quote::{quote, with_ai};
use crate::resolve::options::stored_recipes;
use crate::service::Service;
use crate::speech::{Asked, Purse, SpeechError};
use crate::stream;
use crate::watermark::{SHORTER_SIDE, mark};

/// How long a lease lasts; it is renewed after a third of this.
const LEASE: Duration = Duration::from_secs(30);
/// Time between two polls for work without a notification.
const POLL: Duration = Duration::from_secs(1);
/// Time between two writes of the progress.
const REPORT: Duration = Duration::from_millis(250);
/// How long a cancelled render may take to stop.
const STOP_WITHIN: Duration = Duration::from_secs(4);
/// Delay before a retry after a transient failure.
const RETRY_AFTER: Duration = Duration::from_secs(5);
/// How long a finished file waits for a bucket that does not answer. After that the film is made again.
const FILES_PATIENCE: Duration = Duration::from_secs(120);

/// Delay before a retry when the disk was full.
const DISK_RETRY: Duration = Duration::from_secs(10);
/// How long a render waits for room on the disk or for the bucket, from when it was created.
const DISK_PATIENCE: Duration = Duration::from_secs(24 * 3600);
/// Age of a render up to which it starts again each time that it has no process.
const PROCESS_PATIENCE: Duration = Duration::from_secs(3600);

/// Runs the workers until the service ends.
pub async fn run(service: Arc<Service>) {
    let folder = service.settings.data.join("chunks");
    let chunks = match ChunkCache::open(&folder, service.settings.chunk_cache_bytes) {
        Ok(chunks) => Some(chunks),
        Err(error) => {
            tracing::error!(%error, "failed to open the chunk cache; interrupted renders start over");
            None
        }
    };
    let mut workers = JoinSet::new();
    for _ in 0..service.settings.workers {
        workers.spawn(work(service.clone(), chunks.clone()));
    }
    while let Some(ended) = workers.join_next().await {
        if let Err(error) = ended {
            tracing::error!(%error, "a worker panicked");
            sleep(POLL).await;
            workers.spawn(work(service.clone(), chunks.clone()));
        }
    }
}

async fn work(service: Arc<Service>, chunks: Option<ChunkCache>) {
    let mut paused = false;
    let mut helper = Helper::default();
    while !service.queue.stopping.is_cancelled() {
        let full = !service.media.files.has_room();
        if full != paused {
            paused = full;
            tracing::warn!(paused, "renders wait while the disk is nearly full");
        }
        let claimed = if full { Ok(None) } else { service.store.claim(LEASE).await };
        match claimed {
            Ok(Some(claimed)) => {
                // Others may have come meanwhile.
                service.queue.hear(&Signal::Renders);
                render(&service, chunks.clone(), claimed).await;
                continue;
            }
            Ok(None) if full => {}
            Ok(None) => {
                if helper.help(&service, chunks.as_ref()).await {
                    continue;
                }
            }
            Err(error) => tracing::warn!(%error, "failed to claim a render"),
        }
        tokio::select! {
            () = service.queue.stopping.cancelled() => {}
            () = service.queue.render_ready() => {}
            () = sleep(POLL) => {}
        }
    }
}

/// Why a worker stopped a render early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ended {
    /// The service ends.
    Stopping,
    /// The lease was lost.
    Lost,
    Overtime,
}

async fn render(service: &Service, chunks: Option<ChunkCache>, claimed: Claimed) {
    let Claimed { render, lease, attempt } = claimed;
    tracing::info!(render = lease.render_id, attempt, "render started");
    service.metrics.renders_running.fetch_add(1, Ordering::Relaxed);
    let control = Control::default();
    let entered = service.queue.enter(&lease.render_id, &control);
    let written = attend(service, chunks, &render, &lease, &control).await;
    drop(entered);
    service.metrics.renders_running.fetch_sub(1, Ordering::Relaxed);
    remove_failed(service, &lease.render_id).await;
    match written {
        Ok(()) => {}
        Err(StoreError::LostLease { .. }) => {
            tracing::info!(render = lease.render_id, "render was cancelled or taken over");
        }
        Err(error) => {
            tracing::error!(render = lease.render_id, %error, "failed to save render result")
        }
    }
    // An event may be due, and a waiting render may start.
    service.queue.wake_deliveries();
    service.queue.wake_workers();
}

/// Renders the film and saves the result.
async fn attend(
    service: &Service,
    chunks: Option<ChunkCache>,
    render: &Render,
    lease: &Lease,
    control: &Control,
) -> Result<(), StoreError> {
    let composition = match render.input_props.as_ref().map(|props| Composition::read(props, Limits::WIDEST))
    {
        Some(Ok(read)) => read.composition,
        _ => return fail(service, lease, "The stored composition can no longer be read.").await,
    };
    let recipes = match stored_recipes(render.output.as_ref(), render.draft, &composition) {
        Ok(recipes) => recipes,
        Err(refusal) => return fail(service, lease, &format!("The file cannot be made: {refusal}.")).await,
    };
    let (to, arriving) = unbounded_channel();
    let first = recipes.first();
    let is_stream = first.is_some_and(|recipe| recipe.format == Format::Hls);
    let segments =
        first.filter(|recipe| recipe.has_segments()).map(|_| FilmSegments { to, are_film: is_stream });
    let files = Made::new(&service.media.files, recipes);
    let mut places = files.drafts.iter().map(|draft| draft.path().to_owned()).collect::<Vec<_>>().into_iter();
    let place = places.next().unwrap_or_default();
    let also = places.collect();
    let poster_place = files.poster.path().to_owned();
    let (chunks, taken) = shared_chunks(service, render, lease, chunks);
    let film = async {
        let composition = spoken(service, render, lease, composition, control).await?;
        let recipes = stored_recipes(render.output.as_ref(), render.draft, &composition);
        let frames =
            recipes.ok().and_then(|made| Some(made.first()?.frames.len() as u32)).unwrap_or_default();
        let order = order(service, render, composition, chunks)?;
        let order = FilmOrder { also, segments, poster: Some(poster_place), ..order };
        let made = make(&service.media, order, &place, control, ());
        watched(service, lease, arriving, Watched { frames, is_stream }, made).await
    };
    tokio::pin!(film);
    let ended = tokio::select! {
        made = &mut film => {
            if let (Err(_), Some(taken)) = (&made, &taken) {
                give_back(service, &lease.render_id, taken, false).await;
            }
            let saving = conclude(service, render, lease, files, control, made);
            return renewing(service, lease, saving).await;
        }
        ended = watch(service, lease, control, taken.as_ref()) => ended,
    };
    control.stop();
    // Its working files must not be in the way of the next worker.
    let made = timeout(STOP_WITHIN, &mut film).await;
    if let Some(taken) = taken {
        give_back(service, &lease.render_id, &taken, false).await;
    }
    match ended {
        Ended::Stopping => match made {
            // It was done just then.
            Ok(made @ Ok(_)) => {
                renewing(service, lease, conclude(service, render, lease, files, control, made)).await
            }
            _ => {
                tracing::info!(render = lease.render_id, "render released");
                service.store.hand_back(lease).await
            }
        },
        Ended::Lost => Err(StoreError::LostLease { id: lease.render_id.clone() }),
        Ended::Overtime => {
            let minutes = service.settings.render_timeout.as_secs() / 60;
            fail(service, lease, &format!("The render took longer than {minutes} minutes and was ended."))
                .await
        }
    }
}

/// The chunks of a film, and those that this process has taken of it while others help.
fn shared_chunks(
    service: &Service,
    render: &Render,
    lease: &Lease,
    cache: Option<ChunkCache>,
) -> (Option<AccountChunks>, Option<Unfinished>) {
    let Some(cache) = cache else { return (None, None) };
    let board = service.store.is_server().then(|| {
        Board::new(
            service.store.clone(),
            service.media.files.clone(),
            cache.clone(),
            service.queue.clone(),
            Work::Lead(lease.clone()),
        )
    });
    let taken = board.as_ref().map(Board::unfinished);
    let board = board.map(|board| Box::new(board) as Box<dyn ChunkBoard>);
    (Some(AccountChunks { cache, account: render.account_id.clone(), board }), taken)
}

/// How the film of a render is made, without the places of its files.
pub(super) fn order(
    service: &Service,
    render: &Render,
    composition: Composition,
    chunks: Option<AccountChunks>,
) -> Result<FilmOrder, FilmError> {
    let composition = match render.is_test {
        false => composition,
        true => mark(&composition).ok_or_else(|| {
            FilmError::Wrong("A test render takes 499 overlays: its watermark is one too.".to_owned())
        })?,
    };
    Ok(FilmOrder {
        composition,
        output: render.output.clone(),
        draft: render.draft,
        shorter_side: render.is_test.then_some(SHORTER_SIDE),
        audio: render.audio.clone(),
        encode_every_frame: service.settings.encode_every_frame,
        workers: share(service),
        chunks,
        also: Vec::new(),
        segments: None,
        poster: None,
        priority: Priority::Normal,
    })
}

/// The composition with the speech it asks for. From then on the render is PROCESSING, and costs what it costs.
async fn spoken(
    service: &Service,
    render: &Render,
    lease: &Lease,
    mut composition: Composition,
    control: &Control,
) -> Result<Composition, FilmError> {
    let Some(stored_values) = &render.speech else { return Ok(composition) };
    let unreadable = || FilmError::Wrong("What the render asks for can no longer be read.".to_owned());
    let asked = Asked::read(stored_values).ok_or_else(unreadable)?;
    let report = composition.apply_replacements(&asked.values).map_err(|_| unreadable())?;
    check_media(service, &composition, &report.ai, control).await?;
    let mut purse =
        Purse::Render { store: &service.store, lease, render, credits_per_minute: asked.credits_per_minute };
    let making =
        service.speech.fill(&render.account_id, &mut composition, &report.ai, &mut purse, control.token());
    let filled = tokio::select! {
        filled = making => filled?,
        () = control.stopped() => return Err(FilmError::Stopped),
    };
    let recipes = stored_recipes(render.output.as_ref(), render.draft, &composition);
    let recipes =
        recipes.map_err(|refusal| FilmError::Wrong(format!("The file cannot be made: {refusal}.")))?;
    let price = quote(&composition, &recipes, asked.credits_per_minute);
    let revision = Revision {
        input_props: composition.write(),
        duration_in_frames: composition.duration,
        credits: with_ai(&price, filled.charge),
        used: filled.used,
    };
    service.store.revise(lease, &revision).await.map_err(SpeechError::from)?;
    Ok(composition)
}

/// Fetches the rest of the film's media first: speech is not made for a film that cannot be.
async fn check_media(
    service: &Service,
    composition: &Composition,
    ai: &[AiReplacement],
    control: &Control,
) -> Result<(), FilmError> {
    let mut rest = composition.clone();
    rest.overlays.retain(|overlay| {
        let name = overlay.variable_name();
        !ai.iter().any(|ai| Some(&ai.name) == name.as_ref())
    });
    // Texts are set in another font where theirs is missing.
    rest.font_faces.clear();
    let gathered = service.media.gather(&rest, control.token()).await;
    match gathered.problem() {
        _ if control.is_stopped() => Err(FilmError::Stopped),
        Some(_) if gathered.is_storage_away() => Err(FilmError::StorageAway),
        Some((address, reason)) => Err(FilmError::Wrong(format!("{address} cannot be used: {reason}."))),
        None => Ok(()),
    }
}

/// Processors for one render, where several run at a time.
fn share(service: &Service) -> Option<NonZeroUsize> {
    let processors = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let each = processors / service.settings.workers.max(1);
    if service.settings.workers > 1 { NonZeroUsize::new(each.max(1)) } else { None }
}

/// Renews the lease and reports progress until the render must stop.
async fn watch(service: &Service, lease: &Lease, control: &Control, taken: Option<&Unfinished>) -> Ended {
    let deadline = Instant::now() + service.settings.render_timeout;
    let mut renewal = interval(LEASE / 3);
    renewal.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut telling = interval(REPORT);
    telling.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let (mut percent, mut chunks, mut frames) = (0, 0, 0);
    let mut heard = Instant::now();
    loop {
        let written = tokio::select! {
            () = service.queue.stopping.cancelled() => return Ended::Stopping,
            () = control.stopped() => return Ended::Lost,
            () = tokio::time::sleep_until(deadline) => return Ended::Overtime,
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
                if now <= percent {
                    continue;
                }
                percent = now;
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

/// Renews the lease while the result is saved: large files take long to reach a bucket.
async fn renewing<T>(service: &Service, lease: &Lease, saving: impl Future<Output = T>) -> T {
    tokio::pin!(saving);
    loop {
        match timeout(LEASE / 3, &mut saving).await {
            Ok(saved) => return saved,
            // Whoever lost the lease hears of it when the result is saved.
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

/// The files of a film.
struct Made {
    /// How they are made, the first one first, and where they are written.
    recipes: Vec<Recipe>,
    drafts: Vec<Draft>,
    /// Not written for a film that is only heard.
    poster: Draft,
}

impl Made {
    fn new(files: &Files, recipes: Vec<Recipe>) -> Self {
        let drafts = recipes.iter().map(|_| files.draft()).collect();
        Self { recipes, drafts, poster: files.draft() }
    }
}

async fn conclude(
    service: &Service,
    render: &Render,
    lease: &Lease,
    files: Made,
    control: &Control,
    made: Result<Film, FilmError>,
) -> Result<(), StoreError> {
    match made {
        Ok(film) => match complete(service, render, lease, files, &film).await {
            Err(error)
                if error.outage() == Some(Outage::FilesAway)
                    && service.store.now() < render.created_at.plus(DISK_PATIENCE) =>
            {
                tracing::error!(render = lease.render_id, %error, "failed to keep a film; the render waits");
                persist(|| service.store.postpone(lease, RETRY_AFTER)).await
            }
            saved => saved,
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
            match persist(|| service.store.retry(lease, &sentence, RETRY_AFTER)).await? {
                Retry::Again { .. } => {}
                Retry::GivenUp(_) => count_failure(service),
            }
            Ok(())
        }
    }
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
    Film { report, streamed }: &Film,
) -> Result<(), StoreError> {
    if let Some(problem) = &report.cache_problem {
        tracing::warn!(problem, "failed to cache finished chunks");
    }
    if let Some(refusal) = not_kept(service, render, &drafts, *streamed).await? {
        return fail(service, lease, &refusal).await;
    }
    // A crash in between leaves files that the next attempt replaces: they belong to the render once all are kept.
    let sizes = std::iter::once((report.width, report.height)).chain(report.also.iter().copied());
    let mut kept = Vec::with_capacity(drafts.len());
    for (number, ((draft, recipe), size)) in drafts.into_iter().zip(&recipes).zip(sizes).enumerate() {
        let dimensions = (recipe.pixels() > 0).then_some(size);
        let file = output_name(&render.id, number, recipe);
        let size = match recipe.format {
            // Its segments are kept, and its playlist is written when it is asked for.
            Format::Hls => *streamed,
            _ => keep_draft(service, &draft, &file).await?,
        };
        kept.push(NewOutput { url: service.links.file(&file), made: OutputFile { file, size, dimensions } });
    }
    let names: Vec<String> = kept.iter().map(|output| output.made.file.clone()).collect();
    let mut kept = kept.into_iter();
    let Some(main) = kept.next() else {
        return fail(service, lease, "The render made no file.").await;
    };
    let poster = keep_poster(service, render, poster).await;
    let output = Output { main, also: kept.collect(), credits: None, poster };
    match persist(|| service.store.complete(lease, &output)).await {
        Ok(_) => {
            service.metrics.renders_completed.fetch_add(1, Ordering::Relaxed);
            let ms = report.elapsed_ms;
            let (frames, loudness) = (report.frames, report.loudness);
            tracing::info!(render = lease.render_id, frames, loudness, ms, "render completed");
            Ok(())
        }
        Err(error) => {
            // Another worker may have finished the same film under the same name: only a job that failed has no film.
            let failed =
                service.store.render(&render.id).await?.is_none_or(|job| job.status == RenderStatus::Failed);
            if failed {
                let names = names.iter().map(String::as_str);
                service.media.files.remove_outputs(&render.id, names).await?;
                stream::remove(&service.media.files, &service.store, &render.id).await?;
            }
            Err(error)
        }
    }
}

/// `job_….mp4` for the first file, `job_…-2.gif` for the second.
fn output_name(render_id: &str, number: usize, recipe: &Recipe) -> String {
    match number {
        0 => format!("{render_id}.{}", recipe.ending()),
        _ => format!("{render_id}-{}.{}", number + 1, recipe.ending()),
    }
}

/// Gives a finished file its name. Returns its size in bytes.
pub async fn keep_draft(service: &Service, draft: &Draft, file: &str) -> Result<u64, StoreError> {
    let deadline = Instant::now() + FILES_PATIENCE;
    loop {
        match service.media.files.keep(draft, file).await {
            Err(error) if error.outage() == Some(Outage::FilesAway) && Instant::now() < deadline => {
                tracing::warn!(%error, file, "failed to keep a file, trying again");
                sleep(POLL).await;
            }
            kept => return kept,
        }
    }
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

/// Why a finished film is not kept: it is too large, or the account's storage filled up meanwhile. A film of segments has so many
/// bytes, and no file.
async fn not_kept(
    service: &Service,
    render: &Render,
    drafts: &[Draft],
    streamed: u64,
) -> Result<Option<String>, StoreError> {
    let most = service.settings.max_output_bytes;
    for draft in drafts {
        let size = match std::fs::metadata(draft.path()) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => streamed,
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

async fn fail(service: &Service, lease: &Lease, message: &str) -> Result<(), StoreError> {
    let message = &*rondo_store::redact(message);
    persist(|| service.store.fail(lease, message)).await?;
    tracing::info!(render = lease.render_id, message, "render failed");
    count_failure(service);
    Ok(())
}

fn count_failure(service: &Service) {
    service.metrics.renders_failed.fetch_add(1, Ordering::Relaxed);
}
