//! The mix: positions, levels, and that nothing clicks or drifts.

#![allow(clippy::unwrap_used)]

use std::f64::consts::TAU;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rondo_sound::{
    AudioError, AudioSource, Ducking, Mixer, OpenAudio, Piece, Track, frame_to_sample, seconds_to_sample,
};

type Wave = Arc<dyn Fn(u64) -> [f32; 2] + Send + Sync>;

/// A source computed from the frame's number.
#[derive(Clone)]
struct Synth {
    wave: Wave,
    length: u64,
}

struct Reader {
    synth: Synth,
    at: u64,
}

impl AudioSource for Reader {
    fn read(&mut self, out: &mut [f32]) -> Result<usize, AudioError> {
        // Sources hand out what they have, in odd amounts.
        let frames = (out.len() / 2).min(777).min(self.synth.length.saturating_sub(self.at) as usize);
        for frame in out.chunks_exact_mut(2).take(frames) {
            frame.copy_from_slice(&(self.synth.wave)(self.at));
            self.at += 1;
        }
        Ok(frames)
    }
}

impl OpenAudio for Synth {
    fn open(&self, from: u64) -> Result<Box<dyn AudioSource>, AudioError> {
        Ok(Box::new(Reader { synth: self.clone(), at: from }))
    }
}

fn synth(length: u64, wave: impl Fn(u64) -> f32 + Send + Sync + 'static) -> Synth {
    Synth { wave: Arc::new(move |n| [wave(n); 2]), length }
}

fn sine(length: u64, frequency: f64, amplitude: f64) -> Synth {
    synth(length, move |n| (amplitude * (TAU * frequency * n as f64 / 48_000.0).sin()) as f32)
}

/// Short decaying bursts that begin exactly at the given frames.
fn bursts(length: u64, onsets: Vec<u64>) -> Synth {
    synth(length, move |n| {
        let Some(onset) = onsets.iter().rev().find(|&&onset| onset <= n) else { return 0.0 };
        let t = (n - onset) as f64 / 48_000.0;
        if t > 0.15 {
            return 0.0;
        }
        (0.6 * (-t * 150.0).exp() * (TAU * 1_500.0 * t).cos()) as f32
    })
}

fn track(source: impl OpenAudio + 'static, start: i64, length: u64) -> Track {
    Track {
        source: Box::new(source),
        start,
        pieces: vec![Piece { from: 0, length, speed: 1.0 }],
        volume: 1.0,
        fade_in: 0.0,
        fade_out: 0.0,
        is_narration: false,
    }
}

fn mixed(tracks: Vec<Track>, frames: usize) -> Vec<[f32; 2]> {
    let mut out = vec![0.0; frames * 2];
    Mixer::new(tracks).mix(&mut out).unwrap();
    out.chunks_exact(2).map(|frame| [frame[0], frame[1]]).collect()
}

fn left(tracks: Vec<Track>, frames: usize) -> Vec<f32> {
    mixed(tracks, frames).into_iter().map(|frame| frame[0]).collect()
}

/// Frames at which the signal rises out of 15 ms of (near) quiet.
fn onsets(signal: &[f32]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut quiet = usize::MAX / 2;
    for (n, sample) in signal.iter().enumerate() {
        if sample.abs() > 0.3 {
            if quiet > 720 {
                found.push(n);
            }
            quiet = 0;
        } else {
            quiet += 1;
        }
    }
    found
}

/// Amplitude of `frequency` in the signal.
fn goertzel(signal: &[f32], frequency: f64) -> f64 {
    let (mut re, mut im) = (0.0, 0.0);
    for (n, &sample) in signal.iter().enumerate() {
        let angle = TAU * frequency * n as f64 / 48_000.0;
        re += f64::from(sample) * angle.cos();
        im += f64::from(sample) * angle.sin();
    }
    2.0 * re.hypot(im) / signal.len() as f64
}

fn steepest(signal: &[f32]) -> f32 {
    signal.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f32::max)
}

