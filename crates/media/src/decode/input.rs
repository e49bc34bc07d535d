//! The demuxer: the streams of a media file and their packets.

use std::collections::VecDeque;
use std::ffi::{CStr, c_char, c_int};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::ptr;

use rondo_pixels::Stop;

use super::allowed::{CONTAINERS, DECODERS, MAX_PIXELS, MAX_STREAMS, PROBE_BYTES, lists};
use crate::error::MediaError;
use crate::ffi::ffmpeg::*;
use crate::ffi::{Options, Packet, Reader, c_text, error_text, file_url, ready, seconds};
use crate::file::MediaFile;
use crate::h264;

/// Packets of a stream among which its first picture is for certain: no more than sixteen frames wait for those shown
/// before them.
const PICTURES_AHEAD: usize = 40;

/// Maximum bytes of packets read ahead.
const BYTES_AHEAD: usize = 32 << 20;

/// Bytes that a packet takes beside its own.
const PACKET_BYTES: usize = 1024;

/// Probe score above which FFmpeg trusts its guess of a container.
const PROBE_SURE: c_int = 25;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Picture,
    Sound,
}

/// An open media file.
pub(crate) struct Input {
    ctx: *mut AVFormatContext,
    /// What the context reads from.
    _reader: Reader,
    stop: Stop,
    path: PathBuf,
    /// Packets of the decoded stream that were read ahead.
    ahead: VecDeque<Result<Packet, c_int>>,
}

// SAFETY: the context is owned by this value alone and FFmpeg does not tie it to a thread.
unsafe impl Send for Input {}

impl Input {
    pub fn open(path: &Path, stop: &Stop) -> Result<Self, MediaError> {
        let unreadable = |reason: &str| MediaError::unreadable(path, reason);
        let file = MediaFile::open(path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => unreadable("it does not exist"),
            ErrorKind::IsADirectory => unreadable("it is not a file"),
            _ => unreadable(&error.to_string()),
        })?;
        if file.length().is_ok_and(|length| length == 0) {
            return Err(unreadable("it is empty"));
        }
        let url = file_url(path).ok_or_else(|| unreadable("its name contains a zero byte"))?;
        ready().map_err(|reason| unreadable(&reason))?;
        let mut options = Options::default();
        options.set(c"format_whitelist", CONTAINERS);
        options.set(c"codec_whitelist", DECODERS);
        options.set(c"protocol_whitelist", "none");
        options.set(c"max_streams", MAX_STREAMS);
        options.set(c"probesize", PROBE_BYTES);
        let no_memory = || unreadable("there is not enough memory to read it");
        let reader = Reader::new(file.clone(), stop.clone()).ok_or_else(no_memory)?;
        // SAFETY: the context is checked before use. On failure it is freed and set to null, and its reader is not
        // touched. Url and options outlive the call; the url only serves to guess the container from its ending.
        let (ctx, code) = unsafe {
            let mut ctx = avformat_alloc_context();
            let context = ctx.as_mut().ok_or_else(no_memory)?;
            context.pb = reader.as_ptr();
            context.io_open = Some(refuse_other_files);
            context.interrupt_callback = reader.interrupt();
            let code = avformat_open_input(&mut ctx, url.as_ptr(), ptr::null(), &mut options.0);
            (ctx, code)
        };
        if code < 0 {
            return Err(unreadable(&open_failure(code, file, &url)));
        }
        let (path, ahead) = (path.to_owned(), VecDeque::new());
        let input = Self { ctx, _reader: reader, stop: stop.clone(), path, ahead };
        // FFmpeg decodes a picture to learn what pictures are like; how it looks does not matter.
        let mut rough: Vec<Options> = input.streams().iter().map(|_| Options::rough(MAX_PIXELS)).collect();
        let mut dictionaries: Vec<*mut AVDictionary> = rough.iter().map(|options| options.0).collect();
        // SAFETY: the context is open, and there is a dictionary for each stream it has now.
        let code = unsafe { avformat_find_stream_info(input.ctx, dictionaries.as_mut_ptr()) };
        // It may have put others in their place.
        for (options, dictionary) in rough.iter_mut().zip(dictionaries) {
            options.0 = dictionary;
        }
        if code < 0 {
            return Err(unreadable("it is damaged or cut short"));
        }
        Ok(input)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn unreadable(&self, reason: impl Into<String>) -> MediaError {
        MediaError::unreadable(&self.path, reason)
    }

    pub fn format(&self) -> &AVFormatContext {
        // SAFETY: the context is open for as long as `self` lives.
        unsafe { &*self.ctx }
    }

