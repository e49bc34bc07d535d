//! What previews show: single frames, contact sheets and films, drawn when they are first asked for and kept on disk
//! until the preview expires. Anyone may ask, so what can be drawn for one preview, and at one time, is limited.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rondo_composition::Composition;
use rondo_render::{
    Film, MediaProblem, Quality, RenderError, RenderOptions, Scale, Wanted, sheet, write_png,
};
use rondo_store::Preview;
use rondo_text::Catalog;
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::film::{Control, FilmError, make, overlay_at};
use crate::media::{Gathered, Media};
use crate::resolve::stored;

/// Pictures drawn for one preview.
const MOST_PICTURES: usize = 120;
/// Askers that may wait for pictures of one preview, or of one account.
const MOST_WAITING: usize = 8;
/// How long an asker waits for its turn.
const TURN: Duration = Duration::from_secs(30);
/// Longest time for pictures that are not kept: for fetching their media, and for drawing them.
const FETCHING: Duration = Duration::from_secs(20);
const DRAWING: Duration = Duration::from_secs(20);
/// Films made or waiting at a time.
const MOST_FILMS: usize = 20;
/// Most pixels of the shorter side of a preview film.
const FILM_PIXELS: u32 = 720;
/// A preview film that takes longer is given up.
const FILM_TIME: Duration = Duration::from_secs(1800);
/// How long it is not tried again after it failed.
const FILM_PAUSE: Duration = Duration::from_secs(600);

/// A picture of a preview.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Picture {
    Frame(u32),
    Sheet,
}

/// How far the film of a preview is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FilmState {
    Waiting,
    /// With its percentage.
    Rendering(u32),
    Ready(PathBuf),
    Failed(String),
}

/// Draws previews.
pub struct Previews {
    media: Arc<Media>,
    fonts: Arc<Catalog>,
    stopping: CancellationToken,
    /// Pictures are drawn one at a time.
    picture_slot: Arc<Semaphore>,
    /// So are films.
    film_slot: Semaphore,
    waiting: Mutex<HashMap<String, usize>>,
    films: Mutex<HashMap<String, Making>>,
}

/// A film that is being made, or was given up.
#[derive(Debug)]
struct Making {
    control: Control,
    started: bool,
    failed: Option<(Instant, String)>,
}

impl Previews {
    pub fn new(media: Arc<Media>, fonts: Arc<Catalog>, stopping: CancellationToken) -> Self {
        Self {
            media,
            fonts,
            stopping,
            picture_slot: Arc::new(Semaphore::new(1)),
            film_slot: Semaphore::new(1),
            waiting: Mutex::default(),
            films: Mutex::default(),
        }
    }

