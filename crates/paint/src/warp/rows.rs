//! SIMD kernels for the rows of a stretch. Each kernel has a scalar implementation with the same results.

#[cfg(target_arch = "x86_64")]
use fearless_simd::Level;
use fearless_simd::prelude::*;
use fearless_simd::u8x16;

use super::{between, mix};

/// Pixels per block. Intermediate rows hold whole blocks.
pub(super) const BLOCK: usize = 16;
/// Bytes per block.
const VALUES: usize = BLOCK * 4;

/// Interpolates two rows, `f` 256ths of the way; they are at least as long as `out` and hold whole blocks.
#[inline(always)]
pub(super) fn mix_down<S: Simd>(simd: S, upper: &[u16], lower: &[u16], f: u16, out: &mut [u8]) {
    match simd.level() {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(avx512) => x86::down_avx512(avx512, upper, lower, f, out),
        #[cfg(target_arch = "x86_64")]
        Level::Avx2(avx2) => x86::down_avx2(avx2, upper, lower, f, out),
        _ => down_plainly(upper, lower, f, out),
    }
}

/// Processes rows block by block; the last block of `out` may be partial.
#[inline(always)]
fn blocks(
    upper: &[u16],
    lower: &[u16],
    out: &mut [u8],
    kernel: impl Fn(&[u16; VALUES], &[u16; VALUES], &mut [u8; VALUES]),
) {
    let mut rows = upper.as_chunks().0.iter().zip(lower.as_chunks().0);
    let (whole, rest) = out.as_chunks_mut();
    for (out, (upper, lower)) in whole.iter_mut().zip(&mut rows) {
        kernel(upper, lower, out);
    }
    if let (Some((upper, lower)), false) = (rows.next(), rest.is_empty()) {
        let mut last = [0; VALUES];
        kernel(upper, lower, &mut last);
        rest.copy_from_slice(&last[..rest.len()]);
    }
}

#[inline(always)]
fn down_plainly(upper: &[u16], lower: &[u16], f: u16, out: &mut [u8]) {
    blocks(
        upper,
        lower,
        out,
        #[inline(always)]
        |upper, lower, out| {
            for i in 0..VALUES {
                out[i] = mix(upper[i], lower[i], f);
            }
        },
    );
}

/// The two neighbouring source pixels of each target pixel in a row.
pub(super) struct Columns {
    /// The left ones, in whole blocks.
    first: Vec<usize>,
    /// Weight of the right one in 256ths, for each channel.
    second: Vec<u16>,
    /// First bytes of the source windows; a window of n bytes makes n/8 target pixels. Empty if a window is too short.
    windows: Vec<usize>,
    /// Shuffle mask of each window: for every two target pixels the left neighbours, then the right ones.
    order: Vec<u8>,
}

impl Columns {
    /// `at` are positions in 1/256 pixels of a row of `width`.
    pub fn new<S: Simd>(simd: S, at: impl Iterator<Item = i32>, width: usize) -> Self {
        let limit = width - 1;
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for at in at {
            let (left, f) = (((at >> 8) as usize).min(limit), (at & 255) as u16);
            // The last pixel has no right neighbour, so it is the second of its pair.
            let (left, f) = if left == limit && limit > 0 { (limit - 1, 256) } else { (left, f) };
            first.push(left);
            second.extend([f; 4]);
        }
        first.resize(first.len().next_multiple_of(BLOCK), first.last().copied().unwrap_or(0));
        second.resize(first.len() * 4, 0);
        let mut columns = Self { first, second, windows: Vec::new(), order: Vec::new() };
        columns.pick(width, window(simd));
        columns
    }

    fn pick(&mut self, width: usize, window: usize) {
        let held = window / 4;
        let Some(last) = width.checked_sub(held) else { return };
        for group in self.first.chunks_exact(window / 8) {
            let from = group[0].min(last);
            if group.iter().any(|left| left + 1 >= from + held) {
                self.windows.clear();
                return;
            }
            self.windows.push(from * 4);
            for two in group.chunks_exact(2) {
                for left in [two[0], two[1], two[0] + 1, two[1] + 1] {
                    let byte = ((left - from) * 4) as u8;
                    self.order.extend([byte, byte + 1, byte + 2, byte + 3]);
                }
            }
        }
    }

    /// Stretches one source row horizontally; the result has seven bits of fraction.
    #[inline(always)]
    pub fn stretch<S: Simd>(&self, simd: S, row: &[u8], neighbours: &mut [Vec<[u8; 4]>; 2], out: &mut [u16]) {
        if self.windows.is_empty() {
            self.stretch_plainly(row, neighbours, out);
            return;
        }
        let Self { second, windows, order, .. } = self;
        match simd.level() {
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(avx512) => x86::across_avx512(avx512, row, windows, order, second, out),
            #[cfg(target_arch = "x86_64")]
            Level::Avx2(avx2) => x86::across_avx2(avx2, row, windows, order, second, out),
            _ => across(simd, row, windows, order, second, out),
        }
    }

