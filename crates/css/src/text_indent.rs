//! `text-indent`.

use crate::numeric::{Numeric, numeric};
use crate::parse::{fail, keyword, parse_whole};
use crate::{CssError, Length};

/// Room before the first line of a text.
#[derive(Clone, Debug, PartialEq)]
pub struct TextIndent {
    /// Percentages are of the width of the block.
    pub length: Length,
    /// All lines but the first ones are indented.
    pub hanging: bool,
    /// The line after each newline counts as a first one too.
    pub each_line: bool,
}

const EXPECTED: &str = "a length such as 2em";

impl TextIndent {
    /// A number without a unit is pixels.
    pub fn parse(value: &str) -> Result<Self, CssError> {
        parse_whole(value, "text indent", EXPECTED, |input| {
            let (mut length, mut hanging, mut each_line) = (None, false, false);
            while !input.is_exhausted() {
                if !hanging && keyword(input, "hanging") {
                    hanging = true;
                } else if !each_line && keyword(input, "each-line") {
                    each_line = true;
                } else if length.is_none() {
                    length = Some(match numeric(input)? {
                        Numeric::Length(length) => length,
                        Numeric::Number(px) => Length::px(px),
                        Numeric::Angle(_) => return fail("a length, not an angle"),
                    });
                } else {
                    return fail("one length, hanging and each-line");
                }
            }
            let Some(length) = length else { return fail(EXPECTED) };
            Ok(Self { length, hanging, each_line })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_indent_is_a_length_with_two_words() {
        let plain = TextIndent { length: Length::px(20.0), hanging: false, each_line: false };
        assert_eq!(TextIndent::parse("20px").unwrap(), plain);
        assert_eq!(TextIndent::parse("20").unwrap(), plain);
        let both = TextIndent { hanging: true, each_line: true, ..plain };
        assert_eq!(TextIndent::parse("hanging 20px each-line").unwrap(), both);
        for value in ["", "hanging", "1px 2px", "1px hanging hanging", "45deg"] {
            assert!(TextIndent::parse(value).is_err(), "{value} was accepted");
        }
    }
}
