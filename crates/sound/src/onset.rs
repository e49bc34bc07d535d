//! Onset detection, so that time stretching keeps attacks intact and in place.

use std::collections::VecDeque;

use crate::input::Input;

/// Frames whose energy is taken together: two thirds of a millisecond.
const HOP: i64 = 32;

/// Hops that must have been quieter: 30 ms.
const BACKGROUND: usize = 45;

/// How much louder than the background an attack is, in energy, and the least that counts at all.
const RISE: f32 = 4.0;
const FLOOR: f32 = 1e-5;

/// Frames after an attack in which no other is looked for: 40 ms.
const REST: i64 = 1920;

pub(crate) struct OnsetFinder {
    /// Frames looked at.
    at: i64,
    background: VecDeque<f32>,
    last: Option<i64>,
}

impl OnsetFinder {
    pub(crate) fn new() -> Self {
        Self { at: 0, background: VecDeque::new(), last: None }
    }

    /// Looks at everything newly read and appends the frames at which attacks begin.
    pub(crate) fn look(&mut self, input: &Input, onsets: &mut VecDeque<i64>) {
        while self.at + HOP <= input.read_to() {
            let energy: f32 = (self.at..self.at + HOP).map(|index| change(input, index)).sum();
            let background = self.background.iter().copied().fold(0.0, f32::max);
            let rested = self.last.is_none_or(|last| self.at - last >= REST);
            if rested && energy > RISE * background + FLOOR {
                let share = energy / (2.0 * HOP as f32);
                let begin = (self.at..self.at + HOP).find(|&index| change(input, index) >= share);
                let begin = begin.unwrap_or(self.at);
                onsets.push_back(begin);
                self.last = Some(begin);
            }
            self.background.push_back(energy);
            if self.background.len() > BACKGROUND {
                self.background.pop_front();
            }
            self.at += HOP;
        }
    }
}

/// Energy of the step from the frame before; steps stand out in attacks more than levels do.
fn change(input: &Input, index: i64) -> f32 {
    let ([left, right], [left_before, right_before]) = (input.frame(index), input.frame(index - 1));
    let (left, right) = (left - left_before, right - right_before);
    left * left + right * right
}
