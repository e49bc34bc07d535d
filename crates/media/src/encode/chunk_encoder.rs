//! Encodes a chunk with an encoder of its own, so that its bytes depend on nothing but its frames and settings.

use std::sync::Arc;

use rondo_pixels::{BitmapRef, Planes};

use super::chunk::EncodedChunk;
use super::frame::{FrameType, PictureFrame};
use super::settings::PictureSettings;
use super::video_codec::{self, PictureCodec};
use crate::error::MediaError;
use crate::ffi::Codec;
use crate::h264::RepeatWriter;

/// Fewest repeats in a row that are written without the encoder. The frames around them must be P-frames, which costs more
/// than one repeat saves.
const MIN_REPEATS: u32 = 2;

/// Duration of a repeated frame in the encoder's timestamps. With 2, rate control gives it about the quality and size it has
/// when every repeat is encoded; with 1, photographs lose 2 dB.
const REPEATED_DURATION: i64 = 2;

/// The last frame pushed, not yet sent to the encoder, and the number of equal frames after it.
struct Pending {
    picture: Arc<Planes>,
    repeats: u32,
}

/// A frame sent to the encoder.
struct Sent {
    pts: i64,
    frame: u32,
}

/// Encodes one chunk.
pub struct ChunkEncoder {
    settings: PictureSettings,
    codec: Codec,
    picture: PictureFrame,
    /// Frames of the chunk.
    frames: u32,
    /// Frames pushed.
    pushed: u32,
    /// The next frame to send to the encoder: all before it were sent or are scheduled repeats.
    next_frame: u32,
    /// The frames sent to the encoder, in display order.
    sent: Vec<Sent>,
    /// Timestamp of the next frame sent.
    next_pts: i64,
    pending: Option<Pending>,
    /// The repeated frame, if the next frame sent follows its repeats.
    repeated: Option<Arc<Planes>>,
    /// Writes repeats, where the codec and the stream allow it.
    repeats: Option<RepeatWriter>,
    chunk: EncodedChunk,
}

impl ChunkEncoder {
    /// For a chunk of exactly `frames` frames.
    pub fn new(settings: &PictureSettings, frames: u32) -> Result<Self, MediaError> {
        Self::open(settings, frames, None)
    }

    /// Like [`Self::new`], but reads the encoder's stream as if it had these parameter sets. For tests of streams that are not
    /// supported.
    #[doc(hidden)]
    pub fn with_parameter_sets(
        settings: &PictureSettings,
        frames: u32,
        parameter_sets: &[u8],
    ) -> Result<Self, MediaError> {
        Self::open(settings, frames, Some(parameter_sets))
    }

    fn open(
        settings: &PictureSettings,
        frames: u32,
        parameter_sets: Option<&[u8]>,
    ) -> Result<Self, MediaError> {
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
        let repeats = repeat_writer(settings, parameter_sets.unwrap_or(codec.header()));
        Ok(Self {
            settings: *settings,
            codec,
            picture: PictureFrame::new(),
            frames,
            pushed: 0,
            next_frame: 0,
            sent: Vec::new(),
            next_pts: 0,
            pending: None,
            repeated: None,
            repeats,
            chunk,
        })
    }

    /// Encodes a copy of a picture of a film with transparency or more than eight bits. A film one pixel wider or higher
    /// repeats its last column or row.
    pub fn push_rgba(&mut self, picture: BitmapRef<'_>) -> Result<(), MediaError> {
        let rounds_to = |side: u32, film: u32| side > 0 && side.next_multiple_of(2) == film;
        let fits = !self.settings.takes_planes()
            && rounds_to(picture.width, self.settings.width)
            && rounds_to(picture.height, self.settings.height)
            && picture.pixels.len() == picture.width as usize * picture.height as usize * 4;
        self.count(fits)?;
        self.send_pending()?;
        let frame_type = self.frame_type(None, false);
        let filled = self.picture.fill(&picture, &self.settings, self.next_pts, frame_type);
        self.send(filled, 0)
    }

