//! Audio encoders, 48 kHz stereo, and their settings.

use std::ffi::{CStr, c_int};

use crate::ffi::ffmpeg::*;
use crate::ffi::{Codec, Frame, Options, error_text};
use rondo_sound::SAMPLE_RATE;

/// An audio codec.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SoundCodec {
    /// AAC LC.
    Aac,
    Opus,
    Mp3,
    /// 16 bits, as in WAV files.
    Pcm,
}

struct Row {
    codec: SoundCodec,
    encoder: &'static CStr,
    layout: AVSampleFormat,
    bits_a_second: i64,
}

const ROWS: [Row; 4] = [
    Row {
        codec: SoundCodec::Aac,
        encoder: c"aac",
        layout: AVSampleFormat::AV_SAMPLE_FMT_FLTP,
        bits_a_second: 192_000,
    },
    Row {
        codec: SoundCodec::Opus,
        encoder: c"libopus",
        layout: AVSampleFormat::AV_SAMPLE_FMT_FLT,
        bits_a_second: 160_000,
    },
    Row {
        codec: SoundCodec::Mp3,
        encoder: c"libmp3lame",
        layout: AVSampleFormat::AV_SAMPLE_FMT_FLTP,
        bits_a_second: 192_000,
    },
    Row {
        codec: SoundCodec::Pcm,
        encoder: c"pcm_s16le",
        layout: AVSampleFormat::AV_SAMPLE_FMT_S16,
        bits_a_second: 0,
    },
];

/// Samples of a packet where the encoder does not care.
const USUAL_PACKET: usize = 1024;

pub(crate) fn open(codec: SoundCodec) -> Result<Codec, String> {
    // Every codec has a row.
    let row = ROWS.iter().find(|row| row.codec == codec).unwrap_or(&ROWS[0]);
    let (mut codec, description) = Codec::find(row.encoder)?;
    let ctx = codec.settings();
    ctx.sample_fmt = row.layout;
    ctx.sample_rate = SAMPLE_RATE as c_int;
    ctx.time_base = AVRational { num: 1, den: SAMPLE_RATE as c_int };
    ctx.bit_rate = row.bits_a_second;
    ctx.flags |= (AV_CODEC_FLAG_GLOBAL_HEADER | AV_CODEC_FLAG_BITEXACT) as c_int;
    // SAFETY: the context is ours; a default layout owns no memory.
    unsafe { av_channel_layout_default(&mut ctx.ch_layout, 2) };
    codec.open(description, Options::default())
}

/// Samples an encoder puts into a packet.
pub(crate) fn packet_length(codec: &Codec) -> usize {
    match usize::try_from(codec.context().frame_size) {
        Ok(length) if length > 0 => length,
        _ => USUAL_PACKET,
    }
}

/// A frame for the encoder, reused once the encoder has released it.
pub(crate) struct SoundFrame(Frame);

impl SoundFrame {
    pub fn new() -> Self {
        Self(Frame::new())
    }

    /// Copies interleaved stereo in, at most one packet's worth.
    pub fn fill(&mut self, codec: &Codec, samples: &[f32], pts: i64) -> Result<&Frame, String> {
        let most = packet_length(codec);
        let count = (samples.len() / 2).min(most);
        let layout = codec.context().sample_fmt;
        // SAFETY: the frame is ours; its planes hold `most` samples of each channel in the layout it was made with.
        unsafe {
            let frame = self.0.0;
            if av_frame_is_writable(frame) == 0 {
                av_frame_unref(frame);
                (*frame).format = layout.0;
                (*frame).sample_rate = SAMPLE_RATE as c_int;
                (*frame).nb_samples = most as c_int;
                av_channel_layout_default(&mut (*frame).ch_layout, 2);
                let code = av_frame_get_buffer(frame, 0);
                if code < 0 {
                    return Err(error_text(code));
                }
            }
            (*frame).nb_samples = count as c_int;
            (*frame).pts = pts;
            let pairs = samples.chunks_exact(2).take(count).enumerate();
            match layout {
                AVSampleFormat::AV_SAMPLE_FMT_FLTP => {
                    let (left, right) = ((*frame).data[0].cast::<f32>(), (*frame).data[1].cast::<f32>());
                    for (i, pair) in pairs {
                        left.add(i).write(pair[0]);
                        right.add(i).write(pair[1]);
                    }
                }
                AVSampleFormat::AV_SAMPLE_FMT_FLT => {
                    let both = (*frame).data[0].cast::<[f32; 2]>();
                    for (i, pair) in pairs {
                        both.add(i).write([pair[0], pair[1]]);
                    }
                }
                _ => {
                    let both = (*frame).data[0].cast::<[i16; 2]>();
                    for (i, pair) in pairs {
                        both.add(i).write([whole(pair[0]), whole(pair[1])]);
                    }
                }
            }
        }
        Ok(&self.0)
    }
}

fn whole(sample: f32) -> i16 {
    (sample * 32_768.0).round().clamp(-32_768.0, 32_767.0) as i16
}
