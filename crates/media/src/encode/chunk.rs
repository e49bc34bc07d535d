//! Encoding pictures: a chunk is a closed group of pictures made by an encoder of its own, so that its bytes depend on
//! its pictures and settings alone and chunks can be joined without encoding again.

use std::sync::Arc;

use rondo_pixels::{BitmapRef, Planes};

use super::frame::PictureFrame;
use super::h264::Repeats;
use super::settings::PictureSettings;
use super::video_codec::{self, PictureCodec};
use crate::error::MediaError;
use crate::ffi::Codec;

/// Encoded pictures, the first of which needs no other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodedChunk {
    /// Parameter sets; the same for every chunk of a film.
    pub header: Vec<u8>,
    /// Frames by which decoding runs ahead of showing.
    pub delay: u32,
    /// In decoding order, one a frame.
    pub packets: Vec<EncodedPicture>,
    /// The pictures' bytes, one after the other, each followed by those of its transparency.
    pub data: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EncodedPicture {
    /// Which frame of the chunk it shows.
    pub frame: u32,
    /// Whether decoding can start here.
    pub key: bool,
    pub bytes: u32,
    /// Bytes of its transparency, where the codec keeps it apart.
    pub alpha_bytes: u32,
}

/// Repeats in a row from which on they are written without the encoder. The pictures around them can have no B-frames
/// between them, which a single one would not make up for.
const WORTH_REPEATING: u32 = 2;

/// Frames that a picture with repeats lasts by the encoder's clock. With two it looks as good as if all of them were
/// encoded, for about as many bytes; with one, photographs lose 2 dB.
const STAY: i64 = 2;

/// What an encoder may make of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Any,
    /// One that refers to an earlier one.
    Leaning,
    /// One with which decoding can start.
    Key,
}

/// The last picture handed over, not encoded yet, and how often it was handed over again.
struct Waiting {
    picture: Arc<Planes>,
    again: u32,
}

/// A picture that the encoder has.
struct Sent {
    time: i64,
    frame: u32,
}

/// Encodes one chunk.
pub struct ChunkEncoder {
    settings: PictureSettings,
    codec: Codec,
    picture: PictureFrame,
    frames: u32,
    /// Pictures handed over.
    pushed: u32,
    /// Frames that the encoder has or that will be repeats.
    settled: u32,
    /// The pictures that the encoder has, in order.
    encoded: Vec<Sent>,
    /// The time of the next one, by the encoder's clock.
    time: i64,
    waiting: Option<Waiting>,
    /// The picture that was repeated last, if the next one follows its repeats.
    repeated: Option<Arc<Planes>>,
    /// Where pictures can be repeated without the encoder.
    repeats: Option<Repeats>,
    chunk: EncodedChunk,
}

impl ChunkEncoder {
    /// For a chunk of exactly `frames` pictures.
    pub fn new(settings: &PictureSettings, frames: u32) -> Result<Self, MediaError> {
        settings.check()?;
        if frames == 0 {
            return Err(settings.bad("a chunk needs at least one frame"));
        }
        let codec = video_codec::open(settings).map_err(|reason| settings.bad(&reason))?;
        let chunk = EncodedChunk {
            header: codec.header().to_vec(),
            delay: video_codec::delay(&codec, settings),
            packets: Vec::with_capacity(frames as usize),
            data: Vec::new(),
        };
        let repeats = (settings.codec == PictureCodec::H264).then(|| Repeats::new(codec.header())).flatten();
        Ok(Self {
            settings: *settings,
            codec,
            picture: PictureFrame::new(),
            frames,
            pushed: 0,
            settled: 0,
            encoded: Vec::new(),
            time: 0,
            waiting: None,
            repeated: None,
            repeats,
            chunk,
        })
    }

    /// Encodes a picture of a film with transparency or more than eight bits. It is copied first. A film one pixel wider or
    /// higher repeats its last column or row.
    pub fn push_rgba(&mut self, picture: BitmapRef<'_>) -> Result<(), MediaError> {
        let wide = |side: u32, film: u32| side > 0 && side.next_multiple_of(2) == film;
        let fits = !self.settings.takes_planes()
            && wide(picture.width, self.settings.width)
            && wide(picture.height, self.settings.height)
            && picture.pixels.len() == picture.width as usize * picture.height as usize * 4;
        self.take(fits)?;
        self.settle()?;
        let role = self.role(None, false);
        let filled = self.picture.fill(&picture, &self.settings, self.time, role);
        self.encode(filled, 0)
    }

