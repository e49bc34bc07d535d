//! `rondo render`.

use std::num::NonZeroUsize;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use rondo_composition::{Composition, Finish, Output as WantedOutput, OutputQuality, VideoCodec};
use rondo_jobs::{Chunks, JobProgress, Mode, RenderJob, RenderReport};
use rondo_media::load_ffmpeg;
use rondo_render::{
    ARCHIVE, ChunkCount, ChunkStore, Format, Output, Progress, RenderError, RenderOptions, Report, Timings,
    Wanted,
};
use serde_json::json;

use crate::input::{Input, open_film};
use crate::picture::parent;
use crate::sandboxed::SandboxedFilm;
use crate::{Outcome, args, interrupt, print, print_stderr};

/// Interval between progress lines with `--json`.
const REPORT_EVERY: Duration = Duration::from_millis(200);

const CANCELLED: &str = "Cancelled. No film was written.";

pub fn run(args: &args::Render) -> Outcome {
    let kind = Kind::of(args)?;
    check_target(&args.output, &kind)?;
    if let Some(mode) = args.source.sandbox.mode {
        return sandboxed(args, &kind, mode);
    }
    std::thread::scope(|scope| {
        if matches!(kind, Kind::File(format) if !format.is_picture()) {
            // Loads FFmpeg while the film is opened. A failure is reported where FFmpeg is first needed.
            scope.spawn(load_ffmpeg);
        }
        render(args, kind)
    })
}

fn render(args: &args::Render, kind: Kind) -> Outcome {
    if args.timings {
        Timings::begin();
    }
    let cancel = interrupt::watch()?;
    let mut opened = match open_film(&args.source, args.frames) {
        Err(_) if interrupt::cancelled() => return Err(CANCELLED.into()),
        opened => opened?,
    };
    let wanted = Wanted::of(Some(&wanted(args, &kind, opened.film.composition())?), false);
    let finish = Finish { loudness: args.loudness.or(opened.finish.loudness), ..opened.finish };
    let options = RenderOptions {
        wanted,
        finish,
        chunks: args.chunks.open()?.map(|cache| Arc::new(cache) as Arc<dyn ChunkStore>),
        encode_every_frame: args.encode_every_frame,
        workers: args.workers.and_then(|n| NonZeroUsize::new(n as usize)),
        ..RenderOptions::default()
    };
    let output = match kind {
        Kind::RawFrames => Output::RawFrames(args.output.clone()),
        Kind::Folder(_) => Output::Folder(args.output.clone()),
        Kind::File(_) | Kind::Archive(_) => Output::File(args.output.clone()),
    };
    let result = if args.json {
        let mut lines = JsonLines::default();
        opened.film.render(&output, &options, &mut |p| lines.show(p), cancel)
    } else {
        let bar = progress_bar();
        let result = opened.film.render(&output, &options, &mut |p| show(&bar, p), cancel);
        bar.finish_and_clear();
        result
    };
    match result {
        Ok(report) => finished(&report, args),
        Err(RenderError::Cancelled) => Err(CANCELLED.into()),
        Err(error) => Err(error.to_string()),
    }
}

/// Renders in a sandboxed process.
fn sandboxed(args: &args::Render, kind: &Kind, mode: Mode) -> Outcome {
    if let Kind::Folder(_) = kind {
        return Err("With --sandbox, images are written to a .zip archive, not to a folder.".into());
    }
    if let Kind::File(Format::Hls) = kind {
        return Err(
            "With --sandbox, films are written to one file. Use .mp4, or render without --sandbox.".into()
        );
    }
    interrupt::watch()?;
    let input = Input::read(&args.source, args.frames).map_err(|e| e.to_string())?;
    let output = wanted(args, kind, &input.composition)?;
    let film = SandboxedFilm::open(input, mode, parent(&args.output))?;
    film.warn()?;
    let started = Instant::now();
    let finish = Finish { loudness: args.loudness.or(film.finish.loudness), ..film.finish.clone() };
    let job = RenderJob {
        output: Some(output.write()),
        audio: Some(finish.write()),
        encode_every_frame: args.encode_every_frame,
        workers: args.workers.map(|count| count as usize),
        ..RenderJob::default()
    };
    let now = |progress: JobProgress| Progress {
        frame: progress.frame,
        total: progress.total,
        chunks: count(progress.chunks),
        elapsed: started.elapsed(),
    };
    let (mut lines, bar) = (JsonLines::default(), (!args.json).then(progress_bar));
    let mut report_progress = |progress: JobProgress| match &bar {
        Some(bar) => show(bar, now(progress)),
        None => lines.show(now(progress)),
    };
    let report = film.render(job, args.chunks.open()?, &mut report_progress, &args.output);
    bar.iter().for_each(ProgressBar::finish_and_clear);
    let report = report?;
    let bytes = std::fs::metadata(&args.output).map_or(0, |facts| facts.len());
    let RenderReport { width, height, frames, loudness, cache_problem, elapsed_ms, chunks, also: _ } = report;
    let elapsed = Duration::from_millis(elapsed_ms);
    let chunks = count(chunks);
    finished(&Report { width, height, frames, bytes, chunks, loudness, cache_problem, elapsed }, args)
}

