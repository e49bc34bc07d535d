//! The parent's side: starts the fork server, and runs jobs.

use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rondo_render::FetchedFamilies;
use rondo_sandbox::{
    Attempt, Channel, Exit, ForkServer, Killer, Layer, LayerReport, Limits, MOST_DESCRIPTORS, Mode, Policy,
    Priority, Process, SelfTest,
};
use tempfile::TempDir;

use crate::chunks::{AccountChunks, ChunkServer};
use crate::job::{Answer, Failure, Job};
use crate::parts::PartReceiver;
use crate::protocol::{Configuration, FromChild, JobProgress, Ready, Setup};
use crate::segments::SegmentReceiver;
use crate::stop::Stop;

/// How the names of working folders begin.
const WORKING: &str = "job-";

/// Exit code of a child without memory.
pub(crate) const OUT_OF_MEMORY: i32 = 86;

/// A child that neither uses the processor nor says anything for so long is ended, at the latest after twice the time.
pub const STUCK_AFTER: Duration = Duration::from_secs(180);
/// The least part of the time for which it must use the processor.
const LEAST_USE: u32 = 1000;

/// The longest that a child takes to try what it must not be able to do.
const SELF_TEST: Duration = Duration::from_secs(60);

/// How children are made.
#[derive(Debug, Clone)]
pub struct JobsSettings {
    /// The program of the fork server and its arguments; it calls [`crate::run_fork_server`].
    pub program: PathBuf,
    pub arguments: Vec<String>,
    pub mode: Mode,
    /// A folder of fonts beside the bundled ones.
    pub font_folder: Option<PathBuf>,
    /// Families that were fetched. A film gets those that it names.
    pub fetched_fonts: Option<FetchedFamilies>,
    /// Files and folders that every child may read.
    pub read_only: Vec<PathBuf>,
    /// The folder in which each child gets a working folder.
    pub scratch: PathBuf,
    /// What the self-test tries at the start.
    pub self_test: SelfTest,
    /// See [`STUCK_AFTER`].
    pub stuck_after: Duration,
}

/// Why no jobs can be run.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error("Failed to start {program}: {reason}.")]
    Program { program: PathBuf, reason: String },
    #[error("{0}.")]
    Ffmpeg(String),
    #[error(
        "The sandbox is incomplete: {0}. Use `--sandbox auto` to run without what the kernel does not grant."
    )]
    Sandbox(String),
}

/// Runs jobs in children of their own.
#[derive(Debug)]
pub struct Jobs {
    settings: JobsSettings,
    server: Mutex<Arc<ForkServer>>,
    keep_user: bool,
    pub font_warnings: Vec<String>,
    /// Every layer, and why it is missing if it is.
    pub layers: Vec<LayerReport>,
    /// What the self-test tried.
    pub attempts: Vec<Attempt>,
    /// The same in a child that may run a program, if the self-test names one.
    pub program_attempts: Vec<Attempt>,
}

/// A job with what it needs.
#[derive(Debug)]
pub struct Request {
    pub job: Job,
    /// The files it reads, by the names that the job gives them.
    pub files: Vec<(PathBuf, File)>,
    pub limits: Limits,
    pub chunks: Option<AccountChunks>,
}

/// What takes a film in pieces as they are finished.
#[derive(Debug, Default)]
pub struct Receivers {
    pub segments: Option<SegmentReceiver>,
    pub parts: Option<PartReceiver>,
}

/// What came of a job.
#[derive(Debug)]
pub struct Done {
    pub answer: Answer,
    /// Its working folder, removed when this is dropped.
    scratch: Option<TempDir>,
}

/// Why a job brought nothing.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    #[error("it was stopped")]
    Stopped,
    #[error(transparent)]
    Failed(#[from] Failure),
    /// The child died. The same input may kill it again.
    #[error("the process exited unexpectedly ({0})")]
    Crashed(String),
    #[error("it used more processor time than it may")]
    OverTime,
    #[error("it wrote a larger file than it may")]
    FileTooLarge,
    /// No child could be made, or the fork server died.
    #[error("no process can be started: {0}")]
    Start(io::Error),
}

