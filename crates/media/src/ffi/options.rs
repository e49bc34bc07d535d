//! An owned dictionary of options.

use std::ffi::{CStr, CString};
use std::ptr;

use crate::ffi::ffmpeg::*;

/// A dictionary of options.
pub(crate) struct Options(pub *mut AVDictionary);

impl Default for Options {
    fn default() -> Self {
        Self(ptr::null_mut())
    }
}

impl Options {
    /// Options for a decoder whose output is discarded.
    pub fn rough(max_pixels: i64) -> Self {
        let mut options = Self::default();
        options.set(c"max_pixels", &max_pixels.to_string());
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
