//! The font index: faces listed with the characters they are for, so that a file is read only when needed.

use std::collections::HashMap;
use std::fmt::{self, Write};
use std::sync::Arc;

use crate::catalog::Origin;
use crate::error::TextError;
use crate::face::Face;
use crate::matching::NORMAL_WIDTH;

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

impl fmt::Display for Ranges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, (low, high)) in self.0.iter().enumerate() {
            f.write_str(if number == 0 { "U+" } else { ",U+" })?;
            write!(f, "{low:04X}")?;
            if high != low {
                write!(f, "-{high:04X}")?;
            }
        }
        Ok(())
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
    /// Of the face in its file.
    pub number: u32,
    /// Where the index tells it.
    pub origin: Option<Origin>,
}

pub(crate) fn parse_index(index: &str) -> Result<Vec<IndexLine>, TextError> {
    let mut ranges: HashMap<&str, Arc<Ranges>> = HashMap::new();
    let mut origin = None;
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
            ["origin", "user"] => origin = Some(Origin::User),
            ["origin", "bundled"] => origin = Some(Origin::Bundled),
            ["face", family, weight, style, range, file, ref rest @ ..] if rest.len() <= 2 => {
                let weights = parse_span(weight).ok_or_else(|| bad(format!("`{weight}` is not a weight")))?;
                let ranges = match range {
                    "-" => None,
                    name => {
                        let found = ranges.get(name).cloned();
                        Some(found.ok_or_else(|| bad(format!("range `{name}` is not defined before it")))?)
                    }
                };
                let widths = rest.first().map_or(Some((NORMAL_WIDTH, NORMAL_WIDTH)), |text| parse_span(text));
                let widths = widths.ok_or_else(|| bad(format!("`{}` is not a width", rest[0])))?;
                let number = rest.get(1).map_or(Ok(0), |text| text.parse());
                let number = number.map_err(|_| bad(format!("`{}` is not the number of a face", rest[1])))?;
                let italic = style == "italic";
                let face = Face { family: family.to_owned(), weights, italic, widths };
                lines.push(IndexLine { face, ranges, file: file.to_owned(), number, origin });
            }
            _ => return Err(bad(format!("`{line}` is neither a range, a face nor an origin"))),
        }
    }
    Ok(lines)
}

/// `400`, or `100-900`.
fn parse_span(text: &str) -> Option<(u16, u16)> {
    let (low, high) = text.split_once('-').unwrap_or((text, text));
    Some((low.parse().ok()?, high.parse().ok()?))
}

/// Writes what [`parse_index`] reads.
#[derive(Default)]
pub(crate) struct IndexWriter {
    pub text: String,
    /// Numbers of the ranges written, by where they are in memory: faces share them.
    ranges: HashMap<*const Ranges, usize>,
    origin: Option<Origin>,
}

impl IndexWriter {
    pub fn face(
        &mut self,
        face: &Face,
        origin: Origin,
        ranges: Option<&Arc<Ranges>>,
        file: &str,
        number: u32,
    ) {
        if self.origin != Some(origin) {
            let name = match origin {
                // Fonts of a film are in no index that others read.
                Origin::Film | Origin::User => "user",
                Origin::Bundled => "bundled",
            };
            self.line(format_args!("origin\t{name}"));
            self.origin = Some(origin);
        }
        let range = ranges.map_or_else(|| "-".to_owned(), |ranges| self.range(ranges).to_string());
        // A name with a tab or a line break in it would be read as more fields.
        let family = face.family.replace(char::is_control, " ");
        let style = if face.italic { "italic" } else { "normal" };
        let weight = span(face.weights);
        match (face.widths == (NORMAL_WIDTH, NORMAL_WIDTH), number) {
            (true, 0) => self.line(format_args!("face\t{family}\t{weight}\t{style}\t{range}\t{file}")),
            _ => {
                let width = span(face.widths);
                self.line(format_args!(
                    "face\t{family}\t{weight}\t{style}\t{range}\t{file}\t{width}\t{number}"
                ));
            }
        }
    }

    /// The number of a range, which is written where it is new.
    fn range(&mut self, ranges: &Arc<Ranges>) -> usize {
        let next = self.ranges.len();
        let number = *self.ranges.entry(Arc::as_ptr(ranges)).or_insert(next);
        if number == next {
            self.line(format_args!("range\t{number}\t{ranges}"));
        }
        number
    }

    fn line(&mut self, text: fmt::Arguments<'_>) {
        // Writing to a text does not fail.
        let _ = writeln!(self.text, "{text}");
    }
}

fn span((low, high): (u16, u16)) -> String {
    if low == high { low.to_string() } else { format!("{low}-{high}") }
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
        for (line, reason) in [
            ("face\tInter\theavy\tnormal\t0\ta.woff2", "`heavy` is not a weight"),
            ("face\tInter\t400\tnormal\t1\ta.woff2", "range `1` is not defined before it"),
            ("face\tInter\t400\tnormal\t0\ta.woff2\twide", "`wide` is not a width"),
            ("face\tInter\t400\tnormal\t0\ta.woff2\t75\t-1", "`-1` is not the number of a face"),
            ("origin\telsewhere", "`origin\telsewhere` is neither a range, a face nor an origin"),
        ] {
            let error = parse_index(&format!("range\t0\tU+0-FF\n{line}")).err().unwrap();
            assert_eq!(error.to_string(), format!("Line 2 of the font index cannot be read: {reason}."));
        }
    }

    #[test]
    fn a_family_name_cannot_add_fields_or_lines() {
        let family = "A\tB\nface".to_owned();
        let face = Face { family, weights: (400, 400), italic: false, widths: (100, 100) };
        let mut writer = IndexWriter::default();
        writer.face(&face, Origin::User, None, "a", 0);
        assert_eq!(writer.text, "origin\tuser\nface\tA B face\t400\tnormal\t-\ta\n");
    }
}
