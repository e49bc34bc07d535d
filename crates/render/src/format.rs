//! Output formats and codecs, the output settings of a caller, and their validation.

use std::ops::Range;

pub use rondo_composition::OutputFormat as Format;
use rondo_composition::limits::{MOST_PIXELS, SIDES};
use rondo_composition::{Composition, Output, OutputQuality, VideoCodec};
use rondo_media::{Container, PictureCodec, Quality, SoundCodec};

struct Row {
    format: Format,
    content_type: &'static str,
    made: Made,
    /// Supported video codecs; the first one is the default.
    codecs: &'static [PictureCodec],
}

/// What a format contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Made {
    Film(Container),
    Gif,
    /// One picture, or a sequence of them.
    Picture,
    Sound(Container, SoundCodec),
}

const FORMATS: [Row; 12] = {
    use PictureCodec::{Av1, H264, Hevc, ProRes, Vp9};
    const fn row(
        format: Format,
        content_type: &'static str,
        made: Made,
        codecs: &'static [PictureCodec],
    ) -> Row {
        Row { format, content_type, made, codecs }
    }
    [
        row(Format::Mp4, "video/mp4", Made::Film(Container::Mp4), &[H264, Hevc, Av1]),
        row(Format::WebM, "video/webm", Made::Film(Container::WebM), &[Vp9, Av1]),
        row(Format::Mov, "video/quicktime", Made::Film(Container::Mov), &[ProRes, H264, Hevc]),
        row(Format::Hls, "application/vnd.apple.mpegurl", Made::Film(Container::Segments), &[H264]),
        row(Format::Gif, "image/gif", Made::Gif, &[]),
        row(Format::Png, "image/png", Made::Picture, &[]),
        row(Format::Jpg, "image/jpeg", Made::Picture, &[]),
        row(Format::WebP, "image/webp", Made::Picture, &[]),
        row(Format::Mp3, "audio/mpeg", Made::Sound(Container::Mp3, SoundCodec::Mp3), &[]),
        row(Format::Wav, "audio/wav", Made::Sound(Container::Wav, SoundCodec::Pcm), &[]),
        row(Format::Aac, "audio/aac", Made::Sound(Container::Adts, SoundCodec::Aac), &[]),
        row(Format::M4a, "audio/mp4", Made::Sound(Container::M4a, SoundCodec::Aac), &[]),
    ]
};

const CODECS: [(PictureCodec, VideoCodec); 5] = [
    (PictureCodec::H264, VideoCodec::H264),
    (PictureCodec::Hevc, VideoCodec::Hevc),
    (PictureCodec::Av1, VideoCodec::Av1),
    (PictureCodec::Vp9, VideoCodec::Vp9),
    (PictureCodec::ProRes, VideoCodec::ProRes),
];

/// Ending and type of a sequence of pictures in one file.
pub const ARCHIVE: (&str, &str) = ("zip", "application/zip");

fn row(format: Format) -> &'static Row {
    // Every format has a row; a test holds it.
    FORMATS.iter().find(|row| row.format == format).unwrap_or(&FORMATS[0])
}

/// The MIME type of a format.
pub fn content_type(format: Format) -> &'static str {
    row(format).content_type
}

/// The codec of a name.
pub fn codec_named(name: &str) -> Option<PictureCodec> {
    CODECS.iter().find(|(_, known)| known.name() == name).map(|(codec, _)| *codec)
}

/// Names of all codecs.
pub fn codec_names() -> Vec<&'static str> {
    CODECS.iter().map(|(_, codec)| codec.name()).collect()
}

fn codec_name(codec: PictureCodec) -> &'static str {
    CODECS.iter().find(|(known, _)| *known == codec).map_or("", |(_, codec)| codec.name())
}

/// How large the pictures are, compared with the canvas.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Scale {
    #[default]
    Whole,
    By(f64),
    /// At most this many pixels on the shorter side.
    ShorterSide(u32),
}

/// The output settings of a caller.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Wanted {
    pub format: Format,
    /// The format's first one if not given.
    pub codec: Option<PictureCodec>,
    pub quality: Quality,
    /// Whether transparency is kept. Default: if the format supports it and the background is not opaque.
    pub alpha: Option<bool>,
    /// The frame of a single picture; the first if not given.
    pub frame: Option<u32>,
    /// First and last frame. Makes a sequence of a picture format.
    pub range: Option<(u32, u32)>,
    pub scale: Scale,
}

/// An invalid output setting.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Refusal {
    /// The name of the setting.
    pub field: &'static str,
    /// The reason, without a full stop.
    pub reason: String,
}

