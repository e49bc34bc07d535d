//! Placing pixels on the canvas: a copy, an axis-aligned stretch, or any plane in perspective.
//!
//! Every output pixel is a function of its own position alone, so a region painted by itself equals the same region of a
//! whole frame. Sampling is bilinear and stays inside the source's region; edges are antialiased by coverage.

use kurbo::Rect;
use rondo_scene::Homography;

use crate::bitmap::{Bitmap, IRect};
use crate::clip::Mask;
use crate::composite::{self, Coverage};
use crate::resample::View;

/// Pixels being painted; `x` and `y` say where on the canvas the first one lies.
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

    /// Part of a row, in canvas coordinates.
    pub fn span(&mut self, y: i32, x0: i32, x1: i32) -> &mut [u8] {
        self.bitmap.span_mut(y - self.y, x0 - self.x, x1 - self.x)
    }
}

/// The way from source pixels to the canvas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Map {
    /// Source pixel (0, 0) lies at this canvas pixel.
    Shift { x: i32, y: i32 },
    /// The source region is stretched over this canvas rectangle.
    Stretch(Rect),
    /// Canvas to source.
    Plane(Homography),
}

/// What is placed: the region of the view (in its pixels) and how it lies on the canvas.
#[derive(Clone, Copy, Debug)]
pub struct Placing<'a> {
    pub view: View<'a>,
    pub region: Rect,
    pub map: Map,
}

/// How much of it arrives.
#[derive(Clone, Copy, Debug)]
pub struct Shade<'a> {
    pub opacity: u8,
    pub masks: &'a [std::sync::Arc<Mask>],
}

/// Buffers for one row, kept between calls.
#[derive(Debug, Default)]
pub struct Scratch {
    line: Vec<u8>,
    coverage: Vec<u8>,
    blended: Vec<u16>,
}

/// Draws a placing inside `area` (canvas coordinates, within the target).
pub fn draw(
    target: &mut Target<'_>,
    area: IRect,
    placing: &Placing<'_>,
    shade: &Shade<'_>,
    scratch: &mut Scratch,
) {
    let mut area = area.intersect(&target.bounds());
    for mask in shade.masks {
        area = area.intersect(&mask.bounds);
    }
    if shade.opacity == 0 || placing.view.width == 0 || placing.view.height == 0 {
        return;
    }
    match placing.map {
        Map::Shift { x, y } => {
            let area = area.intersect(&IRect::around(placing.region).shift(x, y));
            for row in area.y0..area.y1 {
                let source = &placing.view.row((row - y) as usize)
                    [(area.x0 - x) as usize * 4..(area.x1 - x) as usize * 4];
                put(target, row, area, source, None, shade, &mut scratch.coverage);
            }
        }
        Map::Stretch(dest) => stretch(target, area, placing, dest, shade, scratch),
        Map::Plane(inverse) => plane(target, area, placing, &inverse, shade, scratch),
    }
}

/// Blends one row; `edge` is the source's own coverage.
fn put(
    target: &mut Target<'_>,
    y: i32,
    area: IRect,
    source: &[u8],
    edge: Option<&[u8]>,
    shade: &Shade<'_>,
    coverage: &mut Vec<u8>,
) {
    let dst = target.span(y, area.x0, area.x1);
    if edge.is_none() && shade.masks.is_empty() {
        composite::over(dst, source, Coverage::Even(shade.opacity));
        return;
    }
    let row = shade_row(y, area.x0, area.x1, edge, shade, coverage);
    composite::over(dst, source, Coverage::Row(row));
}

/// Coverage of a row from edge, masks and opacity together.
pub fn shade_row<'a>(
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

/// Position in the source in 1/256 pixels, kept between the centres of the region's outermost pixels.
fn clamp_position(at: f64, lo: f64, hi: f64) -> i32 {
    let (lo, hi) = (lo, hi - 1.0);
    let at = if lo <= hi { at.clamp(lo, hi) } else { (lo + hi) / 2.0 };
    (at * 256.0).round().max(0.0) as i32
}

/// Share of the pixel starting at `at` that lies in the interval.
fn overlap(at: i32, lo: f64, hi: f64) -> u8 {
    let at = f64::from(at);
    (((at + 1.0).min(hi) - at.max(lo)).clamp(0.0, 1.0) * 255.0).round() as u8
}

