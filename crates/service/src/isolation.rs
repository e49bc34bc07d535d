//! Work on untrusted media, in sandboxed child processes.

use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rondo_composition::{Composition, MediaRole};
use rondo_jobs::{
    Answer, Done, Fact, Failure, Finding, FontFact, Job, JobError, JobProgress, Jobs, LayOutJob, Limits,
    Priority, ProbeFile, Receivers, Request, RoleName, Stop,
};
use tokio::time::timeout;

use crate::error::{ServiceError, ServiceResult};
use crate::turns::Turns;

/// Most files and threads of a child.
const OPEN_FILES: u64 = 1024;
const THREADS: u64 = 512;
/// Largest file that is not a film, in bytes: an hour of samples, a picture.
const FILE_SIZE: u64 = 1 << 30;
/// Time for reading what files say of themselves, and processor time.
const PROBING: Duration = Duration::from_secs(10);
const PROBING_CPU: u64 = 20;
/// Memory of such a child, at most that of a job: the largest SVG images need 770 MB. Larger frames of films need not be decoded,
/// as their sizes are in headers.
const PROBING_MEMORY: u64 = 1_000_000_000;
/// Such children at a time, and requests of one account that wait for one.
const PROBES: usize = 4;
const PROBES_WAITING: usize = 16;
/// Memory of a child that reads a font or lays out a film, at most that of a job.
const LOOKING_MEMORY: u64 = 512_000_000;
/// Time of such a child, which is more than its processor time: others may keep the processors busy.
const LOOKING: Duration = Duration::from_secs(15);
/// Processor time of a child that lays out a film.
const LAYOUT_CPU: u64 = 10;
/// Children that read fonts of users at a time, those that lay out films, and requests of one account that wait for one of them.
const FONT_CHILDREN: usize = 3;
const LAYOUTS: usize = 3;
const LOOKS_WAITING: usize = 8;
/// How long a request waits for one.
const LOOK_TURN: Duration = Duration::from_secs(20);
/// Time of a job for each second of its processor time: as if a quarter of one processor were left for it.
const TIME_OF_CPU: u64 = 4;
/// Time of every job besides, in which it waits for others: for disks, for buckets that take its parts, for processes that
/// help.
const TIME_BASE: Duration = Duration::from_secs(600);

/// Runs jobs in child processes, within what the settings allow them.
#[derive(Debug, Clone)]
pub struct Isolation {
    pub jobs: Arc<Jobs>,
    /// Memory of a job in bytes.
    pub memory: u64,
    /// Largest film in bytes.
    pub film_size: u64,
    pub budget: RenderBudget,
    probes: Arc<Turns>,
    font_children: Arc<Turns>,
    layouts: Arc<Turns>,
}

/// Too many files are read at the moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many files are read at the moment")]
pub struct Busy;

/// What a render may take, by its frames and pixels.
#[derive(Debug, Clone, Copy)]
pub struct RenderBudget {
    /// Processor time of each file in seconds.
    pub cpu_base: u64,
    /// The same, for 1,000 megapixels.
    pub cpu_per_gigapixel: u64,
    /// Longest time.
    pub most_time: Duration,
}

impl RenderBudget {
    /// Processor time of a file in seconds.
    pub fn cpu_seconds(&self, composition: &Composition) -> u64 {
        let pixels = u64::from(composition.width) * u64::from(composition.height);
        let all = pixels.saturating_mul(u64::from(composition.duration));
        let pixels = all.saturating_mul(self.cpu_per_gigapixel) / 1_000_000_000;
        // A film without pixels has sound.
        self.cpu_base.saturating_add(pixels).saturating_add(u64::from(composition.duration) / 100)
    }

    /// Time for so much processor time.
    pub fn time(&self, cpu_seconds: u64) -> Duration {
        time_for(cpu_seconds).min(self.most_time)
    }
}

