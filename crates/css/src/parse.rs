//! What all parsers share: the entry point with its limits, lists and keywords.

use cssparser::{ParseError, ParseErrorKind, Parser};

use crate::CssError;

/// A parser's result; the error says what was expected where the text went wrong.
pub(crate) type Parsed<T> = Result<T, ParseError<&'static str>>;

/// Longer values are refused unread.
pub(crate) const LONGEST_VALUE: usize = 128 * 1024;
/// Deeper nesting of functions and parentheses is refused.
const DEEPEST_NESTING: u8 = 24;
/// Numbers are clamped to this magnitude, far beyond any canvas.
pub(crate) const LARGEST_NUMBER: f64 = 1e7;

/// Parses the whole of `text`.
pub(crate) fn parse_whole<'i, T>(
    text: &'i str,
    what: &'static str,
    expected: &'static str,
    parse: impl FnOnce(&mut Parser<'i>) -> Parsed<T>,
) -> Result<T, CssError> {
    let refuse = |expected| CssError { value: text.to_owned(), what, expected };
    if text.len() > LONGEST_VALUE {
        return Err(refuse("a shorter value"));
    }
    let mut input = Parser::new(text);
    input.set_nested_block_limit(DEEPEST_NESTING);
    input.parse_entirely(parse).map_err(|error| {
        refuse(match error.kind {
            ParseErrorKind::Custom(expected) => expected,
            ParseErrorKind::Basic(_) => expected,
        })
    })
}

pub(crate) fn fail<T>(expected: &'static str) -> Parsed<T> {
    Err(ParseError::custom(expected))
}

/// Comma-separated items, no more than `limit`.
pub(crate) fn list<'i, T>(
    input: &mut Parser<'i>,
    limit: usize,
    mut item: impl FnMut(&mut Parser<'i>) -> Parsed<T>,
) -> Parsed<Vec<T>> {
    let mut count = 0;
    input.parse_comma_separated(|input| {
        count += 1;
        if count > limit { fail("a shorter list") } else { item(input) }
    })
}

/// Takes the keyword if it comes next.
pub(crate) fn keyword(input: &mut Parser<'_>, word: &str) -> bool {
    input.try_parse(|input| input.expect_ident_matching(word)).is_ok()
}

/// Takes `none` if it is all there is.
pub(crate) fn only_none(input: &mut Parser<'_>) -> bool {
    input
        .try_parse(|input| {
            input.expect_ident_matching("none")?;
            input.expect_exhausted()
        })
        .is_ok()
}
