//! H.264 pictures that repeat the one shown before them, written without the encoder: every macroblock is skipped. Nothing
//! refers to them, so those around them need another place in the order of showing and no other change.
//!
//! In the words of the standard (ITU-T H.264) a picture's *number* is its `frame_num`, its *place* its `pic_order_cnt_lsb`
//! (8.2.1), and *parameters* are a `pic_parameter_set_id`; repeats pick their picture by 8.2.4.3 and are coded by 9.3.

use std::collections::VecDeque;

/// Bits of an unescaped unit, read from the front.
struct Bits<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl Bits<'_> {
    fn bit(&mut self) -> Option<u32> {
        let byte = *self.bytes.get(self.position / 8)?;
        let bit = byte >> (7 - self.position % 8) & 1;
        self.position += 1;
        Some(u32::from(bit))
    }

    fn flag(&mut self) -> Option<bool> {
        self.bit().map(|bit| bit == 1)
    }

    fn number(&mut self, bits: u32) -> Option<u32> {
        (0..bits).try_fold(0, |number, _| Some(number << 1 | self.bit()?))
    }

    /// Exp-Golomb, without a sign.
    fn golomb(&mut self) -> Option<u32> {
        let mut zeros = 0;
        while self.bit()? == 0 {
            zeros += 1;
            if zeros == 32 {
                return None;
            }
        }
        Some((1 << zeros) - 1 + self.number(zeros)?)
    }

    /// Exp-Golomb, with a sign.
    fn signed_golomb(&mut self) -> Option<i32> {
        let code = self.golomb()?;
        let size = code.div_ceil(2) as i32;
        Some(if code % 2 == 1 { size } else { -size })
    }
}

/// Bits written one after the other.
#[derive(Default)]
struct BitWriter {
    bytes: Vec<u8>,
    bits: usize,
}

impl BitWriter {
    fn bit(&mut self, bit: bool) {
        if self.bits.is_multiple_of(8) {
            self.bytes.push(0);
        }
        if let Some(last) = self.bytes.last_mut().filter(|_| bit) {
            *last |= 0x80 >> (self.bits % 8);
        }
        self.bits += 1;
    }

    fn number(&mut self, number: u32, bits: u32) {
        (0..bits).rev().for_each(|bit| self.bit(number >> bit & 1 == 1));
    }

    fn golomb(&mut self, number: u32) {
        let bits = u32::BITS - (number + 1).leading_zeros();
        self.number(0, bits - 1);
        self.number(number + 1, bits);
    }

    fn signed_golomb(&mut self, number: i32) {
        self.golomb(if number > 0 { number as u32 * 2 - 1 } else { number.unsigned_abs() * 2 });
    }
}

const START_CODE: [u8; 4] = [0, 0, 0, 1];

const SLICE: u8 = 1;
const KEY_SLICE: u8 = 5;
const SEQUENCE: u8 = 7;
const PARAMETERS: u8 = 8;

/// Units of a stream with start codes, each with its first byte.
fn units(stream: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut starts = Vec::new();
    let mut at = 0;
    while let Some(found) = stream[at..].windows(3).position(|bytes| bytes == [0, 0, 1]) {
        starts.push(at + found);
        at += found + 3;
    }
    let ends: Vec<usize> = starts.iter().skip(1).copied().chain([stream.len()]).collect();
    starts.into_iter().zip(ends).filter_map(move |(start, end)| {
        let unit = &stream[start + 3..end];
        // The first zero of a start code of four bytes; no unit ends with one.
        let length = unit.iter().rposition(|byte| *byte != 0)? + 1;
        Some(&unit[..length])
    })
}

fn kind(unit: &[u8]) -> u8 {
    unit.first().map_or(0, |first| first & 0x1f)
}

/// Takes out what keeps start codes from showing up within a unit.
fn unescape(unit: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(unit.len());
    let mut zeros = 0;
    for byte in unit {
        if zeros >= 2 && *byte == 3 {
            zeros = 0;
            continue;
        }
        zeros = if *byte == 0 { zeros + 1 } else { 0 };
        plain.push(*byte);
    }
    plain
}

