//! The file being written: under a temporary name beside the target, index first, renamed when complete.

use std::ffi::{CStr, c_int, c_uint};
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::atomic::{AtomicU32, Ordering};

use super::parts::{KeepPart, Left, PartWriter};
use crate::error::MediaError;
use crate::ffi::ffmpeg::*;
use crate::ffi::{Codec, Options, Packet, error_text, file_url, ready};
use rondo_sound::SAMPLE_RATE;

/// What kind of file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Container {
    Mp4,
    Mov,
    WebM,
    Gif,
    Mp3,
    Wav,
    /// AAC packets one after the other.
    Adts,
    /// MP4 for sound.
    M4a,
    /// No file: fragments of MP4, see [`super::Streaming`].
    Segments,
}

impl Container {
    /// FFmpeg's name for it.
    pub(super) fn muxer(self) -> &'static CStr {
        match self {
            Self::Mp4 | Self::Segments => c"mp4",
            Self::Mov => c"mov",
            Self::WebM => c"webm",
            Self::Gif => c"gif",
            Self::Mp3 => c"mp3",
            Self::Wav => c"wav",
            Self::Adts => c"adts",
            Self::M4a => c"ipod",
        }
    }
}

/// The encoders whose packets the file holds.
pub(crate) struct Tracks<'a> {
    /// With the rate of its frames.
    pub picture: Option<(&'a Codec, u32)>,
    /// Whether the pictures have their transparency beside them.
    pub alpha: bool,
    pub sound: Option<&'a Codec>,
    /// How long the last picture of a GIF is shown.
    pub last_hundredths: u32,
}

pub(crate) struct Muxer {
    ctx: *mut AVFormatContext,
    target: PathBuf,
    /// Removed on drop unless the film was finished.
    partial: PathBuf,
    finished: bool,
    header_written: bool,
    /// What the film is written to instead of the file.
    parts: Option<PartWriter>,
}

// SAFETY: owned by this value alone.
unsafe impl Send for Muxer {}

impl Muxer {
    pub fn create(target: &Path, container: Container, tracks: &Tracks<'_>) -> Result<Self, MediaError> {
        Self::in_parts(target, container, tracks, None)
    }

    /// The same. If there is something that keeps parts, an MP4 or MOV file that is large leaves in parts, and no file is written.
    pub fn in_parts(
        target: &Path,
        container: Container,
        tracks: &Tracks<'_>,
        keep: Option<KeepPart>,
    ) -> Result<Self, MediaError> {
        let unwritable = |reason: String| MediaError::unwritable(target, reason);
        ready().map_err(unwritable)?;
        let partial = partial_name(target)
            .ok_or_else(|| unwritable("the path has no file name, such as film.mp4".to_owned()))?;
        let url = file_url(&partial).ok_or_else(|| unwritable("its name contains a zero byte".to_owned()))?;
        let keep = keep.filter(|_| matches!(container, Container::Mp4 | Container::Mov));
        let parts = keep.map(|keep| PartWriter::new(keep).ok_or("there is not enough memory"));
        let mut muxer = Self {
            ctx: ptr::null_mut(),
            target: target.to_owned(),
            partial,
            finished: false,
            header_written: false,
            parts: parts.transpose().map_err(|reason| unwritable(reason.to_owned()))?,
        };
        // SAFETY: the context is made, filled and checked here; `Drop` frees it on every way out.
        unsafe {
            let name = container.muxer();
            let code =
                avformat_alloc_output_context2(&mut muxer.ctx, ptr::null(), name.as_ptr(), url.as_ptr());
            if code < 0 {
                return Err(unwritable(error_text(code)));
            }
            (*muxer.ctx).max_interleave_delta = 0;
            let mut options = add_tracks(muxer.ctx, tracks).map_err(unwritable)?;
            match &muxer.parts {
                Some(parts) => (*muxer.ctx).pb = parts.as_ptr(),
                None => {
                    let code = avio_open(&mut (*muxer.ctx).pb, url.as_ptr(), AVIO_FLAG_WRITE);
                    if code < 0 {
                        return Err(unwritable(error_text(code)));
                    }
                    options.set(c"movflags", "+faststart");
                }
            }
            options.set(c"cues_to_front", "1");
            options.set(c"final_delay", &tracks.last_hundredths.to_string());
            let code = avformat_write_header(muxer.ctx, &mut options.0);
            if code < 0 {
                return Err(unwritable(error_text(code)));
            }
            muxer.header_written = true;
        }
        Ok(muxer)
    }

    /// Takes a packet whose times are in `time_base`, of the track with this number.
    pub fn write(&mut self, packet: Packet, track: c_int, time_base: AVRational) -> Result<(), String> {
        // SAFETY: the header is written, so the streams have their final time base; FFmpeg takes the packet's contents.
        let code = unsafe {
            let target = *(*self.ctx).streams.add(track as usize);
            av_packet_rescale_ts(packet.0, time_base, (*target).time_base);
            (*packet.0).stream_index = track;
            av_interleaved_write_frame(self.ctx, packet.0)
        };
        if code < 0 { Err(self.explained(code)) } else { Ok(()) }
    }

