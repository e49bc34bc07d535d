//! Rotated layers and planes in perspective.

use fearless_simd::prelude::*;
use kurbo::Rect;
use rondo_pixels::{BitmapRef, IRect};
use rondo_scene::Homography;

use super::stretch::clamp_position;
use super::{Edge, Placing, Scratch, Shade, Target, between, both, mix, put};
use crate::footprint::Footprint;
use crate::simd::fetch;

/// Positions per batch.
const BATCH: usize = 32;
/// Bytes of a batch of pixels.
const VALUES: usize = BATCH * 4;

/// Canvas rows to prefetch ahead.
const ROWS_AHEAD: f64 = 8.0;
/// One of this many positions is prefetched; its neighbours share the cache line.
const FETCHED: usize = 4;

/// Positions in the source, in 1/256 pixels.
#[derive(Clone, Copy)]
struct Positions {
    u: [i32; BATCH],
    v: [i32; BATCH],
}

impl Positions {
    const NONE: Self = Self { u: [0; BATCH], v: [0; BATCH] };

    /// Whether all samples at these positions are transparent.
    #[inline(always)]
    fn are_empty(&self, footprint: &Footprint) -> bool {
        let (mut least, mut most) = ((i32::MAX, i32::MAX), (0, 0));
        for (u, v) in self.u.into_iter().zip(self.v) {
            least = (least.0.min(u), least.1.min(v));
            most = (most.0.max(u), most.1.max(v));
        }
        let pixel = |(u, v): (i32, i32)| ((u >> 8) as usize, (v >> 8) as usize);
        let (from, to) = (pixel(least), pixel(most));
        footprint.is_empty(from, (to.0 + 1, to.1 + 1))
    }
}

/// Bilinear at `BATCH` positions. `clear`: no position is in the last column or row.
#[inline(always)]
fn bilinear<S: Simd>(simd: S, view: &BitmapRef<'_>, at: &Positions, clear: bool, out: &mut [u8; VALUES]) {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = simd.level().as_avx2().filter(|_| clear) {
        x86::bilinear(avx2, view, at, out);
        return;
    }
    bilinear_plainly(simd, view, at, clear, out);
}

/// The same with vectors of any width: gathers neighbours in pairs as they are in memory, then separates and mixes them.
#[inline(always)]
fn bilinear_plainly<S: Simd>(
    simd: S,
    view: &BitmapRef<'_>,
    at: &Positions,
    clear: bool,
    out: &mut [u8; VALUES],
) {
    let pixels = view.pixels.as_chunks::<4>().0;
    let (width, height) = (view.width as usize, view.height as usize);
    let (mut upper, mut lower) = ([[[0u8; 4]; 2]; BATCH], [[[0u8; 4]; 2]; BATCH]);
    let (mut across, mut down) = ([[0u16; 4]; BATCH], [[0u16; 4]; BATCH]);
    let mut first = [0; BATCH];
    for i in 0..BATCH {
        first[i] = (at.v[i] >> 8) * width as i32 + (at.u[i] >> 8);
        across[i] = [(at.u[i] & 255) as u16; 4];
        down[i] = [(at.v[i] & 255) as u16; 4];
    }
    if clear {
        for i in 0..BATCH {
            let first = first[i] as usize;
            let (Some(above), Some(below)) =
                (pixels[first..].first_chunk(), pixels[first + width..].first_chunk())
            else {
                continue;
            };
            (upper[i], lower[i]) = (*above, *below);
        }
    } else {
        for i in 0..BATCH {
            let (x, y) = ((at.u[i] >> 8) as usize, (at.v[i] >> 8) as usize);
            let first = y * width + x;
            let right = usize::from(x + 1 < width);
            let below = if y + 1 < height { width } else { 0 };
            upper[i] = [pixels[first], pixels[first + right]];
            lower[i] = [pixels[first + below], pixels[first + below + right]];
        }
    }
    // Pixel pairs per vector.
    let (vector, half) = (S::u8s::N, S::u8s::N / 2);
    let order = S::u8s::from_slice(simd, &PAIRS_APART[S::u8s::N.ilog2() as usize - 4][..vector]);
    for at in (0..VALUES).step_by(half) {
        let (upper, lower) = (apart(simd, &upper, at * 2, order), apart(simd, &lower, at * 2, order));
        let (a, b) = upper.as_slice().split_at(half);
        let (c, d) = lower.as_slice().split_at(half);
        let across = &across.as_flattened()[at..at + half];
        let down = &down.as_flattened()[at..at + half];
        let out = &mut out[at..at + half];
        for i in 0..half {
            out[i] = mix(between(a[i], b[i], across[i]), between(c[i], d[i], across[i]), down[i]);
        }
    }
}

