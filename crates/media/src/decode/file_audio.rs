//! The sound of a media file as a source for the mixer.

use std::path::PathBuf;

use rondo_pixels::Stop;
use rondo_sound::{AudioError, AudioSource, OpenAudio, SAMPLE_RATE};

use super::audio::AudioReader;

/// The sound of a media file; silence when it has none.
#[derive(Clone, Debug)]
pub struct FileAudio {
    pub path: PathBuf,
    /// Setting it ends the sound with an error.
    pub stop: Stop,
}

impl OpenAudio for FileAudio {
    fn open(&self, from: u64) -> Result<Box<dyn AudioSource>, AudioError> {
        let reader = AudioReader::open_until(&self.path, from as f64 / f64::from(SAMPLE_RATE), &self.stop)
            .map_err(|error| AudioError(error.to_string()))?;
        Ok(match reader {
            Some(reader) => Box::new(reader),
            None => Box::new(Silence),
        })
    }
}

struct Silence;

impl AudioSource for Silence {
    fn read(&mut self, _out: &mut [f32]) -> Result<usize, AudioError> {
        Ok(0)
    }
}
