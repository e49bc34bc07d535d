//! A picture for people and programs to look at, as the bytes of a file.

use std::path::Path;

use rondo_media::image::{Still, SvgFonts, load_image};
use rondo_media::{Rgba, jpeg};

use crate::error::RenderError;
use crate::png::{self, Alpha};
use crate::shrink::shrink_rgba;

/// How much a JPEG may lose: text stays sharp, and a frame of 1280 × 720 takes about 100 KB.
const JPEG_QUALITY: u8 = 85;

/// An opaque RGBA picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    pub width: u32,
    pub height: u32,
    pub pixels: Vec<u8>,
}

impl Picture {
    /// Reads a picture file without transparency.
    pub fn read(path: &Path) -> Result<Self, RenderError> {
        let unreadable = |reason: String| RenderError::Unreadable { path: path.to_owned(), reason };
        let bytes = std::fs::read(path).map_err(|e| unreadable(e.to_string()))?;
        match load_image(&bytes, &path.to_string_lossy(), &SvgFonts::default())? {
            Still::Bitmap(bitmap) if bitmap.opaque => {
                Ok(Self { width: bitmap.width, height: bitmap.height, pixels: bitmap.pixels })
            }
            _ => Err(unreadable("it is not a picture without transparency".to_owned())),
        }
    }

    /// The picture, made smaller where it has more than `most` pixels. Its proportions stay.
    pub fn within(self, most: u64) -> Self {
        let (width, height) = size_within(self.width, self.height, most);
        let pixels = match (width, height) == (self.width, self.height) {
            true => self.pixels,
            false => shrink_rgba(&self.pixels, (self.width, self.height), (width, height)),
        };
        Self { width, height, pixels }
    }

    pub fn jpeg(&self) -> Result<Vec<u8>, RenderError> {
        let picture = Rgba { width: self.width, height: self.height, pixels: &self.pixels };
        Ok(jpeg(&picture, JPEG_QUALITY)?)
    }

    pub fn png(&self) -> Result<Vec<u8>, RenderError> {
        Ok(png::encode(self.width, self.height, &self.pixels, Alpha::LeftOut)?)
    }
}

/// The size of the same proportions that has at most so many pixels, and is never larger.
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
        let picture = Picture { width: 40, height: 20, pixels: [200, 30, 60, 255].repeat(800) };
        for bytes in [picture.jpeg().unwrap(), picture.png().unwrap()] {
            let Ok(Still::Bitmap(read)) = load_image(&bytes, "picture", &SvgFonts::default()) else {
                panic!("no bitmap")
            };
            assert_eq!((read.width, read.height), (40, 20));
            assert!(read.pixels[..3].iter().zip([200u8, 30, 60]).all(|(a, b)| a.abs_diff(b) < 6));
        }
    }
}