    pub fn container(&self) -> String {
        // SAFETY: an opened context has its demuxer.
        c_text(unsafe { (*self.format().iformat).name })
    }

    pub fn streams(&self) -> &[*mut AVStream] {
        let format = self.format();
        if format.nb_streams == 0 {
            return &[];
        }
        // SAFETY: `streams` holds `nb_streams` pointers.
        unsafe { std::slice::from_raw_parts(format.streams, format.nb_streams as usize) }
    }

    /// The first stream of the kind, one marked as default before others. Cover art is not a picture stream.
    pub fn track(&self, kind: Kind) -> Option<Track<'_>> {
        let wanted = match kind {
            Kind::Picture => AVMediaType::AVMEDIA_TYPE_VIDEO,
            Kind::Sound => AVMediaType::AVMEDIA_TYPE_AUDIO,
        };
        let mut found: Option<Track<'_>> = None;
        for (index, &stream) in self.streams().iter().enumerate() {
            // SAFETY: stream pointers of an open context and their parameters are valid.
            let track = unsafe { Track { index, stream: &*stream, parameters: &*(*stream).codecpar } };
            let usable = track.parameters.codec_type == wanted
                && track.stream.disposition & AV_DISPOSITION_ATTACHED_PIC == 0
                && match kind {
                    Kind::Picture => track.parameters.width > 0 && track.parameters.height > 0,
                    Kind::Sound => track.parameters.sample_rate > 0,
                };
            let default = track.stream.disposition & AV_DISPOSITION_DEFAULT != 0;
            if usable && (found.is_none() || default) {
                found = Some(track);
                if default {
                    break;
                }
            }
        }
        found
    }

    /// Leaves packets of all other streams unread.
    pub fn keep_only(&mut self, index: usize) {
        for (i, &stream) in self.streams().iter().enumerate() {
            if i != index {
                // SAFETY: a stream of the open context; nothing else refers to it now.
                unsafe { (*stream).discard = AVDiscard::AVDISCARD_ALL };
            }
        }
    }

    /// The time of the picture that is shown first, where packets tell it for certain: it is a key frame, and none of those
    /// that follow is shown before it.
    pub fn first_shown(&mut self, index: usize) -> Option<i64> {
        let pictures = if self.shows_as_it_decodes(index) { 1 } else { PICTURES_AHEAD };
        let (mut first, mut bytes) = (None, 0);
        while self.ahead.len() < pictures {
            let mut packet = Packet::new();
            match self.read_on(&mut packet) {
                Ok(true) => {}
                Ok(false) => break,
                Err(code) => {
                    self.ahead.push_back(Err(code));
                    return None;
                }
            }
            let told = packet.get();
            if told.stream_index != index as c_int {
                continue;
            }
            let (shown, decoded, size) = (told.pts, told.dts, packet.data().len());
            let hidden = told.flags & AV_PKT_FLAG_DISCARD != 0;
            let certain = shown != AV_NOPTS_VALUE
                && match first {
                    None => packet.is_key() && !hidden,
                    Some(first) => shown > first,
                };
            self.ahead.push_back(Ok(packet));
            bytes += size;
            if !certain || bytes > BYTES_AHEAD {
                return None;
            }
            // Nothing is shown before it is decoded.
            if first.is_some_and(|first| decoded != AV_NOPTS_VALUE && decoded >= first) {
                break;
            }
            first.get_or_insert(shown);
        }
        first
    }

    /// Whether pictures of a stream are shown in the order in which they are decoded.
    fn shows_as_it_decodes(&self, index: usize) -> bool {
        let Some(&stream) = self.streams().get(index) else { return false };
        // SAFETY: a stream of the open context has its parameters; descriptions live as long as the program.
        let description = unsafe { avcodec_descriptor_get((*(*stream).codecpar).codec_id).as_ref() };
        description.is_some_and(|description| description.props & AV_CODEC_PROP_REORDER == 0)
    }

    /// Whether packets of a stream tell for certain when they are decoded: elsewhere FFmpeg guesses from the pictures it
    /// looked at.
    pub fn tells_when_decoded(&self, index: usize) -> bool {
        self.container().starts_with("mov,") || self.shows_as_it_decodes(index)
    }

    /// The next packet; `Ok(false)` at the end.
    pub fn read(&mut self, packet: &mut Packet) -> Result<bool, c_int> {
        match self.ahead.pop_front() {
            Some(Ok(known)) => *packet = known,
            Some(Err(code)) => return Err(code),
            None => return self.read_on(packet),
        }
        Ok(true)
    }

    /// The next packet of the file.
    fn read_on(&mut self, packet: &mut Packet) -> Result<bool, c_int> {
        if self.stop.is_set() {
            return Err(AVERROR_EXIT);
        }
        // SAFETY: both pointers are valid; an old packet is released first.
        let code = unsafe {
            av_packet_unref(packet.0);
            av_read_frame(self.ctx, packet.0)
        };
        match code {
            0.. => Ok(true),
            AVERROR_EOF => Ok(false),
            code => Err(code),
        }
    }

    /// Whether it has a list of its key frames. Those that were met on the way make none.
    pub fn has_index(&self) -> bool {
        // SAFETY: an opened context has its demuxer.
        unsafe { (*self.format().iformat).flags & AVFMT_TS_DISCONT == 0 }
    }

    /// Reads ahead to the last key frame that is shown at or before `wanted`, and passes over what is before it; with an
    /// index, the first one. `false` when there is none on the way: what was read is then still to come.
    pub fn skip_to_key(&mut self, index: usize, wanted: i64) -> bool {
        let has_index = self.has_index();
        // Elsewhere a key frame without a time of its own would make the times of others a guess.
        let counts = has_index || self.shows_as_it_decodes(index);
        let (mut found, mut passed, mut bytes) = (false, 0, 0);
        let mut before = i64::MIN;
        loop {
            if passed == self.ahead.len() {
                let mut packet = Packet::new();
                match self.read_on(&mut packet) {
                    Ok(true) if packet.get().stream_index != index as c_int => continue,
                    Ok(true) => self.ahead.push_back(Ok(packet)),
                    Ok(false) => return found,
                    Err(code) => self.ahead.push_back(Err(code)),
                }
            }
            let Some(Ok(packet)) = self.ahead.get(passed) else { return found };
            let AVPacket { pts, dts: decoded, .. } = *packet.get();
            // The clock of another recording that was put behind the first one.
            if decoded != AV_NOPTS_VALUE && decoded < before {
                return found;
            }
            before = before.max(decoded);
            let shown = if pts == AV_NOPTS_VALUE && counts { decoded } else { pts };
            if shown != AV_NOPTS_VALUE && shown <= wanted && packet.is_key() {
                self.ahead.drain(..passed);
                (found, passed, bytes) = (true, 0, 0);
            }
            bytes += self.ahead[passed].as_ref().map_or(0, |packet| packet.data().len()) + PACKET_BYTES;
            if found && has_index || decoded > wanted || bytes > BYTES_AHEAD {
                return found;
            }
            passed += 1;
        }
    }

    /// Moves to a key frame at or before `timestamp`; without an index, to somewhere near it.
    pub fn seek(&mut self, index: usize, timestamp: i64) -> bool {
        self.ahead.clear();
        // SAFETY: the index is one of this context's streams.
        unsafe { av_seek_frame(self.ctx, index as c_int, timestamp, AVSEEK_FLAG_BACKWARD) >= 0 }
    }

    /// Whether the index lists packets beyond the end of the file.
    pub fn is_cut_short(&self, index: usize) -> bool {
        let Some(&stream) = self.streams().get(index) else { return false };
        // SAFETY: the stream is valid; the entry, when not null, is read at once; an open file has its reader.
        unsafe {
            let last = avformat_index_get_entry(stream, avformat_index_get_entries_count(stream) - 1);
            let length = avio_size(self.format().pb);
            length > 0
                && last.as_ref().is_some_and(|last| last.pos.saturating_add(i64::from(last.size())) > length)
        }
    }

    /// Timestamp of the indexed key frame at or before `timestamp`.
    pub fn key_frame_before(&self, index: usize, timestamp: i64) -> Option<i64> {
        let stream = *self.streams().get(index)?;
        // SAFETY: the stream is valid; the entry, when not null, is valid until the index changes, and is read at once.
        unsafe {
            let entry = avformat_index_get_entry_from_timestamp(stream, timestamp, AVSEEK_FLAG_BACKWARD);
            entry.as_ref().map(|entry| entry.timestamp)
        }
    }
}

