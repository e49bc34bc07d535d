//! `mix-blend-mode`: how the colours of a layer combine with those beneath it.

use crate::CssError;

/// The sixteen blend modes of CSS.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BlendMode {
    #[default]
    Normal,
    Multiply,
    Screen,
    Overlay,
    Darken,
    Lighten,
    ColorDodge,
    ColorBurn,
    HardLight,
    SoftLight,
    Difference,
    Exclusion,
    Hue,
    Saturation,
    Color,
    Luminosity,
}

/// Every mode and its CSS name.
pub const BLEND_MODES: [(&str, BlendMode); 16] = [
    ("normal", BlendMode::Normal),
    ("multiply", BlendMode::Multiply),
    ("screen", BlendMode::Screen),
    ("overlay", BlendMode::Overlay),
    ("darken", BlendMode::Darken),
    ("lighten", BlendMode::Lighten),
    ("color-dodge", BlendMode::ColorDodge),
    ("color-burn", BlendMode::ColorBurn),
    ("hard-light", BlendMode::HardLight),
    ("soft-light", BlendMode::SoftLight),
    ("difference", BlendMode::Difference),
    ("exclusion", BlendMode::Exclusion),
    ("hue", BlendMode::Hue),
    ("saturation", BlendMode::Saturation),
    ("color", BlendMode::Color),
    ("luminosity", BlendMode::Luminosity),
];

impl BlendMode {
    /// A mode by its name, in any case.
    pub fn parse(value: &str) -> Result<Self, CssError> {
        let name = value.trim();
        let found = BLEND_MODES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, mode)| *mode).ok_or_else(|| CssError {
            value: value.to_owned(),
            what: "blend mode",
            expected: "normal, multiply, screen, overlay, darken, lighten, color-dodge, color-burn, hard-light, \
                       soft-light, difference, exclusion, hue, saturation, color or luminosity",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mode_is_read_by_its_name_in_any_case() {
        for (name, mode) in BLEND_MODES {
            assert_eq!(BlendMode::parse(name), Ok(mode));
            assert_eq!(BlendMode::parse(&format!(" {} ", name.to_uppercase())), Ok(mode));
        }
        assert!(BlendMode::parse("multiply screen").is_err() && BlendMode::parse("").is_err());
    }
}
