//! Placing pixels on the canvas: a copy, an axis-aligned stretch, or any plane in perspective.
//!
//! Every output pixel is a function of its own position alone, so a region painted separately equals the same region of a
//! whole frame. Sampling is bilinear and stays inside the source's region; edges are antialiased by coverage.

mod plane;
mod rows;
mod stretch;

use std::sync::Arc;

use fearless_simd::{Simd, dispatch};
use kurbo::Rect;
use rondo_pixels::{Bitmap, BitmapRef, IRect};
use rondo_scene::Homography;
use rondo_scene::display::BlendMode;

use self::plane::plane;
use self::stretch::stretch;
use crate::blend::blend;
use crate::clip::Stencil;
use crate::composite::{self, Coverage};
use crate::footprint::Footprint;
use crate::rect;
use crate::simd::level;

/// The pixels to paint; `x` and `y` are the canvas position of the first one.
#[derive(Debug)]
pub struct Target<'a> {
    pub bitmap: &'a mut Bitmap,
    pub x: i32,
    pub y: i32,
}

impl Target<'_> {
    pub fn bounds(&self) -> IRect {
        self.bitmap.bounds().shift(self.x, self.y)
    }

    /// Part of a row as it is, in canvas coordinates.
    pub fn row(&self, y: i32, x0: i32, x1: i32) -> &[u8] {
        self.bitmap.span(y - self.y, x0 - self.x, x1 - self.x)
    }

    /// Part of a row, in canvas coordinates.
    pub fn span(&mut self, y: i32, x0: i32, x1: i32) -> &mut [u8] {
        self.bitmap.span_mut(y - self.y, x0 - self.x, x1 - self.x)
    }
}

/// The map from source pixels to the canvas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Map {
    /// Source pixel (0, 0) is at this canvas pixel.
    Shift { x: i32, y: i32 },
    /// The source region is stretched over this canvas rectangle.
    Stretch(Rect),
    /// Canvas to source.
    Plane(Homography),
}

/// The source: a region of the view, in its pixels, and its map to the canvas.
#[derive(Clone, Copy, Debug)]
pub struct Placing<'a> {
    pub view: BitmapRef<'a>,
    pub region: Rect,
    pub map: Map,
    /// Whether every pixel of the view is opaque.
    pub opaque: bool,
    /// The non-empty cells of the view, if known.
    pub footprint: Option<&'a Footprint>,
}

/// Opacity, masks and blend mode of the placing.
#[derive(Clone, Copy, Debug)]
pub struct Shade<'a> {
    pub opacity: u8,
    pub masks: &'a [Arc<Stencil>],
    pub blend: BlendMode,
}

impl Shade<'_> {
    /// All of the placing, over what is there.
    pub const FULL: Self = Self { opacity: 255, masks: &[], blend: BlendMode::Normal };

    /// Whether opaque pixels replace what is there, where no mask is.
    fn replaces(&self) -> bool {
        self.opacity == 255 && self.blend == BlendMode::Normal
    }
}

/// Buffers for one row, kept between calls.
#[derive(Debug, Default)]
pub struct Scratch {
    line: Vec<u8>,
    coverage: Vec<u8>,
    upper: Vec<u16>,
    lower: Vec<u16>,
    neighbours: [Vec<[u8; 4]>; 2],
}

/// Draws a placing inside `area` (canvas coordinates, within the target).
pub fn draw(
    target: &mut Target<'_>,
    area: IRect,
    placing: &Placing<'_>,
    shade: &Shade<'_>,
    scratch: &mut Scratch,
) {
    dispatch!(level(), simd => draw_rows(simd, target, area, placing, shade, scratch));
}

#[inline(always)]
fn draw_rows<S: Simd>(
    simd: S,
    target: &mut Target<'_>,
    area: IRect,
    placing: &Placing<'_>,
    shade: &Shade<'_>,
    scratch: &mut Scratch,
) {
    let mut area = area.intersect(&target.bounds());
    for mask in shade.masks {
        area = area.intersect(&mask.bounds());
    }
    if shade.opacity == 0 || placing.view.width == 0 || placing.view.height == 0 {
        return;
    }
    match placing.map {
        Map::Shift { x, y } => {
            let area = area.intersect(&rect::around(placing.region).shift(x, y));
            for row in area.y0..area.y1 {
                let source = &placing.view.row((row - y) as usize)
                    [(area.x0 - x) as usize * 4..(area.x1 - x) as usize * 4];
                put(simd, target, row, area.x0, source, None, shade, &mut scratch.coverage);
            }
        }
        Map::Stretch(dest) => stretch(simd, target, area, placing, dest, shade, scratch),
        Map::Plane(inverse) => plane(simd, target, area, placing, &inverse, shade, scratch),
    }
}

/// The source's coverage in a row.
#[derive(Clone, Copy)]
struct Edge<'a> {
    coverage: &'a [u8],
    /// Fully covered pixels, relative to the start of the row.
    inside: (usize, usize),
}

