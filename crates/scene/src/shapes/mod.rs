//! Shapes: from a shape's name, or literal path data, to its geometry in the overlay's box.

mod registry;

use kurbo::{Affine, BezPath, Ellipse, Point, Rect, Shape as _, Size};
use rondo_css::parse_svg_path;

use crate::display::FillRule;
use crate::nearest::{Lookup, look_up};
use registry::{Form, SHAPES};

/// Geometry of a shape in box coordinates.
#[derive(Clone, Debug, PartialEq)]
pub enum Outline {
    /// A box: its stroke is an inner border, its shadow a box shadow.
    Box {
        rect: Rect,
        /// Corner radius in pixels.
        radius: f64,
        /// Whether the author's `borderRadius`, resolved against `rect`, replaces `radius`.
        styled: bool,
    },
    /// A filled path; leaves room for half the stroke on all sides.
    Path(BezPath, FillRule),
    /// Drawn with the stroke alone.
    Line(BezPath),
}

/// Names of all shapes, each with its aliases.
pub(crate) fn rows() -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
    SHAPES.iter().map(|s| (s.name, s.aliases))
}

/// Names of all shapes, without aliases.
pub fn names() -> impl Iterator<Item = &'static str> {
    SHAPES.iter().map(|s| s.name)
}

/// Whether `content` names a shape or is path data that can be drawn.
pub fn is_known(content: &str) -> bool {
    literal(content).is_some() || matches!(find(content), Lookup::Known(_))
}

/// The geometry of a shape; a rectangle if nothing is known under that name. `stroke` is the width of the stroke, 0 when
/// there is none.
pub fn outline(content: &str, size: Size, stroke: f64) -> Outline {
    let inner = size.to_rect().inset(-(stroke / 2.0).min(size.width / 2.0).min(size.height / 2.0));
    let to_inner = |from: Rect| {
        let scale = |to: f64, from: f64| if from > 0.0 { to / from } else { 1.0 };
        Affine::translate(inner.origin().to_vec2())
            * Affine::scale_non_uniform(
                scale(inner.width(), from.width()),
                scale(inner.height(), from.height()),
            )
            * Affine::translate(-from.origin().to_vec2())
    };
    if let Some((path, rule)) = literal(content) {
        return Outline::Path(to_inner(UNIT_BOX) * path, rule);
    }
    let square = Rect::from_center_size(size.to_rect().center(), (size.min_side(), size.min_side()));
    let a_box =
        |rect: Rect, part: f64, styled| Outline::Box { rect, radius: part * rect.size().min_side(), styled };
    let Lookup::Known(shape) = find(content) else { return a_box(size.to_rect(), 0.0, true) };
    match shape.form {
        Form::Box { square: true, radius, styled } => a_box(square, radius, styled),
        Form::Box { square: false, radius, styled } => a_box(size.to_rect(), radius, styled),
        Form::Ellipse => Outline::Path(Ellipse::from_rect(inner).to_path(1e-3), FillRule::NonZero),
        Form::Ring(hole) => {
            let inside = Ellipse::new(inner.center(), inner.size().to_vec2() * (hole / 2.0), 0.0);
            let mut path = Ellipse::from_rect(inner).to_path(1e-3);
            path.extend(inside.to_path(1e-3));
            Outline::Path(path, FillRule::EvenOdd)
        }
        Form::Polygon(points) => Outline::Path(to_inner(UNIT_BOX) * polygon(points), FillRule::NonZero),
        Form::Star { points, inner } => {
            let path = star(points, inner);
            Outline::Path(to_inner(path.bounding_box()) * path, FillRule::NonZero)
        }
        Form::Drawing(data) => {
            let path = parse_svg_path(data).unwrap_or_default();
            Outline::Path(to_inner(path.bounding_box()) * path, FillRule::NonZero)
        }
        Form::Line(_, _) if stroke <= 0.0 => a_box(size.to_rect(), 0.0, true),
        Form::Line(from, to) => {
            let mut path = BezPath::new();
            path.move_to((from.0 * size.width, from.1 * size.height));
            path.line_to((to.0 * size.width, to.1 * size.height));
            Outline::Line(path)
        }
    }
}

/// The box literal geometry and polygons of the registry are written in.
const UNIT_BOX: Rect = Rect::new(0.0, 0.0, 100.0, 100.0);

fn find(content: &str) -> Lookup<&'static registry::Shape> {
    look_up(content, SHAPES, |row, is| is(row.name) || row.aliases.iter().any(|a| is(a)))
}

