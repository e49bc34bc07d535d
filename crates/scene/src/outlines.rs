//! Rounded boxes as outlines and paths.

use std::sync::Arc;

use kurbo::{Affine, BezPath, PathEl, Point, Rect, Vec2};

use crate::display::*;

/// A rectangle with or without corners.
pub(crate) fn rounded(rect: Rect, radii: [Vec2; 4]) -> Outline {
    if radii.iter().all(|r| r.x <= 0.0 || r.y <= 0.0) {
        Outline::Rect(rect)
    } else {
        Outline::RoundedRect(rect, radii)
    }
}

/// The padding box: the border box less its border, corners shrunk by the same amount.
pub(crate) fn inner(rect: Rect, radii: [Vec2; 4], border: f64) -> Outline {
    let inside = rect.inset(-border);
    let inside = Rect::new(inside.x0, inside.y0, inside.x1.max(inside.x0), inside.y1.max(inside.y0));
    rounded(inside, radii.map(|r| Vec2::new((r.x - border).max(0.0), (r.y - border).max(0.0))))
}

pub(crate) fn fill_path(path: BezPath, rule: FillRule, paint: Paint) -> Draw {
    Draw::Fill { outline: Outline::Path(Arc::new(path), rule), transform: Affine::IDENTITY, paint }
}

/// The outline as a closed path.
pub(crate) fn outline_path(outline: &Outline) -> BezPath {
    match outline {
        Outline::Rect(r) => rounded_path(*r, [Vec2::ZERO; 4]),
        Outline::RoundedRect(r, radii) => rounded_path(*r, *radii),
        Outline::Path(p, _) => p.as_ref().clone(),
    }
}

fn rounded_path(r: Rect, radii: [Vec2; 4]) -> BezPath {
    // Distance of control points that makes a cubic closest to a quarter of an ellipse.
    const KAPPA: f64 = 0.552_284_749_830_793_4;
    let [tl, tr, br, bl] = radii;
    let mut p = BezPath::new();
    let corner = |p: &mut BezPath, from: Point, corner: Point, to: Point| {
        if from == to {
            return;
        }
        p.push(PathEl::CurveTo(from + (corner - from) * KAPPA, to + (corner - to) * KAPPA, to));
    };
    p.move_to((r.x0 + tl.x, r.y0));
    p.line_to((r.x1 - tr.x, r.y0));
    corner(&mut p, Point::new(r.x1 - tr.x, r.y0), Point::new(r.x1, r.y0), Point::new(r.x1, r.y0 + tr.y));
    p.line_to((r.x1, r.y1 - br.y));
    corner(&mut p, Point::new(r.x1, r.y1 - br.y), Point::new(r.x1, r.y1), Point::new(r.x1 - br.x, r.y1));
    p.line_to((r.x0 + bl.x, r.y1));
    corner(&mut p, Point::new(r.x0 + bl.x, r.y1), Point::new(r.x0, r.y1), Point::new(r.x0, r.y1 - bl.y));
    p.line_to((r.x0, r.y0 + tl.y));
    corner(&mut p, Point::new(r.x0, r.y0 + tl.y), Point::new(r.x0, r.y0), Point::new(r.x0 + tl.x, r.y0));
    p.close_path();
    p
}
