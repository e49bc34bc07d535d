//! RGBA bitmaps: premultiplied sRGB, 8 bits per channel, rows without padding.

use crate::IRect;

/// An owned bitmap.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Bitmap {
    pub width: u32,
    pub height: u32,
    /// r, g, b, a; `width * height * 4` bytes.
    pub pixels: Vec<u8>,
}

/// A borrowed bitmap.
#[derive(Clone, Copy, Debug)]
pub struct BitmapRef<'a> {
    pub width: u32,
    pub height: u32,
    /// r, g, b, a; `width * height * 4` bytes.
    pub pixels: &'a [u8],
}

impl Bitmap {
    /// A transparent bitmap.
    pub fn new(width: u32, height: u32) -> Self {
        Self { width, height, pixels: vec![0; width as usize * height as usize * 4] }
    }

    pub fn view(&self) -> BitmapRef<'_> {
        BitmapRef { width: self.width, height: self.height, pixels: &self.pixels }
    }

    pub fn bounds(&self) -> IRect {
        IRect::of_size(self.width, self.height)
    }

    /// The bytes of a row between two columns.
    pub fn span(&self, y: i32, x0: i32, x1: i32) -> &[u8] {
        let at = y as usize * self.width as usize;
        &self.pixels[(at + x0 as usize) * 4..(at + x1 as usize) * 4]
    }

    pub fn span_mut(&mut self, y: i32, x0: i32, x1: i32) -> &mut [u8] {
        let at = y as usize * self.width as usize;
        &mut self.pixels[(at + x0 as usize) * 4..(at + x1 as usize) * 4]
    }

    /// One pixel.
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 4] {
        let at = (y as usize * self.width as usize + x as usize) * 4;
        [self.pixels[at], self.pixels[at + 1], self.pixels[at + 2], self.pixels[at + 3]]
    }

    /// Whether every alpha is 255.
    pub fn is_opaque(&self) -> bool {
        self.pixels.as_chunks::<4>().0.iter().fold(u8::MAX, |least, pixel| least & pixel[3]) == u8::MAX
    }
}

impl<'a> BitmapRef<'a> {
    pub fn row(&self, y: usize) -> &'a [u8] {
        let stride = self.width as usize * 4;
        &self.pixels[y * stride..(y + 1) * stride]
    }

    pub fn to_bitmap(&self) -> Bitmap {
        Bitmap { width: self.width, height: self.height, pixels: self.pixels.to_vec() }
    }
}

/// Multiplies straight RGBA colours by their alpha, rounded to nearest; returns whether every alpha is 255.
pub fn premultiply(pixels: &mut [u8]) -> bool {
    let mut least = u8::MAX;
    for pixel in pixels.as_chunks_mut::<4>().0 {
        let alpha = pixel[3];
        least = least.min(alpha);
        if alpha != u8::MAX {
            for channel in &mut pixel[..3] {
                let product = u32::from(*channel) * u32::from(alpha) + 128;
                *channel = ((product + (product >> 8)) >> 8) as u8;
            }
        }
    }
    least == u8::MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn premultiplying_rounds_to_nearest_and_detects_opacity() {
        for alpha in 0..=255u8 {
            for channel in 0..=255u8 {
                let mut pixel = [channel, 0, 255, alpha];
                assert_eq!(premultiply(&mut pixel), alpha == 255);
                let exact = f64::from(channel) * f64::from(alpha) / 255.0;
                assert_eq!(pixel, [exact.round() as u8, 0, alpha, alpha]);
            }
        }
    }

    #[test]
    fn a_bitmap_is_opaque_when_every_alpha_is_255() {
        let mut bitmap = Bitmap { width: 2, height: 1, pixels: vec![1, 2, 3, 255, 4, 5, 6, 255] };
        assert!(bitmap.is_opaque());
        bitmap.pixels[7] = 254;
        assert!(!bitmap.is_opaque());
        assert_eq!(bitmap.pixel(1, 0), [4, 5, 6, 254]);
    }
}
