//! What previews show: single frames, contact sheets and films, drawn when they are first asked for and kept on disk
//! until the preview expires. Anyone may ask, so what can be drawn for one preview, and at one time, is limited.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rondo_composition::Composition;
use rondo_jobs::{Answer, Done, DrawnPicture, Failure, Job, JobError, Look, PicturesJob, Request};
use rondo_store::Preview;
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

use crate::disk::require_room;
use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::film::{Control, FilmError, FilmOrder, make_of};
use crate::media::{Gathered, Media};
use crate::resolve::stored;
use crate::turns::{Seat, Turns};

/// Previews copied to the bucket at a time.
static SHARING: Semaphore = Semaphore::const_new(3);
/// How long a preview of another process may take to arrive.
const SHARED: Duration = Duration::from_secs(3);
/// Pictures drawn for one preview.
const MOST_PICTURES: usize = 120;
/// Requests of an account that may wait for pictures.
const MOST_WAITING: usize = 8;
/// How long an asker waits for its turn.
const TURN: Duration = Duration::from_secs(30);
/// Longest time for fetching the media of pictures.
const FETCHING: Duration = Duration::from_secs(20);
/// Processor time for drawing them in seconds, and time after which a child process that did not stop by itself is killed.
const DRAWING_CPU: u64 = 60;
const LATE: Duration = Duration::from_secs(5);
/// Largest encoded picture.
const MOST_BYTES: u64 = 100_000_000;
/// Films made or waiting at a time, and those of one account.
const MOST_FILMS: usize = 20;
const MOST_FILMS_OF_ACCOUNT: usize = 5;
/// Most pixels of the shorter side of a preview film.
const FILM_PIXELS: u32 = 720;
/// Longest time for fetching the media of a preview film.
const FILM_FETCHING: Duration = Duration::from_secs(300);
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
    stopping: CancellationToken,
    /// Longest time for drawing pictures.
    drawing: Duration,
    /// Pictures are drawn one at a time.
    pictures: Arc<Turns>,
    /// So are films.
    film_turns: Arc<Turns>,
    films: Mutex<HashMap<String, Making>>,
}

/// A film that is being made, or was given up.
#[derive(Debug)]
struct Making {
    account: String,
    control: Control,
    started: bool,
    failed: Option<(Instant, String)>,
}

impl Previews {
    pub fn new(media: Arc<Media>, drawing: Duration, stopping: CancellationToken) -> Self {
        Self {
            media,
            stopping,
            drawing,
            pictures: Turns::new(1, MOST_WAITING),
            film_turns: Turns::new(1, MOST_FILMS_OF_ACCOUNT),
            films: Mutex::default(),
        }
    }

    fn films(&self) -> std::sync::MutexGuard<'_, HashMap<String, Making>> {
        self.films.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The file of a picture, drawn if it is not there yet. The frame must exist.
    pub async fn picture(&self, preview: &Preview, picture: Picture) -> ServiceResult<PathBuf> {
        let name = match picture {
            Picture::Frame(frame) => format!("{}-{frame}.png", preview.id),
            Picture::Sheet => format!("{}-sheet.png", preview.id),
        };
        let path = self.media.files.preview(&name)?;
        if path.is_file() || self.fetched(&name).await {
            return Ok(path);
        }
        require_room(&self.media.files)?;
        let composition = stored(&preview.composition_to_draw())?;
        let gathered = self.gather_in_time(&composition, FETCHING).await;
        let seat = self.seat(&self.pictures, &preview.account_id).await?;
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
        let (frames, look) = match picture {
            Picture::Frame(frame) => (vec![frame], Look::Whole),
            Picture::Sheet => (Vec::new(), Look::Overview),
        };
        let job = PicturesJob {
            composition: composition.write(),
            media: gathered.media_files(),
            frames,
            look,
            leave_out: false,
            seconds: self.drawing.as_secs(),
        };
        let done = self.run(job, &gathered, seat).await?;
        let draft = self.media.files.draft();
        done.take_file(&DrawnPicture::file(0), draft.path()).map_err(ServiceError::internal)?;
        let place = path.clone();
        let kept = tokio::task::spawn_blocking(move || draft.keep(&place)).await;
        kept.map_err(ServiceError::internal)??;
        self.share(name);
        Ok(path)
    }

    /// Whether another process has drawn a preview, which is brought to this machine then. Otherwise this one draws it.
    async fn fetched(&self, name: &str) -> bool {
        timeout(SHARED, self.media.files.fetch_preview(name)).await.is_ok_and(|found| found.unwrap_or(false))
    }

