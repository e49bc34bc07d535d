//! Encoding pictures: a chunk is a closed group of H.264 pictures made by an encoder of its own, so that its bytes depend
//! on its pictures and settings alone and chunks can be joined without encoding again.

use crate::codec::{Codec, PictureFrame, open_x264};
use crate::error::MediaError;

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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PictureSettings {
    /// Even.
    pub width: u32,
    /// Even.
    pub height: u32,
    pub fps: u32,
    pub quality: Quality,
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

/// Encoded pictures, the first of which needs no other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodedChunk {
    /// Parameter sets; the same for every chunk of a film.
    pub header: Vec<u8>,
    /// Frames by which decoding runs ahead of showing.
    pub delay: u32,
    /// In decoding order, one a frame.
    pub packets: Vec<EncodedPicture>,
    /// The pictures' bytes, one after the other.
    pub data: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EncodedPicture {
    /// Which frame of the chunk it shows.
    pub frame: u32,
    /// Whether decoding can start here.
    pub key: bool,
    pub bytes: u32,
}

/// Encodes one chunk.
pub struct ChunkEncoder {
    settings: PictureSettings,
    codec: Codec,
    picture: PictureFrame,
    frames: u32,
    pushed: u32,
    chunk: EncodedChunk,
}

impl ChunkEncoder {
    /// For a chunk of exactly `frames` pictures.
    pub fn new(settings: &PictureSettings, frames: u32) -> Result<Self, MediaError> {
        settings.check()?;
        if frames == 0 {
            return Err(settings.bad("a chunk needs at least one frame"));
        }
        let codec = open_x264(settings).map_err(|reason| settings.bad(&reason))?;
        let chunk = EncodedChunk {
            header: codec.header().to_vec(),
            delay: codec.delay(),
            packets: Vec::with_capacity(frames as usize),
            data: Vec::new(),
        };
        Ok(Self { settings: *settings, codec, picture: PictureFrame::new(), frames, pushed: 0, chunk })
    }

    pub fn push(&mut self, picture: &I420<'_>) -> Result<(), MediaError> {
        let PictureSettings { width, height, .. } = self.settings;
        if !picture.covers(width, height) {
            return Err(self.settings.bad("a picture handed over has too small a plane or stride"));
        }
        if self.pushed == self.frames {
            return Err(self.settings.bad("more pictures were handed over than the chunk has"));
        }
        // The next chunk starts with a key frame that would be taken for the same one if this chunk ended with one.
        let last = self.pushed > 0 && self.pushed + 1 == self.frames;
        let frame = self.picture.fill(picture, width, height, i64::from(self.pushed), last);
        let sent = frame.and_then(|frame| self.codec.send(Some(frame)));
        sent.map_err(|reason| self.settings.bad(&reason))?;
        self.pushed += 1;
        self.collect()
    }

    /// Waits for the pictures still in the works.
    pub fn finish(mut self) -> Result<EncodedChunk, MediaError> {
        if self.pushed != self.frames {
            return Err(self.settings.bad("fewer pictures were handed over than the chunk has"));
        }
        self.codec.send(None).map_err(|reason| self.settings.bad(&reason))?;
        self.collect()?;
        if !self.chunk.is_whole() {
            return Err(self.settings.bad("the encoder lost pictures"));
        }
        Ok(self.chunk)
    }

    fn collect(&mut self) -> Result<(), MediaError> {
        while let Some(packet) = self.codec.receive().map_err(|reason| self.settings.bad(&reason))? {
            let data = packet.data();
            self.chunk.packets.push(EncodedPicture {
                frame: u32::try_from(packet.pts()).unwrap_or(u32::MAX),
                key: packet.is_key(),
                bytes: data.len() as u32,
            });
            self.chunk.data.extend_from_slice(data);
        }
        Ok(())
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
        let bytes: u64 = self.packets.iter().map(|packet| u64::from(packet.bytes)).sum();
        self.packets.first().is_some_and(|first| first.key && first.frame == 0)
            && bytes == self.data.len() as u64
    }

    /// The pictures in decoding order, each with its bytes.
    pub(crate) fn pictures(&self) -> impl Iterator<Item = (EncodedPicture, &[u8])> {
        let mut rest = &self.data[..];
        self.packets.iter().map(move |packet| {
            let (bytes, after) = rest.split_at((packet.bytes as usize).min(rest.len()));
            rest = after;
            (*packet, bytes)
        })
    }
}

/// What decides a chunk's bytes besides its pictures: a small chunk made with the same settings. It holds the encoder's
/// name, version and every parameter.
pub fn encoder_sample(settings: &PictureSettings) -> Result<EncodedChunk, MediaError> {
    settings.check()?;
    const SIDE: u32 = 64;
    let small = PictureSettings { width: SIDE, height: SIDE, ..*settings };
    let mut encoder = ChunkEncoder::new(&small, 1)?;
    let (luma, chroma) = ([128; (SIDE * SIDE) as usize], [128; (SIDE * SIDE / 4) as usize]);
    let (y_stride, uv_stride) = (SIDE as usize, SIDE as usize / 2);
    encoder.push(&I420 { y: &luma, u: &chroma, v: &chroma, y_stride, uv_stride })?;
    encoder.finish()
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

impl PictureSettings {
    pub(crate) fn check(&self) -> Result<(), MediaError> {
        let even = |side: u32| side.is_multiple_of(2) && (2..=MAX_SIDE).contains(&side);
        if !even(self.width) || !even(self.height) {
            return Err(self.bad("both sides must be even, from 2 to 16384"));
        }
        if !(1..=MAX_FPS).contains(&self.fps) {
            return Err(self.bad("the rate must be from 1 to 1000"));
        }
        Ok(())
    }

    fn bad(&self, reason: &str) -> MediaError {
        MediaError::BadSettings {
            width: self.width,
            height: self.height,
            fps: self.fps,
            reason: reason.to_owned(),
        }
    }
}