#[test]
fn frames_begin_at_the_nearest_sample_and_never_drift() {
    assert_eq!(frame_to_sample(18_000, 30), 600 * 48_000);
    assert_eq!([frame_to_sample(1, 7), frame_to_sample(7 * 600, 7)], [6_857, 600 * 48_000]);
    assert_eq!(frame_to_sample(-30, 30), -48_000);
    assert_eq!(
        [seconds_to_sample(1.5), seconds_to_sample(-1.0), seconds_to_sample(f64::NAN)],
        [72_000, 0, 0]
    );
}

#[test]
fn a_sound_begins_on_its_sample_and_passes_unchanged() {
    let source = bursts(48_000, vec![0]);
    let wave = source.wave.clone();
    let out = mixed(vec![track(source, 12_345, 48_000)], 70_000);
    assert!(out[..12_345].iter().all(|frame| *frame == [0.0; 2]));
    assert!((0..48_000).all(|n| out[12_345 + n] == wave(n as u64)));
    assert!(out[60_345..].iter().all(|frame| *frame == [0.0; 2]));
}

#[test]
fn ten_minutes_do_not_drift() {
    let length = 600 * 48_000;
    let source = bursts(length, vec![0, length - 2_400]);
    let wave = source.wave.clone();
    let mut mixer = Mixer::new(vec![track(source, 0, length)]);
    let mut block = vec![0.0; 2 * 48_000];
    for _ in 0..600 {
        mixer.mix(&mut block).unwrap();
    }
    let last = length - 48_000;
    assert!((last..length).zip(block.chunks_exact(2)).all(|(n, frame)| frame == wave(n)));
}

#[test]
fn tracks_add_up_at_their_volumes() {
    let quarter = |volume| Track { volume, ..track(synth(48_000, |n| (n % 100) as f32 / 512.0), 0, 4_800) };
    let out = left(vec![quarter(1.0), quarter(0.5), quarter(0.25), quarter(0.0)], 4_000);
    assert!((0..4_000).all(|n| out[n] == (n % 100) as f32 / 512.0 * 1.75));
}

#[test]
fn channels_stay_apart() {
    let source = Synth { wave: Arc::new(|_| [0.25, -0.5]), length: 5_000 };
    assert!(mixed(vec![track(source, 0, 5_000)], 5_000).iter().all(|frame| *frame == [0.25, -0.5]));
}

#[test]
fn fades_are_straight_lines_over_the_overlays_own_span() {
    let steady = synth(480_000, |_| 0.5);
    let fading = Track { fade_in: 0.5, fade_out: 0.25, ..track(steady, 1_000, 96_000) };
    let out = left(vec![fading], 100_000);
    for n in 0..96_000usize {
        let rise = (n as f64 / 24_000.0).min(1.0);
        let fall = ((96_000 - n) as f64 / 12_000.0).min(1.0);
        assert!((f64::from(out[1_000 + n]) - 0.5 * rise * fall).abs() < 1e-6, "frame {n}");
    }
    assert!(out[97_000..].iter().all(|&sample| sample == 0.0));
}

#[test]
fn a_short_source_is_followed_by_silence() {
    let out = left(vec![track(synth(1_000, |_| 0.5), 0, 10_000)], 10_000);
    assert!(out[..1_000].iter().all(|&sample| sample == 0.5));
    assert!(out[1_000..].iter().all(|&sample| sample == 0.0));
}

#[test]
fn cuts_inside_a_source_do_not_click() {
    let pieces = vec![
        Piece { from: 4_837, length: 10_000, speed: 1.0 },
        Piece { from: 70_011, length: 10_000, speed: 1.0 },
    ];
    let source = sine(480_000, 440.0, 0.8);
    let out = left(vec![Track { pieces, ..track(source, 500, 0) }], 22_000);
    // The sine itself moves by up to 0.046 a frame.
    assert!(steepest(&out) < 0.06, "{}", steepest(&out));
    assert!(out[700..10_300].iter().fold(0.0f32, |peak, sample| peak.max(sample.abs())) > 0.79);
}

