//! What of a style decides how a text is shaped.

use rondo_css::FontFeature;

use crate::style::TextStyle;

/// Texts with equal keys are shaped alike.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ShapeKey {
    pub families: String,
    pub weight: u16,
    pub italic: bool,
    /// In tenths of a percent.
    pub stretch: u16,
    pub spaced: bool,
    pub tabular_digits: bool,
    pub features: Vec<FontFeature>,
    pub han: Han,
}

impl ShapeKey {
    /// The key of `style` in a text that is, or is a part of, `text`.
    pub fn new(text: &str, style: &TextStyle) -> Self {
        Self::with_han(Han::of(text), style)
    }

    pub fn with_han(han: Han, style: &TextStyle) -> Self {
        Self {
            han,
            families: style.families.clone(),
            weight: style.weight.clamp(1, 1000),
            italic: style.italic,
            stretch: (style.stretch.clamp(0.0, 1000.0) * 10.0).round() as u16,
            // Of any size, since texts are shaped before their size is known.
            spaced: style.letter_spacing.at(16.0) != 0.0,
            tabular_digits: style.tabular_digits,
            features: style.features.clone(),
        }
    }
}

/// How a text draws the characters Chinese, Japanese and Korean share, detected from its other characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Han {
    Chinese,
    Japanese,
    Korean,
}

impl Han {
    pub fn of(text: &str) -> Self {
        let holds = |low: char, high: char| text.chars().any(|ch| (low..=high).contains(&ch));
        if holds('\u{3041}', '\u{30ff}') {
            Self::Japanese
        } else if holds('\u{ac00}', '\u{d7a3}') {
            Self::Korean
        } else {
            Self::Chinese
        }
    }

    pub fn families(self) -> &'static [&'static str] {
        match self {
            Self::Chinese => &["Noto Sans SC", "Noto Sans TC", "Noto Sans JP", "Noto Sans KR"],
            Self::Japanese => &["Noto Sans JP", "Noto Sans SC", "Noto Sans TC", "Noto Sans KR"],
            Self::Korean => &["Noto Sans KR", "Noto Sans SC", "Noto Sans TC", "Noto Sans JP"],
        }
    }
}
