//! Renders a film.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rondo_composition::{Composition, Finish, Limits, Output as WantedOutput};
use rondo_render::{
    ChunkStore, Film, Output, Progress, Recipe, RenderOptions, Scale, Wanted, encode_jpeg, thumbnail,
};
use rondo_sandbox::Channel;
use rondo_text::Catalog;

use super::failure;
use crate::chunks::RemoteChunks;
use crate::job::{Answer, Failure, RenderJob, RenderReport};
use crate::protocol::{FromChild, JobProgress};

/// Time between two reports of progress, unless a chunk is finished.
const REPORT: Duration = Duration::from_millis(50);
/// Longer side of a poster in pixels.
const POSTER_SIDE: u32 = 960;

pub fn run(job: RenderJob, fonts: Arc<Catalog>, channel: &Arc<Mutex<Channel>>) -> Result<Answer, Failure> {
    let composition = read(&job.composition)?;
    let poster = composition.poster();
    let output = job.output.as_ref().and_then(|output| WantedOutput::read(output).ok());
    let mut wanted = Wanted::of(output.as_ref(), job.draft);
    if let Some(pixels) = job.shorter_side {
        wanted.scale = Scale::ShorterSide(pixels);
    }
    let chunks = job
        .has_chunk_cache
        .then(|| Arc::new(RemoteChunks { channel: channel.clone() }) as Arc<dyn ChunkStore>);
    let recipe = wanted.recipe(&composition).ok().filter(|recipe| job.has_poster && recipe.pixels() > 0);
    let options = RenderOptions {
        wanted,
        finish: job.audio.as_ref().and_then(|audio| Finish::read(audio).ok()).unwrap_or_default(),
        chunks,
        encode_every_frame: job.encode_every_frame,
        cpu_budget: Some(Duration::from_secs(job.cpu_seconds)),
        workers: job.workers.and_then(NonZeroUsize::new),
    };
    let mut film = Film::open(composition, &job.media, fonts);
    let mut reporter = Reporter { channel: channel.clone(), reported: None, chunks: 0 };
    let output = Output::File(PathBuf::from(RenderJob::FILE));
    // The parent ends a render by ending the process.
    let never = AtomicBool::new(false);
    let report =
        film.render(&output, &options, &mut |progress| reporter.report(progress), &never).map_err(failure)?;
    if let Some(recipe) = recipe {
        draw_poster(&mut film, &recipe, poster);
    }
    Ok(Answer::Rendered(RenderReport {
        width: report.width,
        height: report.height,
        frames: report.frames,
        chunks: report.chunks.into(),
        loudness: report.loudness,
        cache_problem: report.cache_problem,
        elapsed_ms: report.elapsed.as_millis() as u64,
    }))
}

/// Draws the poster within the frames of the file. A film without one is a film all the same.
fn draw_poster(film: &mut Film, recipe: &Recipe, poster: u32) {
    let frame =
        poster.clamp(recipe.frames.start, recipe.frames.end.saturating_sub(1).max(recipe.frames.start));
    if let Ok(picture) = thumbnail(film, frame, POSTER_SIDE)
        && let Ok(bytes) = encode_jpeg(&picture)
    {
        let _ = std::fs::write(RenderJob::POSTER, bytes);
    }
}

/// The composition of a job, which the parent has written.
pub fn read(composition: &serde_json::Value) -> Result<Composition, Failure> {
    let read = Composition::read(composition, Limits::WIDEST);
    read.map(|read| read.composition).map_err(|error| Failure::Input(error.to_string()))
}

struct Reporter {
    channel: Arc<Mutex<Channel>>,
    reported: Option<Instant>,
    chunks: u32,
}

impl Reporter {
    fn report(&mut self, progress: Progress) {
        let chunks = progress.chunks.rendered;
        let is_due = self.reported.is_none_or(|at| at.elapsed() >= REPORT);
        if !is_due && chunks == self.chunks {
            return;
        }
        (self.reported, self.chunks) = (Some(Instant::now()), chunks);
        let now =
            JobProgress { frame: progress.frame, total: progress.total, chunks: progress.chunks.into() };
        let message = serde_json::to_vec(&FromChild::Progress(now)).unwrap_or_default();
        let channel = self.channel.lock().unwrap_or_else(PoisonError::into_inner);
        // A parent that is gone ends this process.
        let _ = channel.send(&message, &[]);
    }
}
