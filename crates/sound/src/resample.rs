//! Speed change by resampling: the pitch follows the speed.

use std::collections::VecDeque;
use std::f64::consts::PI;
use std::sync::LazyLock;

use crate::AudioError;
use crate::input::{Input, take_ready};
use crate::limiter::kaiser;
use crate::{AudioSource, CHANNELS};

/// Zero crossings of the kernel on either side, and table entries between two of them.
const CROSSINGS: usize = 16;
const RESOLUTION: usize = 512;

/// Frames made at a time.
const BATCH: u64 = 256;

/// The pass band, as part of what the lower of the two rates can carry.
const PASS: f64 = 0.94;

static KERNEL: LazyLock<Vec<f32>> = LazyLock::new(|| {
    (0..=CROSSINGS * RESOLUTION + 1)
        .map(|index| {
            let x = index as f64 / RESOLUTION as f64;
            let sinc = if index == 0 { 1.0 } else { libm::sin(PI * x) / (PI * x) };
            (sinc * kaiser((x / CROSSINGS as f64).min(1.0), 8.0)) as f32
        })
        .collect()
});

/// Plays a source at another speed: of a source at another rate, at 48 kHz.
pub struct Resampler {
    input: Input,
    speed: f64,
    /// Frames made.
    at: u64,
    ready: VecDeque<f32>,
}

impl Resampler {
    /// `speed` is source frames per frame.
    pub fn new(source: Box<dyn AudioSource>, speed: f64) -> Self {
        Self { input: Input::new(source), speed, at: 0, ready: VecDeque::new() }
    }

    /// The waveform at `position`; `around` holds the source's frames from `first` on.
    fn frame(&self, position: f64, bandwidth: f64, around: &[f32], first: i64) -> [f32; CHANNELS] {
        let side = CROSSINGS as f64 / bandwidth;
        let kernel = &*KERNEL;
        let from = (position - side).ceil() as i64;
        let to = (position + side).floor() as i64;
        let step = (bandwidth * RESOLUTION as f64) as f32;
        let offset = (from as f64 - position) as f32;
        let frames = &around[(from - first) as usize * CHANNELS..(to + 1 - first) as usize * CHANNELS];
        let mut sum = [0.0f32; CHANNELS];
        let mut weights = 0.0f32;
        for (index, frame) in frames.chunks_exact(CHANNELS).enumerate() {
            let entry = (index as f32 + offset).abs() * step;
            let below = (entry as usize).min(CROSSINGS * RESOLUTION);
            let part = entry - below as f32;
            let weight = kernel[below] + (kernel[below + 1] - kernel[below]) * part;
            sum[0] += frame[0] * weight;
            sum[1] += frame[1] * weight;
            weights += weight;
        }
        sum.map(|value| value / weights)
    }

    /// Appends the next frames; `false` when the source has ended.
    fn advance(&mut self) -> Result<bool, AudioError> {
        let bandwidth = PASS * (1.0 / self.speed).min(1.0);
        let side = (CROSSINGS as f64 / bandwidth).ceil() as i64 + 1;
        let first = (self.at as f64 * self.speed) as i64 - side;
        let last = ((self.at + BATCH) as f64 * self.speed) as i64 + side;
        self.input.fill_to(last)?;
        let end = self.input.end().map_or(u64::MAX, |end| (end as f64 / self.speed).round() as u64);
        let around = self.input.window(first, (last - first) as usize + 1);
        let stop = (self.at + BATCH).min(end);
        if self.at >= stop {
            return Ok(false);
        }
        for at in self.at..stop {
            let frame = self.frame(at as f64 * self.speed, bandwidth, &around, first);
            self.ready.extend(frame);
        }
        self.at = stop;
        self.input.forget_before(first);
        Ok(true)
    }
}

impl AudioSource for Resampler {
    fn read(&mut self, out: &mut [f32]) -> Result<usize, AudioError> {
        while self.ready.len() < out.len() {
            if !self.advance()? {
                break;
            }
        }
        Ok(take_ready(&mut self.ready, out))
    }
}