/// Loads a vector of pairs at byte `at`: the first pixel of each pair, then the second of each.
#[inline(always)]
fn apart<S: Simd>(simd: S, pairs: &[[[u8; 4]; 2]; BATCH], at: usize, order: S::u8s) -> S::u8s {
    let bytes = pairs.as_flattened().as_flattened();
    S::u8s::from_slice(simd, &bytes[at..at + S::u8s::N]).swizzle_dyn(order)
}

/// Shuffle masks that move the first pixels of the pairs to the front, for vectors of 16, 32 and 64 bytes.
const PAIRS_APART: [[u8; 64]; 3] = [pairs_apart(16), pairs_apart(32), pairs_apart(64)];

const fn pairs_apart(vector: usize) -> [u8; 64] {
    let mut order = [0; 64];
    let mut i = 0;
    while i < vector {
        let (second, byte) = (i / (vector / 2), i % (vector / 2));
        order[i] = (byte / 4 * 8 + second * 4 + byte % 4) as u8;
        i += 1;
    }
    order
}

/// Distance to the nearer side of an interval, as coverage: 0 half a pixel outside, 1 half a pixel inside. `scale` is
/// source pixels per canvas pixel.
#[inline(always)]
fn side(at: f64, lo: f64, hi: f64, scale: f64) -> f64 {
    let a = ((at - lo) / scale + 0.5).clamp(0.0, 1.0);
    let b = ((hi - at) / scale + 0.5).clamp(0.0, 1.0);
    // Both sides count if the source is thinner than a pixel.
    (a + b - 1.0).max(0.0)
}

/// The bounds positions are kept in, in 1/256 pixels: the centres of the region's outermost pixels.
struct Reach {
    u: (i32, i32),
    v: (i32, i32),
}

impl Reach {
    fn new(view: &BitmapRef<'_>, r: Rect) -> Self {
        let side = |lo: f64, hi: f64, length: u32| {
            let last = ((length as i32) - 1) << 8;
            let end = clamp_position(hi, lo, hi).min(last);
            (clamp_position(lo, lo, hi).min(end), end)
        };
        Self { u: side(r.x0, r.x1, view.width), v: side(r.y0, r.y1, view.height) }
    }

    /// Whether a position has neighbours to its right and below it within the bounds.
    #[inline(always)]
    fn clear(&self, u: i32, v: i32) -> bool {
        u >> 8 < self.u.1 >> 8 && v >> 8 < self.v.1 >> 8
    }
}

/// The sampled source.
struct Source<'a> {
    view: BitmapRef<'a>,
    region: Rect,
    footprint: Option<&'a Footprint>,
    reach: Reach,
}

