//! Colours of a film that replacements can change. Styles keep plain CSS colours: a colour variable names one of them, and
//! a replacement swaps it wherever styles hold it.

use std::collections::BTreeSet;

use rondo_fields::{Codec, Definitions, Error, ProblemKind, Reader, list, record, text};
use serde_json::{Value, json};

use crate::composition::Composition;

/// Colour variables of a film at most.
pub(crate) const MOST_COLORS: usize = 12;
/// Characters of the name of a colour at most.
const LONGEST_NAME: usize = 60;
/// What a value must be.
const EXPECTED: &str = "a colour such as #7c3aed";

record! {
    /// A colour of the film that is a variable.
    pub struct ColorVariable {
        /// The key to use in replacements.
        name: required String => "name", text().not_blank().at_most(LONGEST_NAME);
        /// The colour as `#rrggbb`. Styles that hold it, also as `#rrggbbaa`, `rgb()` or `rgba()`, are changed with it.
        value: required String => "value", HexColor;
        /// The places that hold the colour, such as `overlays[2].styles.fill`. Default: every style that holds `value`, and
        /// the background. Written when a replacement is applied, so that two colours that became equal stay apart,
        /// unless one style holds both.
        fields: optional Vec<String> => "fields", list(text());
    }
}

/// A colour as `#rgb` or `#rrggbb`, kept as `#rrggbb` in lower case.
#[derive(Debug, Clone, Copy)]
struct HexColor;

impl Codec for HexColor {
    type Out = String;

    fn read(&self, value: &Value, reader: &mut Reader) -> Option<String> {
        match value.as_str().map(str::trim).and_then(parse_hex) {
            Some((rgb, "")) => Some(hex(rgb)),
            _ => reader.refuse(ProblemKind::OutOfRange, value, EXPECTED),
        }
    }

    fn write(&self, out: &String) -> Value {
        out.as_str().into()
    }

    fn schema(&self, _: &mut Definitions) -> Value {
        json!({"type": "string", "pattern": "^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$"})
    }

    fn expected(&self) -> String {
        EXPECTED.to_owned()
    }
}

type Rgb = [u8; 3];

/// A colour variable that receives a value.
pub(crate) struct Swap {
    /// Index of the variable.
    pub(crate) index: usize,
    to: Rgb,
}

impl Swap {
    /// Reads the value of a replacement.
    pub(crate) fn read(index: usize, value: &Value, reader: &mut Reader) -> Option<Self> {
        match value.as_str().map(str::trim).and_then(parse_hex) {
            Some((to, "")) => Some(Self { index, to }),
            _ => reader.refuse(ProblemKind::InvalidReplacement, value, EXPECTED),
        }
    }
}

impl Composition {
    /// The index of the colour variable with this name.
    pub(crate) fn color_named(&self, name: &str) -> Option<usize> {
        self.colors.iter().position(|color| color.name == name)
    }

    /// Swaps colours, all at once: a colour that was swapped in is not swapped again.
    pub(crate) fn swap_colors(&mut self, swaps: &[Swap]) -> Result<(), Error> {
        if swaps.is_empty() {
            return Ok(());
        }
        let from: Vec<Option<Rgb>> =
            self.colors.iter().map(|color| Some(parse_hex(&color.value)?.0)).collect();
        let listed: Vec<Option<BTreeSet<&str>>> = self
            .colors
            .iter()
            .map(|color| Some(color.fields.as_ref()?.iter().map(String::as_str).collect()))
            .collect();
        let mut fields: Vec<Vec<String>> = vec![Vec::new(); self.colors.len()];
        let mut changed = self.restyled(&mut |text, path| {
            let mut found = Vec::new();
            let swapped = with_colors(text, &mut |rgb| {
                let holds = |index: &usize| {
                    let is_place = listed[*index].as_ref().is_none_or(|fields| fields.contains(path));
                    from[*index] == Some(rgb) && is_place
                };
                let index = (0..from.len()).find(holds)?;
                found.push(index);
                swaps.iter().find(|swap| swap.index == index).map(|swap| swap.to)
            });
            *text = swapped;
            found.sort_unstable();
            found.dedup();
            for index in found {
                fields[index].push(path.to_owned());
            }
        })?;
        for swap in swaps {
            changed.colors[swap.index].value = hex(swap.to);
        }
        for (color, fields) in changed.colors.iter_mut().zip(fields) {
            color.fields.get_or_insert(fields);
        }
        *self = changed;
        Ok(())
    }
}

