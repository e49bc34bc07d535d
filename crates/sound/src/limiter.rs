//! The true-peak limiter at the end of the mix: what stays under −1 dBFS passes bit for bit, what exceeds it is turned down
//! smoothly and in time, without shifting anything.

use std::collections::VecDeque;
use std::f64::consts::PI;
use std::sync::LazyLock;

use crate::CHANNELS;

/// The true peak that no mix exceeds: −1 dBFS.
pub const CEILING: f32 = 0.891_250_9;

/// Target of limited peaks: a sixth of a decibel below the ceiling, because 8× oversampling misses the exact peak.
const TARGET: f64 = 0.891_250_9 * 0.982;

/// Frames over which the gain comes down before a peak: 5 ms.
const ATTACK: usize = 240;

/// Points between two samples at which the waveform is reconstructed, and samples used on either side.
const PHASES: usize = 8;
const SIDE: usize = 12;
const TAPS: usize = 2 * SIDE;

/// Gain reductions are whole numbers of this fraction, so that sums are exact and come back to exactly none.
const UNIT: i64 = 1 << 30;

/// The reduction falls by 1/2048 of itself a frame (43 ms), and a little more so that it ends.
const RELEASE_SHIFT: u32 = 11;
const RELEASE_STEP: i64 = 256;

struct Interpolator {
    /// One row a sample, one column a point; the first point is the sample itself.
    weights: [[f32; PHASES]; TAPS],
    /// By how much a reconstructed point can exceed the samples around it.
    overshoot: f32,
}

/// Kaiser-windowed sinc.
static INTERPOLATOR: LazyLock<Interpolator> = LazyLock::new(|| {
    let mut weights = [[0.0; PHASES]; TAPS];
    let mut overshoot = 1.0f32;
    for phase in 0..PHASES {
        let offset = phase as f64 / PHASES as f64;
        let column: Vec<f64> = (0..TAPS)
            .map(|tap| {
                let distance = tap as f64 - (SIDE - 1) as f64 - offset;
                let sinc = if distance == 0.0 { 1.0 } else { libm::sin(PI * distance) / (PI * distance) };
                sinc * kaiser(distance / SIDE as f64, 6.0)
            })
            .collect();
        let sum: f64 = column.iter().sum();
        for (row, weight) in weights.iter_mut().zip(&column) {
            row[phase] = (weight / sum) as f32;
        }
        overshoot = overshoot.max(weights.iter().map(|row| row[phase].abs()).sum());
    }
    Interpolator { weights, overshoot }
});

/// The Kaiser window at `x` from −1 to 1.
pub(crate) fn kaiser(x: f64, beta: f64) -> f64 {
    let bessel = |z: f64| {
        let mut term = 1.0;
        let mut sum = 1.0;
        for k in 1..40 {
            let root = z / (2.0 * f64::from(k));
            term *= root * root;
            sum += term;
        }
        sum
    };
    bessel(beta * (1.0 - x * x).max(0.0).sqrt()) / bessel(beta)
}

pub(crate) struct Limiter {
    /// Interleaved input from frame `first` on, after [`SIDE`] frames of the past. Frames count from [`ATTACK`] before
    /// the beginning, so that a peak right there is prepared like any other.
    input: Vec<f32>,
    first: u64,
    /// Frames of the input whose peak has been measured.
    measured: u64,
    /// Peak between the last measured frame and the one before it.
    between: f32,
    /// Candidates for the largest reduction of the coming frames, falling: frame and reduction.
    ahead: VecDeque<(u64, i64)>,
    held: i64,
    /// The last reductions, whose mean is applied.
    window: VecDeque<i64>,
    sum: i64,
}

impl Limiter {
    pub(crate) fn new() -> Self {
        Self {
            input: vec![0.0; (SIDE + ATTACK) * CHANNELS],
            first: 0,
            measured: 0,
            between: 0.0,
            ahead: VecDeque::new(),
            held: 0,
            window: VecDeque::from(vec![0; ATTACK]),
            sum: 0,
        }
    }

