//! The two encoders of a film, x264 and FFmpeg's AAC, as they are set up here and nowhere else.

use std::ffi::c_int;
use std::ptr;

use ffmpeg_next::ffi::*;

use crate::audio_decode::SAMPLE_RATE;
use crate::av::{Frame, Options, Packet, error_text, quiet};
use crate::encode::{I420, PictureSettings, Quality};

/// Most seconds from one key frame to the next, and so of a chunk that shall have one only.
pub const KEY_FRAME_SECONDS: u32 = 5;

/// Threads of the picture encoder. Another number gives other bytes, so it is the same on every machine.
const THREADS: c_int = 2;

const AUDIO_BITS_A_SECOND: i64 = 192_000;

/// Samples in an AAC packet.
pub(crate) const AAC_FRAME: i64 = 1024;

/// How a quality is encoded.
struct Preset {
    quality: Quality,
    preset: &'static str,
    crf: &'static str,
    /// Further x264 parameters.
    extra: &'static str,
}

/// `8x8dct` is what makes ultrafast a High profile stream.
const PRESETS: [Preset; 3] = [
    Preset { quality: Quality::Draft, preset: "ultrafast", crf: "26", extra: "8x8dct=1" },
    Preset { quality: Quality::Standard, preset: "veryfast", crf: "18", extra: "" },
    Preset { quality: Quality::High, preset: "medium", crf: "16", extra: "" },
];

/// An open encoder.
pub(crate) struct Codec {
    ctx: *mut AVCodecContext,
}

// SAFETY: owned by this value alone; FFmpeg's worker threads are joined inside its calls.
unsafe impl Send for Codec {}

impl Codec {
    fn find(name: &std::ffi::CStr) -> Result<(Self, *const AVCodec), String> {
        quiet();
        // SAFETY: a lookup, then an allocation; both are checked.
        unsafe {
            let codec = avcodec_find_encoder_by_name(name.as_ptr());
            if codec.is_null() {
                let name = name.to_string_lossy();
                return Err(format!("this FFmpeg has no {name} encoder; install one built with it"));
            }
            let ctx = avcodec_alloc_context3(codec);
            if ctx.is_null() {
                return Err("there is not enough memory".to_owned());
            }
            Ok((Self { ctx }, codec))
        }
    }

    fn open(self, codec: *const AVCodec, mut options: Options) -> Result<Self, String> {
        // SAFETY: context and codec belong together, as `find` made them.
        let code = unsafe { avcodec_open2(self.ctx, codec, &mut options.0) };
        if code < 0 { Err(format!("the encoder does not start ({})", error_text(code))) } else { Ok(self) }
    }

    pub fn context(&self) -> &AVCodecContext {
        // SAFETY: never null.
        unsafe { &*self.ctx }
    }

    /// Parameter sets that stand before the stream.
    pub fn header(&self) -> &[u8] {
        let ctx = self.context();
        match usize::try_from(ctx.extradata_size) {
            // SAFETY: extradata is as long as it says, and lives as long as the context.
            Ok(length) if !ctx.extradata.is_null() => unsafe {
                std::slice::from_raw_parts(ctx.extradata, length)
            },
            _ => &[],
        }
    }

    /// Frames by which decoding runs ahead of showing.
    pub fn delay(&self) -> u32 {
        self.context().has_b_frames.max(0) as u32
    }

    /// Hands a frame over, `None` to end the stream.
    pub fn send(&mut self, frame: Option<&Frame>) -> Result<(), String> {
        // SAFETY: the context is open; the encoder takes its own reference to the frame.
        let code = unsafe { avcodec_send_frame(self.ctx, frame.map_or(ptr::null(), |frame| frame.0)) };
        if code < 0 { Err(format!("the encoder refused a frame ({})", error_text(code))) } else { Ok(()) }
    }

    /// The next finished packet, if there is one.
    pub fn receive(&mut self) -> Result<Option<Packet>, String> {
        let packet = Packet::new();
        // SAFETY: context and packet are valid.
        match unsafe { avcodec_receive_packet(self.ctx, packet.0) } {
            0.. => Ok(Some(packet)),
            code if code == AVERROR_EOF || code == AVERROR(ffmpeg_next::error::EAGAIN) => Ok(None),
            code => Err(format!("the encoder failed ({})", error_text(code))),
        }
    }
}

impl Drop for Codec {
    fn drop(&mut self) {
        // SAFETY: frees what `find` allocated.
        unsafe { avcodec_free_context(&mut self.ctx) };
    }
}

/// One tick a frame.
pub(crate) fn frame_time_base(fps: u32) -> AVRational {
    AVRational { num: 1, den: fps as c_int }
}

