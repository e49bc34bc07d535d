//! Renders a composition to a file: fetches its media, then paints and encodes on a thread with low priority.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use rondo_composition::Composition;
use rondo_render::{Film, MediaProblem, Output, RenderError, RenderOptions, Report};
use rondo_store::{Outage, StoreError};
use rondo_text::Catalog;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::media::{Gathered, Media};
use crate::speech::SpeechError;

/// Added to the niceness of render threads, so that requests are answered first.
const NICENESS: i32 = 10;

/// How the system and FFmpeg say that the disk is full.
const NO_SPACE: &str = "No space left on device";

/// Progress of a render, and the switch to cancel it. Clones share both.
#[derive(Debug, Clone, Default)]
pub struct Control {
    inner: Arc<Inner>,
    stop: CancellationToken,
}

#[derive(Debug, Default)]
struct Inner {
    cancel: AtomicBool,
    frames: AtomicU32,
    total: AtomicU32,
    chunks: AtomicU32,
    /// Notified when a chunk is finished.
    chunk_bell: Notify,
}

impl Control {
    pub fn stop(&self) {
        self.inner.cancel.store(true, Ordering::Relaxed);
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
    /// A fault of the machine, such as a full disk. A retry may succeed.
    #[error("{0}")]
    Transient(String),
}

impl FilmError {
    /// Whether the disk was full. FFmpeg and other processes report it as text only.
    pub fn is_disk_full(&self) -> bool {
        match self {
            Self::Stopped => false,
            Self::Wrong(sentence) | Self::Transient(sentence) => sentence.contains(NO_SPACE),
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

/// Renders a composition to the file `to`. The thread ends soon after the future is dropped.
pub async fn make(
    media: &Media,
    fonts: Arc<Catalog>,
    composition: Composition,
    options: RenderOptions,
    to: &Path,
    control: &Control,
) -> Result<Report, FilmError> {
    let gathered = media.gather(&composition, &control.stop).await;
    if control.stop.is_cancelled() {
        return Err(FilmError::Stopped);
    }
    let work = Work {
        composition,
        gathered,
        fonts,
        options,
        output: Output::File(to.to_owned()),
        control: control.clone(),
    };
    let (sender, result) = tokio::sync::oneshot::channel();
    let thread = std::thread::Builder::new().name("render".into());
    let spawned = thread.spawn(move || {
        lower_priority();
        // The receiver is gone when the caller stopped waiting.
        let _ = sender.send(catch_unwind(AssertUnwindSafe(|| work.run())));
    });
    spawned.map_err(|error| FilmError::Transient(format!("Failed to start a render thread: {error}.")))?;
    let _stopped_when_dropped = Abandon(control.clone());
    match result.await {
        Ok(Ok(result)) => result,
        Ok(Err(panic)) => Err(FilmError::Wrong(panicked(panic.as_ref()))),
        Err(_) => Err(FilmError::Wrong("The render process exited unexpectedly.".to_owned())),
    }
}

/// Stops the thread when the caller stops waiting.
struct Abandon(Control);

impl Drop for Abandon {
    fn drop(&mut self) {
        self.0.stop();
    }
}

struct Work {
    composition: Composition,
    gathered: Gathered,
    fonts: Arc<Catalog>,
    options: RenderOptions,
    output: Output,
    control: Control,
}

impl Work {
    fn run(self) -> Result<Report, FilmError> {
        let Inner { cancel, frames, total, chunks, chunk_bell } = &*self.control.inner;
        let mut film = Film::open(self.composition, &self.gathered, self.fonts);
        let mut report_progress = |progress: rondo_render::Progress| {
            total.store(progress.total, Ordering::Relaxed);
            frames.store(progress.frame, Ordering::Relaxed);
            if chunks.swap(progress.chunks.rendered, Ordering::Relaxed) != progress.chunks.rendered {
                chunk_bell.notify_one();
            }
        };
        let report = film.render(&self.output, &self.options, &mut report_progress, cancel);
        report.map_err(|error| match error {
            RenderError::Cancelled => FilmError::Stopped,
            RenderError::Media(problems) => {
                FilmError::Wrong(media_sentence(film.composition(), &problems, &self.gathered))
            }
            RenderError::Unwritable { reason, .. } => {
                FilmError::Transient(format!("Failed to write the film: {reason}."))
            }
            RenderError::Cache { reason, .. } => {
                FilmError::Transient(format!("Failed to write temporary files of the render: {reason}."))
            }
            other => FilmError::Wrong(self.gathered.with_addresses(format!("The render failed: {other}."))),
        })
    }
}

/// Media that cannot be used, each with its overlay and its address.
fn media_sentence(composition: &Composition, problems: &[MediaProblem], gathered: &Gathered) -> String {
    const MOST: usize = 5;
    let mut sentences: Vec<String> = problems
        .iter()
        .take(MOST)
        .map(|problem| {
            let overlay = overlay_at(&problem.path).and_then(|index| composition.overlays.get(index));
            let reason = gathered.with_addresses(problem.reason.clone());
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

/// The index in a path such as `overlays[3].src`.
pub fn overlay_at(path: &str) -> Option<usize> {
    path.strip_prefix("overlays[")?.split_once(']')?.0.parse().ok()
}

/// Lowers the priority of this thread and those it starts.
fn lower_priority() {
    // SAFETY: the call takes plain numbers; 0 names the calling thread.
    let refused = unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, NICENESS) } != 0;
    if refused {
        tracing::debug!("failed to lower the priority of a render thread");
    }
}

fn panicked(panic: &(dyn Any + Send)) -> String {
    let message =
        panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    tracing::error!(message, "a render panicked");
    "The renderer crashed on this composition. Please report it.".to_owned()
}
