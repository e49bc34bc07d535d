//! Font catalogue and fallback, shaping, wrapping and auto-fit. Independent of overlays and pixels; opens no files.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]
#![forbid(unsafe_code)]

mod breaking;
mod catalog;
mod decoration;
mod dictionary;
mod engine;
mod error;
mod face;
mod fallback;
mod fit;
mod font;
mod index;
mod ink;
mod layout;
mod length;
mod line;
mod line_box;
mod matching;
mod names;
mod rounding;
mod shape_key;
mod shaping;
mod style;
mod words;

pub use catalog::{
    Catalog, FaceFile, Family, FontFile, FontFiles, Origin, Resolved, families_in, packages_named, read_faces,
};
pub use decoration::Decorations;
pub use dictionary::Dictionaries;
pub use engine::TextEngine;
pub use error::TextError;
pub use face::Face;
pub use fit::{Fit, FitRequest, auto_size};
pub use font::{Font, Glyph, GlyphRun};
pub use layout::{Cluster, FaceMetrics, Line, LineRun, TextLayout, Unit};
pub use length::Length;
pub use style::{Align, Indent, LineHeight, TextStyle, WrapMode};
