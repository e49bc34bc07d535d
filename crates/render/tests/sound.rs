//! What is heard, by the samples of finished films.

mod common;

use common::*;
use serde_json::{Value, json};

/// One thousandth of a second: how far an onset may be off.
const MILLISECOND: f64 = 0.001;
/// Samples a second of the generated sounds.
const RATE: u32 = 48_000;

fn sound(id: u32, src: &str, more: Value) -> Value {
    let mut overlay = overlay(id, "sound", [0.0, 0.0, 1.0, 1.0], more);
    overlay["src"] = json!(src);
    overlay
}

fn film(fps: u32, seconds: f64, overlays: &[Value]) -> Value {
    composition([32, 32], fps, (seconds * f64::from(fps)).round() as u32, overlays)
}

/// A mono WAV file of a function of time.
fn wav(studio: &Studio, name: &str, seconds: f64, at: impl Fn(f64) -> f64) {
    let frames = (seconds * f64::from(RATE)) as usize;
    studio.wav(name, RATE, 1, frames, |frame| at(frame as f64 / f64::from(RATE)));
}

/// A second of silence, then a tone to the end.
fn late_tone(hertz: f64) -> impl Fn(f64) -> f64 {
    move |seconds| if seconds < 1.0 { 0.0 } else { tone(hertz, 0.5, seconds) }
}

#[track_caller]
fn assert_pulse(heard: &Sound, at: f64, what: &str) {
    let found = heard.peak((at - 0.1).max(0.0), at + 0.1);
    assert!((found - at).abs() <= MILLISECOND, "{what}: heard at {found} s, not {at} s");
    assert!(heard.span(found, found + 0.000_1)[0].abs() > 0.3, "{what}: too quiet");
}

#[test]
fn pulses_are_heard_where_the_timeline_puts_them() {
    let studio = Studio::new();
    let pulses = [0.25, 0.9, 1.3, 2.05];
    wav(&studio, "pulses.wav", 3.0, |seconds| pulses.iter().map(|at| pulse(*at, seconds)).sum());
    for fps in [24, 30, 60] {
        let heard = studio.heard(&film(fps, 3.0, &[sound(1, "pulses.wav", json!({}))]));
        for at in pulses {
            assert_pulse(&heard, at, &format!("{fps} fps"));
        }
        // The decoder gives whole packets of 1024 samples.
        let samples = heard.left.len();
        assert!((144_000..144_000 + 1024).contains(&samples), "{samples} samples");
        assert_eq!(heard.left.len(), heard.right.len());
    }
}

#[test]
fn in_points_and_starts_shift_what_is_heard() {
    let studio = Studio::new();
    wav(&studio, "pulse.wav", 3.0, |seconds| pulse(1.5, seconds));
    let overlays = [
        sound(1, "pulse.wav", json!({"startFromSound": 1.25, "from": 10, "durationInFrames": 20})),
        sound(2, "pulse.wav", json!({"startFromSound": 0.4123, "from": 35, "durationInFrames": 60})),
    ];
    let heard = studio.heard(&film(30, 4.0, &overlays));
    assert_pulse(&heard, 10.0 / 30.0 + 0.25, "the first");
    assert_pulse(&heard, 35.0 / 30.0 + 1.0877, "the second");
    assert!(heard.level(3.2, 4.0) < 1e-3, "silence behind");
    let early = sound(1, "pulse.wav", json!({"from": -30}));
    assert_pulse(&studio.heard(&film(30, 2.0, &[early])), 0.5, "a start before the film");
}

#[test]
fn sound_begins_and_ends_with_its_overlay() {
    let studio = Studio::new();
    wav(&studio, "tone.wav", 4.0, |seconds| tone(1000.0, 0.5, seconds));
    let span = json!({"from": 15, "durationInFrames": 30, "startFromSound": 0.3});
    let heard = studio.heard(&film(30, 2.5, &[sound(1, "tone.wav", span)]));
    let loud: Vec<usize> = (0..heard.left.len()).filter(|index| heard.left[*index].abs() > 0.2).collect();
    let (first, last) = (loud[0] as f64 / 48_000.0, loud[loud.len() - 1] as f64 / 48_000.0);
    assert!((first - 0.5).abs() <= MILLISECOND, "it begins at {first}");
    assert!((last - 1.5).abs() <= MILLISECOND, "it ends at {last}");
    assert!(heard.level(0.0, 0.45) < 1e-3 && heard.level(1.55, 2.5) < 1e-3, "silence around it");
}

