//! A film that leaves in parts while it is written, so that it is never whole in memory or on the disk. The index of an MP4 file
//! comes first but is known last, so the first part is handed over at the end.

use std::ffi::{c_int, c_void};
use std::ptr;

use super::index::shifted;
use crate::ffi::ffmpeg::*;

/// Bytes of every part but two: the first one has the index too, and the last one has what is left.
pub const PART_BYTES: usize = 8 << 20;

/// Bytes that FFmpeg collects before it writes them.
const BUFFER: usize = 64 << 10;

/// A part of a film.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Its place in the film. Part 0 is handed over last.
    pub number: u32,
    pub bytes: Vec<u8>,
}

/// Takes parts as they are finished, or says why it cannot.
pub type KeepPart = Box<dyn FnMut(Part) -> Result<(), String> + Send>;

/// What became of a film that may leave in parts.
pub(crate) enum Left {
    /// It was too short for that.
    Whole(Vec<u8>),
    /// So many bytes have left.
    InParts(u64),
}

/// FFmpeg's writer of a film that leaves in parts.
pub(crate) struct PartWriter {
    io: *mut AVIOContext,
    sink: *mut Sink,
}

// SAFETY: both pointers are owned by this value alone.
unsafe impl Send for PartWriter {}

impl PartWriter {
    /// `None` when there is no memory for it.
    pub fn new(keep: KeepPart) -> Option<Self> {
        let sink = Box::into_raw(Box::new(Sink::new(keep)));
        // SAFETY: the context takes the buffer; the sink is freed by `Drop`, after the context.
        let io = unsafe {
            let buffer = av_malloc(BUFFER);
            let io = match buffer.is_null() {
                true => ptr::null_mut(),
                false => avio_alloc_context(
                    buffer.cast(),
                    BUFFER as c_int,
                    1,
                    sink.cast(),
                    None,
                    Some(write),
                    Some(seek),
                ),
            };
            if io.is_null() {
                av_free(buffer);
            }
            io
        };
        let writer = Self { io, sink };
        (!io.is_null()).then_some(writer)
    }

    pub fn as_ptr(&self) -> *mut AVIOContext {
        self.io
    }

    /// Why a part was not taken.
    pub fn failure(&self) -> Option<String> {
        // SAFETY: FFmpeg uses the sink only while it writes.
        unsafe { (*self.sink).failure.clone() }
    }

    /// From now on nothing leaves.
    pub fn give_up(&mut self) {
        // SAFETY: FFmpeg uses the sink only while it writes.
        unsafe { (*self.sink).keep = None }
    }

    /// Hands over the rest, after the trailer was written.
    pub fn finish(&mut self) -> Result<Left, String> {
        // SAFETY: FFmpeg uses the sink only while it writes.
        unsafe { (*self.sink).finish() }
    }
}

impl Drop for PartWriter {
    fn drop(&mut self) {
        // SAFETY: frees what `new` made. FFmpeg may have put another buffer in the place of the first one.
        unsafe {
            if let Some(io) = self.io.as_ref() {
                av_free(io.buffer.cast());
            }
            avio_context_free(&mut self.io);
            drop(Box::from_raw(self.sink));
        }
    }
}

/// What FFmpeg writes: a header and the pictures and sound in order, then the length of both in the header, then the index.
struct Sink {
    /// None when nothing leaves any more.
    keep: Option<KeepPart>,
    /// The beginning of the film, without the index.
    head: Vec<u8>,
    /// The part that is being filled, and its number.
    part: Vec<u8>,
    number: u32,
    position: u64,
    /// Bytes of the film without the index, and whether they are all.
    length: u64,
    is_whole: bool,
    index: Vec<u8>,
    failure: Option<String>,
}

impl Sink {
    fn new(keep: KeepPart) -> Self {
        Self {
            keep: Some(keep),
            head: Vec::new(),
            part: Vec::new(),
            number: 1,
            position: 0,
            length: 0,
            is_whole: false,
            index: Vec::new(),
            failure: None,
        }
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), String> {
        let end = self.position + bytes.len() as u64;
        if self.position < self.length {
            // The header gets the length of the film.
            let place = self.head.get_mut(self.position as usize..end as usize);
            place.ok_or("a part that has left cannot be changed")?.copy_from_slice(bytes);
        } else if self.is_whole {
            // The sizes in the index are written when it is.
            let start = (self.position - self.length) as usize;
            let place = self.index.get_mut(start..).ok_or("the index of the film has a gap")?;
            let (known, new) = bytes.split_at(place.len().min(bytes.len()));
            place[..known.len()].copy_from_slice(known);
            self.index.extend_from_slice(new);
        } else {
            self.append(bytes)?;
            self.length = end;
        }
        self.position = end;
        Ok(())
    }