/// Adds a start code and a unit, escaped. Zeros at its end, which x264 never writes, would need one more byte.
fn append_unit(plain: &[u8], out: &mut Vec<u8>) {
    out.extend(START_CODE);
    let mut zeros = 0;
    for byte in plain {
        if zeros >= 2 && *byte <= 3 {
            out.push(3);
            zeros = 0;
        }
        zeros = if *byte == 0 { zeros + 1 } else { 0 };
        out.push(*byte);
    }
}

/// Quantiser and table of first states (`cabac_init_idc`) with which skipped macroblocks are the most probable from the start.
const SKIPPED_QP: i32 = 51;
const SKIPPED_TABLE: u32 = 2;

/// Part of the range that the improbable symbol takes, from the state on that these give (the 44th), by the quarter the
/// range is in.
const IMPROBABLE: [[u32; 4]; 19] = [
    [14, 18, 21, 24],
    [14, 17, 20, 23],
    [13, 16, 19, 22],
    [12, 15, 18, 21],
    [12, 14, 17, 20],
    [11, 14, 16, 19],
    [11, 13, 15, 18],
    [10, 12, 15, 17],
    [10, 12, 14, 16],
    [9, 11, 13, 15],
    [9, 11, 12, 14],
    [8, 10, 12, 14],
    [8, 9, 11, 13],
    [7, 9, 11, 12],
    [7, 9, 10, 12],
    [7, 8, 10, 11],
    [6, 8, 9, 11],
    [6, 7, 9, 10],
    [6, 7, 8, 9],
];

/// Adds the arithmetic code of nothing but skipped macroblocks, with the bit that ends a unit. Skipping is the probable
/// symbol, and so is going on after it: the code is all zeros until the end.
fn append_skipped(macroblocks: u32, out: &mut BitWriter) {
    let (mut range, mut state) = (510_u32, 0);
    let mut widen = |range: &mut u32| {
        while *range < 256 {
            *range <<= 1;
            out.bit(false);
        }
    };
    for macroblock in 1..=macroblocks {
        range -= IMPROBABLE[state][(range >> 6 & 3) as usize];
        state = (state + 1).min(IMPROBABLE.len() - 1);
        widen(&mut range);
        range -= 2;
        if macroblock < macroblocks {
            widen(&mut range);
        }
    }
    // The last one ends the slice: the code becomes what is left of the range, in ten bits. The first bit of a code is never
    // written, and was zero; the last is the stop bit.
    out.number(range | 1, 9);
}

/// What the parameter sets of a stream say about its slices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Layout {
    macroblocks: u32,
    /// Bits of a picture's number, which counts those that others refer to.
    number_bits: u32,
    /// Bits of a picture's place in the order of showing, where each frame takes two places.
    place_bits: u32,
    parameters: u32,
    weighted: bool,
    first_qp: i32,
    tells_deblocking: bool,
}