    /// Encodes a picture of an eight-bit film without transparency. The encoder keeps the planes for as long as it needs
    /// them.
    pub fn push_planes(&mut self, picture: Arc<Planes>) -> Result<(), MediaError> {
        let fits = self.settings.takes_planes()
            && (picture.width, picture.height) == (self.settings.width, self.settings.height)
            && picture.is_complete();
        self.take(fits)?;
        match &mut self.waiting {
            Some(waiting) if self.repeats.is_some() && are_same(&waiting.picture, &picture) => {
                waiting.again += 1;
                Ok(())
            }
            _ => {
                self.settle()?;
                self.waiting = Some(Waiting { picture, again: 0 });
                Ok(())
            }
        }
    }

    /// Counts a picture, which must fit.
    fn take(&mut self, fits: bool) -> Result<(), MediaError> {
        if !fits {
            return Err(self.settings.bad("a picture handed over has the wrong layout or too small a plane"));
        }
        if self.pushed == self.frames {
            return Err(self.settings.bad("more pictures were handed over than the chunk has"));
        }
        self.pushed += 1;
        Ok(())
    }

    /// Encodes the picture that waits, and what is left of the times it was handed over again.
    fn settle(&mut self) -> Result<(), MediaError> {
        let Some(Waiting { picture, mut again }) = self.waiting.take() else { return Ok(()) };
        loop {
            let longest = self.repeats.as_ref().map_or(0, Repeats::longest);
            let times = if again < WORTH_REPEATING { 0 } else { again.min(longest) };
            if let Some(repeats) = self.repeats.as_mut().filter(|_| times > 0) {
                repeats.plan(self.settled, times);
            }
            let role = self.role(Some(&picture), times > 0);
            let lent = self.picture.lend(picture.clone(), &self.settings, self.time, role);
            self.encode(lent, times)?;
            self.repeated = (times > 0).then(|| picture.clone());
            match again.checked_sub(times + 1) {
                Some(left) => again = left,
                None => return Ok(()),
            }
        }
    }

    /// What the next picture has to be. No B-frame may look across repeats, so the pictures on both sides of them are none.
    fn role(&self, picture: Option<&Arc<Planes>>, repeated: bool) -> Role {
        let last = self.settings.codec.joins_key_frames() && self.settled + 1 == self.frames;
        match &self.repeated {
            _ if self.settled == 0 => Role::Any,
            // The next chunk begins with a key frame, which would be taken for the same one.
            _ if last => Role::Leaning,
            Some(before) if picture.is_some_and(|picture| is_new_scene(before, picture)) => Role::Key,
            Some(_) => Role::Leaning,
            None if repeated => Role::Leaning,
            None => Role::Any,
        }
    }

    /// Encodes a picture that is repeated `times` times.
    fn encode(&mut self, filled: Result<(), String>, times: u32) -> Result<(), MediaError> {
        let sent = filled.and_then(|()| self.codec.send(Some(self.picture.frame())));
        self.picture.let_go();
        sent.map_err(|reason| self.settings.bad(&reason))?;
        self.encoded.push(Sent { time: self.time, frame: self.settled });
        self.time += if times > 0 { STAY } else { 1 };
        self.settled += 1 + times;
        self.repeated = None;
        self.collect()
    }

    /// Whether a picture has come out already.
    pub fn has_output(&self) -> bool {
        !self.chunk.packets.is_empty()
    }

    /// Waits for the pictures still in the works.
    pub fn finish(mut self) -> Result<EncodedChunk, MediaError> {
        if self.pushed != self.frames {
            return Err(self.settings.bad("fewer pictures were handed over than the chunk has"));
        }
        self.settle()?;
        self.codec.send(None).map_err(|reason| self.settings.bad(&reason))?;
        self.collect()?;
        self.add_repeats(None);
        if !self.chunk.is_whole() {
            return Err(self.settings.bad("the encoder lost pictures"));
        }
        Ok(self.chunk)
    }

    fn collect(&mut self) -> Result<(), MediaError> {
        while let Some(packet) = self.codec.receive().map_err(|reason| self.settings.bad(&reason))? {
            if self.chunk.header.is_empty() {
                self.chunk.header = packet.header().to_vec();
            }
            let sent = self.encoded.binary_search_by_key(&packet.pts(), |sent| sent.time);
            let frame = sent.map_or(u32::MAX, |index| self.encoded[index].frame);
            self.add_repeats(Some(frame));
            match &mut self.repeats {
                Some(repeats) => {
                    let moved = repeats.moved(frame, packet.data());
                    let data = moved
                        .ok_or_else(|| self.settings.bad("the encoder's pictures are not understood"))?;
                    self.add(frame, packet.is_key(), &data, &[]);
                }
                None => self.add(frame, packet.is_key(), packet.data(), packet.alpha()),
            }
        }
        Ok(())
    }

