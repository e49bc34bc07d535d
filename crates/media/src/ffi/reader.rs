//! A media file for FFmpeg, which opens no file itself.

use std::ffi::{c_int, c_void};
use std::ptr;

use rondo_pixels::Stop;

use super::ffmpeg::*;
use crate::file::MediaFile;

/// Bytes read at a time: as many as FFmpeg reads of a file that it opens itself. Demuxers that jump between tracks would
/// read more than they need with a larger buffer.
const BUFFER: usize = 32 << 10;

/// FFmpeg's reader of a media file.
pub(crate) struct Reader {
    io: *mut AVIOContext,
    source: *mut Source,
}

/// What the callbacks work on.
struct Source {
    file: MediaFile,
    position: u64,
    stop: Stop,
}

// SAFETY: both pointers are owned by this value alone.
unsafe impl Send for Reader {}

impl Reader {
    /// `None` when there is no memory for it.
    pub fn new(file: MediaFile, stop: Stop) -> Option<Self> {
        let source = Box::into_raw(Box::new(Source { file, position: 0, stop }));
        // SAFETY: the context takes the buffer; the source is freed by `Drop`, after the context.
        let io = unsafe {
            let buffer = av_malloc(BUFFER);
            let io = match buffer.is_null() {
                true => ptr::null_mut(),
                false => avio_alloc_context(
                    buffer.cast(),
                    BUFFER as c_int,
                    0,
                    source.cast(),
                    Some(read),
                    None,
                    Some(seek),
                ),
            };
            if io.is_null() {
                av_free(buffer);
            }
            io
        };
        let reader = Self { io, source };
        (!io.is_null()).then_some(reader)
    }

    /// Lets a context that reads from here see the flag that stops it.
    pub fn interrupt(&self) -> AVIOInterruptCB {
        AVIOInterruptCB { callback: Some(is_stopped), opaque: self.source.cast() }
    }

    pub fn as_ptr(&self) -> *mut AVIOContext {
        self.io
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        // SAFETY: frees what `new` made. FFmpeg may have put another buffer in the place of the first one.
        unsafe {
            if let Some(io) = self.io.as_ref() {
                av_free(io.buffer.cast());
            }
            avio_context_free(&mut self.io);
            drop(Box::from_raw(self.source));
        }
    }
}

/// # Safety
/// `source` is a [`Source`], and `size` bytes can be written to `buffer`.
unsafe extern "C" fn read(source: *mut c_void, buffer: *mut u8, size: c_int) -> c_int {
    let Ok(length) = usize::try_from(size) else { return av_error(EINVAL) };
    // SAFETY: the caller's. Nothing is read from the buffer, which FFmpeg may not have written to.
    let (source, buffer) =
        unsafe { (&mut *source.cast::<Source>(), std::slice::from_raw_parts_mut(buffer, length)) };
    if source.stop.is_set() {
        return AVERROR_EXIT;
    }
    match source.file.read_at(buffer, source.position) {
        Ok(0) => AVERROR_EOF,
        Ok(read) => {
            source.position += read as u64;
            read as c_int
        }
        Err(error) => av_error(error.raw_os_error().unwrap_or(EINVAL)),
    }
}

/// # Safety
/// `source` is a [`Source`].
unsafe extern "C" fn is_stopped(source: *mut c_void) -> c_int {
    // SAFETY: the caller's. FFmpeg asks between reads, not during one.
    c_int::from(unsafe { (*source.cast::<Source>()).stop.is_set() })
}

/// # Safety
/// `source` is a [`Source`].
unsafe extern "C" fn seek(source: *mut c_void, offset: i64, whence: c_int) -> i64 {
    let refused = i64::from(av_error(EINVAL));
    // SAFETY: the caller's.
    let source = unsafe { &mut *source.cast::<Source>() };
    let Some(length) = source.file.length().ok().and_then(|length| i64::try_from(length).ok()) else {
        return refused;
    };
    let base = match whence & !AVSEEK_FORCE {
        AVSEEK_SIZE => return length,
        SEEK_SET => 0,
        SEEK_CUR => source.position as i64,
        SEEK_END => length,
        _ => return refused,
    };
    match base.checked_add(offset).map(u64::try_from) {
        Some(Ok(position)) => {
            source.position = position;
            position as i64
        }
        _ => refused,
    }
}
