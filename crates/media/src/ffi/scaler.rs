//! swscale: pictures of any pixel format to packed pixels of another format and size.

use std::ffi::c_int;
use std::ptr;

use super::ffmpeg::*;
use super::{Frame, error_text};

/// What a scaler is made for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Scaling {
    /// Pixel format of the source as its frame has it.
    pub from: c_int,
    pub source: (c_int, c_int),
    pub to: AVPixelFormat,
    pub target: (c_int, c_int),
    /// Colour matrix of the source, as swscale numbers them.
    pub matrix: c_int,
    /// Whether the source uses the full range. The target always does.
    pub full_range: bool,
}

pub(crate) struct Scaler {
    scaling: Scaling,
    ctx: *mut SwsContext,
}

// SAFETY: owned by this value alone.
unsafe impl Send for Scaler {}

impl Scaler {
    pub fn new(scaling: Scaling) -> Result<Self, String> {
        let known = (0..AVPixelFormat::AV_PIX_FMT_NB.0).contains(&scaling.from);
        if !known {
            return Err("its pixel format is unknown".to_owned());
        }
        // SAFETY: swscale checks formats and sizes; the context is checked before use, and the coefficient tables live
        // as long as the program.
        unsafe {
            let ctx = sws_getContext(
                scaling.source.0,
                scaling.source.1,
                AVPixelFormat(scaling.from),
                scaling.target.0,
                scaling.target.1,
                scaling.to,
                SWS_BILINEAR | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT,
                ptr::null_mut(),
                ptr::null_mut(),
                ptr::null(),
            );
            if ctx.is_null() {
                return Err("its pixel format cannot be converted".to_owned());
            }
            let table = sws_getCoefficients(scaling.matrix);
            let neutral = 1 << 16;
            let full = c_int::from(scaling.full_range);
            sws_setColorspaceDetails(ctx, table, full, table, 1, 0, neutral, neutral);
            Ok(Self { scaling, ctx })
        }
    }

    pub fn scaling(&self) -> &Scaling {
        &self.scaling
    }

    /// Scales a frame of the source's format and size to RGBA rows without gaps.
    pub fn scale_into(&mut self, frame: &AVFrame, pixels: &mut [u8]) -> Result<(), String> {
        let (width, height) = self.scaling.target;
        assert_eq!(self.scaling.to, AVPixelFormat::AV_PIX_FMT_RGBA);
        assert!(pixels.len() >= width as usize * height as usize * 4);
        // SAFETY: `pixels` holds all rows.
        unsafe { self.run(frame, pixels.as_mut_ptr(), width * 4) }
    }

    /// Scales a frame of the source's format and size to a new one.
    pub fn scale(&mut self, frame: &AVFrame) -> Result<Frame, String> {
        let (width, height) = self.scaling.target;
        let scaled = Frame::with_buffer(self.scaling.to, width, height)?;
        // SAFETY: the new frame has a plane of this format and size.
        unsafe { self.run(frame, scaled.get().data[0], scaled.get().linesize[0])? };
        Ok(scaled)
    }

    /// # Safety
    /// From `target` on there must be room for all rows of the target, `stride` bytes apart.
    unsafe fn run(&mut self, frame: &AVFrame, target: *mut u8, stride: c_int) -> Result<(), String> {
        assert_eq!(
            (frame.format, frame.width, frame.height),
            (self.scaling.from, self.scaling.source.0, self.scaling.source.1)
        );
        // SAFETY: the frame's planes belong to its format and size, which the scaler was made for.
        let rows = unsafe {
            sws_scale(
                self.ctx,
                frame.data.as_ptr().cast(),
                frame.linesize.as_ptr(),
                0,
                frame.height,
                [target].as_ptr(),
                [stride].as_ptr(),
            )
        };
        if rows < 0 { Err(error_text(rows)) } else { Ok(()) }
    }
}

impl Drop for Scaler {
    fn drop(&mut self) {
        // SAFETY: frees what `new` made.
        unsafe { sws_freeContext(self.ctx) };
    }
}
