//! An owned FFmpeg encoder context.

use std::ffi::c_int;
use std::ptr;

use super::{Frame, Options, Packet, error_text, ready};
use crate::ffi::ffmpeg::*;

/// An open encoder.
pub(crate) struct Codec {
    ctx: *mut AVCodecContext,
}

// SAFETY: owned by this value alone; FFmpeg's worker threads are joined inside its calls.
unsafe impl Send for Codec {}

impl Codec {
    /// The encoder of a name, its context not filled yet.
    pub fn find(name: &std::ffi::CStr) -> Result<(Self, *const AVCodec), String> {
        ready()?;
        // SAFETY: a lookup, then an allocation; both are checked.
        unsafe {
            let codec = avcodec_find_encoder_by_name(name.as_ptr());
            if codec.is_null() {
                let name = name.to_string_lossy();
                return Err(format!("this FFmpeg has no {name} encoder; install a build that includes it"));
            }
            let ctx = avcodec_alloc_context3(codec);
            if ctx.is_null() {
                return Err("there is not enough memory".to_owned());
            }
            Ok((Self { ctx }, codec))
        }
    }

    /// The context to fill before it is opened.
    pub fn settings(&mut self) -> &mut AVCodecContext {
        // SAFETY: never null, and owned by this value alone.
        unsafe { &mut *self.ctx }
    }

    pub fn open(self, codec: *const AVCodec, mut options: Options) -> Result<Self, String> {
        // SAFETY: context and codec belong together, as `find` made them.
        let code = unsafe { avcodec_open2(self.ctx, codec, &mut options.0) };
        if code < 0 { Err(format!("the encoder failed to start ({})", error_text(code))) } else { Ok(self) }
    }

    pub fn context(&self) -> &AVCodecContext {
        // SAFETY: never null.
        unsafe { &*self.ctx }
    }

    /// Parameter sets that stand before the stream.
    pub fn header(&self) -> &[u8] {
        let ctx = self.context();
        match usize::try_from(ctx.extradata_size) {
            // SAFETY: extradata is as long as it says, and lives as long as the context.
            Ok(length) if !ctx.extradata.is_null() => unsafe {
                std::slice::from_raw_parts(ctx.extradata, length)
            },
            _ => &[],
        }
    }

    /// Hands a frame over, `None` to end the stream.
    pub fn send(&mut self, frame: Option<&Frame>) -> Result<(), String> {
        // SAFETY: the context is open; the encoder takes its own reference to the frame.
        let code = unsafe { avcodec_send_frame(self.ctx, frame.map_or(ptr::null(), |frame| frame.0)) };
        if code < 0 { Err(format!("the encoder rejected a frame ({})", error_text(code))) } else { Ok(()) }
    }

    /// The next finished packet, if there is one.
    pub fn receive(&mut self) -> Result<Option<Packet>, String> {
        let packet = Packet::new();
        // SAFETY: context and packet are valid.
        match unsafe { avcodec_receive_packet(self.ctx, packet.0) } {
            0.. => Ok(Some(packet)),
            code if code == AVERROR_EOF || code == av_error(EAGAIN) => Ok(None),
            code => Err(format!("the encoder failed ({})", error_text(code))),
        }
    }
}

impl Drop for Codec {
    fn drop(&mut self) {
        // SAFETY: frees what `find` allocated.
        unsafe { avcodec_free_context(&mut self.ctx) };
    }
}

/// One tick per frame.
pub(crate) fn frame_time_base(fps: u32) -> AVRational {
    AVRational { num: 1, den: fps as c_int }
}
