//! Borders, corner radii and padding.

use cssparser::Parser;
use kurbo::{Size, Vec2};

use crate::color::color;
use crate::numeric::{positive_length, positive_length_percent};
use crate::parse::{Parsed, fail, parse_whole};
use crate::{Color, ColorValue, Context, CssError, Length};

/// One line for all four sides.
#[derive(Clone, Debug, PartialEq)]
pub struct Border {
    pub width: Length,
    pub style: BorderStyle,
    pub color: ColorValue,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BorderStyle {
    None,
    Hidden,
    Solid,
    Dashed,
    Dotted,
    Double,
    Groove,
    Ridge,
    Inset,
    Outset,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResolvedBorder {
    /// Whole pixels, as browsers draw them: a fraction is dropped, but a border that exists is at least 1 px. 0 where
    /// the style is `none` or `hidden`.
    pub width: f64,
    pub style: BorderStyle,
    pub color: Color,
}

/// Corner radii (horizontal, vertical), clockwise from the top left.
#[derive(Clone, Debug, PartialEq)]
pub struct BorderRadius(pub [(Length, Length); 4]);

/// A value for each side: padding, insets.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Edges<T> {
    pub top: T,
    pub right: T,
    pub bottom: T,
    pub left: T,
}

impl Border {
    pub fn parse(value: &str) -> Result<Self, CssError> {
        parse_whole(value, "border", "a width, a style and a colour, such as 2px solid red", |input| {
            let (mut width, mut style, mut line_color) = (None, None, None);
            while !input.is_exhausted() {
                if width.is_none()
                    && let Ok(found) = input.try_parse(line_width)
                {
                    width = Some(found);
                } else if style.is_none()
                    && let Ok(found) = input.try_parse(line_style)
                {
                    style = Some(found);
                } else if line_color.is_none() {
                    line_color = Some(color(input)?);
                } else {
                    return fail("one width, one style and one colour");
                }
            }
            if width.is_none() && style.is_none() && line_color.is_none() {
                return fail("a width, a style and a colour, such as 2px solid red");
            }
            Ok(Border {
                width: width.unwrap_or(MEDIUM),
                style: style.unwrap_or(BorderStyle::None),
                color: line_color.unwrap_or(ColorValue::CURRENT),
            })
        })
    }

    /// The width before it is rounded; zero without a line.
    pub fn line_width(&self) -> Length {
        match self.style {
            BorderStyle::None | BorderStyle::Hidden => Length::px(0.0),
            _ => self.width.clone(),
        }
    }

