//! The font index: faces listed with the characters they are for, so that a file is read only when needed.

use std::collections::HashMap;
use std::sync::Arc;

use crate::error::TextError;
use crate::face::Face;

/// A CSS unicode range: inclusive spans, sorted, not overlapping.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ranges(Vec<(u32, u32)>);

impl Ranges {
    /// Reads `U+0000-00FF,U+0131`.
    pub fn parse(text: &str) -> Option<Self> {
        let mut ranges = Vec::with_capacity(text.len() / 8);
        for part in text.as_bytes().split(|byte| *byte == b',') {
            let part = part.trim_ascii();
            let digits = part.strip_prefix(b"U+").or_else(|| part.strip_prefix(b"u+"))?;
            let mut ends = digits.splitn(2, |byte| *byte == b'-').map(number);
            let low = ends.next()??;
            ranges.push((low, ends.next().unwrap_or(Some(low))?));
        }
        ranges.sort_unstable();
        Some(Self(ranges))
    }

    pub fn contains(&self, ch: char) -> bool {
        let code = u32::from(ch);
        let after = self.0.partition_point(|&(low, _)| low <= code);
        self.0[..after].last().is_some_and(|&(_, high)| code <= high)
    }
}

/// A code point in hexadecimal digits.
fn number(digits: &[u8]) -> Option<u32> {
    let grown = |number: u32, digit: &u8| Some(number << 4 | char::from(*digit).to_digit(16)?);
    if (1..=6).contains(&digits.len()) { digits.iter().try_fold(0, grown) } else { None }
}

pub(crate) struct IndexLine {
    pub face: Face,
    pub ranges: Option<Arc<Ranges>>,
    pub file: String,
}

pub(crate) fn parse_index(index: &str) -> Result<Vec<IndexLine>, TextError> {
    let mut ranges: HashMap<&str, Arc<Ranges>> = HashMap::new();
    let mut lines = Vec::new();
    let mut fields = Vec::new();
    for (number, line) in index.lines().enumerate() {
        let bad = |reason: String| TextError::BadIndex { line: number + 1, reason };
        fields.clear();
        fields.extend(line.split('\t'));
        match fields[..] {
            [""] => {}
            ["range", name, text] => {
                let parsed =
                    Ranges::parse(text).ok_or_else(|| bad(format!("`{text}` is not a unicode range")))?;
                ranges.insert(name, Arc::new(parsed));
            }
            ["face", family, weight, style, range, file] => {
                let weights =
                    parse_weights(weight).ok_or_else(|| bad(format!("`{weight}` is not a weight")))?;
                let ranges = match range {
                    "-" => None,
                    name => {
                        let found = ranges.get(name).cloned();
                        Some(found.ok_or_else(|| bad(format!("range `{name}` is not defined before it")))?)
                    }
                };
                let italic = style == "italic";
                let face = Face { family: family.to_owned(), weights, italic, widths: (100, 100) };
                lines.push(IndexLine { face, ranges, file: file.to_owned() });
            }
            _ => return Err(bad(format!("`{line}` is neither a range nor a face"))),
        }
    }
    Ok(lines)
}

fn parse_weights(text: &str) -> Option<(u16, u16)> {
    let (low, high) = text.split_once('-').unwrap_or((text, text));
    Some((low.parse().ok()?, high.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_hold_their_characters_only() {
        let ranges = Ranges::parse("U+0400-045F,U+0301, U+2116").unwrap();
        assert!(ranges.contains('ж') && ranges.contains('№') && ranges.contains('\u{301}'));
        assert!(!ranges.contains('a') && !ranges.contains('\u{460}'));
    }

    #[test]
    fn what_is_no_range_is_refused() {
        for text in [
            "",
            "U+",
            "0041",
            "U+0041-",
            "U+-0041",
            "U+0041-0042-0043",
            "U+g",
            "U+ 41",
            "U+0041,",
            "U+0000041",
        ] {
            assert_eq!(Ranges::parse(text), None, "{text}");
        }
        assert_eq!(
            Ranges::parse("u+5a-5F, U+10FFFF"),
            Some(Ranges(vec![(0x5A, 0x5F), (0x10FFFF, 0x10FFFF)]))
        );
    }

    #[test]
    fn a_bad_line_is_named_with_its_number() {
        let error = parse_index("range\t0\tU+0-FF\nface\tInter\theavy\tnormal\t0\ta.woff2").err().unwrap();
        assert_eq!(error.to_string(), "Line 2 of the font index cannot be read: `heavy` is not a weight.");
    }
}
