//! Encoding a film: H.264 pictures and AAC sound into an MP4 file.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use crate::audio_decode::SAMPLE_RATE;
use crate::av::Packet;
use crate::codec::{AAC_FRAME, Codec, PictureFrame, SoundFrame, open_aac, open_x264};
use crate::error::MediaError;
use crate::mux::{Muxer, Stream};

/// Largest side of a film.
const MAX_SIDE: u32 = 16_384;

/// Highest frame rate of a film.
const MAX_FPS: u32 = 1000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Quality {
    Draft,
    #[default]
    Standard,
    High,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodeSettings {
    /// Even.
    pub width: u32,
    /// Even.
    pub height: u32,
    pub fps: u32,
    pub quality: Quality,
    /// Threads of the picture encoder; part of what makes the bytes reproducible.
    pub threads: u32,
    /// Whether the film has a sound track.
    pub audio: bool,
}

/// A picture to encode: BT.709 limited range, 4:2:0, chroma planes half as wide and high.
#[derive(Debug, Clone, Copy)]
pub struct I420<'a> {
    pub y: &'a [u8],
    pub u: &'a [u8],
    pub v: &'a [u8],
    /// Bytes from one row to the next.
    pub y_stride: usize,
    pub uv_stride: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EncodeReport {
    pub frames: u64,
    pub bytes: u64,
}

/// Writes a film under a temporary name beside the target and renames it at the end; dropping it before removes the
/// partial file.
pub struct Encoder {
    settings: EncodeSettings,
    path: PathBuf,
    muxer: Muxer,
    picture: Codec,
    picture_frame: PictureFrame,
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

impl Encoder {
    pub fn create(path: &Path, settings: EncodeSettings) -> Result<Self, MediaError> {
        check(&settings)?;
        let unwritable = |reason| MediaError::unwritable(path, reason);
        let picture = open_x264(&settings).map_err(unwritable)?;
        let sound = if settings.audio { Some(Sound::new().map_err(unwritable)?) } else { None };
        let muxer = Muxer::create(path, settings.fps, &picture, sound.as_ref().map(|sound| &sound.codec))?;
        Ok(Self {
            settings,
            path: path.to_owned(),
            muxer,
            picture,
            picture_frame: PictureFrame::new(),
            frames: 0,
            sound,
        })
    }

    pub fn push_video(&mut self, picture: &I420<'_>) -> Result<(), MediaError> {
        let EncodeSettings { width, height, .. } = self.settings;
        if !picture.covers(width, height) {
            return Err(bad(&self.settings, "a picture handed over has too small a plane or stride"));
        }
        let frame = self.picture_frame.fill(picture, width, height, self.frames as i64);
        let sent = frame.and_then(|frame| self.picture.send(Some(frame)));
        sent.map_err(|reason| self.unwritable(reason))?;
        self.frames += 1;
        self.write_pictures()?;
        self.write_sound(self.sound_length(), false)
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
    pub fn finish(mut self) -> Result<EncodeReport, MediaError> {
        if self.frames == 0 {
            return Err(self.unwritable("a film needs at least one frame".to_owned()));
        }
        self.picture.send(None).map_err(|reason| self.unwritable(reason))?;
        self.write_pictures()?;
        let length = self.sound_length();
        if let Some(sound) = &mut self.sound {
            let finished = sound.finish(length);
            finished.map_err(|reason| self.unwritable(reason))?;
        }
        self.write_sound(length, true)?;
        Ok(EncodeReport { frames: self.frames, bytes: self.muxer.finish()? })
    }

    /// Samples that last as long as the pictures so far, never longer.
    fn sound_length(&self) -> i64 {
        (self.frames * u64::from(SAMPLE_RATE) / u64::from(self.settings.fps)) as i64
    }

    fn write_pictures(&mut self) -> Result<(), MediaError> {
        let time_base = self.picture.context().time_base;
        while let Some(packet) = self.picture.receive().map_err(|reason| self.unwritable(reason))? {
            // SAFETY: the packet is ours; a picture lasts one tick.
            unsafe { (*packet.0).duration = 1 };
            self.muxer.write(packet, Stream::Picture, time_base)?;
        }
        Ok(())
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

impl I420<'_> {
    fn covers(&self, width: u32, height: u32) -> bool {
        let holds = |plane: &[u8], stride: usize, width: usize, rows: usize| {
            stride >= width
                && stride
                    .checked_mul(rows - 1)
                    .and_then(|bytes| bytes.checked_add(width))
                    .is_some_and(|bytes| plane.len() >= bytes)
        };
        let (width, height) = (width as usize, height as usize);
        holds(self.y, self.y_stride, width, height)
            && holds(self.u, self.uv_stride, width / 2, height / 2)
            && holds(self.v, self.uv_stride, width / 2, height / 2)
    }
}

fn check(settings: &EncodeSettings) -> Result<(), MediaError> {
    let even = |side: u32| side.is_multiple_of(2) && (2..=MAX_SIDE).contains(&side);
    if !even(settings.width) || !even(settings.height) {
        return Err(bad(settings, "both sides must be even, from 2 to 16384"));
    }
    if !(1..=MAX_FPS).contains(&settings.fps) {
        return Err(bad(settings, "the rate must be from 1 to 1000"));
    }
    Ok(())
}

fn bad(settings: &EncodeSettings, reason: &str) -> MediaError {
    MediaError::BadSettings {
        width: settings.width,
        height: settings.height,
        fps: settings.fps,
        reason: reason.to_owned(),
    }
}