    /// Copies a preview to where the other processes find it. They draw it themselves if that fails.
    fn share(&self, name: String) {
        let files = self.media.files.clone();
        let Ok(turn) = SHARING.try_acquire() else { return };
        tokio::spawn(async move {
            let _turn = turn;
            if let Err(error) = files.share_preview(&name).await {
                tracing::warn!(%error, name, "failed to share a preview");
            }
        });
    }

    /// Waits for a seat, for a while.
    async fn seat(&self, turns: &Arc<Turns>, account: &str) -> ServiceResult<Seat> {
        let seat = timeout(TURN, turns.take(account)).await;
        seat.map_err(|_| busy())?.map_err(|_| busy())
    }

    /// Draws pictures. The seat belongs to the child process: it is free when the process has ended.
    async fn run(&self, job: PicturesJob, gathered: &Gathered, seat: Seat) -> ServiceResult<Done> {
        let isolation = &self.media.isolation;
        let request = Request {
            files: gathered.open_files(),
            job: Job::Pictures(Box::new(job)),
            limits: isolation.limits(DRAWING_CPU),
            chunks: None,
        };
        let drawing = timeout(self.drawing + LATE, isolation.run(request, |_| {}, seat)).await;
        match drawing.unwrap_or(Err(JobError::OverTime)) {
            Ok(done) => Ok(done),
            Err(JobError::OverTime | JobError::Failed(Failure::TooSlow)) => Err(ServiceError::unprocessable(
                "DRAWING_TOO_SLOW",
                format!("Drawing took longer than {} s. Ask for fewer frames.", self.drawing.as_secs()),
            )),
            Err(JobError::Failed(Failure::Media(problems))) => {
                let reasons: Vec<&str> = problems.iter().map(|(_, reason)| reason.as_str()).collect();
                Err(not_drawn(&gathered.with_addresses(reasons.join("\n"))))
            }
            Err(JobError::Failed(Failure::Input(message))) => {
                Err(not_drawn(&gathered.with_addresses(message)))
            }
            Err(JobError::Failed(Failure::OutOfMemory) | JobError::FileTooLarge) => {
                let limit = isolation.memory / 1_000_000;
                Err(not_drawn(&format!("It needs more memory than the limit of {limit} MB.")))
            }
            Err(JobError::Crashed(how)) => {
                tracing::error!(how, "a preview process exited unexpectedly");
                Err(not_drawn("The renderer crashed on this composition. Please report it."))
            }
            Err(JobError::Failed(Failure::Panic(message))) => {
                tracing::error!(message, "a preview panicked");
                Err(not_drawn("The renderer crashed on this composition. Please report it."))
            }
            Err(error) => Err(ServiceError::internal(error)),
        }
    }

    /// Draws pictures of a film without storing them. Overlays whose media cannot be used are left out rather than stopping
    /// everything.
    pub async fn draw(
        &self,
        account: &str,
        composition: &Composition,
        frames: Vec<u32>,
        look: Look,
    ) -> ServiceResult<Drawn> {
        let gathered = self.gather_in_time(composition, FETCHING).await;
        let seat = self.seat(&self.pictures, account).await?;
        let job = PicturesJob {
            composition: composition.write(),
            media: gathered.media_files(),
            frames,
            look,
            leave_out: true,
            seconds: self.drawing.as_secs(),
        };
        let done = self.run(job, &gathered, seat).await?;
        let Answer::Pictures { pictures, left_out } = &done.answer else {
            return Err(not_drawn("It failed."));
        };
        let mut drawn = Vec::with_capacity(pictures.len());
        for (number, picture) in pictures.iter().enumerate() {
            let bytes =
                done.read_file(&DrawnPicture::file(number), MOST_BYTES).map_err(ServiceError::internal)?;
            drawn.push((picture.clone(), bytes));
        }
        let reason =
            |(path, reason): &(String, String)| (path.clone(), gathered.with_addresses(reason.clone()));
        Ok(Drawn { pictures: drawn, left_out: left_out.iter().map(reason).collect() })
    }

    /// The media of a film; what takes too long is missing.
    async fn gather_in_time(&self, composition: &Composition, time: Duration) -> Gathered {
        let stop = self.stopping.child_token();
        let fetching = self.media.gather(composition, &stop);
        tokio::pin!(fetching);
        tokio::select! {
            gathered = &mut fetching => gathered,
            () = tokio::time::sleep(time) => {
                stop.cancel();
                fetching.await
            }
        }
    }

