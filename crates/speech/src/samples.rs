//! Operations on samples: normalization, silence, and joining pieces with pauses.

use std::ops::Range;

use crate::Sound;

/// The peak level of narrations: −3 dBFS.
const PEAK: f32 = 0.708;
/// Silence threshold: −50 dBFS.
const SILENCE: f32 = 0.003;
/// Fade at joints, to avoid clicks.
const FADE_MS: f64 = 4.0;

/// Joins pieces of audio and pauses.
pub struct Joiner {
    sound: Sound,
}

impl Joiner {
    pub fn new(rate: u32) -> Self {
        Self { sound: Sound { samples: Vec::new(), rate } }
    }

    pub fn now_ms(&self) -> f64 {
        self.sound.duration_ms()
    }

    pub fn pause(&mut self, ms: f64) {
        let more = at(ms.max(0.0), self.sound.rate);
        self.sound.samples.resize(self.sound.samples.len() + more, 0.0);
    }

    /// Appends samples, faded in and out.
    pub fn append(&mut self, samples: impl ExactSizeIterator<Item = f32>) {
        let length = samples.len();
        let fade = at(FADE_MS, self.sound.rate).min(length / 2).max(1);
        self.sound.samples.extend(samples.enumerate().map(|(index, sample)| {
            let edge = index.min(length - 1 - index);
            if edge < fade { sample * edge as f32 / fade as f32 } else { sample }
        }));
    }

    /// The joined audio, normalized.
    pub fn finish(mut self) -> Sound {
        normalise(&mut self.sound.samples);
        self.sound
    }
}

/// The sample index at a time.
pub fn at(ms: f64, rate: u32) -> usize {
    (ms * f64::from(rate) / 1000.0).round() as usize
}

/// Normalizes the peak level. Silence is unchanged.
pub fn normalise(samples: &mut [f32]) {
    let peak = samples.iter().fold(0.0f32, |peak, sample| peak.max(sample.abs()));
    if peak > 1e-4 {
        let gain = PEAK / peak;
        samples.iter_mut().for_each(|sample| *sample *= gain);
    }
}

pub fn is_audible(sample: f32) -> bool {
    sample.abs() > SILENCE
}

/// The range of samples above the silence threshold, with a margin on both sides. `None` if all are silent.
pub fn audible_range(samples: &[f32], margin: usize) -> Option<Range<usize>> {
    let first = samples.iter().position(|sample| is_audible(*sample))?;
    let last = samples.iter().rposition(|sample| is_audible(*sample))?;
    Some(first.saturating_sub(margin)..(last + 1 + margin).min(samples.len()))
}
