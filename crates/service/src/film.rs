//! Renders a composition to a file: fetches its media, then paints and encodes in a child process.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use rondo_composition::{Composition, overlay_at};
use rondo_jobs::{
    AccountChunks, Answer, Done, Failure, Job, JobError, JobProgress, Limits, PartError, PartReceiver,
    Priority, Receivers, RenderJob, RenderReport, Request, SegmentLimits,
};
use rondo_render::Part;
use rondo_store::{Outage, StoreError};
use serde_json::Value;
use tokio::sync::Notify;
use tokio::sync::mpsc::{Sender, UnboundedSender};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

pub use crate::disk::NO_SPACE;
use crate::isolation::Isolation;
use crate::media::{Gathered, Media};
use crate::speech::SpeechError;
use crate::stream::{Arrived, receiver};

/// Processor time beyond the budget after which a child is killed that did not stop by itself, in seconds.
const CPU_GRACE: u64 = 10;
/// The same for time.
pub const TIME_GRACE: Duration = Duration::from_secs(10);

/// Progress of a render, and the switch to cancel it. Clones share both.
#[derive(Debug, Clone, Default)]
pub struct Control {
    inner: Arc<Inner>,
    stop: CancellationToken,
}

#[derive(Debug, Default)]
struct Inner {
    frames: AtomicU32,
    total: AtomicU32,
    chunks: AtomicU32,
    /// Notified when a chunk is finished.
    chunk_bell: Notify,
    /// Another process has finished a chunk of the film.
    is_helped: AtomicBool,
    /// Notified when chunks of other processes are to be looked for.
    arrivals_bell: Notify,
}

impl Control {
    pub fn stop(&self) {
        self.stop.cancel();
    }

    pub fn is_stopped(&self) -> bool {
        self.stop.is_cancelled()
    }

    /// Cancelled when it is to end.
    pub fn token(&self) -> &CancellationToken {
        &self.stop
    }

    pub async fn stopped(&self) {
        self.stop.cancelled().await;
    }

    /// 0 to 99: the last step is for the finished file.
    pub fn percent(&self) -> u32 {
        let total = u64::from(self.inner.total.load(Ordering::Relaxed).max(1));
        let done = u64::from(self.inner.frames.load(Ordering::Relaxed));
        (done * 100 / total).min(99) as u32
    }

    pub fn frames(&self) -> u32 {
        self.inner.frames.load(Ordering::Relaxed)
    }

    /// Waits until another chunk is finished.
    pub async fn chunk_finished(&self) {
        self.inner.chunk_bell.notified().await;
    }

    /// Another process has finished a chunk.
    pub fn hear_of_chunk(&self) {
        self.inner.is_helped.store(true, Ordering::Relaxed);
        self.look_for_chunks();
    }

    /// Whether other processes finish chunks of the film.
    pub fn is_helped(&self) -> bool {
        self.inner.is_helped.load(Ordering::Relaxed)
    }

    /// Others may have finished chunks that this process needs.
    pub fn look_for_chunks(&self) {
        self.inner.arrivals_bell.notify_one();
    }

    /// Waits until others may have finished chunks.
    pub async fn chunks_elsewhere(&self) {
        self.inner.arrivals_bell.notified().await;
    }

    /// Chunks finished by this render.
    pub fn chunks(&self) -> u32 {
        self.inner.chunks.load(Ordering::Relaxed)
    }
}

/// Why a render failed.
#[derive(Debug, thiserror::Error)]
pub enum FilmError {
    /// It was stopped.
    #[error("The render was stopped.")]
    Stopped,
    /// A retry would fail the same way. A sentence for the user.
    #[error("{0}")]
    Wrong(String),
    /// Its process died. A retry may end the same way. A sentence for the user.
    #[error("{0}")]
    Crashed(String),
    /// Files of the service cannot be read for now.
    #[error("The storage of files did not answer.")]
    StorageAway,
    /// A fault of the machine, such as a full disk. A retry may succeed.
    #[error("{0}")]
    Transient(String),
    /// Its process could not be started, or ended with the fork server. The film has no part in it.
    #[error("{0}")]
    NoProcess(String),
}

impl FilmError {
    /// Whether the disk was full. FFmpeg and other processes report it as text only.
    pub fn is_disk_full(&self) -> bool {
        match self {
            Self::Stopped | Self::StorageAway => false,
            Self::Wrong(sentence)
            | Self::Crashed(sentence)
            | Self::Transient(sentence)
            | Self::NoProcess(sentence) => sentence.contains(NO_SPACE),
        }
    }
}