/// Time for so much processor time, where nothing else bounds it.
pub fn time_for(cpu_seconds: u64) -> Duration {
    Duration::from_secs(cpu_seconds.saturating_mul(TIME_OF_CPU)).saturating_add(TIME_BASE)
}

impl Isolation {
    pub fn new(jobs: Arc<Jobs>, memory: u64, film_size: u64, budget: RenderBudget) -> Self {
        let probes = Turns::new(PROBES, PROBES_WAITING);
        let font_children = Turns::new(FONT_CHILDREN, LOOKS_WAITING);
        let layouts = Turns::new(LAYOUTS, LOOKS_WAITING);
        Self { jobs, memory, film_size, budget, probes, font_children, layouts }
    }

    pub fn limits(&self, cpu_seconds: u64) -> Limits {
        Limits {
            memory: self.memory,
            cpu_seconds,
            time: None,
            file_size: FILE_SIZE,
            open_files: OPEN_FILES,
            threads: THREADS,
            priority: Priority::Normal,
        }
    }

    /// Runs a job. When the future is dropped, the child is killed. `held` is kept until the child has ended.
    pub async fn run(
        &self,
        request: Request,
        progress: impl FnMut(JobProgress) + Send + 'static,
        held: impl Send + 'static,
    ) -> Result<Done, JobError> {
        self.run_streamed(request, progress, Receivers::default(), held).await
    }

    /// The same, with what takes segments and parts of a film as they are finished.
    pub async fn run_streamed(
        &self,
        request: Request,
        mut progress: impl FnMut(JobProgress) + Send + 'static,
        receivers: Receivers,
        held: impl Send + 'static,
    ) -> Result<Done, JobError> {
        let (jobs, stop) = (self.jobs.clone(), Stop::default());
        let _stopped_when_dropped = StopWhenDropped(stop.clone());
        let running = tokio::task::spawn_blocking(move || {
            let done = jobs.run_streamed(request, &stop, &mut progress, receivers);
            drop(held);
            done
        });
        running.await.unwrap_or_else(|error| Err(JobError::Start(std::io::Error::other(error))))
    }

    /// Reads what files say of themselves, in one child for all of them, when it is the account's turn, which must come within
    /// `patience`.
    pub async fn probe(
        &self,
        account: &str,
        wanted: Vec<(MediaRole, PathBuf)>,
        patience: Duration,
    ) -> Result<Vec<Fact>, Busy> {
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let Ok(Ok(seat)) = timeout(patience, self.probes.take(account)).await else { return Err(Busy) };
        let count = wanted.len();
        let all = |problem: &str| vec![Fact { problem: Some(problem.to_owned()), ..Fact::default() }; count];
        let request = Request {
            files: open_files(wanted.iter().map(|(_, path)| path.clone())),
            job: Job::Probe(
                wanted.into_iter().map(|(role, path)| ProbeFile { role: RoleName(role), path }).collect(),
            ),
            limits: Limits { memory: self.memory.min(PROBING_MEMORY), ..self.limits(PROBING_CPU) },
            chunks: None,
        };
        // The seat is free when the child has ended.
        Ok(match timeout(PROBING, self.run(request, |_| {}, seat)).await {
            Ok(Ok(Done { answer: Answer::Facts(facts), .. })) if facts.len() == count => facts,
            Ok(
                Ok(_)
                | Err(JobError::Failed(Failure::Panic(_) | Failure::OutOfMemory) | JobError::Crashed(_)),
            ) => all("it cannot be read"),
            Ok(Err(error)) => {
                tracing::warn!(%error, "failed to probe media");
                all("it cannot be read")
            }
            Err(_) => all("it takes too long to read"),
        })
    }

