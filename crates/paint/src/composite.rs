//! Source-over on rows of premultiplied pixels, in whole bytes with exact rounding; each kernel has a per-pixel twin in the
//! tests.

use fearless_simd::dispatch;
use fearless_simd::prelude::*;

use crate::simd::level;

/// `x / 255` rounded to nearest, for `x` up to 255².
#[inline(always)]
pub const fn div255(x: u16) -> u16 {
    let x = x + 128;
    (x + (x >> 8)) >> 8
}

/// How much of a source row arrives.
#[derive(Clone, Copy, Debug)]
pub enum Coverage<'a> {
    Full,
    /// The same everywhere, 0 to 255.
    Even(u8),
    /// One value per pixel.
    Row(&'a [u8]),
}

/// Draws a row over another.
pub fn over(dst: &mut [u8], src: &[u8], coverage: Coverage<'_>) {
    dispatch!(level(), simd => over_with(simd, dst, src, coverage));
}

/// The same at a known SIMD level.
#[inline(always)]
pub fn over_with<S: Simd>(simd: S, dst: &mut [u8], src: &[u8], coverage: Coverage<'_>) {
    match coverage {
        Coverage::Full | Coverage::Even(255) => vectors(
            simd,
            dst,
            src,
            #[inline(always)]
            |_, d, s| over_full::<S>(d, s),
        ),
        Coverage::Even(0) => {}
        Coverage::Even(c) => {
            let c = S::u16s::splat(simd, c.into());
            vectors(
                simd,
                dst,
                src,
                #[inline(always)]
                |_, d, s| if is_empty::<S>(s) { None } else { Some(blend::<S>(d, scaled::<S>(s, c))) },
            );
        }
        Coverage::Row(row) => vectors(
            simd,
            dst,
            src,
            #[inline(always)]
            |at, d, s| over_row(simd, d, s, &row[at / 4..]),
        ),
    }
}

/// Bytes of the widest vector.
const WIDEST: usize = 64;

/// Processes two rows vector by vector, with the index of each; the kernel returns the replacement of the lower one, if
/// any. The remainder is padded with zeros.
#[inline(always)]
fn vectors<S: Simd>(
    simd: S,
    dst: &mut [u8],
    src: &[u8],
    mut kernel: impl FnMut(usize, S::u8s, S::u8s) -> Option<S::u8s>,
) {
    let n = S::u8s::N;
    let length = dst.len().min(src.len());
    let at = length / n * n;
    let rows = dst[..at].chunks_exact_mut(n).zip(src[..at].chunks_exact(n));
    for (i, (d, s)) in rows.enumerate() {
        if let Some(blended) = kernel(i * n, S::u8s::from_slice(simd, d), S::u8s::from_slice(simd, s)) {
            blended.store_slice(d);
        }
    }
    let (dst, src) = (&mut dst[at..length], &src[at..length]);
    if !dst.is_empty() {
        let (mut d, mut s) = ([0; WIDEST], [0; WIDEST]);
        d[..dst.len()].copy_from_slice(dst);
        s[..src.len()].copy_from_slice(src);
        let (lower, upper) = (S::u8s::from_slice(simd, &d[..n]), S::u8s::from_slice(simd, &s[..n]));
        if let Some(blended) = kernel(at, lower, upper) {
            blended.store_slice(&mut d[..n]);
            dst.copy_from_slice(&d[..dst.len()]);
        }
    }
}

#[inline(always)]
fn over_full<S: Simd>(dst: S::u8s, src: S::u8s) -> Option<S::u8s> {
    let pixels: S::u32s = src.bitcast();
    if is_empty::<S>(src) {
        None
    } else if pixels.simd_ge(0xff00_0000).all_true() {
        Some(src)
    } else {
        Some(blend::<S>(dst, src))
    }
}

/// `coverage` has a value for each pixel of the vectors that is in the row.
#[inline(always)]
fn over_row<S: Simd>(simd: S, dst: S::u8s, src: S::u8s, coverage: &[u8]) -> Option<S::u8s> {
    let mut values = [0; WIDEST / 4];
    let values = &mut values[..S::u32s::N];
    for (value, coverage) in values.iter_mut().zip(coverage) {
        *value = u32::from(*coverage);
    }
    let values = S::u32s::from_slice(simd, values);
    if values.simd_eq(0).all_true() || is_empty::<S>(src) {
        None
    } else if values.simd_eq(255).all_true() {
        over_full::<S>(dst, src)
    } else {
        Some(blend::<S>(dst, scaled::<S>(src, twice::<S>(values))))
    }
}

