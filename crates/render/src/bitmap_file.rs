//! Opaque bitmaps read from image files, scaled to a pixel budget, and written as JPEG and PNG.

use std::path::Path;

use rondo_media::image::{Still, SvgFonts, load_image, read_image_file};
use rondo_media::jpeg;
use rondo_paint::scale_bitmap;
use rondo_pixels::Bitmap;

use crate::error::RenderError;
use crate::png::{self, Alpha};

/// JPEG quality. Text stays sharp, and a frame of 1280 × 720 takes about 100 KB.
const JPEG_QUALITY: u8 = 85;

/// Reads an image file without transparency.
pub fn read_bitmap(path: &Path) -> Result<Bitmap, RenderError> {
    let unreadable = |reason: String| RenderError::Unreadable { path: path.to_owned(), reason };
    let bytes = read_image_file(path).map_err(|e| unreadable(e.to_string()))?;
    match load_image(&bytes, &path.to_string_lossy(), &SvgFonts::default())? {
        Still::Bitmap(picture) if picture.opaque => Ok(picture.as_bitmap().to_bitmap()),
        _ => Err(unreadable("it is not an opaque image".to_owned())),
    }
}

/// Scales a bitmap down if it has more than `most_pixels`. Its proportions stay.
pub fn fit_bitmap(bitmap: Bitmap, most_pixels: u64) -> Bitmap {
    let (width, height) = size_within(bitmap.width, bitmap.height, most_pixels);
    match (width, height) == (bitmap.width, bitmap.height) {
        true => bitmap,
        false => scale_bitmap(bitmap.view(), width, height),
    }
}

pub fn encode_jpeg(bitmap: &Bitmap) -> Result<Vec<u8>, RenderError> {
    Ok(jpeg(&bitmap.view(), JPEG_QUALITY)?)
}

pub fn encode_png(bitmap: &Bitmap) -> Result<Vec<u8>, RenderError> {
    Ok(png::encode(bitmap.width, bitmap.height, &bitmap.pixels, Alpha::LeftOut)?)
}

/// The largest size with the same aspect ratio and at most `most` pixels, never larger than the original.
pub(crate) fn size_within(width: u32, height: u32, most: u64) -> (u32, u32) {
    let pixels = f64::from(width) * f64::from(height);
    let scale = (most as f64 / pixels.max(1.0)).sqrt().min(1.0);
    let shrunk = |length: u32| ((f64::from(length) * scale + 1e-6).floor() as u32).max(1);
    (shrunk(width), shrunk(height))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_made_smaller_to_its_budget_and_never_larger() {
        for (size, most) in [((1920, 1080), 500_000), ((1080, 1920), 1), ((4096, 16), 1000), ((5, 5), 25)] {
            let (width, height) = size_within(size.0, size.1, most);
            assert!(u64::from(width) * u64::from(height) <= most.max(u64::from(width.max(height))));
            assert!(width >= 1 && height >= 1 && width <= size.0 && height <= size.1);
        }
        assert_eq!(size_within(1280, 720, 10_000_000), (1280, 720));
        assert_eq!(size_within(1920, 1080, 1920 * 1080 / 4), (960, 540));
    }

    #[test]
    fn the_files_hold_the_picture() {
        let bitmap = Bitmap { width: 40, height: 20, pixels: [200, 30, 60, 255].repeat(800) };
        for bytes in [encode_jpeg(&bitmap).unwrap(), encode_png(&bitmap).unwrap()] {
            let Ok(Still::Bitmap(read)) = load_image(&bytes, "picture", &SvgFonts::default()) else {
                panic!("no bitmap")
            };
            assert_eq!((read.width, read.height), (40, 20));
            assert!(read.pixels.rgba()[..3].iter().zip([200u8, 30, 60]).all(|(a, b)| a.abs_diff(b) < 6));
        }
    }
}
