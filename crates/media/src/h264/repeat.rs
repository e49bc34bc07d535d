//! Adds repeated frames to an H.264 stream. A repeat is a non-reference picture of skipped macroblocks, so the encoder's
//! own pictures stay as they are, except for their picture order count (POC).

use std::collections::VecDeque;

use super::nal::{self, append_nal, nal_unit_type, nal_units, rbsp};
use super::parameter_sets::ParameterSets;
use super::skip::SkipPicture;
use super::slice::{SliceHeader, SliceType};
use super::{Unsupported, bits};

/// POC units per frame.
const POC_PER_FRAME: u32 = 2;

/// Most frames by which the previous reference picture in decoding order is displayed before the repeated one.
const MAX_REORDER: u32 = 4;

/// A frame and the repeats after it.
struct Run {
    frame: u32,
    repeats: u32,
    /// `frame_num` of the frame's picture, known once the encoder returned it.
    frame_num: Option<u32>,
}

/// The last IDR picture.
#[derive(Debug, Clone, Copy, Default)]
struct Idr {
    /// Its number among the pictures the encoder was given.
    index: u32,
    frame: u32,
}

/// Rewrites the pictures of one stream and writes the repeats between them.
pub(crate) struct RepeatWriter {
    sets: ParameterSets,
    /// In display order.
    runs: VecDeque<Run>,
    /// Whether a repeat was scheduled since the start of the stream.
    has_scheduled: bool,
    idr: Idr,
    /// `PrevRefFrameNum`: the `frame_num` of the last reference picture in decoding order.
    prev_ref_frame_num: u32,
}

impl RepeatWriter {
    /// For a stream with these parameter sets.
    pub fn new(header: &[u8]) -> Result<Self, Unsupported> {
        Ok(Self {
            sets: ParameterSets::parse(header)?,
            runs: VecDeque::new(),
            has_scheduled: false,
            idr: Idr::default(),
            prev_ref_frame_num: 0,
        })
    }

    /// Most repeats in a row. Decoders derive the POC from its low bits and the POC of the previous reference picture, which
    /// must be less than half of the range of those bits away (8.2.1.1).
    pub fn max_repeats(&self) -> u32 {
        ((1_u32 << self.sets.log2_max_poc_lsb) / (2 * POC_PER_FRAME) - 1).saturating_sub(MAX_REORDER)
    }

    /// Repeats a frame. Neither it nor the next encoded frame may be a B-frame, because the prediction of B-frames depends on
    /// POC distances.
    pub fn schedule(&mut self, frame: u32, repeats: u32) {
        self.has_scheduled = true;
        self.runs.push_back(Run { frame, repeats, frame_num: None });
    }

    pub fn has_scheduled(&self) -> bool {
        self.has_scheduled
    }

    /// The next repeat that precedes the picture of a frame in decoding order, or that is left at the end: its frame and its
    /// bytes.
    pub fn next_before(&mut self, frame: Option<u32>) -> Option<(u32, Vec<u8>)> {
        let run = self.runs.front_mut()?;
        let reference_frame_num = run.frame_num?;
        if frame.is_some_and(|frame| frame <= run.frame) {
            return None;
        }
        run.frame += 1;
        run.repeats -= 1;
        let (frame, is_last) = (run.frame, run.repeats == 0);
        if is_last {
            self.runs.pop_front();
        }
        let picture = SkipPicture {
            frame_num: self.next_frame_num(),
            poc_lsb: self.poc_lsb(frame, self.idr.frame),
            reference_frame_num,
        };
        Some((frame, picture.write(&self.sets)))
    }

    /// Rewrites the picture of a frame, the `index`th that the encoder was given. Fails if the stream is not as the parameter
    /// sets describe it: `frame_num` and POC must be those an encoder without repeats writes.
    pub fn rewrite(&mut self, index: u32, frame: u32, picture: &[u8]) -> Result<Vec<u8>, Unsupported> {
        let mut out = Vec::with_capacity(picture.len() + 4);
        let mut first = None;
        for unit in nal_units(picture) {
            let mut rbsp = rbsp(unit);
            match nal_unit_type(unit) {
                nal::SLICE | nal::IDR_SLICE => {
                    let header = SliceHeader::parse(&rbsp, &self.sets)?;
                    match &first {
                        None => self.start_picture(index, frame, &header)?,
                        Some(first) if header.is_same_picture(first) => {}
                        Some(_) => return Err(Unsupported("a packet holds more than one picture")),
                    }
                    first = first.or(Some(header));
                    let poc_lsb = self.poc_lsb(frame, self.idr.frame);
                    bits::overwrite(&mut rbsp, header.poc_lsb_position, poc_lsb, self.sets.log2_max_poc_lsb)?;
                }
                nal::SEI | nal::ACCESS_UNIT_DELIMITER | nal::FILLER_DATA => {}
                _ => return Err(Unsupported("the stream has NAL units of an unexpected type")),
            }
            append_nal(&rbsp, &mut out);
        }
        let header = first.ok_or(Unsupported("a packet has no slice"))?;
        if header.is_reference {
            self.prev_ref_frame_num = header.frame_num;
        }
        Ok(out)
    }

