//! Axis-aligned stretches: a zoom, or a layer that stands between whole pixels. First across, one row of the source after
//! the other, then down, between two such rows.

use kurbo::Rect;

use super::{Placing, Scratch, Shade, Target, mix, put};
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
pub(super) fn stretch(
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
    // Only the outermost columns may lie partly outside.
    let mut edges = vec![255; area.width() as usize];
    for x in [area.x0, area.x0 + 1, area.x1 - 2, area.x1 - 1] {
        if let Some(edge) = edges.get_mut((x - area.x0) as usize) {
            *edge = overlap(x, dest.x0, dest.x1);
        }
    }
    let soft = edges.iter().any(|e| *e != 255);
    let replaces = placing.opaque && shade.opacity == 255 && shade.masks.is_empty();

    let Scratch { line, coverage, upper, lower, neighbours } = scratch;
    let width = area.width() as usize;
    let padded = width.next_multiple_of(BLOCK);
    for buffer in [&mut *upper, &mut *lower] {
        buffer.resize(padded * 4, 0);
    }
    for buffer in neighbours.iter_mut() {
        buffer.resize(padded + BLOCK, [0; 4]);
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
        let side = overlap(y, dest.y0, dest.y1);
        if replaces && !soft && side == 255 {
            between(upper, second, fy, target.span(y, area.x0, area.x1));
            continue;
        }
        between(upper, second, fy, line);
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

/// Pixels that are copied and mixed at once.
const BLOCK: usize = 16;
/// Values in them.
const VALUES: usize = BLOCK * 4;

/// A row between two others, which are at least as long and hold whole blocks.
#[inline(always)]
fn between(upper: &[u16], lower: &[u16], f: u16, out: &mut [u8]) {
    let rows = upper.as_chunks::<VALUES>().0.iter().zip(lower.as_chunks::<VALUES>().0);
    for (out, (upper, lower)) in out.chunks_mut(VALUES).zip(rows) {
        let mut mixed = [0; VALUES];
        for i in 0..VALUES {
            mixed[i] = mix(upper[i], lower[i], f);
        }
        match out.first_chunk_mut() {
            Some(out) => *out = mixed,
            None => out.copy_from_slice(&mixed[..out.len()]),
        }
    }
}

/// The two neighbouring source pixels that make each target pixel of a row.
struct Columns {
    /// The left ones.
    first: Vec<usize>,
    /// 256ths of the right one, for each channel, in whole blocks.
    second: Vec<u16>,
    /// Where the left ones follow one another.
    runs: Vec<Run>,
}

struct Run {
    /// The first target pixel.
    at: usize,
    /// Its left source pixel.
    from: usize,
    count: usize,
}

impl Columns {
    /// `at` are positions in 1/256 pixels; `limit` is the last source pixel.
    fn new(at: impl Iterator<Item = i32>, limit: usize) -> Self {
        let (mut first, mut second) = (Vec::new(), Vec::new());
        let mut runs: Vec<Run> = Vec::new();
        for (i, at) in at.enumerate() {
            let (left, f) = (((at >> 8) as usize).min(limit), (at & 255) as u16);
            // There is no pixel after the last, so that one is taken as the second of its pair.
            let (left, f) = if left == limit && limit > 0 { (limit - 1, 256) } else { (left, f) };
            first.push(left);
            second.extend([f; 4]);
            match runs.last_mut() {
                Some(run) if run.from + run.count == left => run.count += 1,
                _ => runs.push(Run { at: i, from: left, count: 1 }),
            }
        }
        second.resize(second.len().next_multiple_of(VALUES), 0);
        Self { first, second, runs }
    }

    /// One row of the source stretched across, with eight bits of fraction.
    #[inline(always)]
    fn stretch(&self, row: &[u8], neighbours: &mut [Vec<[u8; 4]>; 2], out: &mut [u16]) {
        let pixels = row.as_chunks::<4>().0;
        let count = self.first.len();
        let [left, right] = neighbours;
        let padded = count.next_multiple_of(BLOCK);
        let (left, right) = match (self.runs.as_slice(), pixels) {
            (_, [only]) => {
                left.fill(*only);
                (&left[..], &left[..])
            }
            ([run], _) if run.from + padded < pixels.len() => (&pixels[run.from..], &pixels[run.from + 1..]),
            (runs, _) => {
                // Neighbours are brought together first, so that the arithmetic runs over whole rows.
                if runs.len() * 3 < count {
                    for run in runs {
                        run.copy(pixels, left, right);
                    }
                } else {
                    pairs(pixels, &self.first, left, right);
                }
                (&left[..], &right[..])
            }
        };
        let (left, right) = (left.as_flattened(), right.as_flattened());
        for ((out, second), at) in
            out.as_chunks_mut().0.iter_mut().zip(self.second.as_chunks().0).zip((0..).step_by(VALUES))
        {
            if let (Some(left), Some(right)) = (left[at..].first_chunk(), right[at..].first_chunk()) {
                mix_across(left, right, second, out);
            }
        }
    }
}

#[inline(always)]
fn mix_across(left: &[u8; VALUES], right: &[u8; VALUES], second: &[u16; VALUES], out: &mut [u16; VALUES]) {
    for i in 0..VALUES {
        out[i] = u16::from(left[i]) * (256 - second[i]) + u16::from(right[i]) * second[i];
    }
}

impl Run {
    /// Copies the pixels of the run and the one after each. Blocks of one size are quicker than exact ones; what is copied
    /// too much is written over by the next run.
    #[inline(always)]
    fn copy(&self, pixels: &[[u8; 4]], left: &mut [[u8; 4]], right: &mut [[u8; 4]]) {
        for done in (0..self.count).step_by(BLOCK) {
            let (at, from) = (self.at + done, self.from + done);
            let targets = (left[at..].first_chunk_mut::<BLOCK>(), right[at..].first_chunk_mut::<BLOCK>());
            let sources = (pixels[from..].first_chunk::<BLOCK>(), pixels[from + 1..].first_chunk::<BLOCK>());
            if let ((Some(left), Some(right)), (Some(a), Some(b))) = (targets, sources) {
                (*left, *right) = (*a, *b);
            } else {
                let count = (self.count - done).min(BLOCK);
                left[at..at + count].copy_from_slice(&pixels[from..from + count]);
                right[at..at + count].copy_from_slice(&pixels[from + 1..from + 1 + count]);
            }
        }
    }
}

/// Gathers the pixels named by `first` and those after them one by one.
#[inline(always)]
fn pairs(pixels: &[[u8; 4]], first: &[usize], left: &mut [[u8; 4]], right: &mut [[u8; 4]]) {
    for ((l, r), i) in left.iter_mut().zip(right.iter_mut()).zip(first) {
        if let Some([a, b]) = pixels[*i..].first_chunk() {
            (*l, *r) = (*a, *b);
        }
    }
}