/// Blends one row that starts at `x`. Coverage is evaluated per pixel only where it is not uniform.
#[expect(clippy::too_many_arguments, reason = "a kernel")]
#[inline(always)]
fn put<S: Simd>(
    simd: S,
    target: &mut Target<'_>,
    y: i32,
    x: i32,
    source: &[u8],
    edge: Option<Edge<'_>>,
    shade: &Shade<'_>,
    coverage: &mut Vec<u8>,
) {
    let end = x + (source.len() / 4) as i32;
    let (mut open, mut clear) = ((x, end), (x, end));
    if let Some(edge) = edge {
        clear = (x + edge.inside.0 as i32, x + edge.inside.1 as i32);
    }
    for mask in shade.masks {
        open = both(open, mask.open(y));
        clear = both(clear, mask.clear(y));
    }
    if open.0 >= open.1 {
        return;
    }
    let (from, to) = match both(clear, open) {
        (from, to) if from < to => (from, to),
        _ => (open.1, open.1),
    };
    let part = |from: i32, to: i32| (from - x) as usize * 4..(to - x) as usize * 4;
    if from < to {
        let coverage = Coverage::Even(shade.opacity);
        combine(simd, target.span(y, from, to), &source[part(from, to)], coverage, shade.blend);
    }
    for (from, to) in [(open.0, from), (to, open.1)] {
        if from < to {
            let edge = edge.map(|edge| &edge.coverage[(from - x) as usize..(to - x) as usize]);
            let row = shade_row(y, from, to, edge, shade, coverage);
            let coverage = Coverage::Row(row);
            combine(simd, target.span(y, from, to), &source[part(from, to)], coverage, shade.blend);
        }
    }
}

/// Source-over is compiled into its callers; the other modes are too many for that.
#[inline(always)]
fn combine<S: Simd>(simd: S, dst: &mut [u8], src: &[u8], coverage: Coverage<'_>, mode: BlendMode) {
    match mode {
        BlendMode::Normal => composite::over_with(simd, dst, src, coverage),
        _ => blend(mode, dst, src, coverage),
    }
}

/// Intersection of two spans; the end may be before the start.
#[inline(always)]
fn both(a: (i32, i32), b: (i32, i32)) -> (i32, i32) {
    (a.0.max(b.0), a.1.min(b.1))
}

/// Coverage of a row from edge, masks and opacity together.
#[inline(always)]
fn shade_row<'a>(
    y: i32,
    x0: i32,
    x1: i32,
    edge: Option<&[u8]>,
    shade: &Shade<'_>,
    row: &'a mut Vec<u8>,
) -> &'a [u8] {
    row.clear();
    match edge {
        Some(edge) => row.extend_from_slice(edge),
        None => row.resize((x1 - x0) as usize, 255),
    }
    for mask in shade.masks {
        composite::multiply(row, mask.span(y, x0, x1));
    }
    composite::dim(row, shade.opacity);
    row
}

/// Interpolates two bytes, `f` 256ths of the way; the result has seven bits of fraction.
#[inline(always)]
fn between(a: u8, b: u8, f: u16) -> u16 {
    let (a, b) = (u16::from(a), u16::from(b));
    // The unsigned difference wraps; the sum wraps back.
    (a << 8).wrapping_add(b.wrapping_sub(a).wrapping_mul(f)) >> 1
}

/// Interpolates two values with seven bits of fraction, `f` 256ths of the way, to a byte. Products are rounded as by
/// x86's `pmulhrsw`; flat colours are exact.
#[inline(always)]
fn mix(a: u16, b: u16, f: u16) -> u8 {
    let share = |v: u16, weight: i16| ((i32::from(v) * i32::from(weight) + 0x4000) >> 15) as u16;
    let [near, far] = weights(f);
    ((share(a, near) + share(b, far) + 64) >> 7) as u8
}

/// The weights of two values at `f` 256ths of the way between them, in 32768ths.
#[inline(always)]
fn weights(f: u16) -> [i16; 2] {
    // 32768 does not fit into an i16.
    [256 - f, f].map(|part| (part << 7).min(0x7fff) as i16)
}

#[cfg(test)]
mod tests {
    use kurbo::Affine;
    use proptest::prelude::*;

    use super::*;

    const CANVAS: IRect = IRect::new(0, 0, 90, 70);

    fn noise(width: u32, height: u32) -> Bitmap {
        let mut b = Bitmap::new(width, height);
        let mut s = 11u32;
        for p in b.pixels.as_chunks_mut::<4>().0 {
            s = s.wrapping_mul(1664525).wrapping_add(1013904223);
            let a = (s >> 24) as u8;
            *p = [a, a / 2, a / 3, a];
        }
        b
    }

    fn drawn(source: &Bitmap, region: Rect, map: Map) -> Bitmap {
        drawn_with(source, region, map, None)
    }