impl Layout {
    /// `None` for streams that are not coded as x264 codes them with B-frames and arithmetic code.
    fn of(header: &[u8]) -> Option<Self> {
        let find = |wanted| units(header).find(|unit| kind(unit) == wanted).map(unescape);
        let (sequence, parameters) = (find(SEQUENCE)?, find(PARAMETERS)?);
        let mut bits = Bits { bytes: &sequence, position: 8 };
        let profile = bits.number(8)?;
        bits.number(16)?;
        bits.golomb()?;
        if profile >= 100 {
            let (chroma, luma_depth, chroma_depth) = (bits.golomb()?, bits.golomb()?, bits.golomb()?);
            let (lossless, matrices) = (bits.flag()?, bits.flag()?);
            if (chroma, luma_depth, chroma_depth, lossless, matrices) != (1, 0, 0, false, false) {
                return None;
            }
        }
        let number_bits = bits.golomb()? + 4;
        let places_written = bits.golomb()? == 0;
        let place_bits = bits.golomb()? + 4;
        // How many pictures are referred to, and whether numbers may be left out.
        bits.golomb()?;
        bits.flag()?;
        let macroblocks = (bits.golomb()? + 1).checked_mul(bits.golomb()? + 1)?;
        let progressive = bits.flag()?;

        let mut bits = Bits { bytes: &parameters, position: 8 };
        let parameters = bits.golomb()?;
        // The sequence they belong to.
        bits.golomb()?;
        let (arithmetic, places_of_fields, groups) = (bits.flag()?, bits.flag()?, bits.golomb()?);
        let references = bits.golomb()? + 1;
        bits.golomb()?;
        let (weighted, by_distance) = (bits.flag()?, bits.number(2)? == 2);
        let first_qp = 26 + bits.signed_golomb()?;
        // Quantisers of switching slices and of colour.
        bits.signed_golomb()?;
        bits.signed_golomb()?;
        let tells_deblocking = bits.flag()?;
        // Whether intra prediction is constrained.
        bits.flag()?;
        let redundant = bits.flag()?;
        let plain = progressive && arithmetic && !places_of_fields && groups == 0 && !redundant;
        // A B-frame that weighs two pictures by how far away they are shown must not have repeats in between, which only
        // the nearest ones are sure not to have.
        let weighs_across = by_distance && references > 1;
        if !plain || !places_written || !(5..=16).contains(&place_bits) || weighs_across {
            return None;
        }
        Some(Self { macroblocks, number_bits, place_bits, parameters, weighted, first_qp, tells_deblocking })
    }
}

/// A picture that is shown for some frames more.
struct Run {
    frame: u32,
    times: u32,
    /// The picture's number, once it came out of the encoder.
    number: Option<u32>,
}

/// Frames by which the last picture that others refer to may be shown before the one that is repeated.
const REORDERED: u32 = 4;

/// Adds repeated pictures to a stream, and moves the others to where they are then shown.
pub(crate) struct Repeats {
    layout: Layout,
    /// In the order of showing.
    runs: VecDeque<Run>,
    /// Frame of the last key picture.
    key_frame: u32,
    /// Number of the last picture that others refer to.
    number: u32,
}

impl Repeats {
    /// For a stream with these parameter sets; `None` where pictures cannot be repeated.
    pub fn new(header: &[u8]) -> Option<Self> {
        let layout = Layout::of(header)?;
        Some(Self { layout, runs: VecDeque::new(), key_frame: 0, number: 0 })
    }

    /// Most frames in a row that can be repeats: decoders tell places apart only up to half of what their bits hold from
    /// that of the last picture that others refer to.
    pub fn longest(&self) -> u32 {
        ((1_u32 << self.layout.place_bits) / 4 - 1).saturating_sub(REORDERED)
    }

    /// Lets the picture of a frame be shown for as many frames more. Neither it nor the next one shown may be a B-frame, so
    /// that none looks across the repeats.
    pub fn plan(&mut self, frame: u32, times: u32) {
        self.runs.push_back(Run { frame, times, number: None });
    }

    /// The next frame to be written before the picture of another frame, or at the end, and its bytes.
    pub fn next_before(&mut self, frame: Option<u32>) -> Option<(u32, Vec<u8>)> {
        let run = self.runs.front_mut()?;
        let number = run.number?;
        if frame.is_some_and(|frame| frame <= run.frame) {
            return None;
        }
        run.frame += 1;
        run.times -= 1;
        let (shown, over) = (run.frame, run.times == 0);
        if over {
            self.runs.pop_front();
        }
        Some((shown, self.repeat(number, self.place_of(shown))))
    }

