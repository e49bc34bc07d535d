//! Sample rate conversion with a windowed sinc filter.

use std::borrow::Cow;
use std::f64::consts::PI;

use crate::{Error, Sound};

/// Zero crossings of the sinc on each side, at the lower of the two rates.
const REACH: f64 = 16.0;
/// The shape of the Kaiser window: about 80 dB stopband attenuation.
const BETA: f64 = 8.0;
/// The passband, as a fraction of the lower Nyquist frequency.
const PASSED: f64 = 0.95;
/// With more phases than this, the nearest one is used.
const MAX_PHASES: u64 = 2_048;
/// Supported sample rates.
const RATES: std::ops::RangeInclusive<u32> = 1_000..=768_000;

/// The samples at another rate; borrowed if the rate is the same.
pub fn at_rate(sound: &Sound, rate: u32) -> Result<Cow<'_, [f32]>, Error> {
    if !RATES.contains(&sound.rate) {
        return Err(Error::Engine(format!("unsupported sample rate: {} Hz", sound.rate)));
    }
    if sound.rate == rate {
        return Ok(Cow::Borrowed(&sound.samples));
    }
    let (from, to) = (u64::from(sound.rate), u64::from(rate));
    let phases = (to / gcd(from, to)).min(MAX_PHASES);
    let cutoff = PASSED * (to as f64 / from as f64).min(1.0);
    let reach = (REACH / cutoff).ceil() as usize;
    let kernels: Vec<Vec<f32>> =
        (0..phases).map(|phase| kernel(phase as f64 / phases as f64, cutoff, reach)).collect();
    let samples = &sound.samples;
    let length = (samples.len() as u64 * to).div_ceil(from);
    let resampled = (0..length).map(|index| {
        let position = index * from;
        let phase = ((position % to) * phases / to) as usize;
        let first = (position / to) as i64 - reach as i64 + 1;
        let kernel = &kernels[phase];
        match usize::try_from(first).ok().and_then(|first| samples.get(first..first + kernel.len())) {
            Some(near) => near.iter().zip(kernel).map(|(sample, weight)| sample * weight).sum(),
            None => edge(samples, first, kernel),
        }
    });
    Ok(Cow::Owned(resampled.collect()))
}

/// The filter near the ends, where samples outside count as silence.
fn edge(samples: &[f32], first: i64, kernel: &[f32]) -> f32 {
    let sample =
        |index: i64| usize::try_from(index).ok().and_then(|index| samples.get(index)).copied().unwrap_or(0.0);
    kernel.iter().enumerate().map(|(tap, weight)| sample(first + tap as i64) * weight).sum()
}

/// The filter taps for a point `phase` of a sample after the middle one. Their sum is 1.
fn kernel(phase: f64, cutoff: f64, reach: usize) -> Vec<f32> {
    let taps: Vec<f64> = (0..2 * reach)
        .map(|tap| {
            let distance = tap as f64 - (reach as f64 - 1.0) - phase;
            let inside = (distance / reach as f64).clamp(-1.0, 1.0);
            let window = bessel(BETA * (1.0 - inside * inside).sqrt()) / bessel(BETA);
            let angle = PI * distance * cutoff;
            if angle.abs() < 1e-9 { window } else { window * angle.sin() / angle }
        })
        .collect();
    let sum: f64 = taps.iter().sum();
    taps.into_iter().map(|tap| (tap / sum) as f32).collect()
}

/// The modified Bessel function of order zero.
fn bessel(x: f64) -> f64 {
    let (mut sum, mut term) = (1.0, 1.0);
    for k in 1..40 {
        term *= (x / 2.0 / f64::from(k)).powi(2);
        sum += term;
    }
    sum
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tone(hertz: f64, rate: u32) -> Sound {
        let sample = |n: u32| (2.0 * PI * hertz * f64::from(n) / f64::from(rate)).sin() as f32;
        Sound { samples: (0..rate).map(sample).collect(), rate }
    }

    /// The largest difference, ignoring the ends.
    fn difference(one: &[f32], other: &[f32]) -> f32 {
        let middle = 1_000..one.len() - 1_000;
        one[middle.clone()].iter().zip(&other[middle]).fold(0.0, |most, (a, b)| most.max((a - b).abs()))
    }

    #[test]
    fn a_tone_is_preserved_at_every_rate() {
        for rate in [8_000, 11_025, 22_050, 44_100, 48_000, 96_000, 12_345] {
            let sound = tone(440.0, rate);
            let resampled = at_rate(&sound, 16_000).unwrap();
            assert_eq!(resampled.len(), 16_000, "{rate}");
            let off = difference(&resampled, &tone(440.0, 16_000).samples);
            assert!(off < 0.005, "{rate}: {off}");
        }
    }

    #[test]
    fn frequencies_above_nyquist_are_removed() {
        let resampled = at_rate(&tone(9_000.0, 48_000), 16_000).unwrap().into_owned();
        assert!(difference(&resampled, &vec![0.0; resampled.len()]) < 0.001);
    }

    #[test]
    fn unsupported_rates_are_rejected() {
        for rate in [0, 1, 999, u32::MAX] {
            assert!(at_rate(&Sound { samples: vec![0.0; 10], rate }, 16_000).is_err(), "{rate}");
        }
    }
}
