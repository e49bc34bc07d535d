//! `line-height`.

use crate::numeric::{Numeric, numeric};
use crate::parse::{fail, keyword, parse_whole};
use crate::{CssError, Length};

#[derive(Clone, Debug, PartialEq)]
pub enum LineHeight {
    /// What the font asks for.
    Normal,
    /// Times the font size.
    Factor(f64),
    /// Percentages are of the font size.
    Length(Length),
}

impl LineHeight {
    pub fn parse(value: &str) -> Result<Self, CssError> {
        const EXPECTED: &str = "normal, a number such as 1.4 or a length such as 40px";
        parse_whole(value, "line height", EXPECTED, |input| {
            if keyword(input, "normal") {
                return Ok(Self::Normal);
            }
            match numeric(input)? {
                Numeric::Number(factor) if factor >= 0.0 => Ok(Self::Factor(factor)),
                Numeric::Length(Length::Value(value, _)) if value < 0.0 => fail(EXPECTED),
                Numeric::Length(length) => Ok(Self::Length(length)),
                _ => fail(EXPECTED),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_height_is_a_factor_a_length_or_normal() {
        assert_eq!(LineHeight::parse("Normal").unwrap(), LineHeight::Normal);
        assert_eq!(LineHeight::parse("calc(1.5 * 2)").unwrap(), LineHeight::Factor(3.0));
        assert_eq!(LineHeight::parse("40px").unwrap(), LineHeight::Length(Length::px(40.0)));
        for value in ["", "-1", "-2px", "1 2", "wide", "90deg"] {
            assert!(LineHeight::parse(value).is_err(), "{value} was accepted");
        }
    }
}
