//! Everything that changes over time, as pure functions of the frame number.

pub mod aliases;
pub mod counter;
pub mod during;
pub mod gradients;
pub mod keyframes;
pub mod layout3d;
mod pose;
pub mod presets;
pub mod ramps;
pub mod random;
pub mod stagger;
pub mod typewriter;

pub use pose::{Property, flatten};

/// `a` at 0, `b` at 1.
fn lerp(a: f64, b: f64, t: f64) -> f64 {
    a + (b - a) * t
}

#[cfg(test)]
mod vectors;