    fn append(&mut self, mut bytes: &[u8]) -> Result<(), String> {
        let room = PART_BYTES.saturating_sub(self.head.len()).min(bytes.len());
        self.head.extend_from_slice(&bytes[..room]);
        bytes = &bytes[room..];
        while !bytes.is_empty() {
            let room = (PART_BYTES - self.part.len()).min(bytes.len());
            self.part.extend_from_slice(&bytes[..room]);
            bytes = &bytes[room..];
            if self.part.len() == PART_BYTES {
                let part = Part { number: self.number, bytes: std::mem::take(&mut self.part) };
                self.number += 1;
                self.hand_over(part)?;
            }
        }
        Ok(())
    }

    fn hand_over(&mut self, part: Part) -> Result<(), String> {
        match &mut self.keep {
            Some(keep) => keep(part),
            None => Ok(()),
        }
    }

    fn seek(&mut self, position: u64) -> bool {
        // Only the end of the film or of its index can be gone on from.
        self.is_whole |= position < self.length;
        self.position = position;
        position <= self.length + self.index.len() as u64
    }

    fn finish(&mut self) -> Result<Left, String> {
        let header = self.head.first_chunk().map(|size| u32::from_be_bytes(*size) as usize);
        let header = header.filter(|_| self.is_whole).filter(|size| *size <= self.head.len());
        let index = shifted(&self.index).ok_or("the index of the film cannot be read")?;
        let header = header.ok_or("the film has no header")?;
        self.head.splice(header..header, index.iter().copied());
        let (mut first, last) = (std::mem::take(&mut self.head), std::mem::take(&mut self.part));
        if self.number == 1 {
            first.extend(last);
            return Ok(Left::Whole(first));
        }
        if !last.is_empty() {
            self.hand_over(Part { number: self.number, bytes: last })?;
        }
        self.hand_over(Part { number: 0, bytes: first })?;
        Ok(Left::InParts(self.length + index.len() as u64))
    }
}

/// A pointer to bytes: whether they can be changed depends on the version of FFmpeg.
trait Bytes {
    fn pointer(self) -> *const u8;
}

impl Bytes for *const u8 {
    fn pointer(self) -> *const u8 {
        self
    }
}

impl Bytes for *mut u8 {
    fn pointer(self) -> *const u8 {
        self
    }
}

/// # Safety
/// `sink` is a [`Sink`], and `size` bytes can be read from `bytes`.
unsafe extern "C" fn write<B: Bytes>(sink: *mut c_void, bytes: B, size: c_int) -> c_int {
    let Ok(length) = usize::try_from(size) else { return av_error(EINVAL) };
    // SAFETY: the caller's.
    let (sink, bytes) =
        unsafe { (&mut *sink.cast::<Sink>(), std::slice::from_raw_parts(bytes.pointer(), length)) };
    match sink.write(bytes) {
        Ok(()) => size,
        Err(reason) => {
            sink.failure.get_or_insert(reason);
            av_error(EINVAL)
        }
    }
}

/// # Safety
/// `sink` is a [`Sink`].
unsafe extern "C" fn seek(sink: *mut c_void, offset: i64, whence: c_int) -> i64 {
    let refused = i64::from(av_error(EINVAL));
    // SAFETY: the caller's.
    let sink = unsafe { &mut *sink.cast::<Sink>() };
    let length = sink.length + sink.index.len() as u64;
    let base = match whence & !AVSEEK_FORCE {
        AVSEEK_SIZE => return length as i64,
        SEEK_SET => 0,
        SEEK_CUR => sink.position as i64,
        SEEK_END => length as i64,
        _ => return refused,
    };
    match base.checked_add(offset).map(u64::try_from) {
        Some(Ok(position)) if sink.seek(position) => position as i64,
        _ => refused,
    }
}
