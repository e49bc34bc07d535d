//! Image files, still and animated: format, size and pixels. The format is read from the content, never from the name. Uses
//! no files and no C code; the AV1 data of an AVIF file are decoded elsewhere.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]
#![forbid(unsafe_code)]

mod animation;
pub mod avif;
mod bitmap;
mod jpeg;
mod sniff;
mod svg;

pub use animation::Animation;
pub use bitmap::{PhotoRows, check_size, premultiplied};
pub use sniff::sniff_image;
pub use svg::{SvgFonts, SvgImage};

use rondo_pixels::Picture;

/// Pixels a picture may have; larger ones are refused before anything is allocated for them.
pub const MAX_PIXELS: u64 = 100_000_000;

/// An image cannot be used; the sentence names the file and the reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name} cannot be read: {reason}")]
pub struct ImageError {
    pub name: String,
    pub reason: String,
}

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

/// Reads a picture's kind and size. `name` is the file's name for messages.
pub fn probe_image(bytes: &[u8], name: &str) -> Result<ImageInfo, ImageError> {
    let kind = kind_of(bytes, name)?;
    let (width, height) = match kind {
        ImageKind::Svg => svg::parse(bytes, name, &SvgFonts::default()).map(|svg| (svg.width, svg.height)),
        ImageKind::Avif => avif::read(bytes).and_then(|container| container.shown()),
        _ => bitmap::size(bytes, kind),
    }
    .map_err(|reason| unusable(name, reason))?;
    Ok(ImageInfo { kind, width, height, animated: is_animated(bytes, kind) })
}

/// Decodes a picture of any kind but AVIF: the first frame where there are several, orientation applied. `fonts` serve text
/// inside SVG files.
pub fn load_image(bytes: &[u8], name: &str, fonts: &SvgFonts) -> Result<Still, ImageError> {
    let kind = kind_of(bytes, name)?;
    match kind {
        ImageKind::Svg => svg::parse(bytes, name, fonts).map(Still::Svg),
        ImageKind::Avif => Err("AVIF images cannot be decoded here".to_owned()),
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

fn kind_of(bytes: &[u8], name: &str) -> Result<ImageKind, ImageError> {
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

pub(crate) fn unusable(name: &str, reason: String) -> ImageError {
    ImageError { name: name.to_owned(), reason }
}
