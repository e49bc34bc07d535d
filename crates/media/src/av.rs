//! Owning wrappers around FFmpeg's contexts, so that the rest of the crate never frees by hand.

use std::ffi::{CStr, CString, c_int};
use std::path::Path;
use std::ptr;
use std::sync::Once;

use ffmpeg_next::error::EAGAIN;
use ffmpeg_next::ffi::*;

use crate::error::MediaError;
use crate::h264;
use crate::input::{Input, Track};
use crate::load_ffmpeg;

/// Pictures beyond this many pixels are refused before memory is taken for them (8192 × 8192).
const MAX_PIXELS: i64 = 1 << 26;

/// Packets without a single frame after which a stream counts as damaged.
const MAX_BARREN_PACKETS: u32 = 10_000;

/// Where a packet carries what Matroska keeps beside the picture.
const BESIDE: AVPacketSideDataType = AVPacketSideDataType::AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL;

/// Loads FFmpeg and silences its own log; what it has to say becomes our errors.
pub(crate) fn ready() -> Result<(), String> {
    static ONCE: Once = Once::new();
    load_ffmpeg()?;
    // SAFETY: sets an integer inside FFmpeg.
    ONCE.call_once(|| unsafe { av_log_set_level(AV_LOG_QUIET) });
    Ok(())
}

/// Version of FFmpeg's encoders.
pub fn ffmpeg_version() -> u32 {
    // SAFETY: returns a constant.
    unsafe { avcodec_version() }
}

/// FFmpeg's words for an error code.
pub(crate) fn error_text(code: c_int) -> String {
    let mut buffer = [0; AV_ERROR_MAX_STRING_SIZE];
    // SAFETY: the buffer is writable for the length given; av_strerror always ends it with a zero.
    let text = unsafe {
        av_strerror(code, buffer.as_mut_ptr(), buffer.len());
        CStr::from_ptr(buffer.as_ptr())
    };
    text.to_string_lossy().into_owned()
}

/// A path as FFmpeg's URL for local files: the prefix keeps `http:` or `concat:` in a name from being a protocol.
pub(crate) fn file_url(path: &Path) -> Option<CString> {
    use std::os::unix::ffi::OsStrExt;
    let mut url = b"file:".to_vec();
    url.extend_from_slice(path.as_os_str().as_bytes());
    CString::new(url).ok()
}

pub(crate) fn c_text(text: *const std::ffi::c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: FFmpeg's names are zero-ended and live as long as the program.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

pub(crate) fn seconds(rational: AVRational) -> f64 {
    if rational.den == 0 { 0.0 } else { f64::from(rational.num) / f64::from(rational.den) }
}

/// What became of asking for a decoded frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    Frame,
    End,
    /// The file broke off before its end; no more frames will come.
    Broken,
}

