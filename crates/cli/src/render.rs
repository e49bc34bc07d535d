//! `rondo render`.

use std::num::NonZeroUsize;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use rondo_render::{ChunkCount, Output, Progress, Quality, RenderError, RenderOptions, Report};
use serde_json::json;

use crate::input::open_film;
use crate::{Outcome, args, interrupt, print, tell};

/// Time between two progress lines of `--json`.
const REPORT_EVERY: Duration = Duration::from_millis(200);

const CANCELLED: &str = "Cancelled. No film was written.";

pub fn run(args: &args::Render) -> Outcome {
    check_target(&args.output)?;
    let cancel = interrupt::watch()?;
    let mut opened = match open_film(&args.source, args.frames) {
        Err(_) if interrupt::cancelled() => return Err(CANCELLED.into()),
        opened => opened?,
    };
    let options = RenderOptions {
        quality: match args.quality {
            args::Quality::Draft => Quality::Draft,
            args::Quality::Standard => Quality::Standard,
            args::Quality::High => Quality::High,
        },
        chunks: args.chunks.open()?,
        workers: args.workers.and_then(|n| NonZeroUsize::new(n as usize)),
        ..RenderOptions::default()
    };
    let output = match args.raw {
        true => Output::RawFrames(args.output.clone()),
        false => Output::Film(args.output.clone()),
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
        Ok(report) => {
            if let Some(problem) = &report.cache_problem {
                tell(&format!("{problem}. The film is whole, but the next render cannot use all of it."));
            }
            finished(&report, args)
        }
        Err(RenderError::Cancelled) => Err(CANCELLED.into()),
        Err(error) => Err(error.to_string()),
    }
}

/// The folder must exist before minutes are spent on a film for it.
fn check_target(output: &Path) -> Result<(), String> {
    let folder = output.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if output.is_dir() {
        return Err(format!("{} is a folder: name the file to write, as in film.mp4.", output.display()));
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

/// Progress as lines of JSON: the first frame, the last, and a few times a second.
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
        // The render goes on when nobody reads.
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
    if args.json {
        return print(
            &json!({
                "event": "done",
                "output": args.output,
                "width": report.width,
                "height": report.height,
                "frames": report.frames,
                "bytes": report.bytes,
                "chunks": chunks(report.chunks),
                "milliseconds": report.elapsed.as_millis() as u64,
            })
            .to_string(),
        );
    }
    let seconds = report.elapsed.as_secs_f64();
    let reused = match report.chunks.reused {
        0 => String::new(),
        n => format!(" {n} of {} chunks were there already.", report.chunks.total),
    };
    tell(&format!(
        "{}: {} frames of {} × {}, {}, in {seconds:.1} s ({:.0} fps).{reused}",
        args.output.display(),
        report.frames,
        report.width,
        report.height,
        HumanBytes(report.bytes),
        f64::from(report.frames) / seconds.max(1e-6),
    ));
    Ok(ExitCode::SUCCESS)
}
