//! Speed change that keeps the pitch (WSOLA): segments are copied unchanged and joined where they match best. Attacks are
//! never cut, repeated or skipped, and keep their exact position.

use std::collections::VecDeque;
use std::ops::RangeInclusive;

use crate::AudioError;
use crate::input::{Input, take_ready};
use crate::onset::OnsetFinder;
use crate::{AudioSource, CHANNELS};

/// Frames of a segment (40 ms), of the crossfade at its beginning (10 ms), and how far from its nominal place it may be
/// taken (10 ms).
const SEGMENT: i64 = 1920;
const CROSSFADE: i64 = 480;
const SEARCH: i64 = 480;

/// Frames compared when looking for the best joint.
const COMPARED: usize = 720;

/// A segment that carries an attack begins this long before it, the crossfade and a little calm.
const CALM: i64 = 64;
const LEAD: i64 = CROSSFADE + CALM;

/// Frames of an attack that are never played twice.
const ATTACK: i64 = 240;

/// How far ahead of its nominal place a segment must know the source, and how far behind it may go back.
const AHEAD: i64 = 3 * SEGMENT + SEARCH + 2 * LEAD + COMPARED as i64;
const BEHIND: i64 = 4 * SEGMENT;

pub(crate) struct Stretcher {
    input: Input,
    speed: f64,
    finder: OnsetFinder,
    /// Attacks still to come; the end of the source is the last.
    onsets: VecDeque<i64>,
    end_noted: bool,
    /// Attack last placed.
    placed: Option<i64>,
    /// Frames of output made, and the source frame that would follow them.
    at: i64,
    follows: i64,
    ready: VecDeque<f32>,
}

impl Stretcher {
    pub(crate) fn new(source: Box<dyn AudioSource>, speed: f64) -> Self {
        Self {
            input: Input::new(source),
            speed,
            finder: OnsetFinder::new(),
            onsets: VecDeque::new(),
            end_noted: false,
            placed: None,
            at: 0,
            follows: 0,
            ready: VecDeque::new(),
        }
    }

    /// Output frame at which source frame `index` belongs.
    fn place(&self, index: i64) -> i64 {
        (index as f64 / self.speed).round() as i64
    }

    /// Makes the next segment; `false` when the source has ended.
    fn advance(&mut self) -> Result<bool, AudioError> {
        let nominal = (self.at as f64 * self.speed).round() as i64;
        self.input.fill_to(nominal + AHEAD)?;
        self.finder.look(&self.input, &mut self.onsets);
        let end = self.input.end();
        if let (Some(end), false) = (end, self.end_noted) {
            self.onsets.push_back(end);
            self.end_noted = true;
        }
        let remaining = end.map_or(i64::MAX, |end| self.place(end) - self.at);
        if remaining <= 0 {
            return Ok(false);
        }

        let (start, length) = if self.at == 0 { self.begin() } else { self.next(nominal) };
        let length = length.clamp(1, remaining);
        self.join(start, length);
        self.at += length;
        self.follows = start + length;
        self.input.forget_before(self.follows.min(nominal) - BEHIND);
        Ok(true)
    }

    /// The first segment is the source's beginning as it is; an attack right after it moves it into place.
    fn begin(&mut self) -> (i64, i64) {
        let mut start = 0;
        while let Some(&onset) = self.onsets.front().filter(|&&onset| onset < LEAD + CROSSFADE) {
            self.onsets.pop_front();
            if self.placed.is_none() && self.input.end() != Some(onset) {
                start = onset - self.place(onset);
                self.placed = Some(onset);
            }
        }
        (start, self.length_from(start, SEGMENT))
    }

    /// Where the next segment starts in the source, and how long it is.
    fn next(&mut self, nominal: i64) -> (i64, i64) {
        while let Some(&onset) = self.onsets.front() {
            match (self.place(onset) - LEAD).cmp(&self.at) {
                std::cmp::Ordering::Less => {
                    self.onsets.pop_front();
                }
                std::cmp::Ordering::Equal => {
                    self.onsets.pop_front();
                    self.placed = Some(onset);
                    let start = onset - LEAD;
                    return (start, self.length_from(start, SEGMENT + LEAD));
                }
                std::cmp::Ordering::Greater => break,
            }
        }
        let earliest = self.placed.map_or(0, |placed| placed + ATTACK);
        let length = self.length_from(earliest, SEGMENT);
        let mut last = nominal + SEARCH;
        if let Some(&onset) = self.onsets.front() {
            last = last.min(onset - LEAD - length);
        }
        let first = (nominal - SEARCH).max(earliest);
        (self.best_start(first.min(last)..=last, nominal), length)
    }

