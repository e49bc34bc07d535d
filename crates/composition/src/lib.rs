//! The wire format: what a composition is, how it is read from JSON with every problem named by its path, how it is
//! written back, its variables and replacements, and its JSON Schema. Knows nothing of pixels, HTTP or files.
//!
//! CSS values stay strings here, and so do names that are looked up in a registry (presets, easings, shapes,
//! stickers, caption templates, fonts). Numbers are finite and within ranges that later arithmetic can rely on.

mod animation;
mod codec;
mod composition;
pub mod limits;
mod overlay;
mod problem;
mod reader;
mod record;

pub use animation::{Animation, StaggerDirection, StaggeredMotion};
pub use composition::{Composition, Read};
pub use limits::Limits;
pub use overlay::*;
pub use problem::{Error, Problem, ProblemKind};
