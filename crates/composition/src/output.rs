//! The files to make: the `output` of a request.

use rondo_fields::{
    Choice, Codec, Definitions, Error, ProblemKind, Reader, choices, flag, integer, list, number, object,
    one_of, record, text,
};
use serde_json::{Value, json};

/// Most files beside the first one.
pub const MOST_ALSO: usize = 4;
/// Characters of the name of a destination.
const LONGEST_NAME: usize = 64;

/// A record with the settings of one file, and rows of its own.
macro_rules! file_record {
    ($(#[doc = $about:literal])+ pub struct $name:ident { $($own:tt)* }) => {
        record! {
            $(#[doc = $about])+
            pub struct $name {
                /// Kind of file. Default: `mp4`. `hls` makes a playlist with segments, which players stream, and must be the first
                /// file. `png`, `jpg` and `webp` make one picture, or with `range` a ZIP archive of pictures; `mp3`, `wav`, `aac`
                /// and `m4a` make the sound alone.
                format: optional OutputFormat => "format", one_of();
                /// Video codec: `h264`, `hevc` or `av1` in mp4; `h264` in hls; `vp9` or `av1` in webm; `prores`, `h264` or
                /// `hevc` in mov. Default: the first of each list.
                codec: optional VideoCodec => "codec", one_of();
                /// Picture quality. Default: `standard`.
                quality: optional OutputQuality => "quality", one_of();
                /// Whether transparency is kept. Default: kept if the format can (webm with vp9, mov with prores, gif, png,
                /// webp) and the composition's `backgroundColor` is not opaque.
                alpha: optional bool => "alpha", flag();
                /// Frame of a single picture, counted from 0. Default: 0.
                frame: optional u32 => "frame", integer(0, u32::MAX as i64);
                /// First and last frame, both included. With a picture format, one picture per frame.
                range: optional (u32, u32) => "range", FrameRange;
                /// Size relative to the composition's: 0.5 is half as wide and half as high. Everything is drawn at that size.
                scale: optional f64 => "scale", number().above(0.0);
                $($own)*
            }
        }
    };
}

file_record! {
    /// The file to make. Default: an MP4 film.
    pub struct Output {
        /// More files of the same film, such as a GIF and a picture beside an MP4. The render makes all of them or fails.
        also: optional Vec<AlsoOutput> => "also", list(object()).at_most(MOST_ALSO);
        /// Name of a destination of the account: every file is also copied into that bucket once the render has completed.
        destination: optional String => "destination", text().not_blank().at_most(LONGEST_NAME);
    }
}

file_record! {
    /// A file to make beside the first one.
    pub struct AlsoOutput {}
}

choices! {
    /// Kinds of files. The name is also the file name extension, except for that of playlists.
    pub enum OutputFormat {
        Mp4 = "mp4",
        WebM = "webm",
        Mov = "mov",
        Hls = "hls",
        Gif = "gif",
        Png = "png",
        Jpg = "jpg",
        WebP = "webp",
        Mp3 = "mp3",
        Wav = "wav",
        Aac = "aac",
        M4a = "m4a",
    }
}

choices! {
    /// Video codecs.
    pub enum VideoCodec {
        H264 = "h264",
        Hevc = "hevc",
        Av1 = "av1",
        Vp9 = "vp9",
        ProRes = "prores",
    }
}

choices! {
    /// Picture quality.
    pub enum OutputQuality {
        Standard = "standard",
        Draft = "draft",
        High = "high",
    }
}

impl Output {
    /// Reads an output that was written before.
    pub fn read(value: &Value) -> Result<Self, Error> {
        let mut reader = Reader::default();
        let output = reader.at_key("output", |reader| object::<Self>().read(value, reader));
        reader.finish(output)
    }

    pub fn write(&self) -> Value {
        object::<Self>().write(self)
    }

    /// Every file to make, the first one first, each as if it were the only one.
    pub fn files(&self) -> Vec<Self> {
        let also = self.also.iter().flatten().map(Self::from);
        std::iter::once(Self { also: None, destination: None, ..self.clone() }).chain(also).collect()
    }
}

impl From<&AlsoOutput> for Output {
    fn from(file: &AlsoOutput) -> Self {
        let AlsoOutput { format, codec, quality, alpha, frame, range, scale } = *file;
        Self { format, codec, quality, alpha, frame, range, scale, also: None, destination: None }
    }
}

impl VideoCodec {
    pub fn named(name: &str) -> Option<Self> {
        Self::from_name(name)
    }
}

impl OutputFormat {
    pub fn names() -> Vec<&'static str> {
        Self::ALL.iter().map(|format| format.name()).collect()
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::from_name(name)
    }

    /// The format of files with this extension, in any letter case.
    pub fn of_ending(ending: &str) -> Option<Self> {
        match ending.to_ascii_lowercase().as_str() {
            "jpeg" => Some(Self::Jpg),
            "m4v" => Some(Self::Mp4),
            "m3u8" => Some(Self::Hls),
            ending => Self::named(ending),
        }
    }

    /// The file name extension.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Hls => "m3u8",
            other => other.name(),
        }
    }

    /// Whether a file holds one picture.
    pub fn is_picture(self) -> bool {
        matches!(self, Self::Png | Self::Jpg | Self::WebP)
    }
}

/// `[first, last]`.
#[derive(Debug, Clone, Copy)]
struct FrameRange;

impl Codec for FrameRange {
    type Out = (u32, u32);

    fn read(&self, value: &Value, reader: &mut Reader) -> Option<Self::Out> {
        let Some([first, last]) = value.as_array().map(Vec::as_slice) else {
            return reader.refuse(ProblemKind::WrongType, value, self.expected());
        };
        let frame = integer::<u32>(0, u32::MAX.into());
        let first = reader.at_index(0, |reader| frame.read(first, reader));
        let last = reader.at_index(1, |reader| frame.read(last, reader));
        Some((first?, last?))
    }

    fn write(&self, (first, last): &Self::Out) -> Value {
        json!([first, last])
    }

    fn schema(&self, definitions: &mut Definitions) -> Value {
        let frame = integer::<u32>(0, u32::MAX.into()).schema(definitions);
        json!({"type": "array", "items": frame, "minItems": 2, "maxItems": 2})
    }

    fn expected(&self) -> String {
        "an array of two numbers, the first and the last frame".to_owned()
    }
}