#[test]
fn sound_of_a_video_starts_at_its_in_point() {
    let studio = Studio::new();
    wav(&studio, "pulses.wav", 4.0, |seconds| pulse(1.2, seconds) + pulse(2.0, seconds));
    let picture = ["-f", "lavfi", "-i", "color=red:s=64x64:r=25:d=4", "-i", "pulses.wav"];
    studio.ffmpeg(&[&picture[..], &["-c:v", "libx264", "-c:a", "aac", "-b:a", "192k"]].concat(), "clip.mp4");
    let mut clip = overlay(1, "video", [0.0, 0.0, 32.0, 32.0], json!({"videoStartTime": 0.7, "from": 6}));
    clip["src"] = json!("clip.mp4");
    let heard = studio.heard(&film(30, 3.0, &[clip.clone()]));
    assert_pulse(&heard, 0.2 + 0.5, "the first");
    assert_pulse(&heard, 0.2 + 1.3, "the second");
    clip["styles"] = json!({"volume": 0});
    assert!(studio.heard(&film(30, 3.0, &[clip])).level(0.0, 3.0) < 1e-4, "volume 0 is silence");
}

#[test]
fn fades_are_straight_lines() {
    let studio = Studio::new();
    wav(&studio, "tone.wav", 4.0, |seconds| tone(1000.0, 0.5, seconds));
    let fades = json!({"durationInFrames": 90, "styles": {"fadeIn": 1, "fadeOut": 0.5}});
    let heard = studio.heard(&film(30, 3.0, &[sound(1, "tone.wav", fades)]));
    for step in 0..29 {
        let middle = 0.1 + f64::from(step) * 0.1;
        let wanted = 0.5 * middle.min(1.0) * ((3.0 - middle) / 0.5).min(1.0);
        let found = heard.amplitude(1000.0, middle - 0.02, middle + 0.02);
        assert!((found - wanted).abs() < 0.012, "{found} instead of {wanted} at {middle} s");
    }
}

#[test]
fn volume_scales_and_tracks_add_up() {
    let studio = Studio::new();
    wav(&studio, "low.wav", 2.0, |seconds| tone(500.0, 0.4, seconds));
    wav(&studio, "high.wav", 2.0, |seconds| tone(3000.0, 0.4, seconds));
    let low = sound(1, "low.wav", json!({}));
    let high = sound(2, "high.wav", json!({"styles": {"volume": 0.25}}));
    let again = sound(3, "low.wav", json!({"styles": {"volume": 0.5}}));
    let heard = studio.heard(&film(30, 2.0, &[low, high, again]));
    let found = [500.0, 3000.0].map(|hertz| heard.amplitude(hertz, 0.5, 1.5));
    assert!((found[0] - 0.6).abs() < 0.01, "0.4 + 0.2 at 500 Hz, not {}", found[0]);
    assert!((found[1] - 0.1).abs() < 0.01, "0.1 at 3 kHz, not {}", found[1]);
}

#[test]
fn loud_mixes_stay_below_full_scale() {
    let studio = Studio::new();
    wav(&studio, "tone.wav", 1.0, |seconds| tone(300.0, 0.9, seconds));
    let tracks: Vec<Value> = (0..4).map(|id| sound(id, "tone.wav", json!({}))).collect();
    let heard = studio.heard(&film(30, 1.0, &tracks));
    let peak = heard.left.iter().fold(0.0f32, |peak, value| peak.max(value.abs()));
    assert!((0.8..1.0).contains(&peak), "a peak of {peak}");
    let span = heard.amplitude(300.0, 0.3, 0.7);
    let third = heard.amplitude(900.0, 0.3, 0.7);
    assert!(third < 0.02 * span, "limited, not clipped: {third} at the third harmonic of {span}");
}

#[test]
fn cuts_do_not_click() {
    let studio = Studio::new();
    wav(&studio, "tone.wav", 3.0, |seconds| tone(200.0, 0.6, seconds));
    // 1.25 ms into the tone is its crest: both cuts fall where a plain cut would jump by 0.6.
    let cut = json!({"startFromSound": 0.301_25, "from": 15, "durationInFrames": 30});
    let heard = studio.heard(&film(30, 2.0, &[sound(1, "tone.wav", cut)]));
    let steepest = heard.left.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f32::max);
    assert!(steepest < 0.06, "a jump of {steepest} between two samples");
}

#[test]
fn twice_the_speed_halves_the_length_and_keeps_the_pitch() {
    let studio = Studio::new();
    wav(&studio, "tone.wav", 4.0, late_tone(1000.0));
    let heard = studio.heard(&film(30, 3.0, &[sound(1, "tone.wav", json!({"speed": 2}))]));
    assert!(heard.level(0.05, 0.45) < 1e-2, "a second of silence has become half a second");
    assert!(heard.level(2.05, 3.0) < 1e-2, "four seconds have become two");
    assert!((heard.level(0.6, 1.9) - 0.5 / 2f64.sqrt()).abs() < 0.03, "as loud as before");
    let crossings = heard.span(0.7, 1.7).windows(2).filter(|pair| pair[0] < 0.0 && pair[1] >= 0.0).count();
    assert!(crossings.abs_diff(1000) <= 5, "{crossings} Hz");
    let onset = heard.left.iter().position(|value| value.abs() > 0.25).expect("a tone") as f64 / 48_000.0;
    assert!((onset - 0.5).abs() < 0.02, "the tone starts at {onset}");
}