    /// The same without shuffles.
    fn stretch_plainly(&self, row: &[u8], neighbours: &mut [Vec<[u8; 4]>; 2], out: &mut [u16]) {
        let pixels = row.as_chunks::<4>().0;
        let [left, right] = neighbours;
        for side in [&mut *left, &mut *right] {
            side.resize(self.first.len(), [0; 4]);
        }
        for ((l, r), i) in left.iter_mut().zip(right.iter_mut()).zip(&self.first) {
            (*l, *r) = match pixels[*i..] {
                [a, b, ..] => (a, b),
                [a] => (a, a),
                [] => ([0; 4], [0; 4]),
            };
        }
        mix_across(left.as_flattened(), right.as_flattened(), &self.second, out);
    }
}

/// Bytes of a window for one shuffle.
fn window<S: Simd>(simd: S) -> usize {
    match simd.level() {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(_) => 64,
        _ => 16,
    }
}

/// Interpolates two rows of pixels; the result has seven bits of fraction.
#[inline(always)]
fn mix_across(left: &[u8], right: &[u8], second: &[u16], out: &mut [u16]) {
    for (((left, right), second), out) in left.iter().zip(right).zip(second).zip(out) {
        *out = between(*left, *right, *second);
    }
}

/// Shuffles with 16-byte vectors, which every processor supports.
#[inline(always)]
fn across<S: Simd>(simd: S, row: &[u8], windows: &[usize], order: &[u8], second: &[u16], out: &mut [u16]) {
    let groups = windows.iter().zip(order.as_chunks::<16>().0);
    let values = second.as_chunks::<8>().0.iter().zip(out.as_chunks_mut::<8>().0);
    for ((from, order), (second, out)) in groups.zip(values) {
        let source = u8x16::from_slice(simd, &row[*from..*from + 16]);
        let pairs = source.swizzle_dyn(u8x16::from_slice(simd, order));
        let (left, right) = pairs.as_slice().split_at(8);
        mix_across(left, right, second, out);
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use fearless_simd::prelude::*;
    use fearless_simd::{u8x16, u8x32, u8x64, u16x16, u16x32};

    use super::super::weights;
    use super::{VALUES, blocks};

    fearless_simd::kernel!(
        #[inline]
        pub fn down_avx512(simd: Avx512, upper: &[u16], lower: &[u16], f: u16, out: &mut [u8]) {
            let [near, far] = weights(f);
            let (near, far) = (_mm512_set1_epi16(near), _mm512_set1_epi16(far));
            let half = _mm512_set1_epi16(64);
            blocks(
                upper,
                lower,
                out,
                #[inline(always)]
                |upper, lower, out| {
                    for i in (0..VALUES).step_by(32) {
                        let a: __m512i = u16x32::from_slice(simd, &upper[i..i + 32]).into();
                        let b: __m512i = u16x32::from_slice(simd, &lower[i..i + 32]).into();
                        let sum = _mm512_add_epi16(_mm512_mulhrs_epi16(a, near), _mm512_mulhrs_epi16(b, far));
                        let mixed = _mm512_srli_epi16::<7>(_mm512_add_epi16(sum, half));
                        u8x32::simd_from(simd, _mm512_cvtepi16_epi8(mixed)).store_slice(&mut out[i..i + 32]);
                    }
                },
            );
        }
    );

    fearless_simd::kernel!(
        #[inline]
        pub fn down_avx2(simd: Avx2, upper: &[u16], lower: &[u16], f: u16, out: &mut [u8]) {
            let [near, far] = weights(f);
            let (near, far) = (_mm256_set1_epi16(near), _mm256_set1_epi16(far));
            let half = _mm256_set1_epi16(64);
            blocks(
                upper,
                lower,
                out,
                #[inline(always)]
                |upper, lower, out| {
                    for i in (0..VALUES).step_by(32) {
                        let mixed = [i, i + 16].map(
                            #[inline(always)]
                            |i| {
                                let a: __m256i = u16x16::from_slice(simd, &upper[i..i + 16]).into();
                                let b: __m256i = u16x16::from_slice(simd, &lower[i..i + 16]).into();
                                let sum = _mm256_add_epi16(
                                    _mm256_mulhrs_epi16(a, near),
                                    _mm256_mulhrs_epi16(b, far),
                                );
                                _mm256_srli_epi16::<7>(_mm256_add_epi16(sum, half))
                            },
                        );
                        // Packing works on 128-bit halves.
                        let packed = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi16(
                            mixed[0], mixed[1],
                        ));
                        u8x32::simd_from(simd, packed).store_slice(&mut out[i..i + 32]);
                    }
                },
            );
        }
    );

    fearless_simd::kernel!(
        #[inline]
        pub fn across_avx512(
            simd: Avx512,
            row: &[u8],
            windows: &[usize],
            order: &[u8],
            second: &[u16],
            out: &mut [u16],
        ) {
            let groups = windows.iter().zip(order.as_chunks::<64>().0);
            let values = second.as_chunks::<32>().0.iter().zip(out.as_chunks_mut::<32>().0);
            for ((from, order), (second, out)) in groups.zip(values) {
                let source = u8x64::from_slice(simd, &row[*from..*from + 64]).into();
                let pairs = _mm512_permutexvar_epi8(u8x64::from_slice(simd, order).into(), source);
                let left = _mm512_unpacklo_epi8(pairs, _mm512_setzero_si512());
                let right = _mm512_unpackhi_epi8(pairs, _mm512_setzero_si512());
                let second = u16x32::from_slice(simd, second).into();
                let change = _mm512_mullo_epi16(_mm512_sub_epi16(right, left), second);
                let mixed = _mm512_srli_epi16::<1>(_mm512_add_epi16(_mm512_slli_epi16::<8>(left), change));
                u16x32::simd_from(simd, mixed).store_slice(out);
            }
        }
    );

    fearless_simd::kernel!(
        #[inline]
        pub fn across_avx2(
            simd: Avx2,
            row: &[u8],
            windows: &[usize],
            order: &[u8],
            second: &[u16],
            out: &mut [u16],
        ) {
            let groups = windows.as_chunks::<2>().0.iter().zip(order.as_chunks::<32>().0);
            let values = second.as_chunks::<16>().0.iter().zip(out.as_chunks_mut::<16>().0);
            for (([low, high], order), (second, out)) in groups.zip(values) {
                let low = u8x16::from_slice(simd, &row[*low..*low + 16]).into();
                let high = u8x16::from_slice(simd, &row[*high..*high + 16]).into();
                let order = u8x32::from_slice(simd, order).into();
                let pairs = _mm256_shuffle_epi8(_mm256_set_m128i(high, low), order);
                let left = _mm256_unpacklo_epi8(pairs, _mm256_setzero_si256());
                let right = _mm256_unpackhi_epi8(pairs, _mm256_setzero_si256());
                let second = u16x16::from_slice(simd, second).into();
                let change = _mm256_mullo_epi16(_mm256_sub_epi16(right, left), second);
                let mixed = _mm256_srli_epi16::<1>(_mm256_add_epi16(_mm256_slli_epi16::<8>(left), change));
                u16x16::simd_from(simd, mixed).store_slice(out);
            }
        }
    );
}

