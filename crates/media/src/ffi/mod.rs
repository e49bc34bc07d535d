//! Owning wrappers around FFmpeg's objects, so that no other code frees them.

mod encoder;
pub(crate) mod ffmpeg;
mod frame;
mod load;
mod options;
mod packet;
mod reader;
mod scaler;

pub(crate) use encoder::{Codec, frame_time_base};
pub(crate) use frame::Frame;
pub use load::load_ffmpeg;
pub(crate) use options::Options;
pub(crate) use packet::Packet;
pub(crate) use reader::Reader;
pub(crate) use scaler::{Scaler, Scaling};

use std::ffi::{CStr, CString, c_int};
use std::path::Path;
use std::sync::Once;

use ffmpeg::*;

/// Bytes that FFmpeg may take at once. Files tell how much memory their tables need.
const MAX_ALLOCATION: usize = 1 << 29;

/// Loads FFmpeg and turns its own log off; its errors are returned.
pub(crate) fn ready() -> Result<(), String> {
    static ONCE: Once = Once::new();
    load_ffmpeg()?;
    // SAFETY: sets integers inside FFmpeg.
    ONCE.call_once(|| unsafe {
        av_log_set_level(AV_LOG_QUIET);
        av_max_alloc(MAX_ALLOCATION);
    });
    Ok(())
}

/// Version of FFmpeg's encoders.
pub fn ffmpeg_version() -> u32 {
    // SAFETY: returns a constant.
    unsafe { avcodec_version() }
}

/// FFmpeg's message for an error code.
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
