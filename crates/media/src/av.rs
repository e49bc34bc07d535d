//! Owning wrappers around FFmpeg's contexts, so that the rest of the crate never frees by hand.

use std::collections::VecDeque;
use std::ffi::{CStr, CString, c_int};
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::Once;

use ffmpeg_next::error::{EAGAIN, EINVAL};
use ffmpeg_next::ffi::*;

use crate::error::MediaError;
use crate::h264;

/// Containers that hold their own media. Playlists and concatenation scripts, which name other files, are not among
/// them.
const CONTAINERS: &str = "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,mpegvideo,flv,asf,ogg,mp3,wav,w64,\
                          aac,flac,aiff,caf,amr,ac3,eac3,dts,au,mxf,gif,apng,ivf,nut,rm,dv,swf,wv,ape,tta,voc";

/// Pictures beyond this many pixels are refused before memory is taken for them (8192 × 8192).
const MAX_PIXELS: i64 = 1 << 26;

/// Packets without a single frame after which a stream counts as damaged.
const MAX_BARREN_PACKETS: u32 = 10_000;

/// Packets of a stream among which its first picture is for certain: no more than sixteen frames wait for those shown
/// before them.
const PICTURES_AHEAD: usize = 40;

/// Bytes of them that are read.
const BYTES_AHEAD: usize = 32 << 20;

/// Probe score above which FFmpeg trusts its guess of a container.
const PROBE_SURE: c_int = 25;

/// Where a packet carries what Matroska keeps beside the picture.
const BESIDE: AVPacketSideDataType = AVPacketSideDataType::AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL;

/// Silences FFmpeg's own log; what it has to say becomes our errors.
pub(crate) fn quiet() {
    static ONCE: Once = Once::new();
    // SAFETY: sets an integer inside FFmpeg.
    ONCE.call_once(|| unsafe { av_log_set_level(AV_LOG_QUIET) });
}

/// Version of FFmpeg's encoders.
pub fn ffmpeg_version() -> u32 {
    // SAFETY: returns a constant.
    unsafe { avcodec_version() }
}

/// FFmpeg's words for an error code.
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

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Picture,
    Sound,
}

/// An open media file.
pub(crate) struct Input {
    ctx: *mut AVFormatContext,
    path: PathBuf,
    /// Packets of the stream that is decoded, read before anybody asked for them.
    ahead: VecDeque<Result<Packet, c_int>>,
}

// SAFETY: the context is owned by this value alone and FFmpeg does not tie it to a thread.
unsafe impl Send for Input {}

impl Input {
    pub fn open(path: &Path) -> Result<Self, MediaError> {
        quiet();
        let unreadable = |reason: &str| MediaError::unreadable(path, reason);
        match std::fs::metadata(path) {
            Ok(meta) if !meta.is_file() => return Err(unreadable("it is not a file")),
            Ok(meta) if meta.len() == 0 => return Err(unreadable("it is empty")),
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(unreadable("it does not exist"));
            }
            Err(error) => return Err(unreadable(&error.to_string())),
        }
        let url = file_url(path).ok_or_else(|| unreadable("its name holds a zero byte"))?;
        let mut options = Options::default();
        options.set(c"format_whitelist", CONTAINERS);
        options.set(c"protocol_whitelist", "file");
        let mut ctx = ptr::null_mut();
        // SAFETY: `ctx` receives the new context or stays null; url and options outlive the call.
        let code = unsafe { avformat_open_input(&mut ctx, url.as_ptr(), ptr::null(), &mut options.0) };
        if code < 0 {
            return Err(unreadable(&open_failure(code, &url)));
        }
        let input = Self { ctx, path: path.to_owned(), ahead: VecDeque::new() };
        // FFmpeg decodes a picture to learn what pictures are like; how it looks does not matter.
        let mut rough: Vec<Options> = input.streams().iter().map(|_| Options::rough()).collect();
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
        description.is_some_and(|description| description.props & AV_CODEC_PROP_REORDER as c_int == 0)
    }

    /// The next packet; `Ok(false)` at the end.
    fn read(&mut self, packet: &mut Packet) -> Result<bool, c_int> {
        match self.ahead.pop_front() {
            Some(Ok(known)) => *packet = known,
            Some(Err(code)) => return Err(code),
            None => return self.read_on(packet),
        }
        Ok(true)
    }

    /// The next packet of the file.
    fn read_on(&mut self, packet: &mut Packet) -> Result<bool, c_int> {
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

    /// Moves to a key frame at or before `timestamp`.
    pub fn seek(&mut self, index: usize, timestamp: i64) -> bool {
        self.ahead.clear();
        // SAFETY: the index is one of this context's streams.
        unsafe { av_seek_frame(self.ctx, index as c_int, timestamp, AVSEEK_FLAG_BACKWARD) >= 0 }
    }

    /// Whether the index speaks of packets beyond the end of the file.
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
        // SAFETY: closes and frees what `open` made.
        unsafe { avformat_close_input(&mut self.ctx) };
    }
}

