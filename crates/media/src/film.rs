//! Writing a film: chunks of pictures joined one after the other, AAC sound beside them, in an MP4 file.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use crate::audio_decode::SAMPLE_RATE;
use crate::av::Packet;
use crate::codec::{AAC_FRAME, Codec, SoundFrame, frame_time_base, open_aac, open_x264};
use crate::encode::{EncodedChunk, PictureSettings};
use crate::error::MediaError;
use crate::mux::{Muxer, Stream};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FilmReport {
    pub frames: u64,
    pub bytes: u64,
}

/// Writes a film under a temporary name beside the target and renames it at the end; dropping it before removes the
/// partial file.
pub struct FilmWriter {
    fps: u32,
    path: PathBuf,
    muxer: Muxer,
    /// Parameter sets that every chunk must share.
    header: Vec<u8>,
    delay: u32,
    frames: u64,
    sound: Option<Sound>,
}

/// The sound track under way.
struct Sound {
    codec: Codec,
    frame: SoundFrame,
    /// Interleaved samples that do not fill a packet yet.
    pending: Vec<f32>,
    /// Frames handed to the encoder.
    sent: i64,
    /// Finished packets not yet covered by pictures.
    packets: VecDeque<Packet>,
}

impl FilmWriter {
    /// `audio` says whether the film has a sound track.
    pub fn create(path: &Path, settings: &PictureSettings, audio: bool) -> Result<Self, MediaError> {
        settings.check()?;
        let unwritable = |reason| MediaError::unwritable(path, reason);
        // It encodes nothing: what the file must say about its pictures is what an encoder would say.
        let picture = open_x264(settings).map_err(unwritable)?;
        let sound = if audio { Some(Sound::new().map_err(unwritable)?) } else { None };
        let muxer = Muxer::create(path, settings.fps, &picture, sound.as_ref().map(|sound| &sound.codec))?;
        Ok(Self {
            fps: settings.fps,
            path: path.to_owned(),
            muxer,
            header: picture.header().to_vec(),
            delay: picture.delay(),
            frames: 0,
            sound,
        })
    }

    /// Adds a chunk after the last one.
    pub fn append(&mut self, chunk: &EncodedChunk) -> Result<(), MediaError> {
        if chunk.header != self.header || chunk.delay != self.delay || !chunk.is_whole() {
            return Err(self.unwritable("a chunk of another film was handed over".to_owned()));
        }
        let start = self.frames as i64;
        for (index, (picture, bytes)) in chunk.pictures().enumerate() {
            let shown = start + i64::from(picture.frame);
            let decoded = start + index as i64 - i64::from(self.delay);
            let packet = Packet::of_picture(bytes, shown, decoded, picture.key)
                .ok_or_else(|| self.unwritable("there is not enough memory".to_owned()))?;
            self.muxer.write(packet, Stream::Picture, frame_time_base(self.fps))?;
            self.frames += 1;
            // Sound goes in with the pictures it is heard with.
            self.write_sound(self.sound_length(), false)?;
        }
        Ok(())
    }

    /// Interleaved stereo at 48 kHz, in pieces of any even length. Sound beyond the last picture is cut, missing sound
    /// is silence. Ignored when the film has no sound.
    pub fn push_audio(&mut self, samples: &[f32]) -> Result<(), MediaError> {
        let Some(sound) = &mut self.sound else { return Ok(()) };
        let pushed = sound.push(samples);
        pushed.map_err(|reason| self.unwritable(reason))?;
        self.write_sound(self.sound_length(), false)
    }

    /// Completes the file and gives it its name.
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
        Ok(FilmReport { frames: self.frames, bytes: self.muxer.finish()? })
    }

    /// Samples that last as long as the pictures so far, never longer.
    fn sound_length(&self) -> i64 {
        (self.frames * u64::from(SAMPLE_RATE) / u64::from(self.fps)) as i64
    }

    /// Writes the packets that end within `length` samples; at the last call also the one that crosses it, cut.
    fn write_sound(&mut self, length: i64, last: bool) -> Result<(), MediaError> {
        let Some(sound) = &mut self.sound else { return Ok(()) };
        let time_base = sound.codec.context().time_base;
        while let Some(packet) = sound.packets.front() {
            // SAFETY: the packet is ours.
            let start = unsafe { (*packet.0).pts };
            if start >= length || (!last && start + AAC_FRAME > length) {
                break;
            }
            // SAFETY: as above.
            unsafe { (*packet.0).duration = AAC_FRAME.min(length - start) };
            if let Some(packet) = sound.packets.pop_front() {
                self.muxer.write(packet, Stream::Sound, time_base)?;
            }
        }
        Ok(())
    }

    fn unwritable(&self, reason: String) -> MediaError {
        MediaError::unwritable(&self.path, reason)
    }
}

impl Sound {
    fn new() -> Result<Self, String> {
        Ok(Self {
            codec: open_aac()?,
            frame: SoundFrame::new(),
            pending: Vec::with_capacity(AAC_FRAME as usize * 4),
            sent: 0,
            packets: VecDeque::new(),
        })
    }

    fn push(&mut self, samples: &[f32]) -> Result<(), String> {
        const PACKET: usize = AAC_FRAME as usize * 2;
        let mut rest = samples;
        if !self.pending.is_empty() {
            let (head, tail) = rest.split_at(rest.len().min(PACKET - self.pending.len()));
            self.pending.extend_from_slice(head);
            rest = tail;
            if self.pending.len() == PACKET {
                let full = std::mem::take(&mut self.pending);
                self.send(&full)?;
                self.pending = full;
                self.pending.clear();
            }
        }
        let whole = rest.chunks_exact(PACKET);
        self.pending.extend_from_slice(whole.remainder());
        for packet in whole {
            self.send(packet)?;
        }
        Ok(())
    }

    /// Encodes up to one packet's worth of samples.
    fn send(&mut self, samples: &[f32]) -> Result<(), String> {
        let frame = self.frame.fill(samples, self.sent)?;
        self.codec.send(Some(frame))?;
        self.sent += samples.len() as i64 / 2;
        self.collect()
    }

    fn collect(&mut self) -> Result<(), String> {
        while let Some(packet) = self.codec.receive()? {
            self.packets.push_back(packet);
        }
        Ok(())
    }

    /// Fills up with silence to `length` samples and drains the encoder.
    fn finish(&mut self, length: i64) -> Result<(), String> {
        let silence = [0.0; AAC_FRAME as usize * 2];
        while self.sent + (self.pending.len() as i64 / 2) < length {
            let missing = length - self.sent - self.pending.len() as i64 / 2;
            self.push(&silence[..missing.min(AAC_FRAME) as usize * 2])?;
        }
        if self.pending.len() >= 2 {
            let rest = std::mem::take(&mut self.pending);
            self.send(&rest)?;
        }
        self.codec.send(None)?;
        self.collect()
    }
}
