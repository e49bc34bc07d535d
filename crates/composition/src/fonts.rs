//! Fonts of a film that replacements can change. Styles keep plain font families: a font variable names one of them, and a
//! replacement swaps it in every style that starts with it.

use std::collections::BTreeSet;

use rondo_fields::{Error, ProblemKind, Reader, list, record, text};
use serde_json::Value;

use crate::composition::Composition;

/// Font variables of a film at most.
pub(crate) const MOST_FONTS: usize = 12;
/// Characters of a name and of a font family at most.
const LONGEST: usize = 60;
/// What a value must be.
const EXPECTED: &str = "the name of a font family such as Outfit";

record! {
    /// A font of the film that is a variable.
    pub struct FontVariable {
        /// The key to use in replacements.
        name: required String => "name", text().not_blank().at_most(LONGEST);
        /// The font family, such as `Outfit`. Each `fontFamily` that starts with it is changed with it.
        value: required String => "value", text().not_blank().at_most(LONGEST);
        /// The places that hold the font, such as `overlays[2].styles.fontFamily`. Default: every style that starts with
        /// `value`. Written when a replacement is applied, so that two fonts that became equal stay apart.
        fields: optional Vec<String> => "fields", list(text());
    }
}

/// A font variable that receives a value.
pub(crate) struct FontSwap {
    index: usize,
    to: String,
}

impl FontSwap {
    /// Reads the value of a replacement.
    pub(crate) fn read(index: usize, value: &Value, reader: &mut Reader) -> Option<Self> {
        let is_name = |name: &&str| {
            !name.is_empty()
                && name.chars().count() <= LONGEST
                && !name.contains(|letter: char| letter.is_control() || "\"',;{}()<>\\".contains(letter))
        };
        match value.as_str().map(str::trim).filter(is_name) {
            Some(to) => Some(Self { index, to: to.to_owned() }),
            None => reader.refuse(ProblemKind::InvalidReplacement, value, EXPECTED),
        }
    }
}

impl Composition {
    /// The index of the font variable with this name.
    pub(crate) fn font_named(&self, name: &str) -> Option<usize> {
        self.fonts.iter().position(|font| font.name == name)
    }

    /// Swaps fonts, all at once: a font that was swapped in is not swapped again.
    pub(crate) fn swap_fonts(&mut self, swaps: &[FontSwap]) -> Result<(), Error> {
        if swaps.is_empty() {
            return Ok(());
        }
        let listed: Vec<Option<BTreeSet<&str>>> = self
            .fonts
            .iter()
            .map(|font| Some(font.fields.as_ref()?.iter().map(String::as_str).collect()))
            .collect();
        let mut fields: Vec<Vec<String>> = vec![Vec::new(); self.fonts.len()];
        let mut changed = self.restyled(&mut |families, path| {
            if !path.ends_with(".fontFamily") {
                return;
            }
            let (first, others) = split_first(families);
            let holds = |index: &usize| {
                let is_place = listed[*index].as_ref().is_none_or(|fields| fields.contains(path));
                self.fonts[*index].value.trim().eq_ignore_ascii_case(first) && is_place
            };
            let Some(index) = (0..self.fonts.len()).find(holds) else { return };
            fields[index].push(path.to_owned());
            if let Some(swap) = swaps.iter().find(|swap| swap.index == index) {
                // A name that CSS would not read as one is quoted, where other families follow it.
                *families =
                    if others.is_empty() { swap.to.clone() } else { format!("\"{}\"{others}", swap.to) };
            }
        })?;
        for swap in swaps {
            changed.fonts[swap.index].value.clone_from(&swap.to);
        }
        for (font, fields) in changed.fonts.iter_mut().zip(fields) {
            font.fields.get_or_insert(fields);
        }
        *self = changed;
        Ok(())
    }
}

/// The first of a list of font families without its quotes, and the rest from the comma on.
fn split_first(families: &str) -> (&str, &str) {
    let end = families.find(',').unwrap_or(families.len());
    let (first, others) = families.split_at(end);
    (first.trim().trim_matches(['"', '\'']).trim(), others)
}
