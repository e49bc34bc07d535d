//! RGBA to the encoder's planes: I420, BT.709, limited range.

use yuv::{
    BufferStoreMut, YuvConversionMode, YuvPlanarImageMut, YuvRange, YuvStandardMatrix, rgba_to_yuv420,
};

use crate::bitmap::{Bitmap, IRect};

/// Planar 4:2:0. Sides are even: an odd picture is widened by repeating its last column or row. Chroma is the mean of
/// its four pixels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Yuv420 {
    pub width: u32,
    pub height: u32,
    /// `width * height` bytes.
    pub y: Vec<u8>,
    /// `width / 2 * height / 2` bytes.
    pub u: Vec<u8>,
    pub v: Vec<u8>,
}

/// Regions are widened to whole steps, so that the converter's vectors always start at the same columns.
const STEP: i32 = 64;

impl Yuv420 {
    /// Black planes for a picture of this size, rounded up to even.
    pub fn new(width: u32, height: u32) -> Self {
        let (width, height) = (width.next_multiple_of(2), height.next_multiple_of(2));
        let luma = width as usize * height as usize;
        Self { width, height, y: vec![16; luma], u: vec![128; luma / 4], v: vec![128; luma / 4] }
    }

    /// Converts the dirty regions of a picture whose other regions were converted before. The result equals a
    /// conversion of the whole picture. A picture of another size takes these planes over.
    pub fn update(&mut self, bitmap: &Bitmap, dirty: &[IRect]) {
        let even = (bitmap.width.next_multiple_of(2), bitmap.height.next_multiple_of(2));
        if (self.width, self.height) != even {
            *self = Self::new(bitmap.width, bitmap.height);
            self.region(bitmap, bitmap.bounds());
            return;
        }
        for rect in dirty {
            self.region(bitmap, rect.intersect(&bitmap.bounds()));
        }
    }

    fn region(&mut self, bitmap: &Bitmap, rect: IRect) {
        if rect.is_empty() {
            return;
        }
        let r = IRect::new(
            rect.x0 / STEP * STEP,
            rect.y0 & !1,
            ((rect.x1 + STEP - 1) / STEP * STEP).min(self.width as i32),
            (rect.y1 + 1) & !1,
        );
        if bitmap.bounds().contains(&r) {
            let at = (r.y0 as usize * bitmap.width as usize + r.x0 as usize) * 4;
            self.convert(&bitmap.pixels[at..], bitmap.width * 4, r);
            return;
        }
        let mut wide = Bitmap::new(r.width() as u32, r.height() as u32);
        for y in 0..r.height() {
            let from = (r.y0 + y).min(bitmap.height as i32 - 1);
            let row = bitmap.span(from, r.x0, r.x1.min(bitmap.width as i32));
            let to = wide.span_mut(y, 0, r.width());
            to[..row.len()].copy_from_slice(row);
            let last = [row[row.len() - 4], row[row.len() - 3], row[row.len() - 2], row[row.len() - 1]];
            crate::composite::fill(&mut to[row.len()..], last);
        }
        self.convert(&wide.pixels, wide.width * 4, r);
    }

    /// `rgba` starts at the region's first pixel.
    fn convert(&mut self, rgba: &[u8], stride: u32, r: IRect) {
        let (width, half) = (self.width as usize, self.width as usize / 2);
        let (x, y) = (r.x0 as usize, r.y0 as usize);
        let (w, h) = (r.width() as usize, r.height() as usize);
        let luma = y * width + x..(y + h - 1) * width + x + w;
        let chroma = y / 2 * half + x / 2..(y / 2 + h / 2 - 1) * half + x / 2 + w / 2;
        let mut planes = YuvPlanarImageMut {
            y_plane: BufferStoreMut::Borrowed(&mut self.y[luma]),
            y_stride: width as u32,
            u_plane: BufferStoreMut::Borrowed(&mut self.u[chroma.clone()]),
            u_stride: half as u32,
            v_plane: BufferStoreMut::Borrowed(&mut self.v[chroma]),
            v_stride: half as u32,
            width: w as u32,
            height: h as u32,
        };
        let rgba = &rgba[..stride as usize * (h - 1) + w * 4];
        let done = rgba_to_yuv420(
            &mut planes,
            rgba,
            stride,
            YuvRange::Limited,
            YuvStandardMatrix::Bt709,
            YuvConversionMode::Balanced,
        );
        debug_assert!(done.is_ok(), "{done:?}");
    }
}
