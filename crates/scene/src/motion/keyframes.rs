//! Arrays of values spread over a duration, shared by staggered motion, animated text and code lines.

use kurbo::{Point, Size};
use rondo_css::Easing;

use super::{Property, flatten, lerp};
use crate::Homography;

/// When a child moves, in frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    pub duration: f64,
    pub delay: f64,
    pub stagger: f64,
}

impl Timing {
    /// Progress of the child that waits `steps` stagger steps: 0 to 1.
    pub fn progress(&self, frame: u32, steps: usize) -> f64 {
        let since = (f64::from(frame) - self.delay).max(0.0) - steps as f64 * self.stagger;
        (since / self.duration.max(1e-9)).clamp(0.0, 1.0)
    }
}

/// The value at progress `p` of values spread evenly, eased within each segment; `None` if there are none.
pub fn value_at(values: &[f64], p: f64, easing: &Easing) -> Option<f64> {
    let (&last, rest) = values.split_last()?;
    if rest.is_empty() {
        return Some(last);
    }
    let x = p.clamp(0.0, 1.0) * rest.len() as f64;
    let i = (x as usize).min(rest.len() - 1);
    Some(lerp(values[i], values[i + 1], easing.at((x - i as f64).clamp(0.0, 1.0))))
}

/// The animated properties of a child; an empty array leaves its property alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tracks<'a> {
    pub x: &'a [f64],
    pub y: &'a [f64],
    pub scale: &'a [f64],
    pub rotate: &'a [f64],
    pub opacity: &'a [f64],
    pub blur: &'a [f64],
    pub glitch: &'a [f64],
}

/// A child at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    pub transform: Homography,
    pub opacity: f64,
    /// Standard deviation in pixels; 0 for none.
    pub blur: f64,
    /// Probability that a character is replaced.
    pub glitch: f64,
}

impl Tracks<'_> {
    /// Whether any array has values.
    pub fn any(&self) -> bool {
        let all = [self.x, self.y, self.scale, self.rotate, self.opacity, self.blur, self.glitch];
        all.iter().any(|values| !values.is_empty())
    }

    /// The child whose centre is `center`, at progress `p`.
    pub fn at(&self, p: f64, easing: &Easing, center: Point) -> Pose {
        let value = |values| value_at(values, p, easing);
        let chain = [
            (Property::X, self.x),
            (Property::Y, self.y),
            (Property::Scale, self.scale),
            (Property::Rotate, self.rotate),
        ];
        let chain = chain.into_iter().filter_map(|(property, values)| Some((property, value(values)?)));
        Pose {
            transform: flatten(chain, Size::ZERO, center),
            opacity: value(self.opacity).unwrap_or(1.0).clamp(0.0, 1.0),
            blur: value(self.blur).unwrap_or(0.0).max(0.0),
            glitch: value(self.glitch).unwrap_or(0.0),
        }
    }
}