fn hex([r, g, b]: Rgb) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// The colour of `#rgb`, `#rgba`, `#rrggbb` or `#rrggbbaa`, and the digits of its alpha.
fn parse_hex(text: &str) -> Option<(Rgb, &str)> {
    let digits = text.strip_prefix('#').filter(|digits| digits.bytes().all(|it| it.is_ascii_hexdigit()))?;
    let number = |from: usize, length: usize| u8::from_str_radix(&digits[from..from + length], 16).ok();
    match digits.len() {
        3 | 4 => {
            let twice = |from: usize| Some(number(from, 1)? * 17);
            Some(([twice(0)?, twice(1)?, twice(2)?], &digits[3..]))
        }
        6 | 8 => Some(([number(0, 2)?, number(2, 2)?, number(4, 2)?], &digits[6..])),
        _ => None,
    }
}

/// A CSS value with other colours: `swap` gets every opaque part of a colour in it.
fn with_colors(text: &str, swap: &mut impl FnMut(Rgb) -> Option<Rgb>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['#', '(']) {
        let is_hash = rest.as_bytes()[at] == b'#';
        let start = if is_hash { at } else { at + 1 };
        out.push_str(&rest[..start]);
        rest = &rest[start..];
        let (length, swapped) = if is_hash {
            let length = 1 + rest[1..].bytes().take_while(u8::is_ascii_hexdigit).count();
            let swapped = parse_hex(&rest[..length]).and_then(|(rgb, alpha)| {
                // The short form writes each digit of the alpha once.
                let alpha = if alpha.len() == 1 { alpha.repeat(2) } else { alpha.to_owned() };
                Some(hex(swap(rgb)?) + &alpha)
            });
            (length, swapped)
        } else {
            let name = &out.as_bytes()[out.len().saturating_sub(5)..out.len() - 1];
            let ends = |with: &str| {
                name.len() >= with.len()
                    && name[name.len() - with.len()..].eq_ignore_ascii_case(with.as_bytes())
            };
            let channels = if ends("rgb") || ends("rgba") { channels(rest) } else { None };
            match channels {
                Some((rgb, length, between)) => {
                    let swapped = swap(rgb).map(|[r, g, b]| format!("{r}{between}{g}{between}{b}"));
                    (length, swapped)
                }
                None => (0, None),
            }
        };
        out.push_str(swapped.as_deref().unwrap_or(&rest[..length]));
        rest = &rest[length..];
    }
    out + rest
}

/// The three whole numbers that a text starts with, how long they are, and what stands between them.
fn channels(text: &str) -> Option<(Rgb, usize, &'static str)> {
    let (mut rgb, mut at, mut comma) = ([0; 3], 0, false);
    for (index, channel) in rgb.iter_mut().enumerate() {
        let blank = |from: usize| text[from..].bytes().take_while(u8::is_ascii_whitespace).count();
        at += blank(at);
        if index > 0 && text[at..].starts_with(',') {
            comma = true;
            at += 1;
            at += blank(at);
        }
        let digits = text[at..].bytes().take_while(u8::is_ascii_digit).count();
        *channel = text[at..at + digits].parse().ok()?;
        at += digits;
    }
    // A percentage or a fraction follows: not whole numbers.
    if text[at..].starts_with(['%', '.']) {
        return None;
    }
    Some((rgb, at, if comma { ", " } else { " " }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_found_in_every_notation_and_keep_their_alpha() {
        let mut swap = |rgb: Rgb| (rgb == [0x7c, 0x3a, 0xed]).then_some([1, 2, 255]);
        for (from, to) in [
            ("#7C3AED", "#0102ff"),
            ("#7c3aed80 0%, #7c3aee", "#0102ff80 0%, #7c3aee"),
            (
                "linear-gradient(90deg, #7c3aed, rgba(124, 58, 237, 0.5))",
                "linear-gradient(90deg, #0102ff, rgba(1, 2, 255, 0.5))",
            ),
            ("rgb(124 58 237 / 40%)", "rgb(1 2 255 / 40%)"),
            ("rgb(124%, 58%, 237%)", "rgb(124%, 58%, 237%)"),
            ("url(#7c3aedx) é#", "url(#0102ffx) é#"),
            ("#7c3aed7", "#7c3aed7"),
            ("blur(124px)", "blur(124px)"),
        ] {
            assert_eq!(with_colors(from, &mut swap), to, "{from}");
        }
        let mut white = |rgb: Rgb| (rgb == [255; 3]).then_some([0; 3]);
        assert_eq!(with_colors("#fff #FFF8", &mut white), "#000000 #00000088");
    }
}
