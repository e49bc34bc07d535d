//! The sound of a file as mono at 16 kHz.

use std::path::Path;

use super::audio::AudioReader;
use crate::error::MediaError;
use rondo_sound::{CHANNELS, Decimator};

/// Frames decoded at a time.
const BLOCK: usize = 12_288;

/// Reads up to `most` samples at [`MONO_RATE`] from a second of a file on; `None` when the file has no sound.
pub fn read_mono(path: &Path, from: f64, most: usize) -> Result<Option<Vec<f32>>, MediaError> {
    let Some(mut reader) = AudioReader::open(path, from)? else { return Ok(None) };
    let mut samples = Vec::new();
    let mut block = vec![0.0; BLOCK * CHANNELS];
    let mut decimator = Decimator::new();
    while samples.len() < most {
        let frames = reader.read(&mut block)?;
        decimator.push(&block[..frames * CHANNELS], &mut samples);
        if frames < BLOCK {
            decimator.finish(&mut samples);
            break;
        }
    }
    samples.truncate(most);
    Ok(Some(samples))
}
