//! The wire format: what a composition is, how it is read from JSON with every problem named by its path, how it is
//! written back, its variables and replacements, and its JSON Schema. Knows nothing of pixels, HTTP or files.
//!
//! CSS values stay strings here, and so do names that are looked up in a registry (presets, easings, shapes,
//! stickers, caption templates, fonts). Numbers are finite and within ranges that later arithmetic can rely on.

mod ai;
mod animation;
mod capacity;
mod codec;
mod composition;
mod finish;
mod grouping;
pub mod limits;
mod narrated;
mod overlay;
mod problem;
mod reader;
mod record;
mod replacements;
mod request;
mod schema;
pub mod subtitles;
mod variables;

pub use ai::{AiReplacement, AiValue, Narration, Transcription};
pub use animation::{Animation, StaggerDirection, StaggeredMotion};
pub use composition::{Composition, Read};
pub use finish::{Ducking, Finish};
pub use grouping::{CaptionRoom, group_words};
pub use limits::Limits;
pub use narrated::Narrated;
pub use overlay::*;
pub use problem::{Error, Problem, ProblemKind};
pub use replacements::{Report, UnknownReplacement};
pub use request::{Film, FilmFile, Overrides, RenderRequest, RequestOptions, read_composition_or_request};
pub use schema::schema;
pub use variables::{ProjectVariable, TemplateVariable};
