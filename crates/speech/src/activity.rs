//! Voice activity detection: levels over time, and the pieces that long audio is split into.

use std::ops::Range;

/// The sample rate of the transcription engines.
pub const RATE: u32 = 16_000;
/// Samples per level measurement.
pub const STEP: usize = 320;
const STEP_MS: f64 = 20.0;
/// Silence threshold in dBFS.
const SILENT: f32 = -55.0;
/// Speech is this many decibels above the noise floor, and at most this many below the peak level.
const ABOVE_NOISE: f32 = 7.0;
const BELOW_LOUDEST: f32 = 42.0;
/// The level of speech varies by more decibels than this.
const STEADY: f32 = 4.0;
/// The maximum length of a piece, and where the search for a quiet cut begins.
const LONGEST_MS: f64 = 20_000.0;
const CUT_FROM_MS: f64 = 9_000.0;
/// A long pause always ends a piece. A short pause does if the piece has the minimum length.
const LONG_PAUSE_MS: f64 = 1_500.0;
const PAUSE_MS: f64 = 450.0;
const ENOUGH_MS: f64 = 6_000.0;
/// The minimum pause between phrases, in steps.
const SHORTEST_PAUSE: usize = 5;
/// Kept around active audio.
const MARGIN_MS: f64 = 160.0;

/// Which steps of the audio are active.
pub struct Activity {
    levels: Vec<f32>,
    threshold: f32,
    samples: usize,
}

impl Activity {
    /// Measures samples at [`RATE`].
    pub fn of(samples: &[f32]) -> Self {
        let levels: Vec<f32> = samples.chunks(STEP).map(decibels).collect();
        let mut sorted = levels.clone();
        sorted.sort_by(f32::total_cmp);
        let share = |part: f64| sorted.get((sorted.len() as f64 * part) as usize).copied().unwrap_or(SILENT);
        let loudest = share(0.98);
        let noise = share(0.1).min(loudest - 2.0 * ABOVE_NOISE);
        Self {
            levels,
            threshold: SILENT.max(noise + ABOVE_NOISE).max(loudest - BELOW_LOUDEST),
            samples: samples.len(),
        }
    }

    fn active(&self, step: usize) -> bool {
        self.levels.get(step).is_some_and(|level| *level > self.threshold)
    }

    /// Ranges of samples with activity, in order, cut at quiet positions.
    pub fn pieces(&self) -> Vec<Range<usize>> {
        let steps = |ms: f64| (ms / STEP_MS) as usize;
        let mut pieces = Vec::new();
        let mut step = 0;
        while let Some(first) = (step..self.levels.len()).find(|&step| self.active(step)) {
            let end = self.piece_end(first);
            let start = first.saturating_sub(steps(MARGIN_MS)).max(step);
            let last = (first..end).rev().find(|&step| self.active(step)).unwrap_or(first) + 1;
            if last - first > 2 && !self.steady(first..last) {
                let end = (last + steps(MARGIN_MS)).min(end.max(last));
                pieces.push(start * STEP..(end * STEP).min(self.samples));
            }
            step = end.max(first + 1);
        }
        pieces
    }

    /// The pieces, merged up to a length unless the silence between them is longer than given.
    pub fn runs(&self, longest_seconds: usize, silence_seconds: usize) -> Vec<Range<usize>> {
        let (longest, silence) = (longest_seconds * RATE as usize, silence_seconds * RATE as usize);
        let mut runs: Vec<Range<usize>> = Vec::new();
        for piece in self.pieces() {
            match runs.last_mut() {
                Some(last) if piece.end - last.start <= longest && piece.start - last.end <= silence => {
                    last.end = piece.end;
                }
                _ => runs.push(piece),
            }
        }
        runs
    }

    /// Whether the level is steady, as for noise and tones but never for speech.
    fn steady(&self, steps: Range<usize>) -> bool {
        let mut levels = self.levels[steps].to_vec();
        levels.sort_by(f32::total_cmp);
        levels.len() > 25 && levels[levels.len() * 19 / 20] - levels[levels.len() / 20] < STEADY
    }

    /// The end (exclusive) of the piece that begins at step `first`.
    fn piece_end(&self, first: usize) -> usize {
        let steps = |ms: f64| (ms / STEP_MS) as usize;
        let mut quiet_since = None;
        for step in first..self.levels.len() {
            if step - first >= steps(LONGEST_MS) {
                return self.quietest(first + steps(CUT_FROM_MS)..step);
            }
            if self.active(step) {
                quiet_since = None;
                continue;
            }
            let since = *quiet_since.get_or_insert(step);
            let pause = if since - first >= steps(ENOUGH_MS) { PAUSE_MS } else { LONG_PAUSE_MS };
            if step - since >= steps(pause) {
                return step;
            }
        }
        self.levels.len()
    }

    /// The middle of the quietest 100 ms.
    fn quietest(&self, among: Range<usize>) -> usize {
        let loudness = |step: usize| {
            self.levels[step.saturating_sub(2)..(step + 3).min(self.levels.len())].iter().sum::<f32>()
        };
        among.clone().min_by(|a, b| loudness(*a).total_cmp(&loudness(*b))).unwrap_or(among.end)
    }

    /// The middle of the longest pause within `reach_ms` of a position, in milliseconds.
    pub fn pause_near(&self, ms: f64, reach_ms: f64) -> Option<f64> {
        let step = |ms: f64| (ms.max(0.0) / STEP_MS) as usize;
        let near: Vec<usize> = (step(ms - reach_ms)..step(ms + reach_ms).min(self.levels.len())).collect();
        let stretches = near.chunk_by(|&one, &next| self.active(one) == self.active(next));
        let pauses = stretches.filter(|stretch| stretch.len() >= SHORTEST_PAUSE && !self.active(stretch[0]));
        pauses
            .max_by_key(|pause| pause.len())
            .map(|pause| (pause[0] as f64 + pause.len() as f64 / 2.0) * STEP_MS)
    }

    /// Divides the active time by shares, in order. Returns start and end of each in milliseconds; pauses belong to
    /// none.
    pub fn divide(&self, shares: &[f64]) -> Vec<(f64, f64)> {
        let mut steps: Vec<usize> = (0..self.levels.len()).filter(|&step| self.active(step)).collect();
        if steps.is_empty() {
            steps = (0..self.levels.len().max(1)).collect();
        }
        let total: f64 = shares.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        let time = |passed: f64| {
            let position = passed / total * steps.len() as f64;
            let step = (position as usize).min(steps.len() - 1);
            (steps[step] as f64 + (position - step as f64)) * STEP_MS
        };
        let mut passed = 0.0;
        let spans = shares.iter().map(|share| {
            let start = time(passed);
            passed += share;
            // The end is the last active moment, before any pause.
            (start, time(passed - 1e-6).max(start))
        });
        spans.collect()
    }
}

fn decibels(samples: &[f32]) -> f32 {
    let power = samples.iter().map(|sample| sample * sample).sum::<f32>() / samples.len().max(1) as f32;
    10.0 * power.max(1e-12).log10()
}