fn count(Chunks { total, rendered, reused }: Chunks) -> ChunkCount {
    ChunkCount { total, rendered, reused }
}

/// The kind of output.
enum Kind {
    File(Format),
    /// A ZIP archive with one image per frame.
    Archive(Format),
    /// A folder with one image per frame.
    Folder(Format),
    RawFrames,
}

impl Kind {
    /// Determined by the extension of the output and by `--format`.
    fn of(args: &args::Render) -> Result<Self, String> {
        let output = &args.output;
        if args.raw {
            return Ok(Self::RawFrames);
        }
        let given = args.format.as_deref().and_then(Format::named);
        let is_folder = output.is_dir() || output.as_os_str().as_encoded_bytes().ends_with(b"/");
        if let Some(format) = given.filter(|format| is_folder && format.is_picture()) {
            return Ok(Self::Folder(format));
        }
        let extension = output.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
        let shown = output.display();
        match (extension.as_deref(), given) {
            (Some(extension), None) if extension == ARCHIVE.0 => Ok(Self::Archive(Format::Png)),
            (Some(extension), Some(format)) if extension == ARCHIVE.0 && format.is_picture() => {
                Ok(Self::Archive(format))
            }
            (Some(extension), Some(format)) if extension == ARCHIVE.0 => Err(format!(
                "{shown} is an archive of images, which cannot contain {0}. Use --format png, jpg or webp, or the extension .{0}.",
                format.name()
            )),
            (Some(extension), given) => match (Format::of_ending(extension), given) {
                (Some(format), Some(other)) if format != other => Err(format!(
                    "{shown} has the extension of a {} file, but --format is {}.",
                    format.name(),
                    other.name()
                )),
                (Some(format), _) | (None, Some(format)) => Ok(Self::File(format)),
                (None, None) => Err(format!(
                    "{shown} has an unknown extension. Use one of {} or zip, or set --format.",
                    Format::ALL.iter().map(|format| format.ending()).collect::<Vec<_>>().join(", ")
                )),
            },
            (None, given) => Ok(Self::File(given.unwrap_or_default())),
        }
    }
}

/// The options as the `output` of a request, checked against the composition.
fn wanted(args: &args::Render, kind: &Kind, composition: &Composition) -> Result<WantedOutput, String> {
    let (format, is_sequence) = match kind {
        Kind::File(format) => (*format, false),
        Kind::Archive(format) | Kind::Folder(format) => (*format, true),
        Kind::RawFrames => (Format::default(), false),
    };
    let all = is_sequence.then_some((0, composition.duration.saturating_sub(1)));
    let output = WantedOutput {
        format: Some(format),
        codec: args.codec.as_deref().and_then(VideoCodec::named),
        quality: Some(match args.quality {
            _ if args.draft => OutputQuality::Draft,
            args::Quality::Draft => OutputQuality::Draft,
            args::Quality::Standard => OutputQuality::Standard,
            args::Quality::High => OutputQuality::High,
        }),
        alpha: args.alpha,
        frame: args.frame,
        range: args.range.or(all),
        scale: args.scale,
        also: None,
        destination: None,
    };
    match Wanted::of(Some(&output), false).recipe(composition) {
        Ok(_) => Ok(output),
        Err(refusal) => Err(format!("--{}: {refusal}.", refusal.field)),
    }
}

