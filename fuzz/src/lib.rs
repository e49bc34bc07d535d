//! What the fuzz targets share: a service for request bodies, and readers of files.

mod files;
#[cfg(feature = "service")]
mod service;

pub use files::{font, image, media, sound, subtitles};
#[cfg(feature = "service")]
pub use service::{call_tool, post};