    /// How far a preview's film is; the first to ask has it made, unless another process has made it.
    pub async fn film(self: &Arc<Self>, preview: &Preview) -> ServiceResult<FilmState> {
        let name = format!("{}.mp4", preview.id);
        let path = self.media.files.preview(&name)?;
        if path.is_file() {
            return Ok(FilmState::Ready(path));
        }
        if let Some(state) = self.film_under_way(&preview.id) {
            return Ok(state);
        }
        // Or this one, while it asked.
        if self.fetched(&name).await || path.is_file() {
            return Ok(FilmState::Ready(path));
        }
        self.begin_film(preview, path)?;
        Ok(FilmState::Waiting)
    }

    /// How far a film is that this process makes, or failed to make a moment ago.
    fn film_under_way(&self, id: &str) -> Option<FilmState> {
        let mut films = self.films();
        films.retain(|_, making| making.failed.as_ref().is_none_or(|(at, _)| at.elapsed() < FILM_PAUSE));
        films.get(id).map(|making| match &making.failed {
            Some((_, sentence)) => FilmState::Failed(sentence.clone()),
            None if making.started => FilmState::Rendering(making.control.percent()),
            None => FilmState::Waiting,
        })
    }

    /// Begins to make a film, unless somebody else has meanwhile, or too many are made.
    fn begin_film(self: &Arc<Self>, preview: &Preview, path: PathBuf) -> ServiceResult<()> {
        let mut films = self.films();
        let under_way = |making: &&Making| making.failed.is_none();
        let own = |making: &&Making| making.account == preview.account_id;
        if films.contains_key(&preview.id)
            || films.values().filter(under_way).count() >= MOST_FILMS
            || films.values().filter(under_way).filter(own).count() >= MOST_FILMS_OF_ACCOUNT
        {
            return Ok(());
        }
        require_room(&self.media.files)?;
        let composition = stored(&preview.composition_to_draw())?;
        let control = Control::default();
        let (id, account) = (preview.id.clone(), preview.account_id.clone());
        let making =
            Making { account: account.clone(), control: control.clone(), started: false, failed: None };
        films.insert(id.clone(), making);
        tokio::spawn(self.clone().make_film_in_time((id, account), composition, path, control));
        Ok(())
    }

    async fn make_film_in_time(
        self: Arc<Self>,
        (id, account): (String, String),
        composition: Composition,
        path: PathBuf,
        control: Control,
    ) {
        let made = tokio::select! {
            made = timeout(FILM_TIME, self.make_film((&id, &account), composition, path, &control)) => made,
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
        (id, account): (&str, &str),
        composition: Composition,
        path: PathBuf,
        control: &Control,
    ) -> Result<(), String> {
        const TRANSIENT: &str = "Something went wrong on our side. Try again later.";
        let failed = |error: &dyn std::fmt::Display| {
            tracing::error!(preview = id, %error, "a preview film could not be made");
            TRANSIENT.to_owned()
        };
        // Slow servers of media hold up nobody else's films.
        let gathered = self.gather_in_time(&composition, FILM_FETCHING).await;
        if gathered.is_storage_away() {
            return Err(TRANSIENT.to_owned());
        }
        let seat = self.film_turns.take(account).await.map_err(|_| TRANSIENT.to_owned())?;
        if let Some(making) = self.films().get_mut(id) {
            making.started = true;
        }
        let draft = self.media.files.draft();
        let order = FilmOrder {
            composition,
            draft: true,
            shorter_side: Some(FILM_PIXELS),
            workers: NonZeroUsize::new(1),
            ..FilmOrder::default()
        };
        match make_of(&self.media, order, &gathered, draft.path(), control, seat).await {
            Ok(_) => {}
            Err(FilmError::Wrong(sentence) | FilmError::Crashed(sentence)) => return Err(sentence),
            Err(error) => return Err(failed(&error)),
        }
        let kept =
            tokio::task::spawn_blocking(move || draft.keep(&path)).await.map_err(|error| failed(&error))?;
        kept.map_err(|error| failed(&error))?;
        self.share(format!("{id}.mp4"));
        Ok(())
    }
}

/// What was drawn of a film, and what could not be.
pub struct Drawn {
    /// The pictures, encoded.
    pub pictures: Vec<(DrawnPicture, Vec<u8>)>,
    /// Overlays whose media cannot be used: their paths, and why.
    pub left_out: Vec<(String, String)>,
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
