//! Film files: chunks of video joined in order, and an audio track. Also audio files.

use std::ffi::c_int;
use std::path::{Path, PathBuf};

use super::audio_track::SoundTrack;
use super::muxer::{Container, Muxer, Tracks};
use super::parts::KeepPart;
use super::segments::{SegmentWriter, Streaming};
use crate::encode::audio_codec::SoundCodec;
use crate::encode::video_codec;
use crate::encode::{EncodedChunk, PictureSettings};
use crate::error::MediaError;
use crate::ffi::ffmpeg::AVRational;
use crate::ffi::{Packet, frame_time_base};
use rondo_sound::SAMPLE_RATE;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FilmReport {
    pub frames: u64,
    pub bytes: u64,
}

/// Writes a film under a temporary name beside the target and renames it at the end; dropping it before removes the
/// partial file. The same packets can also go into segments, which are finished one by one.
pub struct FilmWriter {
    fps: u32,
    path: PathBuf,
    /// None for a film of segments only.
    film: Option<Muxer>,
    segments: Option<SegmentWriter>,
    /// Parameter sets that every chunk must share.
    header: Vec<u8>,
    delay: u32,
    frames: u64,
    sound: Option<SoundTrack>,
}

impl FilmWriter {
    /// A film without a sound codec has no sound track.
    pub fn create(
        path: &Path,
        container: Container,
        settings: &PictureSettings,
        sound: Option<SoundCodec>,
    ) -> Result<Self, MediaError> {
        Self::streamed(path, container, settings, sound, None, None)
    }

    /// The same with segments, which are cut after every chunk. If something keeps parts, a large film may leave in parts while it
    /// is written, and no file is.
    pub fn streamed(
        path: &Path,
        container: Container,
        settings: &PictureSettings,
        sound: Option<SoundCodec>,
        streaming: Option<Streaming>,
        parts: Option<KeepPart>,
    ) -> Result<Self, MediaError> {
        settings.check()?;
        let unwritable = |reason| MediaError::unwritable(path, reason);
        // It encodes nothing: what the file must say about its pictures is what an encoder would say.
        let picture = video_codec::open(settings).map_err(unwritable)?;
        let sound = sound.map(SoundTrack::new).transpose().map_err(unwritable)?;
        let tracks = Tracks {
            picture: Some((&picture, settings.fps)),
            alpha: settings.alpha,
            sound: sound.as_ref().map(|sound| &sound.codec),
            last_hundredths: 0,
        };
        let film = match container {
            Container::Segments => None,
            container => Some(Muxer::in_parts(path, container, &tracks, parts)?),
        };
        let segments = streaming.map(|streaming| SegmentWriter::new(&tracks, streaming));
        Ok(Self {
            fps: settings.fps,
            path: path.to_owned(),
            film,
            segments: segments.transpose().map_err(unwritable)?,
            header: picture.header().to_vec(),
            delay: video_codec::delay(&picture, settings),
            frames: 0,
            sound,
        })
    }

    /// Adds a chunk after the last one.
    pub fn append(&mut self, chunk: &EncodedChunk) -> Result<(), MediaError> {
        // Some encoders output their parameter sets only with the first picture.
        let told_late = self.frames == 0 && self.header.is_empty() && !chunk.header.is_empty();
        if told_late {
            self.header = chunk.header.clone();
        }
        if chunk.header != self.header || chunk.delay != self.delay || !chunk.is_whole() {
            return Err(self.unwritable("got a chunk of another film".to_owned()));
        }
        let start = self.frames as i64;
        for (index, (picture, bytes, alpha)) in chunk.pictures().enumerate() {
            let shown = start + i64::from(picture.frame);
            let decoded = start + index as i64 - i64::from(self.delay);
            let packet = Packet::of_picture(bytes, alpha, shown, decoded, picture.key)
                .filter(|packet| index > 0 || !told_late || packet.carry_header(&chunk.header))
                .ok_or_else(|| self.unwritable("there is not enough memory".to_owned()))?;
            write(&mut self.film, &mut self.segments, packet, PICTURE, frame_time_base(self.fps))
                .map_err(|reason| self.unwritable(reason))?;
            self.frames += 1;
            // Sound goes in with the pictures it is heard with.
            self.write_sound(self.sound_length(), false)?;
        }
        let frames = self.frames;
        let cut = self.segments.as_mut().map_or(Ok(()), |segments| segments.reach(frames));
        cut.map_err(|reason| self.unwritable(reason))
    }

