//! The wire format: what a composition is, how it is read from JSON with every problem named by its path, how it is
//! written back, its variables and replacements, and its JSON Schema. Independent of pixels, HTTP and files.
//!
//! CSS values stay strings here, and so do names that are looked up in a registry (presets, easings, shapes,
//! stickers, caption templates, fonts). Numbers are finite and within ranges that later arithmetic can rely on.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]
#![forbid(unsafe_code)]

mod ai;
mod animation;
mod capacity;
mod caption;
mod colors;
mod composition;
mod finish;
mod font_faces;
mod fonts;
mod grouping;
pub mod limits;
mod narrated;
mod output;
mod overlay;
mod poster;
mod replacements;
mod request;
mod restyle;
pub mod subtitles;
pub mod tolerance;
mod values;
mod variables;

pub use ai::{AiReplacement, AiValue, Narration, NarrationValue, Transcription, TranscriptionValue};
pub use animation::{Animation, StaggerDirection, StaggeredMotion};
pub use caption::{Caption, CaptionWord};
pub use colors::ColorVariable;
pub use composition::{Composition, Read, overlay_at};
pub use finish::{Ducking, Finish};
pub use font_faces::{FontFace, MOST_FONT_FACES};
pub use fonts::FontVariable;
pub use grouping::{CaptionRoom, group_words};
pub use limits::Limits;
pub use narrated::Narrated;
pub use output::{AlsoOutput, MOST_ALSO, Output, OutputFormat, OutputQuality, VideoCodec};
pub use overlay::*;
pub use replacements::{Report, UnknownReplacement};
pub use request::{Film, FilmFile, Overrides, RenderRequest, RequestOptions, read_composition_or_request};
pub use rondo_fields::{Error, Problem, ProblemKind, Tolerated, edit_distance};
pub use tolerance::Remarks;
pub use variables::{ProjectVariable, TemplateVariable};

/// JSON Schema (draft 2020-12) of a composition. A field that may be left out may also be `null`; ranges on styles
/// are what values are clamped to.
pub fn schema() -> serde_json::Value {
    rondo_fields::schema::<Composition>()
}
