//! Font catalogue and fallback, shaping, wrapping and auto-fit. Knows nothing of overlays or pixels.

mod font;

pub use font::{Font, Glyph, GlyphRun};
