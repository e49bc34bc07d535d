//! An owned frame: decoded pixels or samples.

use std::ffi::c_int;

use super::error_text;
use super::ffmpeg::*;

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

    /// A picture with memory of its own.
    pub fn with_buffer(format: AVPixelFormat, width: c_int, height: c_int) -> Result<Self, String> {
        let frame = Self::new();
        // SAFETY: the frame is ours and empty.
        let code = unsafe {
            (*frame.0).format = format.0;
            (*frame.0).width = width;
            (*frame.0).height = height;
            av_frame_get_buffer(frame.0, 0)
        };
        if code < 0 { Err(error_text(code)) } else { Ok(frame) }
    }

    pub fn get(&self) -> &AVFrame {
        // SAFETY: never null.
        unsafe { &*self.0 }
    }

    /// A row of a plane of a writable frame that has at least `length` values of this type in it.
    ///
    /// # Safety
    /// The frame must have such a plane and row.
    pub unsafe fn row<T>(&mut self, plane: usize, row: usize, length: usize) -> &mut [T] {
        // SAFETY: as the caller promises; rows of a frame are aligned for any sample.
        unsafe {
            let start = (*self.0).data[plane].add(row * (*self.0).linesize[plane] as usize);
            std::slice::from_raw_parts_mut(start.cast::<T>(), length)
        }
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
