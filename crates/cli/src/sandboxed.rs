//! `--sandbox`: the same sandboxed processes as those of the service open and paint a film, and listen to a recording. This
//! process reads the composition and downloads media, and decodes nothing.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rondo_composition::{Composition, Finish};
use rondo_jobs::{
    Answer, CheckJob, Done, Failure, Finding, Job, JobError, JobProgress, Jobs, JobsSettings, Limits,
    ListenJob, Look, MediaFiles, Mode, PicturesJob, Priority, RenderJob, RenderReport, Request, Stop,
    Stretch, TranscribeJob,
};
use rondo_media::MONO_RATE;
use rondo_render::{ChunkCache, Locate};
use rondo_service::sandbox_in;
use rondo_service::speech::{LocalTranscriber, SpeechChildren};
use rondo_speech::{Confined, Sound, Transcript, Word};
use tempfile::TempDir;

use crate::fonts::{fetched_families, fonts_for};
use crate::input::{Input, sentence};
use crate::{interrupt, locate, print_stderr};

/// Memory of a process in bytes, as for jobs of the service.
const MEMORY: u64 = 2048 << 20;
/// The film is the user's own: its processor time is only bounded so that nothing runs forever.
const CPU_SECONDS: u64 = 24 * 60 * 60;
const FILE_SIZE: u64 = 1 << 40;
/// Longest recording in seconds, as that of the service.
const MOST_SECONDS: f64 = 3600.0;
/// Bytes of its samples.
const MOST_SAMPLES: u64 = 4 * MONO_RATE as u64 * 3601;
/// How often a render looks for Ctrl-C.
const LOOK_FOR_INTERRUPT: Duration = Duration::from_millis(50);

/// Sandboxed processes.
pub struct Sandbox {
    jobs: Arc<Jobs>,
    scratch: TempDir,
}

/// A film whose media only sandboxed processes read.
pub struct SandboxedFilm {
    pub composition: Composition,
    pub finish: Finish,
    input_findings: Vec<Finding>,
    sandbox: Sandbox,
    media: MediaFiles,
    /// Downloads, deleted with the film.
    _files: locate::MediaFiles,
}

impl Sandbox {
    /// Starts it. `near` is the folder of the output: finished files are moved from a folder beside it.
    pub fn start(mode: Mode, near: &Path) -> Result<Self, String> {
        let scratch = tempfile::Builder::new()
            .prefix(".rondo-")
            .tempdir_in(near)
            .map_err(|e| format!("Failed to create a folder in {}: {e}.", near.display()))?;
        let folder = std::path::absolute(scratch.path()).map_err(|e| e.to_string())?;
        let settings = JobsSettings {
            fetched_fonts: fetched_families(),
            ..sandbox_in(&folder, folder.join("drafts"), mode, Vec::new())
        };
        let jobs = Jobs::start(settings).map_err(|e| e.to_string())?;
        for warning in &jobs.font_warnings {
            print_stderr(&format!("Warning: {warning}"));
        }
        for (layer, reason) in jobs.missing_layers() {
            print_stderr(&format!("Warning: The sandbox lacks {}: {reason}.", layer.name()));
        }
        Ok(Self { jobs: Arc::new(jobs), scratch })
    }

    /// Opens a film, and says what is wrong with it.
    pub fn check(
        &self,
        composition: &Composition,
        media: &MediaFiles,
        try_pictures: bool,
    ) -> Result<Vec<Finding>, String> {
        let job = CheckJob { composition: composition.write(), media: media.clone(), try_pictures };
        let done = self.run(Job::Check(Box::new(job)), opened(media), None, &mut |_| {})?;
        let Answer::Checked(findings) = done.answer else { return Err(unexpected()) };
        Ok(findings)
    }

    /// The voices and the aligner of this machine, in sandboxed processes.
    pub fn speech(&self) -> Arc<dyn Confined> {
        let scratch = self.scratch.path().to_owned();
        Arc::new(SpeechChildren::new(self.jobs.clone(), limits(), scratch))
    }