/// H.264 High, 4:2:0, BT.709 limited range, closed groups of pictures, one tick a frame.
pub(crate) fn open_x264(settings: &PictureSettings) -> Result<Codec, String> {
    let (codec, description) = Codec::find(c"libx264")?;
    // SAFETY: the context was just allocated and is not shared.
    let ctx = unsafe { &mut *codec.ctx };
    ctx.width = settings.width as c_int;
    ctx.height = settings.height as c_int;
    ctx.pix_fmt = AVPixelFormat::AV_PIX_FMT_YUV420P;
    ctx.time_base = frame_time_base(settings.fps);
    ctx.framerate = AVRational { num: settings.fps as c_int, den: 1 };
    ctx.sample_aspect_ratio = AVRational { num: 1, den: 1 };
    ctx.color_primaries = AVColorPrimaries::AVCOL_PRI_BT709;
    ctx.color_trc = AVColorTransferCharacteristic::AVCOL_TRC_BT709;
    ctx.colorspace = AVColorSpace::AVCOL_SPC_BT709;
    ctx.color_range = AVColorRange::AVCOL_RANGE_MPEG;
    ctx.chroma_sample_location = AVChromaLocation::AVCHROMA_LOC_LEFT;
    ctx.gop_size = (settings.fps * KEY_FRAME_SECONDS) as c_int;
    ctx.thread_count = THREADS;
    ctx.flags |= (AV_CODEC_FLAG_GLOBAL_HEADER | AV_CODEC_FLAG_CLOSED_GOP | AV_CODEC_FLAG_BITEXACT) as c_int;
    let mut options = Options::default();
    options.set(c"profile", "high");
    if let Some(preset) = PRESETS.iter().find(|preset| preset.quality == settings.quality) {
        options.set(c"preset", preset.preset);
        options.set(c"crf", preset.crf);
        let extra: Vec<&str> =
            [preset.extra, instruction_set()].into_iter().filter(|part| !part.is_empty()).collect();
        if !extra.is_empty() {
            options.set(c"x264-params", &extra.join(":"));
        }
    }
    codec.open(description, options)
}

/// x264's AVX-512 rate control reads memory it never wrote, so that films would differ from run to run. Everything below
/// AVX-512 is as fast and gives the same bytes every time.
fn instruction_set() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx512f") {
        return "asm=avx2";
    }
    ""
}

/// AAC LC, 48 kHz stereo.
pub(crate) fn open_aac() -> Result<Codec, String> {
    let (codec, description) = Codec::find(c"aac")?;
    // SAFETY: the context was just allocated and is not shared; a default layout owns no memory.
    unsafe {
        let ctx = &mut *codec.ctx;
        ctx.sample_fmt = AVSampleFormat::AV_SAMPLE_FMT_FLTP;
        ctx.sample_rate = SAMPLE_RATE as c_int;
        ctx.time_base = AVRational { num: 1, den: SAMPLE_RATE as c_int };
        ctx.bit_rate = AUDIO_BITS_A_SECOND;
        av_channel_layout_default(&mut ctx.ch_layout, 2);
        ctx.flags |= (AV_CODEC_FLAG_GLOBAL_HEADER | AV_CODEC_FLAG_BITEXACT) as c_int;
    }
    codec.open(description, Options::default())
}

/// A frame of the encoder's, used again once the encoder has let go of it.
pub(crate) struct PictureFrame(Frame);

impl PictureFrame {
    pub fn new() -> Self {
        Self(Frame::new())
    }

    /// Copies a picture in; `leaning` keeps the encoder from making a key frame of it. Plane sizes were checked by the
    /// caller.
    pub fn fill(
        &mut self,
        picture: &I420<'_>,
        width: u32,
        height: u32,
        pts: i64,
        leaning: bool,
    ) -> Result<&Frame, String> {
        // SAFETY: the frame is ours; buffers still held by the encoder are left to it and replaced.
        unsafe {
            let frame = self.0.0;
            if av_frame_is_writable(frame) == 0 {
                av_frame_unref(frame);
                (*frame).format = AVPixelFormat::AV_PIX_FMT_YUV420P as c_int;
                (*frame).width = width as c_int;
                (*frame).height = height as c_int;
                let code = av_frame_get_buffer(frame, 0);
                if code < 0 {
                    return Err(error_text(code));
                }
            }
            (*frame).pts = pts;
            (*frame).pict_type =
                if leaning { AVPictureType::AV_PICTURE_TYPE_P } else { AVPictureType::AV_PICTURE_TYPE_NONE };
            let (width, height) = (width as usize, height as usize);
            let planes = [
                (picture.y, picture.y_stride, width, height),
                (picture.u, picture.uv_stride, width / 2, height / 2),
                (picture.v, picture.uv_stride, width / 2, height / 2),
            ];
            for (index, (plane, stride, width, height)) in planes.into_iter().enumerate() {
                let target = (*frame).data[index];
                let target_stride = (*frame).linesize[index] as usize;
                for row in 0..height {
                    let source = &plane[row * stride..row * stride + width];
                    ptr::copy_nonoverlapping(source.as_ptr(), target.add(row * target_stride), width);
                }
            }
        }
        Ok(&self.0)
    }
}

/// As [`PictureFrame`], for sound.
pub(crate) struct SoundFrame(Frame);

impl SoundFrame {
    pub fn new() -> Self {
        Self(Frame::new())
    }

    /// Copies interleaved stereo in, at most one AAC packet's worth.
    pub fn fill(&mut self, samples: &[f32], pts: i64) -> Result<&Frame, String> {
        let count = (samples.len() / 2).min(AAC_FRAME as usize);
        // SAFETY: the frame is ours; its two planes hold AAC_FRAME samples each.
        unsafe {
            let frame = self.0.0;
            if av_frame_is_writable(frame) == 0 {
                av_frame_unref(frame);
                (*frame).format = AVSampleFormat::AV_SAMPLE_FMT_FLTP as c_int;
                (*frame).sample_rate = SAMPLE_RATE as c_int;
                (*frame).nb_samples = AAC_FRAME as c_int;
                av_channel_layout_default(&mut (*frame).ch_layout, 2);
                let code = av_frame_get_buffer(frame, 0);
                if code < 0 {
                    return Err(error_text(code));
                }
            }
            (*frame).nb_samples = count as c_int;
            (*frame).pts = pts;
            let (left, right) = ((*frame).data[0].cast::<f32>(), (*frame).data[1].cast::<f32>());
            for (i, pair) in samples.chunks_exact(2).take(count).enumerate() {
                left.add(i).write(pair[0]);
                right.add(i).write(pair[1]);
            }
        }
        Ok(&self.0)
    }
}