fn stretch(
    target: &mut Target<'_>,
    area: IRect,
    placing: &Placing<'_>,
    dest: Rect,
    shade: &Shade<'_>,
    scratch: &mut Scratch,
) {
    let (view, region) = (placing.view, placing.region);
    let area = area.intersect(&IRect::around(dest));
    if area.is_empty() {
        return;
    }
    let step_x = region.width() / dest.width();
    let step_y = region.height() / dest.height();
    let limit = view.width as usize - 1;
    let columns: Vec<(usize, u32)> = (area.x0..area.x1)
        .map(|x| {
            let u = region.x0 + (f64::from(x) + 0.5 - dest.x0) * step_x - 0.5;
            let u = clamp_position(u, region.x0, region.x1);
            (((u >> 8) as usize).min(limit), (u & 255) as u32)
        })
        .collect();
    let edges: Vec<u8> = (area.x0..area.x1).map(|x| overlap(x, dest.x0, dest.x1)).collect();
    let soft = edges.iter().any(|e| *e != 255);
    let from = columns.iter().map(|c| c.0).min().unwrap_or(0);
    let to = (columns.iter().map(|c| c.0).max().unwrap_or(0) + 2).min(view.width as usize);
    let consecutive = columns.iter().enumerate().all(|(i, c)| c.0 == from + i && c.1 == columns[0].1);

    let Scratch { line, coverage, blended } = scratch;
    line.resize(columns.len() * 4, 0);
    // One pixel more than there is, repeating the last, so that the right neighbour always exists.
    blended.resize((to - from + 1) * 4, 0);
    let last_row = view.height as usize - 1;
    let mut edge_row = Vec::new();
    for y in area.y0..area.y1 {
        let v = region.y0 + (f64::from(y) + 0.5 - dest.y0) * step_y - 0.5;
        let v = clamp_position(v, region.y0, region.y1);
        let (row, fy) = (((v >> 8) as usize).min(last_row), (v & 255) as u16);
        let a = &view.row(row)[from * 4..to * 4];
        let b = &view.row((row + 1).min(last_row))[from * 4..to * 4];
        for ((o, a), b) in blended.iter_mut().zip(a).zip(b) {
            *o = u16::from(*a) * (256 - fy) + u16::from(*b) * fy;
        }
        let n = (to - from) * 4;
        blended.copy_within(n - 4..n, n);
        if consecutive {
            let fx = columns[0].1;
            let n = line.len();
            // The region may end at its last pixel, where the fraction is nothing.
            let right = if blended.len() >= n + 4 { &blended[4..n + 4] } else { &blended[..n] };
            for ((o, a), b) in line.iter_mut().zip(&blended[..n]).zip(right) {
                *o = ((u32::from(*a) * (256 - fx) + u32::from(*b) * fx + 0x8000) >> 16) as u8;
            }
        } else {
            let pixels = blended.as_chunks::<4>().0;
            for (o, (i, fx)) in line.as_chunks_mut::<4>().0.iter_mut().zip(&columns) {
                let (a, b) = (pixels[i - from], pixels[i - from + 1]);
                for c in 0..4 {
                    o[c] = ((u32::from(a[c]) * (256 - fx) + u32::from(b[c]) * fx + 0x8000) >> 16) as u8;
                }
            }
        }
        let side = overlap(y, dest.y0, dest.y1);
        let edge = if soft || side != 255 {
            edge_row.clone_from(&edges);
            composite::dim(&mut edge_row, side);
            Some(edge_row.as_slice())
        } else {
            None
        };
        put(target, y, area, line, edge, shade, coverage);
    }
}

/// Bilinear at a position in 1/256 pixels.
#[inline(always)]
fn bilinear(pixels: &[[u8; 4]], width: usize, height: usize, u: i32, v: i32) -> [u8; 4] {
    let (x, y) = ((u >> 8) as usize, (v >> 8) as usize);
    let (fx, fy) = ((u & 255) as u32, (v & 255) as u32);
    let (x1, y1) = ((x + 1).min(width - 1), (y + 1).min(height - 1));
    let (a, b) = (pixels[y * width + x], pixels[y * width + x1]);
    let (c, d) = (pixels[y1 * width + x], pixels[y1 * width + x1]);
    std::array::from_fn(|i| {
        let top = u32::from(a[i]) * (256 - fx) + u32::from(b[i]) * fx;
        let bottom = u32::from(c[i]) * (256 - fx) + u32::from(d[i]) * fx;
        ((top * (256 - fy) + bottom * fy + 0x8000) >> 16) as u8
    })
}

