//! RGBA to YUV planes: BT.709, limited range. Chroma is the mean of its four pixels. A bitmap with an odd side is extended by
//! repeating its last column or row. Integer arithmetic, so that every processor makes the same bytes of a film.

use std::ops::Range;

use rondo_pixels::{Bitmap, IRect, Plane, Planes, PlanesRef};

use crate::simd::widest;

/// Regions are widened to whole steps, so that vectors are filled.
const STEP: i32 = 64;

/// Bits behind the point of the coefficients.
const FRACTION: u32 = 16;
/// Parts of red, green and blue in luma. Together they are 219 / 255.
const LUMA: [u32; 3] = [11_966, 40_254, 4_064];
/// Parts in the colour differences, less those of the channel that gives a difference its name. Greys have none of either.
const BLUE: [u32; 3] = [6_596, 22_188, 28_784];
const RED: [u32; 3] = [28_784, 26_145, 2_639];

/// Converts the dirty regions of a picture whose other regions were converted before. The result equals a
/// conversion of the whole picture. A picture of another size takes these planes over.
pub fn update_planes(planes: &mut Planes, bitmap: &Bitmap, dirty: &[IRect]) {
    let even = (bitmap.width.next_multiple_of(2), bitmap.height.next_multiple_of(2));
    if (planes.width, planes.height) != even {
        *planes = Planes::new(bitmap.width, bitmap.height);
        convert_region(planes, bitmap, bitmap.bounds());
        return;
    }
    for rect in dirty {
        convert_region(planes, bitmap, rect.intersect(&bitmap.bounds()));
    }
}

/// Converts the dirty regions of a picture and takes the others from `last`, the planes of the picture before. What these
/// planes held does not matter.
pub fn follow_planes(planes: &mut Planes, last: &Planes, bitmap: &Bitmap, dirty: &[IRect]) {
    if (planes.width, planes.height) != (last.width, last.height) {
        *planes = Planes::new(last.width, last.height);
    }
    let mut clean = vec![IRect::of_size(planes.width, planes.height)];
    for rect in dirty.iter().map(|rect| rect.intersect(&bitmap.bounds())).filter(|rect| !rect.is_empty()) {
        let converted = whole_steps(planes, rect);
        clean = clean.iter().flat_map(|part| part.without(&converted)).collect();
    }
    let width = planes.width as usize;
    let channels = [(&mut planes.y, &last.y, 1), (&mut planes.u, &last.u, 2), (&mut planes.v, &last.v, 2)];
    for (to, from, scale) in channels {
        for part in &clean {
            let columns = part.x0 as usize / scale..part.x1 as usize / scale;
            for row in part.y0 as usize / scale..part.y1 as usize / scale {
                let start = row * (width / scale);
                let bytes = start + columns.start..start + columns.end;
                to[bytes.clone()].copy_from_slice(&from[bytes]);
            }
        }
    }
    update_planes(planes, bitmap, dirty);
}

/// What is converted for a region inside the picture.
pub(crate) fn whole_steps(planes: &Planes, rect: IRect) -> IRect {
    IRect::new(
        rect.x0 / STEP * STEP,
        rect.y0 & !1,
        ((rect.x1 + STEP - 1) / STEP * STEP).min(planes.width as i32),
        (rect.y1 + 1) & !1,
    )
}

/// Takes back what a picture had before it was painted on, wherever a region shows the same as `before`, its pixels
/// at that time. The region is in whole steps.
pub(crate) fn keep_unpainted(
    planes: &mut Planes,
    source: PlanesRef<'_>,
    bitmap: &Bitmap,
    rect: IRect,
    before: &[u8],
) {
    const BLOCK: usize = 8;
    let width = planes.width as usize;
    let stride = rect.width() as usize * 4;
    let copy = |to: &mut [u8], own: usize, from: &Plane<'_>, row: usize, columns: Range<usize>| {
        let bytes = &from.bytes[row * from.stride..][columns.clone()];
        to[row * own..][columns].copy_from_slice(bytes);
    };
    for (pair, before) in before.chunks_exact(stride * 2).enumerate() {
        let y = rect.y0 + 2 * pair as i32;
        let now = [bitmap.span(y, rect.x0, rect.x1), bitmap.span(y + 1, rect.x0, rect.x1)];
        let y = y as usize;
        for at in (0..rect.width() as usize).step_by(BLOCK) {
            let end = (at + BLOCK).min(rect.width() as usize);
            let same = now[0][at * 4..end * 4] == before[at * 4..end * 4]
                && now[1][at * 4..end * 4] == before[stride + at * 4..stride + end * 4];
            if same {
                let columns = rect.x0 as usize + at..rect.x0 as usize + end;
                let half = columns.start / 2..columns.end / 2;
                copy(&mut planes.y, width, &source.y, y, columns.clone());
                copy(&mut planes.y, width, &source.y, y + 1, columns);
                copy(&mut planes.u, width / 2, &source.u, y / 2, half.clone());
                copy(&mut planes.v, width / 2, &source.v, y / 2, half);
            }
        }
    }
}

