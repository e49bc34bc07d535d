//! Gradients that turn into one another.

use rondo_css::{Context, Easing, Gradient};

/// Gradients spread evenly over a duration.
#[derive(Clone, Debug)]
pub struct Transition {
    gradients: Vec<Gradient>,
    /// In frames.
    duration: f64,
    easing: Easing,
}

/// What shows at one moment.
#[derive(Clone, Debug, PartialEq)]
pub enum Shade {
    One(Gradient),
    /// The second over the first, with this weight: a pair that cannot be interpolated.
    Faded(Gradient, Gradient, f64),
}

impl Transition {
    /// `None` without gradients.
    pub fn new(gradients: Vec<Gradient>, duration: f64, easing: Easing) -> Option<Self> {
        (!gradients.is_empty()).then_some(Self { gradients, duration, easing })
    }

    pub fn at(&self, frame: u32, context: &Context) -> Shade {
        let segments = self.gradients.len() - 1;
        if segments == 0 {
            return Shade::One(self.gradients[0].clone());
        }
        let x = (f64::from(frame) / self.duration.max(1.0)).clamp(0.0, 1.0) * segments as f64;
        let segment = (x as usize).min(segments - 1);
        let t = self.easing.at((x - segment as f64).clamp(0.0, 1.0));
        let (from, to) = (&self.gradients[segment], &self.gradients[segment + 1]);
        match from.between(to, t, context) {
            Some(gradient) => Shade::One(gradient),
            None => Shade::Faded(from.clone(), to.clone(), t.clamp(0.0, 1.0)),
        }
    }
}
