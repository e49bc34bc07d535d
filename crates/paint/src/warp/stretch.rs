//! Axis-aligned stretches: a zoom, or a layer that stands between whole pixels. First across, one row of the source after
//! the other, then down, between two such rows.

use fearless_simd::{Simd, SimdBase};
use kurbo::Rect;

use super::{Edge, Placing, Scratch, Shade, Target, between, both, mix, put};
use crate::bitmap::IRect;
use crate::composite;

/// Position in the source in 1/256 pixels, kept between the centres of the region's outermost pixels.
pub(super) fn clamp_position(at: f64, lo: f64, hi: f64) -> i32 {
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
pub(super) fn stretch<S: Simd>(
    simd: S,
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
    let positions = (area.x0..area.x1).map(|x| {
        let u = region.x0 + (f64::from(x) + 0.5 - dest.x0) * step_x - 0.5;
        clamp_position(u, region.x0, region.x1)
    });
    let columns = Columns::new(positions, view.width as usize, S::u8s::N);
    // Only the outermost columns may lie partly outside.
    let width = area.width() as usize;
    let mut edges = vec![255; width];
    let mut inside = (0, width);
    for x in [area.x0, area.x0 + 1, area.x1 - 2, area.x1 - 1] {
        let at = (x - area.x0) as usize;
        if let Some(edge) = edges.get_mut(at) {
            *edge = overlap(x, dest.x0, dest.x1);
            match *edge {
                255 => {}
                _ if at < 2 => inside.0 = inside.0.max(at + 1),
                _ => inside.1 = inside.1.min(at),
            }
        }
    }
    let soft = inside != (0, width);
    let across = (area.x0, area.x1);

    let Scratch { line, coverage, upper, lower, neighbours } = scratch;
    let padded = width.next_multiple_of(BLOCK);
    for buffer in [&mut *upper, &mut *lower] {
        buffer.resize(padded * 4, 0);
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
            columns.stretch(simd, view.row(row), neighbours, upper);
            above = row;
        }
        let second = if next == row {
            &upper[..]
        } else {
            if below != next {
                columns.stretch(simd, view.row(next), neighbours, lower);
                below = next;
            }
            &lower[..]
        };
        let side = overlap(y, dest.y0, dest.y1);
        let replaces = placing.opaque && shade.opacity == 255 && side == 255;
        if replaces && !soft && shade.masks.iter().all(|mask| both(mask.clear(y), across) == across) {
            mix_down(upper, second, fy, target.span(y, area.x0, area.x1));
            continue;
        }
        mix_down(upper, second, fy, line);
        let edge = if side != 255 {
            edge_row.clone_from(&edges);
            composite::dim(&mut edge_row, side);
            Some(Edge { coverage: &edge_row, inside: (0, 0) })
        } else {
            soft.then_some(Edge { coverage: &edges, inside })
        };
        put(target, y, area.x0, line, edge, shade, coverage);
    }
}

/// Pixels that are mixed at once.
const BLOCK: usize = 16;
/// Values in them.
const VALUES: usize = BLOCK * 4;

/// A row between two others, which are at least as long and hold whole blocks.
#[inline(always)]
fn mix_down(upper: &[u16], lower: &[u16], f: u16, out: &mut [u8]) {
    let mut rows = upper.as_chunks::<VALUES>().0.iter().zip(lower.as_chunks::<VALUES>().0);
    let (whole, rest) = out.as_chunks_mut::<VALUES>();
    for (out, (upper, lower)) in whole.iter_mut().zip(&mut rows) {
        *out = mix_block(upper, lower, f);
    }
    if let (Some((upper, lower)), false) = (rows.next(), rest.is_empty()) {
        rest.copy_from_slice(&mix_block(upper, lower, f)[..rest.len()]);
    }
}

#[inline(always)]
fn mix_block(upper: &[u16; VALUES], lower: &[u16; VALUES], f: u16) -> [u8; VALUES] {
    std::array::from_fn(
        #[inline(always)]
        |i| mix(upper[i], lower[i], f),
    )
}

/// The two neighbouring source pixels that make each target pixel of a row.
struct Columns {
    /// The left ones, in whole blocks.
    first: Vec<usize>,
    /// 256ths of the right one, for each channel.
    second: Vec<u16>,
    /// How vectors pick both; empty where a vector is too short.
    picks: Vec<Pick>,
    /// Which bytes of a vector the picks take, one vector each.
    order: Vec<u8>,
}

/// A vector of the source: an eighth of its bytes as many target pixels are made of it.
struct Pick {
    /// The first byte.
    from: usize,
}