    /// Encodes a picture of an eight-bit film without transparency. The encoder references the planes until it no longer
    /// needs them.
    pub fn push_planes(&mut self, picture: Arc<Planes>) -> Result<(), MediaError> {
        let fits = self.settings.takes_planes()
            && (picture.width, picture.height) == (self.settings.width, self.settings.height)
            && picture.is_complete();
        self.count(fits)?;
        match &mut self.pending {
            Some(pending) if self.repeats.is_some() && are_equal(&pending.picture, &picture) => {
                pending.repeats += 1;
                Ok(())
            }
            _ => {
                self.send_pending()?;
                self.pending = Some(Pending { picture, repeats: 0 });
                Ok(())
            }
        }
    }

    /// Counts a picture, which must fit the settings.
    fn count(&mut self, fits: bool) -> Result<(), MediaError> {
        if !fits {
            return Err(self.settings.bad("a picture has the wrong layout or a plane is too small"));
        }
        if self.pushed == self.frames {
            return Err(self.settings.bad("the chunk got more frames than it has"));
        }
        self.pushed += 1;
        Ok(())
    }

    /// Sends the pending frame. Repeats that cannot be scheduled are sent too.
    fn send_pending(&mut self) -> Result<(), MediaError> {
        let Some(Pending { picture, mut repeats }) = self.pending.take() else { return Ok(()) };
        loop {
            let max_repeats = self.repeats.as_ref().map_or(0, RepeatWriter::max_repeats);
            let scheduled = if repeats < MIN_REPEATS { 0 } else { repeats.min(max_repeats) };
            if let Some(writer) = self.repeats.as_mut().filter(|_| scheduled > 0) {
                writer.schedule(self.next_frame, scheduled);
            }
            let frame_type = self.frame_type(Some(&picture), scheduled > 0);
            let lent = self.picture.lend(picture.clone(), &self.settings, self.next_pts, frame_type);
            self.send(lent, scheduled)?;
            self.repeated = (scheduled > 0).then(|| picture.clone());
            match repeats.checked_sub(scheduled + 1) {
                Some(left) => repeats = left,
                None => return Ok(()),
            }
        }
    }

    /// The type of the next frame sent. The frames on both sides of repeats must not be B-frames: their prediction would span
    /// the repeats.
    fn frame_type(&self, picture: Option<&Arc<Planes>>, is_repeated: bool) -> FrameType {
        let is_last = self.settings.codec.joins_key_frames() && self.next_frame + 1 == self.frames;
        match &self.repeated {
            _ if self.next_frame == 0 => FrameType::Auto,
            // The next chunk starts with an IDR picture of the same idr_pic_id: decoders would take the two for one.
            _ if is_last => FrameType::P,
            Some(before) if picture.is_some_and(|picture| is_new_scene(before, picture)) => FrameType::Idr,
            Some(_) => FrameType::P,
            None if is_repeated => FrameType::P,
            None => FrameType::Auto,
        }
    }

    /// Sends the frame in `self.picture`, which is followed by `repeats` scheduled repeats.
    fn send(&mut self, filled: Result<(), String>, repeats: u32) -> Result<(), MediaError> {
        let sent = filled.and_then(|()| self.codec.send(Some(self.picture.frame())));
        self.picture.let_go();
        sent.map_err(|reason| self.settings.bad(&reason))?;
        self.sent.push(Sent { pts: self.next_pts, frame: self.next_frame });
        self.next_pts += if repeats > 0 { REPEATED_DURATION } else { 1 };
        self.next_frame += 1 + repeats;
        self.repeated = None;
        self.receive()
    }

    /// Whether the encoder has returned a packet.
    pub fn has_output(&self) -> bool {
        !self.chunk.packets.is_empty()
    }

    /// Flushes the encoder.
    pub fn finish(mut self) -> Result<EncodedChunk, MediaError> {
        if self.pushed != self.frames {
            return Err(self.settings.bad("the chunk got fewer frames than it has"));
        }
        self.send_pending()?;
        self.codec.send(None).map_err(|reason| self.settings.bad(&reason))?;
        self.receive()?;
        self.append_repeats(None);
        if !self.chunk.is_whole() {
            return Err(self.settings.bad("the encoder did not return every frame"));
        }
        Ok(self.chunk)
    }

