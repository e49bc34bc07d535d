//! Colours: the plain sRGB colour everything ends in, and the colour as written.

mod mix;
mod parse;
mod space;

pub use mix::HueDirection;
pub use space::ColorSpace;

pub(crate) use mix::Components;
pub(crate) use parse::{color, interpolation};

use crate::parse::parse_whole;
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

/// Below this chroma a colour is grey and its hue says nothing.
const GREY_CHROMA: f64 = 1e-4;

impl Color {
    pub const BLACK: Color = Color { r: 0.0, g: 0.0, b: 0.0, a: 1.0 };
    pub const WHITE: Color = Color { r: 1.0, g: 1.0, b: 1.0, a: 1.0 };
    pub const TRANSPARENT: Color = Color { r: 0.0, g: 0.0, b: 0.0, a: 0.0 };

    pub const fn new(r: f32, g: f32, b: f32, a: f32) -> Self {
        Self { r, g, b, a }
    }

    /// Any CSS colour; `currentcolor` is black.
    pub fn parse(value: &str) -> Result<Self, CssError> {
        Ok(ColorValue::parse(value)?.with_current(Color::BLACK))
    }

    pub fn from_rgba8(rgba: [u8; 4]) -> Self {
        let [r, g, b, a] = rgba.map(|channel| f32::from(channel) / 255.0);
        Self { r, g, b, a }
    }

    /// Each channel rounded to the nearest of 0 to 255.
    pub fn rgba8(self) -> [u8; 4] {
        [self.r, self.g, self.b, self.a].map(|channel| (channel.clamp(0.0, 1.0) * 255.0).round() as u8)
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
        let linear = [self.r, self.g, self.b].map(|channel| space::srgb_to_linear(f64::from(channel)));
        let [l, c, h] = space::to_polar(space::linear_to_oklab(linear));
        Oklch { l, c, h }
    }

    /// Channels outside sRGB are clipped.
    pub fn from_oklch(oklch: Oklch, alpha: f32) -> Self {
        let lab = space::from_polar([oklch.l, oklch.c, oklch.h]);
        Self::clipped(space::oklab_to_linear(lab), f64::from(alpha))
    }

    /// Straight (not premultiplied) mix in OKLCH along the shorter hue arc; a grey takes the other's hue.
    pub fn mix_oklch(self, other: Color, t: f64) -> Self {
        let lerp = |x: f64, y: f64| x + (y - x) * t;
        let (mut from, mut to) = (self.to_oklch(), other.to_oklch());
        if from.c < GREY_CHROMA {
            from.h = to.h;
        }
        if to.c < GREY_CHROMA {
            to.h = from.h;
        }
        let turn = (to.h - from.h + 180.0).rem_euclid(360.0) - 180.0;
        let turn = if turn == -180.0 && to.h > from.h { 180.0 } else { turn };
        let mixed = Oklch { l: lerp(from.l, to.l), c: lerp(from.c, to.c), h: from.h + turn * t };
        Self::from_oklch(mixed, lerp(f64::from(self.a), f64::from(other.a)) as f32)
    }

    /// Straight mix of the sRGB channels.
    pub fn mix_srgb(self, other: Color, t: f64) -> Self {
        let lerp = |x: f32, y: f32| (f64::from(x) + f64::from(y - x) * t) as f32;
        Self {
            r: lerp(self.r, other.r),
            g: lerp(self.g, other.g),
            b: lerp(self.b, other.b),
            a: lerp(self.a, other.a),
        }
    }

    fn clipped(linear: [f64; 3], alpha: f64) -> Self {
        let [r, g, b] =
            linear.map(|channel| space::linear_to_srgb(channel.clamp(0.0, 1.0)).clamp(0.0, 1.0) as f32);
        Self { r, g, b, a: alpha.clamp(0.0, 1.0) as f32 }
    }
}

/// A colour as written: in its own space, with missing components, perhaps depending on the text colour.
#[derive(Clone, Debug, PartialEq)]
pub struct ColorValue(Written);

#[derive(Clone, Debug, PartialEq)]
enum Written {
    Fixed(Components),
    Current,
    Mix(Box<ColorMix>),
}

/// `color-mix()`.
#[derive(Clone, Debug, PartialEq)]
struct ColorMix {
    space: ColorSpace,
    hue: HueDirection,
    from: ColorValue,
    to: ColorValue,
    /// Share of `to`.
    t: f64,
    /// Below 1 when the percentages did not add up to 100.
    alpha: f64,
}

impl From<Color> for ColorValue {
    fn from(color: Color) -> Self {
        let [r, g, b, a] = [color.r, color.g, color.b, color.a].map(f64::from);
        ColorValue(Written::Fixed(Components::srgb(r, g, b, a)))
    }
}

impl ColorValue {
    /// The colour of the text.
    pub const CURRENT: ColorValue = ColorValue(Written::Current);

    pub fn parse(value: &str) -> Result<Self, CssError> {
        parse_whole(value, "colour", "a CSS colour such as #ff8800, rgb(255 136 0) or tomato", color)
    }

    /// In sRGB, channels outside it clipped.
    pub fn resolve(&self, context: &Context) -> Color {
        self.with_current(context.current_color)
    }

    pub(crate) fn with_current(&self, current: Color) -> Color {
        self.components(current).to_color()
    }

    pub(crate) fn components(&self, current: Color) -> Components {
        match &self.0 {
            Written::Fixed(components) => *components,
            Written::Current => {
                Components::srgb(current.r.into(), current.g.into(), current.b.into(), current.a.into())
            }
            Written::Mix(mix) => {
                let (from, to) = (mix.from.components(current), mix.to.components(current));
                let mixed = from.mix(&to, mix.t, mix.space, mix.hue);
                Components { alpha: mixed.alpha.map(|alpha| alpha * mix.alpha), ..mixed }
            }
        }
    }
}

impl Components {
    pub(crate) fn to_color(self) -> Color {
        let alpha = self.alpha.unwrap_or(0.0);
        if self.space == ColorSpace::Srgb {
            let [r, g, b] = self.channels.map(|channel| channel.unwrap_or(0.0).clamp(0.0, 1.0) as f32);
            return Color { r, g, b, a: alpha.clamp(0.0, 1.0) as f32 };
        }
        Color::clipped(self.linear_srgb(), alpha)
    }
}
