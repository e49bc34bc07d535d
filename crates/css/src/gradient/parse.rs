//! Gradient syntax.

use cssparser::{Parser, Token};

use super::{Direction, Extent, Gradient, GradientShape, Interpolation, RadialSize, StopItem, StopPosition};
use crate::Position;
use crate::color::{color, interpolation};
use crate::numeric::{Numeric, angle, numeric, positive_length_percent};
use crate::parse::{Parsed, fail, keyword, list};
use crate::position::position;
use crate::{Length, Unit};

/// Longer lists of stops are refused.
const MOST_STOPS: usize = 512;

pub(crate) fn gradient(input: &mut Parser<'_>) -> Parsed<Gradient> {
    let name = match input.next()? {
        Token::Function(name) => name.to_ascii_lowercase(),
        _ => return fail("a gradient function such as linear-gradient()"),
    };
    input.parse_nested_block(|input| gradient_function(&name, input))
}

/// What stands between the parentheses of the function.
fn gradient_function(name: &str, input: &mut Parser<'_>) -> Parsed<Gradient> {
    let (repeating, kind) = match name.strip_prefix("repeating-") {
        Some(kind) => (true, kind),
        None => (false, name),
    };
    let ((shape, interpolation), is_conic) = match kind {
        "linear-gradient" => (linear(input)?, false),
        "radial-gradient" => (radial(input)?, false),
        "conic-gradient" => (conic(input)?, true),
        _ => {
            return fail(
                "linear-gradient(), radial-gradient(), conic-gradient() or one of their repeating forms",
            );
        }
    };
    let items = list(input, MOST_STOPS, |input| stop(input, is_conic))?;
    let hints_between_stops =
        items.windows(2).all(|pair| !matches!(pair, [StopItem::Hint(_), StopItem::Hint(_)]));
    let stop_at_ends =
        [items.first(), items.last()].iter().all(|item| matches!(item, Some(StopItem::Stop { .. })));
    if !hints_between_stops || !stop_at_ends {
        return fail("colour hints only between two colours");
    }
    Ok(Gradient { shape, items, repeating, interpolation })
}

type Prelude = (GradientShape, Option<Interpolation>);

fn color_method(input: &mut Parser<'_>) -> Parsed<Interpolation> {
    let (space, hue) = interpolation(input)?;
    Ok(Interpolation { space, hue })
}

/// The interpolation method around the shape's own words, then the comma that ends both if there was anything.
fn prelude<T>(
    input: &mut Parser<'_>,
    own: impl Fn(&mut Parser<'_>) -> Parsed<Option<T>>,
) -> Parsed<(Option<T>, Option<Interpolation>)> {
    let mut method = input.try_parse(color_method).ok();
    let shape = own(input)?;
    if method.is_none() {
        method = input.try_parse(color_method).ok();
    }
    if shape.is_some() || method.is_some() {
        input.expect_comma()?;
    }
    Ok((shape, method))
}

fn linear(input: &mut Parser<'_>) -> Parsed<Prelude> {
    let (direction, method) = prelude(input, |input| {
        if keyword(input, "to") {
            return side(input).map(Some);
        }
        Ok(input.try_parse(angle).ok().map(Direction::Angle))
    })?;
    Ok((GradientShape::Linear(direction.unwrap_or(Direction::To { x: 0, y: 1 })), method))
}

fn side(input: &mut Parser<'_>) -> Parsed<Direction> {
    let word = |input: &mut Parser<'_>| {
        Ok(match input.expect_ident()?.to_ascii_lowercase().as_str() {
            "left" => (-1, 0),
            "right" => (1, 0),
            "top" => (0, -1),
            "bottom" => (0, 1),
            _ => return fail("left, right, top or bottom after `to`"),
        })
    };
    let (x, y) = word(input)?;
    match input.try_parse(word) {
        Ok((x2, y2)) if (x == 0) != (x2 == 0) => Ok(Direction::To { x: x + x2, y: y + y2 }),
        Ok(_) => fail("one horizontal and one vertical side"),
        Err(_) => Ok(Direction::To { x, y }),
    }
}

fn at(input: &mut Parser<'_>) -> Parsed<Option<Position>> {
    if keyword(input, "at") { position(input).map(Some) } else { Ok(None) }
}

