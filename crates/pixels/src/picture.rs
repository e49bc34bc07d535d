//! A picture of a media source, shared between the decoder and the painter.

use std::ops::Range;
use std::sync::Arc;

use crate::{Bitmap, BitmapRef, PlanesRef};

/// One picture of a source.
#[derive(Clone)]
pub struct Picture {
    pub width: u32,
    pub height: u32,
    pub pixels: Arc<dyn PixelSource>,
    /// Whether every alpha is 255.
    pub opaque: bool,
}

impl Picture {
    pub fn new(bitmap: Bitmap, opaque: bool) -> Self {
        let Bitmap { width, height, pixels } = bitmap;
        Self { width, height, pixels: Arc::new(pixels), opaque }
    }

    pub fn as_bitmap(&self) -> BitmapRef<'_> {
        BitmapRef { width: self.width, height: self.height, pixels: self.pixels.rgba() }
    }

    /// Copies part of its pixels. A video frame that was not converted to RGBA yet converts this part only.
    pub fn copy_part(&self, columns: Range<usize>, rows: Range<usize>, out: &mut [u8]) {
        self.pixels.copy_part(self.width as usize, columns, rows, out);
    }
}

impl std::fmt::Debug for Picture {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Picture({}×{}, opaque: {})", self.width, self.height, self.opaque)
    }
}

/// The pixels of a picture, in the form in which their owner keeps them.
pub trait PixelSource: Send + Sync {
    /// Premultiplied sRGB, 8 bits per channel, rows without padding: r, g, b, a; `width * height * 4` bytes.
    fn rgba(&self) -> &[u8];

    /// The length of [`Self::rgba`] in bytes.
    fn rgba_len(&self) -> usize {
        self.rgba().len()
    }

    /// Copies part of the RGBA pixels of a picture that is `width` pixels wide.
    fn copy_part(&self, width: usize, columns: Range<usize>, rows: Range<usize>, out: &mut [u8]) {
        copy_part(self.rgba(), width, columns, rows, out);
    }

    /// Whole rows of the RGBA pixels. Where they are not available yet, they are converted into `buffer`, which holds as
    /// many bytes.
    fn rows<'a>(&'a self, width: usize, rows: Range<usize>, buffer: &'a mut [u8]) -> &'a [u8] {
        let _ = buffer;
        &self.rgba()[rows.start * width * 4..rows.end * width * 4]
    }

    /// The picture as YUV planes, if the source has it in the form in which video is encoded.
    fn planes(&self) -> Option<PlanesRef<'_>> {
        None
    }
}

impl PixelSource for Vec<u8> {
    fn rgba(&self) -> &[u8] {
        self
    }
}

/// Copies columns and rows of RGBA pixels that are `width` pixels wide.
pub fn copy_part(pixels: &[u8], width: usize, columns: Range<usize>, rows: Range<usize>, out: &mut [u8]) {
    for (row, out) in rows.zip(out.chunks_exact_mut(columns.len().max(1) * 4)) {
        let start = (row * width + columns.start) * 4;
        out.copy_from_slice(&pixels[start..start + out.len()]);
    }
}
