//! Render workers: each claims the next render under a lease, renders it and saves the result. A worker that lost its
//! lease changes nothing.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use rondo_composition::{AiReplacement, Composition, Limits};
use rondo_jobs::{AccountChunks, ChunkBoard, Priority};
use rondo_render::{ChunkCache, Format};
use rondo_store::{Claimed, Lease, Render, Revision, Signal, StoreError};
use tokio::sync::mpsc::{channel, unbounded_channel};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::helper::{Helper, give_back};
use super::newer::{Understood, understands};
use super::parts::{WAITING, in_parts};
use super::result::{Made, RETRY_AFTER, conclude, fail, output_name, persist};
use super::segments::{Watched, watched};
use super::watch::{Ended, LEASE, renewing, watch};
use crate::chunk_board::{Board, Unfinished, Work};
use crate::film::{Control, FilmError, FilmOrder, FilmSegments, NO_SPACE, TIME_GRACE, make};
use crate::quote::{quote, with_ai};
use crate::resolve::options::stored_recipes;
use crate::service::Service;
use crate::speech::{Asked, Purse, SpeechError};
use crate::watermark::{SHORTER_SIDE, mark};

/// Time between two polls for work without a notification.
pub const POLL: Duration = Duration::from_secs(1);
/// How long a cancelled render may take to stop.
const STOP_WITHIN: Duration = Duration::from_secs(4);

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

async fn render(service: &Service, chunks: Option<ChunkCache>, claimed: Claimed) {
    let Claimed { render, lease, attempt, is_newer } = claimed;
    if is_newer {
        match renewing(service, &lease, understands(service, &render)).await {
            Understood::Yes => {}
            Understood::No => return leave(service, &lease).await,
            Understood::NotKnown => return postpone(service, &lease).await,
        }
    }
    tracing::info!(render = lease.render_id, attempt, "render started");
    service.metrics.renders_running.fetch_add(1, Ordering::Relaxed);
    let control = Control::default();
    let entered = service.queue.enter(&lease.render_id, &control);
    let written = attend(service, chunks, &render, &lease, &control).await;
    drop(entered);
    service.metrics.renders_running.fetch_sub(1, Ordering::Relaxed);
    service.queue.sweep_stream(&lease.render_id);
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

/// Leaves a render to workers of the version that made it.
async fn leave(service: &Service, lease: &Lease) {
    tracing::info!(render = lease.render_id, "render left to workers of a newer version");
    if let Err(error) = persist(|| service.store.leave_to_newer(lease)).await {
        tracing::warn!(render = lease.render_id, %error, "failed to leave a render to others");
    }
    service.queue.wake_workers();
}

/// Lets a render wait that could not be looked at.
async fn postpone(service: &Service, lease: &Lease) {
    if let Err(error) = persist(|| service.store.postpone(lease, RETRY_AFTER)).await {
        tracing::warn!(render = lease.render_id, %error, "failed to postpone a render");
    }
}

/// Renders the film and saves the result.
async fn attend(
    service: &Service,
    chunks: Option<ChunkCache>,
    render: &Render,
    lease: &Lease,
    control: &Control,
) -> Result<(), StoreError> {
    let end = Instant::now() + service.settings.render_timeout;
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
    let (parts, arriving_parts) = channel(WAITING);
    // Other formats have no parts, and the files of others than the first are small.
    let parts = Some(parts).filter(|_| service.media.files.takes_parts());
    let first_file = first.map(|recipe| output_name(&render.id, 0, recipe)).unwrap_or_default();
    let files = Made::new(&service.media.files, recipes);
    let mut places = files.drafts.iter().map(|draft| draft.path().to_owned()).collect::<Vec<_>>().into_iter();
    let place = places.next().unwrap_or_default();
    let also = places.collect();
    let poster_place = files.poster.path().to_owned();
    let (chunks, taken) = shared_chunks(service, render, lease, control, chunks);
    let film = async {
        let composition = spoken(service, render, lease, composition, control).await?;
        let recipes = stored_recipes(render.output.as_ref(), render.draft, &composition);
        let frames =
            recipes.ok().and_then(|made| Some(made.first()?.frames.len() as u32)).unwrap_or_default();
        let order = order(service, render, composition, chunks)?;
        let order = FilmOrder { also, segments, parts, poster: Some(poster_place), end: Some(end), ..order };
        let made = make(&service.media, order, &place, control);
        let made = watched(service, lease, arriving, Watched { frames, is_stream }, made);
        in_parts(service, &first_file, arriving_parts, made).await
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
        // A render that is under way ends before, and says what took long.
        ended = watch(service, lease, control, (end + 2 * TIME_GRACE).into(), taken.as_ref()) => ended,
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
                persist(|| service.store.hand_back(lease)).await
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
    control: &Control,
    cache: Option<ChunkCache>,
) -> (Option<AccountChunks>, Option<Unfinished>) {
    let Some(cache) = cache else { return (None, None) };
    let work = || Work::Lead(lease.clone(), control.clone());
    let board = service.store.is_server().then(|| Board::new(service, cache.clone(), work()));
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
        parts: None,
        poster: None,
        end: None,
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
        Some(_) if gathered.is_disk_full() => {
            Err(FilmError::Transient(format!("Failed to store the media of the film: {NO_SPACE}.")))
        }
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
