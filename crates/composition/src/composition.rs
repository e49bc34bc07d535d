//! The composition: a canvas, a length, and overlays on it.

use rondo_fields::{Codec, Error, ProblemKind, Reader, Record, integer, list, object, record, text};
use serde_json::{Map, Value};

use crate::colors::{ColorVariable, MOST_COLORS};
use crate::font_faces::{FontFace, MOST_FONT_FACES};
use crate::fonts::{FontVariable, MOST_FONTS};
use crate::limits::{
    Limits, MOST_CAPTION_WORDS, MOST_FRAMES, MOST_MINUTES, MOST_OVERLAYS, MOST_PIXELS, RATES, SIDES,
};
use crate::overlay::{MediaSource, Overlay, OverlayCodec};
use crate::tolerance::{Remarks, overlay_id};

record! {
    /// A film: overlays on a canvas over time.
    pub struct Composition {
        /// The layers of the film.
        overlays: required Vec<Overlay> => "overlays", list(OverlayCodec);
        /// Length in frames.
        duration: required u32 => "durationInFrames", integer(1, MOST_FRAMES);
        /// Frames per second.
        fps: written u32 => "fps", integer(RATES.0, RATES.1), 30;
        /// Width of the canvas in pixels.
        width: written u32 => "width", integer(SIDES.0, SIDES.1), 1920;
        /// Height of the canvas in pixels.
        height: written u32 => "height", integer(SIDES.0, SIDES.1), 1080;
        /// Colour behind all overlays: any CSS colour.
        background_color: written String => "backgroundColor", text(), "white".to_owned();
        /// Address of the film's source, for the caller's own use. Does not change the film.
        src: default String => "src", text(), String::new();
        /// Frame that stands for the film in lists and before it plays. Default: the one that shows most of the text.
        /// Does not change the film.
        poster_frame: optional u32 => "posterFrame", integer(0, MOST_FRAMES);
        /// Colours that are variables: a replacement with the name of one changes every style that holds it.
        colors: default Vec<ColorVariable> => "colors", list(object()).at_most(MOST_COLORS), Vec::new();
        /// Fonts that are variables: a replacement with the name of one changes every style that starts with it.
        fonts: default Vec<FontVariable> => "fonts", list(object()).at_most(MOST_FONTS), Vec::new();
        /// Font files for texts of the film. Families that the account uploaded need none: they are found by name.
        font_faces: default Vec<FontFace> => "fontFaces", list(object()).at_most(MOST_FONT_FACES), Vec::new();
    }
}

/// A composition as it was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    pub composition: Composition,
    pub remarks: Remarks,
}

impl Composition {
    /// Reads a composition. All problems are reported at once; unknown fields are not a problem.
    pub fn read(value: &Value, limits: Limits) -> Result<Read, Error> {
        let mut reader = Reader::default();
        let composition = Self::read_at(value, limits, &mut reader);
        let remarks = Remarks::take(&mut reader);
        reader.finish(composition).map(|composition| Read { composition, remarks })
    }

    /// Reads a composition that is a field of a request: paths begin with the name of the field.
    pub fn read_field(field: &'static str, value: &Value, limits: Limits) -> Result<Read, Error> {
        let mut reader = Reader::default();
        let composition = reader.at_key(field, |reader| Self::read_at(value, limits, reader));
        let remarks = Remarks::take(&mut reader);
        reader.finish(composition).map(|composition| Read { composition, remarks })
    }

    /// Reads a composition from JSON text.
    pub fn parse(json: &str, limits: Limits) -> Result<Read, Error> {
        Self::read(&serde_json::from_str(json)?, limits)
    }

    pub(crate) fn read_at(value: &Value, limits: Limits, reader: &mut Reader) -> Option<Self> {
        if let Some(overlays) = value.get("overlays").and_then(Value::as_array)
            && overlays.len() > MOST_OVERLAYS
        {
            let count = format!("an array of {}", overlays.len());
            reader.at_key("overlays", |reader| {
                reader.note(
                    ProblemKind::TooManyOverlays,
                    Some(count),
                    format!("at most {MOST_OVERLAYS} overlays"),
                );
            });
            return None;
        }
        let composition = object::<Self>().read(value, reader);
        check_ids(value, reader);
        let composition = composition?;
        composition.check_canvas(limits, reader);
        composition.check_captions(reader);
        Some(composition)
    }

