//! `rondo doctor`: what this machine offers the service, each part tried.

use std::process::ExitCode;

use rondo_media::{PictureCodec, PictureSettings, Quality, encoder_sample, ffmpeg_version, load_ffmpeg};
use rondo_render::{codec_named, codec_names, load_fonts};
use rondo_sandbox::{Attempt, Mode};
use rondo_service::settings::Settings;
use rondo_service::{jobs_settings, open_store};
use rondo_speech::Speech;
use serde_json::{Map, Value, json};

use crate::{Outcome, args, pretty, print, serve};

pub fn run(args: &args::Doctor) -> Outcome {
    let settings = serve::settings(&args.settings)?;
    let parts = [
        ("database", database(&settings)),
        ("sandbox", sandbox(&settings)),
        ("ffmpeg", ffmpeg()),
        ("fonts", fonts()),
        ("speech", speech(&settings)),
        ("disk", disk(&settings)),
    ];
    let healthy = parts.iter().all(|(_, part)| part["ok"] == true);
    if args.json {
        let mut report: Map<String, Value> =
            parts.into_iter().map(|(name, part)| (name.to_owned(), part)).collect();
        report.insert("ok".to_owned(), healthy.into());
        print(&pretty(&Value::Object(report)))?;
    } else {
        for (name, part) in &parts {
            print(&lines(name, part))?;
        }
    }
    Ok(if healthy { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A part of the report as text.
fn lines(name: &str, part: &Value) -> String {
    let state = if part["ok"] == true { "ok" } else { "PROBLEM" };
    let mut text = format!("{name}: {state}");
    for (key, value) in part.as_object().into_iter().flatten().filter(|(key, _)| *key != "ok") {
        match value {
            Value::Object(entries) => {
                for (entry, value) in entries {
                    text.push_str(&format!("\n  {key} {entry}: {}", plain(value)));
                }
            }
            value => text.push_str(&format!("\n  {key}: {}", plain(value))),
        }
    }
    text
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Array(values) => values.iter().map(plain).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

fn problem(error: impl std::fmt::Display) -> Value {
    json!({"ok": false, "problem": error.to_string()})
}

/// Starts a child and lets it try what it must not be able to do.
fn sandbox(settings: &Settings) -> Value {
    let jobs = match rondo_jobs::Jobs::start(jobs_settings(settings)) {
        Ok(jobs) => jobs,
        Err(error) => return problem(error),
    };
    let layers: Map<String, Value> = jobs
        .layers
        .iter()
        .map(|report| {
            let state =
                report.missing.clone().map_or(json!("active"), |reason| json!(format!("missing: {reason}")));
            (report.layer.name().to_owned(), state)
        })
        .collect();
    let (attempts, program_attempts) = (refusals(&jobs.attempts), refusals(&jobs.program_attempts));
    let mode = match jobs.mode() {
        Mode::Required => "required",
        Mode::Auto => "auto",
        Mode::Off => "off",
    };
    let ok = jobs.mode() != Mode::Off
        && jobs.program().is_none_or(|(_, runs)| runs == Some(true))
        && attempts.values().chain(program_attempts.values()).all(|attempt| attempt == "refused")
        && jobs.missing_layers().next().is_none();
    let mut report = json!({"ok": ok, "mode": mode, "layers": layers, "attempts": attempts});
    if let Some((program, runs)) = jobs.program() {
        report["program"] = json!({"file": program, "runs": runs});
        report["programAttempts"] = Value::Object(program_attempts);
    }
    report
}

/// What a child was refused, without what it needs.
fn refusals(attempts: &[Attempt]) -> Map<String, Value> {
    let tried = attempts.iter().filter(|attempt| !attempt.is_needed());
    tried
        .map(|attempt| (attempt.name.clone(), json!(if attempt.refused { "refused" } else { "allowed" })))
        .collect()
}

fn ffmpeg() -> Value {
    if let Err(error) = load_ffmpeg() {
        return problem(error);
    }
    let version = ffmpeg_version();
    let opens = |codec: PictureCodec| {
        let settings = PictureSettings {
            width: 64,
            height: 64,
            fps: 30,
            quality: Quality::Draft,
            codec,
            alpha: false,
            repeat_frames: false,
        };
        encoder_sample(&settings).is_ok()
    };
    let codecs: Map<String, Value> = codec_names()
        .into_iter()
        .map(|name| (name.to_owned(), codec_named(name).is_some_and(opens).into()))
        .collect();
    let ok = codecs.get("h264") == Some(&Value::Bool(true));
    let version = format!("libavcodec {}.{}.{}", version >> 16, (version >> 8) & 255, version & 255);
    json!({"ok": ok, "version": version, "encoders": codecs})
}

fn fonts() -> Value {
    let (catalog, warnings) = load_fonts(&crate::fonts::font_settings());
    let families = catalog.families().len();
    json!({"ok": families > 0 && warnings.is_empty(), "families": families, "warnings": warnings})
}

fn speech(settings: &Settings) -> Value {
    let speech = Speech::open(settings.speech.clone(), None);
    let missing = speech.missing();
    json!({"ok": missing.is_empty(), "voices": speech.voices().len(), "languages": speech.languages(), "missing": missing})
}

fn database(settings: &Settings) -> Value {
    let kind = if settings.database_url.is_some() { "postgresql" } else { "sqlite" };
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return problem(error),
    };
    runtime.block_on(async {
        match open_store(settings).await {
            Ok(store) => {
                store.close().await;
                json!({"ok": true, "kind": kind})
            }
            Err(error) => json!({"ok": false, "kind": kind, "problem": error.to_string()}),
        }
    })
}

fn disk(settings: &Settings) -> Value {
    match rondo_store::free_disk(&settings.data) {
        Ok(free) if free < settings.min_free_disk_bytes => {
            let least = settings.min_free_disk_bytes / 1_000_000;
            let problem = format!("less than `min-free-disk-mb` ({least}) is free");
            json!({"ok": false, "freeMegabytes": free / 1_000_000, "problem": problem})
        }
        Ok(free) => json!({"ok": true, "freeMegabytes": free / 1_000_000}),
        Err(error) => problem(error),
    }
}
