//! Everything the outside world supplies: what media are like, and their pixels. Implemented natively by `render`, in
//! the browser by the player.

use std::sync::Arc;

use crate::display::PictureRef;

/// What the scene must know of a media source to lay it out.
#[derive(Clone, Debug)]
pub struct MediaInfo {
    /// Number of the source in its world.
    pub source: u32,
    /// Identity of the source's bytes.
    pub key: u64,
    /// Size in pixels as shown: rotation metadata and EXIF orientation applied.
    pub width: u32,
    pub height: u32,
    /// Pixels of the picture for each pixel of that size; more than 1 for vector images drawn larger.
    pub scale: f64,
    /// `None` for stills.
    pub clip: Option<ClipInfo>,
}

#[derive(Clone, Copy, Debug)]
pub struct ClipInfo {
    /// Seconds from the first frame to the end of the last.
    pub duration: f64,
}

/// Facts about media, by the `src` written in the composition.
pub trait World {
    /// `None` when the source is unknown to this world (not loaded, unreadable).
    fn media(&self, src: &str) -> Option<MediaInfo>;
}

/// Pixels of media, for the painter.
pub trait Pictures {
    fn picture(&mut self, picture: &PictureRef) -> Result<Arc<Picture>, PictureError>;
}

/// A picture could not be produced; the sentence names the file and the reason.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{0}")]
pub struct PictureError(pub String);

/// Premultiplied sRGB, 8 bits a channel, rows without gaps.
#[derive(Clone, Debug)]
pub struct Picture {
    pub width: u32,
    pub height: u32,
    /// r, g, b, a; `width * height * 4` bytes.
    pub pixels: Vec<u8>,
    /// Whether every alpha is 255.
    pub opaque: bool,
}