/// Checks that the output folder exists before the render starts.
fn check_target(output: &Path, kind: &Kind) -> Result<(), String> {
    if matches!(kind, Kind::Folder(_)) {
        return Ok(());
    }
    let folder = parent(output);
    if output.is_dir() {
        return Err(format!("{} is a folder. Specify a file, for example film.mp4.", output.display()));
    }
    if !folder.is_dir() {
        return Err(format!("{} cannot be written: the folder does not exist.", output.display()));
    }
    Ok(())
}

fn progress_bar() -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:32} {percent:>3}%  frame {pos}/{len}  {msg}");
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

fn show(bar: &ProgressBar, progress: Progress) {
    bar.set_length(u64::from(progress.total));
    bar.set_position(u64::from(progress.frame));
    let left = Duration::from_secs_f64(seconds_left(progress));
    bar.set_message(format!("{:.0} fps  {} left", fps(progress), HumanDuration(left)));
}

fn fps(progress: Progress) -> f64 {
    f64::from(progress.frame) / progress.elapsed.as_secs_f64().max(1e-6)
}

fn seconds_left(progress: Progress) -> f64 {
    f64::from(progress.total - progress.frame) / fps(progress).max(1e-6)
}

/// Prints progress as JSON lines: the first frame, the last frame, and a few times per second.
#[derive(Default)]
struct JsonLines {
    last: Option<Instant>,
}

impl JsonLines {
    fn show(&mut self, progress: Progress) {
        let due = self.last.is_none_or(|last| last.elapsed() >= REPORT_EVERY);
        if !due && progress.frame < progress.total {
            return;
        }
        self.last = Some(Instant::now());
        // A closed pipe does not stop the render.
        let _ = print(
            &json!({
                "event": "progress",
                "frame": progress.frame,
                "frames": progress.total,
                "chunks": chunks(progress.chunks),
                "percent": u64::from(progress.frame) * 100 / u64::from(progress.total.max(1)),
                "fps": round(fps(progress)),
                "secondsLeft": round(seconds_left(progress)),
            })
            .to_string(),
        );
    }
}

fn chunks(count: ChunkCount) -> serde_json::Value {
    json!({"total": count.total, "rendered": count.rendered, "reused": count.reused})
}

fn round(v: f64) -> f64 {
    (v * 10.0).round() / 10.0
}

fn finished(report: &Report, args: &args::Render) -> Outcome {
    if let Some(problem) = &report.cache_problem {
        print_stderr(&format!(
            "Warning: {problem}. The film is complete, but the next render cannot reuse all of its chunks."
        ));
    }
    if args.json {
        let mut done = json!({
            "event": "done",
            "output": args.output,
            "width": report.width,
            "height": report.height,
            "frames": report.frames,
            "bytes": report.bytes,
            "chunks": chunks(report.chunks),
            "milliseconds": report.elapsed.as_millis() as u64,
        });
        if let Some(lufs) = report.loudness {
            done["loudness"] = json!(round(lufs));
        }
        let Timings { stages, first_encoded } = Timings::so_far();
        if let Some(at) = first_encoded {
            done["firstEncodedAt"] = json!(at.as_millis() as u64);
        }
        if args.timings {
            let milliseconds = stages.iter().map(|(stage, time)| (*stage, time.as_secs_f64() * 1e3));
            done["stages"] = milliseconds.collect();
        }
        return print(&done.to_string());
    }
    let seconds = report.elapsed.as_secs_f64();
    let reused = match report.chunks.reused {
        0 => String::new(),
        n => format!(" {n} of {} chunks reused.", report.chunks.total),
    };
    let loudness = report.loudness.map(|lufs| format!(" {lufs:.1} LUFS.")).unwrap_or_default();
    print_stderr(&format!(
        "{}: {} frames of {} × {}, {}, in {seconds:.1} s ({:.0} fps).{reused}{loudness}",
        args.output.display(),
        report.frames,
        report.width,
        report.height,
        HumanBytes(report.bytes),
        f64::from(report.frames) / seconds.max(1e-6),
    ));
    Ok(ExitCode::SUCCESS)
}
