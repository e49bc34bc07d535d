//! Still pictures: what kind a file is, how large, and its pixels. The kind is read from the content, never from the name.

mod svg;

pub use svg::{SvgFonts, SvgImage};

use std::path::Path;

use crate::MediaError;

/// Pixels a picture may have; larger ones are refused before anything is allocated for them.
pub const MAX_PIXELS: u64 = 100_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageKind {
    Png,
    Jpeg,
    WebP,
    Gif,
    Bmp,
    Avif,
    Svg,
}

/// What can be said of a picture without decoding its pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageInfo {
    pub kind: ImageKind,
    /// Size as shown, orientation applied; for SVG the intrinsic size.
    pub width: u32,
    pub height: u32,
    /// Whether the file is a clip (animated GIF, WebP, PNG or AVIF) rather than one picture.
    pub animated: bool,
}

/// Premultiplied sRGB, 8 bits a channel, rows without gaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bitmap {
    pub width: u32,
    pub height: u32,
    /// r, g, b, a; `width * height * 4` bytes.
    pub pixels: Vec<u8>,
    /// Whether every alpha is 255.
    pub opaque: bool,
}

/// A loaded picture. An SVG has no pixels until it is known at which size it is shown.
#[derive(Clone, Debug)]
pub enum Still {
    Bitmap(Bitmap),
    Svg(SvgImage),
}

impl Still {
    /// Size in pixels as shown; for SVG the intrinsic size.
    pub fn size(&self) -> (u32, u32) {
        match self {
            Still::Bitmap(bitmap) => (bitmap.width, bitmap.height),
            Still::Svg(svg) => (svg.width, svg.height),
        }
    }
}

/// What the content looks like; `None` when it is no picture Rondo knows.
pub fn sniff_image(_bytes: &[u8]) -> Option<ImageKind> {
    None
}

/// Reads a picture's size and kind. `name` is the file's name for messages.
pub fn probe_image(_bytes: &[u8], name: &str) -> Result<ImageInfo, MediaError> {
    Err(MediaError::unreadable(Path::new(name), ""))
}

/// Decodes a picture: the first frame where there are several, orientation applied. `fonts` serve text inside SVG files.
pub fn load_image(_bytes: &[u8], name: &str, _fonts: &SvgFonts) -> Result<Still, MediaError> {
    Err(MediaError::unreadable(Path::new(name), ""))
}
