//! How a text is set: the resolved style of one block, and lengths that may depend on its size.

use crate::rounding::{floor64, round64, sane};

/// A CSS length of pixels and ems together; ems are of the text's own size.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Length {
    pub px: f32,
    pub em: f32,
}

impl Length {
    pub const ZERO: Self = Self { px: 0.0, em: 0.0 };

    pub const fn px(px: f32) -> Self {
        Self { px, em: 0.0 }
    }

    pub const fn em(em: f32) -> Self {
        Self { px: 0.0, em }
    }

    /// The length in pixels for text of `size`.
    pub fn at(self, size: f32) -> f32 {
        self.px + self.em * size
    }
}

/// Height of every line: a factor of the text's size, or pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LineHeight {
    Factor(f32),
    Px(f32),
}

impl LineHeight {
    /// In pixels for text of `size`, floored to 1/64 px.
    pub fn at(self, size: f32) -> f32 {
        let height = match self {
            // As a percentage of a size on the same grid: 1.05 × 11.25 px must not fall short of 11.8125 px.
            Self::Factor(factor) => {
                let percent = ((f64::from(factor) * 1e5).round() / 1e3) as f32;
                percent * round64(sane(size)) / 100.0
            }
            Self::Px(px) => px,
        };
        floor64(sane(height))
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Align {
    #[default]
    Left,
    Center,
    Right,
}

/// Everything that decides how a text is laid out.
#[derive(Clone, Debug, PartialEq)]
pub struct TextStyle {
    /// A CSS family list (`"Playfair Display", serif`), or one of the `font-*` tokens.
    pub families: String,
    /// Pixels per em.
    pub size: f32,
    /// 1 to 1000.
    pub weight: u16,
    pub italic: bool,
    /// After every character; anything but zero switches ligatures off.
    pub letter_spacing: Length,
    pub line_height: LineHeight,
    pub align: Align,
    /// Digits of equal width, where the face has them.
    pub tabular_digits: bool,
}

impl Default for TextStyle {
    fn default() -> Self {
        Self {
            families: "Inter".into(),
            size: 16.0,
            weight: 400,
            italic: false,
            letter_spacing: Length::ZERO,
            line_height: LineHeight::Factor(1.2),
            align: Align::Left,
            tabular_digits: false,
        }
    }
}

/// Whether lines longer than the width given are broken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WrapMode {
    /// CSS `pre-wrap` with `overflow-wrap: break-word`.
    #[default]
    Wrap,
    /// CSS `pre`: only newlines break.
    NoWrap,
}