impl Columns {
    /// `at` are positions in 1/256 pixels of a row of `width`; vectors have `vector` bytes.
    fn new(at: impl Iterator<Item = i32>, width: usize, vector: usize) -> Self {
        let limit = width - 1;
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for at in at {
            let (left, f) = (((at >> 8) as usize).min(limit), (at & 255) as u16);
            // There is no pixel after the last, so that one is taken as the second of its pair.
            let (left, f) = if left == limit && limit > 0 { (limit - 1, 256) } else { (left, f) };
            first.push(left);
            second.extend([f; 4]);
        }
        first.resize(first.len().next_multiple_of(BLOCK), first.last().copied().unwrap_or(0));
        second.resize(first.len() * 4, 0);
        let mut columns = Self { first, second, picks: Vec::new(), order: Vec::new() };
        columns.pick(width, vector);
        columns
    }

    fn pick(&mut self, width: usize, vector: usize) {
        let held = vector / 4;
        let Some(last) = width.checked_sub(held) else { return };
        for group in self.first.chunks_exact(vector / 8) {
            let from = group[0].min(last);
            if group.iter().any(|left| left + 1 >= from + held) {
                self.picks.clear();
                return;
            }
            self.picks.push(Pick { from: from * 4 });
            for next in 0..2 {
                for left in group {
                    let byte = ((left + next - from) * 4) as u8;
                    self.order.extend([byte, byte + 1, byte + 2, byte + 3]);
                }
            }
        }
    }

    /// One row of the source stretched across, with eight bits of fraction.
    #[inline(always)]
    fn stretch<S: Simd>(&self, simd: S, row: &[u8], neighbours: &mut [Vec<[u8; 4]>; 2], out: &mut [u16]) {
        if self.picks.is_empty() {
            self.stretch_plainly(row, neighbours, out);
            return;
        }
        let (vector, half) = (S::u8s::N, S::u8s::N / 2);
        let groups = self.picks.iter().zip(self.order.chunks_exact(vector));
        let weights = self.second.chunks_exact(half);
        for (((pick, order), second), out) in groups.zip(weights).zip(out.chunks_exact_mut(half)) {
            let source = S::u8s::from_slice(simd, &row[pick.from..pick.from + vector]);
            let pairs = source.swizzle_dyn(S::u8s::from_slice(simd, order));
            let (left, right) = pairs.as_slice().split_at(half);
            mix_across(left, right, second, out);
        }
    }

    /// The same without vectors that pick.
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

/// A row of pixels between two others, with eight bits of fraction.
#[inline(always)]
fn mix_across(left: &[u8], right: &[u8], second: &[u16], out: &mut [u16]) {
    for (((left, right), second), out) in left.iter().zip(right).zip(second).zip(out) {
        *out = between(*left, *right, *second);
    }
}

#[cfg(test)]
mod tests {
    use fearless_simd::dispatch;
    use proptest::prelude::*;

    use super::*;
    use crate::simd::level;

    proptest! {
        #[test]
        fn vectors_pick_the_same_neighbours_as_single_pixels_do(
            row in proptest::collection::vec(any::<u8>(), 4..1200),
            (from, step) in (0.0..1.0, 0.01..3.0),
            count in 1usize..400,
        ) {
            let row = &row[..row.len() / 4 * 4];
            let width = row.len() / 4;
            let last = (width as i32 - 1) * 256;
            let at: Vec<i32> =
                (0..count).map(|i| (((from + step * i as f64) * 256.0) as i32).min(last)).collect();
            let mut plain = vec![0; count.next_multiple_of(BLOCK) * 4];
            let mut picked = plain.clone();
            dispatch!(level(), simd => {
                let columns = Columns::new(at.iter().copied(), width, vector_of(simd));
                columns.stretch_plainly(row, &mut Default::default(), &mut plain);
                columns.stretch(simd, row, &mut Default::default(), &mut picked);
            });
            prop_assert_eq!(&plain, &picked);
            for (i, at) in at.iter().enumerate() {
                let (left, f) = ((at >> 8) as usize, (at & 255) as u16);
                for c in 0..4 {
                    let pixel = |x: usize| u16::from(row[x.min(width - 1) * 4 + c]);
                    prop_assert_eq!(plain[i * 4 + c], pixel(left) * (256 - f) + pixel(left + 1) * f);
                }
            }
        }
    }

    fn vector_of<S: Simd>(_: S) -> usize {
        S::u8s::N
    }
}
