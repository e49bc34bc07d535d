//! The encoding settings of a film: size, frame rate, codec, quality.

use super::video_codec::PictureCodec;
use crate::error::MediaError;

/// Largest side of a film.
const MAX_SIDE: u32 = 16_384;

/// Highest frame rate of a film.
const MAX_FPS: u32 = 1000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Quality {
    Draft,
    #[default]
    Standard,
    High,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PictureSettings {
    /// Even.
    pub width: u32,
    /// Even.
    pub height: u32,
    pub fps: u32,
    pub quality: Quality,
    pub codec: PictureCodec,
    /// Whether transparency is kept; only where the codec can.
    pub alpha: bool,
    /// Whether runs of equal frames are written without the encoder, where the codec and its stream allow it.
    pub repeat_frames: bool,
}

impl PictureSettings {
    /// Whether the encoder takes planes instead of RGBA.
    pub fn takes_planes(&self) -> bool {
        !self.alpha && self.codec != PictureCodec::ProRes
    }

    pub(crate) fn check(&self) -> Result<(), MediaError> {
        let even = |side: u32| side.is_multiple_of(2) && (2..=MAX_SIDE).contains(&side);
        if !even(self.width) || !even(self.height) {
            return Err(self.bad("width and height must be even and between 2 and 16384"));
        }
        if !(1..=MAX_FPS).contains(&self.fps) {
            return Err(self.bad("the frame rate must be between 1 and 1000"));
        }
        if self.alpha && !self.codec.has_alpha() {
            return Err(self.bad("its codec does not support transparency"));
        }
        Ok(())
    }

    pub(crate) fn bad(&self, reason: &str) -> MediaError {
        MediaError::BadSettings {
            width: self.width,
            height: self.height,
            fps: self.fps,
            reason: reason.to_owned(),
        }
    }
}