    /// Decodes the sound of a recording: a file of samples. `None` if it has no sound.
    pub fn listen(&self, recording: &Path) -> Result<Option<File>, String> {
        let file = File::open(recording)
            .map_err(|error| format!("{} cannot be read: {error}.", recording.display()))?;
        let job = ListenJob {
            path: recording.to_owned(),
            stretches: vec![Stretch { from: 0.0, to: None, at: 0.0, speed: 1.0 }],
            most_seconds: MOST_SECONDS,
        };
        let done = match self.try_run(Job::Listen(job), vec![(recording.to_owned(), file)], None, &mut |_| {})
        {
            Err(JobError::Failed(Failure::NoSound)) => return Ok(None),
            Err(JobError::Failed(Failure::TooLong)) => {
                return Err(format!(
                    "{} is longer than {} minutes, the limit with --sandbox.",
                    recording.display(),
                    MOST_SECONDS / 60.0
                ));
            }
            done => done.map_err(explained)?,
        };
        let samples = done.open_file(ListenJob::FILE);
        samples.map(Some).map_err(|error| format!("The recording cannot be read: {error}."))
    }

    /// Writes down what is said in samples, with the engine of this machine.
    pub fn transcribe(
        &self,
        samples: File,
        language: Option<String>,
        engine: &LocalTranscriber,
    ) -> Result<Transcript, String> {
        let name = PathBuf::from("samples");
        let LocalTranscriber { folder, whisper_model } = engine.clone();
        let job = TranscribeJob { samples: name.clone(), language, folder, whisper_model };
        let done = self.run(Job::Transcribe(job), vec![(name, samples)], None, &mut |_| {})?;
        let Answer::Transcript { words, language } = done.answer else { return Err(unexpected()) };
        let words = words.into_iter().map(|word| Word {
            text: word.text,
            start_ms: word.start_ms,
            end_ms: word.end_ms,
            confidence: word.confidence,
        });
        Ok(Transcript { words: words.collect(), language })
    }

    fn run(
        &self,
        job: Job,
        files: Vec<(PathBuf, File)>,
        chunks: Option<ChunkCache>,
        progress: &mut dyn FnMut(JobProgress),
    ) -> Result<Done, String> {
        self.try_run(job, files, chunks, progress).map_err(explained)
    }

    fn try_run(
        &self,
        job: Job,
        files: Vec<(PathBuf, File)>,
        chunks: Option<ChunkCache>,
        progress: &mut dyn FnMut(JobProgress),
    ) -> Result<Done, JobError> {
        let request = Request {
            job,
            files,
            limits: limits(),
            chunks: chunks.map(|cache| rondo_jobs::AccountChunks {
                cache,
                account: String::new(),
                board: None,
            }),
        };
        let stop = Stop::default();
        let ended = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !ended.load(std::sync::atomic::Ordering::Relaxed) && !interrupt::cancelled() {
                    std::thread::sleep(LOOK_FOR_INTERRUPT);
                }
                if interrupt::cancelled() {
                    stop.stop();
                }
            });
            let done = self.jobs.run(request, &stop, progress);
            ended.store(true, std::sync::atomic::Ordering::Relaxed);
            done
        })
    }
}

/// Media by address, with absolute paths: the working folder of a sandboxed process is another one.
pub fn located(files: &locate::MediaFiles, composition: &Composition) -> MediaFiles {
    let overlays = composition.overlays.iter().flat_map(|overlay| overlay.media());
    let fonts = composition.font_faces.iter().map(|face| face.src.as_str());
    let addresses = overlays.map(|source| source.address).chain(fonts);
    let media = addresses.map(|address| {
        let address = address.to_owned();
        let path =
            files.locate(&address).and_then(|path| std::path::absolute(path).map_err(|e| e.to_string()));
        (address, path)
    });
    MediaFiles(media.collect())
}

/// The samples of a recording.
pub fn sound_of(samples: &File) -> std::io::Result<Sound> {
    let mut bytes = Vec::new();
    samples.take(MOST_SAMPLES).read_to_end(&mut bytes)?;
    let (samples, _) = bytes.as_chunks::<4>();
    let samples = samples.iter().map(|sample| f32::from_le_bytes(*sample)).collect();
    Ok(Sound { samples, rate: MONO_RATE })
}

fn opened(media: &MediaFiles) -> Vec<(PathBuf, File)> {
    media.0.values().flatten().filter_map(|path| Some((path.clone(), File::open(path).ok()?))).collect()
}