    /// Takes note of the picture of a frame, and moves it to where it is shown. `None` when it is not understood.
    pub fn moved(&mut self, frame: u32, picture: &[u8]) -> Option<Vec<u8>> {
        let mut out = Vec::with_capacity(picture.len() + START_CODE.len());
        for unit in units(picture) {
            let mut plain = unescape(unit);
            let key = kind(unit) == KEY_SLICE;
            if key || kind(unit) == SLICE {
                let mut bits = Bits { bytes: &plain, position: 8 };
                // First macroblock, type, parameters.
                bits.golomb()?;
                bits.golomb()?;
                bits.golomb()?;
                let number = bits.number(self.layout.number_bits)?;
                if key {
                    bits.golomb()?;
                    self.key_frame = frame;
                }
                if plain[0] & 0x60 != 0 {
                    self.number = number;
                }
                if let Some(run) = self.runs.iter_mut().find(|run| run.frame == frame && run.number.is_none())
                {
                    run.number = Some(number);
                }
                let (place, at) = (self.place_of(frame), bits.position);
                for bit in 0..self.layout.place_bits {
                    let (byte, mask) =
                        (plain.get_mut((at + bit as usize) / 8)?, 0x80 >> ((at + bit as usize) % 8));
                    let set = place >> (self.layout.place_bits - 1 - bit) & 1 == 1;
                    *byte = if set { *byte | mask } else { *byte & !mask };
                }
            }
            append_unit(&plain, &mut out);
        }
        Some(out)
    }

    fn place_of(&self, frame: u32) -> u32 {
        frame.wrapping_sub(self.key_frame).wrapping_mul(2) & ((1 << self.layout.place_bits) - 1)
    }