    /// Interleaved stereo at 48 kHz, in pieces of any even length. Sound beyond the last picture is cut, missing sound
    /// is silence. Ignored when the film has no sound.
    pub fn push_audio(&mut self, samples: &[f32]) -> Result<(), MediaError> {
        let Some(sound) = &mut self.sound else { return Ok(()) };
        let pushed = sound.push(samples);
        pushed.map_err(|reason| self.unwritable(reason))?;
        self.write_sound(self.sound_length(), false)
    }

    /// Completes the file and renames it.
    pub fn finish(mut self) -> Result<FilmReport, MediaError> {
        if self.frames == 0 {
            return Err(self.unwritable("a film needs at least one frame".to_owned()));
        }
        let length = self.sound_length();
        if let Some(sound) = &mut self.sound {
            let finished = sound.finish(length);
            finished.map_err(|reason| self.unwritable(reason))?;
        }
        self.write_sound(length, true)?;
        let frames = self.frames;
        let cut = self.segments.as_mut().map_or(Ok(()), |segments| segments.cut(frames));
        cut.map_err(|reason| self.unwritable(reason))?;
        let bytes = match self.film {
            Some(film) => film.finish()?,
            None => self.segments.map_or(0, |segments| segments.bytes),
        };
        Ok(FilmReport { frames, bytes })
    }

    /// Samples that last as long as the pictures so far, never longer.
    fn sound_length(&self) -> i64 {
        (self.frames * u64::from(SAMPLE_RATE) / u64::from(self.fps)) as i64
    }

    fn write_sound(&mut self, length: i64, last: bool) -> Result<(), MediaError> {
        let Self { sound, film, segments, path, .. } = self;
        let Some(sound) = sound else { return Ok(()) };
        sound.write(length, last, &mut |packet, time_base| {
            write(film, segments, packet, SOUND, time_base)
                .map_err(|reason| MediaError::unwritable(path, reason))
        })
    }

    fn unwritable(&self, reason: String) -> MediaError {
        MediaError::unwritable(&self.path, reason)
    }
}

/// Numbers of the tracks of a film.
const PICTURE: c_int = 0;
const SOUND: c_int = 1;

/// Writes a packet to the file and to the segments.
fn write(
    film: &mut Option<Muxer>,
    segments: &mut Option<SegmentWriter>,
    packet: Packet,
    track: c_int,
    time_base: AVRational,
) -> Result<(), String> {
    if let Some(segments) = segments {
        segments.write(&packet, track, time_base)?;
    }
    match film {
        Some(film) => film.write(packet, track, time_base),
        None => Ok(()),
    }
}

/// Writes an audio file, in the same manner.
pub struct SoundWriter {
    path: PathBuf,
    muxer: Muxer,
    sound: SoundTrack,
    /// Samples taken so far, each for both channels.
    length: i64,
}

impl SoundWriter {
    pub fn create(path: &Path, container: Container, codec: SoundCodec) -> Result<Self, MediaError> {
        let sound = SoundTrack::new(codec).map_err(|reason| MediaError::unwritable(path, reason))?;
        let tracks = Tracks { picture: None, alpha: false, sound: Some(&sound.codec), last_hundredths: 0 };
        let muxer = Muxer::create(path, container, &tracks)?;
        Ok(Self { path: path.to_owned(), muxer, sound, length: 0 })
    }

    /// Interleaved stereo at 48 kHz.
    pub fn push(&mut self, samples: &[f32]) -> Result<(), MediaError> {
        self.length += samples.len() as i64 / 2;
        self.sound.push(samples).map_err(|reason| MediaError::unwritable(&self.path, reason))?;
        self.write(false)
    }

    /// Completes the file, renames it and returns its length in bytes.
    pub fn finish(mut self) -> Result<u64, MediaError> {
        let finished = self.sound.finish(self.length);
        finished.map_err(|reason| MediaError::unwritable(&self.path, reason))?;
        self.write(true)?;
        self.muxer.finish()
    }

    fn write(&mut self, last: bool) -> Result<(), MediaError> {
        let Self { sound, muxer, path, length } = self;
        sound.write(*length, last, &mut |packet, time_base| {
            muxer.write(packet, 0, time_base).map_err(|reason| MediaError::unwritable(path, reason))
        })
    }
}
