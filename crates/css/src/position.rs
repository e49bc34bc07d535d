//! `object-position`, `background-position` and the `at` of gradients and shapes.

use cssparser::Parser;
use kurbo::{Point, Size};

use crate::numeric::length_percent;
use crate::parse::{Parsed, fail, parse_whole};
use crate::{Context, CssError, Length};

#[derive(Clone, Debug, PartialEq)]
pub struct Position {
    pub x: AxisPosition,
    pub y: AxisPosition,
}

/// An offset from one of the two edges.
#[derive(Clone, Debug, PartialEq)]
pub struct AxisPosition {
    /// Measured from the right or bottom edge instead of the left or top.
    pub from_end: bool,
    pub offset: Length,
}

impl Position {
    /// `50% 50%`.
    pub const CENTER: Position = Position { x: AxisPosition::CENTER, y: AxisPosition::CENTER };

    pub fn parse(value: &str) -> Result<Self, CssError> {
        parse_whole(
            value,
            "position",
            "a position such as center, left 20% or right 10px bottom 5px",
            position,
        )
    }

    /// `free` is what percentages refer to: the box for a point in it, the box less the object for an object in it.
    pub fn resolve(&self, free: Size, context: &Context) -> Point {
        Point::new(self.x.resolve(free.width, context), self.y.resolve(free.height, context))
    }
}

impl AxisPosition {
    const CENTER: AxisPosition = AxisPosition::start(Length::Value(0.5, crate::Unit::Percent));

    pub(crate) const fn start(offset: Length) -> Self {
        AxisPosition { from_end: false, offset }
    }

    pub fn resolve(&self, free: f64, context: &Context) -> f64 {
        let offset = self.offset.resolve(context, free);
        if self.from_end { free - offset } else { offset }
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Part {
    Left,
    Right,
    Top,
    Bottom,
    Center,
    Offset(Length),
}

fn part(input: &mut Parser<'_>) -> Parsed<Part> {
    input
        .try_parse(|input| {
            Ok(match input.expect_ident()?.to_ascii_lowercase().as_str() {
                "left" => Part::Left,
                "right" => Part::Right,
                "top" => Part::Top,
                "bottom" => Part::Bottom,
                "center" => Part::Center,
                _ => return fail("left, right, top, bottom, center or a length"),
            })
        })
        .or_else(|_: cssparser::ParseError<&'static str>| length_percent(input).map(Part::Offset))
}

impl Part {
    fn is_horizontal(&self) -> bool {
        matches!(self, Part::Left | Part::Right)
    }

    fn is_vertical(&self) -> bool {
        matches!(self, Part::Top | Part::Bottom)
    }

    /// As the position on an axis, with the offset from the named edge.
    fn on_axis(self, offset: Option<Length>) -> Parsed<AxisPosition> {
        let from_end = matches!(self, Part::Right | Part::Bottom);
        match (self, offset) {
            (Part::Center, None) => Ok(AxisPosition::CENTER),
            (Part::Offset(length), None) => Ok(AxisPosition::start(length)),
            (Part::Center | Part::Offset(_), Some(_)) => fail("an edge before each offset"),
            (_, offset) => Ok(AxisPosition { from_end, offset: offset.unwrap_or(Length::ZERO) }),
        }
    }
}

/// One, two or four parts.
pub(crate) fn position(input: &mut Parser<'_>) -> Parsed<Position> {
    let parts = parts(input, 4)?;
    if parts.len() == 3 { fail("one, two or four parts") } else { arrange(parts) }
}

/// One to four parts.
pub(crate) fn background_position(input: &mut Parser<'_>) -> Parsed<Position> {
    arrange(parts(input, 4)?)
}

/// One or two parts; what follows is left for others.
pub(crate) fn simple_position(input: &mut Parser<'_>) -> Parsed<Position> {
    arrange(parts(input, 2)?)
}

fn parts(input: &mut Parser<'_>, most: usize) -> Parsed<Vec<Part>> {
    let mut parts = vec![part(input)?];
    while parts.len() < most
        && let Ok(next) = input.try_parse(part)
    {
        parts.push(next);
    }
    Ok(parts)
}

fn arrange(mut parts: Vec<Part>) -> Parsed<Position> {
    match parts.len() {
        1 => {
            let only = parts.remove(0);
            let vertical = only.is_vertical();
            let axis = only.on_axis(None)?;
            Ok(if vertical {
                Position { x: AxisPosition::CENTER, y: axis }
            } else {
                Position { x: axis, y: AxisPosition::CENTER }
            })
        }
        2 => {
            let (second, first) = (parts.remove(1), parts.remove(0));
            pair((first, None), (second, None))
        }
        _ => {
            let mut axes: Vec<(Part, Option<Length>)> = Vec::new();
            for part in parts {
                match (part, axes.last_mut()) {
                    (Part::Offset(length), Some((_, offset @ None))) => *offset = Some(length),
                    (Part::Offset(_), _) => return fail("an edge before each offset"),
                    (edge, _) => axes.push((edge, None)),
                }
            }
            match <[_; 2]>::try_from(axes) {
                Ok([first, second]) => pair(first, second),
                Err(_) => fail("two edges, each with its offset"),
            }
        }
    }
}

/// Horizontal and vertical in either order, as far as keywords tell them apart.
fn pair(first: (Part, Option<Length>), second: (Part, Option<Length>)) -> Parsed<Position> {
    let swapped = first.0.is_vertical() || second.0.is_horizontal();
    let lengths = matches!(first.0, Part::Offset(_)) || matches!(second.0, Part::Offset(_));
    if swapped && lengths {
        return fail("the horizontal position first");
    }
    let (x, y) = if swapped { (second, first) } else { (first, second) };
    if x.0.is_vertical() || y.0.is_horizontal() {
        return fail("one horizontal and one vertical position");
    }
    Ok(Position { x: x.0.on_axis(x.1)?, y: y.0.on_axis(y.1)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(value: &str) -> (f64, f64) {
        let context = Context::new(Size::new(1000.0, 1000.0));
        let point = Position::parse(value).unwrap().resolve(Size::new(200.0, 100.0), &context);
        (point.x, point.y)
    }

    #[test]
    fn one_to_four_parts_place_a_point() {
        for (value, expected) in [
            ("center", (100.0, 50.0)),
            ("left", (0.0, 50.0)),
            ("bottom", (100.0, 100.0)),
            ("25%", (50.0, 50.0)),
            ("10px 20px", (10.0, 20.0)),
            ("right top", (200.0, 0.0)),
            ("top right", (200.0, 0.0)),
            ("center left", (0.0, 50.0)),
            ("10% bottom", (20.0, 100.0)),
            ("right 10px bottom 20%", (190.0, 80.0)),
            ("top 5px left 7px", (7.0, 5.0)),
        ] {
            let (x, y) = resolved(value);
            assert!((x - expected.0).abs() < 1e-4 && (y - expected.1).abs() < 1e-4, "{value} gave {x} {y}");
        }
    }

    #[test]
    fn contradictions_are_refused() {
        for value in [
            "",
            "left right",
            "top bottom",
            "10px left",
            "top 10px",
            "left 10px 20px",
            "10px 20px 30px",
            "left 5px top",
            "foo",
        ] {
            assert!(Position::parse(value).is_err(), "{value} was accepted");
        }
    }
}
