//! Video encoders and their settings.

use std::ffi::{CStr, c_int};

use super::{PictureSettings, Quality};
use crate::ffi::ffmpeg::*;
use crate::ffi::{Codec, Options, frame_time_base};

/// Most seconds from one key frame to the next, and so of a chunk that shall have one only.
pub const KEY_FRAME_SECONDS: u32 = 5;

/// Threads of an encoder. Another number gives other bytes, so it is the same on every machine.
const THREADS: c_int = 2;

/// A video codec.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PictureCodec {
    #[default]
    H264,
    Hevc,
    Av1,
    Vp9,
    /// 4444: ten bits, full chroma.
    ProRes,
}

/// An encoder with its options for every quality.
struct Row {
    codec: PictureCodec,
    encoder: &'static CStr,
    all: &'static [(&'static CStr, &'static str)],
    draft: &'static [(&'static CStr, &'static str)],
    standard: &'static [(&'static CStr, &'static str)],
    high: &'static [(&'static CStr, &'static str)],
}

/// `8x8dct` is what makes x264's ultrafast a High profile stream; `mbtree` gives superfast back what makes its files small
/// (bench/QUALITY.md); `weightb` would weigh pictures by how far apart they are shown, which repeats change. VP9 and AV1
/// run in their real-time modes, which take a tenth of the time of the others for files about as good. Threads of VP9 and
/// AV1 work on tiles: so their bytes are always the same.
const ROWS: [Row; 5] = [
    Row {
        codec: PictureCodec::H264,
        encoder: c"libx264",
        all: &[(c"profile", "high")],
        draft: &[(c"preset", "ultrafast"), (c"crf", "26"), (c"x264-params", "8x8dct=1")],
        standard: &[(c"preset", "superfast"), (c"crf", "20"), (c"x264-params", "mbtree=1:rc-lookahead=7")],
        high: &[(c"preset", "medium"), (c"crf", "16"), (c"x264-params", "weightb=0")],
    },
    Row {
        codec: PictureCodec::Hevc,
        encoder: c"libx265",
        all: &[(c"x265-params", "log-level=none:open-gop=0:pools=2:frame-threads=1")],
        draft: &[(c"preset", "ultrafast"), (c"crf", "28")],
        standard: &[(c"preset", "veryfast"), (c"crf", "21")],
        high: &[(c"preset", "medium"), (c"crf", "18")],
    },
    Row {
        codec: PictureCodec::Av1,
        encoder: c"libaom-av1",
        all: &[(c"usage", "realtime"), (c"lag-in-frames", "0")],
        draft: &[(c"cpu-used", "8"), (c"crf", "38")],
        standard: &[(c"cpu-used", "8"), (c"crf", "26")],
        high: &[(c"cpu-used", "6"), (c"crf", "18")],
    },
    Row {
        codec: PictureCodec::Vp9,
        encoder: c"libvpx-vp9",
        all: &[(c"tile-columns", "2"), (c"auto-alt-ref", "0")],
        draft: &[(c"deadline", "realtime"), (c"cpu-used", "8"), (c"lag-in-frames", "0"), (c"crf", "40")],
        standard: &[(c"deadline", "realtime"), (c"cpu-used", "6"), (c"lag-in-frames", "0"), (c"crf", "26")],
        high: &[(c"deadline", "good"), (c"cpu-used", "3"), (c"crf", "18")],
    },
    Row {
        codec: PictureCodec::ProRes,
        encoder: c"prores_ks",
        all: &[(c"vendor", "apl0")],
        draft: &[(c"profile", "4444")],
        standard: &[(c"profile", "4444")],
        high: &[(c"profile", "4444xq")],
    },
];

impl PictureCodec {
    /// Whether transparency can be kept.
    pub fn has_alpha(self) -> bool {
        matches!(self, Self::Vp9 | Self::ProRes)
    }

    /// Whether every picture is intra-coded, which makes chunks large.
    pub fn is_intra(self) -> bool {
        self == Self::ProRes
    }

    /// Whether two key frames in a row must be kept apart.
    pub(crate) fn joins_key_frames(self) -> bool {
        self == Self::H264
    }

    fn row(self) -> &'static Row {
        // Every codec has a row.
        ROWS.iter().find(|row| row.codec == self).unwrap_or(&ROWS[0])
    }
}