impl Drop for Input {
    fn drop(&mut self) {
        // SAFETY: closes and frees what `open` made. The reader outlives the context.
        unsafe { avformat_close_input(&mut self.ctx) };
    }
}

/// Refuses the files that a container names besides itself.
unsafe extern "C" fn refuse_other_files(
    _: *mut AVFormatContext,
    _: *mut *mut AVIOContext,
    _: *const c_char,
    _: c_int,
    _: *mut *mut AVDictionary,
) -> c_int {
    av_error(EINVAL)
}

/// Distinguishes an unknown format from a container that is not allowed and from a read error.
fn open_failure(code: c_int, file: MediaFile, url: &CStr) -> String {
    // A container outside the list above is an invalid argument to FFmpeg.
    if code != AVERROR_INVALIDDATA && code != av_error(EINVAL) {
        return error_text(code);
    }
    let Some(reader) = Reader::new(file, Stop::default()) else { return error_text(code) };
    let mut format = ptr::null();
    // SAFETY: probes with a reader of its own.
    let score =
        unsafe { av_probe_input_buffer2(reader.as_ptr(), &mut format, url.as_ptr(), ptr::null_mut(), 0, 0) };
    if score > PROBE_SURE && !format.is_null() {
        // SAFETY: a demuxer description lives as long as the program.
        let name = c_text(unsafe { (*format).name });
        let reason = if lists(CONTAINERS, &name) {
            "it is damaged or cut short"
        } else {
            "its format is not supported"
        };
        return reason.to_owned();
    }
    "FFmpeg does not recognize its format".to_owned()
}

