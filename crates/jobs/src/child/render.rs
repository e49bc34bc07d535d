//! Renders the files of a film.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rondo_composition::{Composition, Finish, Limits, Output as WantedOutput};
use rondo_render::{
    ChunkStore, ChunkTasks, Film, Output, PartStore, Poster, Progress, Recipe, RenderError, RenderOptions,
    Report, SegmentStore, Wanted,
};
use rondo_sandbox::Channel;
use rondo_text::Catalog;

use super::failure;
use crate::chunks::RemoteChunks;
use crate::job::{Answer, Chunks, Failure, RenderJob, RenderReport};
use crate::parts::RemoteParts;
use crate::protocol::{FromChild, JobProgress};
use crate::segments::RemoteSegments;

/// Time between two reports of progress, unless a chunk is finished.
const REPORT: Duration = Duration::from_millis(50);
/// Longer side of a poster in pixels.
const POSTER_SIDE: u32 = 960;

pub fn run(job: RenderJob, fonts: Arc<Catalog>, channel: &Arc<Mutex<Channel>>) -> Result<Answer, Failure> {
    let end = end(&job);
    let composition = read(&job.composition)?;
    let files = files(&job, &composition);
    let recipes: Vec<Recipe> = files.iter().filter_map(|file| file.recipe(&composition).ok()).collect();
    let mut poster = poster(&job, &recipes, composition.poster());
    let mut film = Film::open(composition, &job.media, fonts);
    film.set_deadline(end);
    let mut reporter =
        Reporter::new(channel.clone(), recipes.iter().map(|recipe| recipe.frames.len() as u32).sum());
    // The parent ends a render by ending the process.
    let never = AtomicBool::new(false);
    let mut reports = Vec::with_capacity(files.len());
    for (number, wanted) in files.into_iter().enumerate() {
        let mut options = options(&job, wanted, number as u32, channel);
        options.poster = poster.take_if(|(painted, _)| *painted == number).map(|(_, poster)| poster);
        let file = Output::File(PathBuf::from(RenderJob::file(number)));
        let report = film
            .render(&file, &options, &mut |progress| reporter.report(progress), &never)
            .map_err(|error| explained(error, &job))?;
        reporter.finish_file(&report);
        reports.push(report);
    }
    let elapsed: Duration = reports.iter().map(|report| report.elapsed).sum();
    let cache_problem = reports.iter_mut().find_map(|report| report.cache_problem.take());
    let mut reports = reports.into_iter();
    let first = reports.next().ok_or_else(|| Failure::Input("no file is asked for".to_owned()))?;
    Ok(Answer::Rendered(RenderReport {
        width: first.width,
        height: first.height,
        frames: first.frames,
        also: reports.map(|report| (report.width, report.height)).collect(),
        chunks: reporter.done.chunks,
        loudness: first.loudness,
        cache_problem,
        elapsed_ms: elapsed.as_millis() as u64,
    }))
}

/// Renders chunks of a film that another process joins.
pub fn help(
    job: &RenderJob,
    number: u32,
    fonts: Arc<Catalog>,
    channel: &Arc<Mutex<Channel>>,
) -> Result<Answer, Failure> {
    let end = end(job);
    let composition = read(&job.composition)?;
    let wanted = files(job, &composition).into_iter().nth(number as usize);
    let wanted = wanted.ok_or_else(|| Failure::Input("there is no such file".to_owned()))?;
    let mut film = Film::open(composition, &job.media, fonts);
    film.set_deadline(end);
    let never = AtomicBool::new(false);
    film.help(&options(job, wanted, number, channel), &never)
        .map(Answer::Helped)
        .map_err(|error| explained(error, job))
}

/// When all files must be finished.
fn end(job: &RenderJob) -> Option<Instant> {
    Instant::now().checked_add(job.time?)
}

fn explained(error: RenderError, job: &RenderJob) -> Failure {
    match error {
        // Its limit was counted from when the film was open.
        RenderError::OverTime { limit, overlays } => {
            let limit = job.time.unwrap_or(limit);
            Failure::OverBudget(RenderError::OverTime { limit, overlays }.to_string())
        }
        error => failure(error),
    }
}

