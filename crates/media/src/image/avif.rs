//! AVIF files: their AV1 picture is decoded by FFmpeg's libraries.

use std::ffi::c_int;

use ::image::{GrayImage, RgbaImage, imageops};
use rondo_images::avif::{self, Turn};
use rondo_images::{check_size, premultiplied};
use rondo_pixels::Picture;

use super::avif_decoder::decode;
use crate::ffi::ffmpeg::*;
use crate::ffi::{Frame, Scaler, Scaling};

pub(super) fn load(bytes: &[u8]) -> Result<Picture, String> {
    let container = avif::read(bytes)?;
    check_size(container.width, container.height)?;
    let mut picture = color(&decode(&container.color)?)?;
    let opaque = container.alpha.is_none();
    if let Some(alpha) = &container.alpha {
        let alpha = coverage(&decode(alpha)?, picture.width(), picture.height())?;
        for (pixel, alpha) in picture.chunks_exact_mut(4).zip(alpha.as_raw()) {
            pixel[3] = *alpha;
        }
    }
    for turn in container.turns {
        picture = match turn {
            Turn::Rotate(0) => picture,
            Turn::Rotate(1) => imageops::rotate270(&picture),
            Turn::Rotate(2) => imageops::rotate180(&picture),
            Turn::Rotate(_) => imageops::rotate90(&picture),
            Turn::FlipVertical => imageops::flip_vertical(&picture),
            Turn::FlipHorizontal => imageops::flip_horizontal(&picture),
        };
    }
    Ok(premultiplied(picture, opaque))
}

fn color(picture: &Frame) -> Result<RgbaImage, String> {
    let full_range = picture.get().color_range == AVColorRange::AVCOL_RANGE_JPEG;
    let (width, height) = (picture.get().width, picture.get().height);
    let pixels = convert(picture, AVPixelFormat::AV_PIX_FMT_RGBA, width, height, full_range)?;
    RgbaImage::from_raw(width.unsigned_abs(), height.unsigned_abs(), pixels).ok_or_else(damaged)
}

/// The alpha of a picture of this size.
fn coverage(picture: &Frame, width: u32, height: u32) -> Result<GrayImage, String> {
    let full_range = picture.get().color_range != AVColorRange::AVCOL_RANGE_MPEG;
    let (wide, high) = (width as c_int, height as c_int);
    let pixels = convert(picture, AVPixelFormat::AV_PIX_FMT_GRAY8, wide, high, full_range)?;
    GrayImage::from_raw(width, height, pixels).ok_or_else(damaged)
}

fn damaged() -> String {
    "the AVIF is damaged".to_owned()
}

/// The picture's rows without padding, in `format` and full range.
fn convert(
    picture: &Frame,
    format: AVPixelFormat,
    width: c_int,
    height: c_int,
    full_range: bool,
) -> Result<Vec<u8>, String> {
    let picture = picture.get();
    let unusable = |reason: String| format!("the AVIF's colours cannot be converted ({reason})");
    let scaling = Scaling {
        from: picture.format,
        source: (picture.width, picture.height),
        to: format,
        target: (width, height),
        matrix: match picture.colorspace {
            AVColorSpace::AVCOL_SPC_BT709 => SWS_CS_ITU709,
            AVColorSpace::AVCOL_SPC_BT2020_NCL | AVColorSpace::AVCOL_SPC_BT2020_CL => SWS_CS_BT2020,
            _ => SWS_CS_ITU601,
        },
        full_range,
    };
    let mut converted =
        Scaler::new(scaling).and_then(|mut scaler| scaler.scale(picture)).map_err(unusable)?;
    let row_bytes = width as usize * if format == AVPixelFormat::AV_PIX_FMT_RGBA { 4 } else { 1 };
    let mut pixels = Vec::with_capacity(row_bytes * height as usize);
    for row in 0..height as usize {
        // SAFETY: the frame has one plane with this many rows, each with this many bytes.
        pixels.extend_from_slice(unsafe { converted.row::<u8>(0, row, row_bytes) });
    }
    Ok(pixels)
}

#[cfg(test)]
#[path = "avif_tests.rs"]
mod tests;
