//! The sound of a media file as a source for the mixer.

use std::path::PathBuf;

use super::audio::AudioReader;
use crate::audio::{AudioSource, OpenAudio, SAMPLE_RATE};
use crate::error::MediaError;

/// The sound of a media file; silence when it has none.
#[derive(Clone, Debug)]
pub struct FileAudio(pub PathBuf);

impl OpenAudio for FileAudio {
    fn open(&self, from: u64) -> Result<Box<dyn AudioSource>, MediaError> {
        let reader = AudioReader::open(&self.0, from as f64 / f64::from(SAMPLE_RATE))?;
        Ok(match reader {
            Some(reader) => Box::new(reader),
            None => Box::new(Silence),
        })
    }
}

struct Silence;

impl AudioSource for Silence {
    fn read(&mut self, _out: &mut [f32]) -> Result<usize, MediaError> {
        Ok(0)
    }
}