impl From<SpeechError> for FilmError {
    fn from(error: SpeechError) -> Self {
        match error {
            SpeechError::Wrong { message, .. } => Self::Wrong(message),
            SpeechError::Transient(message) => Self::Transient(message),
            SpeechError::Store(StoreError::LostLease { .. }) => Self::Stopped,
            SpeechError::Store(StoreError::InsufficientCredits { needed, available }) => {
                Self::Wrong(format!(
                    "Insufficient credits: with its speech the film costs {needed} more, and {available} are available."
                ))
            }
            SpeechError::Store(error) if error.outage() == Some(Outage::FilesAway) => Self::StorageAway,
            SpeechError::Store(error) => {
                tracing::error!(%error, "failed to store speech");
                Self::Transient(match error.outage() {
                    Some(Outage::DiskFull) => format!("Failed to store the speech of the film: {NO_SPACE}."),
                    _ => "Failed to store the speech of the film.".to_owned(),
                })
            }
        }
    }
}

/// A film to be made.
#[derive(Debug, Default)]
pub struct FilmOrder {
    pub composition: Composition,
    /// The `output` of the request.
    pub output: Option<Value>,
    pub draft: bool,
    /// Most pixels of the shorter side.
    pub shorter_side: Option<u32>,
    /// How the sound is finished.
    pub audio: Option<Value>,
    pub encode_every_frame: bool,
    /// Chunks rendered in parallel.
    pub workers: Option<NonZeroUsize>,
    pub chunks: Option<AccountChunks>,
    /// Where the files of `output.also` go.
    pub also: Vec<PathBuf>,
    /// Where the segments of the first file go, as they are finished.
    pub segments: Option<FilmSegments>,
    /// Where the first file goes in parts, if it is large.
    pub parts: Option<Sender<ArrivedPart>>,
    /// Where the poster goes, if one is drawn.
    pub poster: Option<PathBuf>,
    /// When it must be finished, whatever its budget.
    pub end: Option<Instant>,
    pub priority: Priority,
}

/// What a render process hands over of a large film: its second part and so on, and the first one at the end.
pub type ArrivedPart = Result<Part, PartError>;

/// The segments of a film.
#[derive(Debug)]
pub struct FilmSegments {
    pub to: UnboundedSender<Arrived>,
    /// Whether the film consists of them, so that there is no other file.
    pub are_film: bool,
}

/// Renders a film to the file `to`, and to those that the order names, in a child process that ends when the future is
/// dropped.
pub async fn make(
    media: &Media,
    order: FilmOrder,
    to: &Path,
    control: &Control,
) -> Result<RenderReport, FilmError> {
    let gathered = gather(media, &order, control).await?;
    make_of(media, order, &gathered, to, control, ()).await
}