    /// Appends the packets the encoder has ready, and the repeats between them.
    fn receive(&mut self) -> Result<(), MediaError> {
        while let Some(packet) = self.codec.receive().map_err(|reason| self.settings.bad(&reason))? {
            if self.chunk.header.is_empty() {
                self.chunk.header = packet.header().to_vec();
            }
            let index = self.sent.binary_search_by_key(&packet.pts(), |sent| sent.pts);
            let index = index.map_err(|_| self.settings.bad("the encoder returned an unknown timestamp"))?;
            let frame = self.sent[index].frame;
            self.append_repeats(Some(frame));
            match self.repeats.as_mut().map(|writer| writer.rewrite(index as u32, frame, packet.data())) {
                Some(Ok(data)) => self.chunk.append(frame, packet.is_key(), &data, &[]),
                Some(Err(unsupported)) => {
                    if self.repeats.take().is_some_and(|writer| writer.has_scheduled()) {
                        return Err(MediaError::RepeatsUnsupported { reason: unsupported.0 });
                    }
                    // The stream has no repeats yet, so its packets are valid as they are.
                    self.chunk.append(frame, packet.is_key(), packet.data(), packet.alpha());
                }
                None => self.chunk.append(frame, packet.is_key(), packet.data(), packet.alpha()),
            }
        }
        Ok(())
    }

    /// Appends the repeats that precede the picture of a frame in decoding order, or all that are left.
    fn append_repeats(&mut self, before: Option<u32>) {
        while let Some((frame, data)) = self.repeats.as_mut().and_then(|writer| writer.next_before(before)) {
            self.chunk.append(frame, false, &data, &[]);
        }
    }
}

/// Writes repeats into a stream with these parameter sets; `None` where every frame must be encoded.
fn repeat_writer(settings: &PictureSettings, parameter_sets: &[u8]) -> Option<RepeatWriter> {
    let is_wanted = settings.repeat_frames && settings.codec == PictureCodec::H264;
    is_wanted.then(|| RepeatWriter::new(parameter_sets).ok()).flatten()
}

/// Whether chunks with these settings and this header may contain repeats.
pub fn may_repeat_frames(settings: &PictureSettings, header: &[u8]) -> bool {
    repeat_writer(settings, header).is_some()
}

/// A small chunk made with the same settings. Its header and data differ between encoders, encoder versions and encoder
/// parameters.
pub fn encoder_sample(settings: &PictureSettings) -> Result<EncodedChunk, MediaError> {
    settings.check()?;
    const SIDE: u32 = 64;
    let small = PictureSettings { width: SIDE, height: SIDE, ..*settings };
    let mut encoder = ChunkEncoder::new(&small, 1).map_err(|error| match error {
        // The message names the size of the film, not of the sample.
        MediaError::BadSettings { reason, .. } => settings.bad(&reason),
        other => other,
    })?;
    let area = (SIDE * SIDE) as usize;
    if settings.takes_planes() {
        let y = (0..area).map(|i| 40 + (i * 7 % 160) as u8).collect();
        let chroma: Vec<u8> = (0..area / 4).map(|i| 80 + (i * 3 % 90) as u8).collect();
        let planes = Planes { width: SIDE, height: SIDE, y, u: chroma.clone(), v: chroma };
        encoder.push_planes(Arc::new(planes))?;
    } else {
        let pixels: Vec<u8> = (0..area).flat_map(|i| [(i * 7 % 160) as u8, 90, 30, 200]).collect();
        encoder.push_rgba(BitmapRef { width: SIDE, height: SIDE, pixels: &pixels })?;
    }
    encoder.finish()
}

fn are_equal(one: &Arc<Planes>, other: &Arc<Planes>) -> bool {
    Arc::ptr_eq(one, other) || one == other
}

/// Whether a picture starts a new scene: a third of its pixels is lighter or darker than before. Every 32nd is compared.
fn is_new_scene(before: &Planes, after: &Planes) -> bool {
    const CHANGED: u8 = 12;
    let width = after.width as usize;
    let (mut changed, mut compared) = (0, 0);
    for (before, after) in before.y.chunks_exact(width).zip(after.y.chunks_exact(width)).step_by(4) {
        for (before, after) in before.iter().zip(after).step_by(8) {
            changed += u32::from(before.abs_diff(*after) > CHANGED);
            compared += 1;
        }
    }
    changed > compared / 3
}