fn convert_region(planes: &mut Planes, bitmap: &Bitmap, rect: IRect) {
    if rect.is_empty() {
        return;
    }
    let r = whole_steps(planes, rect);
    if bitmap.bounds().contains(&r) {
        let at = (r.y0 as usize * bitmap.width as usize + r.x0 as usize) * 4;
        convert(planes, &bitmap.pixels[at..], bitmap.width * 4, r);
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
    convert(planes, &wide.pixels, wide.width * 4, r);
}

/// `rgba` starts at the region's first pixel. The region has an even number of columns and rows.
fn convert(planes: &mut Planes, rgba: &[u8], stride: u32, r: IRect) {
    let (width, stride) = (planes.width as usize, stride as usize);
    let (x, y, columns) = (r.x0 as usize, r.y0 as usize, r.width() as usize);
    widest(
        #[inline(always)]
        || {
            for pair in 0..r.height() as usize / 2 {
                let rows = [2 * pair, 2 * pair + 1].map(|row| &rgba[row * stride..][..columns * 4]);
                for (row, pixels) in rows.into_iter().enumerate() {
                    luma(pixels, &mut planes.y[(y + 2 * pair + row) * width + x..][..columns]);
                }
                let at = (y / 2 + pair) * (width / 2) + x / 2;
                let (u, v) = (&mut planes.u[at..][..columns / 2], &mut planes.v[at..][..columns / 2]);
                chroma(rows, u, v);
            }
        },
    );
}

#[inline(always)]
fn luma(pixels: &[u8], to: &mut [u8]) {
    const BLACK: u32 = (16 << FRACTION) + (1 << (FRACTION - 1));
    for (to, pixel) in to.iter_mut().zip(pixels.as_chunks::<4>().0) {
        let pixel = u32::from_le_bytes(*pixel);
        let [r, g, b] = [pixel & 255, pixel >> 8 & 255, pixel >> 16 & 255];
        *to = ((r * LUMA[0] + g * LUMA[1] + b * LUMA[2] + BLACK) >> FRACTION) as u8;
    }
}

#[inline(always)]
fn chroma([above, below]: [&[u8]; 2], u: &mut [u8], v: &mut [u8]) {
    /// Every other channel of two pixels, with room for sums.
    const EVEN: u64 = 0x00ff_00ff_00ff_00ff;
    // The channels are sums of four pixels.
    const SHIFT: u32 = FRACTION + 2;
    const GREY: u32 = (128 << SHIFT) + (1 << (SHIFT - 1));
    let pairs = above.as_chunks::<8>().0.iter().zip(below.as_chunks::<8>().0);
    for ((u, v), (above, below)) in u.iter_mut().zip(v).zip(pairs) {
        let (above, below) = (u64::from_le_bytes(*above), u64::from_le_bytes(*below));
        let even = (above & EVEN) + (below & EVEN);
        let odd = (above >> 8 & EVEN) + (below >> 8 & EVEN);
        let (even, odd) = (even as u32 + (even >> 32) as u32, odd as u32 + (odd >> 32) as u32);
        let [r, g, b] = [even & 0xffff, odd & 0xffff, even >> 16];
        *u = ((GREY + b * BLUE[2] - r * BLUE[0] - g * BLUE[1]) >> SHIFT) as u8;
        *v = ((GREY + r * RED[0] - g * RED[1] - b * RED[2]) >> SHIFT) as u8;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// BT.709 limited range back to RGB, as a player does it.
    fn rgb(planes: &Planes, x: usize, y: usize) -> [f64; 3] {
        let luma = (f64::from(planes.y[y * planes.width as usize + x]) - 16.0) * 255.0 / 219.0;
        let at = y / 2 * (planes.width as usize / 2) + x / 2;
        let u = (f64::from(planes.u[at]) - 128.0) * 255.0 / 224.0;
        let v = (f64::from(planes.v[at]) - 128.0) * 255.0 / 224.0;
        [luma + 1.5748 * v, luma - 0.187324 * u - 0.468124 * v, luma + 1.8556 * u]
            .map(|c| c.clamp(0.0, 255.0))
    }

    #[test]
    fn flat_colours_survive_the_round_trip_within_two_levels() {
        for color in
            [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255; 3], [0; 3], [18, 52, 86], [250, 204, 21], [128; 3]]
        {
            let mut bitmap = Bitmap::new(70, 6);
            crate::composite::fill(&mut bitmap.pixels, [color[0], color[1], color[2], 255]);
            let mut planes = Planes::new(70, 6);
            update_planes(&mut planes, &bitmap, &[bitmap.bounds()]);
            for (x, y) in [(0, 0), (31, 3), (69, 5)] {
                for (got, want) in rgb(&planes, x, y).iter().zip(color) {
                    assert!(
                        (got - f64::from(want)).abs() <= 2.0,
                        "{color:?} came back as {:?}",
                        rgb(&planes, x, y)
                    );
                }
            }
        }
    }

    #[test]
    fn every_colour_is_the_nearest_of_bt_709() {
        let mut bitmap = Bitmap::new(64, 2);
        let mut planes = Planes::new(64, 2);
        for number in 0..4096_u32 {
            let [r, g, b] = [number & 15, number >> 4 & 15, number >> 8].map(|part| (part * 17) as u8);
            crate::composite::fill(&mut bitmap.pixels, [r, g, b, 255]);
            update_planes(&mut planes, &bitmap, &[bitmap.bounds()]);
            let [r, g, b] = [r, g, b].map(f64::from);
            let luma = 0.2126 * r + 0.7152 * g + 0.0722 * b;
            let (u, v) = ((b - luma) / 1.8556, (r - luma) / 1.5748);
            let exact = [16.0 + luma * 219.0 / 255.0, 128.0 + u * 224.0 / 255.0, 128.0 + v * 224.0 / 255.0];
            for (got, exact) in [planes.y[70], planes.u[20], planes.v[31]].into_iter().zip(exact) {
                assert!((f64::from(got) - exact).abs() < 0.51, "{r} {g} {b}: {got} for {exact}");
            }
        }
    }

    #[test]
    fn chroma_is_the_mean_of_four_pixels_and_greys_have_none() {
        let mut bitmap = Bitmap::new(2, 2);
        for (pixel, level) in bitmap.pixels.as_chunks_mut::<4>().0.iter_mut().zip([0, 255, 90, 17]) {
            *pixel = [level, level, level, 255];
        }
        let mut planes = Planes::new(2, 2);
        update_planes(&mut planes, &bitmap, &[bitmap.bounds()]);
        assert_eq!(
            (&planes.y[..], &planes.u[..], &planes.v[..]),
            (&[16, 235, 93, 31][..], &[128][..], &[128][..])
        );
        // Half red, half blue.
        let [red, blue] = [[255, 0, 0, 255], [0, 0, 255, 255]];
        bitmap.pixels = [red, blue, blue, red].concat();
        update_planes(&mut planes, &bitmap, &[bitmap.bounds()]);
        assert_eq!((planes.u[0], planes.v[0]), (171, 179));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn converting_only_what_changed_equals_converting_everything(
            (width, height) in (1u32..300, 1u32..40),
            seed in any::<u32>(),
            rects in proptest::collection::vec((0i32..300, 0i32..40, 1i32..200, 1i32..30), 1..4),
        ) {
            let mut state = seed;
            let mut random = || {
                state = state.wrapping_mul(1664525).wrapping_add(1013904223);
                (state >> 24) as u8
            };
            let mut bitmap = Bitmap::new(width, height);
            bitmap.pixels.iter_mut().for_each(|p| *p = random());
            let mut parts = Planes::new(width, height);
            update_planes(&mut parts, &bitmap, &[bitmap.bounds()]);
            let dirty: Vec<IRect> = rects.iter().map(|(x, y, w, h)| IRect::new(*x, *y, x + w, y + h)).collect();
            for rect in &dirty {
                let rect = rect.intersect(&bitmap.bounds());
                for y in rect.y0..rect.y1 {
                    bitmap.span_mut(y, rect.x0, rect.x1).iter_mut().for_each(|p| *p = random());
                }
            }
            let mut following = Planes::new(width, height);
            follow_planes(&mut following, &parts, &bitmap, &dirty);
            update_planes(&mut parts, &bitmap, &dirty);
            let mut whole = Planes::new(width, height);
            update_planes(&mut whole, &bitmap, &[bitmap.bounds()]);
            prop_assert!(parts == whole);
            prop_assert!(following == whole);
        }
    }
}
