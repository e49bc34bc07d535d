//! Image files, still and animated: format, size and pixels. The format is read from the content, never from the name.

mod animation;
mod avif;
mod bitmap;
mod jpeg;
mod sniff;
mod svg;

pub use animation::Animation;
pub use sniff::sniff_image;
pub use svg::{SvgFonts, SvgImage};

use std::path::Path;

use rondo_pixels::Picture;

use crate::{MediaError, MediaFile};

/// Pixels a picture may have; larger ones are refused before anything is allocated for them.
pub const MAX_PIXELS: u64 = 100_000_000;

/// Bytes that the file of a picture may have. It is read whole.
pub const MAX_FILE_BYTES: u64 = 500_000_000;

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

/// The header of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageInfo {
    pub kind: ImageKind,
    /// Size as shown, orientation applied; for SVG the intrinsic size.
    pub width: u32,
    pub height: u32,
    /// Whether the file is a clip (animated GIF, WebP, PNG or AVIF) rather than one picture.
    pub animated: bool,
}

/// A loaded picture. An SVG has no pixels until it is known at which size it is shown.
#[derive(Clone, Debug)]
pub enum Still {
    Bitmap(Picture),
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

/// Reads the file of a picture whole.
pub fn read_image_file(path: &Path) -> std::io::Result<Vec<u8>> {
    MediaFile::open(path)?.read_all(MAX_FILE_BYTES)
}

/// Reads a picture's kind and size. `name` is the file's name for messages.
pub fn probe_image(bytes: &[u8], name: &str) -> Result<ImageInfo, MediaError> {
    let kind = kind_of(bytes, name)?;
    let (width, height) = match kind {
        ImageKind::Svg => svg::parse(bytes, name, &SvgFonts::default()).map(|svg| (svg.width, svg.height)),
        ImageKind::Avif => avif::size(bytes),
        _ => bitmap::size(bytes, kind),
    }
    .map_err(|reason| unusable(name, reason))?;
    Ok(ImageInfo { kind, width, height, animated: is_animated(bytes, kind) })
}

/// Decodes a picture: the first frame where there are several, orientation applied. `fonts` serve text inside SVG files.
pub fn load_image(bytes: &[u8], name: &str, fonts: &SvgFonts) -> Result<Still, MediaError> {
    let kind = kind_of(bytes, name)?;
    match kind {
        ImageKind::Svg => svg::parse(bytes, name, fonts).map(Still::Svg),
        ImageKind::Avif => avif::load(bytes).map(Still::Bitmap),
        // Read frame by frame: the decoder of whole files trusts the sizes that frames give themselves.
        ImageKind::WebP => match Animation::first_frame(bytes, name)? {
            Some(first) => Ok(Still::Bitmap(first)),
            None => bitmap::load(bytes, kind).map(Still::Bitmap),
        },
        _ => bitmap::load(bytes, kind).map(Still::Bitmap),
    }
    .map_err(|reason| unusable(name, reason))
}

/// Whether the file is a clip rather than one picture.
fn is_animated(bytes: &[u8], kind: ImageKind) -> bool {
    match kind {
        ImageKind::Avif => bytes.get(8..12) == Some(b"avis"),
        _ => animation::is_animated(bytes, kind),
    }
}

fn kind_of(bytes: &[u8], name: &str) -> Result<ImageKind, MediaError> {
    sniff_image(bytes).ok_or_else(|| {
        let reason = if bytes.is_empty() {
            "the file is empty"
        } else if bytes.starts_with(b"\x1f\x8b") {
            "it is compressed; save the SVG uncompressed (.svg, not .svgz)"
        } else {
            "it is not a PNG, JPEG, WebP, GIF, BMP, AVIF or SVG image"
        };
        unusable(name, reason.to_owned())
    })
}

fn unusable(name: &str, reason: String) -> MediaError {
    MediaError::unreadable(Path::new(name), reason)
}