impl Jobs {
    /// Starts the fork server, and tests what its children can do.
    pub fn start(settings: JobsSettings) -> Result<Self, StartError> {
        remove_abandoned(&settings.scratch);
        let (server, ready) = start(&settings)?;
        if let Some(reason) = ready.ffmpeg {
            return Err(StartError::Ffmpeg(reason));
        }
        let mut jobs = Self {
            server: Mutex::new(server),
            keep_user: false,
            font_warnings: ready.font_warnings,
            layers: Vec::new(),
            attempts: Vec::new(),
            program_attempts: Vec::new(),
            settings,
        };
        if jobs.settings.mode != Mode::Off {
            jobs.test(ready.network)?;
        }
        Ok(jobs)
    }

    fn test(&mut self, network: LayerReport) -> Result<(), StartError> {
        let fails = |error: JobError| match error {
            JobError::Failed(Failure::Machine(reason)) => StartError::Sandbox(reason),
            error => StartError::Sandbox(error.to_string()),
        };
        let plain = SelfTest { program: None, ..self.settings.self_test.clone() };
        let mut tested = self.self_test(plain.clone()).map_err(fails)?;
        if tested.1.iter().any(|attempt| attempt.name == Attempt::FONTS && attempt.refused) {
            self.keep_user = true;
            tested = self.self_test(plain).map_err(fails)?;
        }
        let (mut layers, attempts) = tested;
        // Where root stands for one user only, as in containers without root, children with a folder keep it too.
        self.keep_user |= layers.iter().any(|report| report.layer == Layer::User && report.missing.is_some());
        layers.insert(0, network);
        layers.sort_by_key(|report| report.layer);
        if self.settings.mode == Mode::Required
            && let Some(LayerReport { layer, missing: Some(reason) }) =
                layers.iter().find(|report| report.missing.is_some())
        {
            return Err(StartError::Sandbox(format!("the layer {} is missing: {reason}", layer.name())));
        }
        (self.layers, self.attempts) = (layers, attempts);
        if self.settings.self_test.program.is_some() {
            self.program_attempts = match self.self_test(self.settings.self_test.clone()) {
                Ok((_, attempts)) => attempts,
                Err(error) if self.settings.mode == Mode::Required => return Err(fails(error)),
                // Only voices need the program.
                Err(_) => vec![Attempt::new(Attempt::PROGRAM, false)],
            };
        }
        let mut tried = self.attempts.iter().chain(&self.program_attempts);
        match tried.find(|attempt| !attempt.refused && !attempt.is_needed()) {
            Some(Attempt { name, .. }) if self.settings.mode == Mode::Required => {
                Err(StartError::Sandbox(format!("a child is not refused what `rondo doctor` calls {name}")))
            }
            _ => Ok(()),
        }
    }

    fn self_test(&self, test: SelfTest) -> Result<(Vec<LayerReport>, Vec<Attempt>), JobError> {
        let request = Request {
            job: Job::SelfTest(test),
            files: Vec::new(),
            limits: Limits {
                memory: 1 << 30,
                cpu_seconds: 10,
                time: Some(SELF_TEST),
                file_size: 1 << 20,
                open_files: 64,
                // Where the user of children has many processes elsewhere, they count here.
                threads: 512,
                priority: Priority::Normal,
            },
            chunks: None,
        };
        match self.run(request, &Stop::default(), &mut |_| {})?.answer {
            Answer::SelfTest { layers, attempts } => Ok((layers, attempts)),
            _ => Err(unexpected()),
        }
    }

    /// The layers that are missing, with the reasons.
    pub fn missing_layers(&self) -> impl Iterator<Item = (Layer, &str)> {
        self.layers.iter().filter_map(|report| Some((report.layer, report.missing.as_deref()?)))
    }