/// Validated output settings for a composition.
#[derive(Debug, Clone, PartialEq)]
pub struct Recipe {
    pub format: Format,
    pub quality: Quality,
    /// The frames that are shown or heard.
    pub frames: Range<u32>,
    /// Size of the pictures; films have the next even one.
    pub width: u32,
    pub height: u32,
    pub(crate) codec: PictureCodec,
    pub(crate) alpha: Option<bool>,
    is_sequence: bool,
}

impl Recipe {
    /// The file extension.
    pub fn ending(&self) -> &'static str {
        if self.is_sequence { ARCHIVE.0 } else { self.format.ending() }
    }

    pub fn content_type(&self) -> &'static str {
        if self.is_sequence { ARCHIVE.1 } else { content_type(self.format) }
    }

    pub fn is_sequence(&self) -> bool {
        self.is_sequence
    }

    /// Whether one picture is made.
    pub fn is_single_picture(&self) -> bool {
        self.format.is_picture() && !self.is_sequence
    }

    pub(crate) fn made(&self) -> Made {
        row(self.format).made
    }

    /// Whether it can be cut into segments that are played while the rest is rendered.
    pub fn has_segments(&self) -> bool {
        let container = matches!(self.made(), Made::Film(Container::Mp4 | Container::Segments));
        container && self.codec == PictureCodec::H264
    }

    /// What sound is encoded with beside the pictures.
    pub(crate) fn sound_codec(&self, container: Container) -> SoundCodec {
        match (container, self.codec) {
            (Container::WebM, _) => SoundCodec::Opus,
            // ProRes is for editing, so the sound is not compressed either.
            (_, PictureCodec::ProRes) => SoundCodec::Pcm,
            _ => SoundCodec::Aac,
        }
    }

    /// Pixels per frame; 0 for audio files.
    pub fn pixels(&self) -> u64 {
        match self.made() {
            Made::Sound(..) => 0,
            _ => u64::from(self.width) * u64::from(self.height),
        }
    }

    /// Whether transparency is kept, given whether the background is opaque.
    pub(crate) fn keeps_alpha(&self, opaque: bool) -> bool {
        self.alpha.unwrap_or(!opaque && can_keep_alpha(self.format, self.codec))
    }
}

fn can_keep_alpha(format: Format, codec: PictureCodec) -> bool {
    match row(format).made {
        Made::Film(_) => codec.has_alpha(),
        Made::Gif => true,
        Made::Picture => format != Format::Jpg,
        Made::Sound(..) => false,
    }
}

fn refuse<T>(field: &'static str, reason: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal { field, reason: reason.into() })
}

impl Wanted {
    /// Every file that the `output` of a request asks for, the first one first. There is at least one.
    pub fn all(output: Option<&Output>, draft: bool) -> Vec<Self> {
        match output {
            Some(output) => output.files().iter().map(|file| Self::of(Some(file), draft)).collect(),
            None => vec![Self::of(None, draft)],
        }
    }

    /// The first file that the `output` of a request asks for. A draft has draft quality.
    pub fn of(output: Option<&Output>, draft: bool) -> Self {
        let none = Output::default();
        let output = output.unwrap_or(&none);
        let codec = |wanted| CODECS.iter().find(|(_, codec)| *codec == wanted).map(|(codec, _)| *codec);
        Self {
            format: output.format.unwrap_or_default(),
            codec: output.codec.and_then(codec),
            quality: match output.quality.unwrap_or_default() {
                _ if draft => Quality::Draft,
                OutputQuality::Draft => Quality::Draft,
                OutputQuality::Standard => Quality::Standard,
                OutputQuality::High => Quality::High,
            },
            alpha: output.alpha,
            frame: output.frame,
            range: output.range,
            scale: output.scale.map_or(Scale::Whole, Scale::By),
        }
    }

