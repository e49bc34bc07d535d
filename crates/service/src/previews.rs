//! What previews show: single frames, contact sheets and films, drawn when they are first asked for and kept on disk
//! until the preview expires. Anyone may ask, so what can be drawn for one preview, and at one time, is limited.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rondo_composition::Composition;
use rondo_jobs::{Answer, Done, DrawnPicture, Failure, Job, JobError, Look, PicturesJob, Request};
use tokio::sync::{OnceCell, Semaphore};
use tokio::time::{Instant, sleep_until, timeout};
use tokio_util::sync::CancellationToken;

use crate::disk::{full, require_room};
use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::film::{Control, FilmError, FilmOrder, make_of};
use crate::media::{Gathered, Media};
use crate::opened_previews::OpenedPreview;
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
/// Fetches for pictures at a time, those of one account, and how many of an account may wait.
const FETCHES: usize = 16;
const FETCHES_OF_ACCOUNT: usize = 2;
const MOST_WAITING_FETCHES: usize = 8;
/// How long fetched media serve the next pictures of a preview, and how long when some could not be had.
const FETCHED_FOR: Duration = Duration::from_secs(30);
const FAILED_FOR: Duration = Duration::from_secs(10);
/// Media that are kept open for that, over all previews.
const MOST_OPEN: usize = 400;
/// Pictures that are drawn or wait at a time, and those of one account.
const MOST_DRAWN: usize = 512;
const MOST_DRAWN_OF_ACCOUNT: usize = 64;
/// Processor time for drawing them in seconds, and time after which a child process that did not stop by itself is killed.
const DRAWING_CPU: u64 = 60;
const LATE: Duration = Duration::from_secs(5);
/// Largest encoded picture.
const MOST_BYTES: u64 = 100_000_000;
/// Films that are made or wait to be at a time, unless they are the first ones of their accounts, and films of one account, also
/// those whose media are fetched.
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
    /// Pictures that are being drawn, by their names: all who ask for one wait for the same.
    drawn: Mutex<HashMap<String, Drawing>>,
    /// Media of previews that are being fetched, or were a moment ago.
    gathered: Arc<Mutex<HashMap<String, Arc<OnceCell<Fetched>>>>>,
    fetch_turns: Arc<Turns>,
    /// Pictures are drawn one at a time.
    pictures: Arc<Turns>,
    /// So are films.
    film_turns: Arc<Turns>,
    films: Mutex<HashMap<String, Making>>,
}

/// A picture that is being drawn for an account.
#[derive(Debug)]
struct Drawing {
    account: String,
    drawn: Arc<OnceCell<ServiceResult<()>>>,
}

/// The media of a preview, and until when they serve its next pictures.
#[derive(Debug)]
struct Fetched {
    gathered: Arc<Gathered>,
    until: Instant,
}

/// A film that is being made, or was given up.
#[derive(Debug)]
struct Making {
    account: String,
    control: Control,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    /// Its media are fetched, which is slow where their servers are, and takes nothing from others.
    Fetching,
    /// Its turn comes.
    Waiting,
    Rendering,
    Failed {
        at: Instant,
        sentence: String,
    },
}

/// Whether a film of an account may be begun beside those that are under way.
fn may_begin<'a>(films: impl Iterator<Item = &'a Making>, account: &str) -> bool {
    let (mut in_line, mut own) = (0, 0);
    for making in films {
        in_line += usize::from(matches!(making.stage, Stage::Waiting | Stage::Rendering));
        own += usize::from(making.account == account && !matches!(making.stage, Stage::Failed { .. }));
    }
    // Turns are fair to those who have one film in line.
    own == 0 || (own < MOST_FILMS_OF_ACCOUNT && in_line < MOST_FILMS)
}

impl Previews {
    pub fn new(media: Arc<Media>, drawing: Duration, stopping: CancellationToken) -> Self {
        Self {
            media,
            stopping,
            drawing,
            drawn: Mutex::default(),
            gathered: Arc::default(),
            fetch_turns: Turns::shared(FETCHES, FETCHES_OF_ACCOUNT, MOST_WAITING_FETCHES),
            pictures: Turns::new(1, MOST_WAITING),
            film_turns: Turns::new(1, MOST_FILMS_OF_ACCOUNT),
            films: Mutex::default(),
        }
    }

    fn films(&self) -> std::sync::MutexGuard<'_, HashMap<String, Making>> {
        self.films.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The file of a picture, drawn if it is not there yet. The frame must exist.
    pub async fn picture(&self, preview: &OpenedPreview, picture: Picture) -> ServiceResult<PathBuf> {
        let name = match picture {
            Picture::Frame(frame) => format!("{}-{frame}.png", preview.id),
            Picture::Sheet => format!("{}-sheet.png", preview.id),
        };
        let path = self.media.files.preview(&name)?;
        if path.is_file() {
            return Ok(path);
        }
        let drawing = self.place_of(&name, &preview.account_id)?;
        // If whoever began it hangs up, the next one goes on.
        let drawn = drawing.get_or_init(|| self.draw_picture(preview, picture, name, path.clone())).await;
        drawn.clone().map(|()| path)
    }