/// [`make`] with media that were fetched before. `held` is kept until the child process has ended.
pub async fn make_of(
    media: &Media,
    mut order: FilmOrder,
    gathered: &Gathered,
    to: &Path,
    control: &Control,
    held: impl Send + 'static,
) -> Result<RenderReport, FilmError> {
    let isolation = &media.isolation;
    let budget = Budget::of(&order, isolation);
    if budget.time.is_zero() {
        let message = "The media and the speech of the render took all of its time. Use smaller media or less text to speak.";
        return Err(FilmError::Wrong(message.to_owned()));
    }
    let request = request(isolation, &mut order, gathered, budget, Job::Render);
    let inner = control.inner.clone();
    let progress = move |progress: JobProgress| {
        inner.total.store(progress.total, Ordering::Relaxed);
        inner.frames.store(progress.frame, Ordering::Relaxed);
        let rendered = progress.chunks.rendered;
        if inner.chunks.swap(rendered, Ordering::Relaxed) != rendered {
            inner.chunk_bell.notify_one();
        }
    };
    let segments_are_film = order.segments.as_ref().is_some_and(|segments| segments.are_film);
    let segments = order.segments.map(|FilmSegments { to, .. }| {
        let Composition { duration: frames, fps, .. } = order.composition;
        let limits = SegmentLimits { frames, fps, bytes: isolation.film_size };
        receiver(media.files.clone(), limits, to)
    });
    let (begun, left) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let parts = order.parts.map(|to| {
        let (begun, left) = (begun.clone(), left.clone());
        PartReceiver::new(isolation.film_size, move |part| {
            begun.store(true, Ordering::Relaxed);
            left.store(part.as_ref().is_ok_and(|part| part.number == 0), Ordering::Relaxed);
            // Nobody waits for it if the render has ended.
            let _ = to.blocking_send(part);
        })
    });
    let receivers = Receivers { segments, parts };
    let done = tokio::select! {
        done = budget.bound(isolation.run_streamed(request, progress, receivers, held)) => done,
        () = control.stopped() => return Err(FilmError::Stopped),
    };
    match done {
        Ok(done) => match &done.answer {
            // The first part comes last.
            Answer::Rendered(_) if begun.load(Ordering::Relaxed) && !left.load(Ordering::Relaxed) => {
                Err(FilmError::Crashed(CRASHED.to_owned()))
            }
            Answer::Rendered(report) if report.also.len() == order.also.len() => {
                for (number, place) in
                    std::iter::once(to).chain(order.also.iter().map(PathBuf::as_path)).enumerate()
                {
                    if number == 0 && (segments_are_film || left.load(Ordering::Relaxed)) {
                        continue;
                    }
                    done.take_file(&RenderJob::file(number), place).map_err(|error| not_written(&error))?;
                }
                if let Some(poster) = &order.poster {
                    // A film that is only heard has none.
                    let _ = done.take_file(RenderJob::POSTER, poster);
                }
                Ok(report.clone())
            }
            _ => Err(FilmError::Crashed(CRASHED.to_owned())),
        },
        Err(error) => Err(explained(error, &order.composition, gathered, isolation, budget)),
    }
}

/// Renders chunks of a film that another process joins: of the file with this number, those that the board of the order names.
/// Returns how many.
pub async fn help(
    media: &Media,
    mut order: FilmOrder,
    file: u32,
    control: &Control,
) -> Result<u32, FilmError> {
    let gathered = gather(media, &order, control).await?;
    let isolation = &media.isolation;
    let budget = Budget::of(&order, isolation);
    let request = request(isolation, &mut order, &gathered, budget, |job| Job::Help(job, file));
    let done = tokio::select! {
        done = budget.bound(isolation.run(request, |_| {}, ())) => done,
        () = control.stopped() => return Err(FilmError::Stopped),
    };
    match done.map(|done| done.answer) {
        Ok(Answer::Helped(chunks)) => Ok(chunks),
        Ok(_) => Err(FilmError::Crashed(CRASHED.to_owned())),
        Err(error) => Err(explained(error, &order.composition, &gathered, isolation, budget)),
    }
}

async fn gather(media: &Media, order: &FilmOrder, control: &Control) -> Result<Gathered, FilmError> {
    let gathered = media.gather(&order.composition, &control.stop).await;
    if control.stop.is_cancelled() {
        return Err(FilmError::Stopped);
    }
    if gathered.is_storage_away() {
        return Err(FilmError::StorageAway);
    }
    if gathered.is_disk_full() {
        return Err(FilmError::Transient(format!("Failed to store the media of the film: {NO_SPACE}.")));
    }
    Ok(gathered)
}

/// The request of a job for the film.
fn request(
    isolation: &Isolation,
    order: &mut FilmOrder,
    gathered: &Gathered,
    Budget { cpu_seconds, all_cpu_seconds, time }: Budget,
    job: impl FnOnce(Box<RenderJob>) -> Job,
) -> Request {
    let chunks = order.chunks.take();
    Request {
        files: gathered.open_files(),
        limits: Limits {
            file_size: isolation.film_size,
            priority: order.priority,
            ..isolation.limits(all_cpu_seconds.saturating_add(CPU_GRACE))
        },
        job: job(Box::new(RenderJob {
            composition: order.composition.write(),
            media: gathered.media_files(),
            output: order.output.clone(),
            draft: order.draft,
            shorter_side: order.shorter_side,
            audio: order.audio.clone(),
            encode_every_frame: order.encode_every_frame,
            workers: order.workers.map(NonZeroUsize::get),
            has_chunk_cache: chunks.is_some(),
            has_helpers: chunks.as_ref().is_some_and(|chunks| chunks.board.is_some()),
            cpu_seconds,
            time: Some(time),
            has_poster: order.poster.is_some(),
            has_segments: order.segments.is_some(),
            has_parts: order.parts.is_some(),
        })),
        chunks,
    }
}

