//! YUV pictures to RGBA. Integer arithmetic, so that every machine and every browser gets the same bytes.

use std::ops::Range;

use crate::Plane;
use crate::simd::widest;

/// The matrix between RGB and YUV.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matrix {
    Bt601,
    Bt709,
    Bt2020,
    Fcc,
    Smpte240,
}

/// Untagged pictures at least this high are BT.709, lower ones BT.601, as browsers decide.
const HD_HEIGHT: u32 = 720;

impl Matrix {
    /// The matrix of a picture that does not tell its own.
    pub fn untagged(height: u32) -> Self {
        if height >= HD_HEIGHT { Self::Bt709 } else { Self::Bt601 }
    }

    /// The parts of red and blue in luma.
    fn weights(self) -> (f64, f64) {
        match self {
            Self::Bt601 => (0.299, 0.114),
            Self::Bt709 => (0.2126, 0.0722),
            Self::Bt2020 => (0.2627, 0.0593),
            Self::Fcc => (0.30, 0.11),
            Self::Smpte240 => (0.212, 0.087),
        }
    }
}

/// How the samples of a picture stand for colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour {
    pub matrix: Matrix,
    /// Whether samples go from 0 to 255.
    pub full: bool,
}

/// A YUV picture of eight bits per sample.
#[derive(Clone, Copy, Debug)]
pub struct YuvImage<'a> {
    pub width: usize,
    pub height: usize,
    pub y: Plane<'a>,
    pub u: Plane<'a>,
    pub v: Plane<'a>,
    /// Bytes from one sample of colour to the next: 2 where U and V alternate.
    pub step: usize,
    /// Whether there is one sample of colour for two pixels, across and down.
    pub halved: (bool, bool),
    pub colour: Colour,
}

/// Bits behind the point of the coefficients, and those that interpolated colour adds.
const FRACTION: u32 = 13;
const SIXTEENTHS: u32 = 4;

/// Coefficients of the conversion, with [`FRACTION`] bits behind the point.
#[derive(Clone, Copy)]
struct Factors {
    black: i32,
    luma: i32,
    red_v: i32,
    green_u: i32,
    green_v: i32,
    blue_u: i32,
}

impl Factors {
    fn of(Colour { matrix, full }: Colour) -> Self {
        let (red, blue) = matrix.weights();
        let green = 1.0 - red - blue;
        let (luma, chroma, black) = if full { (1.0, 1.0, 0) } else { (255.0 / 219.0, 255.0 / 224.0, 16) };
        let fixed = |v: f64| (v * f64::from(1 << FRACTION)).round() as i32;
        Self {
            black,
            luma: fixed(luma),
            red_v: fixed(2.0 * (1.0 - red) * chroma),
            green_u: fixed(2.0 * (1.0 - blue) * blue / green * chroma),
            green_v: fixed(2.0 * (1.0 - red) * red / green * chroma),
            blue_u: fixed(2.0 * (1.0 - blue) * chroma),
        }
    }
}