    /// Takes the next frames in and appends to `out` those whose gain is known. Output frame n is input frame n.
    pub(crate) fn process(&mut self, block: &[f32], out: &mut VecDeque<f32>) {
        self.input.extend_from_slice(block);
        if self.is_idle() {
            return self.pass(out);
        }
        let past = SIDE as u64;
        let available = self.first + (self.input.len() / CHANNELS) as u64 - past;
        while self.measured + past < available {
            let reduction = self.measure((self.measured - self.first) as usize + SIDE);
            while self.ahead.back().is_some_and(|&(_, other)| other <= reduction) {
                self.ahead.pop_back();
            }
            self.ahead.push_back((self.measured, reduction));
            self.measured += 1;
            if self.measured > ATTACK as u64 {
                let frame = self.measured - 1 - ATTACK as u64;
                let gain = self.gain(frame);
                let at = ((frame - self.first) as usize + SIDE) * CHANNELS;
                if frame >= ATTACK as u64 {
                    out.extend(self.input[at..at + CHANNELS].iter().map(|sample| sample * gain));
                }
            }
        }
        let done = self.measured.saturating_sub(ATTACK as u64);
        self.input.drain(..(done - self.first) as usize * CHANNELS);
        self.first = done;
    }

    /// Whether nothing held is loud enough to matter and no reduction is going on.
    fn is_idle(&self) -> bool {
        let loudest = self.input.iter().fold(0.0f32, |peak, sample| peak.max(sample.abs()));
        loudest * INTERPOLATOR.overshoot <= CEILING
            && self.sum == 0
            && self.held == 0
            && self.ahead.iter().all(|&(_, reduction)| reduction == 0)
    }

    /// What [`Limiter::process`] comes to when idle: every gain is 1.
    fn pass(&mut self, out: &mut VecDeque<f32>) {
        let received = self.first + (self.input.len() / CHANNELS - SIDE) as u64;
        self.measured = received.saturating_sub(SIDE as u64).max(self.measured);
        self.between = 0.0;
        self.ahead.clear();
        let done = self.measured.saturating_sub(ATTACK as u64);
        let skipped = (ATTACK as u64).clamp(self.first, done.max(self.first)) - self.first;
        let count = (done - self.first) as usize;
        out.extend(&self.input[(SIDE + skipped as usize) * CHANNELS..(SIDE + count) * CHANNELS]);
        self.input.drain(..count * CHANNELS);
        self.first = done;
    }

    /// How much the frame at index `at` of the input exceeds the ceiling, as a reduction.
    fn measure(&mut self, at: usize) -> i64 {
        let interpolator = &*INTERPOLATOR;
        let around = &self.input[(at + 1 - SIDE) * CHANNELS..(at + 1 + SIDE) * CHANNELS];
        let before = std::mem::replace(&mut self.between, 0.0);
        let loudest = around.iter().fold(0.0f32, |peak, sample| peak.max(sample.abs()));
        if loudest * interpolator.overshoot > CEILING {
            let mut points = [[0.0f32; PHASES]; CHANNELS];
            for (frame, weights) in around.chunks_exact(CHANNELS).zip(&interpolator.weights) {
                for phase in 0..PHASES {
                    points[0][phase] += frame[0] * weights[phase];
                    points[1][phase] += frame[1] * weights[phase];
                }
            }
            self.between = points.as_flattened().iter().fold(0.0, |peak, point| peak.max(point.abs()));
        }
        let frame = &self.input[at * CHANNELS..(at + 1) * CHANNELS];
        let peak = frame[0].abs().max(frame[1].abs()).max(before).max(self.between);
        if peak <= CEILING {
            return 0;
        }
        ((1.0 - TARGET / f64::from(peak)) * UNIT as f64).ceil() as i64
    }