impl Source<'_> {
    /// Bilinear samples at positions within the bounds.
    #[inline(always)]
    fn sample<S: Simd>(&self, simd: S, at: &Positions, out: &mut [u8; VALUES]) {
        if self.footprint.is_some_and(|footprint| at.are_empty(footprint)) {
            out.fill(0);
            return;
        }
        // Checks every position: with steps wider than the picture, positions between the ends may wrap around.
        let mut clear = true;
        for i in 0..BATCH {
            clear &= self.reach.clear(at.u[i], at.v[i]);
        }
        bilinear(simd, &self.view, at, clear, out);
    }

    /// Prefetches pixels `ahead` of the positions. A rotated row crosses source rows, which hardware prefetchers do not
    /// predict.
    #[inline(always)]
    fn fetch(&self, at: &Positions, ahead: (i32, i32)) {
        for i in (0..BATCH).step_by(FETCHED) {
            let u = at.u[i].wrapping_add(ahead.0).max(self.reach.u.0).min(self.reach.u.1);
            let v = at.v[i].wrapping_add(ahead.1).max(self.reach.v.0).min(self.reach.v.1);
            fetch(self.view.pixels, ((v >> 8) as usize * self.view.width as usize + (u >> 8) as usize) * 4);
        }
    }
}

#[inline(always)]
pub(super) fn plane<S: Simd>(
    simd: S,
    target: &mut Target<'_>,
    area: IRect,
    placing: &Placing<'_>,
    inverse: &Homography,
    shade: &Shade<'_>,
    scratch: &mut Scratch,
) {
    let Placing { view, region, footprint, .. } = *placing;
    let source = Source { view, region, footprint, reach: Reach::new(&view, region) };
    let m = &inverse.0;
    let affine = m[6] == 0.0 && m[7] == 0.0 && m[8] == 1.0;
    let Scratch { line, coverage, .. } = scratch;
    // Whole batches are sampled, so the last one may extend beyond the area.
    line.resize((area.width() as usize + BATCH) * 4, 0);
    let mut edge = vec![0u8; area.width() as usize];
    for y in area.y0..area.y1 {
        let open = shade.masks.iter().fold((area.x0, area.x1), |open, mask| both(open, mask.open(y)));
        if open.0 >= open.1 {
            continue;
        }
        let area = IRect::new(open.0, y, open.1, y + 1);
        let edge = &mut edge[..area.width() as usize];
        let seen = if affine {
            affine_row(simd, &source, m, y, area, line, edge)
        } else {
            projective_row(simd, &source, m, y, area, line, edge)
        };
        let Some(Seen { from, to, inside }) = seen else { continue };
        let edge = Edge { coverage: &edge[from..to], inside: (inside.0 - from, inside.1 - from) };
        let x = area.x0 + from as i32;
        put(simd, target, y, x, &line[from * 4..to * 4], Some(edge), shade, coverage);
    }
}

/// The visible part of a row, and the fully covered part within it.
struct Seen {
    from: usize,
    to: usize,
    inside: (usize, usize),
}

