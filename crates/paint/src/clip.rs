//! Outlines as paths and coverage masks.

use std::sync::Arc;

use kurbo::{BezPath, PathEl, Point, Rect, Shape, Vec2};
use rondo_pixels::IRect;
use rondo_scene::Homography;
use rondo_scene::display::{Clip, FillRule, Outline};

use crate::rect;

/// Coverage of each pixel of a canvas region; nothing outside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mask {
    pub bounds: IRect,
    pub values: Vec<u8>,
}

impl Mask {
    pub fn new(bounds: IRect) -> Self {
        Self { bounds, values: vec![0; bounds.area() as usize] }
    }

    /// Part of a row, in canvas coordinates inside the bounds.
    pub fn span(&self, y: i32, x0: i32, x1: i32) -> &[u8] {
        let at = (y - self.bounds.y0) as usize * self.bounds.width() as usize;
        &self.values[at + (x0 - self.bounds.x0) as usize..at + (x1 - self.bounds.x0) as usize]
    }
}

/// A mask to draw through, with the visible and the fully visible span of every row.
#[derive(Debug, PartialEq, Eq)]
pub struct Stencil {
    mask: Mask,
    rows: Vec<Spans>,
    clear: IRect,
}

/// Two spans of a row, in canvas coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Spans {
    /// Nothing is outside.
    open: (i32, i32),
    /// A span without any shade.
    clear: (i32, i32),
}

impl Stencil {
    pub fn new(mask: Mask) -> Self {
        let width = (mask.bounds.width() as usize).max(1);
        let rows: Vec<Spans> =
            mask.values.chunks_exact(width).map(|row| Spans::of(row, mask.bounds.x0)).collect();
        let clear = clear_rectangle(&rows, mask.bounds.y0);
        Self { mask, rows, clear }
    }

    /// A rectangle that everything is let through, as wide as one can be.
    pub fn clear_rectangle(&self) -> IRect {
        self.clear
    }

    pub fn bounds(&self) -> IRect {
        self.mask.bounds
    }

    pub fn bytes(&self) -> usize {
        self.mask.values.len() + self.rows.len() * size_of::<Spans>()
    }

    /// Part of a row, in canvas coordinates inside the bounds.
    pub fn span(&self, y: i32, x0: i32, x1: i32) -> &[u8] {
        self.mask.span(y, x0, x1)
    }

    /// The columns of a row that anything is let through, within the bounds.
    pub fn open(&self, y: i32) -> (i32, i32) {
        self.rows[(y - self.mask.bounds.y0) as usize].open
    }

    /// Columns of a row that everything is let through, within the bounds.
    pub fn clear(&self, y: i32) -> (i32, i32) {
        self.rows[(y - self.mask.bounds.y0) as usize].clear
    }
}

impl Spans {
    fn of(row: &[u8], x0: i32) -> Self {
        let open = match (row.iter().position(|v| *v != 0), row.iter().rposition(|v| *v != 0)) {
            (Some(first), Some(last)) => (first, last + 1),
            _ => (0, 0),
        };
        let (mut clear, mut from) = ((0, 0), open.0);
        for run in row[open.0..open.1].chunk_by(|a, b| (*a == 255) == (*b == 255)) {
            if run[0] == 255 && run.len() > clear.1 - clear.0 {
                clear = (from, from + run.len());
            }
            from += run.len();
        }
        let on_canvas = |(a, b): (usize, usize)| (x0 + a as i32, x0 + b as i32);
        Self { open: on_canvas(open), clear: on_canvas(clear) }
    }
}

/// The rows around the widest clear span that are clear there too.
fn clear_rectangle(rows: &[Spans], y0: i32) -> IRect {
    let Some(at) = (0..rows.len()).max_by_key(|row| rows[*row].clear.1 - rows[*row].clear.0) else {
        return IRect::EMPTY;
    };
    let (x0, x1) = rows[at].clear;
    let same = |row: &&Spans| row.clear.0 <= x0 && row.clear.1 >= x1;
    let above = rows[..at].iter().rev().take_while(same).count();
    let below = rows[at..].iter().take_while(same).count();
    IRect::new(x0, y0 + (at - above) as i32, x1, y0 + (at + below) as i32)
}

/// A clip for the compositor: a scissor, or a path on the canvas.
pub enum Cut {
    Scissor(IRect),
    Path {
        path: BezPath,
        rule: FillRule,
        bounds: Rect,
    },
    /// Nothing is left.
    Nothing,
}

/// What a clip cuts on the canvas.
pub fn cut(clip: &Clip) -> Cut {
    let h = &clip.transform;
    if let (Outline::Rect(r), Some(affine)) = (&clip.outline, h.as_affine()) {
        let c = affine.as_coeffs();
        if c[1].abs() < 1e-9 && c[2].abs() < 1e-9 {
            let q = affine.transform_rect_bbox(*r);
            let whole = |v: f64| (v - v.round()).abs() < 1e-3;
            if [q.x0, q.y0, q.x1, q.y1].iter().all(|v| whole(*v)) {
                return Cut::Scissor(rect::around(Rect::new(
                    q.x0.round(),
                    q.y0.round(),
                    q.x1.round(),
                    q.y1.round(),
                )));
            }
        }
    }
    let path = map_path(&outline_path(&clip.outline), h);
    let bounds = path.bounding_box();
    if path.is_empty() || bounds.area() <= 0.0 || !bounds.is_finite() {
        return Cut::Nothing;
    }
    Cut::Path { path, rule: outline_rule(&clip.outline), bounds }
}

