//! Easing curves: one registry of names, and the functions that take parameters.

/// A named curve.
#[derive(Clone, Copy, Debug)]
pub struct EasingEntry {
    pub name: &'static str,
    pub curve: fn(f64) -> f64,
}

pub const EASINGS: &[EasingEntry] = &[EasingEntry { name: "linear", curve: |t| t }];

#[derive(Clone, Debug, Default, PartialEq)]
pub enum Easing {
    #[default]
    Linear,
}

impl Easing {
    /// `None` for an unknown name; whoever asked then uses [`Easing::Linear`].
    pub fn parse(value: &str) -> Option<Self> {
        todo!()
    }

    /// Progress at `t`, which is clamped to 0 to 1. The result may leave that range.
    pub fn at(&self, t: f64) -> f64 {
        todo!()
    }
}
