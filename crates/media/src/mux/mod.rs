//! Muxing: encoded video and audio into files.

mod audio_track;
mod film;
mod gif;
mod muxer;
mod wav;

pub use film::{FilmReport, FilmWriter, SoundWriter};
pub use gif::{GIF_MAX_FPS, GifWriter};
pub use muxer::Container;
pub use wav::{convert_sound, write_wav};