fn limits() -> Limits {
    Limits {
        memory: MEMORY,
        cpu_seconds: CPU_SECONDS,
        time: None,
        file_size: FILE_SIZE,
        open_files: 1024,
        threads: 512,
        priority: Priority::Normal,
    }
}

impl SandboxedFilm {
    /// Starts the sandbox. `near` is the folder of the output: finished files are moved from a folder beside it.
    pub fn open(input: Input, mode: Mode, near: &Path) -> Result<Self, String> {
        fonts_for(&input.composition)?;
        let sandbox = Sandbox::start(mode, near)?;
        let files = locate::MediaFiles::new(input.base.clone())?;
        Ok(Self {
            media: located(&files, &input.composition),
            input_findings: input.notices.iter().map(Finding::from).collect(),
            composition: input.composition,
            finish: input.finish,
            sandbox,
            _files: files,
        })
    }

    /// All findings, the most severe first.
    pub fn check(&self, try_pictures: bool) -> Result<Vec<Finding>, String> {
        let found = self.sandbox.check(&self.composition, &self.media, try_pictures)?;
        Ok(most_severe_first(self.input_findings.iter().cloned().chain(found).collect()))
    }

    /// Prints warnings to standard error.
    pub fn warn(&self) -> Result<(), String> {
        for finding in self.check(false)?.iter().filter(|finding| finding.severity == "warning") {
            print_stderr(&sentence(finding));
        }
        Ok(())
    }

    /// Renders to the file `to`.
    pub fn render(
        &self,
        job: RenderJob,
        chunks: Option<ChunkCache>,
        progress: &mut dyn FnMut(JobProgress),
        to: &Path,
    ) -> Result<RenderReport, String> {
        let job = RenderJob {
            composition: self.composition.write(),
            media: self.media.clone(),
            has_chunk_cache: chunks.is_some(),
            cpu_seconds: CPU_SECONDS,
            ..job
        };
        let done = self.run(Job::Render(Box::new(job)), chunks, progress)?;
        let Answer::Rendered(report) = &done.answer else { return Err(unexpected()) };
        take(&done, RenderJob::FILE, to)?;
        Ok(report.clone())
    }

    /// Draws pictures to files: one per frame, or all on a contact sheet.
    pub fn draw(&self, frames: Vec<u32>, look: Look, to: &[PathBuf]) -> Result<(), String> {
        let job = PicturesJob {
            composition: self.composition.write(),
            media: self.media.clone(),
            frames,
            look,
            leave_out: false,
            seconds: CPU_SECONDS,
        };
        let done = self.run(Job::Pictures(Box::new(job)), None, &mut |_| {})?;
        let Answer::Pictures { .. } = done.answer else { return Err(unexpected()) };
        for (number, path) in to.iter().enumerate() {
            take(&done, &rondo_jobs::DrawnPicture::file(number), path)?;
        }
        Ok(())
    }

    fn run(
        &self,
        job: Job,
        chunks: Option<ChunkCache>,
        progress: &mut dyn FnMut(JobProgress),
    ) -> Result<Done, String> {
        self.sandbox.run(job, opened(&self.media), chunks, progress)
    }
}

/// Findings in the order in which they are told.
pub fn most_severe_first(mut findings: Vec<Finding>) -> Vec<Finding> {
    findings.sort_by_key(|finding| {
        ["error", "warning", "info"].iter().position(|known| *known == finding.severity)
    });
    findings
}

fn take(done: &Done, name: &str, to: &Path) -> Result<(), String> {
    done.take_file(name, to).map_err(|e| format!("{} cannot be written: {e}.", to.display()))
}

fn unexpected() -> String {
    "The sandboxed process sent an unexpected answer.".to_owned()
}

fn explained(error: JobError) -> String {
    match error {
        JobError::Stopped => "Cancelled. No film was written.".to_owned(),
        JobError::Failed(Failure::Media(problems)) => {
            problems.iter().map(|(path, reason)| format!("{path}: {reason}")).collect::<Vec<_>>().join("\n")
        }
        JobError::Failed(Failure::OutOfMemory) => format!(
            "The film needs more memory than the limit of {} MB. Use smaller pictures, fewer overlays at a time, or a smaller size.",
            MEMORY >> 20
        ),
        JobError::Failed(Failure::Input(message)) => message,
        error => format!("The sandboxed process failed: {error}."),
    }
}
