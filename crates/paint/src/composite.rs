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

/// Bytes blended together. Kernels take blocks of this one size, which always become whole vectors.
const BLOCK: usize = 64;
type Block = [u8; BLOCK];

/// Draws a row over another.
#[inline(always)]
pub fn over(dst: &mut [u8], src: &[u8], coverage: Coverage<'_>) {
    match coverage {
        Coverage::Full | Coverage::Even(255) => blocks(
            dst,
            src,
            #[inline(always)]
            |_, d, s| over_full(d, s),
        ),
        Coverage::Even(0) => {}
        Coverage::Even(c) => blocks(
            dst,
            src,
            #[inline(always)]
            |_, d, s| over_even(d, s, c),
        ),
        Coverage::Row(row) => blocks(
            dst,
            src,
            #[inline(always)]
            |at, d, s| {
                let row = &row[at * (BLOCK / 4)..];
                match row.first_chunk() {
                    Some(coverage) => over_row(d, s, coverage),
                    None => {
                        let mut last = [0; BLOCK / 4];
                        last[..row.len()].copy_from_slice(row);
                        over_row(d, s, &last);
                    }
                }
            },
        ),
    }
}

/// Goes through two rows block by block, with the number of each. What is left at the end is filled up with nothing.
#[inline(always)]
fn blocks(dst: &mut [u8], src: &[u8], mut kernel: impl FnMut(usize, &mut Block, &Block)) {
    let length = dst.len().min(src.len());
    let (dst, rest) = dst[..length].as_chunks_mut::<BLOCK>();
    let (src, src_rest) = src[..length].as_chunks::<BLOCK>();
    for (i, (d, s)) in dst.iter_mut().zip(src).enumerate() {
        kernel(i, d, s);
    }
    if !rest.is_empty() {
        let (mut d, mut s) = ([0; BLOCK], [0; BLOCK]);
        d[..rest.len()].copy_from_slice(rest);
        s[..rest.len()].copy_from_slice(src_rest);
        kernel(dst.len(), &mut d, &s);
        rest.copy_from_slice(&d[..rest.len()]);
    }
}

#[inline(always)]
fn over_row(dst: &mut Block, src: &Block, coverage: &[u8; BLOCK / 4]) {
    let (mut all, mut any) = (255, 0);
    for c in coverage {
        (all, any) = (all & c, any | c);
    }
    match all {
        255 => over_full(dst, src),
        _ if any == 0 => {}
        _ if all == any => over_even(dst, src, all),
        _ => over_uneven(dst, src, coverage),
    }
}

#[inline(always)]
fn over_full(dst: &mut Block, src: &Block) {
    match content(src) {
        (0, _) => {}
        (_, 255) => *dst = *src,
        _ => blend(dst, src),
    }
}

#[inline(always)]
fn over_even(dst: &mut Block, src: &Block, coverage: u8) {
    let (any, alpha) = content(src);
    if any == 0 {
        return;
    }
    let c = u16::from(coverage);
    if alpha == 255 {
        for i in 0..BLOCK {
            dst[i] = (div255(u16::from(src[i]) * c) + div255(u16::from(dst[i]) * (255 - c))) as u8;
        }
        return;
    }
    let mut scaled = [0; BLOCK];
    for i in 0..BLOCK {
        scaled[i] = div255(u16::from(src[i]) * c) as u8;
    }
    blend(dst, &scaled);
}

#[inline(always)]
fn over_uneven(dst: &mut Block, src: &Block, coverage: &[u8; BLOCK / 4]) {
    if content(src).0 == 0 {
        return;
    }
    let mut wide = [0; BLOCK / 4];
    for i in 0..BLOCK / 4 {
        wide[i] = u32::from(coverage[i]);
    }
    let wide = spread(&wide);
    let mut scaled = [0; BLOCK];
    for i in 0..BLOCK {
        scaled[i] = div255(u16::from(src[i]) * u16::from(wide[i])) as u8;
    }
    blend(dst, &scaled);
}

/// The pixels of a block as numbers, alpha in the highest byte.
#[inline(always)]
fn pixels(block: &Block) -> [u32; BLOCK / 4] {
    let mut pixels = [0; BLOCK / 4];
    for i in 0..BLOCK / 4 {
        let bytes = [block[i * 4], block[i * 4 + 1], block[i * 4 + 2], block[i * 4 + 3]];
        pixels[i] = u32::from_le_bytes(bytes);
    }
    pixels
}

/// One value a pixel for each of its bytes.
#[inline(always)]
fn spread(values: &[u32; BLOCK / 4]) -> Block {
    let mut wide = [0; BLOCK];
    for (bytes, value) in wide.as_chunks_mut::<4>().0.iter_mut().zip(values) {
        *bytes = (value * 0x0101_0101).to_le_bytes();
    }
    wide
}

/// What the pixels of a block have in common: all bits that any has, and the bits that every alpha has.
#[inline(always)]
fn content(src: &Block) -> (u32, u32) {
    let (mut any, mut all) = (0, u32::MAX);
    for p in pixels(src) {
        (any, all) = (any | p, all & p);
    }
    (any, all >> 24)
}

/// `dst = src + dst · (1 − alpha of src)`.
#[inline(always)]
fn blend(dst: &mut Block, src: &Block) {
    let mut keep = pixels(src);
    for pixel in &mut keep {
        *pixel = 255 - (*pixel >> 24);
    }
    let keep = spread(&keep);
    for i in 0..BLOCK {
        dst[i] = src[i].saturating_add(div255(u16::from(dst[i]) * u16::from(keep[i])) as u8);
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
