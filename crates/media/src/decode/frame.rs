//! A decoded frame. It is converted to RGBA when that is first requested.

use std::ops::Range;
use std::sync::OnceLock;

use rondo_pixels::{PixelSource, PlanesRef, copy_part};

use super::convert::{Converter, FilmPlanes};
use super::geometry::Geometry;
use super::pool::Pool;
use crate::ffi::Frame;

/// One source frame: premultiplied sRGB, rows without padding, rotation and sample aspect ratio applied.
pub struct DecodedFrame {
    pub width: u32,
    pub height: u32,
    /// Whether every alpha is 255.
    pub opaque: bool,
    /// Seconds since the stream's first frame.
    pub pts: f64,
    source: Option<FilmPlanes>,
    rgba: OnceLock<Vec<u8>>,
    pool: Pool,
}

impl DecodedFrame {
    pub(crate) fn new(
        frame: &Frame,
        geometry: &Geometry,
        pts: f64,
        converter: &mut Converter,
        pool: &Pool,
    ) -> Result<Self, String> {
        let (width, height) = geometry.shown();
        let mut made = Self {
            width,
            height,
            opaque: true,
            pts,
            source: FilmPlanes::of(frame, geometry),
            rgba: OnceLock::new(),
            pool: pool.clone(),
        };
        if made.source.is_none() {
            let mut pixels = pool.take();
            made.opaque = converter.convert(frame, geometry, &mut pixels)?;
            made.rgba = OnceLock::from(pixels);
        }
        Ok(made)
    }

    /// r, g, b, a; [`Self::rgba_len`] bytes.
    pub fn rgba(&self) -> &[u8] {
        self.rgba.get_or_init(|| {
            let mut pixels = self.pool.take();
            pixels.resize(self.rgba_len(), 0);
            if let Some(source) = &self.source {
                let (columns, rows) = (0..self.width as usize, 0..self.height as usize);
                source.rgba_part(columns, rows, &mut pixels);
            }
            pixels
        })
    }

    pub fn rgba_len(&self) -> usize {
        self.width as usize * self.height as usize * 4
    }

    /// Part of the same; without the rest where the frame was not converted yet.
    pub fn copy_part(&self, columns: Range<usize>, rows: Range<usize>, out: &mut [u8]) {
        match (&self.source, self.rgba.get()) {
            (Some(source), None) => source.rgba_part(columns, rows, out),
            _ => copy_part(self.rgba(), self.width as usize, columns, rows, out),
        }
    }

    /// Y, U and V with the bytes from row to row, where the source is what films are encoded in: 8-bit 4:2:0, BT.709,
    /// limited range, both sides even.
    pub fn planes(&self) -> Option<PlanesRef<'_>> {
        self.source.as_ref()?.planes()
    }
}

impl PixelSource for DecodedFrame {
    fn rgba(&self) -> &[u8] {
        self.rgba()
    }

    fn rgba_len(&self) -> usize {
        self.rgba_len()
    }

    fn copy_part(&self, _: usize, columns: Range<usize>, rows: Range<usize>, out: &mut [u8]) {
        self.copy_part(columns, rows, out);
    }

    fn rows<'a>(&'a self, width: usize, rows: Range<usize>, buffer: &'a mut [u8]) -> &'a [u8] {
        self.copy_part(0..width, rows, buffer);
        buffer
    }

    fn planes(&self) -> Option<PlanesRef<'_>> {
        self.planes()
    }
}

impl Drop for DecodedFrame {
    fn drop(&mut self) {
        if let Some(pixels) = self.rgba.take() {
            self.pool.give(pixels);
        }
    }
}

impl std::fmt::Debug for DecodedFrame {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "DecodedFrame({}×{} at {} s)", self.width, self.height, self.pts)
    }
}
