//! WAV files of mono sound, and files of sound converted to other formats.

use std::path::Path;

use super::film::SoundWriter;
use super::muxer::Container;
use crate::decode::AudioReader;
use crate::encode::SoundCodec;
use crate::error::MediaError;
use rondo_sound::CHANNELS;

/// Frames decoded at a time.
const BLOCK: usize = 12_288;

/// Writes sound of one channel as a WAV file of 16 bits.
pub fn write_wav(path: &Path, samples: &[f32], rate: u32) -> Result<(), MediaError> {
    let bytes = u32::try_from(samples.len() * 2).unwrap_or(u32::MAX);
    let mut file = Vec::with_capacity(44 + samples.len() * 2);
    file.extend_from_slice(b"RIFF");
    file.extend_from_slice(&bytes.saturating_add(36).to_le_bytes());
    file.extend_from_slice(b"WAVEfmt \x10\0\0\0\x01\0\x01\0");
    file.extend_from_slice(&rate.to_le_bytes());
    file.extend_from_slice(&(rate * 2).to_le_bytes());
    file.extend_from_slice(b"\x02\0\x10\0data");
    file.extend_from_slice(&bytes.to_le_bytes());
    for sample in samples {
        let level = (sample.clamp(-1.0, 1.0) * f32::from(i16::MAX)).round() as i16;
        file.extend_from_slice(&level.to_le_bytes());
    }
    std::fs::write(path, file).map_err(|error| MediaError::unwritable(path, error.to_string()))
}

/// Writes the sound of a file as another kind of file.
pub fn convert_sound(
    from: &Path,
    to: &Path,
    container: Container,
    codec: SoundCodec,
) -> Result<(), MediaError> {
    let mut writer = SoundWriter::create(to, container, codec)?;
    if let Some(mut reader) = AudioReader::open(from, 0.0)? {
        let mut samples = vec![0.0; BLOCK * CHANNELS];
        loop {
            match reader.read(&mut samples)? {
                0 => break,
                frames => writer.push(&samples[..frames * CHANNELS])?,
            }
        }
    }
    writer.finish().map(drop)
}