    fn films(&self) -> std::sync::MutexGuard<'_, HashMap<String, Making>> {
        self.films.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a place in the queue for the pictures of a preview, or of an account, if there is one.
    fn queue(&self, asker: &str) -> Option<Place<'_>> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let count = waiting.entry(asker.to_owned()).or_default();
        (*count < MOST_WAITING).then(|| {
            *count += 1;
            Place { previews: self, asker: asker.to_owned() }
        })
    }

    /// The file of a picture, drawn if it is not there yet. The frame must exist.
    pub async fn picture(&self, preview: &Preview, picture: Picture) -> ServiceResult<PathBuf> {
        let name = match picture {
            Picture::Frame(frame) => format!("{}-{frame}.png", preview.id),
            Picture::Sheet => format!("{}-sheet.png", preview.id),
        };
        let path = self.media.files.preview(&name)?;
        if path.is_file() {
            return Ok(path);
        }
        let _place = self.queue(&preview.id).ok_or_else(busy)?;
        let turn = timeout(TURN, self.picture_slot.acquire()).await;
        let _turn = turn.map_err(|_| busy())?.map_err(ServiceError::internal)?;
        if path.is_file() {
            return Ok(path);
        }
        if pictures_of(&path, &preview.id) >= MOST_PICTURES {
            let message = format!(
                "At most {MOST_PICTURES} pictures are drawn of one preview. Make a new one for more."
            );
            return Err(ServiceError::new(ErrorKind::TooManyRequests, "PREVIEW_PICTURE_LIMIT", message)
                .with("limit", MOST_PICTURES));
        }
        let composition = stored(&preview.composition_to_draw())?;
        let gathered = self.media.gather(&composition, &self.stopping).await;
        let (fonts, draft, place) = (self.fonts.clone(), self.media.files.draft(), path.clone());
        let drawn = tokio::task::spawn_blocking(move || {
            let mut film = Film::open(composition, &gathered, fonts);
            let drawn = match picture {
                Picture::Frame(frame) => film
                    .still(frame)
                    .and_then(|still| write_png(draft.path(), still.width, still.height, still.pixels)),
                Picture::Sheet => sheet(&mut film)
                    .and_then(|sheet| write_png(draft.path(), sheet.width, sheet.height, &sheet.pixels)),
            };
            match drawn {
                Ok(()) => draft.keep(&place).map(|_| ()).map_err(ServiceError::from),
                Err(error @ (RenderError::Unwritable { .. } | RenderError::Cache { .. })) => {
                    Err(ServiceError::internal(error))
                }
                Err(error) => Err(not_drawn(&gathered.with_addresses(error.to_string()))),
            }
        });
        drawn.await.map_err(ServiceError::internal)??;
        Ok(path)
    }

    /// Draws pictures of a film without storing them. Overlays whose media cannot be used are left out rather than stopping
    /// everything. `paint` is passed a function that says whether there is time left.
    pub async fn draw<T: Send + 'static>(
        &self,
        account: &str,
        mut composition: Composition,
        paint: impl Fn(&mut Film, &dyn Fn() -> bool) -> Result<T, RenderError> + Send + 'static,
    ) -> ServiceResult<Drawn<T>> {
        let _place = self.queue(account).ok_or_else(busy)?;
        let gathered = self.gather_in_time(&composition).await;
        let turn = timeout(TURN, self.picture_slot.clone().acquire_owned()).await;
        let turn = turn.map_err(|_| busy())?.map_err(ServiceError::internal)?;
        let fonts = self.fonts.clone();
        let drawn = tokio::task::spawn_blocking(move || {
            // Held by the work itself, which continues when the caller stops waiting.
            let _turn = turn;
            let end = Instant::now() + DRAWING;
            let mut left_out: Vec<(String, String)> = Vec::new();
            // Where the overlays that are left stood at first.
            let mut places: Vec<usize> = (0..composition.overlays.len()).collect();
            loop {
                let mut film = Film::open(composition.clone(), &gathered, fonts.clone());
                match paint(&mut film, &|| Instant::now() < end) {
                    Ok(drawn) => {
                        left_out.sort_by_key(|(path, _)| overlay_at(path));
                        return Ok(Drawn { drawn, left_out });
                    }
                    // Some damage shows only when it is painted, so the rest is painted anew.
                    Err(RenderError::Media(_)) => {
                        film.try_pictures();
                        for problem in film.problems() {
                            let path = path_at_first(&problem.path, &places);
                            left_out.push((path, gathered.with_addresses(problem.reason.clone())));
                        }
                        if !leave_out(&mut composition, &mut places, film.problems()) {
                            return Err(not_drawn("Its media cannot be used."));
                        }
                    }
                    Err(RenderError::Cancelled) => {
                        return Err(ServiceError::unprocessable(
                            "DRAWING_TOO_SLOW",
                            format!(
                                "Drawing took longer than {} s. Ask for fewer frames.",
                                DRAWING.as_secs()
                            ),
                        ));
                    }
                    Err(error) => return Err(not_drawn(&gathered.with_addresses(error.to_string()))),
                }
            }
        });
        drawn.await.map_err(ServiceError::internal)?
    }

    /// The media of a film; what takes too long is missing.
    async fn gather_in_time(&self, composition: &Composition) -> Gathered {
        let stop = self.stopping.child_token();
        let fetching = self.media.gather(composition, &stop);
        tokio::pin!(fetching);
        tokio::select! {
            gathered = &mut fetching => gathered,
            () = tokio::time::sleep(FETCHING) => {
                stop.cancel();
                fetching.await
            }
        }
    }

    /// How far a preview's film is; the first to ask has it made.
    pub fn film(self: &Arc<Self>, preview: &Preview) -> ServiceResult<FilmState> {
        let path = self.media.files.preview(&format!("{}.mp4", preview.id))?;
        if path.is_file() {
            return Ok(FilmState::Ready(path));
        }
        let mut films = self.films();
        films.retain(|_, making| making.failed.as_ref().is_none_or(|(at, _)| at.elapsed() < FILM_PAUSE));
        if let Some(making) = films.get(&preview.id) {
            return Ok(match &making.failed {
                Some((_, sentence)) => FilmState::Failed(sentence.clone()),
                None if making.started => FilmState::Rendering(making.control.percent()),
                None => FilmState::Waiting,
            });
        }
        if films.values().filter(|making| making.failed.is_none()).count() < MOST_FILMS {
            let composition = stored(&preview.composition_to_draw())?;
            let control = Control::default();
            films.insert(
                preview.id.clone(),
                Making { control: control.clone(), started: false, failed: None },
            );
            tokio::spawn(self.clone().make_film_in_time(preview.id.clone(), composition, path, control));
        }
        Ok(FilmState::Waiting)
    }

    async fn make_film_in_time(
        self: Arc<Self>,
        id: String,
        composition: Composition,
        path: PathBuf,
        control: Control,
    ) {
        let made = tokio::select! {
            made = timeout(FILM_TIME, self.make_film(&id, composition, path, &control)) => made,
            () = self.stopping.cancelled() => return,
        };
        let mut films = self.films();
        match made.unwrap_or_else(|_| Err("The film takes too long for a preview.".to_owned())) {
            Ok(()) => {
                films.remove(&id);
            }
            Err(sentence) => {
                if let Some(making) = films.get_mut(&id) {
                    making.failed = Some((Instant::now(), sentence));
                }
            }
        }
    }

    async fn make_film(
        &self,
        id: &str,
        composition: Composition,
        path: PathBuf,
        control: &Control,
    ) -> Result<(), String> {
        const TRANSIENT: &str = "Something went wrong on our side. Try again later.";
        let failed = |error: &dyn std::fmt::Display| {
            tracing::error!(preview = id, %error, "a preview film could not be made");
            TRANSIENT.to_owned()
        };
        let _turn = self.film_slot.acquire().await.map_err(|error| failed(&error))?;
        if let Some(making) = self.films().get_mut(id) {
            making.started = true;
        }
        let draft = self.media.files.draft();
        let options = RenderOptions {
            wanted: Wanted {
                quality: Quality::Draft,
                scale: Scale::ShorterSide(FILM_PIXELS),
                ..Wanted::default()
            },
            workers: NonZeroUsize::new(1),
            ..RenderOptions::default()
        };
        match make(&self.media, self.fonts.clone(), composition, options, draft.path(), control).await {
            Ok(_) => {}
            Err(FilmError::Wrong(sentence)) => return Err(sentence),
            Err(error) => return Err(failed(&error)),
        }
        let kept =
            tokio::task::spawn_blocking(move || draft.keep(&path)).await.map_err(|error| failed(&error))?;
        kept.map(|_| ()).map_err(|error| failed(&error))
    }
}

