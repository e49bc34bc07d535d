//! A decoder fed from one stream of an input.

use std::ffi::c_int;
use std::ptr;

use super::allowed::MAX_PIXELS;
use super::input::{Input, Track};
use crate::error::MediaError;
use crate::ffi::ffmpeg::*;
use crate::ffi::{Frame, Packet, error_text};
use crate::h264;

/// Packets without a single frame after which a stream counts as damaged.
const MAX_BARREN_PACKETS: u32 = 10_000;

/// Result of requesting a decoded frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    Frame,
    End,
    /// The file is truncated; no more frames follow.
    Broken,
}

/// A decoder fed from one stream of an input.
pub(crate) struct Decoder {
    ctx: *mut AVCodecContext,
    packet: Packet,
    index: usize,
    /// Size of the length field before each H.264 NAL unit, in containers that have one.
    length_size: Option<usize>,
    broken: bool,
    /// Decoding time of the packet read last.
    pub position: Option<i64>,
    /// Presentation times of pictures that were sent and not yet returned.
    inside: Vec<i64>,
    /// Whether every packet so far had reliable timestamps.
    is_timed: bool,
    /// Packets that end before this time (in stream ticks) are skipped without decoding.
    pub skip_until: i64,
    /// The timestamp asked for: pictures that no other one is made from are passed over where a later picture up to it
    /// takes their place.
    pub wanted: i64,
    /// The latest picture up to `wanted` that was sent.
    reached: i64,
}

// SAFETY: owned by this value alone; FFmpeg's worker threads are joined inside its calls.
unsafe impl Send for Decoder {}

impl Decoder {
    pub fn open(input: &Input, track: Track<'_>, threads: c_int) -> Result<Self, MediaError> {
        let name = track.codec();
        let unreadable = |reason: String| input.unreadable(reason);
        let codec = track.decoder().map_err(unreadable)?;
        // SAFETY: the context is allocated, filled and opened here; `Drop` frees it on every way out.
        unsafe {
            let decoder = Self {
                ctx: avcodec_alloc_context3(codec),
                packet: Packet::new(),
                index: track.index,
                length_size: track.length_size(),
                broken: false,
                position: None,
                inside: Vec::new(),
                is_timed: input.tells_when_decoded(track.index),
                skip_until: i64::MIN,
                wanted: i64::MIN,
                reached: i64::MIN,
            };
            if decoder.ctx.is_null() {
                return Err(unreadable("there is not enough memory to decode it".to_owned()));
            }
            let mut code = avcodec_parameters_to_context(decoder.ctx, track.parameters);
            if code >= 0 {
                let ctx = &mut *decoder.ctx;
                ctx.pkt_timebase = track.stream.time_base;
                // With two threads FFmpeg's Theora decoder makes other pictures now and then.
                let races =
                    matches!(ctx.codec_id, AVCodecID::AV_CODEC_ID_THEORA | AVCodecID::AV_CODEC_ID_VP3);
                ctx.thread_count = if races { 1 } else { threads };
                ctx.thread_type = FF_THREAD_FRAME;
                ctx.max_pixels = MAX_PIXELS;
                code = avcodec_open2(ctx, codec, ptr::null_mut());
            }
            if code < 0 {
                return Err(unreadable(format!("its {name} track cannot be decoded ({})", error_text(code))));
            }
            Ok(decoder)
        }
    }

    /// Decodes on to the next frame. Damaged packets are passed over, up to a limit.
    pub fn next(&mut self, input: &mut Input, frame: &mut Frame) -> Next {
        let mut barren = 0;
        loop {
            // SAFETY: context and frame are valid.
            let code = unsafe { avcodec_receive_frame(self.ctx, frame.0) };
            if code >= 0 {
                let shown = frame.get().best_effort_timestamp;
                self.inside.retain(|inside| *inside > shown);
                return Next::Frame;
            }
            if code == AVERROR_EOF {
                return if self.broken || input.is_cut_short(self.index) { Next::Broken } else { Next::End };
            }
            barren += 1;
            if barren > MAX_BARREN_PACKETS {
                return Next::Broken;
            }
            if code == av_error(EAGAIN) {
                self.feed(input);
            }
        }
    }

    /// Sends the stream's next packet, or the end.
    fn feed(&mut self, input: &mut Input) {
        loop {
            match input.read(&mut self.packet) {
                Ok(true) => {}
                end => {
                    self.broken = end.is_err();
                    // SAFETY: a null packet starts draining.
                    unsafe { avcodec_send_packet(self.ctx, ptr::null()) };
                    return;
                }
            }
            let packet = self.packet.get();
            if packet.stream_index != self.index as c_int {
                continue;
            }
            self.is_timed &= packet.dts != AV_NOPTS_VALUE
                && packet.pts >= packet.dts
                && self.position.is_none_or(|before| packet.dts >= before);
            let start = if packet.dts == AV_NOPTS_VALUE { packet.pts } else { packet.dts };
            if start != AV_NOPTS_VALUE {
                self.position = Some(start);
                if start.saturating_add(packet.duration) < self.skip_until {
                    continue;
                }
            }
            let shown = packet.pts != AV_NOPTS_VALUE
                && packet.pts <= self.wanted
                && packet.flags & AV_PKT_FLAG_DISCARD == 0;
            let replaced = shown && packet.pts < self.reached;
            if shown {
                self.reached = self.reached.max(packet.pts);
            }
            // The decoder would pass it over as well, but a thread of it would have to be free first.
            if replaced && self.length_size.is_some_and(|size| h264::is_disposable(self.packet.data(), size))
            {
                continue;
            }
            if self.is_timed {
                self.inside.push(packet.pts);
            }
            // SAFETY: context and packet are valid; the decoder takes its own reference. An error means a damaged
            // packet, which the limit in `next` counts.
            unsafe {
                (*self.ctx).skip_frame =
                    if replaced { AVDiscard::AVDISCARD_NONREF } else { AVDiscard::AVDISCARD_DEFAULT };
                avcodec_send_packet(self.ctx, self.packet.0);
            }
            return;
        }
    }

    /// Whether every frame that is shown up to `timestamp` has come back: nothing is shown before it is decoded.
    pub fn has_shown(&self, timestamp: i64) -> bool {
        self.is_timed
            && self.position.is_some_and(|position| position > timestamp)
            && self.inside.iter().all(|inside| *inside > timestamp)
    }

    /// Forgets everything in flight, after a seek.
    pub fn flush(&mut self) {
        self.broken = false;
        self.position = None;
        self.inside.clear();
        self.reached = i64::MIN;
        // SAFETY: the context is open.
        unsafe { avcodec_flush_buffers(self.ctx) };
    }
}

impl Drop for Decoder {
    fn drop(&mut self) {
        // SAFETY: frees what `open` allocated; null is allowed.
        unsafe { avcodec_free_context(&mut self.ctx) };
    }
}