    pub fn resolve(&self, context: &Context) -> ResolvedBorder {
        let width = match self.line_width().resolve(context, 0.0) {
            width if width > 0.0 => width.floor().max(1.0),
            _ => 0.0,
        };
        ResolvedBorder { width, style: self.style, color: self.color.resolve(context) }
    }
}

const MEDIUM: Length = Length::Value(3.0, crate::Unit::Px);

fn line_width(input: &mut Parser<'_>) -> Parsed<Length> {
    let named = input.try_parse(|input| {
        Ok(match input.expect_ident()?.to_ascii_lowercase().as_str() {
            "thin" => Length::px(1.0),
            "medium" => MEDIUM,
            "thick" => Length::px(5.0),
            _ => return fail("thin, medium, thick or a length"),
        })
    });
    named.or_else(|_| positive_length(input))
}

fn line_style(input: &mut Parser<'_>) -> Parsed<BorderStyle> {
    Ok(match input.expect_ident()?.to_ascii_lowercase().as_str() {
        "none" => BorderStyle::None,
        "hidden" => BorderStyle::Hidden,
        "solid" => BorderStyle::Solid,
        "dashed" => BorderStyle::Dashed,
        "dotted" => BorderStyle::Dotted,
        "double" => BorderStyle::Double,
        "groove" => BorderStyle::Groove,
        "ridge" => BorderStyle::Ridge,
        "inset" => BorderStyle::Inset,
        "outset" => BorderStyle::Outset,
        _ => return fail("a line style such as solid, dashed or dotted"),
    })
}

/// One to four values, filled up as CSS does for sides and corners.
pub(crate) fn one_to_four<T: Clone>(
    input: &mut Parser<'_>,
    item: fn(&mut Parser<'_>) -> Parsed<T>,
) -> Parsed<[T; 4]> {
    let first = item(input)?;
    let second = input.try_parse(item).unwrap_or_else(|_| first.clone());
    let third = input.try_parse(item).unwrap_or_else(|_| first.clone());
    let fourth = input.try_parse(item).unwrap_or_else(|_| second.clone());
    Ok([first, second, third, fourth])
}

pub(crate) fn border_radius(input: &mut Parser<'_>) -> Parsed<BorderRadius> {
    let horizontal = one_to_four(input, positive_length_percent)?;
    let vertical = if input.try_parse(|input| input.expect_delim('/')).is_ok() {
        one_to_four(input, positive_length_percent)?
    } else {
        horizontal.clone()
    };
    let [h0, h1, h2, h3] = horizontal;
    let [v0, v1, v2, v3] = vertical;
    Ok(BorderRadius([(h0, v0), (h1, v1), (h2, v2), (h3, v3)]))
}

impl BorderRadius {
    pub fn parse(value: &str) -> Result<Self, CssError> {
        parse_whole(value, "border radius", "one to four lengths such as 12px or 50%", border_radius)
    }

    /// Radii for a box of this size, reduced together so that neighbours do not overlap.
    pub fn resolve(&self, width: f64, height: f64, context: &Context) -> [Vec2; 4] {
        let size = Size::new(width, height);
        self.resolve_in(size, size, context)
    }

    /// Percentages of one size, reduced to fit another.
    pub(crate) fn resolve_in(&self, percent_base: Size, room: Size, context: &Context) -> [Vec2; 4] {
        let Size { width, height } = room;
        let mut radii = [Vec2::ZERO; 4];
        for (radius, (horizontal, vertical)) in radii.iter_mut().zip(&self.0) {
            let resolved = Vec2::new(
                horizontal.resolve(context, percent_base.width),
                vertical.resolve(context, percent_base.height),
            );
            // A corner with one radius 0 is square.
            *radius = if resolved.x > 0.0 && resolved.y > 0.0 { resolved } else { Vec2::ZERO };
        }
        let [top_left, top_right, bottom_right, bottom_left] = radii;
        let sides = [
            (width, top_left.x + top_right.x),
            (height, top_right.y + bottom_right.y),
            (width, bottom_right.x + bottom_left.x),
            (height, bottom_left.y + top_left.y),
        ];
        let factor = sides
            .into_iter()
            .filter(|(side, sum)| sum > side)
            .map(|(side, sum)| side.max(0.0) / sum)
            .fold(1.0, f64::min);
        radii.map(|radius| radius * factor)
    }
}

impl<T> From<[T; 4]> for Edges<T> {
    /// Clockwise from the top.
    fn from([top, right, bottom, left]: [T; 4]) -> Self {
        Self { top, right, bottom, left }
    }
}

impl Edges<Length> {
    /// `padding`: one to four lengths, none below 0.
    pub fn parse_padding(value: &str) -> Result<Self, CssError> {
        parse_whole(value, "padding", "one to four lengths such as 8px 16px", |input| {
            one_to_four(input, positive_length_percent).map(Edges::from)
        })
    }

    /// Percentages are of the containing box's width on all sides.
    pub fn resolve(&self, context: &Context, width: f64) -> Edges<f64> {
        let pixels = |length: &Length| length.resolve(context, width).max(0.0);
        Edges {
            top: pixels(&self.top),
            right: pixels(&self.right),
            bottom: pixels(&self.bottom),
            left: pixels(&self.left),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn context() -> Context {
        Context::new(Size::new(1000.0, 500.0))
    }

    #[test]
    fn border_parts_come_in_any_order_and_have_defaults() {
        let expected = ResolvedBorder { width: 2.0, style: BorderStyle::Dashed, color: Color::WHITE };
        assert_eq!(Border::parse("white 2px dashed").unwrap().resolve(&context()), expected);
        let plain = Border::parse("solid").unwrap().resolve(&context());
        assert_eq!((plain.width, plain.color), (3.0, Color::BLACK));
        assert_eq!(Border::parse("none").unwrap().resolve(&context()).width, 0.0);
        assert_eq!(Border::parse("4px red").unwrap().resolve(&context()).width, 0.0);
    }

    #[test]
    fn border_widths_are_whole_pixels() {
        for (value, width) in
            [("0.3px solid red", 1.0), ("2.9px solid red", 2.0), ("0 solid red", 0.0), ("thick solid", 5.0)]
        {
            assert_eq!(Border::parse(value).unwrap().resolve(&context()).width, width, "{value}");
        }
    }

    #[test]
    fn radii_too_large_for_the_box_shrink_together() {
        let pill = BorderRadius::parse("999px").unwrap().resolve(200.0, 50.0, &context());
        assert!(pill.iter().all(|radius| (radius.x - 25.0).abs() < 1e-9 && (radius.y - 25.0).abs() < 1e-9));
        let mixed = BorderRadius::parse("100px 20px").unwrap().resolve(100.0, 100.0, &context());
        assert!((mixed[0].x - 100.0 / 1.2).abs() < 1e-9 && (mixed[1].x - 20.0 / 1.2).abs() < 1e-9);
    }

    #[test]
    fn radii_take_percentages_of_each_side_and_a_slash() {
        let ellipse = BorderRadius::parse("50%").unwrap().resolve(200.0, 100.0, &context());
        assert_eq!(ellipse, [Vec2::new(100.0, 50.0); 4]);
        let corners = BorderRadius::parse("1px 2px 3px / 4px 5px").unwrap().resolve(200.0, 100.0, &context());
        assert_eq!(
            corners,
            [Vec2::new(1.0, 4.0), Vec2::new(2.0, 5.0), Vec2::new(3.0, 4.0), Vec2::new(2.0, 5.0)]
        );
    }

    #[test]
    fn padding_fills_up_missing_sides() {
        let padding = Edges::parse_padding("1px 5% 1em").unwrap().resolve(&context(), 200.0);
        let expected = Edges { top: 1.0, right: 10.0, bottom: 16.0, left: 10.0 };
        assert!((padding.right - expected.right).abs() < 1e-5 && (padding.left - expected.left).abs() < 1e-5);
        assert_eq!((padding.top, padding.bottom), (expected.top, expected.bottom));
        for value in ["-1px", "1px 2px 3px 4px 5px", "10", ""] {
            assert!(Edges::parse_padding(value).is_err(), "{value} was accepted");
        }
    }
}
