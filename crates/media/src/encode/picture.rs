//! Pictures as they are handed to an encoder.

use std::sync::Arc;

use super::settings::PictureSettings;

/// A picture to encode.
#[derive(Debug, Clone, Copy)]
pub enum Picture<'a> {
    /// For eight-bit 4:2:0 without transparency.
    I420(I420<'a>),
    /// For everything else.
    Rgba(Rgba<'a>),
}

/// Premultiplied sRGB, r, g, b, a, rows without gaps. A film one pixel wider or higher repeats the last column or row.
#[derive(Debug, Clone, Copy)]
pub struct Rgba<'a> {
    pub width: u32,
    pub height: u32,
    pub pixels: &'a [u8],
}

/// Planes: BT.709 limited range, 4:2:0, chroma planes half as wide and high.
#[derive(Debug, Clone, Copy)]
pub struct I420<'a> {
    pub y: &'a [u8],
    pub u: &'a [u8],
    pub v: &'a [u8],
    /// Bytes from one row to the next.
    pub y_stride: usize,
    pub uv_stride: usize,
}

/// Planes that an encoder reads where they are.
///
/// # Safety
/// As long as the value lives, it gives the same planes every time, and nobody writes to them.
pub unsafe trait SharedPlanes: Send + Sync {
    fn planes(&self) -> I420<'_>;
}

impl Picture<'_> {
    pub(super) fn fits(&self, settings: &PictureSettings) -> bool {
        match self {
            Self::I420(planes) => settings.takes_planes() && planes.covers(settings.width, settings.height),
            Self::Rgba(Rgba { width, height, pixels }) => {
                let wide = |side: u32, film: u32| side > 0 && side.next_multiple_of(2) == film;
                !settings.takes_planes()
                    && wide(*width, settings.width)
                    && wide(*height, settings.height)
                    && pixels.len() == *width as usize * *height as usize * 4
            }
        }
    }
}

impl I420<'_> {
    fn covers(&self, width: u32, height: u32) -> bool {
        let holds = |plane: &[u8], stride: usize, width: usize, rows: usize| {
            stride >= width
                && stride
                    .checked_mul(rows - 1)
                    .and_then(|bytes| bytes.checked_add(width))
                    .is_some_and(|bytes| plane.len() >= bytes)
        };
        let (width, height) = (width as usize, height as usize);
        holds(self.y, self.y_stride, width, height)
            && holds(self.u, self.uv_stride, width / 2, height / 2)
            && holds(self.v, self.uv_stride, width / 2, height / 2)
    }
}

impl PictureSettings {
    /// Whether two pictures that fit look the same.
    pub(super) fn are_same(&self, one: &Arc<dyn SharedPlanes>, other: &Arc<dyn SharedPlanes>) -> bool {
        if Arc::ptr_eq(one, other) {
            return true;
        }
        let (one, other) = (one.planes(), other.planes());
        let (width, height) = (self.width as usize, self.height as usize);
        let rows = |one: &[u8], strides: [usize; 2], other: &[u8], width: usize, height: usize| {
            (0..height).all(|row| {
                let [one_at, other_at] = strides.map(|stride| row * stride);
                one[one_at..one_at + width] == other[other_at..other_at + width]
            })
        };
        let (y_strides, uv_strides) = ([one.y_stride, other.y_stride], [one.uv_stride, other.uv_stride]);
        rows(one.y, y_strides, other.y, width, height)
            && rows(one.u, uv_strides, other.u, width / 2, height / 2)
            && rows(one.v, uv_strides, other.v, width / 2, height / 2)
    }

    /// Whether one picture has little to do with another: a third of its pixels is lighter or darker. Every 32nd is looked at.
    pub(super) fn is_new_scene(&self, before: &Arc<dyn SharedPlanes>, after: &Arc<dyn SharedPlanes>) -> bool {
        const CHANGED: u8 = 12;
        let (before, after) = (before.planes(), after.planes());
        let row = |planes: &I420<'_>, row: usize| {
            row * planes.y_stride..row * planes.y_stride + self.width as usize
        };
        let (mut changed, mut seen) = (0, 0);
        for y in (0..self.height as usize).step_by(4) {
            let (before, after) = (&before.y[row(&before, y)], &after.y[row(&after, y)]);
            for (before, after) in before.iter().zip(after).step_by(8) {
                changed += u32::from(before.abs_diff(*after) > CHANGED);
                seen += 1;
            }
        }
        changed > seen / 3
    }
}
