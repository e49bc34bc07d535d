//! How a text is set: the resolved style of one block.

use rondo_css::FontFeature;

use crate::layout::FaceMetrics;
use crate::length::Length;
use crate::rounding::{floor64, round64, sane, sane_signed};

/// Height of every line.
#[derive(Clone, Debug, PartialEq)]
pub enum LineHeight {
    /// A factor of the text's size.
    Factor(f32),
    Px(f32),
    Length(Length),
    /// What the faces of the line ask for.
    Normal,
}

impl LineHeight {
    /// In pixels for text of `size`, in which only the face of `metrics` is used.
    pub fn at(&self, size: f32, metrics: FaceMetrics) -> f32 {
        self.fixed(size).unwrap_or(metrics.ascent + metrics.descent)
    }

    /// In pixels for text of `size`, floored to 1/64 px; `None` where it depends on the faces.
    pub(crate) fn fixed(&self, size: f32) -> Option<f32> {
        let height = match self {
            // As a percentage of a size on the same grid: 1.05 × 11.25 px must not fall short of 11.8125 px.
            Self::Factor(factor) => {
                let percent = ((f64::from(*factor) * 1e5).round() / 1e3) as f32;
                percent * round64(sane(size)) / 100.0
            }
            Self::Px(px) => *px,
            Self::Length(length) => length.at(size),
            Self::Normal => return None,
        };
        Some(floor64(sane(height)))
    }
}

/// Room before the first line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Indent {
    /// Percentages are of the width of the block.
    pub length: Length,
    /// All lines but the first ones are indented.
    pub hanging: bool,
    /// The line after each newline counts as a first one too.
    pub each_line: bool,
}

impl Indent {
    /// In pixels, with percentages of `width`: of first lines and of the others.
    pub(crate) fn at(&self, size: f32, width: f32) -> Indents {
        let px = floor64(sane_signed(self.length.within(width).at(size)));
        let (first, other) = if self.hanging { (0.0, px) } else { (px, 0.0) };
        Indents { first, other, each_line: self.each_line }
    }
}

/// Room before lines in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Indents {
    first: f32,
    other: f32,
    each_line: bool,
}

impl Indents {
    /// Of the first line of a paragraph and of the others, by the number of the paragraph.
    pub fn of(&self, paragraph: usize) -> (f32, f32) {
        (if paragraph == 0 || self.each_line { self.first } else { self.other }, self.other)
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
    /// Width of the face in percent of the normal one.
    pub stretch: f32,
    /// After every character; anything but zero switches ligatures off.
    pub letter_spacing: Length,
    /// After every space, besides letter-spacing.
    pub word_spacing: Length,
    pub indent: Indent,
    pub line_height: LineHeight,
    pub align: Align,
    /// Digits of equal width, where the face has them.
    pub tabular_digits: bool,
    /// Of several values for one feature the last counts.
    pub features: Vec<FontFeature>,
}

impl Default for TextStyle {
    fn default() -> Self {
        Self {
            families: "Inter".into(),
            size: 16.0,
            weight: 400,
            italic: false,
            stretch: 100.0,
            letter_spacing: Length::default(),
            word_spacing: Length::default(),
            indent: Indent::default(),
            line_height: LineHeight::Factor(1.2),
            align: Align::Left,
            tabular_digits: false,
            features: Vec::new(),
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