#[cfg(test)]
mod tests {
    use fearless_simd::dispatch;
    use proptest::prelude::*;

    use super::*;
    use crate::simd::levels;

    proptest! {
        #[test]
        fn every_vector_picks_the_neighbours_that_single_pixels_have(
            row in proptest::collection::vec(any::<u8>(), 4..1200),
            (from, step) in (0.0..1.0, 0.01..3.0),
            count in 1usize..400,
        ) {
            let row = &row[..row.len() / 4 * 4];
            let width = row.len() / 4;
            let last = (width as i32 - 1) * 256;
            let at: Vec<i32> =
                (0..count).map(|i| (((from + step * i as f64) * 256.0) as i32).min(last)).collect();
            for level in levels() {
                let mut picked = vec![0; count.next_multiple_of(BLOCK) * 4];
                let mut plain = picked.clone();
                dispatch!(level, simd => {
                    let columns = Columns::new(simd, at.iter().copied(), width);
                    columns.stretch_plainly(row, &mut Default::default(), &mut plain);
                    columns.stretch(simd, row, &mut Default::default(), &mut picked);
                });
                prop_assert_eq!(&plain, &picked, "{:?}", level);
                for (i, at) in at.iter().enumerate() {
                    let (left, f) = ((at >> 8) as usize, (at & 255) as u16);
                    for c in 0..4 {
                        let pixel = |x: usize| u16::from(row[x.min(width - 1) * 4 + c]);
                        let between = pixel(left) * (256 - f) + pixel(left + 1) * f;
                        prop_assert_eq!(plain[i * 4 + c], between >> 1);
                    }
                }
            }
        }

        #[test]
        fn every_vector_mixes_rows_as_single_values_are_mixed(
            rows in proptest::collection::vec((0u16..=32640, 0u16..=32640), 1..300),
            f in 0u16..=256,
        ) {
            let whole = rows.len().next_multiple_of(VALUES);
            let (mut upper, mut lower): (Vec<u16>, Vec<u16>) = rows.iter().copied().unzip();
            upper.resize(whole, 0);
            lower.resize(whole, 0);
            let plain: Vec<u8> = rows.iter().map(|(a, b)| mix(*a, *b, f)).collect();
            for level in levels() {
                let mut out = vec![0; rows.len()];
                dispatch!(level, simd => mix_down(simd, &upper, &lower, f, &mut out));
                prop_assert_eq!(&plain, &out, "{:?}", level);
            }
        }
    }
}