    /// The program that children may run, and whether it runs in them. Without a sandbox, that is not tried.
    pub fn program(&self) -> Option<(&Path, Option<bool>)> {
        let program = self.settings.self_test.program.as_deref()?;
        let tried = self.program_attempts.iter().find(|attempt| attempt.name == Attempt::PROGRAM);
        Some((program, tried.map(|attempt| !attempt.refused)))
    }

    pub fn mode(&self) -> Mode {
        self.settings.mode
    }

    /// The process id of the fork server.
    pub fn process_id(&self) -> u32 {
        self.server().id()
    }

    /// Runs a job to its end. Blocks the thread.
    pub fn run(
        &self,
        request: Request,
        stop: &Stop,
        progress: &mut dyn FnMut(JobProgress),
    ) -> Result<Done, JobError> {
        self.run_streamed(request, stop, progress, Receivers::default())
    }

    /// The same, with what takes segments and parts of a film as they are finished.
    pub fn run_streamed(
        &self,
        mut request: Request,
        stop: &Stop,
        progress: &mut dyn FnMut(JobProgress),
        receivers: Receivers,
    ) -> Result<Done, JobError> {
        let scratch = match request.job.writes() {
            true => Some(self.make_scratch().map_err(|error| Failure::no_folder(&error))?),
            false => None,
        };
        // Other processes of the service remove folders that are not locked.
        let _held = scratch.as_ref().and_then(|scratch| held(scratch.path()));
        let process = self.fork().map_err(JobError::Start)?;
        process.channel.set_patience(self.settings.stuck_after).map_err(JobError::Start)?;
        if !stop.watch(process.killer()) {
            return Err(JobError::Stopped);
        }
        let deadline = Deadline::start(request.limits.time, process.killer()).map_err(JobError::Start)?;
        let families = match (&self.settings.fetched_fonts, request.job.composition()) {
            (Some(fetched), Some(composition)) => fetched.files_for(composition),
            _ => Vec::new(),
        };
        request.files.extend(families.iter().filter_map(|path| Some((path.clone(), File::open(path).ok()?))));
        let policy = Policy {
            mode: self.settings.mode,
            read_only: self.settings.read_only.iter().cloned().chain(request.job.reads()).collect(),
            programs: request.job.programs(),
            keep_user: self.keep_user,
            limits: request.limits,
        };
        let answered =
            set_up(&process.channel, &request, families, policy, scratch.as_ref().map(TempDir::path))
                .and_then(|()| {
                    let chunks = ChunkServer::new(request.chunks);
                    attend(&process, self.settings.stuck_after, &deadline, chunks, receivers, progress)
                });
        let exit = process.wait();
        stop.forget();
        if stop.is_stopped() {
            return Err(JobError::Stopped);
        }
        match answered {
            Ok(Some(answer)) => Ok(Done { answer: answer?, scratch }),
            Ok(None) | Err(_) if deadline.is_over() => Err(Failure::TooSlow.into()),
            Err(error) if error.kind() == io::ErrorKind::TimedOut => {
                Err(JobError::Crashed(error.to_string()))
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                Err(JobError::Crashed("it stopped in the middle of a message".to_owned()))
            }
            // It closed the connection, or sent something that is no message.
            Ok(None) | Err(_) => Err(death(exit)),
        }
    }

    /// A child; of a new fork server if the last one died.
    fn fork(&self) -> io::Result<Process> {
        let server = self.server();
        server.fork().or_else(|_| {
            let mut current = self.server.lock().unwrap_or_else(PoisonError::into_inner);
            if Arc::ptr_eq(&*current, &server) {
                let (new, ready) = start(&self.settings).map_err(io::Error::other)?;
                if self.settings.mode == Mode::Required
                    && let Some(reason) = ready.network.missing
                {
                    let layer = ready.network.layer.name();
                    return Err(io::Error::other(format!("the layer {layer} is missing: {reason}")));
                }
                *current = new;
            }
            current.fork()
        })
    }