/// Samples one row of an affine map and returns its visible part. Positions advance in whole steps of 2⁻³² pixel
/// from the canvas edge, so they do not depend on the start of the row.
#[inline(always)]
fn affine_row<S: Simd>(
    simd: S,
    source: &Source<'_>,
    m: &[f64; 9],
    y: i32,
    area: IRect,
    line: &mut [u8],
    edge: &mut [u8],
) -> Option<Seen> {
    let (r, reach) = (source.region, &source.reach);
    let py = f64::from(y) + 0.5;
    let (u0, v0) = (m[0] * 0.5 + m[1] * py + m[2], m[3] * 0.5 + m[4] * py + m[5]);
    let grain = (libm::hypot(m[0], m[1]), libm::hypot(m[3], m[4]));
    // The part of the row that is inside the region by more than a pixel, and the part that touches it.
    let inner = within(u0, m[0], r.x0 + grain.0, r.x1 - grain.0, area)
        .and_then(|a| overlap_of(a, within(v0, m[3], r.y0 + grain.1, r.y1 - grain.1, area)?));
    let outer = within(u0, m[0], r.x0 - grain.0, r.x1 + grain.0, area)
        .and_then(|a| overlap_of(a, within(v0, m[3], r.y0 - grain.1, r.y1 + grain.1, area)?));
    let outer = outer?;
    // Rounded inward by a pixel: a rounding error must not classify an edge pixel as inner.
    let inner = inner.map_or((outer.1, outer.1), |i| {
        let (a, b) = (i.0 + 1, i.1 - 1);
        if a < b { (a.max(outer.0), b.min(outer.1)) } else { (outer.1, outer.1) }
    });
    const ONE: f64 = 4_294_967_296.0;
    let fixed = |v: f64| (v.clamp(-1e9, 1e9) * ONE) as i64;
    let (bu, bv, du, dv) =
        (fixed(u0 - 0.5 + 1.0 / 512.0), fixed(v0 - 0.5 + 1.0 / 512.0), fixed(m[0]), fixed(m[3]));
    let (from, to) = ((outer.0 - area.x0) as usize, (outer.1 - area.x0) as usize);
    let mut u = bu.wrapping_add(du.wrapping_mul(i64::from(outer.0)));
    let mut v = bv.wrapping_add(dv.wrapping_mul(i64::from(outer.0)));
    let steps = |by: i64| std::array::from_fn::<i64, BATCH, _>(|i| by.wrapping_mul(i as i64));
    let (along_u, along_v) = (steps(du), steps(dv));
    let ahead = [m[1], m[4]].map(|step| (fixed(step * ROWS_AHEAD) >> 24) as i32);
    let mut at = Positions::NONE;
    for out in line[from * 4..].as_chunks_mut().0.iter_mut().take((to - from).div_ceil(BATCH)) {
        for i in 0..BATCH {
            let fu = (u.wrapping_add(along_u[i]) >> 24) as i32;
            let fv = (v.wrapping_add(along_v[i]) >> 24) as i32;
            at.u[i] = fu.max(reach.u.0).min(reach.u.1);
            at.v[i] = fv.max(reach.v.0).min(reach.v.1);
        }
        u = u.wrapping_add(du.wrapping_mul(BATCH as i64));
        v = v.wrapping_add(dv.wrapping_mul(BATCH as i64));
        source.fetch(&at, ahead.into());
        source.sample(simd, &at, out);
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
    let inside = ((inner.0 - area.x0) as usize, (inner.1 - area.x0) as usize);
    edge[inside.0..inside.1].fill(255);
    Some(Seen { from, to, inside })
}

/// Columns of the area in which `start + step · x` is between two values.
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

/// Points with a divisor up to this are behind the viewer.
const NEAREST: f64 = 1e-9;

/// Converts a coordinate to a position, clamped to the bounds.
#[inline(always)]
fn position(at: f64, lo: f64, hi: f64) -> i32 {
    /// 1.5 · 2⁵²: adding it rounds to the nearest integer, ties to even, in the lowest bits.
    const WHOLE: f64 = 6_755_399_441_055_744.0;
    (((at - 0.5) * 256.0).max(lo).min(hi) + WHOLE).to_bits() as i32
}

/// A canvas row and its perspective map to the source.
struct Row<'a> {
    m: &'a [f64; 9],
    /// The row's constant terms of the source coordinates and of the divisor.
    u: f64,
    v: f64,
    w: f64,
}

/// The source position of a canvas pixel.
struct Spot {
    u: f64,
    v: f64,
    /// Upper bound of a canvas pixel's extent in the source, horizontally and vertically, before the division.
    grain: (f64, f64),
    /// Reciprocal of the divisor.
    k: f64,
    /// Whether the point is behind the viewer.
    behind: bool,
}

/// Visibility of a batch of pixels.
enum Shown {
    Everything,
    Nothing,
    /// Coverage must be computed per pixel.
    Partly,
}

