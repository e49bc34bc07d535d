//! Encoding pictures: a chunk is a closed group of pictures made by an encoder of its own, so that its bytes depend on
//! its pictures and settings alone and chunks can be joined without encoding again.

use std::sync::Arc;

use crate::codec::Codec;
use crate::error::MediaError;
use crate::picture_codec::{self, PictureCodec};
use crate::picture_frame::PictureFrame;

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
    pub codec: PictureCodec,
    /// Whether transparency is kept; only where the codec can.
    pub alpha: bool,
}

/// A picture to encode.
#[derive(Debug, Clone, Copy)]
pub enum Picture<'a> {
    /// For eight-bit 4:2:0 without transparency.
    I420(I420<'a>),
    /// For everything else.
    Rgba(Rgba<'a>),
}

/// Premultiplied sRGB, r, g, b, a, rows without gaps. A film one pixel wider or higher repeats the last column or row.
#[derive(Debug, Clone, Copy)]
pub struct Rgba<'a> {
    pub width: u32,
    pub height: u32,
    pub pixels: &'a [u8],
}

/// Planes: BT.709 limited range, 4:2:0, chroma planes half as wide and high.
#[derive(Debug, Clone, Copy)]
pub struct I420<'a> {
    pub y: &'a [u8],
    pub u: &'a [u8],
    pub v: &'a [u8],
    /// Bytes from one row to the next.
    pub y_stride: usize,
    pub uv_stride: usize,
}

/// Planes that an encoder reads where they are.
///
/// # Safety
/// As long as the value lives, it gives the same planes every time, and nobody writes to them.
pub unsafe trait SharedPlanes: Send + Sync {
    fn planes(&self) -> I420<'_>;
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
        let codec = picture_codec::open(settings).map_err(|reason| settings.bad(&reason))?;
        let chunk = EncodedChunk {
            header: codec.header().to_vec(),
            delay: picture_codec::delay(&codec, settings),
            packets: Vec::with_capacity(frames as usize),
            data: Vec::new(),
        };
        Ok(Self { settings: *settings, codec, picture: PictureFrame::new(), frames, pushed: 0, chunk })
    }

    /// Encodes a picture; it is copied first.
    pub fn push(&mut self, picture: &Picture<'_>) -> Result<(), MediaError> {
        let leaning = self.take(picture)?;
        let frame = self.picture.fill(picture, &self.settings, i64::from(self.pushed), leaning);
        self.encode(frame.map_err(|reason| self.settings.bad(&reason)))
    }

    /// Encodes a picture of planes, which the encoder holds for as long as it needs them.
    pub fn push_shared(&mut self, picture: Arc<dyn SharedPlanes>) -> Result<(), MediaError> {
        let leaning = self.take(&Picture::I420(picture.planes()))?;
        let frame = self.picture.lend(picture, &self.settings, i64::from(self.pushed), leaning);
        self.encode(frame.map_err(|reason| self.settings.bad(&reason)))
    }

    /// Whether the picture, which must fit, may not become a key frame: the next chunk starts with one that would be taken
    /// for the same one if this chunk ended with one.
    fn take(&self, picture: &Picture<'_>) -> Result<bool, MediaError> {
        if !picture.fits(&self.settings) {
            return Err(self.settings.bad("a picture handed over has the wrong layout or too small a plane"));
        }
        if self.pushed == self.frames {
            return Err(self.settings.bad("more pictures were handed over than the chunk has"));
        }
        Ok(self.settings.codec.joins_key_frames() && self.pushed > 0 && self.pushed + 1 == self.frames)
    }

    fn encode(&mut self, filled: Result<(), MediaError>) -> Result<(), MediaError> {
        filled?;
        let sent = self.codec.send(Some(self.picture.frame()));
        self.picture.let_go();
        sent.map_err(|reason| self.settings.bad(&reason))?;
        self.pushed += 1;
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
        self.codec.send(None).map_err(|reason| self.settings.bad(&reason))?;
        self.collect()?;
        if !self.chunk.is_whole() {
            return Err(self.settings.bad("the encoder lost pictures"));
        }
        Ok(self.chunk)
    }

    fn collect(&mut self) -> Result<(), MediaError> {
        while let Some(packet) = self.codec.receive().map_err(|reason| self.settings.bad(&reason))? {
            let (data, alpha) = (packet.data(), packet.alpha());
            if self.chunk.header.is_empty() {
                self.chunk.header = packet.header().to_vec();
            }
            self.chunk.packets.push(EncodedPicture {
                frame: u32::try_from(packet.pts()).unwrap_or(u32::MAX),
                key: packet.is_key(),
                bytes: data.len() as u32,
                alpha_bytes: alpha.len() as u32,
            });
            self.chunk.data.extend_from_slice(data);
            self.chunk.data.extend_from_slice(alpha);
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
    let mut encoder = ChunkEncoder::new(&small, 1)?;
    let side = SIDE as usize;
    if settings.takes_planes() {
        let luma: Vec<u8> = (0..side * side).map(|i| 40 + (i * 7 % 160) as u8).collect();
        let chroma: Vec<u8> = (0..side * side / 4).map(|i| 80 + (i * 3 % 90) as u8).collect();
        let planes = I420 { y: &luma, u: &chroma, v: &chroma, y_stride: side, uv_stride: side / 2 };
        encoder.push(&Picture::I420(planes))?;
    } else {
        let pixels: Vec<u8> = (0..side * side).flat_map(|i| [(i * 7 % 160) as u8, 90, 30, 200]).collect();
        encoder.push(&Picture::Rgba(Rgba { width: SIDE, height: SIDE, pixels: &pixels }))?;
    }
    encoder.finish()
}

impl Picture<'_> {
    fn fits(&self, settings: &PictureSettings) -> bool {
        match self {
            Self::I420(planes) => settings.takes_planes() && planes.covers(settings.width, settings.height),
            Self::Rgba(Rgba { width, height, pixels }) => {
                let wide = |side: u32, film: u32| side > 0 && side.next_multiple_of(2) == film;
                !settings.takes_planes()
                    && wide(*width, settings.width)
                    && wide(*height, settings.height)
                    && pixels.len() == *width as usize * *height as usize * 4
            }
        }
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

impl PictureSettings {
    /// Whether pictures are handed over as planes, not as RGBA.
    pub fn takes_planes(&self) -> bool {
        !self.alpha && self.codec != PictureCodec::ProRes
    }

    pub(crate) fn check(&self) -> Result<(), MediaError> {
        let even = |side: u32| side.is_multiple_of(2) && (2..=MAX_SIDE).contains(&side);
        if !even(self.width) || !even(self.height) {
            return Err(self.bad("both sides must be even, from 2 to 16384"));
        }
        if !(1..=MAX_FPS).contains(&self.fps) {
            return Err(self.bad("the rate must be from 1 to 1000"));
        }
        if self.alpha && !self.codec.has_alpha() {
            return Err(self.bad("its codec keeps no transparency"));
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
