//! Shared by the tests: the local engines, opened once, and audio measurements.
#![allow(dead_code, reason = "not every test file uses everything")]

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use rondo_speech::{Settings, Sound, Speech, Word};

static OFFLINE: LazyLock<Speech> =
    LazyLock::new(|| Speech::open(Settings { folder: Some(folder()), ..Settings::default() }, None));

/// The folder that `scripts/speech` fills.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/speech")
}

pub fn offline() -> &'static Speech {
    &OFFLINE
}

/// The samples between two times.
pub fn span(sound: &Sound, from_ms: f64, to_ms: f64) -> &[f32] {
    let at = |ms: f64| ((ms * f64::from(sound.rate) / 1000.0) as usize).min(sound.samples.len());
    &sound.samples[at(from_ms)..at(to_ms)]
}

/// The RMS level between two times.
pub fn level(sound: &Sound, from_ms: f64, to_ms: f64) -> f64 {
    let samples = span(sound, from_ms, to_ms);
    (samples.iter().map(|sample| f64::from(*sample).powi(2)).sum::<f64>() / samples.len().max(1) as f64)
        .sqrt()
}

/// The median pitch of the voiced parts, in hertz, by autocorrelation.
pub fn pitch(sound: &Sound) -> f64 {
    let rate = sound.rate as usize;
    let window = rate / 20;
    let mut found = Vec::new();
    for samples in sound.samples.chunks_exact(window * 2).step_by(2) {
        let similar = |lag: usize| -> f32 { (0..window).map(|i| samples[i] * samples[i + lag]).sum() };
        let energy = similar(0);
        let best = (rate / 320..rate / 65)
            .map(|lag| (lag, similar(lag)))
            .max_by(|a, b| a.1.total_cmp(&b.1))
            .unwrap();
        if energy > 0.5 && best.1 > 0.5 * energy {
            found.push(rate as f64 / best.0 as f64);
        }
    }
    found.sort_by(f64::total_cmp);
    found[found.len() / 2]
}

/// A word in lower case without punctuation.
pub fn bare(word: &Word) -> String {
    word.text.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase()
}

pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Checks that words are in order and within the audio.
pub fn in_order_and_inside(words: &[Word], sound: &Sound) {
    let mut before = 0.0;
    for word in words {
        assert!(word.start_ms >= before - 0.001 && word.end_ms >= word.start_ms, "{word:?} after {before}");
        assert!((0.0..=1.0).contains(&word.confidence), "{word:?}");
        before = word.end_ms;
    }
    assert!(before <= sound.duration_ms() + 20.0, "{before} of {}", sound.duration_ms());
}

/// Deterministic noise.
pub fn noise(length: usize, level: f32) -> Vec<f32> {
    let mut state = 1u32;
    let next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        ((state >> 8) as f32 / (1 << 23) as f32 - 1.0) * level
    };
    std::iter::repeat_with(next).take(length).collect()
}