    fn server(&self) -> Arc<ForkServer> {
        self.server.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn make_scratch(&self) -> io::Result<TempDir> {
        let root = &self.settings.scratch;
        fs::DirBuilder::new().recursive(true).mode(0o700).create(root)?;
        tempfile::Builder::new()
            .prefix(WORKING)
            .permissions(fs::Permissions::from_mode(0o700))
            .tempdir_in(root)
    }
}

impl Done {
    /// Moves a file that the job made to `path`, on the same file system. It belongs to this process then.
    pub fn take_file(&self, name: &str, path: &Path) -> io::Result<()> {
        let made = self.made(name)?;
        // SAFETY: the calls cannot fail and take nothing.
        let (user, group) = unsafe { (libc::geteuid(), libc::getegid()) };
        std::os::unix::fs::chown(&made, Some(user), Some(group))?;
        fs::set_permissions(&made, fs::Permissions::from_mode(0o600))?;
        fs::rename(made, path)
    }

    /// Reads a file that the job made, of at most `most` bytes.
    pub fn read_file(&self, name: &str, most: u64) -> io::Result<Vec<u8>> {
        let made = self.made(name)?;
        if fs::metadata(&made)?.len() > most {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the file is too large"));
        }
        fs::read(made)
    }

    pub fn open_file(&self, name: &str) -> io::Result<File> {
        File::open(self.made(name)?)
    }

