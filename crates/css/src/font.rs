//! Values that choose glyphs and faces: `font-feature-settings`, `font-variant-numeric` and `font-stretch`.

use cssparser::Parser;

use crate::CssError;
use crate::numeric::percent;
use crate::parse::{Parsed, fail, keyword, list, parse_whole};

/// An OpenType feature and its value: 0 switches it off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FontFeature {
    pub tag: [u8; 4],
    pub value: u32,
}

/// Longer lists are refused.
const MOST_FEATURES: usize = 64;

/// `font-feature-settings`, in the order given; `normal` is an empty list.
pub fn parse_font_features(value: &str) -> Result<Vec<FontFeature>, CssError> {
    parse_whole(value, "font feature list", "features such as \"tnum\" 1", |input| {
        if keyword(input, "normal") {
            return Ok(Vec::new());
        }
        list(input, MOST_FEATURES, feature)
    })
}

fn feature(input: &mut Parser<'_>) -> Parsed<FontFeature> {
    let tag = input.expect_string()?;
    let printable = tag.bytes().all(|byte| (0x20..=0x7e).contains(&byte));
    let Some(tag) = tag.as_bytes().first_chunk::<4>().copied().filter(|_| tag.len() == 4 && printable) else {
        return fail("a feature name of four characters in quotes");
    };
    let value = if input.is_exhausted() || keyword(input, "on") {
        1
    } else if keyword(input, "off") {
        0
    } else {
        match u32::try_from(input.expect_integer()?) {
            Ok(value) => value,
            Err(_) => return fail("a feature value: a whole number, on or off"),
        }
    };
    Ok(FontFeature { tag, value })
}

/// The words of `font-variant-numeric`, the feature of each, and the group of which only one word may be given.
const NUMERIC: [(&str, &[u8; 4], u8); 8] = [
    ("lining-nums", b"lnum", 0),
    ("oldstyle-nums", b"onum", 0),
    ("proportional-nums", b"pnum", 1),
    ("tabular-nums", b"tnum", 1),
    ("diagonal-fractions", b"frac", 2),
    ("stacked-fractions", b"afrc", 2),
    ("ordinal", b"ordn", 3),
    ("slashed-zero", b"zero", 4),
];

/// The features that `font-variant-numeric` asks for; `normal` is an empty list.
pub fn parse_numeric_variants(value: &str) -> Result<Vec<FontFeature>, CssError> {
    parse_whole(value, "numeric variant", "words such as tabular-nums or slashed-zero", |input| {
        if keyword(input, "normal") {
            return Ok(Vec::new());
        }
        let (mut features, mut groups) = (Vec::new(), Vec::new());
        while !input.is_exhausted() || features.is_empty() {
            let word = NUMERIC.iter().find(|(word, ..)| keyword(input, word));
            let Some((_, tag, group)) = word.filter(|(_, _, group)| !groups.contains(group)) else {
                return fail("words such as tabular-nums or slashed-zero, each kind once");
            };
            groups.push(*group);
            features.push(FontFeature { tag: **tag, value: 1 });
        }
        Ok(features)
    })
}

const STRETCHES: [(&str, f64); 9] = [
    ("ultra-condensed", 50.0),
    ("extra-condensed", 62.5),
    ("condensed", 75.0),
    ("semi-condensed", 87.5),
    ("normal", 100.0),
    ("semi-expanded", 112.5),
    ("expanded", 125.0),
    ("extra-expanded", 150.0),
    ("ultra-expanded", 200.0),
];

/// `font-stretch` in percent of the normal width.
pub fn parse_font_stretch(value: &str) -> Result<f64, CssError> {
    parse_whole(value, "font stretch", "condensed, normal, expanded or a percentage", |input| {
        if let Some((_, percent)) = STRETCHES.iter().find(|(word, _)| keyword(input, word)) {
            return Ok(*percent);
        }
        match percent(input)? * 100.0 {
            stretch if stretch >= 0.0 => Ok(stretch.min(1000.0)),
            _ => fail("a percentage that is not negative"),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_have_a_name_of_four_characters_and_a_value() {
        let feature = |tag: &[u8; 4], value| FontFeature { tag: *tag, value };
        assert_eq!(
            parse_font_features("\"tnum\", 'ss01' on, \"liga\" off, \"cv05\" 3").unwrap(),
            [feature(b"tnum", 1), feature(b"ss01", 1), feature(b"liga", 0), feature(b"cv05", 3)]
        );
        assert_eq!(parse_font_features("normal").unwrap(), []);
        for value in
            ["", "tnum", "\"tnu\"", "\"tnumb\"", "\"tnum\" -1", "\"tnum\" 1.5", "\"tnum\" yes", "\"tnum\" 1,"]
        {
            assert!(parse_font_features(value).is_err(), "{value} was accepted");
        }
    }

    #[test]
    fn numeric_variants_name_one_word_of_each_kind() {
        let tags = |value: &str| -> Vec<[u8; 4]> {
            parse_numeric_variants(value).unwrap().into_iter().map(|feature| feature.tag).collect()
        };
        assert_eq!(tags("slashed-zero tabular-nums"), [*b"zero", *b"tnum"]);
        assert_eq!(tags("normal"), [[0; 4]; 0]);
        for value in ["", "tabular-nums proportional-nums", "normal ordinal", "digits"] {
            assert!(parse_numeric_variants(value).is_err(), "{value} was accepted");
        }
    }

    #[test]
    fn stretch_is_a_word_or_a_percentage() {
        assert_eq!(parse_font_stretch("condensed").unwrap(), 75.0);
        assert_eq!(parse_font_stretch("150%").unwrap(), 150.0);
        for value in ["", "1.5", "-10%", "narrow"] {
            assert!(parse_font_stretch(value).is_err(), "{value} was accepted");
        }
    }
}
