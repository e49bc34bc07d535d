//! Composition to file: media are loaded, frames painted, sound mixed, and both encoded. Knows nothing of HTTP or accounts.

mod animation;
mod bundled;
mod cache;
mod chunk;
mod error;
mod film;
mod fingerprint;
mod fonts;
mod library;
mod output;
mod paint;
mod picture;
mod plan;
mod png;
mod raw;
mod sheet;
mod shelf;
mod shrink;
mod sound;
mod worker;

pub use bundled::bundled_folder;
pub use cache::{CacheStats, ChunkCache};
pub use error::RenderError;
pub use film::{Film, Still, odd_size};
pub use fonts::{FontSettings, load_fonts};
pub use library::{Library, Locate, MediaProblem};
pub use output::{ChunkCount, Output, Progress, RenderOptions, Report};
pub use picture::Picture;
pub use png::write_png;
pub use rondo_media::Quality;
pub use sheet::{picture_of, sheet, sheet_of, spread, thumbnail};