    /// The path of a file that the job made, if it is nothing but a file.
    fn made(&self, name: &str) -> io::Result<PathBuf> {
        let scratch = self.scratch.as_ref().ok_or(io::ErrorKind::NotFound)?;
        let path = scratch.path().join(name);
        let facts = fs::symlink_metadata(&path)?;
        match facts.is_file() && facts.nlink() == 1 {
            true => Ok(path),
            false => Err(io::Error::new(io::ErrorKind::InvalidData, "the job made no plain file")),
        }
    }
}

fn start(settings: &JobsSettings) -> Result<(Arc<ForkServer>, Ready), StartError> {
    let fails = |reason: String| StartError::Program { program: settings.program.clone(), reason };
    let mut command = Command::new(&settings.program);
    command.args(&settings.arguments);
    let configuration = Configuration { mode: settings.mode, font_folder: settings.font_folder.clone() };
    let configuration = serde_json::to_vec(&configuration).map_err(|error| fails(error.to_string()))?;
    let (server, ready) =
        ForkServer::start(command, &configuration).map_err(|error| fails(error.to_string()))?;
    let ready = serde_json::from_slice(&ready).map_err(|error| fails(error.to_string()))?;
    Ok((server, ready))
}

/// Locks a working folder; `None` if another process holds it.
fn held(folder: &Path) -> Option<File> {
    let folder = File::open(folder).ok()?;
    folder.try_lock().ok()?;
    Some(folder)
}

/// Removes the working folders of processes that were killed.
fn remove_abandoned(scratch: &Path) {
    for entry in fs::read_dir(scratch).into_iter().flatten().flatten() {
        let is_working = entry.file_name().to_string_lossy().starts_with(WORKING);
        // A new folder is locked at once; one of an ended process never is.
        let old = entry
            .metadata()
            .and_then(|facts| facts.modified())
            .is_ok_and(|at| at.elapsed().is_ok_and(|age| age > Duration::from_secs(1)));
        if is_working && old && held(&entry.path()).is_some() {
            // What cannot be removed now is removed with old drafts.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Hands over the files, the policy and the job.
fn set_up(
    channel: &Channel,
    request: &Request,
    families: Vec<PathBuf>,
    policy: Policy,
    scratch: Option<&Path>,
) -> io::Result<()> {
    for files in request.files.chunks(MOST_DESCRIPTORS) {
        let names = Setup::Files(files.iter().map(|(path, _)| path.clone()).collect());
        let descriptors: Vec<BorrowedFd<'_>> = files.iter().map(|(_, file)| file.as_fd()).collect();
        channel.send(&serde_json::to_vec(&names)?, &descriptors)?;
    }
    if !families.is_empty() {
        channel.send(&serde_json::to_vec(&Setup::Fonts(families))?, &[])?;
    }
    let folder = scratch.map(File::open).transpose()?;
    let folder: Vec<BorrowedFd<'_>> = folder.iter().map(AsFd::as_fd).collect();
    channel.send(&serde_json::to_vec(&Setup::Restrict(policy))?, &folder)?;
    channel.send(&serde_json::to_vec(&request.job)?, &[])
}

/// When a child must be done. It is killed then, unless this is dropped before.
struct Deadline {
    end: Option<Instant>,
    _kept: Option<Sender<()>>,
}

impl Deadline {
    /// A thread of its own kills: a child could also send the bytes of a message one by one, for which the parent waits.
    fn start(time: Option<Duration>, killer: Killer) -> io::Result<Self> {
        let end = time.and_then(|time| Some((time, Instant::now().checked_add(time)?)));
        let Some((time, end)) = end else { return Ok(Self { end: None, _kept: None }) };
        let (kept, dropped) = channel();
        thread::Builder::new().name("job deadline".to_owned()).spawn(move || {
            if dropped.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                killer.kill();
            }
        })?;
        Ok(Self { end: Some(end), _kept: Some(kept) })
    }

    fn left(&self) -> Option<Duration> {
        self.end.map(|end| end.saturating_duration_since(Instant::now()))
    }

    fn is_over(&self) -> bool {
        self.left().is_some_and(|left| left.is_zero())
    }
}

/// Serves a child until it is done; `None` if it closes the connection before. A child that stands still is an error, and so is
/// the end of its time.
fn attend(
    process: &Process,
    stuck_after: Duration,
    deadline: &Deadline,
    mut chunks: ChunkServer,
    mut receivers: Receivers,
    progress: &mut dyn FnMut(JobProgress),
) -> io::Result<Option<Result<Answer, Failure>>> {
    let channel = &process.channel;
    loop {
        wait_for_message(process, stuck_after, deadline)?;
        let Some(message) = channel.receive()? else { return Ok(None) };
        let file = message.descriptors.into_iter().next();
        match serde_json::from_slice(&message.bytes)? {
            FromChild::Progress(now) => progress(now),
            FromChild::Done(result) => return Ok(Some(*result)),
            FromChild::Segment { number, frames } => {
                if let Some(segments) = &mut receivers.segments {
                    segments.receive(number, frames, file);
                }
            }
            FromChild::Part { number } => {
                if let Some(parts) = &mut receivers.parts {
                    parts.receive(number, file);
                }
                channel.send(b"", &[])?;
            }
            about_chunks => chunks.answer(about_chunks, file, channel)?,
        }
    }
}

fn wait_for_message(process: &Process, stuck_after: Duration, deadline: &Deadline) -> io::Result<()> {
    let mut used = None;
    loop {
        if deadline.is_over() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        let patience = deadline.left().map_or(stuck_after, |left| left.min(stuck_after));
        if process.channel.wait(patience)? {
            return Ok(());
        }
        if patience < stuck_after {
            continue;
        }
        let now = process.cpu_time()?;
        // The first time tells what it had used before.
        if used.is_some_and(|before| now < before + stuck_after / LEAST_USE) {
            let sentence = format!("it stood still for {} s", stuck_after.as_secs());
            return Err(io::Error::new(io::ErrorKind::TimedOut, sentence));
        }
        used = Some(now);
    }
}

fn death(exit: io::Result<Exit>) -> JobError {
    match exit {
        Ok(Exit { signal: Some(libc::SIGXCPU), .. }) => JobError::OverTime,
        Ok(Exit { signal: Some(libc::SIGXFSZ), .. }) => JobError::FileTooLarge,
        Ok(Exit { code: Some(OUT_OF_MEMORY), .. }) => Failure::OutOfMemory.into(),
        Ok(Exit { signal: Some(signal), .. }) => JobError::Crashed(format!("signal {signal}")),
        Ok(Exit { code, .. }) => JobError::Crashed(format!("code {}", code.unwrap_or(-1))),
        Err(error) => JobError::Start(error),
    }
}

fn unexpected() -> JobError {
    JobError::Crashed("an answer to another question".to_owned())
}
