//! Decoded audio is sample-accurate.

mod support;

use std::path::{Path, PathBuf};

use rondo_media::AudioReader;
use support::ffmpeg;

const RATE: f64 = 48_000.0;

fn read_all(path: &Path, start: f64) -> Vec<f32> {
    let mut reader = AudioReader::open(path, start).expect("opens").expect("sound");
    let mut samples = Vec::new();
    let mut piece = [0.0; 3002];
    loop {
        let frames = reader.read(&mut piece).expect("reads");
        samples.extend_from_slice(&piece[..frames * 2]);
        if frames < piece.len() / 2 {
            return samples;
        }
    }
}

/// Seconds of the first loud sample.
fn onset(samples: &[f32]) -> f64 {
    let frame = samples.chunks_exact(2).position(|pair| pair[0].abs() > 0.2).expect("a loud sample");
    frame as f64 / RATE
}

/// Silence, then a tone from `onset` on.
fn tone_from(path: PathBuf, onset: f64, length: f64, rate: u32, channels: &str, coding: &str) -> PathBuf {
    let wave = format!("if(gte(t,{onset}),0.5*sin(2*PI*997*(t-{onset})),0)");
    let source = match channels {
        "mono" => format!("aevalsrc='{wave}':s={rate}:d={length}"),
        _ => format!("aevalsrc='{wave}|{wave}':s={rate}:d={length}"),
    };
    let mut arguments = vec!["-f", "lavfi", "-i", &source];
    arguments.extend(coding.split_whitespace());
    arguments.push(path.to_str().expect("text"));
    ffmpeg(&arguments);
    path
}

#[test]
fn onsets_are_within_a_millisecond_from_any_start_in_every_format() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, rate, coding) in [
        ("tone.wav", 44_100, ""),
        ("tone.wav", 48_000, "-c:a pcm_s24le"),
        ("tone.mp3", 44_100, "-c:a libmp3lame -b:a 192k"),
        ("variable.mp3", 44_100, "-c:a libmp3lame -q:a 3"),
        ("tone.m4a", 44_100, "-c:a aac -b:a 192k"),
        ("tone.m4a", 48_000, "-c:a aac -b:a 192k"),
        ("tone.aac", 48_000, "-c:a aac -b:a 192k"),
        ("tone.ogg", 44_100, "-c:a libvorbis -q:a 6"),
        ("tone.opus", 48_000, "-c:a libopus -b:a 160k"),
        ("tone.flac", 44_100, ""),
        ("tone.mkv", 44_100, "-c:a flac"),
        ("tone.webm", 48_000, "-c:a libopus -b:a 160k"),
    ] {
        let path = tone_from(folder.path().join(name), 5.5, 6.5, rate, "stereo", coding);
        // A bare AAC stream does not say how much of it is the encoder's run-in.
        let run_in = if name == "tone.aac" { 1024.0 / 48_000.0 } else { 0.0 };
        for start in [0.0, 0.7, 3.123, 5.45] {
            let found = onset(&read_all(&path, start)) + start;
            assert!(
                (found - 5.5 - run_in).abs() < 0.001,
                "{name} at {rate} Hz from {start}: onset at {found}"
            );
        }
    }
}

#[test]
fn lengths_are_exact_at_any_rate() {
    let folder = tempfile::tempdir().expect("a folder");
    for rate in [8_000, 22_050, 44_100, 48_000, 96_000] {
        let path = tone_from(folder.path().join("tone.wav"), 0.0, 2.0, rate, "stereo", "");
        let frames = read_all(&path, 0.0).len() / 2;
        assert!(frames.abs_diff(96_000) <= 1, "{rate} Hz: {frames} frames");
        let frames = read_all(&path, 1.5).len() / 2;
        assert!(frames.abs_diff(24_000) <= 1, "{rate} Hz from 1.5 s: {frames} frames");
    }
}

#[test]
fn ten_minutes_do_not_drift() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("long.wav");
    let rate = 44_100u32;
    let (loud, total) = (rate as usize * 599, rate as usize * 600);
    let mut bytes = Vec::with_capacity(total + 44);
    bytes.extend_from_slice(b"RIFF");
    bytes.extend_from_slice(&(total as u32 + 36).to_le_bytes());
    bytes.extend_from_slice(b"WAVEfmt \x10\0\0\0\x01\0\x01\0");
    bytes.extend_from_slice(&rate.to_le_bytes());
    bytes.extend_from_slice(&rate.to_le_bytes());
    bytes.extend_from_slice(b"\x01\0\x08\0data");
    bytes.extend_from_slice(&(total as u32).to_le_bytes());
    bytes.resize(44 + loud, 128);
    bytes.resize(44 + total, 192);
    std::fs::write(&path, bytes).expect("writes");
    for start in [0.0, 590.0] {
        let found = onset(&read_all(&path, start)) + start;
        assert!((found - 599.0).abs() < 0.000_1, "from {start}: {found}");
    }
}

