//! How the sound of a film is finished: as loud as asked for, and turned down under narration. Loudness and true peaks are
//! measured by `ffmpeg`.

mod common;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;

use common::*;
use rondo_composition::Finish;
use rondo_render::{Format, Output, RenderOptions, Report, Wanted, lacking_narration};
use serde_json::{Value, json};

const RATE: u32 = 48_000;

fn sound(id: u32, name: &str, more: Value) -> Value {
    let mut overlay = overlay(id, "sound", [0.0, 0.0, 1.0, 1.0], more);
    overlay["src"] = json!(format!("{name}.wav"));
    overlay["name"] = json!(name);
    overlay
}

fn film(seconds: u32, overlays: &[Value]) -> Value {
    composition([32, 32], 30, seconds * 30, overlays)
}

fn wav(studio: &Studio, name: &str, seconds: f64, at: impl Fn(f64) -> f64) {
    let frames = (seconds * f64::from(RATE)) as usize;
    studio.wav(name, RATE, 1, frames, |frame| at(frame as f64 / f64::from(RATE)));
}

/// Something like speech: syllables of a buzz, four a second, with a pause every two seconds and peaks far above the rest.
fn speech(seconds: f64) -> f64 {
    if seconds % 2.0 > 1.6 {
        return 0.0;
    }
    let syllable = (std::f64::consts::PI * (seconds * 4.0).fract()).sin().powi(2);
    let buzz: f64 = (1..12).map(|n| (1.0 / f64::from(n)) * tone(130.0 * f64::from(n), 1.0, seconds)).sum();
    0.4 * syllable * buzz
}

fn finished(studio: &Studio, film: &Value, name: &str, audio: &Value) -> (PathBuf, Report) {
    let path = studio.path(name);
    let ending = path.extension().and_then(|ending| ending.to_str()).expect("an ending");
    let wanted = Wanted { format: Format::of_ending(ending).expect("a format"), ..Wanted::default() };
    let finish = Finish::read(audio).expect("a finish");
    render(studio, film, &path, &RenderOptions { wanted, finish, ..RenderOptions::default() })
}

fn render(studio: &Studio, film: &Value, path: &Path, options: &RenderOptions) -> (PathBuf, Report) {
    let never = AtomicBool::new(false);
    let output = Output::File(path.to_owned());
    let report = studio.film(film).render(&output, options, &mut |_| {}, &never).expect("renders");
    (path.to_owned(), report)
}

/// Integrated loudness in LUFS and true peak in dBTP of a file.
fn measured(path: &Path) -> (f64, f64) {
    let mut command = Command::new("ffmpeg");
    command.args(["-nostdin", "-nostats", "-i"]).arg(path);
    let output = command.args(["-af", "ebur128=peak=true", "-f", "null", "-"]).output().expect("ffmpeg");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let summary = text.split("Summary:").nth(1).expect("a summary");
    let number = |label: &str| {
        let rest = summary.split(label).nth(1).and_then(|rest| rest.split_whitespace().next());
        rest.and_then(|number| number.parse().ok()).expect("a number")
    };
    (number("I:"), number("Peak:"))
}

#[test]
fn quiet_and_loud_mixes_end_at_the_loudness_asked_for_below_the_ceiling() {
    let studio = Studio::new();
    wav(&studio, "Speech.wav", 6.0, speech);
    let voice = |id, volume: f64| sound(id, "Speech", json!({"styles": {"volume": volume}}));
    let quiet = film(6, &[voice(1, 0.02)]);
    let loud = film(6, &[voice(1, 1.0), voice(2, 1.0), voice(3, 1.0)]);
    for (what, film) in [("quiet", &quiet), ("loud", &loud)] {
        for (name, most) in [("sound.wav", -0.95), ("film.mp4", -0.5)] {
            let (path, report) = finished(&studio, film, name, &json!({"loudness": -14}));
            let (loudness, peak) = measured(&path);
            assert!((loudness + 14.0).abs() <= 0.5, "{what} {name}: {loudness} LUFS");
            assert!(peak <= most, "{what} {name}: {peak} dBTP");
            let told = report.loudness.expect("a loudness");
            assert!((told - loudness).abs() <= 0.15, "{told} LUFS reported, {loudness} measured");
        }
    }
    let (path, _) = finished(&studio, &loud, "sound.wav", &json!({"loudness": -30.5}));
    assert!((measured(&path).0 + 30.5).abs() <= 0.15, "nothing is limited, so it is exact");
}