pub fn outline_rule(outline: &Outline) -> FillRule {
    match outline {
        Outline::Path(_, rule) => *rule,
        _ => FillRule::NonZero,
    }
}

pub fn outline_bounds(outline: &Outline) -> Rect {
    match outline {
        Outline::Rect(r) | Outline::RoundedRect(r, _) => *r,
        Outline::Path(p, _) => p.bounding_box(),
    }
}

pub fn outline_path(outline: &Outline) -> Arc<BezPath> {
    match outline {
        Outline::Rect(r) => Arc::new(r.to_path(0.1)),
        Outline::RoundedRect(r, radii) => Arc::new(rounded(*r, radii)),
        Outline::Path(p, _) => p.clone(),
    }
}

/// A rectangle with elliptic corners, clockwise.
pub fn rounded(r: Rect, radii: &[Vec2; 4]) -> BezPath {
    // Distance of the control points for a quarter of an ellipse.
    const K: f64 = 0.552_284_749_831;
    let mut p = BezPath::new();
    let [tl, tr, br, bl] = *radii;
    p.move_to((r.x0 + tl.x, r.y0));
    p.line_to((r.x1 - tr.x, r.y0));
    let k = 1.0 - K;
    p.curve_to((r.x1 - tr.x * k, r.y0), (r.x1, r.y0 + tr.y * k), (r.x1, r.y0 + tr.y));
    p.line_to((r.x1, r.y1 - br.y));
    p.curve_to((r.x1, r.y1 - br.y * k), (r.x1 - br.x * k, r.y1), (r.x1 - br.x, r.y1));
    p.line_to((r.x0 + bl.x, r.y1));
    p.curve_to((r.x0 + bl.x * k, r.y1), (r.x0, r.y1 - bl.y * k), (r.x0, r.y1 - bl.y));
    p.line_to((r.x0, r.y0 + tl.y));
    p.curve_to((r.x0, r.y0 + tl.y * k), (r.x0 + tl.x * k, r.y0), (r.x0 + tl.x, r.y0));
    p.close_path();
    p
}

/// A path through a homography. In perspective curves become fine polygons, and what is behind the viewer is cut.
pub fn map_path(path: &BezPath, h: &Homography) -> BezPath {
    if let Some(affine) = h.as_affine() {
        return affine * path;
    }
    let mut out = BezPath::new();
    let mut polygon: Vec<Point> = Vec::new();
    kurbo::flatten(path, 0.05, |el| match el {
        PathEl::MoveTo(p) => {
            close_polygon(&mut polygon, h, &mut out);
            polygon.push(p);
        }
        PathEl::LineTo(p) => polygon.push(p),
        _ => close_polygon(&mut polygon, h, &mut out),
    });
    close_polygon(&mut polygon, h, &mut out);
    out
}

fn close_polygon(polygon: &mut Vec<Point>, h: &Homography, out: &mut BezPath) {
    for (i, p) in in_front(polygon, h).into_iter().enumerate() {
        if i == 0 { out.move_to(p) } else { out.line_to(p) }
    }
    if !polygon.is_empty() && !out.is_empty() {
        out.close_path();
    }
    polygon.clear();
}

/// The part of a polygon in front of the viewer, mapped.
fn in_front(polygon: &[Point], h: &Homography) -> Vec<Point> {
    let m = &h.0;
    let depth = |p: Point| m[6] * p.x + m[7] * p.y + m[8];
    let near = 1e-3 * m[8].abs().max(1e-3);
    let mut out = Vec::with_capacity(polygon.len() + 2);
    for (i, &a) in polygon.iter().enumerate() {
        let b = polygon[(i + 1) % polygon.len()];
        let (wa, wb) = (depth(a), depth(b));
        if wa >= near {
            out.extend(h.apply(a));
        }
        if (wa >= near) != (wb >= near) {
            out.extend(h.apply(a.lerp(b, (near - wa) / (wb - wa))));
        }
    }
    out
}

/// Canvas box of a mapped rectangle, of the part in front of the viewer.
pub fn map_bounds(r: Rect, h: &Homography) -> Option<Rect> {
    let corners = [(r.x0, r.y0), (r.x1, r.y0), (r.x1, r.y1), (r.x0, r.y1)].map(Point::from);
    let points = in_front(&corners, h);
    let first = *points.first()?;
    let bounds = points.iter().fold(Rect::from_points(first, first), |b, p| b.union_pt(*p));
    bounds.is_finite().then_some(bounds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stencil_knows_where_its_rows_begin_and_end() {
        let bounds = IRect::new(10, 5, 16, 9);
        let rows = [[0, 0, 0, 0, 0, 0], [0, 9, 255, 255, 40, 0], [255; 6], [255, 3, 255, 255, 0, 7]];
        let stencil = Stencil::new(Mask { bounds, values: rows.concat() });
        let spans = |y| (stencil.open(y), stencil.clear(y));
        assert_eq!(spans(5), ((10, 10), (10, 10)));
        assert_eq!(spans(6), ((11, 15), (12, 14)));
        assert_eq!(spans(7), ((10, 16), (10, 16)));
        assert_eq!(spans(8), ((10, 16), (12, 14)));
        assert_eq!(stencil.clear_rectangle(), IRect::new(10, 7, 16, 8));
        let round = [[0, 255, 255, 0], [255; 4], [255; 4], [9, 255, 255, 9]].concat();
        let stencil = Stencil::new(Mask { bounds: IRect::new(3, 2, 7, 6), values: round });
        assert_eq!(stencil.clear_rectangle(), IRect::new(3, 3, 7, 5));
    }
}
