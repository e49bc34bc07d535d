//! Sound of one channel at 16 kHz, as speech is heard and spoken.

use std::path::Path;

use super::CHANNELS;
use crate::{AudioReader, Container, MediaError, SoundCodec, SoundWriter};

/// Samples a second that recognisers of speech take.
pub const MONO_RATE: u32 = 16_000;

/// Samples at 48 kHz for each of them.
const STEP: usize = 3;
/// Frames decoded at a time.
const BLOCK: usize = STEP * 4096;

/// Reads up to `most` samples at [`MONO_RATE`] from a second of a file on; `None` when the file has no sound.
pub fn read_mono(path: &Path, from: f64, most: usize) -> Result<Option<Vec<f32>>, MediaError> {
    let Some(mut reader) = AudioReader::open(path, from)? else { return Ok(None) };
    let mut samples = Vec::new();
    let mut block = vec![0.0; BLOCK * CHANNELS];
    let mut thinner = Thinner::new();
    while samples.len() < most {
        let frames = reader.read(&mut block)?;
        thinner.push(&block[..frames * CHANNELS], &mut samples);
        if frames < BLOCK {
            thinner.finish(&mut samples);
            break;
        }
    }
    samples.truncate(most);
    Ok(Some(samples))
}

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

/// From stereo at 48 kHz to one channel at 16 kHz: a low-pass filter, then every third sample.
struct Thinner {
    taps: Vec<f32>,
    /// The last samples, and those not used yet.
    held: Vec<f32>,
}

impl Thinner {
    /// Half of the filter, in samples at 48 kHz.
    const REACH: usize = 48;
    /// Where the filter cuts, as a part of the rate: 7.2 of 48 kHz.
    const CUT: f64 = 0.15;

    fn new() -> Self {
        use std::f64::consts::{PI, TAU};
        let reach = Self::REACH as f64;
        let tap = |index: usize| {
            let x = index as f64 - reach;
            let sinc = if x == 0.0 { 2.0 * Self::CUT } else { (TAU * Self::CUT * x).sin() / (PI * x) };
            sinc * (0.5 + 0.5 * (PI * x / (reach + 1.0)).cos())
        };
        let taps: Vec<f64> = (0..=2 * Self::REACH).map(tap).collect();
        let sum: f64 = taps.iter().sum();
        let taps = taps.iter().map(|tap| (tap / sum) as f32).collect();
        Self { taps, held: vec![0.0; Self::REACH] }
    }

    fn push(&mut self, stereo: &[f32], out: &mut Vec<f32>) {
        self.held.extend(stereo.chunks_exact(CHANNELS).map(|frame| (frame[0] + frame[1]) / 2.0));
        let mut at = 0;
        while at + self.taps.len() <= self.held.len() {
            let window = &self.held[at..at + self.taps.len()];
            out.push(window.iter().zip(&self.taps).map(|(sample, tap)| sample * tap).sum());
            at += STEP;
        }
        self.held.drain(..at);
    }

    /// What the filter still holds back.
    fn finish(&mut self, out: &mut Vec<f32>) {
        self.push(&[0.0; CHANNELS * Self::REACH], out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tone_keeps_its_level_and_its_place_and_one_too_high_for_the_rate_goes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tone.wav");
        let heard = |hertz: f64| {
            let tone = |i: u32| {
                let level = if i < 24_000 { 0.0 } else { 0.9 };
                (level * (std::f64::consts::TAU * hertz * f64::from(i) / 48_000.0).sin()) as f32
            };
            write_wav(&path, &(0..48_000).map(tone).collect::<Vec<_>>(), 48_000).unwrap();
            read_mono(&path, 0.25, usize::MAX).unwrap().unwrap()
        };
        let low = heard(1000.0);
        assert!((low.len() as i64 - 12_000).abs() <= 1, "{}", low.len());
        let loudest = |samples: &[f32]| samples.iter().fold(0f32, |most, sample| most.max(sample.abs()));
        assert!(loudest(&low[..3900]) < 0.01 && (loudest(&low[4100..]) - 0.9).abs() < 0.02);
        assert!(loudest(&heard(12_000.0)[4100..11_900]) < 0.01);
    }
}
