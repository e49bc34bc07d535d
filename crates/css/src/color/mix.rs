//! Interpolation between colours in any space: `color-mix()` and gradients.

use super::ColorSpace;

/// Which way round the hue circle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HueDirection {
    #[default]
    Shorter,
    Longer,
    Increasing,
    Decreasing,
}

/// A colour in its own space; `None` is a missing component.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Components {
    pub space: ColorSpace,
    pub channels: [Option<f64>; 3],
    pub alpha: Option<f64>,
    /// Written in one of the sRGB syntaxes that predate colour spaces.
    pub legacy: bool,
}

/// What a channel stands for; missing channels stay missing in spaces with a channel of the same meaning.
#[derive(PartialEq, Eq)]
enum Meaning {
    Red,
    Green,
    Blue,
    Lightness,
    Colorfulness,
    Hue,
    OpponentA,
    OpponentB,
    Whiteness,
    Blackness,
}

fn meanings(space: ColorSpace) -> [Meaning; 3] {
    use Meaning::*;
    match space {
        ColorSpace::Lab | ColorSpace::Oklab => [Lightness, OpponentA, OpponentB],
        ColorSpace::Lch | ColorSpace::Oklch => [Lightness, Colorfulness, Hue],
        ColorSpace::Hsl => [Hue, Colorfulness, Lightness],
        ColorSpace::Hwb => [Hue, Whiteness, Blackness],
        _ => [Red, Green, Blue],
    }
}

impl Components {
    pub fn srgb(r: f64, g: f64, b: f64, alpha: f64) -> Self {
        Self {
            space: ColorSpace::Srgb,
            channels: [Some(r), Some(g), Some(b)],
            alpha: Some(alpha),
            legacy: true,
        }
    }

    pub fn linear_srgb(&self) -> [f64; 3] {
        self.space.to_linear_srgb(self.channels.map(|channel| channel.unwrap_or(0.0)))
    }

    /// In another space, for interpolation: a hue without meaning is missing, missing channels stay so.
    fn converted(&self, space: ColorSpace) -> Self {
        let mut channels = self.channels;
        if space != self.space {
            channels = space.of_linear_srgb(self.linear_srgb()).map(Some);
            let (from, to) = (meanings(self.space), meanings(space));
            for (source, meaning) in self.channels.iter().zip(&from) {
                if source.is_none()
                    && let Some(target) = to.iter().position(|other| other == meaning)
                {
                    channels[target] = None;
                }
            }
            let value = |index: usize| channels[index].unwrap_or(0.0);
            let grey = match space {
                ColorSpace::Lch => value(1) < 0.0015,
                ColorSpace::Oklch => value(1) < 4e-6,
                ColorSpace::Hsl => value(1) < 1e-5,
                ColorSpace::Hwb => value(1) + value(2) > 1.0 - 1e-5,
                _ => false,
            };
            if let (true, Some(hue)) = (grey, space.hue()) {
                channels[hue] = None;
            }
        }
        Self { space, channels, alpha: self.alpha, legacy: false }
    }

    /// The colour at `t` between the two, alpha premultiplied, as CSS interpolates.
    pub fn mix(&self, other: &Self, t: f64, space: ColorSpace, hue: HueDirection) -> Self {
        let (a, b) = (self.converted(space), other.converted(space));
        let lerp = |x: f64, y: f64| x + (y - x) * t;
        let both = |x: Option<f64>, y: Option<f64>| x.or(y).zip(y.or(x));

        let alphas = both(a.alpha, b.alpha);
        let (alpha_a, alpha_b) = alphas.unwrap_or((1.0, 1.0));
        let alpha = lerp(alpha_a, alpha_b);
        let mut channels = [None; 3];
        for (index, channel) in channels.iter_mut().enumerate() {
            let Some((x, y)) = both(a.channels[index], b.channels[index]) else { continue };
            *channel = Some(if space.hue() == Some(index) {
                let (x, y) = hue.arrange(x, y);
                lerp(x, y).rem_euclid(360.0)
            } else if alpha > 0.0 {
                lerp(x * alpha_a, y * alpha_b) / alpha
            } else {
                lerp(x, y)
            });
        }
        Self { space, channels, alpha: alphas.map(|_| alpha), legacy: false }
    }
}

impl HueDirection {
    /// Both hues, one of them turned so that a straight line between them goes the right way.
    fn arrange(self, from: f64, to: f64) -> (f64, f64) {
        let (from, to) = (from.rem_euclid(360.0), to.rem_euclid(360.0));
        let turn = to - from;
        let turn = match self {
            HueDirection::Shorter if turn > 180.0 => turn - 360.0,
            HueDirection::Shorter if turn < -180.0 => turn + 360.0,
            HueDirection::Longer if turn > 0.0 && turn < 180.0 => turn - 360.0,
            HueDirection::Longer if turn > -180.0 && turn <= 0.0 => turn + 360.0,
            HueDirection::Increasing if turn < 0.0 => turn + 360.0,
            HueDirection::Decreasing if turn > 0.0 => turn - 360.0,
            _ => turn,
        };
        (from, from + turn)
    }
}
