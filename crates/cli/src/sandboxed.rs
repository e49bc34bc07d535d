//! `--sandbox`: the same sandboxed processes as those of the service open and paint a film. This process reads the composition
//! and downloads media, and decodes nothing.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rondo_composition::{Composition, Finish};
use rondo_jobs::{
    Answer, CheckJob, Done, Failure, Finding, Job, JobError, JobProgress, Jobs, JobsSettings, Limits, Look,
    MediaFiles, Mode, PicturesJob, Priority, RenderJob, RenderReport, Request, Stop,
};
use rondo_render::{ChunkCache, Locate};
use rondo_service::sandbox_in;
use tempfile::TempDir;

use crate::fonts::{fetched_families, fonts_for};
use crate::input::{Input, sentence};
use crate::{interrupt, locate, print_stderr};

/// Memory of a process in bytes, as for jobs of the service.
const MEMORY: u64 = 2048 << 20;
/// The film is the user's own: its processor time is only bounded so that nothing runs forever.
const CPU_SECONDS: u64 = 24 * 60 * 60;
const FILE_SIZE: u64 = 1 << 40;
/// How often a render looks for Ctrl-C.
const LOOK_FOR_INTERRUPT: Duration = Duration::from_millis(50);

/// A film whose media only sandboxed processes read.
pub struct SandboxedFilm {
    pub composition: Composition,
    pub finish: Finish,
    input_findings: Vec<Finding>,
    jobs: Jobs,
    media: MediaFiles,
    /// Downloads, deleted with the film.
    _files: locate::MediaFiles,
    _scratch: TempDir,
}

impl SandboxedFilm {
    /// Starts the sandbox. `near` is the folder of the output: finished files are moved from a folder beside it.
    pub fn open(input: Input, mode: Mode, near: &Path) -> Result<Self, String> {
        let scratch = tempfile::Builder::new()
            .prefix(".rondo-")
            .tempdir_in(near)
            .map_err(|e| format!("Failed to create a folder in {}: {e}.", near.display()))?;
        let folder = std::path::absolute(scratch.path()).map_err(|e| e.to_string())?;
        let settings = JobsSettings {
            fetched_fonts: fetched_families(),
            ..sandbox_in(&folder, folder.join("drafts"), mode, Vec::new())
        };
        fonts_for(&input.composition)?;
        let jobs = Jobs::start(settings).map_err(|e| e.to_string())?;
        for warning in &jobs.font_warnings {
            print_stderr(&format!("Warning: {warning}"));
        }
        for (layer, reason) in jobs.missing_layers() {
            print_stderr(&format!("Warning: The sandbox lacks {}: {reason}.", layer.name()));
        }
        let files = locate::MediaFiles::new(input.base.clone())?;
        let overlays = input.composition.overlays.iter().flat_map(|overlay| overlay.media());
        let fonts = input.composition.font_faces.iter().map(|face| face.src.as_str());
        let addresses = overlays.map(|source| source.address).chain(fonts);
        let media = addresses.map(|address| {
            let address = address.to_owned();
            let path =
                files.locate(&address).and_then(|path| std::path::absolute(path).map_err(|e| e.to_string()));
            (address, path)
        });
        Ok(Self {
            media: MediaFiles(media.collect()),
            input_findings: input.notices.iter().map(Finding::from).collect(),
            composition: input.composition,
            finish: input.finish,
            jobs,
            _files: files,
            _scratch: scratch,
        })
    }

    /// All findings, the most severe first.
    pub fn check(&self, try_pictures: bool) -> Result<Vec<Finding>, String> {
        let job = CheckJob { composition: self.composition.write(), media: self.media.clone(), try_pictures };
        let done = self.run(Job::Check(Box::new(job)), None, &mut |_| {})?;
        let Answer::Checked(findings) = done.answer else { return Err(unexpected()) };
        let mut all = self.input_findings.clone();
        all.extend(findings);
        all.sort_by_key(|finding| {
            ["error", "warning", "info"].iter().position(|known| *known == finding.severity)
        });
        Ok(all)
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
        let paths = self.media.0.values().flatten();
        let request = Request {
            job,
            files: paths.filter_map(|path| Some((path.clone(), File::open(path).ok()?))).collect(),
            read_only: Vec::new(),
            limits: Limits {
                memory: MEMORY,
                cpu_seconds: CPU_SECONDS,
                file_size: FILE_SIZE,
                open_files: 1024,
                threads: 512,
                priority: Priority::Normal,
            },
            chunks: chunks.map(|cache| rondo_jobs::AccountChunks {
                cache,
                account: String::new(),
                board: None,
            }),
        };
        let stop = Stop::default();
        let ended = std::sync::atomic::AtomicBool::new(false);
        let done = std::thread::scope(|scope| {
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
        });
        done.map_err(explained)
    }
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