    /// The file extension.
    pub fn ending(&self) -> &'static str {
        if self.is_sequence() { ARCHIVE.0 } else { self.format.ending() }
    }

    /// Whether a ZIP archive of pictures is made.
    fn is_sequence(&self) -> bool {
        self.format.is_picture() && self.range.is_some()
    }

    /// Makes the pictures of a file smaller that has more than `pixels` on the shorter side.
    pub fn limit(&mut self, pixels: u32, composition: &Composition) {
        let is_larger = |recipe: &Recipe| recipe.pixels() > 0 && recipe.width.min(recipe.height) > pixels;
        if self.recipe(composition).is_ok_and(|recipe| is_larger(&recipe)) {
            self.scale = Scale::ShorterSide(pixels);
        }
    }

    /// Whether the options are compatible, independent of the composition.
    pub fn check(&self) -> Result<PictureCodec, Refusal> {
        let row = row(self.format);
        let name = self.format.name();
        let codec = match self.codec {
            None => row.codecs.first().copied().unwrap_or_default(),
            Some(codec) if row.codecs.contains(&codec) => codec,
            Some(_) if row.codecs.is_empty() => {
                return refuse("codec", format!("{} files have one codec only; remove it", name));
            }
            Some(codec) => {
                let known: Vec<&str> = row.codecs.iter().map(|codec| codec_name(*codec)).collect();
                return refuse(
                    "codec",
                    format!(
                        "\"{}\" is not supported in {} files; use one of {}",
                        codec_name(codec),
                        name,
                        known.join(", ")
                    ),
                );
            }
        };
        if self.alpha == Some(true) && !can_keep_alpha(self.format, codec) {
            let what = match row.made {
                Made::Film(_) => codec_name(codec),
                _ => name,
            };
            return refuse(
                "alpha",
                format!(
                    "{what} does not support transparency; use webm with vp9, mov with prores, gif, png or webp"
                ),
            );
        }
        let is_sound = matches!(row.made, Made::Sound(..));
        if self.frame.is_some() && row.made != Made::Picture {
            return refuse(
                "frame",
                format!("{} files contain more than one frame; use range, or png, jpg or webp", name),
            );
        }
        if self.frame.is_some() && self.range.is_some() {
            return refuse("frame", "frame and range cannot be combined");
        }
        if is_sound && self.scale != Scale::Whole {
            return refuse("scale", format!("{} files have no pictures; remove it", name));
        }
        if let Scale::By(scale) = self.scale
            && !(scale > 0.0 && scale.is_finite())
        {
            return refuse("scale", format!("must be greater than 0, such as 0.5; got {scale}"));
        }
        Ok(codec)
    }

    /// Validates the settings for a composition.
    pub fn recipe(&self, composition: &Composition) -> Result<Recipe, Refusal> {
        let codec = self.check()?;
        let (frames, is_sequence) = self.frames(composition.duration)?;
        let (width, height) = self.size(composition)?;
        Ok(Recipe {
            format: self.format,
            quality: self.quality,
            frames,
            width,
            height,
            codec,
            alpha: self.alpha,
            is_sequence,
        })
    }

    fn frames(&self, duration: u32) -> Result<(Range<u32>, bool), Refusal> {
        let numbered = format!("the composition has {duration} frames, numbered from 0");
        if let Some((first, last)) = self.range {
            if first > last {
                return refuse("range", format!("[{first}, {last}] ends before it starts"));
            }
            if last >= duration {
                return refuse("range", format!("frame {last} does not exist: {numbered}"));
            }
            return Ok((first..last + 1, self.is_sequence()));
        }
        if !self.format.is_picture() {
            return Ok((0..duration, false));
        }
        let frame = self.frame.unwrap_or(0);
        if frame >= duration {
            return refuse("frame", format!("frame {frame} does not exist: {numbered}"));
        }
        Ok((frame..frame + 1, false))
    }

    fn size(&self, composition: &Composition) -> Result<(u32, u32), Refusal> {
        let (width, height) = (composition.width, composition.height);
        let scale = match self.scale {
            Scale::Whole => return Ok((width, height)),
            Scale::By(scale) => scale,
            Scale::ShorterSide(most) => {
                (f64::from(most.max(2)) / f64::from(width.min(height).max(1))).min(1.0)
            }
        };
        let scaled = |side: u32| (f64::from(side) * scale).round().clamp(1.0, 1e9) as u32;
        let size = (scaled(width), scaled(height));
        let (least, most) = SIDES;
        let fits = |side: u32| (least..=most).contains(&i64::from(side));
        let small = u64::from(size.0) * u64::from(size.1) <= MOST_PIXELS;
        if matches!(self.scale, Scale::By(_)) && (!fits(size.0) || !fits(size.1) || !small) {
            return refuse(
                "scale",
                format!(
                    "{scale} makes {} × {} of {width} × {height}; sides have {least} to {most} pixels, the area at most \
                     {:.2} million",
                    size.0,
                    size.1,
                    MOST_PIXELS as f64 / 1e6
                ),
            );
        }
        Ok(size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn film() -> Composition {
        Composition { width: 1920, height: 1080, duration: 90, ..Composition::default() }
    }

    fn refused(wanted: &Wanted) -> &'static str {
        wanted.recipe(&film()).expect_err("refused").field
    }

    #[test]
    fn every_format_and_codec_has_its_row() {
        for format in Format::ALL {
            let row = row(*format);
            assert_eq!((row.format, row.made == Made::Picture), (*format, format.is_picture()));
            let recipe = Wanted { format: *format, ..Wanted::default() }.recipe(&film()).expect("made");
            assert_eq!((recipe.ending(), recipe.content_type()), (format.ending(), row.content_type));
        }
        for codec in VideoCodec::ALL {
            assert!(codec_named(codec.name()).is_some(), "{codec:?}");
        }
        assert_eq!(Format::of_ending("JPEG"), Some(Format::Jpg));
    }

    #[test]
    fn a_range_counts_both_its_ends_and_makes_a_sequence_of_pictures() {
        let wanted = |format| Wanted { format, range: Some((30, 59)), ..Wanted::default() };
        let recipe = wanted(Format::Mp4).recipe(&film()).expect("made");
        assert_eq!((recipe.frames.clone(), recipe.ending()), (30..60, "mp4"));
        let recipe = wanted(Format::Png).recipe(&film()).expect("made");
        assert_eq!(
            (recipe.frames.len(), recipe.ending(), recipe.content_type()),
            (30, "zip", "application/zip")
        );
        for range in [(5, 4), (0, 90)] {
            assert_eq!(refused(&Wanted { range: Some(range), ..Wanted::default() }), "range");
        }
    }

    #[test]
    fn pictures_without_a_range_are_one_frame() {
        let wanted = Wanted { format: Format::WebP, frame: Some(89), ..Wanted::default() };
        assert_eq!(wanted.recipe(&film()).expect("made").frames, 89..90);
        assert_eq!(refused(&Wanted { frame: Some(90), ..wanted.clone() }), "frame");
        assert_eq!(refused(&Wanted { range: Some((0, 1)), ..wanted.clone() }), "frame");
        assert_eq!(refused(&Wanted { format: Format::Gif, ..wanted }), "frame");
    }

    #[test]
    fn scale_keeps_within_the_limits_of_a_canvas() {
        let size = |scale| Wanted { scale, ..Wanted::default() }.recipe(&film()).map(|r| (r.width, r.height));
        assert_eq!(size(Scale::By(0.5)), Ok((960, 540)));
        assert_eq!(size(Scale::By(2.0)), Ok((3840, 2160)));
        assert_eq!(size(Scale::ShorterSide(720)), Ok((1280, 720)));
        assert_eq!(size(Scale::ShorterSide(2000)), Ok((1920, 1080)));
        for scale in [0.0, -1.0, f64::NAN, 0.001, 2.2, 1e12] {
            assert_eq!(refused(&Wanted { scale: Scale::By(scale), ..Wanted::default() }), "scale", "{scale}");
        }
    }

    #[test]
    fn a_limit_makes_large_pictures_smaller_and_leaves_the_rest() {
        let limited = |mut wanted: Wanted| {
            wanted.limit(720, &film());
            wanted.recipe(&film()).map(|recipe| (recipe.width, recipe.height))
        };
        assert_eq!(limited(Wanted::default()), Ok((1280, 720)));
        assert_eq!(limited(Wanted { scale: Scale::By(2.0), ..Wanted::default() }), Ok((1280, 720)));
        assert_eq!(limited(Wanted { scale: Scale::By(0.5), ..Wanted::default() }), Ok((960, 540)));
        assert!(limited(Wanted { format: Format::Mp3, ..Wanted::default() }).is_ok());
    }

    #[test]
    fn codecs_and_transparency_must_go_with_the_format() {
        let codec = |format, codec| Wanted { format, codec: Some(codec), ..Wanted::default() };
        assert!(codec(Format::Mp4, PictureCodec::Av1).recipe(&film()).is_ok());
        assert_eq!(refused(&codec(Format::WebM, PictureCodec::H264)), "codec");
        assert_eq!(refused(&codec(Format::Gif, PictureCodec::H264)), "codec");
        let alpha = |format| Wanted { format, alpha: Some(true), ..Wanted::default() };
        for format in [Format::WebM, Format::Mov, Format::Gif, Format::Png, Format::WebP] {
            assert!(alpha(format).recipe(&film()).is_ok_and(|recipe| recipe.keeps_alpha(true)), "{format:?}");
        }
        for format in [Format::Mp4, Format::Hls, Format::Jpg, Format::Mp3] {
            assert_eq!(refused(&alpha(format)), "alpha", "{format:?}");
        }
        let recipe = Wanted { format: Format::WebM, ..Wanted::default() }.recipe(&film()).expect("made");
        assert!(recipe.keeps_alpha(false) && !recipe.keeps_alpha(true));
    }
}
