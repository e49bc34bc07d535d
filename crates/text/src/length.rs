//! Lengths that may depend on the size of the text.

use kurbo::Size;
use rondo_css::{Context, Unit};

/// A CSS length with everything it refers to but the size of the text.
#[derive(Clone, Debug, PartialEq)]
pub struct Length {
    value: rondo_css::Length,
    context: Context,
    percent: Percent,
}

/// What percentages refer to.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Percent {
    Px(f64),
    /// The size of the text.
    Size,
}

impl Default for Length {
    fn default() -> Self {
        Self::px(0.0)
    }
}

impl Length {
    /// Percentages are of `percent_base` pixels. The font size of `context` is not read.
    pub fn new(value: rondo_css::Length, context: Context, percent_base: f64) -> Self {
        Self { value, context, percent: Percent::Px(percent_base) }
    }

    /// Percentages are of the size of the text. The font size of `context` is not read.
    pub fn of_size(value: rondo_css::Length, context: Context) -> Self {
        Self { value, context, percent: Percent::Size }
    }

    pub fn px(px: f32) -> Self {
        Self::new(rondo_css::Length::px(f64::from(px)), Context::new(Size::ZERO), 0.0)
    }

    pub fn em(em: f32) -> Self {
        let value = rondo_css::Length::Value(f64::from(em), Unit::Em);
        Self::new(value, Context::new(Size::ZERO), 0.0)
    }

    /// In pixels for text of `size`.
    pub fn at(&self, size: f32) -> f32 {
        let font_size = f64::from(size);
        let base = match self.percent {
            Percent::Px(base) => base,
            Percent::Size => font_size,
        };
        self.value.resolve(&Context { font_size, ..self.context }, base) as f32
    }

    /// The same with percentages of `percent_base` pixels.
    pub(crate) fn within(&self, percent_base: f32) -> Self {
        Self { percent: Percent::Px(f64::from(percent_base)), ..self.clone() }
    }

    pub(crate) fn has_percent(&self) -> bool {
        self.value.has_percent()
    }
}
