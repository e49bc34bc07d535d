//! Colour matrices.

use crate::simd::{nearest, widest};

/// Pixels converted together.
const BATCH: usize = 16;

/// Applies rows r, g, b, a by columns r, g, b, a, constant to unpremultiplied colours.
pub fn matrix(pixels: &mut [u8], m: &[f32; 20]) {
    widest(
        #[inline(always)]
        || {
            let (batches, rest) = pixels.as_chunks_mut::<4>().0.as_chunks_mut::<BATCH>();
            let mut last = ([[0u8; 4]; BATCH], [convert([0; 4], m); BATCH]);
            for batch in batches {
                if *batch != last.0 {
                    last = (*batch, convert_batch(batch, m));
                }
                *batch = last.1;
            }
            for pixel in rest {
                *pixel = convert(*pixel, m);
            }
        },
    );
}

/// The same operations in the same order as [`convert`], channel by channel.
#[inline(always)]
fn convert_batch(pixels: &[[u8; 4]; BATCH], m: &[f32; 20]) -> [[u8; 4]; BATCH] {
    let mut straight = [[0f32; BATCH]; 4];
    for (i, p) in pixels.iter().enumerate() {
        for c in 0..4 {
            straight[c][i] = f32::from(p[c]);
        }
    }
    for i in 0..BATCH {
        let a = straight[3][i];
        // With zero alpha the colours are zero too, so any divisor gives zero.
        let by = if a == 0.0 { 1.0 } else { a };
        for channel in &mut straight[..3] {
            let v = channel[i] / by;
            channel[i] = if v < 1.0 { v } else { 1.0 };
        }
        straight[3][i] = a / 255.0;
    }
    let mut bytes = [[0f32; BATCH]; 4];
    for (row, out) in bytes.iter_mut().enumerate() {
        let m = &m[row * 5..row * 5 + 5];
        for i in 0..BATCH {
            let sum = 0.0
                + m[0] * straight[0][i]
                + m[1] * straight[1][i]
                + m[2] * straight[2][i]
                + m[3] * straight[3][i]
                + m[4];
            let low = if sum > 0.0 { sum } else { 0.0 };
            let v = if low < 1.0 { low } else { 1.0 };
            out[i] = f32::from(nearest(v * 255.0));
        }
    }
    let mut out = [[0u8; 4]; BATCH];
    for (i, out) in out.iter_mut().enumerate() {
        let alpha = bytes[3][i];
        for c in 0..3 {
            out[c] = nearest(bytes[c][i] * alpha / 255.0);
        }
        out[3] = nearest(alpha);
    }
    out
}

/// One pixel.
fn convert(p: [u8; 4], m: &[f32; 20]) -> [u8; 4] {
    let a = f32::from(p[3]);
    let straight = |v: u8| if p[3] == 0 { 0.0 } else { (f32::from(v) / a).min(1.0) };
    let c = [straight(p[0]), straight(p[1]), straight(p[2]), a / 255.0, 1.0];
    let row = |i: usize| (0..5).map(|k| m[i * 5 + k] * c[k]).sum::<f32>().clamp(0.0, 1.0);
    // The browser keeps straight colours in whole bytes between the steps.
    let byte = |v: f32| f32::from(nearest(v * 255.0));
    let alpha = byte(row(3));
    let over = |v: f32| nearest(byte(v) * alpha / 255.0);
    [over(row(0)), over(row(1)), over(row(2)), alpha as u8]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn pixels_come_out_the_same_together_and_alone(
            m in proptest::array::uniform20(-2.0f32..2.0),
            colors in proptest::collection::vec((any::<[u8; 3]>(), prop_oneof![Just(0u8), Just(255), any::<u8>()]), 1..50),
        ) {
            let mut pixels: Vec<u8> = Vec::new();
            for (color, a) in colors {
                pixels.extend(color.map(|v| (u32::from(v) * u32::from(a) / 255) as u8));
                pixels.push(a);
            }
            let alone: Vec<u8> = pixels.as_chunks::<4>().0.iter().flat_map(|p| convert(*p, &m)).collect();
            matrix(&mut pixels, &m);
            prop_assert_eq!(pixels, alone);
        }
    }
}