/// The layout in which an encoder takes its pictures.
pub(crate) fn pixel_format(settings: &PictureSettings) -> AVPixelFormat {
    match (settings.codec, settings.alpha) {
        (PictureCodec::ProRes, true) => AVPixelFormat::AV_PIX_FMT_YUVA444P10LE,
        (PictureCodec::ProRes, false) => AVPixelFormat::AV_PIX_FMT_YUV444P10LE,
        (_, true) => AVPixelFormat::AV_PIX_FMT_YUVA420P,
        (_, false) => AVPixelFormat::AV_PIX_FMT_YUV420P,
    }
}

/// An encoder of BT.709, limited range, in closed GOPs, one tick per frame.
pub(crate) fn open(settings: &PictureSettings) -> Result<Codec, String> {
    let row = settings.codec.row();
    let (mut codec, description) = Codec::find(row.encoder)?;
    let ctx = codec.settings();
    ctx.width = settings.width as c_int;
    ctx.height = settings.height as c_int;
    ctx.pix_fmt = pixel_format(settings);
    ctx.time_base = frame_time_base(settings.fps);
    ctx.framerate = AVRational { num: settings.fps as c_int, den: 1 };
    ctx.sample_aspect_ratio = AVRational { num: 1, den: 1 };
    ctx.color_primaries = AVColorPrimaries::AVCOL_PRI_BT709;
    ctx.color_trc = AVColorTransferCharacteristic::AVCOL_TRC_BT709;
    ctx.colorspace = AVColorSpace::AVCOL_SPC_BT709;
    ctx.color_range = AVColorRange::AVCOL_RANGE_MPEG;
    if settings.codec != PictureCodec::ProRes {
        ctx.chroma_sample_location = AVChromaLocation::AVCHROMA_LOC_LEFT;
        ctx.gop_size = (settings.fps * KEY_FRAME_SECONDS) as c_int;
    }
    ctx.thread_count = THREADS;
    // Quality decides, not a rate that an encoder may have of its own.
    ctx.bit_rate = 0;
    ctx.flags |= (AV_CODEC_FLAG_GLOBAL_HEADER | AV_CODEC_FLAG_CLOSED_GOP | AV_CODEC_FLAG_BITEXACT) as c_int;
    let chosen = match settings.quality {
        Quality::Draft => row.draft,
        Quality::Standard => row.standard,
        Quality::High => row.high,
    };
    let mut options = Options::default();
    for (key, value) in row.all.iter().chain(chosen) {
        options.set(key, value);
    }
    match settings.codec {
        PictureCodec::H264 => {
            let given = chosen.iter().find(|(key, _)| *key == c"x264-params").map(|(_, value)| *value);
            let parts: Vec<&str> = given.into_iter().chain(instruction_set()).collect();
            if !parts.is_empty() {
                options.set(c"x264-params", &parts.join(":"));
            }
        }
        PictureCodec::ProRes => {
            ctx.flags |= AV_CODEC_FLAG_QSCALE as c_int;
            ctx.global_quality = FF_QP2LAMBDA
                * match settings.quality {
                    Quality::Draft => 9,
                    Quality::Standard => 4,
                    Quality::High => 2,
                };
            options.set(c"alpha_bits", if settings.alpha { "16" } else { "0" });
        }
        // Smaller pictures have no room for two tiles.
        PictureCodec::Av1 if settings.width >= 256 => options.set(c"tile-columns", "1"),
        PictureCodec::Hevc | PictureCodec::Av1 | PictureCodec::Vp9 => {}
    }
    codec.open(description, options)
}

/// Frames by which decoding runs ahead of display.
pub(crate) fn delay(codec: &Codec, settings: &PictureSettings) -> u32 {
    match settings.codec {
        // x265 does not say it: two with the pyramids of B-frames that all of its presets build.
        PictureCodec::Hevc => 2,
        _ => codec.context().has_b_frames.max(0) as u32,
    }
}

/// x264's AVX-512 rate control reads memory it never wrote, so that films would differ from run to run. Everything below
/// AVX-512 is as fast and gives the same bytes every time.
fn instruction_set() -> Option<&'static str> {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx512f") {
        return Some("asm=avx2");
    }
    None
}
