//! `-webkit-text-stroke` and `paint-order`.

use cssparser::Parser;

use crate::color::color;
use crate::numeric::positive_length;
use crate::parse::{Parsed, fail, keyword, parse_whole};
use crate::{ColorValue, CssError, Length, Unit};

/// The shorthand; what it leaves out is absent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextStroke {
    pub width: Option<Length>,
    pub color: Option<ColorValue>,
}

const EXPECTED: &str = "a width and a colour, such as 2px black";

impl TextStroke {
    pub fn parse(value: &str) -> Result<Self, CssError> {
        if let Ok(width) = Self::parse_width(value) {
            return Ok(Self { width: Some(width), color: None });
        }
        parse_whole(value, "text stroke", EXPECTED, |input| {
            let mut stroke = Self::default();
            while !input.is_exhausted() {
                if stroke.width.is_none()
                    && let Ok(width) = input.try_parse(stroke_width)
                {
                    stroke.width = Some(width);
                } else if stroke.color.is_none() {
                    stroke.color = Some(color(input)?);
                } else {
                    return fail("one width and one colour");
                }
            }
            if stroke == Self::default() { fail(EXPECTED) } else { Ok(stroke) }
        })
    }

    /// `-webkit-text-stroke-width`; a number without a unit is pixels.
    pub fn parse_width(value: &str) -> Result<Length, CssError> {
        parse_whole(value, "stroke width", "a length such as 2px", |input| {
            if let Ok(px) = input.try_parse(Parser::expect_number) {
                return if px >= 0.0 {
                    Ok(Length::px(f64::from(px)))
                } else {
                    fail("a width that is not negative")
                };
            }
            stroke_width(input)
        })
    }
}

/// The named widths are fractions of the font size.
const WIDTHS: [(&str, f64); 3] = [("thin", 1.0 / 48.0), ("medium", 3.0 / 48.0), ("thick", 5.0 / 48.0)];

fn stroke_width(input: &mut Parser<'_>) -> Parsed<Length> {
    match WIDTHS.iter().find(|(name, _)| keyword(input, name)) {
        Some((_, em)) => Ok(Length::Value(*em, Unit::Em)),
        None => positive_length(input),
    }
}

/// Whether `paint-order` puts the stroke below the fill. What it does not name follows in the order fill, stroke, markers.
pub fn stroke_below_fill(value: &str) -> Result<bool, CssError> {
    parse_whole(value, "paint order", "normal, or fill, stroke and markers in any order", |input| {
        if keyword(input, "normal") {
            return Ok(false);
        }
        let mut named: Vec<&str> = Vec::new();
        while !input.is_exhausted() || named.is_empty() {
            let word = ["fill", "stroke", "markers"].into_iter().find(|word| keyword(input, word));
            match word.filter(|word| !named.contains(word)) {
                Some(word) => named.push(word),
                None => return fail("normal, or fill, stroke and markers in any order"),
            }
        }
        Ok(named.into_iter().find(|word| *word != "markers") == Some("stroke"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn width_and_colour_come_in_any_order_and_either_may_be_missing() {
        let both = TextStroke::parse("2px red").unwrap();
        assert_eq!(both, TextStroke::parse("red 2px").unwrap());
        assert_eq!(both.width, Some(Length::px(2.0)));
        assert_eq!(TextStroke::parse("3").unwrap(), TextStroke { width: Some(Length::px(3.0)), color: None });
        assert_eq!(TextStroke::parse("red").unwrap().width, None);
        assert_eq!(TextStroke::parse("thick").unwrap().width, Some(Length::Value(5.0 / 48.0, Unit::Em)));
        for value in ["", "2px 3px", "red blue", "-1px", "2 red", "10%", "-2"] {
            assert!(TextStroke::parse(value).is_err(), "{value} was accepted");
        }
    }

    #[test]
    fn the_stroke_is_below_where_it_is_named_before_the_fill() {
        for (value, below) in [
            ("normal", false),
            ("stroke", true),
            ("stroke fill", true),
            ("markers stroke", true),
            ("fill stroke", false),
            ("markers", false),
            ("FILL", false),
        ] {
            assert_eq!(stroke_below_fill(value).unwrap(), below, "{value}");
        }
        for value in ["", "stroke stroke", "normal stroke", "above"] {
            assert!(stroke_below_fill(value).is_err(), "{value} was accepted");
        }
    }
}