fn radial(input: &mut Parser<'_>) -> Parsed<Prelude> {
    let (shape, method) = prelude(input, |input| {
        let size = radial_size(input)?;
        let center = at(input)?;
        Ok((size.is_some() || center.is_some()).then_some((size, center)))
    })?;
    let (size, center) = shape.unwrap_or_default();
    let size = size.unwrap_or(RadialSize::Extent { circle: false, extent: Extent::FarthestCorner });
    Ok((GradientShape::Radial { size, position: center.unwrap_or(Position::CENTER) }, method))
}

fn radial_size(input: &mut Parser<'_>) -> Parsed<Option<RadialSize>> {
    let (mut circle, mut extent, mut lengths) = (None, None, None);
    loop {
        if circle.is_none() && keyword(input, "circle") {
            circle = Some(true);
        } else if circle.is_none() && keyword(input, "ellipse") {
            circle = Some(false);
        } else if extent.is_none()
            && lengths.is_none()
            && let Ok(found) = input.try_parse(extent_keyword)
        {
            extent = Some(found);
        } else if extent.is_none()
            && lengths.is_none()
            && let Ok(first) = input.try_parse(positive_length_percent)
        {
            lengths = Some((first, input.try_parse(positive_length_percent).ok()));
        } else {
            break;
        }
    }
    match (circle, extent, lengths) {
        (None, None, None) => Ok(None),
        (circle, extent, None) => Ok(Some(RadialSize::Extent {
            circle: circle.unwrap_or(false),
            extent: extent.unwrap_or(Extent::FarthestCorner),
        })),
        (None | Some(true), _, Some((radius, None))) if !radius.has_percent() => {
            Ok(Some(RadialSize::Circle(radius)))
        }
        (None | Some(false), _, Some((x, Some(y)))) => Ok(Some(RadialSize::Ellipse(x, y))),
        _ => fail("one length for a circle, or two for an ellipse"),
    }
}

fn extent_keyword(input: &mut Parser<'_>) -> Parsed<Extent> {
    Ok(match input.expect_ident()?.to_ascii_lowercase().as_str() {
        "closest-side" => Extent::ClosestSide,
        "closest-corner" => Extent::ClosestCorner,
        "farthest-side" => Extent::FarthestSide,
        "farthest-corner" => Extent::FarthestCorner,
        _ => return fail("closest-side, closest-corner, farthest-side or farthest-corner"),
    })
}

fn conic(input: &mut Parser<'_>) -> Parsed<Prelude> {
    let (shape, method) = prelude(input, |input| {
        let from = if keyword(input, "from") { Some(angle(input)?) } else { None };
        let center = at(input)?;
        Ok((from.is_some() || center.is_some()).then_some((from, center)))
    })?;
    let (from, center) = shape.unwrap_or_default();
    let shape =
        GradientShape::Conic { from: from.unwrap_or(0.0), position: center.unwrap_or(Position::CENTER) };
    Ok((shape, method))
}

/// A hint, or a colour with up to two positions after it.
fn stop(input: &mut Parser<'_>, is_conic: bool) -> Parsed<StopItem> {
    let place = |input: &mut Parser<'_>| stop_position(input, is_conic);
    if let Ok(position) = input.try_parse(place) {
        return Ok(StopItem::Hint(position));
    }
    let color = color(input)?;
    let position = input.try_parse(place).ok();
    let end = if position.is_some() { input.try_parse(place).ok() } else { None };
    Ok(StopItem::Stop { color, position, end })
}

fn stop_position(input: &mut Parser<'_>, is_conic: bool) -> Parsed<StopPosition> {
    match numeric(input)? {
        Numeric::Angle(degrees) if is_conic => Ok(StopPosition::Angle(degrees)),
        Numeric::Number(0.0) => Ok(StopPosition::Length(Length::ZERO)),
        Numeric::Length(length @ Length::Value(_, Unit::Percent)) => Ok(StopPosition::Length(length)),
        Numeric::Length(length) if !is_conic => Ok(StopPosition::Length(length)),
        _ if is_conic => fail("an angle or a percentage"),
        _ => fail("a length or a percentage"),
    }
}