    /// Where all who ask for a picture wait.
    fn place_of(&self, name: &str, account: &str) -> ServiceResult<Arc<OnceCell<ServiceResult<()>>>> {
        let mut all = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, drawing| Arc::strong_count(&drawing.drawn) > 1);
        if let Some(drawing) = all.get(name) {
            return Ok(drawing.drawn.clone());
        }
        let own = all.values().filter(|drawing| drawing.account == account).count();
        if all.len() >= MOST_DRAWN || own >= MOST_DRAWN_OF_ACCOUNT {
            return Err(busy());
        }
        let drawn = Arc::default();
        all.insert(name.to_owned(), Drawing { account: account.to_owned(), drawn: Arc::clone(&drawn) });
        Ok(drawn)
    }

    async fn draw_picture(
        &self,
        preview: &OpenedPreview,
        picture: Picture,
        name: String,
        path: PathBuf,
    ) -> ServiceResult<()> {
        if path.is_file() || self.fetched(&name).await {
            return Ok(());
        }
        require_room(&self.media.files)?;
        self.require_fewer_pictures(preview, &path).await?;
        let gathered = self.gather_once(preview).await?;
        let seat = self.seat(&self.pictures, &preview.account_id).await?;
        // Others of the preview may have been drawn since.
        self.require_fewer_pictures(preview, &path).await?;
        let (frames, look) = match picture {
            Picture::Frame(frame) => (vec![frame], Look::Whole),
            Picture::Sheet => (Vec::new(), Look::Overview),
        };
        let composition = preview.drawn.clone();
        let written = tokio::task::spawn_blocking(move || composition.write()).await;
        let job = PicturesJob {
            composition: written.map_err(ServiceError::internal)?,
            media: gathered.media_files(),
            frames,
            look,
            leave_out: false,
            seconds: self.drawing.as_secs(),
        };
        let done = self.run(job, &gathered, seat).await?;
        let draft = self.media.files.draft();
        done.take_file(&DrawnPicture::file(0), draft.path()).map_err(ServiceError::internal)?;
        let kept = tokio::task::spawn_blocking(move || draft.keep(&path)).await;
        kept.map_err(ServiceError::internal)??;
        self.share(name);
        Ok(())
    }

    /// Fails when as many pictures of a preview are on disk, beside `path`, as are drawn of one.
    async fn require_fewer_pictures(&self, preview: &OpenedPreview, path: &Path) -> ServiceResult<()> {
        let (id, path) = (preview.id.clone(), path.to_owned());
        let counting = tokio::task::spawn_blocking(move || pictures_of(&path, &id));
        if counting.await.map_err(ServiceError::internal)? < MOST_PICTURES {
            return Ok(());
        }
        let message =
            format!("At most {MOST_PICTURES} pictures are drawn of one preview. Make a new one for more.");
        Err(ServiceError::new(ErrorKind::TooManyRequests, "PREVIEW_PICTURE_LIMIT", message)
            .with("limit", MOST_PICTURES))
    }

    /// The media of a preview, fetched once for all pictures that are drawn of it at about the same time.
    async fn gather_once(&self, preview: &OpenedPreview) -> ServiceResult<Arc<Gathered>> {
        let fetching = {
            let mut fetched = self.gathered.lock().unwrap_or_else(PoisonError::into_inner);
            forget_old(&mut fetched);
            fetched.entry(preview.id.clone()).or_default().clone()
        };
        let gather = || async {
            let gathered = self.gather_in_turn(&preview.account_id, &preview.drawn).await?;
            if gathered.is_disk_full() {
                return Err(full());
            }
            let kept_for = match gathered.problem() {
                None => FETCHED_FOR,
                Some(_) if gathered.is_storage_away() => Duration::ZERO,
                Some(_) => FAILED_FOR,
            };
            let until = Instant::now() + kept_for;
            // Files that are open are not deleted when the cache needs room.
            let all = self.gathered.clone();
            tokio::spawn(async move {
                sleep_until(until).await;
                forget_old(&mut all.lock().unwrap_or_else(PoisonError::into_inner));
            });
            Ok::<_, ServiceError>(Fetched { gathered: Arc::new(gathered), until })
        };
        // Where turns are long, those who wait for the same would ask for a turn one after the other.
        let fetched = timeout(TURN + FETCHING, fetching.get_or_try_init(gather)).await;
        Ok(fetched.map_err(|_| busy())??.gathered.clone())
    }

    /// The media of a film for pictures, fetched when it is the account's turn; what takes too long is missing.
    async fn gather_in_turn(&self, account: &str, composition: &Composition) -> ServiceResult<Gathered> {
        let _turn = self.seat(&self.fetch_turns, account).await?;
        Ok(self.gather_in_time(composition, FETCHING).await)
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
        let gathered = self.gather_in_turn(account, composition).await?;
        if gathered.is_disk_full() {
            return Err(full());
        }
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
    pub async fn film(self: &Arc<Self>, preview: &OpenedPreview) -> ServiceResult<FilmState> {
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
        films.retain(|_, making| match &making.stage {
            Stage::Failed { at, .. } => at.elapsed() < FILM_PAUSE,
            _ => true,
        });
        films.get(id).map(|making| match &making.stage {
            Stage::Failed { sentence, .. } => FilmState::Failed(sentence.clone()),
            Stage::Rendering => FilmState::Rendering(making.control.percent()),
            Stage::Fetching | Stage::Waiting => FilmState::Waiting,
        })
    }

    /// Begins to make a film, unless somebody else has meanwhile, or too many are made.
    fn begin_film(self: &Arc<Self>, preview: &OpenedPreview, path: PathBuf) -> ServiceResult<()> {
        let mut films = self.films();
        if films.contains_key(&preview.id) || !may_begin(films.values(), &preview.account_id) {
            return Ok(());
        }
        require_room(&self.media.files)?;
        let composition = preview.drawn.clone();
        let control = Control::default();
        let (id, account) = (preview.id.clone(), preview.account_id.clone());
        let making = Making { account: account.clone(), control: control.clone(), stage: Stage::Fetching };
        films.insert(id.clone(), making);
        tokio::spawn(self.clone().make_film_in_time((id, account), composition, path, control));
        Ok(())
    }

    fn set_stage(&self, id: &str, stage: Stage) {
        if let Some(making) = self.films().get_mut(id) {
            making.stage = stage;
        }
    }

    async fn make_film_in_time(
        self: Arc<Self>,
        (id, account): (String, String),
        composition: Arc<Composition>,
        path: PathBuf,
        control: Control,
    ) {
        let made = tokio::select! {
            made = timeout(FILM_TIME, self.make_film((&id, &account), composition, path, &control)) => made,
            () = self.stopping.cancelled() => return,
        };
        match made.unwrap_or_else(|_| Err("The film takes too long for a preview.".to_owned())) {
            Ok(()) => {
                self.films().remove(&id);
            }
            Err(sentence) => self.set_stage(&id, Stage::Failed { at: Instant::now(), sentence }),
        }
    }

    async fn make_film(
        &self,
        (id, account): (&str, &str),
        composition: Arc<Composition>,
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
        if gathered.is_storage_away() || gathered.is_disk_full() {
            return Err(TRANSIENT.to_owned());
        }
        self.set_stage(id, Stage::Waiting);
        let seat = self.film_turns.take(account).await.map_err(|_| TRANSIENT.to_owned())?;
        self.set_stage(id, Stage::Rendering);
        let draft = self.media.files.draft();
        let order = FilmOrder {
            composition: Arc::unwrap_or_clone(composition),
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
fn pictures_of(path: &Path, preview_id: &str) -> usize {
    let prefix = format!("{preview_id}-");
    let Some(Ok(entries)) = path.parent().map(std::fs::read_dir) else { return 0 };
    entries.flatten().filter(|entry| entry.file_name().to_string_lossy().starts_with(&prefix)).count()
}

/// Forgets media that no picture waits for, when they are old, and the oldest when too many are open.
fn forget_old(fetched: &mut HashMap<String, Arc<OnceCell<Fetched>>>) {
    let now = Instant::now();
    fetched.retain(|_, fetching| match fetching.get() {
        Some(found) => now < found.until,
        None => Arc::strong_count(fetching) > 1,
    });
    let mut open = fetched.values().filter_map(|it| it.get()).map(|it| it.gathered.count()).sum::<usize>();
    while open > MOST_OPEN {
        let until =
            |(id, fetching): (&String, &Arc<OnceCell<Fetched>>)| Some((fetching.get()?.until, id.clone()));
        let Some((_, oldest)) = fetched.iter().filter_map(until).min() else { return };
        let removed = fetched.remove(&oldest);
        open -= removed.and_then(|it| it.get().map(|it| it.gathered.count())).unwrap_or_default();
    }
}

fn busy() -> ServiceError {
    let message = "Too many previews are being drawn. Try again in a moment.";
    ServiceError::busy(message, 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn making(account: &str, stage: Stage) -> Making {
        Making { account: account.to_owned(), control: Control::default(), stage }
    }

    #[test]
    fn films_whose_media_are_fetched_and_many_of_one_account_block_no_other_account() {
        let mut films = Vec::new();
        for account in ["a", "b", "c", "d"] {
            films.extend((0..MOST_FILMS_OF_ACCOUNT).map(|_| making(account, Stage::Fetching)));
        }
        films.push(making("e", Stage::Fetching));
        assert!(may_begin(films.iter(), "e"), "slow servers of others");
        assert!(!may_begin(films.iter(), "a"), "five are under way");
        films.iter_mut().for_each(|making| making.stage = Stage::Waiting);
        assert!(!may_begin(films.iter(), "e"), "as many wait as may");
        assert!(may_begin(films.iter(), "f"), "its first film");
        let failed = |making: &mut Making| {
            making.stage = Stage::Failed { at: Instant::now(), sentence: String::new() };
        };
        films.iter_mut().for_each(failed);
        assert!(may_begin(films.iter(), "a"));
    }
}
