//! Composition to file: media are loaded, frames painted, sound mixed, and both encoded. Independent of HTTP and accounts.

mod audio;
mod bitmap_file;
mod bundled;
mod chunks;
mod contact_sheet;
mod error;
mod film;
mod font_faces;
mod fonts;
mod format;
mod frame_painter;
mod gif;
mod huge_pages;
mod image_files;
mod in_point;
mod media;
mod options;
mod partial;
mod parts;
mod png;
mod poster;
mod progress;
mod raw_file;
mod render;
mod served_fonts;
mod stream;
mod timings;
mod watchdog;
mod zip;

pub use audio::lacking_narration;
pub use bitmap_file::{encode_jpeg, encode_png, fit_bitmap, read_bitmap};
pub use bundled::bundled_folder;
pub use chunks::{
    CacheStats, ChunkCache, ChunkClaim, ChunkStore, ChunkTasks, ENGINE, PlannedChunk, TakenChunk,
};
pub use contact_sheet::{picture_of, sheet, sheet_of, spread, thumbnail};
pub use error::RenderError;
pub use film::{Film, odd_size};
pub use font_faces::{MOST_FONT_BYTES, faces_of_file, with_font_faces};
pub use fonts::{
    FamilyFace, FetchedFamilies, FontSettings, MORE as MORE_FONTS, add_family, families_named, family_file,
    load_fonts,
};
pub use format::{ARCHIVE, Format, Recipe, Refusal, Scale, Wanted, codec_named, codec_names, content_type};
pub use huge_pages::HugePages;
pub use in_point::starts_past_end;
pub use media::{Locate, MediaLibrary, MediaProblem};
pub use options::{Output, RenderOptions, Report};
pub use parts::{PART_BYTES, Part, PartStore};
pub use png::write_png;
pub use poster::Poster;
pub use progress::{ChunkCount, Progress};
pub use rondo_media::{PictureCodec, Quality, Segment};
pub use rondo_pixels::{Bitmap, BitmapRef};
pub use served_fonts::ServedFonts;
pub use stream::{SegmentStore, playlist, segment_name};
pub use timings::Timings;
