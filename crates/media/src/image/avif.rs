//! AVIF files: their AV1 picture is decoded by FFmpeg's libraries.

use std::ffi::c_int;

use rondo_images::{avif, check_size};
use rondo_pixels::{Colour, Matrix, Picture};

use super::avif_decoder::decode;
use crate::decode::yuv_image;
use crate::ffi::ffmpeg::*;
use crate::ffi::{Frame, Scaler, Scaling};

pub(super) fn load(bytes: &[u8]) -> Result<Picture, String> {
    let container = avif::read(bytes)?;
    check_size(container.width, container.height)?;
    let picture = decode(&container.color)?;
    let size = (picture.get().width.unsigned_abs(), picture.get().height.unsigned_abs());
    let alpha = match &container.alpha {
        Some(alpha) => Some(coverage(&decode(alpha)?, size)?),
        None => None,
    };
    avif::assemble(size, color(&picture)?, alpha.as_deref(), &container.turns)
}

/// RGBA of a picture. Common formats are converted as in the browser, others by swscale.
fn color(picture: &Frame) -> Result<Vec<u8>, String> {
    let frame = picture.get();
    let full_range = frame.color_range == AVColorRange::AVCOL_RANGE_JPEG;
    // Which colours it has is decided later.
    let colour = Colour { matrix: Matrix::Bt601, full: full_range };
    if let Some(image) = yuv_image(frame, colour) {
        let matrix = u8::try_from(frame.colorspace.0).unwrap_or(u8::MAX);
        return Ok(avif::rgba(&image, matrix, full_range));
    }
    convert(picture, AVPixelFormat::AV_PIX_FMT_RGBA, (frame.width, frame.height), full_range)
}

/// The alpha of a picture of this size.
fn coverage(picture: &Frame, (width, height): (u32, u32)) -> Result<Vec<u8>, String> {
    let full_range = picture.get().color_range != AVColorRange::AVCOL_RANGE_MPEG;
    let size = (width as c_int, height as c_int);
    convert(picture, AVPixelFormat::AV_PIX_FMT_GRAY8, size, full_range)
}

/// The picture's rows without padding, in `format` and full range.
fn convert(
    picture: &Frame,
    format: AVPixelFormat,
    (width, height): (c_int, c_int),
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
