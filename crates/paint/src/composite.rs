//! Source-over on rows of premultiplied pixels, in whole bytes with exact rounding. Loops are plain so that the compiler
//! turns them into vectors; each has a per-pixel twin in the tests.

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
    /// One value a pixel.
    Row(&'a [u8]),
}

const BLOCK: usize = 64;

/// Draws a row over another.
#[inline(always)]
pub fn over(dst: &mut [u8], src: &[u8], coverage: Coverage<'_>) {
    match coverage {
        Coverage::Full | Coverage::Even(255) => over_full(dst, src),
        Coverage::Even(0) => {}
        Coverage::Even(c) => {
            let mut scaled = [0u8; BLOCK];
            for (d, s) in dst.chunks_mut(BLOCK).zip(src.chunks(BLOCK)) {
                if s.iter().fold(0, |a, b| a | b) == 0 {
                    continue;
                }
                let scaled = &mut scaled[..s.len()];
                for (o, v) in scaled.iter_mut().zip(s) {
                    *o = div255(u16::from(*v) * u16::from(c)) as u8;
                }
                blend(d, scaled);
            }
        }
        Coverage::Row(row) => {
            let mut scaled = [0u8; BLOCK];
            for ((d, s), c) in dst.chunks_mut(BLOCK).zip(src.chunks(BLOCK)).zip(row.chunks(BLOCK / 4)) {
                let all = c.iter().fold(255, |a, b| a & b);
                if all == 255 {
                    over_full(d, s);
                    continue;
                }
                if c.iter().fold(0, |a, b| a | b) == 0 || s.iter().fold(0, |a, b| a | b) == 0 {
                    continue;
                }
                let scaled = &mut scaled[..s.len()];
                for ((o, v), c) in scaled.as_chunks_mut::<4>().0.iter_mut().zip(s.as_chunks::<4>().0).zip(c) {
                    let c = u16::from(*c);
                    for i in 0..4 {
                        o[i] = div255(u16::from(v[i]) * c) as u8;
                    }
                }
                blend(d, scaled);
            }
        }
    }
}

#[inline(always)]
fn over_full(dst: &mut [u8], src: &[u8]) {
    for (d, s) in dst.chunks_mut(BLOCK).zip(src.chunks(BLOCK)) {
        let mut any = 0;
        let mut alpha = 255;
        for p in s.as_chunks::<4>().0 {
            any |= p[0] | p[1] | p[2] | p[3];
            alpha &= p[3];
        }
        if any == 0 {
            continue;
        }
        if alpha == 255 {
            d[..s.len()].copy_from_slice(s);
        } else {
            blend(d, s);
        }
    }
}

/// At most one block: `dst = src + dst · (1 − alpha of src)`.
#[inline(always)]
fn blend(dst: &mut [u8], src: &[u8]) {
    let mut keep = [0u8; BLOCK];
    for (k, s) in keep.as_chunks_mut::<4>().0.iter_mut().zip(src.as_chunks::<4>().0) {
        let alpha = u32::from_le_bytes(*s) >> 24;
        *k = ((255 - alpha) * 0x0101_0101).to_le_bytes();
    }
    for ((d, s), k) in dst.iter_mut().zip(src).zip(&keep) {
        *d = s.saturating_add(div255(u16::from(*d) * u16::from(*k)) as u8);
    }
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
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn premultiplied(n: usize) -> impl Strategy<Value = Vec<u8>> {
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
            let mut out = dst.clone();
            over(&mut out, &src, Coverage::Full);
            prop_assert_eq!(&out, &reference(&|_| 255));
            let mut out = dst.clone();
            over(&mut out, &src, Coverage::Even(even));
            prop_assert_eq!(&out, &reference(&|_| even));
            let mut out = dst.clone();
            over(&mut out, &src, Coverage::Row(&cov));
            prop_assert_eq!(&out, &reference(&|i| cov[i]));
        }
    }

    #[test]
    fn division_by_255_rounds_exactly() {
        for x in 0..=255u16 * 255 {
            assert_eq!(div255(x), ((u32::from(x) * 2 + 255) / 510) as u16, "{x}");
        }
    }
}
