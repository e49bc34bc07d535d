//! An owned frame: decoded pixels or samples.

use ffmpeg_next::ffi::*;

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
