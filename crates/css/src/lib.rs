//! CSS value strings to typed values. Knows nothing of overlays.

mod color;

pub use color::Color;