#[inline(always)]
fn is_empty<S: Simd>(src: S::u8s) -> bool {
    let pixels: S::u32s = src.bitcast();
    pixels.simd_eq(0).all_true()
}

/// `dst = src + dst · (1 − alpha of src)`.
#[inline(always)]
fn blend<S: Simd>(dst: S::u8s, src: S::u8s) -> S::u8s {
    let pixels: S::u32s = src.bitcast();
    let kept = scaled::<S>(dst, twice::<S>((pixels >> 24) ^ 255));
    // No more than there is room for.
    src + kept.min(!src)
}

/// One value per pixel for each two of its channels.
#[inline(always)]
fn twice<S: Simd>(values: S::u32s) -> S::u16s {
    (values | (values << 16)).bitcast()
}

/// Channels times values of up to 255, one for each two of them, divided by 255.
#[inline(always)]
fn scaled<S: Simd>(channels: S::u8s, by: S::u16s) -> S::u8s {
    let pairs: S::u16s = channels.bitcast();
    let (even, odd) = ((pairs & 0xff) * by + 128, (pairs >> 8) * by + 128);
    // As `div255`, the second of each pair left in its place.
    let (even, odd) = ((even + (even >> 8)) >> 8, (odd + (odd >> 8)) & 0xff00);
    (even | odd).bitcast()
}

/// Multiplies a coverage row by another.
#[inline(always)]
pub fn multiply(row: &mut [u8], by: &[u8]) {
    for (r, b) in row.iter_mut().zip(by) {
        *r = div255(u16::from(*r) * u16::from(*b)) as u8;
    }
}

/// Multiplies a coverage row by one value.
#[inline(always)]
pub fn dim(row: &mut [u8], by: u8) {
    if by != 255 {
        for r in row {
            *r = div255(u16::from(*r) * u16::from(by)) as u8;
        }
    }
}

/// Fills a row with one pixel.
pub fn fill(dst: &mut [u8], pixel: [u8; 4]) {
    for d in dst.as_chunks_mut::<4>().0 {
        *d = pixel;
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::simd::levels;

    /// Pixels of any colour, many of them empty or opaque.
    pub fn premultiplied(n: usize) -> impl Strategy<Value = Vec<u8>> {
        let pixel =
            (any::<[u8; 3]>(), prop_oneof![Just(0u8), Just(255u8), any::<u8>()]).prop_map(|(c, a)| {
                let m = |v: u8| ((u32::from(v) * u32::from(a) + 127) / 255) as u8;
                [m(c[0]), m(c[1]), m(c[2]), a]
            });
        proptest::collection::vec(pixel, n).prop_map(|p| p.concat())
    }

    fn round(x: f64) -> u8 {
        (x + 0.5).floor() as u8
    }

    proptest! {
        #[test]
        fn rows_blend_as_single_pixels_do(
            (dst, src, cov) in (0usize..70).prop_flat_map(|n| (
                premultiplied(n),
                premultiplied(n),
                proptest::collection::vec(prop_oneof![Just(0u8), Just(255u8), any::<u8>()], n),
            )),
            even in any::<u8>(),
        ) {
            let reference = |c: &dyn Fn(usize) -> u8| -> Vec<u8> {
                dst.iter().enumerate().map(|(i, d)| {
                    let c = f64::from(c(i / 4));
                    let s = round(f64::from(src[i]) * c / 255.0);
                    let a = round(f64::from(src[i / 4 * 4 + 3]) * c / 255.0);
                    s.saturating_add(round(f64::from(*d) * f64::from(255 - a) / 255.0))
                }).collect()
            };
            for level in levels() {
                let blended = |coverage| {
                    let mut out = dst.clone();
                    dispatch!(level, simd => over_with(simd, &mut out, &src, coverage));
                    out
                };
                prop_assert_eq!(blended(Coverage::Full), reference(&|_| 255), "{:?}", level);
                prop_assert_eq!(blended(Coverage::Even(even)), reference(&|_| even), "{:?}", level);
                prop_assert_eq!(blended(Coverage::Row(&cov)), reference(&|i| cov[i]), "{:?}", level);
            }
        }
    }

    #[test]
    fn division_by_255_rounds_exactly() {
        for x in 0..=255u16 * 255 {
            assert_eq!(div255(x), ((u32::from(x) * 2 + 255) / 510) as u16, "{x}");
        }
    }
}