    /// The faces of a font file, or why it cannot be used. Fails where no process can be started, and while too many files of
    /// the account are read.
    pub async fn read_font(
        &self,
        account: &str,
        path: PathBuf,
    ) -> ServiceResult<Result<Vec<FontFact>, String>> {
        let files = open_files([path.clone()]);
        let looked = self.look(&self.font_children, account, Job::ReadFont(path), files, PROBING_CPU).await;
        let busy = |_: Busy| ServiceError::busy("Too many fonts are being read. Try again in a moment.", 5);
        match looked.map_err(busy)? {
            Ok(Answer::Faces(faces)) => Ok(Ok(faces)),
            Err(Failure::Machine(reason)) => Err(ServiceError::internal(reason)),
            Err(Failure::Input(reason)) => Ok(Err(reason)),
            Ok(_) | Err(_) => Ok(Err("it is not a font that can be read".to_owned())),
        }
    }

    /// Lays out a film, and tells what will not look as written. Fails while too many films of the account are laid out.
    pub async fn lay_out(
        &self,
        account: &str,
        job: LayOutJob,
    ) -> ServiceResult<Result<Vec<Finding>, Failure>> {
        let files = open_files(job.fonts.0.values().flatten().cloned());
        let job = Job::LayOut(Box::new(job));
        let looked = self.look(&self.layouts, account, job, files, LAYOUT_CPU).await;
        let busy =
            |_: Busy| ServiceError::busy("Too many films are being checked. Try again in a moment.", 3);
        Ok(looked.map_err(busy)?.and_then(|answer| match answer {
            Answer::Checked(findings) => Ok(findings),
            _ => Err(Failure::Panic("an answer to another question".to_owned())),
        }))
    }

    /// Runs a job that answers within seconds or not at all, when it is the account's turn.
    async fn look(
        &self,
        turns: &Arc<Turns>,
        account: &str,
        job: Job,
        files: Vec<(PathBuf, File)>,
        cpu_seconds: u64,
    ) -> Result<Result<Answer, Failure>, Busy> {
        let limits = Limits {
            memory: self.memory.min(LOOKING_MEMORY),
            time: Some(LOOKING),
            ..self.limits(cpu_seconds)
        };
        let request = Request { job, files, limits, chunks: None };
        let Ok(Ok(seat)) = timeout(LOOK_TURN, turns.take(account)).await else { return Err(Busy) };
        // The seat is free when the child has ended.
        Ok(match self.run(request, |_| {}, seat).await {
            Ok(done) => Ok(done.answer),
            Err(JobError::Failed(failure)) => Err(failure),
            Err(JobError::OverTime) => Err(Failure::TooSlow),
            Err(error @ (JobError::Start(_) | JobError::Stopped)) => Err(Failure::Machine(error.to_string())),
            Err(error) => {
                tracing::warn!(%error, "failed to read fonts or to lay out a film");
                Err(Failure::Panic(error.to_string()))
            }
        })
    }
}

/// Opens files for a child. What cannot be opened is missing there too, and reported by the name it has.
pub fn open_files(paths: impl IntoIterator<Item = PathBuf>) -> Vec<(PathBuf, File)> {
    paths
        .into_iter()
        .filter_map(|path| {
            let file = File::open(&path).ok()?;
            Some((path, file))
        })
        .collect()
}

struct StopWhenDropped(Stop);

impl Drop for StopWhenDropped {
    fn drop(&mut self) {
        let stop = self.0.clone();
        // The call waits for the fork server.
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) => drop(runtime.spawn_blocking(move || stop.stop())),
            Err(_) => stop.stop(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_film_has_time_by_its_frames_and_pixels_and_at_most_the_longest() {
        let minutes = |minutes: u64| Duration::from_secs(60 * minutes);
        let budget = RenderBudget { cpu_base: 300, cpu_per_gigapixel: 500, most_time: minutes(360) };
        let time = |width, height, duration| {
            let composition = Composition { width, height, duration, ..Composition::default() };
            budget.time(budget.cpu_seconds(&composition))
        };
        assert_eq!(time(16, 16, 1), minutes(30));
        // Half a gigapixel: 250 s of processor time more, and one for its frames.
        assert_eq!(time(2000, 2500, 100), minutes(30) + Duration::from_secs(4 * 251));
        assert_eq!(time(3840, 2160, 648_000), minutes(360));
    }
}
