//! Pictures made smaller for wide blurs, and larger again. Both count in whole numbers.

use crate::filter::Edge;
use crate::simd::{nearest, widest};

/// Means of blocks of `by` pixels, powers of two up to 128; blocks at the far edges may hold fewer.
pub fn reduce<const N: usize>(data: &[u8], width: usize, height: usize, by: (usize, usize)) -> Vec<u8> {
    let small = width.div_ceil(by.0);
    let mut out = vec![0; small * height.div_ceil(by.1) * N];
    widest(
        #[inline(always)]
        || {
            let mut sums = vec![0u16; width * N];
            for (band, to) in data.chunks(width * N * by.1).zip(out.chunks_exact_mut(small * N)) {
                sums.fill(0);
                for row in band.chunks_exact(width * N) {
                    for (s, v) in sums.iter_mut().zip(row) {
                        *s += u16::from(*v);
                    }
                }
                let rows = band.len() / (width * N);
                for (block, to) in
                    sums.as_chunks::<N>().0.chunks(by.0).zip(to.as_chunks_mut::<N>().0.iter_mut())
                {
                    let mut sum = [0u32; N];
                    for pixel in block {
                        for c in 0..N {
                            sum[c] += u32::from(pixel[c]);
                        }
                    }
                    let share = 1.0 / (block.len() * rows) as f32;
                    for c in 0..N {
                        to[c] = nearest(sum[c] as i32 as f32 * share);
                    }
                }
            }
        },
    );
    out
}

/// Straight lines between the middles of blocks; the inverse of [`reduce`] except for what it lost.
pub fn enlarge<const N: usize>(
    small: &[u8],
    size: (usize, usize),
    out: &mut [u8],
    width: usize,
    by: (usize, usize),
    edge: Edge,
) {
    let whole = 2 * by.1 as u32;
    let shift = (2 * by.0 as u32 * whole).ilog2();
    widest(
        #[inline(always)]
        || {
            // The two rows of the small picture that lie above and below, each with its number counted from one.
            let mut above = (usize::MAX, vec![0u16; width * N]);
            let mut below = (usize::MAX, vec![0u16; width * N]);
            for (y, to) in out.chunks_exact_mut(width * N).enumerate() {
                let (row, weight) = between(y, by.1);
                if above.0 != row && below.0 == row {
                    std::mem::swap(&mut above, &mut below);
                }
                for (line, wanted) in [(&mut above, row), (&mut below, row + 1)] {
                    if line.0 != wanted {
                        line.0 = wanted;
                        widen::<N>(small, size, wanted, &mut line.1, by.0, edge);
                    }
                }
                let rows = to.iter_mut().zip(&above.1).zip(&below.1);
                let (near, far, half) = (whole - weight, weight, 1 << (shift - 1));
                if shift <= 8 {
                    // Even the brightest fits into sixteen bits.
                    let (near, far, half) = (near as u16, far as u16, half as u16);
                    for ((to, a), b) in rows {
                        *to = ((a * near + b * far + half) >> shift) as u8;
                    }
                } else {
                    for ((to, a), b) in rows {
                        *to = ((u32::from(*a) * near + u32::from(*b) * far + half) >> shift) as u8;
                    }
                }
            }
        },
    );
}

/// A position between the middles of two neighbouring blocks: the first one, counted from one, and the weight of the
/// second, in parts of twice `by`.
#[inline(always)]
fn between(at: usize, by: usize) -> (usize, u32) {
    let (block, part) = (at / by, at % by);
    let ahead = 2 * part + 1;
    if ahead >= by { (block + 1, (ahead - by) as u32) } else { (block, (ahead + by) as u32) }
}

/// One row, counted from one, as wide as the whole picture, times twice `by`.
#[inline(always)]
fn widen<const N: usize>(
    small: &[u8],
    size: (usize, usize),
    row: usize,
    line: &mut [u16],
    by: usize,
    edge: Edge,
) {
    let inside = (1..=size.1).contains(&row);
    if !inside && edge == Edge::Transparent {
        line.fill(0);
        return;
    }
    let at = (row.clamp(1, size.1) - 1) * size.0;
    let pixels = &small.as_chunks::<N>().0[at..at + size.0];
    let beyond = |pixel: [u8; N]| if edge == Edge::Transparent { [0; N] } else { pixel };
    let last = pixels.len() - 1;
    for (i, to) in line.as_chunks_mut::<N>().0.chunks_mut(by).enumerate() {
        let before = if i == 0 { beyond(pixels[0]) } else { pixels[i - 1] };
        let after = if i == last { beyond(pixels[last]) } else { pixels[i + 1] };
        for (part, to) in to.iter_mut().enumerate() {
            let ahead = 2 * part + 1;
            let (other, weight) =
                if ahead >= by { (after, (ahead - by) as u16) } else { (before, (by - ahead) as u16) };
            for c in 0..N {
                to[c] = u16::from(pixels[i][c]) * (2 * by as u16 - weight) + u16::from(other[c]) * weight;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slope_survives_being_reduced_and_enlarged() {
        let (width, height) = (50, 37);
        let at = |x: usize, y: usize| (x * 3 + y * 2) as u8;
        let data: Vec<u8> = (0..width * height).map(|i| at(i % width, i / width)).collect();
        for by in [(4, 4), (8, 8), (8, 2), (1, 8), (16, 8)] {
            let small = reduce::<1>(&data, width, height, by);
            let mut out = vec![0; data.len()];
            let size = (width.div_ceil(by.0), height.div_ceil(by.1));
            enlarge::<1>(&small, size, &mut out, width, by, Edge::Mirror);
            // The half block along the edges has nothing to lead a line to.
            for y in by.1..height - 2 * by.1 {
                for x in by.0..width - 2 * by.0 {
                    let (got, want) = (out[y * width + x], at(x, y));
                    assert!(got.abs_diff(want) <= 1, "{by:?} at {x}, {y}: {got}, {want}");
                }
            }
        }
    }

    #[test]
    fn white_stays_white_however_far_it_is_reduced() {
        for by in [(1, 2), (8, 8), (16, 8), (16, 16), (128, 128)] {
            let data = vec![255; 150 * 140];
            let small = reduce::<1>(&data, 150, 140, by);
            let mut out = vec![0; data.len()];
            let size = (150usize.div_ceil(by.0), 140usize.div_ceil(by.1));
            enlarge::<1>(&small, size, &mut out, 150, by, Edge::Mirror);
            assert!(out.iter().all(|v| *v == 255), "{by:?}");
        }
    }

    #[test]
    fn transparent_edges_blend_to_nothing() {
        let data = vec![200; 16 * 16];
        let small = reduce::<1>(&data, 16, 16, (4, 4));
        let mut out = vec![0; data.len()];
        enlarge::<1>(&small, (4, 4), &mut out, 16, (4, 4), Edge::Transparent);
        assert_eq!(out[8 * 16 + 8], 200);
        // An eighth and then three eighths of the way out.
        assert_eq!(out[8 * 16 + 15], 125);
        assert_eq!(out[8 * 16 + 14], 175);
    }
}