/// Distance to the nearer side of an interval, as coverage: 0 half a pixel outside, 1 half a pixel inside. `scale` is
/// source pixels a canvas pixel.
#[inline(always)]
fn side(at: f64, lo: f64, hi: f64, scale: f64) -> f64 {
    let a = ((at - lo) / scale + 0.5).clamp(0.0, 1.0);
    let b = ((hi - at) / scale + 0.5).clamp(0.0, 1.0);
    // Both matter when the whole source is thinner than a pixel.
    (a + b - 1.0).max(0.0)
}

fn plane(
    target: &mut Target<'_>,
    area: IRect,
    placing: &Placing<'_>,
    inverse: &Homography,
    shade: &Shade<'_>,
    scratch: &mut Scratch,
) {
    let (view, r) = (placing.view, placing.region);
    let pixels = view.pixels.as_chunks::<4>().0;
    let (width, height) = (view.width as usize, view.height as usize);
    let m = inverse.0;
    let affine = m[6] == 0.0 && m[7] == 0.0;
    let (lo_u, hi_u) = (clamp_position(r.x0, r.x0, r.x1), clamp_position(r.x1, r.x0, r.x1));
    let (lo_v, hi_v) = (clamp_position(r.y0, r.y0, r.y1), clamp_position(r.y1, r.y0, r.y1));
    let hi_u = hi_u.min((width as i32 - 1) << 8);
    let hi_v = hi_v.min((height as i32 - 1) << 8);
    let (lo_u, lo_v) = (lo_u.min(hi_u), lo_v.min(hi_v));
    let Scratch { line, coverage, .. } = scratch;
    line.resize(area.width() as usize * 4, 0);
    let mut edge = vec![0u8; area.width() as usize];
    let even = (m[0].hypot(m[1]), m[3].hypot(m[4]));
    for y in area.y0..area.y1 {
        let py = f64::from(y) + 0.5;
        let row = (m[1] * py + m[2], m[4] * py + m[5], m[7] * py + m[8]);
        let mut seen = (area.x1, area.x0);
        let mut whole = true;
        for (i, (out, edge)) in line.as_chunks_mut::<4>().0.iter_mut().zip(&mut edge).enumerate() {
            let px = f64::from(area.x0 + i as i32) + 0.5;
            let (u, v, grain) = if affine {
                (m[0] * px + row.0, m[3] * px + row.1, even)
            } else {
                let w = m[6] * px + row.2;
                if w <= 1e-9 {
                    *edge = 0;
                    whole = false;
                    continue;
                }
                let k = 1.0 / w;
                let (u, v) = ((m[0] * px + row.0) * k, (m[3] * px + row.1) * k);
                let gu = (m[0] - u * m[6]).abs() + (m[1] - u * m[7]).abs();
                let gv = (m[3] - v * m[6]).abs() + (m[4] - v * m[7]).abs();
                let inside = u - r.x0 > gu * k && r.x1 - u > gu * k && v - r.y0 > gv * k && r.y1 - v > gv * k;
                let grain = if inside {
                    (1.0, 1.0)
                } else {
                    (
                        (m[0] - u * m[6]).hypot(m[1] - u * m[7]) * k,
                        (m[3] - v * m[6]).hypot(m[4] - v * m[7]) * k,
                    )
                };
                (u, v, grain)
            };
            let inside =
                u - r.x0 >= grain.0 && r.x1 - u >= grain.0 && v - r.y0 >= grain.1 && r.y1 - v >= grain.1;
            *edge = if inside {
                255
            } else {
                whole = false;
                (side(u, r.x0, r.x1, grain.0) * side(v, r.y0, r.y1, grain.1) * 255.0 + 0.5) as u8
            };
            if *edge == 0 {
                continue;
            }
            seen = (seen.0.min(area.x0 + i as i32), area.x0 + i as i32 + 1);
            let fu = (((u - 0.5) * 256.0 + 0.5) as i32).clamp(lo_u, hi_u);
            let fv = (((v - 0.5) * 256.0 + 0.5) as i32).clamp(lo_v, hi_v);
            *out = bilinear(pixels, width, height, fu, fv);
        }
        if seen.0 >= seen.1 {
            continue;
        }
        let part = IRect::new(seen.0, y, seen.1, y + 1);
        let (a, b) = ((seen.0 - area.x0) as usize, (seen.1 - area.x0) as usize);
        let edge = (!whole).then_some(&edge[a..b]);
        put(target, y, part, &line[a * 4..b * 4], edge, shade, coverage);
    }
}
