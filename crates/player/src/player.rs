//! A film in the player: what it needs, and its frames.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use rondo_composition::{Composition, Error, Finish, MediaRole, OverlayId};
use rondo_paint::{PaintError, Painter};
use rondo_pixels::{Bitmap, IRect, Picture};
use rondo_scene::{Area, Notice, Scene};
use rondo_sound::AudioError;
use rondo_text::{Catalog, Origin, TextEngine, TextError};
use serde_json::{Map, Value, json};

use crate::coded::Part;
use crate::faces::Faces;
use crate::film_text::{self, Known, Reading, Split};
use crate::fonts::Fonts;
use crate::media::{Media, Undecoded};
use crate::mix::{Level, Mix, Score};
use crate::sound::{Sounds, Stretch};
use crate::video_frame::{Decoded, FrameInfo};

/// Bytes of rasterised layers that are kept, at full and at half size.
const FULL_BUDGET: usize = 96 << 20;
const HALF_BUDGET: usize = 32 << 20;

/// Fonts, media and the film they are for.
pub struct Player {
    fonts: Arc<Fonts>,
    faces: Faces,
    engine: TextEngine,
    media: Media,
    sounds: Sounds,
    /// The overlays of the film that was read last.
    known: Known,
    film: Option<Film>,
    mix: Option<Mix>,
    /// The loudness of the film that was heard last, if it has one.
    level: Option<Level>,
    full: Option<Painter>,
    half: Option<Painter>,
    /// Whether the frame painted last has half the size.
    halved: bool,
    dirty: Vec<IRect>,
}

struct Film {
    composition: Composition,
    finish: Finish,
    /// Overlays are prepared when they are needed.
    scene: Scene,
    /// Font files that all overlays need.
    common_fonts: Vec<String>,
    /// Font files that were not there when an overlay was prepared, by its id.
    awaited_fonts: HashMap<u64, Vec<String>>,
}

impl Film {
    /// Prepares an overlay.
    fn prepare(&mut self, overlay: usize, engine: &mut TextEngine, fonts: &Fonts, media: &Media) {
        let Some(id) = self.composition.overlays.get(overlay).map(|overlay| overlay.base.id) else { return };
        fonts.take_asked();
        self.scene.prepare(overlay, &self.composition, engine, media);
        let asked = fonts.take_asked();
        if !asked.is_empty() {
            // What was shaped without them is not kept: others with the same text ask too.
            *engine = TextEngine::new(engine.catalog().clone());
        }
        self.awaited_fonts.insert(key_of(id), asked);
    }

    /// Notes the font files that a frame asked for.
    fn await_fonts(&mut self, frame: u32, asked: &[String]) {
        for id in self.scene.shown(frame).filter(|_| !asked.is_empty()) {
            let awaited = self.awaited_fonts.entry(key_of(id)).or_default();
            let new = asked.iter().filter(|font| !awaited.contains(font)).cloned().collect::<Vec<_>>();
            awaited.extend(new);
        }
    }

    /// Turns to an engine with a font file more.
    fn font_came(&mut self, name: &str, engine: &TextEngine, fonts: &Fonts) {
        fonts.take_asked();
        if self.scene.fits(engine) {
            let awaited = &self.awaited_fonts;
            self.scene.forget(|id| {
                awaited.get(&key_of(id)).is_some_and(|awaited| awaited.iter().any(|font| font == name))
            });
        } else {
            self.scene = Scene::unprepared(&self.composition, engine);
        }
        self.common_fonts = fonts.take_asked();
    }

    /// Turns to an engine with other families.
    fn fonts_changed(&mut self, engine: &TextEngine, fonts: &Fonts) {
        fonts.take_asked();
        self.scene = Scene::unprepared(&self.composition, engine);
        self.common_fonts = fonts.take_asked();
        self.awaited_fonts.clear();
    }
}

fn key_of(id: OverlayId) -> u64 {
    id.number().to_bits()
}

/// A film that was opened.
pub struct Opened<'a> {
    pub composition: &'a Composition,
    /// Every source once: its role, its address, and whether it was given already.
    pub media: Vec<(MediaRole, String, bool)>,
}

/// What a frame still lacks.
#[derive(Debug, Default, PartialEq)]
pub struct Needs {
    /// Font files and dictionaries.
    pub fonts: Vec<String>,
    /// Source and time in microseconds of video frames; 0 for images and videos of which nothing was given.
    pub pictures: Vec<(String, i64)>,
}