impl YuvImage<'_> {
    /// Whether the planes hold as many bytes as the size requires.
    pub fn is_complete(&self) -> bool {
        let (width, height) = self.colour_size();
        let holds = |plane: &Plane<'_>, row: usize, rows: usize| {
            rows == 0 || plane.stride >= row && plane.bytes.len() >= plane.stride * (rows - 1) + row
        };
        let row = (width - width.min(1)) * self.step + width.min(1);
        holds(&self.y, self.width, self.height) && [&self.u, &self.v].iter().all(|p| holds(p, row, height))
    }

    fn colour_size(&self) -> (usize, usize) {
        let size = |side: usize, halved: bool| if halved { side.div_ceil(2) } else { side };
        (size(self.width, self.halved.0), size(self.height, self.halved.1))
    }

    /// RGBA of a part of the picture, rows without padding. Colour between samples is interpolated; what a pixel becomes
    /// does not depend on the part.
    pub fn rgba_part(&self, columns: Range<usize>, rows: Range<usize>, out: &mut [u8]) {
        if columns.is_empty() || rows.is_empty() || !self.is_complete() {
            return;
        }
        let factors = Factors::of(self.colour);
        // Samples of colour, and one beyond each side.
        let first = if self.halved.0 { columns.start / 2 } else { columns.start };
        let last = if self.halved.0 { (columns.end - 1) / 2 } else { columns.end - 1 };
        let samples = last - first + 3;
        let mut blended = [vec![0; samples], vec![0; samples]];
        let mut colour = [vec![0; columns.len()], vec![0; columns.len()]];
        for (row, out) in rows.zip(out.chunks_exact_mut(columns.len() * 4)) {
            let luma = &self.y.bytes[row * self.y.stride..][columns.clone()];
            widest(|| {
                for (plane, (blended, colour)) in
                    [&self.u, &self.v].into_iter().zip(blended.iter_mut().zip(&mut colour))
                {
                    self.blend_rows(plane, row, first, blended);
                    if self.halved.0 {
                        spread(blended, columns.start % 2, colour);
                    } else {
                        copy_inner(blended, colour);
                    }
                }
                convert_row(luma, &colour[0], &colour[1], factors, out);
            });
        }
    }

    /// Samples of colour for a row of pixels in quarters, from one before `first` on; those at the edges are repeated.
    #[inline(always)]
    fn blend_rows(&self, plane: &Plane<'_>, row: usize, first: usize, out: &mut [u16]) {
        let (width, height) = self.colour_size();
        let (near, far) = match self.halved.1 {
            false => (row, row),
            true if row.is_multiple_of(2) => (row / 2, (row / 2).saturating_sub(1)),
            true => (row / 2, (row / 2 + 1).min(height - 1)),
        };
        let samples = |row: usize| &plane.bytes[row * plane.stride..];
        let (near, far) = (samples(near), samples(far));
        let inner = out.len() - 2;
        // All but the ends are within the plane.
        let inside = inner.min(width - first);
        let (from, to) = (first * self.step, &mut out[1..=inside]);
        if self.step == 1 {
            for (out, (near, far)) in to.iter_mut().zip(near[from..].iter().zip(&far[from..])) {
                *out = 3 * u16::from(*near) + u16::from(*far);
            }
        } else {
            let pairs = near[from..].iter().step_by(self.step).zip(far[from..].iter().step_by(self.step));
            for (out, (near, far)) in to.iter_mut().zip(pairs) {
                *out = 3 * u16::from(*near) + u16::from(*far);
            }
        }
        let at = |sample: usize| 3 * u16::from(near[sample * self.step]) + u16::from(far[sample * self.step]);
        out[0] = at(first.saturating_sub(1));
        for (beyond, out) in out[inside + 1..].iter_mut().enumerate() {
            *out = at((first + inside + beyond).min(width - 1));
        }
    }
}

/// Two pixels from each sample and the nearer of its neighbours, in sixteenths. `odd` is 1 if the first pixel is a second
/// one.
#[inline(always)]
fn spread(samples: &[u16], odd: usize, out: &mut [u16]) {
    let mut out = out;
    let mut samples = samples;
    if odd == 1 && !out.is_empty() {
        out[0] = 3 * samples[1] + samples[2];
        (out, samples) = (&mut out[1..], &samples[1..]);
    }
    let pairs = out.len() / 2;
    let (even, rest) = out.split_at_mut(pairs * 2);
    let (before, here, after) = (&samples[..pairs], &samples[1..1 + pairs], &samples[2..2 + pairs]);
    for (pair, ((before, here), after)) in
        even.as_chunks_mut::<2>().0.iter_mut().zip(before.iter().zip(here).zip(after))
    {
        *pair = [3 * here + before, 3 * here + after];
    }
    if let [last] = rest {
        *last = 3 * samples[pairs + 1] + samples[pairs];
    }
}

/// One pixel from each sample, in sixteenths.
#[inline(always)]
fn copy_inner(samples: &[u16], out: &mut [u16]) {
    for (out, sample) in out.iter_mut().zip(&samples[1..]) {
        *out = 4 * sample;
    }
}