/// A decoder fed from one stream of an input.
pub(crate) struct Decoder {
    ctx: *mut AVCodecContext,
    packet: Packet,
    index: usize,
    /// Bytes in which the length of an H.264 unit is written, in files that tell lengths.
    length_bytes: Option<usize>,
    broken: bool,
    /// Decoding time of the packet read last.
    pub position: Option<i64>,
    /// Times at which pictures are shown that were sent and have not come back.
    inside: Vec<i64>,
    /// Whether every packet so far told for certain when it is decoded and shown.
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
        // SAFETY: looks codecs up; returns null or a description that lives as long as the program.
        let codec = unsafe {
            let mut codec = ptr::null();
            if track.vpx_alpha() {
                let vp8 = track.parameters.codec_id == AVCodecID::AV_CODEC_ID_VP8;
                codec = avcodec_find_decoder_by_name(if vp8 { c"libvpx" } else { c"libvpx-vp9" }.as_ptr());
            }
            if codec.is_null() {
                codec = avcodec_find_decoder(track.parameters.codec_id);
            }
            codec
        };
        if codec.is_null() {
            return Err(unreadable(format!("FFmpeg has no decoder for its {name} track")));
        }
        // SAFETY: the context is allocated, filled and opened here; `Drop` frees it on every way out.
        unsafe {
            let decoder = Self {
                ctx: avcodec_alloc_context3(codec),
                packet: Packet::new(),
                index: track.index,
                length_bytes: track.length_bytes(),
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
            if code == AVERROR(EAGAIN) {
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
            if replaced
                && self.length_bytes.is_some_and(|bytes| h264::is_disposable(self.packet.data(), bytes))
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

/// A packet that is never null.
pub(crate) struct Packet(pub *mut AVPacket);

// SAFETY: owned by this value alone.
unsafe impl Send for Packet {}

impl Packet {
    pub fn new() -> Self {
        // SAFETY: allocation; out of memory ends the program as it does everywhere in Rust.
        let packet = unsafe { av_packet_alloc() };
        assert!(!packet.is_null(), "out of memory");
        Self(packet)
    }

    /// A picture that lasts one tick, with a copy of its bytes and of those of its transparency; `None` when they do not
    /// fit into memory.
    pub fn of_picture(bytes: &[u8], alpha: &[u8], shown: i64, decoded: i64, key: bool) -> Option<Self> {
        let packet = Self::new();
        let length = c_int::try_from(bytes.len()).ok()?;
        // SAFETY: the packet gets a buffer of `length` bytes, which is filled.
        unsafe {
            if av_new_packet(packet.0, length) < 0 {
                return None;
            }
            ptr::copy_nonoverlapping(bytes.as_ptr(), (*packet.0).data, bytes.len());
            (*packet.0).pts = shown;
            (*packet.0).dts = decoded;
            (*packet.0).duration = 1;
            if key {
                (*packet.0).flags |= AV_PKT_FLAG_KEY;
            }
        }
        (alpha.is_empty() || packet.put_beside(BESIDE, alpha)).then_some(packet)
    }

    pub fn get(&self) -> &AVPacket {
        // SAFETY: never null.
        unsafe { &*self.0 }
    }

    pub fn data(&self) -> &[u8] {
        // SAFETY: a packet's data is as long as it says; an empty one may have none.
        unsafe {
            match usize::try_from((*self.0).size) {
                Ok(length) if !(*self.0).data.is_null() => std::slice::from_raw_parts((*self.0).data, length),
                _ => &[],
            }
        }
    }

    /// Parameter sets that an encoder hands out with its first packet only.
    pub fn header(&self) -> &[u8] {
        self.beside(AVPacketSideDataType::AV_PKT_DATA_NEW_EXTRADATA)
    }

    /// Sends parameter sets with a packet; `false` when there is no memory for them.
    pub fn carry_header(&self, header: &[u8]) -> bool {
        self.put_beside(AVPacketSideDataType::AV_PKT_DATA_NEW_EXTRADATA, header)
    }

    /// The transparency of a picture whose codec keeps it beside the colours.
    pub fn alpha(&self) -> &[u8] {
        self.beside(BESIDE)
    }

    fn put_beside(&self, kind: AVPacketSideDataType, bytes: &[u8]) -> bool {
        // SAFETY: the packet gets a buffer of that length, which is filled.
        unsafe {
            let place = av_packet_new_side_data(self.0, kind, bytes.len());
            if place.is_null() {
                return false;
            }
            ptr::copy_nonoverlapping(bytes.as_ptr(), place, bytes.len());
        }
        true
    }

    fn beside(&self, kind: AVPacketSideDataType) -> &[u8] {
        let mut length = 0;
        // SAFETY: side data is as long as it says, and lives as long as the packet.
        unsafe {
            let data = av_packet_get_side_data(self.0, kind, &mut length);
            if data.is_null() { &[] } else { std::slice::from_raw_parts(data, length) }
        }
    }

    pub fn pts(&self) -> i64 {
        self.get().pts
    }

    pub fn set_duration(&self, ticks: i64) {
        // SAFETY: never null, and the packet is owned by this value alone.
        unsafe { (*self.0).duration = ticks };
    }

    pub fn is_key(&self) -> bool {
        self.get().flags & AV_PKT_FLAG_KEY != 0
    }
}

impl Drop for Packet {
    fn drop(&mut self) {
        // SAFETY: frees what `new` allocated.
        unsafe { av_packet_free(&mut self.0) };
    }
}

/// A frame that is never null.
pub(crate) struct Frame(pub *mut AVFrame);

// SAFETY: owned by this value alone; its buffers are reference-counted atomically.
unsafe impl Send for Frame {}

impl Frame {
    pub fn new() -> Self {
        // SAFETY: allocation; out of memory ends the program as it does everywhere in Rust.
        let frame = unsafe { av_frame_alloc() };
        assert!(!frame.is_null(), "out of memory");
        Self(frame)
    }

    pub fn get(&self) -> &AVFrame {
        // SAFETY: never null.
        unsafe { &*self.0 }
    }

    /// Another frame with the same buffers.
    pub fn share(&self) -> Self {
        // SAFETY: the frame is valid; out of memory ends the program as it does everywhere in Rust.
        let frame = unsafe { av_frame_clone(self.0) };
        assert!(!frame.is_null(), "out of memory");
        Self(frame)
    }
}

impl Drop for Frame {
    fn drop(&mut self) {
        // SAFETY: frees what `new` allocated and releases its buffers.
        unsafe { av_frame_free(&mut self.0) };
    }
}

/// A dictionary of options.
pub(crate) struct Options(pub *mut AVDictionary);

impl Default for Options {
    fn default() -> Self {
        Self(ptr::null_mut())
    }
}

impl Options {
    /// Those of a decoder whose pictures nobody will see.
    pub fn rough() -> Self {
        let mut options = Self::default();
        options.set(c"skip_loop_filter", "all");
        options.set(c"skip_idct", "all");
        options
    }

    pub fn set(&mut self, key: &CStr, value: &str) {
        if let Ok(value) = CString::new(value) {
            // SAFETY: key and value are copied.
            unsafe { av_dict_set(&mut self.0, key.as_ptr(), value.as_ptr(), 0) };
        }
    }
}

impl Drop for Options {
    fn drop(&mut self) {
        // SAFETY: frees the dictionary; null is allowed.
        unsafe { av_dict_free(&mut self.0) };
    }
}
