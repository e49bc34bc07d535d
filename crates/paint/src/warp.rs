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
use crate::simd::widest;

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
    widest(
        #[inline(always)]
        || draw_rows(target, area, placing, shade, scratch),
    );
}

#[inline(always)]
fn draw_rows(
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
#[inline(always)]
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
#[inline(always)]
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

#[inline(always)]
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
    let columns = Columns::new(
        (area.x0..area.x1).map(|x| {
            let u = region.x0 + (f64::from(x) + 0.5 - dest.x0) * step_x - 0.5;
            clamp_position(u, region.x0, region.x1)
        }),
        limit,
    );
    let edges: Vec<u8> = (area.x0..area.x1).map(|x| overlap(x, dest.x0, dest.x1)).collect();
    let soft = edges.iter().any(|e| *e != 255);

    let Scratch { line, coverage, upper, lower, neighbours } = scratch;
    let width = area.width() as usize;
    for buffer in [&mut *upper, &mut *lower] {
        buffer.resize(width * 4, 0);
    }
    for buffer in neighbours.iter_mut() {
        buffer.resize(width, [0; 4]);
    }
    line.resize(width * 4, 0);
    let last_row = view.height as usize - 1;
    // Which rows of the source the two buffers hold.
    let (mut above, mut below) = (usize::MAX, usize::MAX);
    let mut edge_row = Vec::new();
    for y in area.y0..area.y1 {
        let v = region.y0 + (f64::from(y) + 0.5 - dest.y0) * step_y - 0.5;
        let v = clamp_position(v, region.y0, region.y1);
        let (row, fy) = (((v >> 8) as usize).min(last_row), (v & 255) as u16);
        let next = if fy == 0 { row } else { (row + 1).min(last_row) };
        if above != row && below == row {
            std::mem::swap(upper, lower);
            std::mem::swap(&mut above, &mut below);
        }
        if above != row {
            columns.stretch(view.row(row), neighbours, upper);
            above = row;
        }
        let second = if next == row {
            &upper[..]
        } else {
            if below != next {
                columns.stretch(view.row(next), neighbours, lower);
                below = next;
            }
            &lower[..]
        };
        for ((o, a), b) in line.iter_mut().zip(upper.iter()).zip(second) {
            *o = mix(*a, *b, fy);
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

/// The two neighbouring source pixels that make each target pixel of a row.
struct Columns {
    /// The left one.
    first: Vec<usize>,
    /// 256ths of the right one, for each channel.
    second: Vec<u16>,
    /// Every pixel lies as far between its neighbours, which follow one another.
    even: bool,
}

impl Columns {
    /// `at` are positions in 1/256 pixels; `limit` is the last source pixel.
    fn new(at: impl Iterator<Item = i32>, limit: usize) -> Self {
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for at in at {
            let (left, f) = (((at >> 8) as usize).min(limit), (at & 255) as u16);
            // There is no pixel after the last, so that one is taken as the second of its pair.
            let (left, f) = if left == limit && limit > 0 { (limit - 1, 256) } else { (left, f) };
            first.push(left);
            second.extend([f; 4]);
        }
        let follow = first.windows(2).all(|pair| pair[0] + 1 == pair[1]);
        let even = follow && limit > 0 && second.iter().all(|f| *f == second[0]);
        Self { first, second, even }
    }

    /// One row of the source stretched across, with eight bits of fraction.
    #[inline(always)]
    fn stretch(&self, row: &[u8], neighbours: &mut [Vec<[u8; 4]>; 2], out: &mut [u16]) {
        let pixels = row.as_chunks::<4>().0;
        let count = self.first.len();
        let [left, right] = neighbours;
        let (left, right) = if let ([start, ..], true) = (self.first.as_slice(), self.even) {
            (&pixels[*start..start + count], &pixels[start + 1..start + 1 + count])
        } else if let [only] = pixels {
            left.fill(*only);
            (&left[..], &left[..])
        } else {
            // Neighbours are brought together first, so that the arithmetic runs over whole rows.
            for ((l, r), i) in left.iter_mut().zip(right.iter_mut()).zip(&self.first) {
                if let [a, b, ..] = pixels[*i..] {
                    (*l, *r) = (a, b);
                }
            }
            (&left[..], &right[..])
        };
        let (left, right) = (left.as_flattened(), right.as_flattened());
        for (((o, l), r), f) in out.iter_mut().zip(left).zip(right).zip(&self.second) {
            *o = u16::from(*l) * (256 - f) + u16::from(*r) * f;
        }
    }
}

/// Between two values with eight bits of fraction, `f` 256ths of the way, as a byte. Only the high halves of 16-bit
/// products are needed, which every processor has vectors for; flat colours come out exactly.
#[inline(always)]
fn mix(a: u16, b: u16, f: u16) -> u8 {
    let high = |v: u16, w: u16| ((u32::from(v) * u32::from(w << 7)) >> 16) as u16;
    ((high(a, 256 - f) + high(b, f) + 64) >> 7) as u8
}

/// How many positions are computed together.
const BATCH: usize = 32;

/// Bilinear at up to `BATCH` positions in 1/256 pixels. Neighbours are gathered first, then mixed all at once.
#[inline(always)]
fn bilinear(pixels: &[[u8; 4]], width: usize, height: usize, at: &[(i32, i32)], out: &mut [[u8; 4]]) {
    let mut corners = [[[0u8; 4]; BATCH]; 4];
    let mut across = [[0u16; 4]; BATCH];
    let mut down = [[0u16; 4]; BATCH];
    for (i, &(u, v)) in at.iter().enumerate().take(BATCH) {
        let (x, y) = ((u >> 8) as usize, (v >> 8) as usize);
        let right = usize::from(x + 1 < width);
        let below = if y + 1 < height { width } else { 0 };
        let first = y * width + x;
        corners[0][i] = pixels[first];
        corners[1][i] = pixels[first + right];
        corners[2][i] = pixels[first + below];
        corners[3][i] = pixels[first + below + right];
        across[i] = [(u & 255) as u16; 4];
        down[i] = [(v & 255) as u16; 4];
    }
    let [a, b, c, d] = &corners;
    let mut mixed = [[0u8; 4]; BATCH];
    let flat = mixed.as_flattened_mut();
    let (a, b, c, d) = (a.as_flattened(), b.as_flattened(), c.as_flattened(), d.as_flattened());
    let (across, down) = (across.as_flattened(), down.as_flattened());
    for i in 0..BATCH * 4 {
        let fx = across[i];
        let top = u16::from(a[i]) * (256 - fx) + u16::from(b[i]) * fx;
        let bottom = u16::from(c[i]) * (256 - fx) + u16::from(d[i]) * fx;
        flat[i] = mix(top, bottom, down[i]);
    }
    out.copy_from_slice(&mixed[..out.len()]);
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

/// The bounds positions are kept in, in 1/256 pixels: the centres of the region's outermost pixels.
struct Reach {
    u: (i32, i32),
    v: (i32, i32),
}

impl Reach {
    fn new(view: &View<'_>, r: Rect) -> Self {
        let side = |lo: f64, hi: f64, length: u32| {
            let last = ((length as i32) - 1) << 8;
            let end = clamp_position(hi, lo, hi).min(last);
            (clamp_position(lo, lo, hi).min(end), end)
        };
        Self { u: side(r.x0, r.x1, view.width), v: side(r.y0, r.y1, view.height) }
    }
}

#[inline(always)]
fn plane(
    target: &mut Target<'_>,
    area: IRect,
    placing: &Placing<'_>,
    inverse: &Homography,
    shade: &Shade<'_>,
    scratch: &mut Scratch,
) {
    let (view, r) = (placing.view, placing.region);
    let m = &inverse.0;
    let affine = m[6] == 0.0 && m[7] == 0.0 && m[8] == 1.0;
    let reach = Reach::new(&view, r);
    let Scratch { line, coverage, .. } = scratch;
    line.resize(area.width() as usize * 4, 0);
    let mut edge = vec![0u8; area.width() as usize];
    for y in area.y0..area.y1 {
        let seen = if affine {
            affine_row(&view, r, &reach, m, y, area, line, &mut edge)
        } else {
            projective_row(&view, r, &reach, m, y, area, line, &mut edge)
        };
        if seen.0 >= seen.1 {
            continue;
        }
        let part = IRect::new(area.x0 + seen.0 as i32, y, area.x0 + seen.1 as i32, y + 1);
        let edge = &edge[seen.0..seen.1];
        let edge = edge.iter().any(|e| *e != 255).then_some(edge);
        put(target, y, part, &line[seen.0 * 4..seen.1 * 4], edge, shade, coverage);
    }
}

/// Samples one row of an affine map and says which part of it shows. Positions advance in whole steps of 2⁻³² pixel
/// from the canvas edge, so they do not depend on where the row begins.
#[expect(clippy::too_many_arguments, reason = "a kernel")]
#[inline(always)]
fn affine_row(
    view: &View<'_>,
    r: Rect,
    reach: &Reach,
    m: &[f64; 9],
    y: i32,
    area: IRect,
    line: &mut [u8],
    edge: &mut [u8],
) -> (usize, usize) {
    let py = f64::from(y) + 0.5;
    let (u0, v0) = (m[0] * 0.5 + m[1] * py + m[2], m[3] * 0.5 + m[4] * py + m[5]);
    let grain = (m[0].hypot(m[1]), m[3].hypot(m[4]));
    // Where the row lies inside the region by more than a pixel, and where it touches it at all.
    let inner = within(u0, m[0], r.x0 + grain.0, r.x1 - grain.0, area)
        .and_then(|a| overlap_of(a, within(v0, m[3], r.y0 + grain.1, r.y1 - grain.1, area)?));
    let outer = within(u0, m[0], r.x0 - grain.0, r.x1 + grain.0, area)
        .and_then(|a| overlap_of(a, within(v0, m[3], r.y0 - grain.1, r.y1 + grain.1, area)?));
    let Some(outer) = outer else { return (0, 0) };
    // Rounded inward by a pixel, so that a rounding error never calls an edge pixel inner.
    let inner = inner.map_or((outer.1, outer.1), |i| {
        let (a, b) = (i.0 + 1, i.1 - 1);
        if a < b { (a.max(outer.0), b.min(outer.1)) } else { (outer.1, outer.1) }
    });
    let pixels = view.pixels.as_chunks::<4>().0;
    let (width, height) = (view.width as usize, view.height as usize);
    const ONE: f64 = 4_294_967_296.0;
    let fixed = |v: f64| (v.clamp(-1e9, 1e9) * ONE) as i64;
    let (bu, bv, du, dv) =
        (fixed(u0 - 0.5 + 1.0 / 512.0), fixed(v0 - 0.5 + 1.0 / 512.0), fixed(m[0]), fixed(m[3]));
    let line = line.as_chunks_mut::<4>().0;
    let (from, to) = ((outer.0 - area.x0) as usize, (outer.1 - area.x0) as usize);
    let mut u = bu.wrapping_add(du.wrapping_mul(i64::from(outer.0)));
    let mut v = bv.wrapping_add(dv.wrapping_mul(i64::from(outer.0)));
    let mut at = [(0, 0); BATCH];
    for out in line[from..to].chunks_mut(BATCH) {
        for at in at.iter_mut().take(out.len()) {
            let fu = ((u >> 24) as i32).clamp(reach.u.0, reach.u.1);
            let fv = ((v >> 24) as i32).clamp(reach.v.0, reach.v.1);
            *at = (fu, fv);
            u = u.wrapping_add(du);
            v = v.wrapping_add(dv);
        }
        bilinear(pixels, width, height, &at[..out.len()], out);
    }
    let soft = |x: i32| {
        let (u, v) = (u0 + m[0] * f64::from(x), v0 + m[3] * f64::from(x));
        (side(u, r.x0, r.x1, grain.0) * side(v, r.y0, r.y1, grain.1) * 255.0 + 0.5) as u8
    };
    for x in outer.0..inner.0 {
        edge[(x - area.x0) as usize] = soft(x);
    }
    for x in inner.1..outer.1 {
        edge[(x - area.x0) as usize] = soft(x);
    }
    if inner.0 < inner.1 {
        edge[(inner.0 - area.x0) as usize..(inner.1 - area.x0) as usize].fill(255);
    }
    (from, to)
}

/// Columns of the area in which `start + step · x` lies between two values.
#[inline(always)]
fn within(start: f64, step: f64, lo: f64, hi: f64, area: IRect) -> Option<(i32, i32)> {
    let (x0, x1) = (f64::from(area.x0), f64::from(area.x1));
    if lo > hi {
        return None;
    }
    if step.abs() < 1e-12 {
        return (start >= lo && start <= hi).then_some((area.x0, area.x1));
    }
    let (a, b) = ((lo - start) / step, (hi - start) / step);
    let (a, b) = (a.min(b).clamp(x0, x1), a.max(b).clamp(x0, x1));
    let (a, b) = (a.floor() as i32, (b.ceil() as i32 + 1).min(area.x1));
    (a < b).then_some((a, b))
}

fn overlap_of(a: (i32, i32), b: (i32, i32)) -> Option<(i32, i32)> {
    let r = (a.0.max(b.0), a.1.min(b.1));
    (r.0 < r.1).then_some(r)
}

/// Where in the source a pixel looks, and whether it lies clear of the region's edges.
#[derive(Clone, Copy, Default)]
struct Place {
    inside: i32,
    outside: i32,
}

/// Coverage of a pixel at the edge of a plane in perspective.
fn projective_edge(r: Rect, m: &[f64; 9], px: f64, row: (f64, f64, f64)) -> u8 {
    let k = 1.0 / (m[6] * px + row.2);
    let (u, v) = ((m[0] * px + row.0) * k, (m[3] * px + row.1) * k);
    let grain_u = (m[0] - u * m[6]).hypot(m[1] - u * m[7]) * k;
    let grain_v = (m[3] - v * m[6]).hypot(m[4] - v * m[7]) * k;
    (side(u, r.x0, r.x1, grain_u) * side(v, r.y0, r.y1, grain_v) * 255.0 + 0.5) as u8
}

/// Samples one row of a map in perspective and says which part of it shows.
#[expect(clippy::too_many_arguments, reason = "a kernel")]
#[inline(always)]
fn projective_row(
    view: &View<'_>,
    r: Rect,
    reach: &Reach,
    m: &[f64; 9],
    y: i32,
    area: IRect,
    line: &mut [u8],
    edge: &mut [u8],
) -> (usize, usize) {
    let pixels = view.pixels.as_chunks::<4>().0;
    let (width, height) = (view.width as usize, view.height as usize);
    let py = f64::from(y) + 0.5;
    let row = (m[1] * py + m[2], m[4] * py + m[5], m[7] * py + m[8]);
    let bounds = [reach.u.0, reach.u.1, reach.v.0, reach.v.1].map(f64::from);
    let mut seen = (usize::MAX, 0);
    let mut places = [Place::default(); BATCH];
    let mut at = [(0, 0); BATCH];
    for (batch, (line, edge)) in
        line.as_chunks_mut::<4>().0.chunks_mut(BATCH).zip(edge.chunks_mut(BATCH)).enumerate()
    {
        // Positions first, without branches, so that they are computed several at a time.
        let start = f64::from(area.x0) + (batch * BATCH) as f64 + 0.5;
        for (i, (place, at)) in places.iter_mut().zip(&mut at).enumerate() {
            let px = start + i as f64;
            let w = m[6] * px + row.2;
            let k = 1.0 / w.max(1e-9);
            let (u, v) = ((m[0] * px + row.0) * k, (m[3] * px + row.1) * k);
            let near_u = ((m[0] - u * m[6]).abs() + (m[1] - u * m[7]).abs()) * k;
            let near_v = ((m[3] - v * m[6]).abs() + (m[4] - v * m[7]).abs()) * k;
            let room =
                (u - r.x0 - near_u).min(r.x1 - u - near_u).min(v - r.y0 - near_v).min(r.y1 - v - near_v);
            // More than a pixel outside nothing shows, less than a pixel inside an edge may.
            let far =
                (r.x0 - u - near_u).max(u - r.x1 - near_u).max(r.y0 - v - near_v).max(v - r.y1 - near_v);
            let behind = w <= 1e-9;
            *place =
                Place { inside: i32::from(room > 0.0 && !behind), outside: i32::from(far > 0.0 || behind) };
            *at = (
                ((u - 0.5) * 256.0 + 0.5).max(bounds[0]).min(bounds[1]) as i32,
                ((v - 0.5) * 256.0 + 0.5).max(bounds[2]).min(bounds[3]) as i32,
            );
        }
        let mut any = false;
        for (i, (edge, place)) in edge.iter_mut().zip(&places).enumerate() {
            *edge = match (place.inside, place.outside) {
                (_, 1) => 0,
                (1, _) => 255,
                _ => projective_edge(r, m, start + i as f64, row),
            };
            if *edge != 0 {
                let at = batch * BATCH + i;
                seen = (seen.0.min(at), at + 1);
                any = true;
            }
        }
        if any {
            bilinear(pixels, width, height, &at[..line.len()], line);
        }
    }
    if seen.0 == usize::MAX { (0, 0) } else { seen }
}

#[cfg(test)]
mod tests {
    use kurbo::Affine;
    use proptest::prelude::*;

    use super::*;

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
        let mut out = Bitmap::new(40, 30);
        let view = View { width: source.width, height: source.height, pixels: &source.pixels };
        let mut target = Target { bitmap: &mut out, x: 0, y: 0 };
        let area = target.bounds();
        let shade = Shade { opacity: 255, masks: &[] };
        draw(&mut target, area, &Placing { view, region, map }, &shade, &mut Scratch::default());
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