#[test]
fn a_clip_is_heard_segment_by_segment_with_its_pitch_and_its_fades() {
    let studio = Studio::new();
    // Two tones, the second from 3 s on.
    wav(&studio, "tones.wav", 6.0, |seconds| tone(if seconds < 3.0 { 500.0 } else { 800.0 }, 0.5, seconds));
    let video = "-f lavfi -i color=gray:s=32x32:r=30:d=6 -i tones.wav -c:v libx264 -c:a aac -b:a 256k";
    studio.ffmpeg(&video.split(' ').collect::<Vec<_>>(), "clip.mp4");
    let mut clip = overlay(1, "video", [0.0, 0.0, 32.0, 32.0], json!({"durationInFrames": 90}));
    clip["src"] = json!("clip.mp4");
    clip["segments"] =
        json!([{"startFrame": 95, "endFrame": 155, "speed": 2}, {"startFrame": 0, "endFrame": 30}]);
    clip["styles"] = json!({"fadeIn": 0.4});
    let heard = studio.heard(&film(30, 3.0, &[clip]));
    assert!((heard.amplitude(800.0, 0.5, 0.9) - 0.5).abs() < 0.05, "twice as fast, no higher");
    assert!(heard.amplitude(1600.0, 0.5, 0.9) < 0.02);
    assert!((heard.amplitude(500.0, 1.1, 1.9) - 0.5).abs() < 0.05, "the second segment");
    assert!(heard.amplitude(800.0, 1.1, 1.9) < 0.02);
    assert!(heard.level(2.1, 2.9) < 0.005, "nothing after the last segment");
    assert!((heard.amplitude(800.0, 0.19, 0.21) - 0.25).abs() < 0.06, "half faded in");
}

#[test]
fn silent_video_beside_sound_is_fine() {
    let studio = Studio::new();
    studio.numbered("mute.mp4", "30", 30, "", LONG_GOP);
    wav(&studio, "tone.wav", 1.0, |seconds| tone(1000.0, 0.5, seconds));
    let mut clip = overlay(1, "video", [0.0, 0.0, 32.0, 32.0], json!({}));
    clip["src"] = json!("mute.mp4");
    let heard = studio.heard(&film(30, 1.0, &[clip, sound(2, "tone.wav", json!({}))]));
    assert!((heard.amplitude(1000.0, 0.2, 0.8) - 0.5).abs() < 0.01);
}

#[test]
fn mono_is_heard_on_both_sides_and_stereo_keeps_its_sides() {
    let studio = Studio::new();
    wav(&studio, "mono.wav", 1.0, |seconds| tone(1000.0, 0.5, seconds));
    let mono = studio.heard(&film(30, 1.0, &[sound(1, "mono.wav", json!({}))]));
    let apart = mono.left.iter().zip(&mono.right).map(|(l, r)| (l - r).abs()).fold(0.0, f32::max);
    assert!(apart < 0.01, "the sides differ by {apart}");
    assert!((mono.amplitude(1000.0, 0.2, 0.8) - 0.5).abs() < 0.01);
    studio.ffmpeg(&["-i", "mono.wav", "-af", "pan=stereo|c0=0*c0|c1=c0"], "right.wav");
    let right = studio.heard(&film(30, 1.0, &[sound(1, "right.wav", json!({}))]));
    assert!(right.level(0.1, 0.9) < 0.005, "the left is silent");
    let loudest = right.right.iter().fold(0.0f32, |peak, value| peak.max(value.abs()));
    assert!(loudest > 0.45, "the right is not: {loudest}");
}

#[test]
fn nothing_drifts_over_ten_minutes() {
    let studio = Studio::new();
    let times = [0.5, 61.0, 299.9, 480.25, 599.0];
    // Another sampling rate than the film's, so that a wrong ratio would add up.
    let frames = 600 * 44_100;
    studio.wav("long.wav", 44_100, 1, frames, |frame| {
        let seconds = frame as f64 / 44_100.0;
        times.iter().map(|at| pulse(*at, seconds)).sum()
    });
    let heard = studio.heard(&film(5, 600.0, &[sound(1, "long.wav", json!({}))]));
    for at in times {
        assert_pulse(&heard, at, "ten minutes");
    }
    assert_eq!(heard.left.len(), 600 * 48_000);
}
