//! Decoded AV1 pictures to the picture of an AVIF file.

use image::{RgbaImage, imageops};
use rondo_pixels::{Colour, Matrix, Picture, YuvImage};

use super::Turn;
use crate::bitmap::premultiplied;

/// RGBA of a decoded picture of eight bits per sample. `matrix` is a number of ITU-T H.273; most are taken for BT.601.
pub fn rgba(image: &YuvImage<'_>, matrix: u8, full: bool) -> Vec<u8> {
    let (width, height) = (image.width, image.height);
    let mut pixels = vec![0; width * height * 4];
    if matrix == 0 && image.halved == (false, false) && image.is_complete() {
        // The planes are green, blue and red.
        for (y, out) in pixels.chunks_exact_mut(width.max(1) * 4).enumerate() {
            let [green, blue, red] =
                [&image.y, &image.u, &image.v].map(|plane| &plane.bytes[y * plane.stride..]);
            for (x, pixel) in out.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                *pixel = [red[x], green[x], blue[x], 255];
            }
        }
        return pixels;
    }
    let matrix = match matrix {
        1 => Matrix::Bt709,
        9 | 10 => Matrix::Bt2020,
        _ => Matrix::Bt601,
    };
    YuvImage { colour: Colour { matrix, full }, ..*image }.rgba_part(0..width, 0..height, &mut pixels);
    pixels
}

/// Adds alpha to the pixels of a picture and lays it as it is shown.
pub fn assemble(
    (width, height): (u32, u32),
    mut rgba: Vec<u8>,
    alpha: Option<&[u8]>,
    turns: &[Turn],
) -> Result<Picture, String> {
    if let Some(alpha) = alpha {
        for (pixel, alpha) in rgba.as_chunks_mut::<4>().0.iter_mut().zip(alpha) {
            pixel[3] = *alpha;
        }
    }
    let mut picture = RgbaImage::from_raw(width, height, rgba).ok_or(super::DAMAGED)?;
    for turn in turns {
        picture = match turn {
            Turn::Rotate(0) => picture,
            Turn::Rotate(1) => imageops::rotate270(&picture),
            Turn::Rotate(2) => imageops::rotate180(&picture),
            Turn::Rotate(_) => imageops::rotate90(&picture),
            Turn::FlipVertical => imageops::flip_vertical(&picture),
            Turn::FlipHorizontal => imageops::flip_horizontal(&picture),
        };
    }
    Ok(premultiplied(picture, alpha.is_none()))
}
