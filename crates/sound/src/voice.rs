//! A piece of a source that is playing: opened, played at its speed, its cuts softened.

use crate::AudioError;
use crate::fade::{RAMP, declick};
use crate::input::read_fully;
use crate::resample::Resampler;
use crate::stretch::Stretcher;
use crate::track::Piece;
use crate::{AudioSource, CHANNELS, OpenAudio, SPEED_RANGE};

/// Speeds at which the pitch is kept; beyond, it follows the speed.
const PITCH_KEPT: std::ops::RangeInclusive<f64> = 0.5..=2.0;

pub(crate) struct Voice {
    /// `None` once the source has ended.
    source: Option<Box<dyn AudioSource>>,
    /// Frames read but not heard yet: enough to know at a ramp's beginning whether the sound goes on past its end.
    ahead: Vec<f32>,
    /// Frames of the piece that have been heard.
    at: u64,
    length: u64,
    /// Whether the piece begins or ends inside the source, where a jump would click.
    cut_start: bool,
    cut_end: bool,
}

impl Voice {
    /// `skip` frames of the piece have already been played; `softened` says where a fade makes a ramp needless.
    pub(crate) fn open(
        opener: &dyn OpenAudio,
        piece: Piece,
        skip: u64,
        softened: (bool, bool),
    ) -> Result<Self, AudioError> {
        let speed = if piece.speed.is_finite() { piece.speed } else { 1.0 };
        let speed = speed.clamp(*SPEED_RANGE.start(), *SPEED_RANGE.end());
        let source = if speed == 1.0 {
            opener.open(piece.from + skip)?
        } else {
            let source = opener.open(piece.from)?;
            let mut source: Box<dyn AudioSource> = if PITCH_KEPT.contains(&speed) {
                Box::new(Stretcher::new(source, speed))
            } else {
                Box::new(Resampler::new(source, speed))
            };
            discard(&mut *source, skip)?;
            source
        };
        Ok(Self {
            source: Some(source),
            ahead: Vec::new(),
            at: skip,
            length: piece.length,
            cut_start: piece.from > 0 && !softened.0,
            cut_end: !softened.1,
        })
    }

    /// Adds the next frames to `out`, each times `gain` of its index; silence once the source has ended.
    pub(crate) fn add_to(&mut self, out: &mut [f32], gain: impl Fn(u64) -> f32) -> Result<(), AudioError> {
        let wanted = out.len() + (RAMP as usize + 1) * CHANNELS;
        if let Some(source) = &mut self.source {
            let held = self.ahead.len();
            if held < wanted {
                self.ahead.resize(wanted, 0.0);
                let read = read_fully(&mut **source, &mut self.ahead[held..])?;
                self.ahead.truncate(held + read * CHANNELS);
            }
            if self.ahead.len() < wanted {
                self.source = None;
            }
        }
        // A source that ends within the piece is not faded out.
        let goes_on = self.at + (self.ahead.len() / CHANNELS) as u64 > self.length;
        let heard = out.len().min(self.ahead.len());
        let frames = out.chunks_exact_mut(CHANNELS).zip(self.ahead[..heard].chunks_exact(CHANNELS));
        for (index, (to, from)) in (0u64..).zip(frames) {
            let mut gain = gain(index);
            let at = self.at + index;
            if self.cut_start {
                gain *= declick(at);
            }
            if self.cut_end && goes_on {
                gain *= declick((self.length - 1).saturating_sub(at));
            }
            to[0] += from[0] * gain;
            to[1] += from[1] * gain;
        }
        self.ahead.drain(..heard);
        self.at += (out.len() / CHANNELS) as u64;
        Ok(())
    }
}

fn discard(source: &mut dyn AudioSource, frames: u64) -> Result<(), AudioError> {
    let mut buffer = [0.0; 4096];
    let mut left = frames;
    while left > 0 {
        let wanted = left.min((buffer.len() / CHANNELS) as u64) as usize * CHANNELS;
        let read = read_fully(source, &mut buffer[..wanted])?;
        if read == 0 {
            break;
        }
        left -= read as u64;
    }
    Ok(())
}
