//! Muxing: encoded video and audio into files.

mod audio_track;
mod film;
mod gif;
mod muxer;
mod segments;
mod wav;

pub use film::{FilmReport, FilmWriter, SoundWriter};
pub use gif::{GIF_MAX_FPS, GifWriter};
pub use muxer::Container;
pub use segments::{KeepSegment, Segment, Streaming};
pub use wav::{convert_sound, write_wav};