#[test]
fn silence_stays_silence() {
    let studio = Studio::new();
    wav(&studio, "Silence.wav", 2.0, |_| 0.0);
    let films = [film(2, &[sound(1, "Silence", json!({}))]), film(2, &[])];
    for film in films {
        let (path, report) = finished(&studio, &film, "sound.wav", &json!({"loudness": -14}));
        assert_eq!(report.loudness, None);
        assert!(Sound::decode(&path).left.iter().all(|sample| *sample == 0.0));
    }
}

#[test]
fn music_is_down_while_narration_is_heard_and_back_afterwards() {
    let studio = Studio::new();
    wav(&studio, "Music.wav", 8.0, |seconds| tone(1000.0, 0.25, seconds));
    wav(&studio, "Voice.wav", 2.0, |seconds| tone(300.0, 0.3, seconds));
    // Heard from 3 s to 5 s.
    let voice = sound(2, "Voice", json!({"from": 90}));
    let film = film(8, &[sound(1, "Music", json!({})), voice]);
    let plain = Sound::decode(&finished(&studio, &film, "plain.wav", &json!({})).0);
    let audio = json!({"ducking": {"narration": ["Voice"]}});
    let ducked = Sound::decode(&finished(&studio, &film, "ducked.wav", &audio).0);
    let music = |from: f64, to: f64| {
        20.0 * (ducked.amplitude(1000.0, from, to) / plain.amplitude(1000.0, from, to)).log10()
    };
    for (from, to) in [(0.0, 2.8), (6.0, 8.0)] {
        assert!(music(from, to).abs() < 0.05, "{} dB from {from} s to {to} s", music(from, to));
    }
    for (from, to) in [(3.0, 3.1), (3.1, 4.9), (4.9, 5.4)] {
        assert!((music(from, to) + 12.0).abs() < 0.1, "{} dB from {from} s to {to} s", music(from, to));
    }
    let voice = ducked.amplitude(300.0, 3.1, 4.9) / plain.amplitude(300.0, 3.1, 4.9);
    assert!((voice - 1.0).abs() < 0.001, "narration is never ducked: {voice}");
    let steepest =
        |sound: &Sound| sound.left.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f32::max);
    assert!(steepest(&ducked) <= steepest(&plain), "no edge that was not there");
}

#[test]
fn ducking_without_narration_changes_nothing_and_gives_a_notice() {
    let studio = Studio::new();
    wav(&studio, "Music.wav", 2.0, |seconds| tone(400.0, 0.9, seconds) + tone(970.0, 0.4, seconds));
    let film = film(2, &[sound(1, "Music", json!({}))]);
    let bytes =
        |name: &str, audio: Value| std::fs::read(finished(&studio, &film, name, &audio).0).expect("a file");
    let plain = bytes("plain.wav", json!({}));
    assert!(bytes("ducked.wav", json!({"ducking": true})) == plain);
    let told = lacking_narration(&Finish::read(&json!({"ducking": true})).expect("a finish"));
    assert_eq!(told.map(|notice| notice.code), Some("NARRATION_MISSING"));
    let named = Finish::read(&json!({"ducking": {"narration": ["Music"]}})).expect("a finish");
    assert!(lacking_narration(&named).is_none() && lacking_narration(&Finish::default()).is_none());
}

#[test]
fn workers_do_not_change_how_a_film_sounds() {
    let studio = Studio::new();
    wav(&studio, "Music.wav", 9.0, |seconds| tone(400.0, 0.9, seconds) + tone(970.0, 0.4, seconds));
    wav(&studio, "Voice.wav", 3.0, speech);
    let film = film(9, &[sound(1, "Music", json!({})), sound(2, "Voice", json!({"from": 60}))]);
    let finish =
        Finish::read(&json!({"loudness": -14, "ducking": {"narration": ["Voice"]}})).expect("a finish");
    let bytes = |workers| {
        let workers = NonZeroUsize::new(workers);
        let options = RenderOptions { finish: finish.clone(), workers, ..RenderOptions::default() };
        std::fs::read(render(&studio, &film, &studio.path("film.mp4"), &options).0).expect("a film")
    };
    assert!(bytes(1) == bytes(3));
}
