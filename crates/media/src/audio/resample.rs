//! Playing faster or slower by resampling: the pitch follows the speed.

use std::f64::consts::PI;
use std::sync::LazyLock;

use super::input::Input;
use super::limiter::kaiser;
use super::{AudioSource, CHANNELS};
use crate::MediaError;

/// Zero crossings of the kernel on either side, and table entries between two of them.
const CROSSINGS: usize = 16;
const RESOLUTION: usize = 512;

/// The pass band, as part of what the lower of the two rates can carry.
const PASS: f64 = 0.94;

static KERNEL: LazyLock<Vec<f32>> = LazyLock::new(|| {
    (0..=CROSSINGS * RESOLUTION + 1)
        .map(|index| {
            let x = index as f64 / RESOLUTION as f64;
            let sinc = if index == 0 { 1.0 } else { (PI * x).sin() / (PI * x) };
            (sinc * kaiser((x / CROSSINGS as f64).min(1.0), 8.0)) as f32
        })
        .collect()
});

pub(super) struct Resampler {
    input: Input,
    speed: f64,
    /// Frames given out.
    at: u64,
}

impl Resampler {
    pub(super) fn new(source: Box<dyn AudioSource>, speed: f64) -> Self {
        Self { input: Input::new(source), speed, at: 0 }
    }

    fn frame(&self, position: f64, bandwidth: f64) -> [f32; CHANNELS] {
        let side = CROSSINGS as f64 / bandwidth;
        let kernel = &*KERNEL;
        let mut sum = [0.0f32; CHANNELS];
        let mut weights = 0.0f32;
        for index in (position - side).ceil() as i64..=(position + side).floor() as i64 {
            let entry = (index as f64 - position).abs() * bandwidth * RESOLUTION as f64;
            let below = entry as usize;
            let part = (entry - below as f64) as f32;
            let weight = kernel[below] + (kernel[below + 1] - kernel[below]) * part;
            let [left, right] = self.input.frame(index);
            sum[0] += left * weight;
            sum[1] += right * weight;
            weights += weight;
        }
        sum.map(|value| value / weights)
    }
}

impl AudioSource for Resampler {
    fn read(&mut self, out: &mut [f32]) -> Result<usize, MediaError> {
        let bandwidth = PASS * (1.0 / self.speed).min(1.0);
        let side = (CROSSINGS as f64 / bandwidth).ceil() as i64 + 1;
        let mut written = 0;
        for frame in out.chunks_exact_mut(CHANNELS) {
            let position = self.at as f64 * self.speed;
            self.input.fill_to(position as i64 + side)?;
            if self.input.end().is_some_and(|end| self.at >= (end as f64 / self.speed).round() as u64) {
                break;
            }
            frame.copy_from_slice(&self.frame(position, bandwidth));
            self.at += 1;
            written += 1;
            self.input.forget_before(position as i64 - side);
        }
        Ok(written)
    }
}