    /// Adds the repeats that come before the picture of a frame, or those left at the end.
    fn add_repeats(&mut self, before: Option<u32>) {
        while let Some((frame, data)) = self.repeats.as_mut().and_then(|repeats| repeats.next_before(before))
        {
            self.add(frame, false, &data, &[]);
        }
    }

    fn add(&mut self, frame: u32, key: bool, data: &[u8], alpha: &[u8]) {
        let (bytes, alpha_bytes) = (data.len() as u32, alpha.len() as u32);
        self.chunk.packets.push(EncodedPicture { frame, key, bytes, alpha_bytes });
        self.chunk.data.extend_from_slice(data);
        self.chunk.data.extend_from_slice(alpha);
    }
}

impl EncodedChunk {
    pub fn frames(&self) -> u32 {
        self.packets.len() as u32
    }

    /// Whether every frame is there once, none is shown before it is decoded, and the bytes are as many as promised.
    pub fn is_whole(&self) -> bool {
        let mut seen = vec![false; self.packets.len()];
        for (index, packet) in self.packets.iter().enumerate() {
            match seen.get_mut(packet.frame as usize) {
                Some(seen) if !*seen && index as u32 <= packet.frame.saturating_add(self.delay) => {
                    *seen = true
                }
                _ => return false,
            }
        }
        let bytes: u64 =
            self.packets.iter().map(|packet| u64::from(packet.bytes) + u64::from(packet.alpha_bytes)).sum();
        self.packets.first().is_some_and(|first| first.key && first.frame == 0)
            && bytes == self.data.len() as u64
    }

    /// The pictures in decoding order, each with its bytes and those of its transparency.
    pub(crate) fn pictures(&self) -> impl Iterator<Item = (EncodedPicture, &[u8], &[u8])> {
        let mut rest = &self.data[..];
        let mut take = move |bytes: u32| {
            let (taken, after) = rest.split_at((bytes as usize).min(rest.len()));
            rest = after;
            taken
        };
        self.packets.iter().map(move |packet| (*packet, take(packet.bytes), take(packet.alpha_bytes)))
    }
}

/// What decides a chunk's bytes besides its pictures: a small chunk made with the same settings. What the encoder makes
/// of it, and where it says so its name, version and every parameter, tells encoders apart.
pub fn encoder_sample(settings: &PictureSettings) -> Result<EncodedChunk, MediaError> {
    settings.check()?;
    const SIDE: u32 = 64;
    let small = PictureSettings { width: SIDE, height: SIDE, ..*settings };
    let mut encoder = ChunkEncoder::new(&small, 1).map_err(|error| match error {
        // The film is told of, not the sample of it.
        MediaError::BadSettings { reason, .. } => settings.bad(&reason),
        other => other,
    })?;
    let area = (SIDE * SIDE) as usize;
    if settings.takes_planes() {
        let chroma: Vec<u8> = (0..area / 4).map(|i| 80 + (i * 3 % 90) as u8).collect();
        let y = (0..area).map(|i| 40 + (i * 7 % 160) as u8).collect();
        encoder.push_planes(Arc::new(Planes {
            width: SIDE,
            height: SIDE,
            y,
            u: chroma.clone(),
            v: chroma,
        }))?;
    } else {
        let pixels: Vec<u8> = (0..area).flat_map(|i| [(i * 7 % 160) as u8, 90, 30, 200]).collect();
        encoder.push_rgba(BitmapRef { width: SIDE, height: SIDE, pixels: &pixels })?;
    }
    encoder.finish()
}

/// Whether two pictures look the same.
fn are_same(one: &Arc<Planes>, other: &Arc<Planes>) -> bool {
    Arc::ptr_eq(one, other) || one == other
}

/// Whether one picture has little to do with another: a third of its pixels is lighter or darker. Every 32nd is looked at.
fn is_new_scene(before: &Planes, after: &Planes) -> bool {
    const CHANGED: u8 = 12;
    let width = after.width as usize;
    let (mut changed, mut seen) = (0, 0);
    for (before, after) in before.y.chunks_exact(width).zip(after.y.chunks_exact(width)).step_by(4) {
        for (before, after) in before.iter().zip(after).step_by(8) {
            changed += u32::from(before.abs_diff(*after) > CHANGED);
            seen += 1;
        }
    }
    changed > seen / 3
}