    /// A picture that repeats the one of a number, at a place.
    fn repeat(&self, repeated: u32, place: u32) -> Vec<u8> {
        let layout = &self.layout;
        let numbers = 1 << layout.number_bits;
        let number = (self.number + 1) % numbers;
        let mut bits = BitWriter::default();
        // Nothing refers to it.
        bits.number(u32::from(SLICE), 8);
        bits.golomb(0);
        // One type for all of the picture: refers to earlier ones.
        bits.golomb(5);
        bits.golomb(layout.parameters);
        bits.number(number, layout.number_bits);
        bits.number(place, layout.place_bits);
        // It refers to one picture: that of the number.
        bits.bit(true);
        bits.golomb(0);
        bits.bit(true);
        bits.golomb(0);
        bits.golomb((number + numbers - repeated - 1) % numbers);
        bits.golomb(3);
        if layout.weighted {
            // As it is.
            bits.golomb(0);
            bits.golomb(0);
            bits.bit(false);
            bits.bit(false);
        }
        bits.golomb(SKIPPED_TABLE);
        bits.signed_golomb(SKIPPED_QP - layout.first_qp);
        if layout.tells_deblocking {
            // None.
            bits.golomb(1);
        }
        while !bits.bits.is_multiple_of(8) {
            bits.bit(true);
        }
        append_skipped(layout.macroblocks, &mut bits);
        let mut unit = Vec::new();
        append_unit(&bits.bytes, &mut unit);
        unit
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::sync::Arc;

    use super::*;
    use crate::encode::video_codec::PictureCodec;
    use crate::encode::{ChunkEncoder, EncodedChunk, PictureSettings, Quality};
    use rondo_pixels::Planes;

    const SIDE: usize = 64;

    /// The first step of another scene.
    const CUT: usize = 25;

    /// A bright square that drifts, so that B-frames pay; after the cut a dark one.
    fn square(step: usize) -> Arc<Planes> {
        let bright = |i: usize| (step..step + 20).contains(&(i % SIDE)) && (8..40).contains(&(i / SIDE));
        let luma = (0..SIDE * SIDE).map(|i| if bright(i) { 200 } else { 40 + (i * 7 % 31) as u8 });
        let luma = luma.map(|value| if step < CUT { value } else { 255 - value });
        let chroma = vec![110; SIDE * SIDE / 4];
        let (width, height) = (SIDE as u32, SIDE as u32);
        Arc::new(Planes { width, height, y: luma.collect(), u: chroma.clone(), v: chroma })
    }

    /// A chunk that shows picture after picture for as many frames each.
    fn chunk(quality: Quality, stays: &[usize]) -> EncodedChunk {
        let settings = PictureSettings {
            width: SIDE as u32,
            height: SIDE as u32,
            fps: 30,
            quality,
            codec: PictureCodec::H264,
            alpha: false,
        };
        let mut encoder = ChunkEncoder::new(&settings, stays.iter().sum::<usize>() as u32).unwrap();
        for (step, stay) in stays.iter().enumerate() {
            for _ in 0..*stay {
                encoder.push_planes(square(step)).unwrap();
            }
        }
        encoder.finish().unwrap()
    }

    /// What a decoder reads from the beginning of a picture.
    struct Start {
        frame: u32,
        key: bool,
        referred: bool,
        bidirectional: bool,
        repeat: bool,
        number: u32,
        place: u32,
    }

    fn starts(chunk: &EncodedChunk, layout: &Layout) -> Vec<Start> {
        let start = |(picture, bytes): (crate::encode::EncodedPicture, &[u8])| {
            let unit = units(bytes).find(|unit| [SLICE, KEY_SLICE].contains(&kind(unit))).unwrap();
            let plain = unescape(unit);
            let mut bits = Bits { bytes: &plain, position: 8 };
            bits.golomb().unwrap();
            let kind_of_slice = bits.golomb().unwrap() % 5;
            bits.golomb().unwrap();
            let number = bits.number(layout.number_bits).unwrap();
            if picture.key {
                bits.golomb().unwrap();
            }
            let place = bits.number(layout.place_bits).unwrap();
            let referred = plain[0] & 0x60 != 0;
            let bidirectional = kind_of_slice == 1;
            Start {
                frame: picture.frame,
                key: picture.key,
                referred,
                bidirectional,
                repeat: !referred && !bidirectional,
                number,
                place,
            }
        };
        chunk.pictures().map(|(picture, bytes, _)| (picture, bytes)).map(start).collect()
    }

    #[test]
    fn decoders_find_every_picture_at_its_place_and_with_its_number() {
        let stays =
            [vec![1; 9], vec![3], vec![1; 7], vec![12, 13, 1, 1, 1, 1, 14, 25], vec![1; 9], vec![3]].concat();
        for quality in [Quality::Standard, Quality::High] {
            let chunk = chunk(quality, &stays);
            let layout = Layout::of(&chunk.header).unwrap();
            let starts = starts(&chunk, &layout);
            assert!(starts.iter().any(|start| start.bidirectional), "the encoder uses B-frames here");
            assert!(starts.iter().filter(|start| start.repeat).count() > 50);
            assert_eq!(
                starts.iter().filter(|start| start.key).count(),
                2,
                "another scene begins in the middle"
            );
            let (places, numbers) = (1_i64 << layout.place_bits, 1 << layout.number_bits);
            let (mut key_frame, mut high, mut low, mut number) = (0, 0_i64, 0_i64, 0);
            for start in &starts {
                if start.key {
                    (key_frame, high, low, number) = (start.frame, 0, 0, numbers - 1);
                }
                let place = i64::from(start.place);
                let above = if place < low && low - place >= places / 2 {
                    high + places
                } else if place > low && place - low > places / 2 {
                    high - places
                } else {
                    high
                };
                assert_eq!(above + place, 2 * i64::from(start.frame - key_frame), "frame {}", start.frame);
                assert_eq!(start.number, (number + 1) % numbers, "frame {}", start.frame);
                if start.referred {
                    (high, low, number) = (above, place, start.number);
                }
            }
        }
    }

    #[test]
    fn pictures_beside_repeats_are_no_b_frames() {
        let chunk = chunk(
            Quality::Standard,
            &[vec![1; 9], vec![3], vec![1; 2], vec![5], vec![1; 9], vec![8], vec![1; 9]].concat(),
        );
        let layout = Layout::of(&chunk.header).unwrap();
        let starts = starts(&chunk, &layout);
        let of = |frame: u32| starts.iter().find(|start| start.frame == frame);
        let repeats: Vec<&Start> = starts.iter().filter(|start| start.repeat).collect();
        assert_eq!(
            repeats.iter().map(|start| start.frame).collect::<Vec<_>>(),
            [10, 11, 15, 16, 17, 18, 29, 30, 31, 32, 33, 34, 35]
        );
        for repeat in repeats {
            for beside in [repeat.frame - 1, repeat.frame + 1] {
                assert!(of(beside).is_some_and(|start| !start.bidirectional), "frame {beside}");
            }
        }
    }
}
