//! Reading and writing WAV files.

use crate::Sound;

/// Writes 16-bit mono PCM.
pub fn write(samples: &[f32], rate: u32) -> Vec<u8> {
    let length = u32::try_from(samples.len() * 2).unwrap_or(u32::MAX - 36);
    let mut file = Vec::with_capacity(samples.len() * 2 + 44);
    file.extend(b"RIFF");
    file.extend((36 + length).to_le_bytes());
    file.extend(b"WAVEfmt ");
    file.extend(16u32.to_le_bytes());
    file.extend([1, 0, 1, 0]);
    file.extend(rate.to_le_bytes());
    file.extend((rate.saturating_mul(2)).to_le_bytes());
    file.extend([2, 0, 16, 0]);
    file.extend(b"data");
    file.extend(length.to_le_bytes());
    for sample in samples {
        file.extend(((sample * 32767.0).clamp(-32768.0, 32767.0) as i16).to_le_bytes());
    }
    file
}

/// Reads integer PCM of 8 to 32 bits or 32-bit float, and mixes the channels to mono. Streamed files with unknown
/// lengths in their headers are read to their last byte.
pub fn read(file: &[u8]) -> Result<Sound, String> {
    let header = file.get(..12).ok_or("the WAV file is truncated")?;
    if &header[..4] != b"RIFF" || &header[8..] != b"WAVE" {
        return Err("not a WAV file".to_owned());
    }
    let mut format: Option<Format> = None;
    let mut rest = &file[12..];
    while let Some((head, body)) = rest.split_at_checked(8) {
        let length = u32::from_le_bytes([head[4], head[5], head[6], head[7]]) as usize;
        let chunk = &body[..length.min(body.len())];
        match &head[..4] {
            b"fmt " => format = Some(Format::read(chunk)?),
            b"data" => return format.ok_or("the WAV file has no `fmt ` chunk")?.samples(chunk),
            _ => {}
        }
        rest = body.get(length.saturating_add(length % 2)..).unwrap_or_default();
    }
    Err("the WAV file has no `data` chunk".to_owned())
}

struct Format {
    floating: bool,
    channels: usize,
    rate: u32,
    bytes: usize,
}

impl Format {
    fn read(chunk: &[u8]) -> Result<Self, String> {
        let number = |at: usize| {
            chunk
                .get(at..at + 2)
                .map(|two| u16::from_le_bytes([two[0], two[1]]))
                .ok_or("the `fmt ` chunk is truncated")
        };
        let rate = chunk
            .get(4..8)
            .map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]]))
            .unwrap_or_default();
        // WAVE_FORMAT_EXTENSIBLE has the actual format in its sub-format.
        let kind = if number(0)? == 0xfffe { number(24)? } else { number(0)? };
        let (channels, bits) = (usize::from(number(2)?), number(14)?);
        let known = matches!((kind, bits), (1, 8 | 16 | 24 | 32) | (3, 32));
        if !known || !(1..=64).contains(&channels) || rate == 0 {
            return Err(format!(
                "unsupported WAV format {kind} with {bits} bits and {channels} channels at {rate} Hz"
            ));
        }
        Ok(Self { floating: kind == 3, channels, rate, bytes: usize::from(bits / 8) })
    }

    fn samples(&self, data: &[u8]) -> Result<Sound, String> {
        let sample = |bytes: &[u8]| match *bytes {
            [a] => (f32::from(a) - 128.0) / 128.0,
            [a, b] => f32::from(i16::from_le_bytes([a, b])) / 32768.0,
            [a, b, c] => (i32::from_le_bytes([0, a, b, c]) >> 8) as f32 / 8_388_608.0,
            [a, b, c, d] if self.floating => f32::from_le_bytes([a, b, c, d]),
            [a, b, c, d] => i32::from_le_bytes([a, b, c, d]) as f32 / 2_147_483_648.0,
            _ => 0.0,
        };
        let mixed =
            |frame: &[u8]| frame.chunks_exact(self.bytes).map(sample).sum::<f32>() / self.channels as f32;
        let samples = data
            .chunks_exact(self.bytes * self.channels)
            .map(mixed)
            .map(|s| if s.is_finite() { s } else { 0.0 });
        Ok(Sound { samples: samples.collect(), rate: self.rate })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_files_are_read_back() {
        let samples = [0.0, 0.5, -0.5, 0.25];
        let sound = read(&write(&samples, 22_050)).unwrap();
        assert_eq!(sound.rate, 22_050);
        assert!(sound.samples.iter().zip(samples).all(|(a, b)| (a - b).abs() < 1e-4));
    }

    #[test]
    fn streamed_files_are_read_and_channels_mixed() {
        let mut file = write(&[0.5, -0.5, 0.5, 0.5], 8_000);
        file[4..8].copy_from_slice(&u32::MAX.to_le_bytes());
        file[40..44].copy_from_slice(&u32::MAX.to_le_bytes());
        file[22] = 2;
        let sound = read(&file).unwrap();
        assert_eq!(sound.samples.len(), 2);
        assert!(sound.samples[0].abs() < 1e-4 && (sound.samples[1] - 0.5).abs() < 1e-4);
    }

    #[test]
    fn damaged_files_are_rejected() {
        let file = write(&[0.5; 8], 8_000);
        for length in 0..44 {
            assert!(read(&file[..length]).is_err(), "{length} bytes");
        }
        let mut strange = file.clone();
        strange[20] = 85;
        assert!(read(&strange).is_err());
    }
}
