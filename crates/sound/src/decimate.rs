//! Stereo at 48 kHz to mono at 16 kHz, the input of speech recognition.

use crate::CHANNELS;

/// Sample rate of mono sound.
pub const MONO_RATE: u32 = 16_000;

/// Samples at 48 kHz per sample at [`MONO_RATE`].
const STEP: usize = 3;

/// From stereo at 48 kHz to one channel at 16 kHz: a low-pass filter, then every third sample.
pub struct Decimator {
    taps: Vec<f32>,
    /// The last samples, and those not used yet.
    held: Vec<f32>,
}

impl Default for Decimator {
    fn default() -> Self {
        Self::new()
    }
}

impl Decimator {
    /// Half of the filter, in samples at 48 kHz.
    const REACH: usize = 48;
    /// Where the filter cuts, as a part of the rate: 7.2 of 48 kHz.
    const CUT: f64 = 0.15;

    pub fn new() -> Self {
        use std::f64::consts::{PI, TAU};
        let reach = Self::REACH as f64;
        let tap = |index: usize| {
            let x = index as f64 - reach;
            let sinc = if x == 0.0 { 2.0 * Self::CUT } else { libm::sin(TAU * Self::CUT * x) / (PI * x) };
            sinc * (0.5 + 0.5 * libm::cos(PI * x / (reach + 1.0)))
        };
        let taps: Vec<f64> = (0..=2 * Self::REACH).map(tap).collect();
        let sum: f64 = taps.iter().sum();
        let taps = taps.iter().map(|tap| (tap / sum) as f32).collect();
        Self { taps, held: vec![0.0; Self::REACH] }
    }

    pub fn push(&mut self, stereo: &[f32], out: &mut Vec<f32>) {
        self.held.extend(stereo.chunks_exact(CHANNELS).map(|frame| (frame[0] + frame[1]) / 2.0));
        let mut at = 0;
        while at + self.taps.len() <= self.held.len() {
            let window = &self.held[at..at + self.taps.len()];
            out.push(window.iter().zip(&self.taps).map(|(sample, tap)| sample * tap).sum());
            at += STEP;
        }
        self.held.drain(..at);
    }

    /// Flushes what the filter still holds.
    pub fn finish(&mut self, out: &mut Vec<f32>) {
        self.push(&[0.0; CHANNELS * Self::REACH], out);
    }
}
