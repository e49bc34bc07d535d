//! A film in fragmented MP4, cut into an init segment and one media segment for each chunk, as HLS plays it.

use std::ffi::c_int;
use std::ptr;

use super::muxer::{Container, Tracks, add_tracks};
use crate::ffi::ffmpeg::*;
use crate::ffi::{Packet, error_text, ready};

/// A finished segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// 0 for the init segment, which every other one needs to be decoded.
    pub number: u32,
    /// Frames that it shows; none in the init segment.
    pub frames: u32,
    pub bytes: Vec<u8>,
}

/// Takes segments as they are finished, or says why it cannot.
pub type KeepSegment = Box<dyn FnMut(Segment) -> Result<(), String> + Send>;

/// Where the segments of a film go.
pub struct Streaming {
    /// Frames of the whole film: the last segment waits for the end of the sound.
    pub frames: u64,
    pub keep: KeepSegment,
}

/// Cuts a film into segments while it is written.
pub(crate) struct SegmentWriter {
    muxer: FragmentMuxer,
    streaming: Streaming,
    /// Segments handed over, the init segment among them.
    count: u32,
    /// Frames of the finished segments.
    frames: u64,
    pub bytes: u64,
}

impl SegmentWriter {
    pub fn new(tracks: &Tracks<'_>, streaming: Streaming) -> Result<Self, String> {
        Ok(Self { muxer: FragmentMuxer::create(tracks)?, streaming, count: 0, frames: 0, bytes: 0 })
    }

    /// Takes a copy of a packet whose times are in `time_base`, of the track with this number.
    pub fn write(&mut self, packet: &Packet, track: c_int, time_base: AVRational) -> Result<(), String> {
        self.muxer.write(packet, track, time_base)
    }

    /// Called when the film has so many frames. All sound that ends with them was written.
    pub fn reach(&mut self, frames: u64) -> Result<(), String> {
        if frames < self.streaming.frames { self.cut(frames) } else { Ok(()) }
    }

    /// Ends a segment after so many frames of the film.
    pub fn cut(&mut self, frames: u64) -> Result<(), String> {
        if self.count == 0 {
            // The first flush writes the header, with the times of the first packets.
            let header = self.muxer.flush()?;
            self.keep(header, 0)?;
        }
        let fragment = self.muxer.flush()?;
        let shown = frames - self.frames;
        self.frames = frames;
        self.keep(fragment, shown as u32)
    }

    fn keep(&mut self, bytes: Vec<u8>, frames: u32) -> Result<(), String> {
        self.bytes += bytes.len() as u64;
        let number = self.count;
        self.count += 1;
        (self.streaming.keep)(Segment { number, frames, bytes })
    }
}

/// FFmpeg's MP4 muxer, writing fragments to memory.
struct FragmentMuxer {
    ctx: *mut AVFormatContext,
    header_written: bool,
}

// SAFETY: owned by this value alone.
unsafe impl Send for FragmentMuxer {}

impl FragmentMuxer {
    fn create(tracks: &Tracks<'_>) -> Result<Self, String> {
        ready()?;
        let mut muxer = Self { ctx: ptr::null_mut(), header_written: false };
        // SAFETY: the context is made, filled and checked here; `Drop` frees it on every way out.
        unsafe {
            let name = Container::Segments.muxer();
            let code =
                avformat_alloc_output_context2(&mut muxer.ctx, ptr::null(), name.as_ptr(), ptr::null());
            if code < 0 {
                return Err(error_text(code));
            }
            let mut options = add_tracks(muxer.ctx, tracks)?;
            muxer.open_buffer()?;
            // Delayed, the header has the edit lists by which the film begins at 0: with the first picture, and after
            // the samples that the encoder of the sound puts before the first one.
            options.set(c"movflags", "+frag_custom+delay_moov+default_base_moof+skip_trailer");
            let code = avformat_write_header(muxer.ctx, &mut options.0);
            if code < 0 {
                return Err(error_text(code));
            }
            muxer.header_written = true;
        }
        Ok(muxer)
    }

    fn write(&mut self, packet: &Packet, track: c_int, time_base: AVRational) -> Result<(), String> {
        let packet = packet.share().ok_or("there is not enough memory")?;
        // SAFETY: the header is written, so the streams have their final time base; the packet is our own.
        let code = unsafe {
            let target = *(*self.ctx).streams.add(track as usize);
            av_packet_rescale_ts(packet.0, time_base, (*target).time_base);
            (*packet.0).stream_index = track;
            av_write_frame(self.ctx, packet.0)
        };
        if code < 0 { Err(error_text(code)) } else { Ok(()) }
    }

    /// Ends a fragment; the first time, the header instead. Returns what was written since the last call.
    fn flush(&mut self) -> Result<Vec<u8>, String> {
        // SAFETY: the header is written; a null packet ends the fragment.
        let code = unsafe { av_write_frame(self.ctx, ptr::null_mut()) };
        if code < 0 {
            return Err(error_text(code));
        }
        let bytes = self.take_buffer();
        self.open_buffer()?;
        Ok(bytes)
    }

    fn open_buffer(&mut self) -> Result<(), String> {
        // SAFETY: the context has no writer at this point.
        let code = unsafe { avio_open_dyn_buf(&mut (*self.ctx).pb) };
        if code < 0 { Err(error_text(code)) } else { Ok(()) }
    }

    fn take_buffer(&mut self) -> Vec<u8> {
        let mut buffer = ptr::null_mut();
        // SAFETY: the writer is a buffer, which ends here; its bytes are copied and freed.
        unsafe {
            let length = avio_close_dyn_buf((*self.ctx).pb, &mut buffer);
            (*self.ctx).pb = ptr::null_mut();
            let bytes = match usize::try_from(length) {
                Ok(length) if !buffer.is_null() => std::slice::from_raw_parts(buffer, length).to_vec(),
                _ => Vec::new(),
            };
            av_free(buffer.cast());
            bytes
        }
    }
}

impl Drop for FragmentMuxer {
    fn drop(&mut self) {
        // SAFETY: closes and frees what `create` made; only the trailer frees the memory of a muxer with a header.
        unsafe {
            if self.ctx.is_null() {
                return;
            }
            if self.header_written && !(*self.ctx).pb.is_null() {
                av_write_trailer(self.ctx);
            }
            if !(*self.ctx).pb.is_null() {
                self.take_buffer();
            }
            avformat_free_context(self.ctx);
        }
    }
}