#[inline(always)]
fn convert_row(luma: &[u8], u: &[u16], v: &[u16], factors: Factors, out: &mut [u8]) {
    const SHIFT: u32 = FRACTION + SIXTEENTHS;
    const HALF: i32 = 1 << (SHIFT - 1);
    const GREY: i32 = 128 << SIXTEENTHS;
    let Factors { black, luma: scale, red_v, green_u, green_v, blue_u } = factors;
    let byte = |v: i32| (v >> SHIFT).clamp(0, 255) as u32;
    let pixels = out.as_chunks_mut::<4>().0.iter_mut();
    for (out, (luma, (u, v))) in pixels.zip(luma.iter().zip(u.iter().zip(v))) {
        let light = (((i32::from(*luma) - black) * scale) << SIXTEENTHS) + HALF;
        let (u, v) = (i32::from(*u) - GREY, i32::from(*v) - GREY);
        let red = byte(light + red_v * v);
        let green = byte(light - green_u * u - green_v * v);
        let blue = byte(light + blue_u * u);
        *out = (red | green << 8 | blue << 16 | 255 << 24).to_le_bytes();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A picture in which every sample differs from its neighbours.
    fn planes(width: usize, height: usize) -> [Vec<u8>; 3] {
        let plane = |factor: usize| (0..width * height).map(|i| (i * factor % 251) as u8).collect();
        [plane(37), plane(91), plane(53)]
    }

    fn image<'a>(
        [y, u, v]: &'a [Vec<u8>; 3],
        (width, height): (usize, usize),
        halved: (bool, bool),
        colour: Colour,
    ) -> YuvImage<'a> {
        let plane = |bytes, stride| Plane { bytes, stride };
        YuvImage {
            width,
            height,
            y: plane(y, width),
            u: plane(u, width),
            v: plane(v, width),
            step: 1,
            halved,
            colour,
        }
    }

    fn rgba(image: &YuvImage<'_>, columns: Range<usize>, rows: Range<usize>) -> Vec<u8> {
        let mut out = vec![0; columns.len() * rows.len() * 4];
        image.rgba_part(columns, rows, &mut out);
        out
    }

    const HD: Colour = Colour { matrix: Matrix::Bt709, full: false };

    #[test]
    fn known_colours_are_exact() {
        let one = |y: u8, u: u8, v: u8, colour| {
            let planes = [vec![y; 4], vec![u; 4], vec![v; 4]];
            rgba(&image(&planes, (2, 2), (true, true), colour), 0..1, 0..1)
        };
        assert_eq!(one(16, 128, 128, HD), [0, 0, 0, 255]);
        assert_eq!(one(235, 128, 128, HD), [255, 255, 255, 255]);
        assert_eq!(one(63, 102, 240, HD), [255, 1, 0, 255]);
        let sd = Colour { matrix: Matrix::Bt601, full: false };
        assert_eq!(one(81, 90, 240, sd), [254, 0, 0, 255]);
        let full = Colour { matrix: Matrix::Bt601, full: true };
        assert_eq!(one(0, 128, 128, full), [0, 0, 0, 255]);
        assert_eq!(one(128, 128, 128, full), [128, 128, 128, 255]);
        assert_eq!(one(255, 128, 128, full), [255, 255, 255, 255]);
    }

    #[test]
    fn parts_have_the_pixels_of_the_whole() {
        for halved in [(true, true), (true, false), (false, false)] {
            for (width, height) in [(13, 9), (12, 8), (1, 1), (2, 3)] {
                let planes = planes(width, height);
                let image = image(&planes, (width, height), halved, HD);
                let whole = rgba(&image, 0..width, 0..height);
                for left in 0..width {
                    for right in left + 1..=width {
                        let rows = height / 2..height;
                        let mut expected = vec![0; (right - left) * rows.len() * 4];
                        crate::copy_part(&whole, width, left..right, rows.clone(), &mut expected);
                        assert_eq!(
                            rgba(&image, left..right, rows),
                            expected,
                            "{left}..{right} of {width}×{height}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn colour_between_samples_is_interpolated() {
        let planes = [vec![126; 8], vec![128; 4], vec![90, 128, 128, 128]];
        let mut image = image(&planes, (4, 2), (true, true), HD);
        (image.u.stride, image.v.stride) = (2, 2);
        let reds: Vec<u8> = rgba(&image, 0..4, 0..1).chunks(4).map(|pixel| pixel[0]).collect();
        assert!(reds.is_sorted() && reds[0] < reds[1] && reds[1] < reds[2] && reds[2] <= reds[3], "{reds:?}");
    }

    #[test]
    fn alternating_samples_are_read_like_planes() {
        let [y, u, v] = planes(6, 6);
        let both: Vec<u8> = u.iter().zip(&v).flat_map(|(u, v)| [*u, *v]).collect();
        let planar = [y.clone(), u, v];
        let mut apart = image(&planar, (6, 6), (true, true), HD);
        (apart.u.stride, apart.v.stride) = (3, 3);
        let pair = |bytes| Plane { bytes, stride: 6 };
        let together = YuvImage { u: pair(&both), v: pair(&both[1..]), step: 2, ..apart };
        assert_eq!(rgba(&together, 0..6, 0..6), rgba(&apart, 0..6, 0..6));
    }

    #[test]
    fn planes_that_are_too_short_paint_nothing() {
        let planes = [vec![0; 15], vec![0; 16], vec![0; 16]];
        let image = image(&planes, (4, 4), (true, true), HD);
        assert!(!image.is_complete());
        assert_eq!(rgba(&image, 0..4, 0..4), vec![0; 64]);
    }
}
