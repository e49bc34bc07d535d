//! Integrated loudness as defined by ITU-R BS.1770 and EBU R 128.

use crate::CHANNELS;

/// Frames between the beginnings of two blocks, 100 ms, and how many of these a block is long.
const STEP: usize = 4_800;
const STEPS: usize = 4;

/// Quieter blocks count as silence: −70 LUFS.
const ABSOLUTE_GATE: f64 = -70.0;

/// Blocks this much quieter than the others do not count either: −10 LU, as a factor.
const RELATIVE_GATE: f64 = 0.1;

/// Measures sound that passes by in pieces of any size. Keeps 80 bytes for each second.
#[derive(Debug, Default)]
pub struct Meter {
    weighting: [[Filter; 2]; CHANNELS],
    /// Sums of weighted squares: the step in progress, then those before it, the latest first.
    steps: [f64; STEPS],
    /// Frames measured.
    frames: usize,
    /// Power of the blocks above the absolute gate.
    blocks: Vec<f64>,
    peak: f32,
}

impl Meter {
    /// Takes the next frames in (interleaved stereo).
    pub fn add(&mut self, samples: &[f32]) {
        for frame in samples.chunks_exact(CHANNELS) {
            for (sample, [shelf, cut]) in frame.iter().zip(&mut self.weighting) {
                self.peak = self.peak.max(sample.abs());
                let weighted = cut.next(&CUT, shelf.next(&SHELF, f64::from(*sample)));
                self.steps[0] += weighted * weighted;
            }
            self.frames += 1;
            if self.frames.is_multiple_of(STEP) {
                self.end_step();
            }
        }
    }

    fn end_step(&mut self) {
        let power = self.steps.iter().sum::<f64>() / (STEP * STEPS) as f64;
        if self.frames >= STEP * STEPS && lufs(power) > ABSOLUTE_GATE {
            self.blocks.push(power);
        }
        self.steps.rotate_right(1);
        self.steps[0] = 0.0;
        self.weighting.as_flattened_mut().iter_mut().for_each(Filter::settle);
    }

    /// Integrated loudness in LUFS; `None` for silence, and for sound shorter than 0.4 s.
    pub fn loudness(&self) -> Option<f64> {
        let gate = mean(self.blocks.iter().copied())? * RELATIVE_GATE;
        mean(self.blocks.iter().copied().filter(|power| *power > gate)).map(lufs)
    }

    /// The largest sample.
    pub fn peak(&self) -> f32 {
        self.peak
    }
}

fn mean(powers: impl Iterator<Item = f64>) -> Option<f64> {
    let (count, sum) = powers.fold((0u32, 0.0), |(count, sum), power| (count + 1, sum + power));
    (count > 0).then(|| sum / f64::from(count))
}

/// The level of a power, such that a sine of 997 Hz on both channels has the level of its peak.
fn lufs(power: f64) -> f64 {
    -0.691 + 10.0 * libm::log10(power)
}

/// The factor of a gain in decibels.
pub fn decibels(gain: f64) -> f64 {
    libm::pow(10.0, gain / 20.0)
}

/// Coefficients of a filter: of the input, then of the output.
struct Coefficients([f64; 3], [f64; 2]);

/// What a head does to sound: a shelf of 4 dB above 2 kHz. BS.1770, table 1.
const SHELF: Coefficients = Coefficients(
    [1.535_124_859_586_97, -2.691_696_189_406_38, 1.198_392_810_852_85],
    [-1.690_659_293_182_41, 0.732_480_774_215_85],
);

/// How little low tones are heard: a cut below 100 Hz. BS.1770, table 2.
const CUT: Coefficients = Coefficients([1.0, -2.0, 1.0], [-1.990_047_454_833_98, 0.990_072_250_366_21]);

/// State of a filter of second order.
#[derive(Debug, Default)]
struct Filter([f64; 2]);

impl Filter {
    fn next(&mut self, Coefficients(b, a): &Coefficients, x: f64) -> f64 {
        let Self([first, second]) = self;
        let y = b[0] * x + *first;
        *first = b[1] * x - a[0] * y + *second;
        *second = b[2] * x - a[1] * y;
        y
    }

    /// Drops denormal values, which processors handle slowly.
    fn settle(&mut self) {
        for state in &mut self.0 {
            if state.abs() < 1e-30 {
                *state = 0.0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    /// Loudness of a 997 Hz sine on both channels: stretches of seconds and dBFS.
    fn loudness(stretches: &[(f64, f64)]) -> Option<f64> {
        let mut meter = Meter::default();
        let mut frame = 0;
        for (seconds, level) in stretches {
            for _ in 0..(seconds * 48_000.0) as u64 {
                let sample = decibels(*level) * (TAU * 997.0 * f64::from(frame) / 48_000.0).sin();
                meter.add(&[sample as f32; CHANNELS]);
                frame += 1;
            }
        }
        meter.loudness()
    }

    /// The signals 1 to 5 of EBU Tech 3341 that are stereo, and their tolerance.
    #[test]
    fn sines_and_gates_measure_as_the_standard_says() {
        for (stretches, wanted) in [
            (&[(20.0, -23.0)][..], -23.0),
            (&[(20.0, -33.0)], -33.0),
            (&[(10.0, -36.0), (60.0, -23.0), (10.0, -36.0)], -23.0),
            (&[(10.0, -72.0), (10.0, -36.0), (60.0, -23.0), (10.0, -36.0), (10.0, -72.0)], -23.0),
            (&[(20.0, -26.0), (20.1, -20.0), (20.0, -26.0)], -23.0),
        ] {
            let found = loudness(stretches).unwrap();
            assert!((found - wanted).abs() <= 0.1, "{found} instead of {wanted} for {stretches:?}");
        }
    }

    #[test]
    fn silence_and_the_shortest_sounds_have_no_loudness() {
        assert_eq!(loudness(&[(3.0, -80.0)]), None);
        assert_eq!(loudness(&[(0.39, -20.0)]), None);
        assert!(loudness(&[(0.41, -20.0)]).is_some());
    }

    /// The weighting: a 4 dB shelf above, next to nothing at the lowest tones.
    #[test]
    fn high_tones_count_more_and_low_tones_less() {
        let at = |hertz: f64| {
            let mut meter = Meter::default();
            for frame in 0..96_000 {
                meter.add(&[(0.1 * (TAU * hertz * f64::from(frame) / 48_000.0).sin()) as f32; CHANNELS]);
            }
            meter.loudness().unwrap() + 20.0
        };
        for (hertz, wanted) in [(30.0, -9.0), (100.0, -1.8), (997.0, 0.0), (2_000.0, 2.4), (10_000.0, 3.3)] {
            assert!((at(hertz) - wanted).abs() < 0.2, "{} instead of {wanted} at {hertz} Hz", at(hertz));
        }
    }
}