#[test]
fn an_attack_right_at_the_in_point_is_heard_within_a_millisecond() {
    let source = bursts(480_000, vec![48_000]);
    let pieces = vec![Piece { from: 48_000, length: 24_000, speed: 1.0 }];
    let out = left(vec![Track { pieces, ..track(source, 9_600, 0) }], 24_000);
    let loud = out.iter().position(|sample| sample.abs() > 0.2).unwrap();
    assert!(loud - 9_600 <= 48, "{loud}");
}

#[test]
fn pieces_that_continue_each_other_are_seamless() {
    let piece = |from| Piece { from, length: 5_000, speed: 1.0 };
    let cut = Track { pieces: vec![piece(0), piece(5_000)], ..track(sine(480_000, 440.0, 0.8), 0, 0) };
    let whole = track(sine(480_000, 440.0, 0.8), 0, 10_000);
    assert!(left(vec![cut], 12_000) == left(vec![whole], 12_000));
}

#[test]
fn stretching_keeps_pitch_level_and_length() {
    for speed in [0.5, 0.8, 1.5, 2.0] {
        for frequency in [110.0, 440.0, 3_000.0] {
            let length = (96_000.0 / speed) as usize;
            let pieces = vec![Piece { from: 0, length: length as u64 + 9_600, speed }];
            let source = sine(96_000, frequency, 0.5);
            let out = left(vec![Track { pieces, ..track(source, 0, 0) }], length + 9_600);
            assert!(out[length..].iter().all(|&sample| sample == 0.0), "{speed} goes on too long");
            assert!(out[length - 200..length].iter().any(|sample| sample.abs() > 0.3), "{speed} ends early");
            let amplitude = goertzel(&out[2_400..length - 2_400], frequency);
            assert!((amplitude - 0.5).abs() < 0.05, "{frequency} Hz at {speed}: {amplitude}");
            let bound = 1.6 * 0.5 * (TAU * frequency / 48_000.0) as f32;
            assert!(steepest(&out[..length]) < bound.max(0.02), "{frequency} Hz at {speed} clicks");
        }
    }
}

#[test]
fn stretched_attacks_stay_single_and_within_a_millisecond() {
    let beats: Vec<u64> = vec![700, 2_950, 9_700, 21_111, 30_000, 42_345, 60_007, 77_777];
    for speed in [0.5, 0.75, 0.99, 1.25, 1.5, 2.0] {
        let pieces = vec![Piece { from: 0, length: (96_000.0 / speed) as u64, speed }];
        let source = bursts(96_000, beats.clone());
        let out = left(vec![Track { pieces, ..track(source, 0, 0) }], (96_000.0 / speed) as usize);
        let expected: Vec<f64> = beats.iter().map(|&beat| beat as f64 / speed).collect();
        let found = onsets(&out);
        assert_eq!(found.len(), expected.len(), "at {speed}: {found:?} instead of {expected:?}");
        for (found, expected) in found.iter().zip(expected) {
            assert!((*found as f64 - expected).abs() <= 48.0, "at {speed}: {found} instead of {expected}");
        }
    }
}

#[test]
fn beyond_twice_and_half_the_pitch_follows_the_speed() {
    for (speed, heard) in [(0.25, 250.0), (4.0, 4_000.0), (99.0, 16_000.0)] {
        let length = (480_000.0 / f64::min(speed, 16.0)) as usize;
        let pieces = vec![Piece { from: 0, length: length as u64 + 4_800, speed }];
        let out = left(vec![Track { pieces, ..track(sine(480_000, 1_000.0, 0.5), 0, 0) }], length + 4_800);
        let amplitude = goertzel(&out[480..length - 480], heard);
        assert!((amplitude - 0.5).abs() < 0.01, "{heard} Hz at {speed}: {amplitude}");
        assert!(out[length..].iter().all(|&sample| sample == 0.0));
    }
}