    /// `wanted`, or what leads up to the segment of the next attack when that is near.
    fn length_to_onset(&self, wanted: i64) -> i64 {
        match self.onsets.front() {
            Some(&onset) => {
                let gap = self.place(onset) - LEAD - self.at;
                if (1..=wanted + CROSSFADE).contains(&gap) { gap } else { wanted }
            }
            None => wanted,
        }
    }

    /// The length of a segment that starts at `start` or later: it must not run into the next attack.
    fn length_from(&self, start: i64, wanted: i64) -> i64 {
        let length = self.length_to_onset(wanted);
        match self.onsets.front() {
            Some(&onset) => length.min((onset - LEAD - start).max(CROSSFADE)),
            None => length,
        }
    }

    /// The start whose sound continues what was played best.
    fn best_start(&self, starts: RangeInclusive<i64>, nominal: i64) -> i64 {
        // Going on without a joint is as good as it gets.
        if starts.contains(&self.follows) {
            return self.follows;
        }
        let (first, last) = starts.into_inner();
        let played = self.input.window(self.follows, COMPARED);
        let around = self.input.window(first, (last - first) as usize + COMPARED);
        let best = |candidates: &mut dyn Iterator<Item = i64>, step: usize| {
            let mut best = (f32::MIN, last);
            for start in candidates {
                let distance = (start - nominal).abs() as f32 / SEARCH as f32;
                let from = (start - first) as usize * CHANNELS;
                let value = likeness(&played, &around[from..], step) - 0.02 * distance;
                if value > best.0 {
                    best = (value, start);
                }
            }
            best.1
        };
        let coarse = best(&mut (first..=last).step_by(4), 4);
        best(&mut ((coarse - 3).max(first)..=(coarse + 3).min(last)), 1)
    }

    /// Crossfades from what was played into the source at `start` and copies the rest of the segment.
    fn join(&mut self, start: i64, length: i64) {
        let crossfade = if self.at == 0 || start == self.follows { 0 } else { CROSSFADE.min(length) };
        let mut segment = self.input.window(start, COMPARED.max(length as usize));
        if crossfade > 0 {
            let played = self.input.window(self.follows, COMPARED);
            // Sounds that differ add up in power, those alike in amplitude; the crossfade keeps the level of either.
            let alike = likeness(&played, &segment, 1).max(0.0);
            let frames = segment.chunks_exact_mut(CHANNELS).zip(played.chunks_exact(CHANNELS));
            for (index, (new, old)) in frames.take(crossfade as usize).enumerate() {
                let rise = (index as f32 + 0.5) / crossfade as f32;
                let rise = rise * rise * (3.0 - 2.0 * rise);
                let fall = 1.0 - rise;
                let level = (rise * rise + fall * fall + 2.0 * alike * rise * fall).sqrt();
                for (new, old) in new.iter_mut().zip(old) {
                    *new = (*new * rise + *old * fall) / level;
                }
            }
        }
        self.ready.extend(&segment[..length as usize * CHANNELS]);
    }
}

/// Correlation, −1 to 1, of the first frames of two windows, every `step`th frame compared.
fn likeness(a: &[f32], b: &[f32], step: usize) -> f32 {
    let (mut product, mut energy_a, mut energy_b) = (0.0f32, 1e-9f32, 1e-9f32);
    let frames = a.chunks_exact(CHANNELS).zip(b.chunks_exact(CHANNELS)).take(COMPARED);
    for (a, b) in frames.step_by(step) {
        product += a[0] * b[0] + a[1] * b[1];
        energy_a += a[0] * a[0] + a[1] * a[1];
        energy_b += b[0] * b[0] + b[1] * b[1];
    }
    product / (energy_a * energy_b).sqrt()
}

impl AudioSource for Stretcher {
    fn read(&mut self, out: &mut [f32]) -> Result<usize, AudioError> {
        while self.ready.len() < out.len() {
            if !self.advance()? {
                break;
            }
        }
        Ok(take_ready(&mut self.ready, out))
    }
}