impl Row<'_> {
    #[inline(always)]
    fn spot(&self, px: f64) -> Spot {
        let m = self.m;
        let w = m[6] * px + self.w;
        let k = 1.0 / w.max(NEAREST);
        let (u, v) = ((m[0] * px + self.u) * k, (m[3] * px + self.v) * k);
        let across = (m[0] - u * m[6]).abs() + (m[1] - u * m[7]).abs();
        let down = (m[3] - v * m[6]).abs() + (m[4] - v * m[7]).abs();
        Spot { u, v, grain: (across, down), k, behind: w <= NEAREST }
    }

    /// Visibility of the pixels between two. In front of the viewer, coordinates and the reciprocal divisor are monotonic
    /// between the ends and the grain is largest at one of them, so the product of the two maxima bounds every pixel's
    /// extent.
    #[inline(always)]
    fn shown(&self, from: f64, to: f64, r: Rect) -> Shown {
        let ends = [self.spot(from), self.spot(to)];
        if ends.iter().any(|end| end.behind) {
            return if ends.iter().all(|end| end.behind) { Shown::Nothing } else { Shown::Partly };
        }
        let k = ends[0].k.max(ends[1].k);
        let across = ends[0].grain.0.max(ends[1].grain.0) * k;
        let down = ends[0].grain.1.max(ends[1].grain.1) * k;
        let depths = ends.map(|end| [end.u - r.x0, r.x1 - end.u, end.v - r.y0, r.y1 - end.v]);
        let reaches = [across, across, down, down];
        let beyond = |side: usize| depths.iter().all(|depth| depth[side] < -reaches[side]);
        let within = |side: usize| depths.iter().all(|depth| depth[side] > reaches[side]);
        if (0..4).all(within) {
            Shown::Everything
        } else if (0..4).any(beyond) {
            Shown::Nothing
        } else {
            Shown::Partly
        }
    }

    /// Coverage of a pixel.
    #[inline(always)]
    fn coverage(&self, px: f64, r: Rect) -> u8 {
        let Spot { u, v, grain, k, behind } = self.spot(px);
        let (across, down) = (grain.0 * k, grain.1 * k);
        let depth = (u - r.x0 - across).min(r.x1 - u - across).min(v - r.y0 - down).min(r.y1 - v - down);
        // Invisible more than a pixel outside, fully covered more than a pixel inside, an edge otherwise.
        let far = (r.x0 - u - across).max(u - r.x1 - across).max(r.y0 - v - down).max(v - r.y1 - down);
        if behind || far > 0.0 {
            0
        } else if depth > 0.0 {
            255
        } else {
            self.edge(px, r)
        }
    }

    /// Coverage of a pixel at the edge.
    fn edge(&self, px: f64, r: Rect) -> u8 {
        let (m, Spot { u, v, k, .. }) = (self.m, self.spot(px));
        let grain_u = libm::hypot(m[0] - u * m[6], m[1] - u * m[7]) * k;
        let grain_v = libm::hypot(m[3] - v * m[6], m[4] - v * m[7]) * k;
        (side(u, r.x0, r.x1, grain_u) * side(v, r.y0, r.y1, grain_v) * 255.0 + 0.5) as u8
    }
}

