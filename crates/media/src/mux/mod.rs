//! Muxing: encoded pictures and sound into files.

mod audio_track;
mod film;
mod muxer;

pub use film::{FilmReport, FilmWriter, SoundWriter};
pub use muxer::Container;
pub(crate) use muxer::{Muxer, Tracks};
