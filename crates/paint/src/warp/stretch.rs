//! Axis-aligned stretches: a zoom, or a layer at a subpixel position. Source rows are stretched horizontally, then
//! interpolated vertically.

use fearless_simd::Simd;
use kurbo::Rect;
use rondo_pixels::IRect;

use super::rows::{BLOCK, Columns, mix_down};
use super::{Edge, Placing, Scratch, Shade, Target, both, put};
use crate::composite;
use crate::rect;

/// Position in the source in 1/256 pixels, kept between the centres of the region's outermost pixels.
pub(super) fn clamp_position(at: f64, lo: f64, hi: f64) -> i32 {
    let (lo, hi) = (lo, hi - 1.0);
    let at = if lo <= hi { at.clamp(lo, hi) } else { (lo + hi) / 2.0 };
    (at * 256.0).round().max(0.0) as i32
}

/// Fraction of the pixel starting at `at` that is in the interval.
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
    let area = area.intersect(&rect::around(dest));
    if area.is_empty() {
        return;
    }
    let step_x = region.width() / dest.width();
    let step_y = region.height() / dest.height();
    let positions = (area.x0..area.x1).map(|x| {
        let u = region.x0 + (f64::from(x) + 0.5 - dest.x0) * step_x - 0.5;
        clamp_position(u, region.x0, region.x1)
    });
    let columns = Columns::new(simd, positions, view.width as usize);
    // Only the outermost columns may be partly outside.
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
    // The source rows in the two buffers.
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
        let replaces = placing.opaque && shade.replaces() && side == 255;
        if replaces && !soft && shade.masks.iter().all(|mask| both(mask.clear(y), across) == across) {
            mix_down(simd, upper, second, fy, target.span(y, area.x0, area.x1));
            continue;
        }
        mix_down(simd, upper, second, fy, line);
        let edge = if side != 255 {
            edge_row.clone_from(&edges);
            composite::dim(&mut edge_row, side);
            Some(Edge { coverage: &edge_row, inside: (0, 0) })
        } else {
            soft.then_some(Edge { coverage: &edges, inside })
        };
        put(simd, target, y, area.x0, line, edge, shade, coverage);
    }
}