    /// Gain of `frame`, once the frames up to [`ATTACK`] after it are measured: the mean of maxima that all cover it.
    fn gain(&mut self, frame: u64) -> f32 {
        while self.ahead.front().is_some_and(|&(other, _)| other < frame) {
            self.ahead.pop_front();
        }
        let coming = self.ahead.front().map_or(0, |&(_, reduction)| reduction);
        let released = (self.held - (self.held >> RELEASE_SHIFT) - RELEASE_STEP).max(0);
        self.held = coming.max(released);
        self.window.push_back(self.held);
        self.sum += self.held;
        let gain = 1.0 - self.sum as f64 / ((ATTACK + 1) as f64 * UNIT as f64);
        self.sum -= self.window.pop_front().unwrap_or(0);
        gain as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limited(signal: &[f32]) -> Vec<f32> {
        let mut limiter = Limiter::new();
        let mut out = VecDeque::new();
        limiter.process(signal, &mut out);
        limiter.process(&vec![0.0; (ATTACK + SIDE) * CHANNELS], &mut out);
        out.into()
    }

    fn stereo(frames: usize, sample: impl Fn(f64) -> f64) -> Vec<f32> {
        (0..frames).flat_map(|n| [sample(n as f64 / 48_000.0) as f32; 2]).collect()
    }

    /// The largest value of the left channel's waveform, reconstructed at 32 points a sample with a far longer kernel.
    fn true_peak(signal: &[f32]) -> f64 {
        let left: Vec<f64> = signal.iter().step_by(2).map(|&sample| f64::from(sample)).collect();
        let kernel: Vec<f64> = (0..=64 * 32)
            .map(|index| {
                let d = f64::from(index) / 32.0;
                let sinc = if index == 0 { 1.0 } else { (PI * d).sin() / (PI * d) };
                sinc * kaiser(d / 64.0, 9.0)
            })
            .collect();
        let mut peak = 0.0f64;
        for n in 64..left.len() - 64 {
            if left[n - 3..n + 4].iter().all(|sample| sample.abs() < 0.5) {
                continue;
            }
            for phase in 0..32 {
                let value: f64 =
                    (n - 63..n + 64).map(|k| left[k] * kernel[(n * 32 + phase).abs_diff(k * 32)]).sum();
                peak = peak.max(value.abs());
            }
        }
        peak
    }

    #[test]
    fn what_stays_under_the_ceiling_passes_bit_for_bit() {
        let signal = stereo(20_000, |t| 0.89 * (2.0 * PI * 997.0 * t).sin() * (100.0 * (0.41 - t)).min(1.0));
        assert!(limited(&signal) == signal);
    }

    #[test]
    fn true_peaks_end_under_minus_one_decibel() {
        let cases: [fn(f64) -> f64; 4] = [
            |t| 1.9 * (2.0 * PI * 997.0 * t).sin(),
            // A quarter of the rate, sampled 45° off its peaks: samples of 0.78, waveform of 1.1.
            |t| 1.1 * (2.0 * PI * 12_000.0 * t + PI / 4.0).sin(),
            |t| 1.4 * (2.0 * PI * 17_000.0 * t).sin() * if (t * 50.0) as i64 % 2 == 0 { 1.0 } else { 0.1 },
            |t| 8.0 * (2.0 * PI * 60.0 * t).sin() * (1.0 + (2.0 * PI * 3_000.0 * t).sin()),
        ];
        for (index, case) in cases.into_iter().enumerate() {
            let peak = true_peak(&limited(&stereo(4_800, case)));
            assert!(peak <= f64::from(CEILING), "case {index}: {peak}");
            assert!(peak > 0.8, "case {index} is turned down too far: {peak}");
        }
    }

    #[test]
    fn the_gain_moves_smoothly_and_comes_back_to_exactly_one() {
        let loud = 4_800..9_600;
        let signal: Vec<f32> =
            (0..120_000).flat_map(|n| [if loud.contains(&n) { 1.5f32 } else { 0.5 }; 2]).collect();
        let out = limited(&signal);
        let gains: Vec<f32> = (0..120_000).map(|n| out[2 * n] / signal[2 * n]).collect();
        let steepest = gains.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f32::max);
        assert!(steepest < 0.003, "{steepest}");
        assert_eq!(gains[4_000], 1.0);
        assert!(out[2 * 100_000..] == signal[2 * 100_000..]);
    }
}
