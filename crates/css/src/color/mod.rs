//! Colours.

use crate::{Context, CssError};

/// sRGB with straight alpha, each channel 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Color {
    pub r: f32,
    pub g: f32,
    pub b: f32,
    pub a: f32,
}

/// Lightness 0 to 1, chroma from 0, hue in degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Oklch {
    pub l: f64,
    pub c: f64,
    pub h: f64,
}

/// A colour as written: in its own space, with missing components, perhaps depending on the text colour.
#[derive(Clone, Debug, PartialEq)]
pub struct ColorValue;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColorSpace {
    Srgb,
    SrgbLinear,
    DisplayP3,
    A98Rgb,
    ProphotoRgb,
    Rec2020,
    XyzD50,
    XyzD65,
    Lab,
    Oklab,
    Lch,
    Oklch,
    Hsl,
    Hwb,
}

/// Which way round the hue circle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HueDirection {
    #[default]
    Shorter,
    Longer,
    Increasing,
    Decreasing,
}

impl Color {
    pub const BLACK: Color = Color { r: 0.0, g: 0.0, b: 0.0, a: 1.0 };
    pub const WHITE: Color = Color { r: 1.0, g: 1.0, b: 1.0, a: 1.0 };
    pub const TRANSPARENT: Color = Color { r: 0.0, g: 0.0, b: 0.0, a: 0.0 };

    pub fn new(r: f32, g: f32, b: f32, a: f32) -> Self {
        Self { r, g, b, a }
    }

    /// Any CSS colour; `currentcolor` is black.
    pub fn parse(value: &str) -> Result<Self, CssError> {
        todo!()
    }

    pub fn from_rgba8(rgba: [u8; 4]) -> Self {
        todo!()
    }

    /// Each channel rounded to the nearest of 0 to 255.
    pub fn rgba8(self) -> [u8; 4] {
        todo!()
    }

    pub fn is_opaque(self) -> bool {
        self.a >= 1.0
    }

    pub fn is_transparent(self) -> bool {
        self.a <= 0.0
    }

    /// The same colour with its alpha multiplied.
    pub fn faded(self, alpha: f32) -> Self {
        Self { a: self.a * alpha, ..self }
    }

    pub fn to_oklch(self) -> Oklch {
        todo!()
    }

    /// Channels outside sRGB are clipped.
    pub fn from_oklch(oklch: Oklch, alpha: f32) -> Self {
        todo!()
    }

    /// Straight (not premultiplied) mix in OKLCH along the shorter hue arc; a grey takes the other's hue.
    pub fn mix_oklch(self, other: Color, t: f64) -> Self {
        todo!()
    }

    /// Straight mix of the sRGB channels.
    pub fn mix_srgb(self, other: Color, t: f64) -> Self {
        todo!()
    }
}

impl ColorValue {
    pub fn parse(value: &str) -> Result<Self, CssError> {
        todo!()
    }

    pub fn resolve(&self, context: &Context) -> Color {
        todo!()
    }
}