    fn drawn_with(source: &Bitmap, region: Rect, map: Map, footprint: Option<&Footprint>) -> Bitmap {
        drawn_within(CANVAS, source, region, map, footprint)
    }

    fn drawn_within(
        area: IRect,
        source: &Bitmap,
        region: Rect,
        map: Map,
        footprint: Option<&Footprint>,
    ) -> Bitmap {
        let mut out = Bitmap::new(CANVAS.x1 as u32, CANVAS.y1 as u32);
        let view = source.view();
        let mut target = Target { bitmap: &mut out, x: 0, y: 0 };
        draw(
            &mut target,
            area,
            &Placing { view, region, map, opaque: false, footprint },
            &Shade::FULL,
            &mut Scratch::default(),
        );
        out
    }

    fn plane_of(region: Rect, dest: Rect) -> Map {
        let there = Affine::translate((dest.x0, dest.y0))
            * Affine::scale_non_uniform(dest.width() / region.width(), dest.height() / region.height())
            * Affine::translate((-region.x0, -region.y0));
        Map::Plane(Homography::from(there.inverse()))
    }

    proptest! {
        #[test]
        fn a_stretch_equals_the_same_map_drawn_as_a_plane(
            (x, y, w, h) in (-8.0..30.0, -8.0..20.0, 2.0..40.0, 2.0..30.0),
            (u, v) in (0.0..4.0, 0.0..3.0),
        ) {
            let source = noise(20, 15);
            let region = Rect::new(u, v, u + 14.0, v + 11.0);
            let dest = Rect::new(x, y, x + w, y + h);
            let fast = drawn(&source, region, Map::Stretch(dest));
            let plain = drawn(&source, region, plane_of(region, dest));
            // Positions are rounded to 1/256 pixel either way round, and edges to one of 255 levels.
            let worst = fast.pixels.iter().zip(&plain.pixels).map(|(a, b)| a.abs_diff(*b)).max();
            prop_assert!(worst <= Some(3), "{worst:?}");
        }

        #[test]
        fn a_part_of_a_plane_drawn_alone_equals_that_part_of_the_whole(
            (angle, scale) in (0.0..6.3, 0.4..2.5),
            (across, down) in (prop_oneof![Just(0.0), -0.02..0.02], prop_oneof![Just(0.0), -0.02..0.02]),
            (x, y, w, h) in (0..80, 0..60, 1..60, 1..30),
        ) {
            let source = noise(70, 50);
            let there = Affine::translate((45.0, 35.0)) * Affine::rotate(angle) * Affine::scale(scale)
                * Affine::translate((-35.0, -25.0));
            let mut inverse = Homography::from(there.inverse());
            (inverse.0[6], inverse.0[7]) = (across, down);
            let (region, map) = (Rect::new(3.0, 2.0, 66.0, 47.0), Map::Plane(inverse));
            let part = IRect::new(x, y, x + w, y + h).intersect(&CANVAS);
            let whole = drawn(&source, region, map);
            let alone = drawn_within(part, &source, region, map, None);
            for y in part.y0..part.y1 {
                prop_assert_eq!(alone.span(y, part.x0, part.x1), whole.span(y, part.x0, part.x1));
            }
        }

        #[test]
        fn skipping_empty_cells_changes_nothing(
            dots in proptest::collection::vec((0u32..70, 0u32..50), 1..8),
            (angle, scale) in (0.0..6.3, 0.4..2.5),
            tilt in prop_oneof![Just(0.0), -0.004..0.004],
        ) {
            let mut source = Bitmap::new(70, 50);
            for (x, y) in dots {
                let at = (y * 70 + x) as usize * 4;
                source.pixels[at..at + 4].copy_from_slice(&[200, 100, 50, 255]);
            }
            let there = Affine::translate((45.0, 35.0)) * Affine::rotate(angle) * Affine::scale(scale)
                * Affine::translate((-35.0, -25.0));
            let mut inverse = Homography::from(there.inverse());
            inverse.0[6] = tilt;
            let (region, map) = (rect::to_rect(source.bounds()), Map::Plane(inverse));
            let footprint = Footprint::of(&source.view());
            prop_assert_eq!(drawn_with(&source, region, map, Some(&footprint)), drawn(&source, region, map));
        }
    }

    #[test]
    fn a_shift_equals_the_same_map_drawn_as_a_plane_and_as_a_stretch() {
        let source = noise(20, 15);
        let region = Rect::new(2.0, 3.0, 18.0, 12.0);
        let dest = Rect::new(7.0, 4.0, 23.0, 13.0);
        let fast = drawn(&source, region, Map::Shift { x: 5, y: 1 });
        assert_eq!(fast, drawn(&source, region, Map::Stretch(dest)));
        assert_eq!(fast, drawn(&source, region, plane_of(region, dest)));
    }
}