    /// Checks the first slice of a picture against the pictures before it, and notes its `frame_num` for its repeats.
    fn start_picture(&mut self, index: u32, frame: u32, header: &SliceHeader) -> Result<(), Unsupported> {
        if header.is_idr {
            self.idr = Idr { index, frame };
        }
        if header.frame_num != if header.is_idr { 0 } else { self.next_frame_num() } {
            return Err(Unsupported("frame_num is not consecutive"));
        }
        if header.poc_lsb != self.poc_lsb(index, self.idr.index) {
            return Err(Unsupported("pic_order_cnt_lsb does not follow display order"));
        }
        if let Some(run) = self.runs.iter_mut().find(|run| run.frame == frame && run.frame_num.is_none()) {
            if !header.is_reference || header.slice_type == SliceType::B {
                return Err(Unsupported("a repeated frame is not a reference"));
            }
            run.frame_num = Some(header.frame_num);
        }
        Ok(())
    }

    /// `frame_num` of the next picture that is not an IDR picture.
    fn next_frame_num(&self) -> u32 {
        (self.prev_ref_frame_num + 1) % (1 << self.sets.log2_max_frame_num)
    }

    /// `pic_order_cnt_lsb` of a picture, by its number in display order and that of the last IDR picture.
    fn poc_lsb(&self, number: u32, idr: u32) -> u32 {
        number.wrapping_sub(idr).wrapping_mul(POC_PER_FRAME) & ((1 << self.sets.log2_max_poc_lsb) - 1)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::sync::Arc;

    use rondo_pixels::Planes;

    use super::*;
    use crate::encode::{ChunkEncoder, EncodedChunk, PictureCodec, PictureSettings, Quality};

    const SIDE: usize = 64;

    /// The first step of another scene.
    const CUT: usize = 25;

    /// A bright square that drifts, so that the encoder uses B-frames; inverted after the cut.
    fn square(step: usize) -> Arc<Planes> {
        let bright = |i: usize| (step..step + 20).contains(&(i % SIDE)) && (8..40).contains(&(i / SIDE));
        let luma = (0..SIDE * SIDE).map(|i| if bright(i) { 200 } else { 40 + (i * 7 % 31) as u8 });
        let luma = luma.map(|value| if step < CUT { value } else { 255 - value });
        let chroma = vec![110; SIDE * SIDE / 4];
        let (width, height) = (SIDE as u32, SIDE as u32);
        Arc::new(Planes { width, height, y: luma.collect(), u: chroma.clone(), v: chroma })
    }

    /// A chunk that shows picture after picture, each for so many frames.
    fn chunk(quality: Quality, durations: &[usize]) -> EncodedChunk {
        let settings = PictureSettings {
            width: SIDE as u32,
            height: SIDE as u32,
            fps: 30,
            quality,
            codec: PictureCodec::H264,
            alpha: false,
            repeat_frames: true,
        };
        let mut encoder = ChunkEncoder::new(&settings, durations.iter().sum::<usize>() as u32).unwrap();
        for (step, duration) in durations.iter().enumerate() {
            for _ in 0..*duration {
                encoder.push_planes(square(step)).unwrap();
            }
        }
        encoder.finish().unwrap()
    }

    /// The frames of a chunk in decoding order, with their slice headers.
    fn headers(chunk: &EncodedChunk, sets: &ParameterSets) -> Vec<(u32, SliceHeader)> {
        let header = |bytes: &[u8]| {
            let is_slice = |unit: &&[u8]| [nal::SLICE, nal::IDR_SLICE].contains(&nal_unit_type(unit));
            SliceHeader::parse(&rbsp(nal_units(bytes).find(is_slice).unwrap()), sets).unwrap()
        };
        chunk.pictures().map(|(picture, bytes, _)| (picture.frame, header(bytes))).collect()
    }

    fn is_repeat(header: &SliceHeader) -> bool {
        !header.is_reference && header.slice_type == SliceType::P
    }

    #[test]
    fn decoders_derive_the_display_order_and_find_no_gap_in_frame_num() {
        let durations =
            [vec![1; 9], vec![3], vec![1; 7], vec![12, 13, 1, 1, 1, 1, 14, 25], vec![1; 9], vec![3]].concat();
        for quality in [Quality::Standard, Quality::High] {
            let chunk = chunk(quality, &durations);
            let sets = ParameterSets::parse(&chunk.header).unwrap();
            let headers = headers(&chunk, &sets);
            assert!(
                headers.iter().any(|(_, header)| header.slice_type == SliceType::B),
                "there are B-frames"
            );
            assert!(headers.iter().filter(|(_, header)| is_repeat(header)).count() > 50);
            assert_eq!(headers.iter().filter(|(_, header)| header.is_idr).count(), 2, "there are two scenes");
            let (max_poc_lsb, max_frame_num) = (1_i64 << sets.log2_max_poc_lsb, 1 << sets.log2_max_frame_num);
            let (mut idr_frame, mut prev_poc_msb, mut prev_poc_lsb, mut prev_frame_num) =
                (0, 0_i64, 0_i64, 0);
            for (frame, header) in headers {
                if header.is_idr {
                    (idr_frame, prev_poc_msb, prev_poc_lsb, prev_frame_num) =
                        (frame, 0, 0, max_frame_num - 1);
                }
                // As in 8.2.1.1.
                let poc_lsb = i64::from(header.poc_lsb);
                let poc_msb = if poc_lsb < prev_poc_lsb && prev_poc_lsb - poc_lsb >= max_poc_lsb / 2 {
                    prev_poc_msb + max_poc_lsb
                } else if poc_lsb > prev_poc_lsb && poc_lsb - prev_poc_lsb > max_poc_lsb / 2 {
                    prev_poc_msb - max_poc_lsb
                } else {
                    prev_poc_msb
                };
                assert_eq!(poc_msb + poc_lsb, 2 * i64::from(frame - idr_frame), "frame {frame}");
                assert_eq!(header.frame_num, (prev_frame_num + 1) % max_frame_num, "frame {frame}");
                if header.is_reference {
                    (prev_poc_msb, prev_poc_lsb, prev_frame_num) = (poc_msb, poc_lsb, header.frame_num);
                }
            }
        }
    }

    #[test]
    fn frames_next_to_repeats_are_not_b_frames() {
        let chunk = chunk(
            Quality::Standard,
            &[vec![1; 9], vec![3], vec![1; 2], vec![5], vec![1; 9], vec![8], vec![1; 9]].concat(),
        );
        let sets = ParameterSets::parse(&chunk.header).unwrap();
        let headers = headers(&chunk, &sets);
        let repeats: Vec<u32> =
            headers.iter().filter(|(_, header)| is_repeat(header)).map(|(frame, _)| *frame).collect();
        assert_eq!(repeats, [10, 11, 15, 16, 17, 18, 29, 30, 31, 32, 33, 34, 35]);
        for repeat in repeats {
            for neighbour in [repeat - 1, repeat + 1] {
                let header = headers.iter().find(|(frame, _)| *frame == neighbour).map(|(_, header)| header);
                assert!(header.is_some_and(|h| h.slice_type != SliceType::B), "frame {neighbour}");
            }
        }
    }

    #[test]
    fn pictures_that_do_not_match_the_parameter_sets_or_their_order_are_refused() {
        let chunk = chunk(Quality::Standard, &[1, 1, 1]);
        let packets: Vec<(u32, &[u8])> =
            chunk.pictures().map(|(picture, bytes, _)| (picture.frame, bytes)).collect();
        let refusal = |packets: &[(u32, &[u8])]| {
            let mut writer = RepeatWriter::new(&chunk.header).unwrap();
            packets.iter().find_map(|(frame, bytes)| writer.rewrite(*frame, *frame, bytes).err())
        };
        assert_eq!(refusal(&packets), None);
        let reason = |packets: &[(u32, &[u8])]| refusal(packets).unwrap().0;
        assert_eq!(reason(&[packets[0], packets[0], packets[1], packets[1]]), "frame_num is not consecutive");
        assert_eq!(
            reason(&[packets[0], (packets[1].0 + 1, packets[1].1)]),
            "pic_order_cnt_lsb does not follow display order"
        );
        assert_eq!(reason(&[(0, &[0, 0, 1, 0x06, 5])]), "a packet has no slice");
        assert_eq!(
            reason(&[(0, &chunk.header)]),
            "the stream has NAL units of an unexpected type",
            "parameter sets may change"
        );
        assert_eq!(reason(&[(0, &[0, 0, 1, 0x65, 0x88])]), "a NAL unit is truncated");
        let both = [packets[0].1, packets[1].1].concat();
        assert_eq!(reason(&[(0, &both)]), "a packet holds more than one picture");
    }

    #[test]
    fn no_bytes_panic() {
        let chunk = chunk(Quality::Standard, &[1, 3]);
        let stream = [&[chunk.header.len() as u8][..], &chunk.header, &chunk.data].concat();
        let mut state = 1_u32;
        for round in 0..4000 {
            let mut bytes = stream.clone();
            bytes.truncate(1 + round % stream.len());
            for _ in 0..round % 7 {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let at = (state >> 8) as usize % bytes.len();
                bytes[at] = state as u8;
            }
            crate::h264::fuzz(&bytes);
        }
    }
}