#[test]
fn one_channel_is_heard_at_its_level_on_both_sides() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = tone_from(folder.path().join("mono.wav"), 0.0, 0.5, 48_000, "mono", "-c:a pcm_f32le");
    let samples = read_all(&path, 0.0);
    let peak = |side: usize| samples.iter().skip(side).step_by(2).fold(0.0f32, |peak, s| peak.max(s.abs()));
    assert!((peak(0) - 0.5).abs() < 0.002 && (peak(1) - 0.5).abs() < 0.002, "{} {}", peak(0), peak(1));
}

#[test]
fn surround_is_mixed_down_with_every_channel_in_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("surround.wav");
    let source = "aevalsrc='0|0|0.4*sin(2*PI*500*t)|0|0|0':c=5.1:s=48000:d=0.5";
    ffmpeg(&["-f", "lavfi", "-i", source, path.to_str().expect("text")]);
    let samples = read_all(&path, 0.0);
    for side in 0..2 {
        let peak = samples.iter().skip(side).step_by(2).fold(0.0f32, |peak, s| peak.max(s.abs()));
        assert!((0.1..0.41).contains(&peak), "the centre is heard on side {side}: {peak}");
    }
}

#[test]
fn sound_keeps_its_distance_to_the_pictures() {
    let folder = tempfile::tempdir().expect("a folder");
    let tone = tone_from(folder.path().join("tone.wav"), 1.5, 2.5, 48_000, "stereo", "");
    for name in ["late.mkv", "late.mp4", "late.ts"] {
        let film = folder.path().join(name);
        let (tone, film_text) = (tone.to_str().expect("text"), film.to_str().expect("text"));
        let coding = ["-c:v", "libx264", "-c:a", "aac", "-b:a", "192k"];
        let picture = "testsrc=s=64x64:r=25:d=3";
        let mut arguments = vec!["-f", "lavfi", "-i", picture, "-itsoffset", "0.4", "-i", tone];
        arguments.extend(coding);
        arguments.push(film_text);
        ffmpeg(&arguments);
        for start in [0.0, 1.2, 1.8] {
            let found = onset(&read_all(&film, start)) + start;
            assert!((found - 1.9).abs() < 0.001, "{name} from {start}: onset at {found}");
        }
    }
}

#[test]
fn a_start_beyond_the_end_is_empty_and_a_silent_film_has_no_reader() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = tone_from(folder.path().join("tone.m4a"), 0.0, 1.0, 48_000, "stereo", "");
    assert!(read_all(&path, 30.0).is_empty());
    let film = folder.path().join("silent.mp4");
    ffmpeg(&["-f", "lavfi", "-i", "testsrc=s=64x64:d=0.2", film.to_str().expect("text")]);
    assert!(AudioReader::open(&film, 0.0).expect("opens").is_none());
}

#[test]
fn unreadable_sound_is_named_with_a_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("noise.mp3");
    std::fs::write(&path, "no sound at all ".repeat(300)).expect("writes");
    let error = AudioReader::open(&path, 0.0).err().expect("an error").to_string();
    assert_eq!(error, format!("{} cannot be read: FFmpeg does not recognize its format", path.display()));
}

#[test]
fn decimation_keeps_levels_and_positions_and_removes_tones_above_nyquist() {
    let folder = tempfile::tempdir().expect("works");
    let path = folder.path().join("tone.wav");
    let heard = |hertz: f64| {
        let tone = |i: u32| {
            let level = if i < 24_000 { 0.0 } else { 0.9 };
            (level * (std::f64::consts::TAU * hertz * f64::from(i) / 48_000.0).sin()) as f32
        };
        rondo_media::write_wav(&path, &(0..48_000).map(tone).collect::<Vec<_>>(), 48_000).expect("works");
        rondo_media::read_mono(&path, 0.25, usize::MAX).expect("works").expect("works")
    };
    let low = heard(1000.0);
    assert!((low.len() as i64 - 12_000).abs() <= 1, "{}", low.len());
    let loudest = |samples: &[f32]| samples.iter().fold(0f32, |most, sample| most.max(sample.abs()));
    assert!(loudest(&low[..3900]) < 0.01 && (loudest(&low[4100..]) - 0.9).abs() < 0.02);
    assert!(loudest(&heard(12_000.0)[4100..11_900]) < 0.01);
}