/// One stream of an [`Input`].
#[derive(Clone, Copy)]
pub(crate) struct Track<'a> {
    pub index: usize,
    pub stream: &'a AVStream,
    pub parameters: &'a AVCodecParameters,
}

impl Track<'_> {
    pub fn codec(&self) -> String {
        // SAFETY: returns a name that lives as long as the program.
        c_text(unsafe { avcodec_get_name(self.parameters.codec_id) })
    }

    pub fn tag(&self, key: &CStr) -> Option<String> {
        // SAFETY: the dictionary belongs to the stream; the value is copied at once.
        unsafe {
            let entry = av_dict_get(self.stream.metadata, key.as_ptr(), ptr::null(), 0);
            entry.as_ref().map(|entry| c_text(entry.value))
        }
    }

    /// Size of the length field before each H.264 NAL unit, in containers that have one.
    pub fn length_size(&self) -> Option<usize> {
        let parameters = self.parameters;
        let length = usize::try_from(parameters.extradata_size).ok()?;
        if parameters.codec_id != AVCodecID::AV_CODEC_ID_H264 || parameters.extradata.is_null() {
            return None;
        }
        // SAFETY: the header is as long as it says.
        h264::length_size(unsafe { std::slice::from_raw_parts(parameters.extradata, length) })
    }

    /// The decoder for it, which is not null, or why there is none.
    pub fn decoder(&self) -> Result<*const AVCodec, String> {
        // SAFETY: looks codecs up; returns null or a description that lives as long as the program.
        let found = unsafe {
            let mut codec = ptr::null();
            if self.vpx_alpha() {
                let vp8 = self.parameters.codec_id == AVCodecID::AV_CODEC_ID_VP8;
                codec = avcodec_find_decoder_by_name(if vp8 { c"libvpx" } else { c"libvpx-vp9" }.as_ptr());
            }
            if codec.is_null() {
                codec = avcodec_find_decoder(self.parameters.codec_id);
            }
            codec
        };
        // SAFETY: as above.
        match unsafe { found.as_ref() }.map(|codec| c_text(codec.name)) {
            Some(name) if lists(DECODERS, &name) => Ok(found),
            Some(_) => Err(format!("its {} track has a codec that is not supported", self.codec())),
            None => Err(format!("FFmpeg has no decoder for its {} track", self.codec())),
        }
    }

    /// Seconds, when the container says.
    pub fn duration(&self) -> Option<f64> {
        let ticks = self.stream.duration;
        (ticks != AV_NOPTS_VALUE && ticks > 0).then(|| ticks as f64 * seconds(self.stream.time_base))
    }

    /// VP8 and VP9 keep alpha beside the picture, where only libvpx finds it.
    pub fn vpx_alpha(&self) -> bool {
        let vpx = matches!(self.parameters.codec_id, AVCodecID::AV_CODEC_ID_VP8 | AVCodecID::AV_CODEC_ID_VP9);
        vpx && self.tag(c"alpha_mode").is_some_and(|mode| mode.trim() == "1")
    }

    /// The 3×3 display matrix, when there is one.
    pub fn display_matrix(&self) -> Option<[i32; 9]> {
        let mut size = 0;
        // SAFETY: side data of the stream; copied at once, and only when it is as long as a matrix.
        unsafe {
            let data = av_stream_get_side_data(
                self.stream,
                AVPacketSideDataType::AV_PKT_DATA_DISPLAYMATRIX,
                &mut size,
            );
            (!data.is_null() && size >= size_of::<[i32; 9]>())
                .then(|| data.cast::<[i32; 9]>().read_unaligned())
        }
    }
}
