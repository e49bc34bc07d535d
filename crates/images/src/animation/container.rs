//! What the three containers have in common: a canvas, and frames with a position, a delay, blending and disposal.

use std::ops::Range;
use std::time::Duration;

/// Frames a file may list.
pub const MAX_FRAMES: usize = 50_000;

/// The frame table of a file.
#[derive(Debug, Default)]
pub struct Clip {
    pub width: u32,
    pub height: u32,
    /// `None` for infinite.
    pub plays: Option<u32>,
    pub frames: Vec<Frame>,
}

#[derive(Debug, Default)]
pub struct Frame {
    pub x: u32,
    pub y: u32,
    pub width: u32,
    pub height: u32,
    pub delay: Duration,
    pub dispose: Dispose,
    /// Whether the frame replaces the canvas instead of being blended over it.
    pub replaces: bool,
    /// Byte ranges of the picture in the file.
    pub data: Vec<Range<usize>>,
    /// GIF: the index of the transparent colour.
    pub transparent: Option<u8>,
}

/// How a frame is disposed of before the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dispose {
    #[default]
    Keep,
    Clear,
    Restore,
}

impl Clip {
    /// Adds a frame; `false` if the limit is exceeded.
    pub fn push(&mut self, frame: Frame) -> bool {
        self.frames.push(frame);
        self.frames.len() <= MAX_FRAMES
    }
}

/// The delay of a frame. As in browsers, very short delays become a tenth of a second.
pub fn delay(millis: f64) -> Duration {
    Duration::from_micros((if millis <= 10.0 { 100.0 } else { millis } * 1e3).round() as u64)
}

pub fn le16(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?)))
}

pub fn le24(bytes: &[u8], at: usize) -> Option<u32> {
    Some(le16(bytes, at)? | u32::from(*bytes.get(at + 2)?) << 16)
}

pub fn be32(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}
