//! A sliding window over a source, with silence before its beginning and after its end.

use std::collections::VecDeque;

use crate::AudioError;
use crate::{AudioSource, CHANNELS};

/// Frames asked from the source at a time, and frames forgotten at a time.
const CHUNK: usize = 4096;

pub(crate) struct Input {
    source: Box<dyn AudioSource>,
    frames: Vec<f32>,
    /// Index in the source of the first frame held.
    first: i64,
    end: Option<i64>,
}

impl Input {
    pub(crate) fn new(source: Box<dyn AudioSource>) -> Self {
        Self { source, frames: Vec::new(), first: 0, end: None }
    }

    /// Length of the source, once its end has been read.
    pub(crate) fn end(&self) -> Option<i64> {
        self.end
    }

    /// First frame not read yet; the end once it is reached.
    pub(crate) fn read_to(&self) -> i64 {
        self.first + (self.frames.len() / CHANNELS) as i64
    }

    /// Reads until frame `index` is held or the source has ended.
    pub(crate) fn fill_to(&mut self, index: i64) -> Result<(), AudioError> {
        while self.end.is_none() && self.read_to() <= index {
            let held = self.frames.len();
            self.frames.resize(held + CHUNK * CHANNELS, 0.0);
            let read = read_fully(&mut *self.source, &mut self.frames[held..])?;
            self.frames.truncate(held + read * CHANNELS);
            if read < CHUNK {
                self.end = Some(self.read_to());
            }
        }
        Ok(())
    }

    /// A frame that is held, or silence.
    pub(crate) fn frame(&self, index: i64) -> [f32; CHANNELS] {
        let at = usize::try_from(index - self.first).map(|at| at * CHANNELS);
        match at.ok().and_then(|at| self.frames.get(at..at + CHANNELS)) {
            Some(&[left, right]) => [left, right],
            _ => [0.0; CHANNELS],
        }
    }

    /// The held frames from `index` on, silence around them, as `count` frames.
    pub(crate) fn window(&self, index: i64, count: usize) -> Vec<f32> {
        let mut window = vec![0.0; count * CHANNELS];
        let first = index.max(self.first);
        let last = (index + count as i64).min(self.read_to());
        if first < last {
            let held = (first - self.first) as usize * CHANNELS..(last - self.first) as usize * CHANNELS;
            let at = (first - index) as usize * CHANNELS;
            window[at..at + held.len()].copy_from_slice(&self.frames[held]);
        }
        window
    }

    /// Releases frames that are not needed any more.
    pub(crate) fn forget_before(&mut self, index: i64) {
        let old = usize::try_from(index.min(self.read_to()) - self.first).unwrap_or(0);
        if old >= 2 * CHUNK {
            self.frames.drain(..old * CHANNELS);
            self.first += old as i64;
        }
    }
}

/// Reads until `out` is full or the source has ended; NaN samples become silence.
pub(crate) fn read_fully(source: &mut dyn AudioSource, out: &mut [f32]) -> Result<usize, AudioError> {
    let wanted = out.len() / CHANNELS;
    let mut read = 0;
    while read < wanted {
        let got = source.read(&mut out[read * CHANNELS..])?.min(wanted - read);
        if got == 0 {
            break;
        }
        read += got;
    }
    for sample in &mut out[..read * CHANNELS] {
        if !sample.is_finite() {
            *sample = 0.0;
        }
    }
    Ok(read)
}

/// Moves frames from the front of `ready` to `out` and returns how many.
pub(crate) fn take_ready(ready: &mut VecDeque<f32>, out: &mut [f32]) -> usize {
    let frames = ready.len().min(out.len()) / CHANNELS;
    for (to, sample) in out.iter_mut().zip(ready.drain(..frames * CHANNELS)) {
        *to = sample;
    }
    frames
}
