//! Ducking: everything else is turned down under narration, smoothly and before the first word.

use std::collections::VecDeque;

use crate::loudness::decibels;
use crate::{CHANNELS, SAMPLE_RATE};

/// Frames that are looked at together for narration: 5 ms.
pub(crate) const HOP: usize = 256;

/// Mean square above which narration is heard: −45 dBFS.
const HEARD: f32 = 3.162e-5;

/// Frames for which the others stay down after narration, so that they do not swell between words: half a second.
const HOLD: u64 = 24_000;

/// How what is not narration is turned down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ducking {
    /// Decibels.
    pub amount: f64,
    /// Seconds it takes to turn down; it is done when narration begins.
    pub attack: f64,
    /// Seconds it takes to come back.
    pub release: f64,
}

pub(crate) struct Ducker {
    amount: f64,
    /// Both in frames.
    attack: f64,
    release: f64,
    /// Hops to look ahead.
    ahead: usize,
    /// Hops that are not out yet; the first one begins at frame `at`.
    waiting: VecDeque<Hop>,
    at: u64,
    /// Where the last hop ended in which narration was heard.
    silent_since: Option<u64>,
}

struct Hop {
    narration: Vec<f32>,
    others: Vec<f32>,
    is_heard: bool,
}

impl Ducker {
    pub(crate) fn new(ducking: Ducking) -> Self {
        let frames = |seconds: f64| (seconds * f64::from(SAMPLE_RATE)).max(1.0);
        let attack = frames(ducking.attack);
        Self {
            amount: ducking.amount,
            attack,
            release: frames(ducking.release),
            ahead: (attack / HOP as f64).ceil() as usize,
            waiting: VecDeque::new(),
            at: 0,
            silent_since: None,
        }
    }

    /// Takes whole hops of both sums in and appends to `out` the frames of the mix whose gain is known.
    pub(crate) fn process(&mut self, narration: &[f32], others: &[f32], out: &mut Vec<f32>) {
        let hops = narration.chunks_exact(HOP * CHANNELS).zip(others.chunks_exact(HOP * CHANNELS));
        for (narration, others) in hops {
            let power = narration.iter().map(|sample| sample * sample).sum::<f32>() / narration.len() as f32;
            let (narration, others) = (narration.to_vec(), others.to_vec());
            self.waiting.push_back(Hop { narration, others, is_heard: power > HEARD });
            if self.waiting.len() > self.ahead {
                self.finish_hop(out);
            }
        }
    }

    fn finish_hop(&mut self, out: &mut Vec<f32>) {
        let coming = self.waiting.iter().position(|hop| hop.is_heard);
        let coming = coming.map(|hops| self.at + (hops * HOP) as u64);
        let Some(hop) = self.waiting.pop_front() else { return };
        let end = self.at + HOP as u64;
        if hop.is_heard {
            self.silent_since = Some(end);
        }
        let frames = hop.narration.chunks_exact(CHANNELS).zip(hop.others.chunks_exact(CHANNELS));
        for (frame, (narration, others)) in (self.at..end).zip(frames) {
            let gain = self.gain(frame, coming);
            out.extend(narration.iter().zip(others).map(|(narration, other)| narration + other * gain));
        }
        self.at = end;
    }

    /// Gain of the others: straight ways down to the narration that is coming and up from the one that was, the lower of
    /// both, with their corners rounded.
    fn gain(&self, frame: u64, coming: Option<u64>) -> f32 {
        let down = coming.map_or(0.0, |coming| 1.0 - coming.saturating_sub(frame) as f64 / self.attack);
        let up = self
            .silent_since
            .map_or(0.0, |since| 1.0 - frame.saturating_sub(since + HOLD) as f64 / self.release);
        let depth = down.max(up).clamp(0.0, 1.0);
        let rounded = depth * depth * (3.0 - 2.0 * depth);
        decibels(-self.amount * rounded) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DUCKING: Ducking = Ducking { amount: 12.0, attack: 0.15, release: 0.4 };

    /// The gain of others that are 1 throughout, for each frame, with a narration of 0.1 in the given spans of seconds.
    /// Narration has the opposite sign on the right, so that it drops out of the sum of both channels.
    fn gains(ducking: Ducking, seconds: f64, spoken: &[(f64, f64)]) -> Vec<f32> {
        let frames = (seconds * 48_000.0) as usize / HOP * HOP;
        let narration: Vec<f32> = (0..frames)
            .flat_map(|n| {
                let now = n as f64 / 48_000.0;
                let heard = spoken.iter().any(|(from, to)| (*from..*to).contains(&now));
                if heard { [0.1, -0.1] } else { [0.0; 2] }
            })
            .collect();
        let mut ducker = Ducker::new(ducking);
        let mut out = Vec::new();
        ducker.process(&narration, &vec![1.0; narration.len()], &mut out);
        let flush = vec![0.0; ducker.ahead * HOP * CHANNELS];
        ducker.process(&flush, &flush, &mut out);
        out.chunks_exact(2).map(|frame| (frame[0] + frame[1]) / 2.0).collect()
    }

    fn at(gains: &[f32], seconds: f64) -> f64 {
        20.0 * f64::from(gains[(seconds * 48_000.0) as usize]).log10()
    }

    #[test]
    fn others_are_down_when_narration_begins_and_back_after_hold_and_release() {
        let gains = gains(DUCKING, 4.0, &[(1.0, 2.0)]);
        for seconds in [1.0, 1.5, 2.0, 2.4] {
            assert!((at(&gains, seconds) + 12.0).abs() < 0.01, "{} dB at {seconds} s", at(&gains, seconds));
        }
        for seconds in [0.0, 0.84, 2.92, 3.9] {
            assert_eq!(at(&gains, seconds), 0.0, "at {seconds} s");
        }
        assert!((-11.0..-1.0).contains(&at(&gains, 0.92)) && (-11.0..-1.0).contains(&at(&gains, 2.7)));
    }

    #[test]
    fn others_stay_down_between_words_and_begin_down_under_a_word_at_the_beginning() {
        let gains = gains(DUCKING, 3.0, &[(0.0, 0.3), (0.8, 1.2), (1.25, 1.6)]);
        let highest = gains[..76_800].iter().fold(0.0, |gain: f32, other| gain.max(*other));
        assert!((20.0 * highest.log10() + 12.0).abs() < 0.01, "{highest}");
    }

    #[test]
    fn the_gain_never_jumps() {
        for (ducking, steepest) in [
            (DUCKING, 0.001),
            // 40 dB within the shortest times.
            (Ducking { amount: 40.0, attack: 0.001, release: 0.01 }, 0.1),
        ] {
            let gains = gains(ducking, 4.0, &[(0.5, 1.0), (1.6, 1.7), (2.5, 3.1)]);
            let found = gains.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f32::max);
            assert!(found < steepest, "{found}");
        }
    }

    #[test]
    fn inaudible_narration_does_not_duck() {
        let mut ducker = Ducker::new(DUCKING);
        let mut out = Vec::new();
        ducker.process(&vec![0.005; 96_256], &vec![0.5; 96_256], &mut out);
        assert!(!out.is_empty() && out.iter().all(|sample| *sample == 0.5 + 0.005));
    }
}