/// What a film may take.
#[derive(Debug, Clone, Copy)]
struct Budget {
    /// Processor time of each file in seconds.
    cpu_seconds: u64,
    all_cpu_seconds: u64,
    /// Time for all files.
    time: Duration,
}

impl Budget {
    fn of(order: &FilmOrder, isolation: &Isolation) -> Self {
        let cpu_seconds = isolation.budget.cpu_seconds(&order.composition);
        // Each file has the budget of a render of its own.
        let all_cpu_seconds = cpu_seconds.saturating_mul(1 + order.also.len() as u64);
        let time = isolation.budget.time(all_cpu_seconds);
        let left = order.end.map(|end| end.saturating_duration_since(Instant::now()));
        Self { cpu_seconds, all_cpu_seconds, time: left.map_or(time, |left| left.min(time)) }
    }

    /// Ends a job that does not end by itself.
    async fn bound(self, job: impl Future<Output = Result<Done, JobError>>) -> Result<Done, JobError> {
        let done = timeout(self.time.saturating_add(TIME_GRACE), job).await;
        done.unwrap_or_else(|_| Err(JobError::Failed(Failure::TooSlow)))
    }
}

const CRASHED: &str = "The renderer crashed on this composition. Please report it.";

pub fn not_written(error: &dyn std::fmt::Display) -> FilmError {
    FilmError::Transient(format!("Failed to write the film: {error}."))
}

pub fn too_large(isolation: &Isolation) -> FilmError {
    FilmError::Wrong(format!(
        "The file is larger than the limit of {} MB. Use a shorter film, a smaller size or a lower quality.",
        isolation.film_size / 1_000_000
    ))
}

/// What the end of a job means for a film.
fn explained(
    error: JobError,
    composition: &Composition,
    gathered: &Gathered,
    isolation: &Isolation,
    Budget { cpu_seconds, time, .. }: Budget,
) -> FilmError {
    match error {
        JobError::Stopped => FilmError::Stopped,
        JobError::Start(error) => FilmError::NoProcess(format!("Failed to start a render process: {error}.")),
        JobError::Crashed(how) => {
            tracing::error!(how, "a render process exited unexpectedly");
            FilmError::Crashed(CRASHED.to_owned())
        }
        JobError::OverTime => FilmError::Wrong(format!(
            "The render used more processor time than its budget of {cpu_seconds} s. Use fewer or simpler overlays, or a smaller size."
        )),
        JobError::FileTooLarge => too_large(isolation),
        JobError::Failed(failure) => match failure {
            Failure::Media(problems) => FilmError::Wrong(media_sentence(composition, &problems, gathered)),
            Failure::Machine(reason) => not_written(&reason),
            Failure::OverBudget(sentence) => FilmError::Wrong(sentence),
            Failure::TooSlow => FilmError::Wrong(format!(
                "The render took longer than its limit of {} s. Use fewer or simpler overlays, or a smaller size.",
                time.as_secs()
            )),
            Failure::OutOfMemory => FilmError::Wrong(format!(
                "The render needed more memory than the limit of {} MB. Use smaller pictures, fewer overlays at a time, or a smaller size.",
                isolation.memory / 1_000_000
            )),
            Failure::Panic(message) => {
                tracing::error!(message, "a render panicked");
                FilmError::Crashed(CRASHED.to_owned())
            }
            Failure::Input(message) => {
                FilmError::Wrong(gathered.with_addresses(format!("The render failed: {message}.")))
            }
            other => FilmError::Wrong(format!("The render failed: {other}.")),
        },
    }
}

/// Media that cannot be used, each with its overlay and its address.
fn media_sentence(composition: &Composition, problems: &[(String, String)], gathered: &Gathered) -> String {
    const MOST: usize = 5;
    let mut sentences: Vec<String> = problems
        .iter()
        .take(MOST)
        .map(|(path, reason)| {
            let overlay = overlay_at(path).and_then(|index| composition.overlays.get(index));
            let reason = gathered.with_addresses(reason.clone());
            match overlay {
                Some(overlay) => {
                    format!("The {} overlay \"{}\": {reason}", overlay.type_name(), overlay.display_name())
                }
                None => reason,
            }
        })
        .collect();
    if problems.len() > MOST {
        sentences.push(format!("{} more media cannot be used.", problems.len() - MOST));
    }
    sentences.join(" ")
}