    /// Why writing failed.
    fn explained(&self, code: c_int) -> String {
        let failure = self.parts.as_ref().and_then(PartWriter::failure);
        failure.unwrap_or_else(|| error_text(code))
    }

    /// Completes the file, renames it and returns its length in bytes.
    pub fn finish(mut self) -> Result<u64, MediaError> {
        // SAFETY: the header is written; the trailer is written once, and the writer closed after it.
        let code = unsafe {
            self.header_written = false;
            let trailer = av_write_trailer(self.ctx);
            let written = (*(*self.ctx).pb).error;
            let closed = self.close();
            trailer.min(written).min(closed)
        };
        if code < 0 {
            return Err(MediaError::unwritable(&self.target, self.explained(code)));
        }
        if let Some(parts) = &mut self.parts {
            match parts.finish().map_err(|reason| MediaError::unwritable(&self.target, reason))? {
                Left::InParts(bytes) => return Ok(bytes),
                Left::Whole(bytes) => std::fs::write(&self.partial, bytes)
                    .map_err(|error| MediaError::unwritable(&self.target, error.to_string()))?,
            }
        }
        let named = std::fs::rename(&self.partial, &self.target)
            .and_then(|()| std::fs::metadata(&self.target))
            .map_err(|error| MediaError::unwritable(&self.target, error.to_string()))?;
        self.finished = true;
        Ok(named.len())
    }

    /// Closes the file.
    ///
    /// # Safety
    /// Nothing is written after it.
    unsafe fn close(&mut self) -> c_int {
        // SAFETY: the caller's; the writer of parts frees its own context.
        unsafe {
            match self.parts {
                Some(_) => {
                    (*self.ctx).pb = ptr::null_mut();
                    0
                }
                None => avio_closep(&mut (*self.ctx).pb),
            }
        }
    }
}

impl Drop for Muxer {
    fn drop(&mut self) {
        // SAFETY: closes and frees what `create` made; a header without trailer leaves muxer memory that only the
        // trailer frees, so it is written into the file about to be removed.
        unsafe {
            if self.ctx.is_null() {
                return;
            }
            if self.header_written {
                if let Some(parts) = &mut self.parts {
                    parts.give_up();
                }
                av_write_trailer(self.ctx);
            }
            self.close();
            avformat_free_context(self.ctx);
        }
        if !self.finished {
            let _ = std::fs::remove_file(&self.partial);
        }
    }
}

/// Adds the tracks to a new file, before its header is written. Returns options for the header.
///
/// # Safety
/// The context is valid, and this thread alone uses it.
pub(crate) unsafe fn add_tracks(ctx: *mut AVFormatContext, tracks: &Tracks<'_>) -> Result<Options, String> {
    let mut options = Options::default();
    // SAFETY: the caller's; streams are checked before they are filled, and stay as long as the context.
    unsafe {
        (*ctx).flags |= AVFMT_FLAG_BITEXACT;
        let picture = tracks.picture.map(|(codec, _)| codec);
        for codec in [picture, tracks.sound].into_iter().flatten() {
            let stream = avformat_new_stream(ctx, ptr::null());
            if stream.is_null() {
                return Err("there is not enough memory".to_owned());
            }
            let code = avcodec_parameters_from_context((*stream).codecpar, codec.context());
            if code < 0 {
                return Err(error_text(code));
            }
            (*stream).time_base = codec.context().time_base;
            if (*(*stream).codecpar).codec_id == AVCodecID::AV_CODEC_ID_HEVC {
                // The name under which Apple's players take it.
                (*(*stream).codecpar).codec_tag = u32::from_le_bytes(*b"hvc1");
            }
        }
        if let Some((_, fps)) = tracks.picture {
            let rate = AVRational { num: fps as c_int, den: 1 };
            let film = *(*ctx).streams;
            (*film).avg_frame_rate = rate;
            (*film).r_frame_rate = rate;
            options.set(c"movie_timescale", &movie_timescale(fps).to_string());
            if tracks.alpha {
                av_dict_set(&mut (*film).metadata, c"alpha_mode".as_ptr(), c"1".as_ptr(), 0);
            }
        }
    }
    Ok(options)
}

/// A hidden name beside the target that no other encoder uses.
fn partial_name(target: &Path) -> Option<PathBuf> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let mut name = std::ffi::OsString::from(".");
    name.push(target.file_name()?);
    name.push(format!(".{}-{}.partial", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed)));
    Some(target.with_file_name(name))
}

/// Ticks per second in which both frames and samples last a whole number.
fn movie_timescale(fps: u32) -> c_uint {
    let (mut a, mut b) = (SAMPLE_RATE, fps);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    SAMPLE_RATE / a * fps
}