#[test]
fn a_hot_mix_stays_under_minus_one_decibel_and_in_time() {
    let tracks = (0..3).map(|_| track(bursts(96_000, vec![24_000]), 0, 96_000)).collect();
    let out = left(tracks, 96_000);
    let peak = out.iter().fold(0.0f32, |peak, sample| peak.max(sample.abs()));
    assert!((0.7..=0.8913).contains(&peak), "{peak}");
    assert_eq!(onsets(&out), [24_000]);
}

#[test]
fn the_result_does_not_depend_on_block_sizes() {
    let tracks = || {
        let stretched = vec![Piece { from: 1_000, length: 9_000, speed: 0.75 }];
        vec![
            track(sine(48_000, 330.0, 0.7), 100, 12_000),
            Track {
                fade_in: 0.05,
                is_narration: true,
                ..track(bursts(48_000, vec![500, 6_000]), 1_500, 9_000)
            },
            Track { pieces: stretched, ..track(sine(48_000, 700.0, 0.6), 3_000, 0) },
        ]
    };
    let ducking = Ducking { amount: 12.0, attack: 0.05, release: 0.1 };
    for mixer in [|tracks, _| Mixer::new(tracks), |tracks, ducking| Mixer::new(tracks).ducked(ducking)] {
        let mixed = |size: usize| {
            let mut mixer = mixer(tracks(), ducking);
            let mut out = vec![0.0; 14_400 * 2];
            for block in out.chunks_mut(size * 2) {
                mixer.mix(block).unwrap();
            }
            out
        };
        let whole = mixed(14_400);
        for size in [1, 480, 1_024] {
            assert!(mixed(size) == whole, "blocks of {size}");
        }
    }
}

#[test]
fn a_mix_can_start_anywhere_and_before_zero_nothing_is_heard() {
    let tracks = || vec![Track { fade_in: 1.0, ..track(bursts(96_000, vec![0, 30_000]), -4_000, 90_000) }];
    let whole = mixed(tracks(), 60_000);
    assert_eq!(whole[26_000][0], 0.6 * (30_000.0 / 48_000.0));
    let mut mixer = Mixer::starting_at(tracks(), 20_000);
    let mut out = vec![0.0; 2 * 20_000];
    mixer.mix(&mut out).unwrap();
    assert!(out.chunks_exact(2).zip(&whole[20_000..]).all(|(a, b)| a == b));
}

#[test]
fn only_sounding_tracks_are_open() {
    static OPEN: AtomicUsize = AtomicUsize::new(0);
    static MOST: AtomicUsize = AtomicUsize::new(0);
    struct Counted(Box<dyn AudioSource>);
    impl AudioSource for Counted {
        fn read(&mut self, out: &mut [f32]) -> Result<usize, AudioError> {
            self.0.read(out)
        }
    }
    impl Drop for Counted {
        fn drop(&mut self) {
            OPEN.fetch_sub(1, Ordering::SeqCst);
        }
    }
    let tracks = (0..50).map(|index| {
        let open = |from: u64| -> Result<Box<dyn AudioSource>, AudioError> {
            MOST.fetch_max(OPEN.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            Ok(Box::new(Counted(sine(48_000, 200.0, 0.1).open(from)?)))
        };
        track(open, index * 5_000, 5_000)
    });
    mixed(tracks.collect(), 300_000);
    assert_eq!(OPEN.load(Ordering::SeqCst), 0);
    assert!((1..=2).contains(&MOST.load(Ordering::SeqCst)));
}

#[test]
fn an_unreadable_source_is_an_error() {
    let broken = |_: u64| -> Result<Box<dyn AudioSource>, AudioError> {
        Err(AudioError("song.mp3 cannot be read: it is damaged".into()))
    };
    let error = Mixer::new(vec![track(broken, 0, 100)]).mix(&mut [0.0; 200]).unwrap_err();
    assert!(error.to_string().contains("song.mp3"));
}
