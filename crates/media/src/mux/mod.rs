//! Muxing: encoded video and audio into files.

mod audio_track;
mod film;
mod gif;
mod index;
mod muxer;
mod parts;
mod segments;
mod wav;

pub use film::{FilmReport, FilmWriter, SoundWriter};
pub use gif::{GIF_MAX_FPS, GifWriter};
pub use muxer::Container;
pub use parts::{KeepPart, PART_BYTES, Part};
pub use segments::{KeepSegment, Segment, Streaming};
pub use wav::{convert_sound, write_wav};
