//! Lengths and the `calc()` family.

use kurbo::Size;

use crate::{Color, CssError};

/// What relative values refer to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Context {
    /// Pixels; base of `em`.
    pub font_size: f64,
    /// Pixels; base of `rem`.
    pub root_font_size: f64,
    /// Base of `vw`, `vh`, `vmin` and `vmax`: the canvas.
    pub viewport: Size,
    /// What `currentcolor` means.
    pub current_color: Color,
}

impl Context {
    /// Font sizes 16 px, black text.
    pub fn new(viewport: Size) -> Self {
        Self { font_size: 16.0, root_font_size: 16.0, viewport, current_color: Color::BLACK }
    }
}

/// A `<length-percentage>`.
#[derive(Clone, Debug, PartialEq)]
pub enum Length {
    Value(f64, Unit),
    Math(Box<Math>),
}

/// `calc()`, `min()`, `max()` and `clamp()`; plain numbers were folded away.
#[derive(Clone, Debug, PartialEq)]
pub enum Math {
    Sum(Vec<Length>),
    Scale(f64, Length),
    Min(Vec<Length>),
    Max(Vec<Length>),
    Clamp(Length, Length, Length),
}

/// Absolute units were converted to pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Px,
    /// The value is a fraction: 50% is 0.5.
    Percent,
    Em,
    Rem,
    Vw,
    Vh,
    Vmin,
    Vmax,
}

impl Length {
    pub const ZERO: Length = Length::Value(0.0, Unit::Px);

    pub fn px(value: f64) -> Self {
        Length::Value(value, Unit::Px)
    }

    /// 1 is 100%.
    pub fn percent(fraction: f64) -> Self {
        Length::Value(fraction, Unit::Percent)
    }

    pub fn parse(value: &str) -> Result<Self, CssError> {
        todo!()
    }

    /// As [`Length::parse`], and a number without a unit is pixels.
    pub fn parse_px(value: &str) -> Result<Self, CssError> {
        todo!()
    }

    /// In pixels; percentages are of `percent_base`.
    pub fn resolve(&self, context: &Context, percent_base: f64) -> f64 {
        todo!()
    }
}