/// The files of a film.
fn files(job: &RenderJob, composition: &Composition) -> Vec<Wanted> {
    let output = job.output.as_ref().and_then(|output| WantedOutput::read(output).ok());
    let mut files = Wanted::all(output.as_ref(), job.draft);
    if let Some(pixels) = job.shorter_side {
        files.iter_mut().for_each(|file| file.limit(pixels, composition));
    }
    files
}

fn options(job: &RenderJob, wanted: Wanted, number: u32, channel: &Arc<Mutex<Channel>>) -> RenderOptions {
    let chunks = Arc::new(RemoteChunks { channel: channel.clone(), file: number });
    RenderOptions {
        wanted,
        finish: job.audio.as_ref().and_then(|audio| Finish::read(audio).ok()).unwrap_or_default(),
        tasks: job.has_helpers.then(|| chunks.clone() as Arc<dyn ChunkTasks>),
        chunks: job.has_chunk_cache.then_some(chunks as Arc<dyn ChunkStore>),
        encode_every_frame: job.encode_every_frame,
        cpu_budget: Some(Duration::from_secs(job.cpu_seconds)),
        workers: job.workers.and_then(NonZeroUsize::new),
        // Only the first file is watched while it is rendered.
        segments: (job.has_segments && number == 0)
            .then(|| Arc::new(RemoteSegments { channel: channel.clone() }) as Arc<dyn SegmentStore>),
        parts: (job.has_parts && number == 0)
            .then(|| Arc::new(RemoteParts { channel: channel.clone() }) as Arc<dyn PartStore>),
        poster: None,
    }
}

/// The poster, within the frames of the first file that shows something, and the number of that file.
fn poster(job: &RenderJob, recipes: &[Recipe], frame: u32) -> Option<(usize, Poster)> {
    let (number, Recipe { frames, .. }) =
        recipes.iter().enumerate().find(|(_, recipe)| job.has_poster && recipe.pixels() > 0)?;
    let frame = frame.clamp(frames.start, frames.end.saturating_sub(1).max(frames.start));
    Some((number, Poster { frame, side: POSTER_SIDE, path: PathBuf::from(RenderJob::POSTER) }))
}

/// The composition of a job, which the parent has written.
pub fn read(composition: &serde_json::Value) -> Result<Composition, Failure> {
    let read = Composition::read(composition, Limits::WIDEST);
    read.map(|read| read.composition).map_err(|error| Failure::Input(error.to_string()))
}

/// Reports the progress of all files together.
struct Reporter {
    channel: Arc<Mutex<Channel>>,
    reported: Option<Instant>,
    chunks: u32,
    /// The files that are finished, and the frames of all.
    done: JobProgress,
}

impl Reporter {
    fn new(channel: Arc<Mutex<Channel>>, total: u32) -> Self {
        let done = JobProgress { frame: 0, total, chunks: Chunks::default() };
        Self { channel, reported: None, chunks: 0, done }
    }

    fn report(&mut self, progress: Progress) {
        let now = JobProgress {
            frame: self.done.frame + progress.frame,
            total: self.done.total,
            chunks: self.done.chunks + progress.chunks.into(),
        };
        let is_due = self.reported.is_none_or(|at| at.elapsed() >= REPORT);
        if !is_due && now.chunks.rendered == self.chunks {
            return;
        }
        (self.reported, self.chunks) = (Some(Instant::now()), now.chunks.rendered);
        let message = serde_json::to_vec(&FromChild::Progress(now)).unwrap_or_default();
        let channel = self.channel.lock().unwrap_or_else(PoisonError::into_inner);
        // A parent that is gone ends this process.
        let _ = channel.send(&message, &[]);
    }

    fn finish_file(&mut self, report: &Report) {
        self.done.frame += report.frames;
        self.done.chunks = self.done.chunks + report.chunks.into();
    }
}