/// What was drawn of a film, and what could not be.
pub struct Drawn<T> {
    pub drawn: T,
    /// Overlays whose media cannot be used: their paths, and why.
    pub left_out: Vec<(String, String)>,
}

struct Place<'a> {
    previews: &'a Previews,
    asker: String,
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let mut waiting = self.previews.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = waiting.get_mut(&self.asker) {
            *count -= 1;
            if *count == 0 {
                waiting.remove(&self.asker);
            }
        }
    }
}

/// The path that a field had before overlays were left out.
fn path_at_first(path: &str, places: &[usize]) -> String {
    match overlay_at(path).and_then(|index| Some((index, places.get(index)?))) {
        Some((index, place)) => path.replacen(&index.to_string(), &place.to_string(), 1),
        None => path.to_owned(),
    }
}

/// Takes the overlays out whose media cannot be used; `false` when there are none.
fn leave_out(composition: &mut Composition, places: &mut Vec<usize>, problems: &[MediaProblem]) -> bool {
    let missing: Vec<usize> = problems.iter().filter_map(|problem| overlay_at(&problem.path)).collect();
    let stays = |index: Option<usize>| index.is_none_or(|index| !missing.contains(&index));
    let (mut overlay, mut place) = (0.., 0..);
    composition.overlays.retain(|_| stays(overlay.next()));
    places.retain(|_| stays(place.next()));
    !missing.is_empty()
}

fn not_drawn(sentence: &str) -> ServiceError {
    ServiceError::unprocessable("PREVIEW_NOT_DRAWN", format!("The preview cannot be drawn: {sentence}"))
}

/// Pictures on disk beside `path` that belong to a preview.
fn pictures_of(path: &std::path::Path, preview_id: &str) -> usize {
    let prefix = format!("{preview_id}-");
    let Some(Ok(entries)) = path.parent().map(std::fs::read_dir) else { return 0 };
    entries.flatten().filter(|entry| entry.file_name().to_string_lossy().starts_with(&prefix)).count()
}

fn busy() -> ServiceError {
    let message = "Too many previews are being drawn. Try again in a moment.";
    ServiceError::new(ErrorKind::Unavailable, "BUSY", message).retry_after(3)
}