impl Player {
    /// A player with the fonts of an index, whose files come when they are asked for.
    pub fn new(font_index: &str) -> Result<Self, TextError> {
        let fonts = Arc::new(Fonts::default());
        let mut catalog = Catalog::new(Some(fonts.clone()));
        catalog.add_index(font_index, Origin::Bundled)?;
        let catalog = Arc::new(catalog);
        let engine = TextEngine::new(catalog.clone());
        Ok(Self {
            fonts,
            faces: Faces::new(catalog),
            engine,
            media: Media::default(),
            sounds: Sounds::default(),
            known: Known::default(),
            film: None,
            mix: None,
            level: None,
            full: None,
            half: None,
            halved: false,
            dirty: Vec::new(),
        })
    }

    /// Opens a film: a composition or the body of a request, with values for its variables.
    pub fn open(
        &mut self,
        film: &Value,
        replacements: Option<&Map<String, Value>>,
    ) -> Result<Opened<'_>, Error> {
        self.open_text(&json!({"composition": film, "replacements": replacements}).to_string())
    }

    /// Opens a film from its text: `{"composition", "replacements"?}`. Overlays that stayed the same are not read again.
    pub fn open_text(&mut self, text: &str) -> Result<Opened<'_>, Error> {
        let split = Split::new(text);
        let known = split.as_ref().and_then(|split| self.known.reread(split));
        let reading = match known {
            Some(reading) => reading,
            None => film_text::read(serde_json::from_str(text)?)?,
        };
        self.known.remember(split.as_ref(), &reading.file.composition.overlays);
        self.turn_to(reading)
    }

    fn turn_to(&mut self, reading: Reading) -> Result<Opened<'_>, Error> {
        let Reading { file, replacements } = reading;
        let mut composition = file.composition;
        if let Some(Value::Object(values)) = &replacements {
            composition.apply_replacements(values)?;
        }
        self.media.turn_to(&composition);
        self.sounds.retain(|src| composition.media_sources().any(|(_, source)| source.address == src));
        self.mix = None;
        self.fonts.take_asked();
        if self.faces.turn_to(&composition.font_faces) {
            self.engine = TextEngine::new(self.faces.catalog());
            // Nothing is taken over that was set in other fonts.
            self.film = None;
        }
        let mut scene = Scene::unprepared(&composition, &self.engine);
        let common_fonts = self.fonts.take_asked();
        let mut awaited_fonts = HashMap::new();
        if let Some(before) = self.film.take() {
            scene.take_over(&composition, before.scene, &before.composition);
            awaited_fonts = before.awaited_fonts;
            let ids: BTreeSet<u64> = scene.ids().map(key_of).collect();
            awaited_fonts.retain(|id, _| ids.contains(id));
        }
        let size = (composition.width, composition.height);
        if self.full.as_ref().is_none_or(|painter| (painter.bitmap().width, painter.bitmap().height) != size)
        {
            self.full = Some(Painter::with_budget(size.0, size.1, FULL_BUDGET));
            self.half = None;
        }
        let finish = file.finish;
        let film = Film { composition, finish, scene, common_fonts, awaited_fonts };
        let composition = &self.film.insert(film).composition;
        let mut media: Vec<(MediaRole, String, bool)> = Vec::new();
        for (_, source) in composition.media_sources().filter(|(_, source)| source.used) {
            let named = |(role, src, _): &(MediaRole, String, bool)| {
                (*role, src.as_str()) == (source.role, source.address)
            };
            if !source.address.is_empty() && !media.iter().any(named) {
                media.push((
                    source.role,
                    source.address.to_owned(),
                    self.media.has(source.role, source.address),
                ));
            }
        }
        Ok(Opened { composition, media })
    }

    /// A font file or dictionary that was asked for; `None` if it cannot be loaded. Font files of the film are named by their
    /// addresses.
    pub fn font(&mut self, name: &str, bytes: Option<Vec<u8>>) {
        let Err(bytes) = self.faces.give(name, bytes) else {
            self.engine = TextEngine::new(self.faces.catalog());
            if let Some(film) = &mut self.film {
                film.fonts_changed(&self.engine, &self.fonts);
            }
            return;
        };
        self.fonts.give(name, bytes);
        // What was shaped without it is not kept.
        self.engine = TextEngine::new(self.engine.catalog().clone());
        if let Some(film) = &mut self.film {
            film.font_came(name, &self.engine, &self.fonts);
        }
    }

    /// The file of an image. Returns what the page is to decode of it first; nothing if the image is complete.
    pub fn image(&mut self, src: &str, bytes: Vec<u8>) -> Result<Vec<Part<'_>>, String> {
        if let Err(reason) = self.media.image(src, bytes) {
            self.missing(MediaRole::Image, src);
            return Err(reason);
        }
        self.media_changed();
        Ok(self.media.parts(src))
    }

    /// The pictures of an image that the page was to decode: its colour, and its alpha if it has one.
    pub fn decoded(&mut self, src: &str, pictures: Vec<(Vec<u8>, FrameInfo)>) -> Result<(), String> {
        let decoded = self.media.decoded(src, pictures);
        if decoded.is_err() {
            self.media.missing(MediaRole::Image, src);
        }
        self.media_changed();
        decoded
    }

    /// A still image that was not decoded yet. [`decode`](crate::media::decode) makes its picture, also in another module.
    pub fn undecoded(&self, src: &str) -> Option<Undecoded<'_>> {
        self.media.undecoded(src)
    }

    /// The picture of a still image that was decoded elsewhere, of the file with this key.
    pub fn keep(&mut self, src: &str, file_key: u32, picture: Picture) {
        self.media.keep(src, file_key, picture);
    }

    /// What is known of a video: its size as shown, and its length in seconds.
    pub fn clip(&mut self, src: &str, (width, height): (u32, u32), duration: f64, has_sound: bool) {
        self.media.clip(src, width, height, duration, has_sound);
        self.media_changed();
    }

    /// A sound can be played.
    pub fn sound(&mut self, src: &str) {
        self.media.sound(src);
    }

    /// A source cannot be loaded.
    pub fn missing(&mut self, role: MediaRole, src: &str) {
        self.media.missing(role, src);
        self.media_changed();
    }

    fn media_changed(&mut self) {
        if let Some(film) = &self.film {
            self.media.fit(&film.composition);
        }
    }

    /// A decoded frame of a video, for a time that was asked for.
    pub fn picture(&mut self, src: &str, time_us: i64, planes: Vec<u8>, info: FrameInfo) -> bool {
        let Some(decoded) = Decoded::new(planes, info) else { return false };
        self.media.frame(src, time_us, decoded);
        true
    }

    /// The film, with the overlays of a frame prepared.
    fn at(&mut self, frame: u32) -> Option<&Film> {
        let film = self.film.as_mut()?;
        for overlay in film.scene.unprepared_at(frame, &film.composition, &self.media) {
            film.prepare(overlay, &mut self.engine, &self.fonts, &self.media);
        }
        Some(film)
    }

    /// Prepares one more overlay of those that are shown from a frame on; returns whether there are others.
    pub fn prepare_ahead(&mut self, frame: u32) -> bool {
        let Some(film) = &mut self.film else { return false };
        if let Some(overlay) = film.scene.next_unprepared(frame) {
            film.prepare(overlay, &mut self.engine, &self.fonts, &self.media);
        }
        film.scene.next_unprepared(frame).is_some()
    }

    /// Font files that overlays lack which were prepared ahead.
    pub fn fonts_ahead(&self) -> Vec<String> {
        let fonts = self.film.iter().flat_map(|film| film.awaited_fonts.values().flatten());
        self.lacking_fonts(fonts)
    }

    fn lacking_fonts<'f>(&'f self, fonts: impl Iterator<Item = &'f String>) -> Vec<String> {
        let lacking = fonts.filter(|font| !self.fonts.has(font)).chain(self.faces.lacking());
        let lacking: BTreeSet<&String> = lacking.collect();
        lacking.into_iter().cloned().collect()
    }

    /// What painting a frame exactly still lacks. Fonts come in waves: faces that others were expected to replace.
    pub fn needs(&mut self, frame: u32) -> Needs {
        if self.at(frame).is_none() {
            return Needs::default();
        }
        let Some(film) = &mut self.film else { return Needs::default() };
        // States of long typed texts are laid out when a frame shows them.
        self.fonts.take_asked();
        let pictures = film.scene.frame(frame).pictures();
        film.await_fonts(frame, &self.fonts.take_asked());
        let Some(film) = &self.film else { return Needs::default() };
        let awaited = film.scene.shown(frame).filter_map(|id| film.awaited_fonts.get(&key_of(id)));
        let fonts = self.lacking_fonts(film.common_fonts.iter().chain(awaited.flatten()));
        let lacking = pictures.iter().filter_map(|picture| self.media.lacking(picture));
        let mut pictures: Vec<(String, i64)> = Vec::new();
        for (src, time) in lacking.chain(self.not_given(frame).map(|src| (src, 0))) {
            if !pictures.iter().any(|lacks| (lacks.0.as_str(), lacks.1) == (src, time)) {
                pictures.push((src.to_owned(), time));
            }
        }
        Needs { fonts, pictures }
    }

    /// Images and videos of a frame of which nothing was given yet.
    fn not_given(&self, frame: u32) -> impl Iterator<Item = &str> {
        let frame = i64::from(frame);
        self.film.iter().flat_map(move |Film { composition, .. }| {
            composition.media_sources().filter_map(move |(index, source)| {
                let overlay = &composition.overlays[index];
                let shown = (overlay.base.from..overlay.end()).contains(&frame);
                let given = self.media.has(source.role, source.address);
                let wanted =
                    shown && source.used && source.role != MediaRole::Sound && !source.address.is_empty();
                (wanted && !given).then_some(source.address)
            })
        })
    }

    /// Where the overlays of a frame are on the canvas, back to front.
    pub fn areas(&mut self, frame: u32) -> Vec<Area> {
        self.at(frame).map_or_else(Vec::new, |film| film.scene.areas(frame))
    }

    /// When the word of captions at a point of the canvas is said, in milliseconds of the overlay.
    pub fn said_at(&mut self, frame: u32, overlay: u32, point: (f64, f64)) -> Option<f64> {
        self.at(frame)?.scene.said_at(frame, overlay, point.into())
    }

    /// Notices about the overlays that are prepared, the most severe first.
    pub fn notices(&self) -> Vec<Notice> {
        self.film.as_ref().map_or_else(Vec::new, |film| film.scene.notices())
    }

    /// Paints a frame, at half size while playing. Its pixels are opaque.
    pub fn paint(&mut self, frame: u32, halved: bool) -> Result<(), String> {
        self.at(frame);
        let Some(Film { scene, .. }) = &self.film else { return Err("No film is open.".into()) };
        if frame >= scene.duration() {
            return Err(format!("Frame {frame} does not exist: the film has {} frames.", scene.duration()));
        }
        let (width, height) = (scene.width(), scene.height());
        let (view, painter) = if halved {
            let (width, height) = (width.div_ceil(2), height.div_ceil(2));
            let painter = self.half.get_or_insert_with(|| Painter::with_budget(width, height, HALF_BUDGET));
            (scene.view().sized(width, height), painter)
        } else {
            let painter = self.full.get_or_insert_with(|| Painter::with_budget(width, height, FULL_BUDGET));
            (scene.view(), painter)
        };
        self.halved = halved;
        let painted = painter.paint(&view.frame(frame), &mut self.media).map_err(|error| match error {
            PaintError::Picture(error) => error.0,
            error => error.to_string(),
        })?;
        self.dirty = painted.dirty.to_vec();
        Ok(())
    }

    /// The frame painted last.
    pub fn bitmap(&self) -> Option<&Bitmap> {
        let painter = if self.halved { &self.half } else { &self.full };
        painter.as_ref().map(Painter::bitmap)
    }

    /// What changed in it since the one before of the same size.
    pub fn dirty(&self) -> &[IRect] {
        &self.dirty
    }

    /// Decoded samples of a source, interleaved, from a second of it on; none at its end.
    pub fn samples(&mut self, src: &str, from: f64, rate: u32, channels: usize, samples: &[f32]) {
        self.sounds.give(src, from, rate, channels, samples);
    }

    fn score(&self) -> Option<Score<'_>> {
        let Film { composition, finish, .. } = self.film.as_ref()?;
        Some(Score { composition, finish, media: &self.media, sounds: &self.sounds })
    }

    /// Begins the mix at a frame of the film, as loud as it is to be as far as that was measured.
    pub fn mix_from(&mut self, frame: u32) {
        let before = self.level.take();
        let Some(score) = self.score() else { return };
        let level = Level::of(score, before);
        let gain = level.as_ref().map_or(1.0, Level::gain);
        let mix = Mix::new(score, frame, |mixer| mixer.amplified(gain));
        (self.mix, self.level) = (Some(mix), level);
    }

    /// What the next seconds of the mix need of its sources.
    pub fn needs_sound(&self, seconds: f64) -> Vec<Stretch> {
        self.mix.as_ref().map_or_else(Vec::new, |mix| mix.needs(&self.sounds, seconds))
    }

    /// The next frames of the mix: interleaved stereo at 48 kHz. Empty if nothing sounds.
    pub fn mix(&mut self, frames: usize) -> Result<&[f32], AudioError> {
        self.mix.as_mut().map_or(Ok(&[]), |mix| mix.next(frames))
    }

    /// What measuring the next seconds of the film's loudness needs of its sources; `None` if there is nothing to measure.
    pub fn needs_level(&mut self, seconds: f64) -> Option<Vec<Stretch>> {
        let before = self.level.take();
        self.level = Level::of(self.score()?, before);
        self.level.as_ref()?.needs(&self.sounds, seconds)
    }

    /// Measures the next seconds of the film's loudness.
    pub fn measure(&mut self, seconds: f64) {
        let Some(mut level) = self.level.take() else { return };
        if let Some(score) = self.score() {
            level.measure(score, seconds);
        }
        self.level = Some(level);
    }
}
