//! Another sample rate, by a windowed sinc.

use std::borrow::Cow;
use std::f64::consts::PI;

use crate::{Error, Sound};

/// Zero crossings of the sinc on each side, at the lower of the two rates.
const REACH: f64 = 16.0;
/// The window's shape (Kaiser): about 80 dB below what is passed.
const BETA: f64 = 8.0;
/// Of the lower rate's half, what is passed.
const PASSED: f64 = 0.95;
/// Rates with more phases than this take the nearest one.
const MOST_PHASES: u64 = 2_048;
/// Rates that media have.
const RATES: std::ops::RangeInclusive<u32> = 1_000..=768_000;

/// The samples of a sound at another rate; its own where the rate is the same.
pub fn at_rate(sound: &Sound, rate: u32) -> Result<Cow<'_, [f32]>, Error> {
    if !RATES.contains(&sound.rate) {
        return Err(Error::Engine(format!("sound of {} samples a second cannot be read", sound.rate)));
    }
    if sound.rate == rate {
        return Ok(Cow::Borrowed(&sound.samples));
    }
    let (from, to) = (u64::from(sound.rate), u64::from(rate));
    let phases = (to / gcd(from, to)).min(MOST_PHASES);
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

/// The sum near the ends, where samples outside count as silence.
fn edge(samples: &[f32], first: i64, kernel: &[f32]) -> f32 {
    let sample =
        |index: i64| usize::try_from(index).ok().and_then(|index| samples.get(index)).copied().unwrap_or(0.0);
    kernel.iter().enumerate().map(|(tap, weight)| sample(first + tap as i64) * weight).sum()
}

/// The weights of the samples around a point that lies `phase` of a sample behind the middle one. They sum to one.
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

    /// The largest difference within the middle, away from the ends.
    fn difference(one: &[f32], other: &[f32]) -> f32 {
        let middle = 1_000..one.len() - 1_000;
        one[middle.clone()].iter().zip(&other[middle]).fold(0.0, |most, (a, b)| most.max((a - b).abs()))
    }

    #[test]
    fn a_tone_stays_the_same_tone_at_every_rate() {
        for rate in [8_000, 11_025, 22_050, 44_100, 48_000, 96_000, 12_345] {
            let sound = tone(440.0, rate);
            let resampled = at_rate(&sound, 16_000).unwrap();
            assert_eq!(resampled.len(), 16_000, "{rate}");
            let off = difference(&resampled, &tone(440.0, 16_000).samples);
            assert!(off < 0.005, "{rate}: {off}");
        }
    }

    #[test]
    fn what_the_lower_rate_cannot_hold_is_left_out() {
        let resampled = at_rate(&tone(9_000.0, 48_000), 16_000).unwrap().into_owned();
        assert!(difference(&resampled, &vec![0.0; resampled.len()]) < 0.001);
    }

    #[test]
    fn rates_no_media_has_are_refused() {
        for rate in [0, 1, 999, u32::MAX] {
            assert!(at_rate(&Sound { samples: vec![0.0; 10], rate }, 16_000).is_err(), "{rate}");
        }
    }
}
