//! Encoding a film: H.264 pictures and AAC sound into an MP4 file.

use std::path::Path;

use crate::error::MediaError;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Quality {
    Draft,
    #[default]
    Standard,
    High,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodeSettings {
    /// Even.
    pub width: u32,
    /// Even.
    pub height: u32,
    pub fps: u32,
    pub quality: Quality,
    /// Threads of the picture encoder; part of what makes the bytes reproducible.
    pub threads: u32,
    /// Whether the film has a sound track.
    pub audio: bool,
}

/// A picture to encode: BT.709 limited range, 4:2:0, chroma planes half as wide and high.
#[derive(Debug, Clone, Copy)]
pub struct I420<'a> {
    pub y: &'a [u8],
    pub u: &'a [u8],
    pub v: &'a [u8],
    /// Bytes from one row to the next.
    pub y_stride: usize,
    pub uv_stride: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EncodeReport {
    pub frames: u64,
    pub bytes: u64,
}

/// Writes a film under a temporary name beside the target and renames it at the end; dropping it before removes the
/// partial file.
pub struct Encoder {}

impl Encoder {
    pub fn create(path: &Path, settings: EncodeSettings) -> Result<Self, MediaError> {
        let _ = settings;
        Err(MediaError::unwritable(path, "the encoder is missing"))
    }

    pub fn push_video(&mut self, picture: &I420<'_>) -> Result<(), MediaError> {
        let _ = picture;
        Ok(())
    }

    /// Interleaved stereo at 48 kHz, in pieces of any length. Sound beyond the last picture is cut, missing sound is
    /// silence.
    pub fn push_audio(&mut self, samples: &[f32]) -> Result<(), MediaError> {
        let _ = samples;
        Ok(())
    }

    pub fn finish(self) -> Result<EncodeReport, MediaError> {
        Ok(EncodeReport { frames: 0, bytes: 0 })
    }
}