/// Tells a file FFmpeg does not know from one that it knows and cannot open.
fn open_failure(code: c_int, url: &CStr) -> String {
    // A container outside the list above is an invalid argument to FFmpeg.
    if code != AVERROR_INVALIDDATA && code != AVERROR(EINVAL) {
        return error_text(code);
    }
    let mut io = ptr::null_mut();
    let mut format = ptr::null();
    // SAFETY: opens, probes and closes a reader of its own.
    let score = unsafe {
        if avio_open(&mut io, url.as_ptr(), AVIO_FLAG_READ) < 0 {
            return error_text(code);
        }
        let score = av_probe_input_buffer2(io, &mut format, url.as_ptr(), ptr::null_mut(), 0, 0);
        avio_closep(&mut io);
        score
    };
    if score > PROBE_SURE && !format.is_null() {
        // SAFETY: a demuxer description lives as long as the program.
        let name = c_text(unsafe { (*format).name });
        if name.split(',').any(|name| CONTAINERS.split(',').any(|known| known == name)) {
            return "it is damaged or cut short".to_owned();
        }
    }
    "it is not a media file FFmpeg knows".to_owned()
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

    /// Bytes in which the length of an H.264 unit is written, in files that tell lengths.
    fn length_bytes(&self) -> Option<usize> {
        let parameters = self.parameters;
        let length = usize::try_from(parameters.extradata_size).ok()?;
        if parameters.codec_id != AVCodecID::AV_CODEC_ID_H264 || parameters.extradata.is_null() {
            return None;
        }
        // SAFETY: the header is as long as it says.
        h264::length_bytes(unsafe { std::slice::from_raw_parts(parameters.extradata, length) })
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

/// What became of asking for a decoded frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    Frame,
    End,
    /// The file broke off before its end; no more frames will come.
    Broken,
}

/// A decoder fed from one stream of an input.
pub(crate) struct Decoder {
    ctx: *mut AVCodecContext,
    packet: Packet,
    index: usize,
    /// Bytes in which the length of an H.264 unit is written, in files that tell lengths.
    length_bytes: Option<usize>,
    broken: bool,
    /// Decoding time of the packet read last.
    pub position: Option<i64>,
    /// Packets that end before this time (in stream ticks) are skipped without decoding.
    pub skip_until: i64,
    /// The timestamp asked for: pictures that no other one is made from are passed over where a later picture up to it
    /// takes their place.
    pub wanted: i64,
    /// The latest picture up to `wanted` that was sent.
    reached: i64,
}

// SAFETY: owned by this value alone; FFmpeg's worker threads are joined inside its calls.
unsafe impl Send for Decoder {}

impl Decoder {
    pub fn open(input: &Input, track: Track<'_>, threads: c_int) -> Result<Self, MediaError> {
        let name = track.codec();
        let unreadable = |reason: String| input.unreadable(reason);
        // SAFETY: looks codecs up; returns null or a description that lives as long as the program.
        let codec = unsafe {
            let mut codec = ptr::null();
            if track.vpx_alpha() {
                let vp8 = track.parameters.codec_id == AVCodecID::AV_CODEC_ID_VP8;
                codec = avcodec_find_decoder_by_name(if vp8 { c"libvpx" } else { c"libvpx-vp9" }.as_ptr());
            }
            if codec.is_null() {
                codec = avcodec_find_decoder(track.parameters.codec_id);
            }
            codec
        };
        if codec.is_null() {
            return Err(unreadable(format!("FFmpeg has no decoder for its {name} track")));
        }
        // SAFETY: the context is allocated, filled and opened here; `Drop` frees it on every way out.
        unsafe {
            let decoder = Self {
                ctx: avcodec_alloc_context3(codec),
                packet: Packet::new(),
                index: track.index,
                length_bytes: track.length_bytes(),
                broken: false,
                position: None,
                skip_until: i64::MIN,
                wanted: i64::MIN,
                reached: i64::MIN,
            };
            if decoder.ctx.is_null() {
                return Err(unreadable("there is not enough memory to decode it".to_owned()));
            }
            let mut code = avcodec_parameters_to_context(decoder.ctx, track.parameters);
            if code >= 0 {
                let ctx = &mut *decoder.ctx;
                ctx.pkt_timebase = track.stream.time_base;
                ctx.thread_count = threads;
                ctx.thread_type = FF_THREAD_FRAME;
                ctx.max_pixels = MAX_PIXELS;
                code = avcodec_open2(ctx, codec, ptr::null_mut());
            }
            if code < 0 {
                return Err(unreadable(format!("its {name} track cannot be decoded ({})", error_text(code))));
            }
            Ok(decoder)
        }
    }

    /// Decodes on to the next frame. Damaged packets are passed over, up to a limit.
    pub fn next(&mut self, input: &mut Input, frame: &mut Frame) -> Next {
        let mut barren = 0;
        loop {
            // SAFETY: context and frame are valid.
            let code = unsafe { avcodec_receive_frame(self.ctx, frame.0) };
            if code >= 0 {
                return Next::Frame;
            }
            if code == AVERROR_EOF {
                return if self.broken || input.is_cut_short(self.index) { Next::Broken } else { Next::End };
            }
            barren += 1;
            if barren > MAX_BARREN_PACKETS {
                return Next::Broken;
            }
            if code == AVERROR(EAGAIN) {
                self.feed(input);
            }
        }
    }

    /// Sends the stream's next packet, or the end.
    fn feed(&mut self, input: &mut Input) {
        loop {
            match input.read(&mut self.packet) {
                Ok(true) => {}
                end => {
                    self.broken = end.is_err();
                    // SAFETY: a null packet starts draining.
                    unsafe { avcodec_send_packet(self.ctx, ptr::null()) };
                    return;
                }
            }
            let packet = self.packet.get();
            if packet.stream_index != self.index as c_int {
                continue;
            }
            let start = if packet.dts == AV_NOPTS_VALUE { packet.pts } else { packet.dts };
            if start != AV_NOPTS_VALUE {
                self.position = Some(start);
                if start.saturating_add(packet.duration) < self.skip_until {
                    continue;
                }
            }
            let shown = packet.pts != AV_NOPTS_VALUE
                && packet.pts <= self.wanted
                && packet.flags & AV_PKT_FLAG_DISCARD == 0;
            let replaced = shown && packet.pts < self.reached;
            if shown {
                self.reached = self.reached.max(packet.pts);
            }
            // The decoder would pass it over as well, but a thread of it would have to be free first.
            if replaced
                && self.length_bytes.is_some_and(|bytes| h264::is_disposable(self.packet.data(), bytes))
            {
                continue;
            }
            // SAFETY: context and packet are valid; the decoder takes its own reference. An error means a damaged
            // packet, which the limit in `next` counts.
            unsafe {
                (*self.ctx).skip_frame =
                    if replaced { AVDiscard::AVDISCARD_NONREF } else { AVDiscard::AVDISCARD_DEFAULT };
                avcodec_send_packet(self.ctx, self.packet.0);
            }
            return;
        }
    }

    /// Forgets everything in flight, after a seek.
    pub fn flush(&mut self) {
        self.broken = false;
        self.position = None;
        self.reached = i64::MIN;
        // SAFETY: the context is open.
        unsafe { avcodec_flush_buffers(self.ctx) };
    }
}

impl Drop for Decoder {
    fn drop(&mut self) {
        // SAFETY: frees what `open` allocated; null is allowed.
        unsafe { avcodec_free_context(&mut self.ctx) };
    }
}

/// A packet that is never null.
pub(crate) struct Packet(pub *mut AVPacket);

// SAFETY: owned by this value alone.
unsafe impl Send for Packet {}

impl Packet {
    pub fn new() -> Self {
        // SAFETY: allocation; out of memory ends the program as it does everywhere in Rust.
        let packet = unsafe { av_packet_alloc() };
        assert!(!packet.is_null(), "out of memory");
        Self(packet)
    }

    /// A picture that lasts one tick, with a copy of its bytes and of those of its transparency; `None` when they do not
    /// fit into memory.
    pub fn of_picture(bytes: &[u8], alpha: &[u8], shown: i64, decoded: i64, key: bool) -> Option<Self> {
        let packet = Self::new();
        let length = c_int::try_from(bytes.len()).ok()?;
        // SAFETY: the packet gets a buffer of `length` bytes, which is filled.
        unsafe {
            if av_new_packet(packet.0, length) < 0 {
                return None;
            }
            ptr::copy_nonoverlapping(bytes.as_ptr(), (*packet.0).data, bytes.len());
            (*packet.0).pts = shown;
            (*packet.0).dts = decoded;
            (*packet.0).duration = 1;
            if key {
                (*packet.0).flags |= AV_PKT_FLAG_KEY;
            }
        }
        (alpha.is_empty() || packet.put_beside(BESIDE, alpha)).then_some(packet)
    }

    fn get(&self) -> &AVPacket {
        // SAFETY: never null.
        unsafe { &*self.0 }
    }

    pub fn data(&self) -> &[u8] {
        // SAFETY: a packet's data is as long as it says; an empty one may have none.
        unsafe {
            match usize::try_from((*self.0).size) {
                Ok(length) if !(*self.0).data.is_null() => std::slice::from_raw_parts((*self.0).data, length),
                _ => &[],
            }
        }
    }

    /// Parameter sets that an encoder hands out with its first packet only.
    pub fn header(&self) -> &[u8] {
        self.beside(AVPacketSideDataType::AV_PKT_DATA_NEW_EXTRADATA)
    }

    /// Sends parameter sets with a packet; `false` when there is no memory for them.
    pub fn carry_header(&self, header: &[u8]) -> bool {
        self.put_beside(AVPacketSideDataType::AV_PKT_DATA_NEW_EXTRADATA, header)
    }

    /// The transparency of a picture whose codec keeps it beside the colours.
    pub fn alpha(&self) -> &[u8] {
        self.beside(BESIDE)
    }

    fn put_beside(&self, kind: AVPacketSideDataType, bytes: &[u8]) -> bool {
        // SAFETY: the packet gets a buffer of that length, which is filled.
        unsafe {
            let place = av_packet_new_side_data(self.0, kind, bytes.len());
            if place.is_null() {
                return false;
            }
            ptr::copy_nonoverlapping(bytes.as_ptr(), place, bytes.len());
        }
        true
    }

    fn beside(&self, kind: AVPacketSideDataType) -> &[u8] {
        let mut length = 0;
        // SAFETY: side data is as long as it says, and lives as long as the packet.
        unsafe {
            let data = av_packet_get_side_data(self.0, kind, &mut length);
            if data.is_null() { &[] } else { std::slice::from_raw_parts(data, length) }
        }
    }

    pub fn pts(&self) -> i64 {
        self.get().pts
    }

    pub fn set_duration(&self, ticks: i64) {
        // SAFETY: never null, and the packet is owned by this value alone.
        unsafe { (*self.0).duration = ticks };
    }

    pub fn is_key(&self) -> bool {
        self.get().flags & AV_PKT_FLAG_KEY != 0
    }
}

impl Drop for Packet {
    fn drop(&mut self) {
        // SAFETY: frees what `new` allocated.
        unsafe { av_packet_free(&mut self.0) };
    }
}

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

/// A dictionary of options.
pub(crate) struct Options(pub *mut AVDictionary);

impl Default for Options {
    fn default() -> Self {
        Self(ptr::null_mut())
    }
}

impl Options {
    /// Those of a decoder whose pictures nobody will see.
    fn rough() -> Self {
        let mut options = Self::default();
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