/// Samples one row of a perspective map and returns its visible part.
#[inline(always)]
fn projective_row<S: Simd>(
    simd: S,
    source: &Source<'_>,
    m: &[f64; 9],
    y: i32,
    area: IRect,
    line: &mut [u8],
    edge: &mut [u8],
) -> Option<Seen> {
    let (r, reach) = (source.region, &source.reach);
    let py = f64::from(y) + 0.5;
    let row = Row { m, u: m[1] * py + m[2], v: m[4] * py + m[5], w: m[7] * py + m[8] };
    let bounds = [reach.u.0, reach.u.1, reach.v.0, reach.v.1].map(f64::from);
    let mut seen = (usize::MAX, 0);
    let mut at = Positions::NONE;
    for (batch, (out, edge)) in line.as_chunks_mut().0.iter_mut().zip(edge.chunks_mut(BATCH)).enumerate() {
        let first = batch * BATCH;
        let start = f64::from(area.x0) + first as f64 + 0.5;
        match row.shown(start, start + (edge.len() - 1) as f64, r) {
            Shown::Nothing => {
                edge.fill(0);
                continue;
            }
            Shown::Everything => {
                edge.fill(255);
                seen = (seen.0.min(first), first + edge.len());
            }
            Shown::Partly => {
                let mut any = false;
                for (i, edge) in edge.iter_mut().enumerate() {
                    *edge = row.coverage(start + i as f64, r);
                    if *edge != 0 {
                        seen = (seen.0.min(first + i), first + i + 1);
                        any = true;
                    }
                }
                if !any {
                    continue;
                }
            }
        }
        // Branch-free, so that the loop is vectorized.
        for i in 0..BATCH {
            let px = start + i as f64;
            let k = 1.0 / (m[6] * px + row.w).max(NEAREST);
            at.u[i] = position((m[0] * px + row.u) * k, bounds[0], bounds[1]);
            at.v[i] = position((m[3] * px + row.v) * k, bounds[2], bounds[3]);
        }
        source.sample(simd, &at, out);
    }
    let (from, to) = seen;
    let covered = |from: usize| edge[from..to].iter().take_while(|c| **c == 255).count();
    let first = from + edge.get(from..to)?.iter().position(|c| *c == 255).unwrap_or(to - from);
    Some(Seen { from, to, inside: (first, first + covered(first)) })
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use fearless_simd::prelude::*;
    use fearless_simd::{i32x4, u8x16};

    use super::{BATCH, Positions, VALUES};
    use rondo_pixels::BitmapRef;

    /// Two adjacent pixels.
    #[inline(always)]
    fn pair(pixels: &[[u8; 4]], at: usize) -> i64 {
        match pixels[at..].first_chunk() {
            Some([[a, b, c, d], [e, f, g, h]]) => i64::from_le_bytes([*a, *b, *c, *d, *e, *f, *g, *h]),
            None => 0,
        }
    }

    fearless_simd::kernel!(
        /// Bilinear samples at positions that all have neighbours, four at a time.
        #[inline]
        pub fn bilinear(simd: Avx2, view: &BitmapRef<'_>, at: &Positions, out: &mut [u8; VALUES]) {
            let (pixels, width) = (view.pixels.as_chunks::<4>().0, view.width as usize);
            let first: [i32; BATCH] = std::array::from_fn(|i| (at.v[i] >> 8) * width as i32 + (at.u[i] >> 8));
            // The left pixels of two pairs, then the right ones.
            let apart = _mm256_broadcastsi128_si256(_mm_setr_epi8(
                0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7, 12, 13, 14, 15,
            ));
            // A fraction for each channel of four pixels.
            let spread = _mm256_setr_epi8(
                0, -1, 0, -1, 0, -1, 0, -1, 4, -1, 4, -1, 4, -1, 4, -1, //
                8, -1, 8, -1, 8, -1, 8, -1, 12, -1, 12, -1, 12, -1, 12, -1,
            );
            let (zero, half) = (_mm256_setzero_si256(), _mm256_set1_epi16(64));
            for (four, out) in out.as_chunks_mut::<16>().0.iter_mut().enumerate() {
                let i = four * 4;
                let place = [0, 1, 2, 3].map(|j| first[i + j] as usize);
                let across: __m128i = i32x4::from_slice(simd, &at.u[i..i + 4]).into();
                let down: __m128i = i32x4::from_slice(simd, &at.v[i..i + 4]).into();
                let across = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(across), spread);
                let down = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(down), spread);
                let [upper, lower] = [0, width].map(
                    #[inline(always)]
                    |below| {
                        let [a, b, c, d] = place.map(|at| pair(pixels, at + below));
                        let pairs = _mm256_shuffle_epi8(_mm256_setr_epi64x(a, b, c, d), apart);
                        let (left, right) =
                            (_mm256_unpacklo_epi8(pairs, zero), _mm256_unpackhi_epi8(pairs, zero));
                        let change = _mm256_mullo_epi16(_mm256_sub_epi16(right, left), across);
                        _mm256_srli_epi16::<1>(_mm256_add_epi16(_mm256_slli_epi16::<8>(left), change))
                    },
                );
                let far = _mm256_slli_epi16::<7>(down);
                let near = _mm256_sub_epi16(_mm256_set1_epi16(i16::MIN), far);
                let near = _mm256_min_epu16(near, _mm256_set1_epi16(i16::MAX));
                let sum = _mm256_add_epi16(_mm256_mulhrs_epi16(upper, near), _mm256_mulhrs_epi16(lower, far));
                let bytes = _mm256_srli_epi16::<7>(_mm256_add_epi16(sum, half));
                let packed = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi16(bytes, bytes));
                u8x16::simd_from(simd, _mm256_castsi256_si128(packed)).store_slice(out);
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
        fn batch_coverage_matches_pixel_coverage(
            angle in 0.0..6.3f64,
            (scale, x, y) in (0.2..4.0f64, -60.0..60.0f64, -60.0..60.0f64),
            (tilt_x, tilt_y) in (-0.02..0.02f64, -0.02..0.02f64),
            (px, py) in (-80.0..80.0f64, -80.0..80.0f64),
            magnitude in prop_oneof![Just(1.0), Just(1e-14), Just(1e14)],
            (wide, count) in (any::<bool>(), 1..=BATCH),
        ) {
            let (sin, cos) = angle.sin_cos();
            let m = [cos * scale, -sin * scale, x, sin * scale, cos * scale, y, tilt_x, tilt_y, 1.0]
                .map(|v| v * magnitude);
            let row = Row { m: &m, u: m[1] * py + m[2], v: m[4] * py + m[5], w: m[7] * py + m[8] };
            let r = Rect::new(-30.0, -20.0, if wide { 40.0 } else { -30.0 }, 25.0);
            let shown: Vec<u8> = (0..count).map(|i| row.coverage(px + i as f64, r)).collect();
            match row.shown(px, px + (count - 1) as f64, r) {
                Shown::Everything => prop_assert!(shown.iter().all(|c| *c == 255), "{:?}", shown),
                Shown::Nothing => prop_assert!(shown.iter().all(|c| *c == 0), "{:?}", shown),
                Shown::Partly => {}
            }
        }

        #[test]
        fn every_vector_samples_as_single_pixels_are_sampled(
            pixels in proptest::collection::vec(any::<u8>(), 9 * 7 * 4),
            at in proptest::collection::vec((0i32..=8 * 256, 0i32..=6 * 256), BATCH),
            inside in any::<bool>(),
        ) {
            let view = BitmapRef { width: 9, height: 7, pixels: &pixels };
            let keep = |v: i32, last: i32| if inside { v.min(last * 256 - 1) } else { v };
            let mut positions = Positions::NONE;
            for (i, (u, v)) in at.iter().enumerate() {
                (positions.u[i], positions.v[i]) = (keep(*u, 8), keep(*v, 6));
            }
            let plain: Vec<[u8; 4]> = (0..BATCH).map(|i| {
                let (u, v) = (positions.u[i], positions.v[i]);
                let (fu, fv) = ((u & 255) as u16, (v & 255) as u16);
                std::array::from_fn(|c| {
                    let pixel = |x: i32, y: i32| pixels[((y.min(6) * 9 + x.min(8)) * 4) as usize + c];
                    let (x, y) = (u >> 8, v >> 8);
                    let row = |y: i32| between(pixel(x, y), pixel(x + 1, y), fu);
                    mix(row(y), row(y + 1), fv)
                })
            }).collect();
            for level in levels() {
                let mut out = [0; VALUES];
                dispatch!(level, simd => bilinear(simd, &view, &positions, inside, &mut out));
                prop_assert_eq!(plain.as_flattened(), &out[..], "{:?}", level);
            }
        }
    }
}