/// Path data or a `polygon(…)`, if `content` is one.
fn literal(content: &str) -> Option<(BezPath, FillRule)> {
    let content = content.trim();
    let (path, rule) = if content.starts_with(['M', 'm']) {
        (parse_svg_path(content).ok()?, FillRule::NonZero)
    } else {
        let list = content.strip_prefix("polygon(")?.strip_suffix(')')?;
        let (first, rest) = list.split_once(',')?;
        let (rule, list) = match first.trim() {
            "evenodd" => (FillRule::EvenOdd, rest),
            "nonzero" => (FillRule::NonZero, rest),
            _ => (FillRule::NonZero, list),
        };
        let number = |s: &str| s.trim_end_matches('%').parse::<f64>().ok();
        let point = |pair: &str| match pair.split_whitespace().collect::<Vec<_>>()[..] {
            [x, y] => Some((number(x)?, number(y)?)),
            _ => None,
        };
        let points = list.split(',').map(point).collect::<Option<Vec<_>>>()?;
        (polygon(&points), rule)
    };
    let Rect { x0, y0, x1, y1 } = path.control_box();
    let drawable = path.is_finite() && [x0, y0, x1, y1].iter().all(|c| c.abs() < 1e6);
    drawable.then_some((path, rule))
}

fn polygon(points: &[(f64, f64)]) -> BezPath {
    let mut path = BezPath::new();
    for (i, &p) in points.iter().enumerate() {
        if i == 0 { path.move_to(p) } else { path.line_to(p) }
    }
    path.close_path();
    path
}

/// A star with its first point up; without the points between if `inner` is 1.
fn star(points: usize, inner: f64) -> BezPath {
    let turn = std::f64::consts::PI / points as f64;
    let corner = |i: usize| {
        let radius = if i.is_multiple_of(2) { 1.0 } else { inner };
        let (sin, cos) = libm::sincos(turn * i as f64);
        (Point::new(radius * sin, -radius * cos)).into()
    };
    let step = if inner == 1.0 { 2 } else { 1 };
    polygon(&(0..2 * points).step_by(step).map(corner).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOX: Size = Size::new(200.0, 100.0);

    #[test]
    fn every_path_fills_the_box_less_half_the_stroke() {
        let room = Rect::new(5.0, 5.0, 195.0, 95.0);
        for name in names().filter(|&n| n != "star") {
            let Outline::Path(path, _) = outline(name, BOX, 10.0) else { continue };
            let drawn = path.bounding_box();
            let gap = [drawn.x0 - room.x0, drawn.y0 - room.y0, drawn.x1 - room.x1, drawn.y1 - room.y1];
            assert!(gap.iter().all(|g| g.abs() < 0.05), "{name} fills {drawn:?}");
        }
    }

    #[test]
    fn circles_and_squares_keep_their_proportions() {
        let middle = Rect::new(50.0, 0.0, 150.0, 100.0);
        let circle = Outline::Box { rect: middle, radius: 50.0, styled: false };
        assert_eq!(outline("Circle", BOX, 4.0), circle);
        assert_eq!(outline("square", BOX, 0.0), Outline::Box { rect: middle, radius: 0.0, styled: true });
    }

    #[test]
    fn literal_geometry_is_stretched_from_a_hundred_units() {
        for content in ["M0 0 L100 0 L100 50 Z", "polygon(0 0, 100% 0, 100% 50%)"] {
            let Outline::Path(path, _) = outline(content, BOX, 10.0) else { panic!("{content} is a path") };
            assert_eq!(path.bounding_box(), Rect::new(5.0, 5.0, 195.0, 50.0), "{content}");
        }
    }

    #[test]
    fn what_cannot_be_drawn_is_an_unknown_rectangle() {
        let whole = Outline::Box { rect: BOX.to_rect(), radius: 0.0, styled: true };
        for content in
            ["dodecahedron", "Moon 5", "polygon(0 0, 1e9 5, 0 9)", "polygon(nan 0, 5 5, 0 9)", "", "M"]
        {
            assert!(!is_known(content), "{content}");
            assert_eq!(outline(content, BOX, 0.0), whole, "{content}");
        }
    }

    #[test]
    fn names_ignore_case_and_dashes() {
        assert_eq!(outline("ArrowRight", BOX, 0.0), outline("arrow-right", BOX, 0.0));
        assert!(is_known("SPEECH_BUBBLE") && is_known("donut"));
    }
}
