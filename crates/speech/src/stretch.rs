//! Time stretching without a change of pitch (WSOLA), for engines with a limited range of speeds.

use std::f32::consts::PI;

use crate::Sound;

/// The window length, and the search range for the best overlap.
const PIECE_MS: usize = 40;
const SEARCH_MS: usize = 8;

/// The sound at `factor` times its speed.
pub fn faster(sound: &Sound, factor: f64) -> Sound {
    let piece = sound.rate as usize * PIECE_MS / 1000 / 2 * 2;
    let (half, reach) = (piece / 2, sound.rate as usize * SEARCH_MS / 1000);
    if (factor - 1.0).abs() < 1e-3 || half == 0 || sound.samples.len() < piece * 3 {
        return sound.clone();
    }
    let window: Vec<f32> =
        (0..piece).map(|n| 0.5 - 0.5 * (2.0 * PI * n as f32 / piece as f32).cos()).collect();
    let length = (sound.samples.len() as f64 / factor) as usize;
    let mut samples = vec![0.0f32; length + piece];
    // The first half window has nothing to overlap with.
    samples[..half].copy_from_slice(&sound.samples[..half]);
    for (sample, weight) in samples[..half].iter_mut().zip(&window[half..]) {
        *sample *= weight;
    }
    let mut before = 0;
    for start in (0..length).step_by(half) {
        let wanted = (start as f64 * factor) as usize;
        let from = if start == 0 { 0 } else { best(&sound.samples, wanted, before + half, half, reach) };
        let Some(next) = sound.samples.get(from..from + piece) else { break };
        for ((sample, new), weight) in samples[start..].iter_mut().zip(next).zip(&window) {
            *sample += new * weight;
        }
        before = from;
    }
    samples.truncate(length);
    Sound { samples, rate: sound.rate }
}

/// The position near `wanted` that best matches the natural continuation at `natural`.
fn best(samples: &[f32], wanted: usize, natural: usize, length: usize, reach: usize) -> usize {
    let Some(model) = samples.get(natural..natural + length) else { return wanted };
    let fit = |from: usize| -> f32 {
        let Some(part) = samples.get(from..from + length) else { return f32::MIN };
        let (mut product, mut power) = (0.0f32, 1e-6f32);
        for (a, b) in part.iter().zip(model) {
            product += a * b;
            power += a * a;
        }
        product / power.sqrt()
    };
    let positions = wanted.saturating_sub(reach)..=wanted + reach;
    positions.max_by(|a, b| fit(*a).total_cmp(&fit(*b))).unwrap_or(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tone_keeps_its_pitch_and_level_at_another_speed() {
        let tone = |n: u32| (2.0 * PI * 200.0 * n as f32 / 16_000.0).sin() * 0.5;
        let sound = Sound { samples: (0..32_000).map(tone).collect(), rate: 16_000 };
        for factor in [0.6, 0.8, 1.5, 2.0] {
            let changed = faster(&sound, factor);
            assert!((changed.samples.len() as f64 * factor - 32_000.0).abs() < 10.0);
            let middle = &changed.samples[2_000..changed.samples.len() - 2_000];
            let crossings = middle.windows(2).filter(|pair| pair[0] < 0.0 && pair[1] >= 0.0).count();
            let hertz = crossings as f64 * 16_000.0 / middle.len() as f64;
            assert!((hertz - 200.0).abs() < 4.0, "{factor}: {hertz} Hz");
            let peak = middle.iter().fold(0.0f32, |peak, sample| peak.max(sample.abs()));
            assert!((0.45..0.55).contains(&peak), "{factor}: {peak}");
        }
    }
}
