//! `clip-path` shapes.

use cssparser::{Parser, Token};
use kurbo::{BezPath, Ellipse, Point, Rect, Shape, Size, Vec2};

use crate::border::{border_radius, one_to_four};
use crate::numeric::{length_percent, positive_length_percent};
use crate::parse::{Parsed, fail, keyword, list, only_none, parse_whole};
use crate::position::position;
use crate::svg_path::parse_svg_path;
use crate::{BorderRadius, Context, CssError, Edges, Length, Position};

#[derive(Clone, Debug, PartialEq)]
pub enum ClipPath {
    Inset { edges: Edges<Length>, round: Option<BorderRadius> },
    Circle { radius: ShapeRadius, position: Position },
    Ellipse { radii: [ShapeRadius; 2], position: Position },
    Polygon { fill_rule: FillRule, points: Vec<(Length, Length)> },
    Path { fill_rule: FillRule, path: BezPath },
}

#[derive(Clone, Debug, PartialEq)]
pub enum ShapeRadius {
    Length(Length),
    ClosestSide,
    FarthestSide,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FillRule {
    #[default]
    NonZero,
    EvenOdd,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ResolvedShape {
    Rect(Rect),
    /// Corner radii (horizontal, vertical), clockwise from the top left, reduced to fit.
    RoundedRect(Rect, [Vec2; 4]),
    Path(BezPath, FillRule),
}

/// Polygons with more points are refused.
const MOST_POINTS: usize = 4096;
/// Deviation of an ellipse's curves from the ellipse, in pixels.
const CURVE_TOLERANCE: f64 = 0.01;

impl ClipPath {
    /// `None` for `none`.
    pub fn parse(value: &str) -> Result<Option<Self>, CssError> {
        let expected = "none, inset(), rect(), xywh(), circle(), ellipse(), polygon() or path()";
        parse_whole(value, "clip path", expected, |input| {
            if only_none(input) {
                return Ok(None);
            }
            let shape = shape(input)?;
            // The box the shape refers to by default.
            keyword(input, "border-box");
            Ok(Some(shape))
        })
    }

    /// For a reference box of this size whose top left corner is the origin.
    pub fn resolve(&self, width: f64, height: f64, context: &Context) -> ResolvedShape {
        let size = Size::new(width, height);
        match self {
            ClipPath::Inset { edges, round } => inset(edges, round.as_ref(), size, context),
            ClipPath::Circle { radius, position } => {
                let center = position.resolve(size, context);
                let sides = [center.x, width - center.x, center.y, height - center.y];
                let radius =
                    radius.resolve(&sides, libm::hypot(width, height) / std::f64::consts::SQRT_2, context);
                ellipse(center, Vec2::new(radius, radius))
            }
            ClipPath::Ellipse { radii: [x, y], position } => {
                let center = position.resolve(size, context);
                let rx = x.resolve(&[center.x, width - center.x], width, context);
                let ry = y.resolve(&[center.y, height - center.y], height, context);
                ellipse(center, Vec2::new(rx, ry))
            }
            ClipPath::Polygon { fill_rule, points } => {
                let mut path = BezPath::new();
                for (index, (x, y)) in points.iter().enumerate() {
                    let point = Point::new(x.resolve(context, width), y.resolve(context, height));
                    if index == 0 { path.move_to(point) } else { path.line_to(point) }
                }
                if !points.is_empty() {
                    path.close_path();
                }
                ResolvedShape::Path(path, *fill_rule)
            }
            ClipPath::Path { fill_rule, path } => ResolvedShape::Path(path.clone(), *fill_rule),
        }
    }
}

impl ShapeRadius {
    fn resolve(&self, sides: &[f64], percent_base: f64, context: &Context) -> f64 {
        let distances = sides.iter().map(|distance| distance.abs());
        match self {
            ShapeRadius::Length(length) => length.resolve(context, percent_base).max(0.0),
            ShapeRadius::ClosestSide => distances.fold(f64::INFINITY, f64::min),
            ShapeRadius::FarthestSide => distances.fold(0.0, f64::max),
        }
    }
}

fn ellipse(center: Point, radii: Vec2) -> ResolvedShape {
    if radii.x <= 0.0 || radii.y <= 0.0 {
        return ResolvedShape::Rect(Rect::from_origin_size(center, Size::ZERO));
    }
    ResolvedShape::Path(Ellipse::new(center, radii, 0.0).to_path(CURVE_TOLERANCE), FillRule::NonZero)
}

fn inset(
    edges: &Edges<Length>,
    round: Option<&BorderRadius>,
    size: Size,
    context: &Context,
) -> ResolvedShape {
    // Insets that meet are scaled down to touch.
    let fitted = |start: &Length, end: &Length, room: f64| {
        let (start, end) = (start.resolve(context, room), end.resolve(context, room));
        let sum = start + end;
        let factor = if sum > room && sum > 0.0 { room / sum } else { 1.0 };
        (start * factor, room - end * factor)
    };
    let (x0, x1) = fitted(&edges.left, &edges.right, size.width);
    let (y0, y1) = fitted(&edges.top, &edges.bottom, size.height);
    let rect = Rect::new(x0, y0, x1.max(x0), y1.max(y0));
    // Percentages of the radii are of the reference box; what must fit is the inset rectangle.
    let radii = round.map(|round| round.resolve_in(size, rect.size(), context));
    match radii {
        Some(radii) if radii.iter().any(|radius| *radius != Vec2::ZERO) => {
            ResolvedShape::RoundedRect(rect, radii)
        }
        _ => ResolvedShape::Rect(rect),
    }
}

fn shape(input: &mut Parser<'_>) -> Parsed<ClipPath> {
    let name = match input.next()? {
        Token::Function(name) => name.to_ascii_lowercase(),
        _ => return fail("none, inset(), rect(), xywh(), circle(), ellipse(), polygon() or path()"),
    };
    input.parse_nested_block(|input| match name.as_str() {
        "inset" => {
            let edges = one_to_four(input, length_percent)?.into();
            let round = if keyword(input, "round") { Some(border_radius(input)?) } else { None };
            Ok(ClipPath::Inset { edges, round })
        }
        "rect" => {
            let (near, far) = (Length::ZERO, Length::percent(1.0));
            let (top, right) = (edge(input, &near)?, from_far_side(edge(input, &far)?));
            let (bottom, left) = (from_far_side(edge(input, &far)?), edge(input, &near)?);
            let round = if keyword(input, "round") { Some(border_radius(input)?) } else { None };
            Ok(ClipPath::Inset { edges: Edges { top, right, bottom, left }, round })
        }
        "xywh" => {
            let (left, top) = (length_percent(input)?, length_percent(input)?);
            let (width, height) = (positive_length_percent(input)?, positive_length_percent(input)?);
            let right = from_far_side(left.clone().plus(width));
            let bottom = from_far_side(top.clone().plus(height));
            let round = if keyword(input, "round") { Some(border_radius(input)?) } else { None };
            Ok(ClipPath::Inset { edges: Edges { top, right, bottom, left }, round })
        }
        "circle" => {
            let radius = input.try_parse(shape_radius).unwrap_or(ShapeRadius::ClosestSide);
            Ok(ClipPath::Circle { radius, position: center(input)? })
        }
        "ellipse" => {
            let radii = match input.try_parse(shape_radius) {
                Ok(first) => [first, shape_radius(input)?],
                Err(_) => [ShapeRadius::ClosestSide, ShapeRadius::ClosestSide],
            };
            Ok(ClipPath::Ellipse { radii, position: center(input)? })
        }
        "polygon" => {
            let fill_rule = fill_rule(input)?;
            let points =
                list(input, MOST_POINTS, |input| Ok((length_percent(input)?, length_percent(input)?)))?;
            Ok(ClipPath::Polygon { fill_rule, points })
        }
        "path" => {
            let fill_rule = fill_rule(input)?;
            match parse_svg_path(input.expect_string()?) {
                Ok(path) if path.elements().is_empty() => fail("path data that draws something"),
                Ok(path) => Ok(ClipPath::Path { fill_rule, path }),
                Err(error) => fail(error.expected),
            }
        }
        _ => fail("none, inset(), rect(), xywh(), circle(), ellipse(), polygon() or path()"),
    })
}

fn edge(input: &mut Parser<'_>, auto: &Length) -> Parsed<Length> {
    if keyword(input, "auto") { Ok(auto.clone()) } else { length_percent(input) }
}

/// A distance from the left or upper side as one from the side opposite.
fn from_far_side(distance: Length) -> Length {
    Length::percent(1.0).plus(distance.times(-1.0))
}

fn shape_radius(input: &mut Parser<'_>) -> Parsed<ShapeRadius> {
    if keyword(input, "closest-side") {
        Ok(ShapeRadius::ClosestSide)
    } else if keyword(input, "farthest-side") {
        Ok(ShapeRadius::FarthestSide)
    } else {
        positive_length_percent(input).map(ShapeRadius::Length)
    }
}

fn center(input: &mut Parser<'_>) -> Parsed<Position> {
    if keyword(input, "at") { position(input) } else { Ok(Position::CENTER) }
}

/// With the comma after it; nonzero when left out.
fn fill_rule(input: &mut Parser<'_>) -> Parsed<FillRule> {
    let rule = if keyword(input, "evenodd") {
        FillRule::EvenOdd
    } else if keyword(input, "nonzero") {
        FillRule::NonZero
    } else {
        return Ok(FillRule::NonZero);
    };
    input.expect_comma()?;
    Ok(rule)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(value: &str) -> ResolvedShape {
        let context = Context::new(Size::new(1000.0, 500.0));
        ClipPath::parse(value).unwrap().unwrap().resolve(200.0, 100.0, &context)
    }

    fn bounds(value: &str) -> Rect {
        match resolved(value) {
            ResolvedShape::Path(path, _) => path.bounding_box(),
            ResolvedShape::Rect(rect) | ResolvedShape::RoundedRect(rect, _) => rect,
        }
    }

    fn assert_bounds(value: &str, expected: Rect) {
        let found = bounds(value);
        let off =
            [found.x0 - expected.x0, found.y0 - expected.y0, found.x1 - expected.x1, found.y1 - expected.y1];
        assert!(off.iter().all(|d| d.abs() < 0.02), "{value} gave {found:?}");
    }

    #[test]
    fn shapes_cover_the_right_part_of_the_box() {
        assert_bounds("inset(10px 20px 30px 40px)", Rect::new(40.0, 10.0, 180.0, 70.0));
        assert_bounds("inset(10%)", Rect::new(20.0, 10.0, 180.0, 90.0));
        assert_bounds("inset(0 75% 0 75%)", Rect::new(100.0, 0.0, 100.0, 100.0));
        assert_bounds("xywh(10px 20% 50% 30px round 4px)", Rect::new(10.0, 20.0, 110.0, 50.0));
        assert_bounds("rect(10px 75% auto 40px)", Rect::new(40.0, 10.0, 150.0, 100.0));
        assert_bounds("circle()", Rect::new(50.0, 0.0, 150.0, 100.0));
        assert_bounds("circle(20px at 30px 40px)", Rect::new(10.0, 20.0, 50.0, 60.0));
        assert_bounds("circle(farthest-side at left)", Rect::new(-200.0, -150.0, 200.0, 250.0));
        assert_bounds("ellipse()", Rect::new(0.0, 0.0, 200.0, 100.0));
        assert_bounds("ellipse(25% 10px at right top)", Rect::new(150.0, -10.0, 250.0, 10.0));
        assert_bounds("polygon(50% 0, 100% 100%, 0 100%)", Rect::new(0.0, 0.0, 200.0, 100.0));
        assert_bounds("path('M10 10 H 50 V 60 Z') border-box", Rect::new(10.0, 10.0, 50.0, 60.0));
    }

    #[test]
    fn a_circle_in_percent_uses_the_normalised_diagonal() {
        let radius = 0.5 * (200.0_f64.hypot(100.0) / std::f64::consts::SQRT_2);
        assert_bounds("circle(50%)", Rect::new(100.0 - radius, 50.0 - radius, 100.0 + radius, 50.0 + radius));
    }

    #[test]
    fn rounded_insets_reduce_their_radii_to_the_inset_rectangle() {
        let ResolvedShape::RoundedRect(rect, radii) = resolved("inset(20px round 50%)") else { panic!() };
        assert_eq!(rect, Rect::new(20.0, 20.0, 180.0, 80.0));
        // 50% of the 200 by 100 box, reduced by 60 / 100.
        assert!(radii.iter().all(|radius| (radius.x - 60.0).abs() < 1e-3 && (radius.y - 30.0).abs() < 1e-3));
    }

    #[test]
    fn fill_rules_are_kept() {
        let ResolvedShape::Path(_, rule) = resolved("polygon(evenodd, 0 0, 1px 0, 0 1px)") else { panic!() };
        assert_eq!(rule, FillRule::EvenOdd);
    }

    #[test]
    fn none_means_no_clip_and_the_rest_is_refused() {
        assert_eq!(ClipPath::parse("none"), Ok(None));
        for value in [
            "",
            "circle(-1px)",
            "inset()",
            "polygon()",
            "polygon(1px)",
            "path('Z')",
            "path('')",
            "url(#a)",
            "circle(5px) foo",
            "ellipse(5px)",
            "blob()",
        ] {
            assert!(ClipPath::parse(value).is_err(), "{value} was accepted");
        }
    }
}