    /// The rules that span size, rate and length.
    pub(crate) fn check_canvas(&self, limits: Limits, reader: &mut Reader) {
        let pixels = u64::from(self.width) * u64::from(self.height);
        if pixels > MOST_PIXELS {
            reader.at_key("width", |reader| {
                reader.note(
                    ProblemKind::OutOfRange,
                    Some(format!("{} with a height of {}", self.width, self.height)),
                    format!("smaller, since a canvas has at most {MOST_PIXELS} pixels"),
                );
            });
        }
        let most_frames = limits.frames_at(self.fps);
        if u64::from(self.duration) > most_frames {
            reader.at_key("durationInFrames", |reader| {
                reader.note(
                    ProblemKind::OutOfRange,
                    Some(format!("{} at {} frames per second", self.duration, self.fps)),
                    format!("at most {most_frames} ({} minutes)", limits.minutes.min(MOST_MINUTES)),
                );
            });
        }
    }

    fn check_captions(&self, reader: &mut Reader) {
        let words = self.caption_words();
        if words > MOST_CAPTION_WORDS {
            reader.at_key("overlays", |reader| {
                reader.note(
                    ProblemKind::CompositionTooLarge,
                    Some(format!("{words} words")),
                    format!("captioned with at most {MOST_CAPTION_WORDS} words in total"),
                );
            });
        }
    }

    /// Whether the rules that span overlays hold: their number, their ids and the words of their captions. For a
    /// composition whose overlays were read one by one.
    pub fn is_allowed(&self) -> bool {
        let mut ids: Vec<u64> =
            self.overlays.iter().map(|overlay| overlay.base.id.number().to_bits()).collect();
        ids.sort_unstable();
        let unique = ids.windows(2).all(|pair| pair[0] != pair[1]);
        unique && ids.len() <= MOST_OVERLAYS && self.caption_words() <= MOST_CAPTION_WORDS
    }

    /// Caption words of all overlays together.
    pub(crate) fn caption_words(&self) -> usize {
        self.overlays.iter().map(|overlay| overlay.kind.caption_words()).sum()
    }

    /// The composition as JSON. Size, rate and background are always written; other fields that hold their default are
    /// left out. Reading it again gives the same composition.
    pub fn write(&self) -> Value {
        let mut fields = Map::new();
        self.write_fields(&mut fields);
        Value::Object(fields)
    }

    /// Makes a composition in JSON one that the schema allows: `null` and what is tolerated is left out or written as it
    /// is read. Reading it gives the same composition as before. Unknown fields stay as they are.
    pub fn tidy(value: &mut Value) {
        object::<Self>().tidy(value);
    }

    /// Every media address, with the index of its overlay, in the order of the overlays.
    pub fn media_sources(&self) -> impl Iterator<Item = (usize, MediaSource<'_>)> {
        let overlays = self.overlays.iter().enumerate();
        overlays.flat_map(|(index, overlay)| overlay.media().into_iter().map(move |source| (index, source)))
    }

    /// The addresses of [`Composition::media_sources`], in the same order, then those of the font files.
    pub fn media_addresses_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let overlays = self.overlays.iter_mut().flat_map(Overlay::media_addresses_mut);
        overlays.chain(self.font_faces.iter_mut().map(|face| &mut face.src))
    }

    /// Length in seconds.
    pub fn seconds(&self) -> f64 {
        f64::from(self.duration) / f64::from(self.fps.max(1))
    }
}

/// The index of the overlay in a path such as `overlays[3].src` or `inputProps.overlays[3].src`.
pub fn overlay_at(path: &str) -> Option<usize> {
    let path = path.strip_prefix("inputProps.").unwrap_or(path);
    path.strip_prefix("overlays[")?.split_once(']')?.0.parse().ok()
}

/// Runs on the JSON rather than on what was read, so that a problem elsewhere hides no duplicate.
fn check_ids(value: &Value, reader: &mut Reader) {
    let overlays = value.get("overlays").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let mut seen: Vec<(f64, usize)> = Vec::with_capacity(overlays.len());
    for (index, overlay) in overlays.iter().enumerate() {
        let Some(id) = overlay.get("id").and_then(overlay_id) else { continue };
        if let Some((_, first)) = seen.iter().find(|(other, _)| *other == id) {
            let expected = format!("`overlays[{first}].id` has the same value");
            reader.at_key("overlays", |reader| {
                reader.at_index(index, |reader| {
                    reader.at_key("id", |reader| {
                        reader.note(ProblemKind::DuplicateOverlayId, Some(id.to_string()), expected);
                    });
                });
            });
        } else {
            seen.push((id, index));
        }
    }
}
