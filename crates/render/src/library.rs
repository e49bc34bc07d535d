//! The media of a composition: found, probed, and their pixels on demand.

use std::collections::HashMap;
use std::num::NonZero;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use rondo_composition::{Composition, EffectName, Overlay, OverlayKind};
use rondo_media::image::{Animation, ImageInfo, ImageKind, SvgFonts, load_image, probe_image};
use rondo_media::{DecodedFrame, MediaError, MediaFile, VideoDecoder, probe};
use rondo_paint::PaintError;
use rondo_pixels::Picture;
use rondo_scene::display::PictureRef;
use rondo_scene::{ClipInfo, MediaInfo, PictureError, Pictures, World};

use crate::album::{Album, Print};
use crate::animation::AnimatedPicture;
use crate::error::RenderError;
use crate::fingerprint::fingerprint;
use crate::timings::{Stage, during};

/// Turns the `src` of a composition into a file on this machine.
pub trait Locate {
    /// The file, or the reason why there is none, as the end of the sentence "… cannot be read: ".
    fn locate(&self, src: &str) -> Result<PathBuf, String>;
}

/// Media that cannot be used, with the overlay that asks for it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {reason}")]
pub struct MediaProblem {
    /// JSON path of the `src`.
    pub path: String,
    pub src: String,
    /// A sentence with the name of the file.
    pub reason: String,
    /// Its place among everything the composition asks for.
    pub(crate) order: usize,
}

/// Most decoders of one clip: as many as overlays commonly show it at once.
const DECODERS_PER_CLIP: usize = 3;

/// Clips whose files stay open from probing until they are shown.
const FILES_KEPT: usize = 4;

/// Painted frames after which a decoder that nobody needs is closed: each of them holds a dozen pictures.
const IDLE: u64 = 30;

/// Seconds a decoder may be behind and still be cheaper to run forward than to seek.
const FORWARD_REACH: f64 = 2.0;

/// Everything a composition shows or plays.
#[derive(Default)]
pub struct Library {
    by_src: HashMap<(Role, String), usize>,
    sources: Vec<Source>,
    album: Arc<Album>,
    /// Counts painted frames.
    clock: u64,
}

/// The same file may be a picture for one overlay and a sound for another.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Role {
    Image,
    Video,
    Sound,
}

struct Source {
    path: PathBuf,
    info: Option<MediaInfo>,
    has_sound: bool,
    pixels: Pixels,
}

enum Pixels {
    /// Sound alone.
    None,
    /// A number in the album.
    Still(usize),
    Animation(Box<AnimatedPicture>),
    Clip(Clip),
}

/// A file with moving pictures.
#[derive(Default)]
struct Clip {
    src: String,
    fields: Fields,
    heads: Vec<Playhead>,
    /// Frames in which overlays show it.
    shown: Vec<Range<i64>>,
    /// Decoders that overlays of the frame being painted may need.
    needed: usize,
    /// What all that paint the film share.
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    /// The file as it was probed, for whoever decodes it first.
    file: Mutex<Option<MediaFile>>,
    /// Why a frame of it cannot be decoded.
    damaged: OnceLock<String>,
}

/// A decoder and where it stands.
struct Playhead {
    decoder: VideoDecoder,
    at: f64,
    /// The painted frame that asked it last.
    used: u64,
    last: Option<(Arc<DecodedFrame>, Arc<Picture>)>,
}

impl Library {
    /// Probes every picture, clip and sound; what cannot be used is told apart. Pixels are decoded when they are shown.
    pub fn load(composition: &Composition, locate: &dyn Locate) -> (Self, Vec<MediaProblem>) {
        let mut needs: Vec<Need<'_>> = Vec::new();
        let mut known = HashMap::new();
        let (mut asked, mut clips) = (0, 0);
        for (index, overlay) in composition.overlays.iter().enumerate() {
            let own = media_of(overlay).map(|(role, src)| (role, src, "src".to_owned()));
            let shown = effect_images(overlay).into_iter().map(|(src, field)| (Role::Image, src, field));
            for (role, src, field) in own.into_iter().chain(shown) {
                let need = *known.entry((role, src)).or_insert_with(|| {
                    let file = located(src, locate);
                    clips += usize::from(role == Role::Video);
                    let keeps_open = clips <= FILES_KEPT;
                    needs.push(Need {
                        role,
                        src,
                        fields: Fields::default(),
                        shown: Vec::new(),
                        file,
                        keeps_open,
                    });
                    needs.len() - 1
                });
                needs[need].fields.0.push((asked, format!("overlays[{index}].{field}")));
                needs[need].shown.push(overlay.base.from..overlay.end());
                asked += 1;
            }
        }
        let mut library = Self::default();
        let mut prints = Vec::new();
        let mut problems = Vec::new();
        for (need, loaded) in needs.iter().zip(load_all(&needs, composition)) {
            match loaded {
                Ok((mut source, print)) => {
                    if let Some(print) = print {
                        source.pixels = Pixels::Still(prints.len());
                        prints.push(print);
                    }
                    let number = library.sources.len();
                    if let Some(info) = &mut source.info {
                        info.source = number as u32;
                    }
                    library.by_src.insert((need.role, need.src.to_owned()), number);
                    library.sources.push(source);
                }
                Err(reason) => problems.extend(need.fields.problems(need.src, &reason)),
            }
        }
        library.album = Arc::new(Album::new(prints));
        (library, in_order(problems))
    }

    /// Called before a frame is painted: begins to decode its pictures and those of as many frames after it, and closes
    /// decoders that no overlay needs any more.
    pub(crate) fn open_at(&mut self, frame: u32, ahead: u32) {
        self.album.open_at(frame, ahead);
        self.clock += 1;
        for source in &mut self.sources {
            if let Pixels::Clip(clip) = &mut source.pixels {
                clip.turn_to(frame, self.clock);
            }
        }
    }

    /// Decodes every picture, which [`Library::load`] leaves for later, and tells what is damaged.
    pub(crate) fn try_pictures(&self) -> Vec<MediaProblem> {
        self.album.try_all();
        self.damaged()
    }

    /// Pictures and clips that turned out to be damaged so far.
    fn damaged(&self) -> Vec<MediaProblem> {
        let clips = self.clips().filter_map(|clip| {
            clip.shared.damaged.get().map(|reason| clip.fields.problems(&clip.src, reason))
        });
        in_order(self.album.problems().into_iter().chain(clips.flatten()).collect())
    }

    /// Why a frame could not be painted: media that turned out to be unusable are told as such.
    pub(crate) fn explain(&self, error: PaintError) -> RenderError {
        let PaintError::Picture(picture) = &error else { return error.into() };
        let problems = self.damaged();
        let told = problems.iter().any(|problem| problem.reason == picture.0);
        if told { RenderError::Media(problems) } else { error.into() }
    }

    /// The same media for another thread: pictures are shared, decoders are not.
    pub(crate) fn fork(&self) -> Self {
        Self {
            by_src: self.by_src.clone(),
            sources: self.sources.iter().map(Source::fork).collect(),
            album: self.album.clone(),
            clock: 0,
        }
    }

    fn clips(&self) -> impl Iterator<Item = &Clip> {
        self.sources.iter().filter_map(|source| match &source.pixels {
            Pixels::Clip(clip) => Some(clip),
            _ => None,
        })
    }

    fn find(&self, src: &str, roles: &[Role]) -> Option<&Source> {
        let index = roles.iter().find_map(|role| self.by_src.get(&(*role, src.to_owned())))?;
        self.sources.get(*index)
    }

    /// The file whose sound a sound or video overlay plays; `None` when it has no sound track.
    pub(crate) fn sound(&self, overlay: &Overlay) -> Option<&Path> {
        let (role, src) = media_of(overlay)?;
        let source = self.find(src, &[role])?;
        (source.has_sound && role != Role::Image).then_some(source.path.as_path())
    }
}

/// Something to load.
struct Need<'a> {
    role: Role,
    src: &'a str,
    fields: Fields,
    /// Frames in which overlays show it.
    shown: Vec<Range<i64>>,
    file: Result<PathBuf, String>,
    /// Whether the file of a clip stays open until it is shown.
    keeps_open: bool,
}

/// The JSON paths that name something to load, each with its place among all.
#[derive(Clone, Default)]
pub(crate) struct Fields(pub Vec<(usize, String)>);

impl Fields {
    /// A problem for each of them.
    pub fn problems(&self, src: &str, reason: &str) -> impl Iterator<Item = MediaProblem> {
        self.0.iter().map(move |(order, path)| MediaProblem {
            path: path.clone(),
            src: src.to_owned(),
            reason: reason.to_owned(),
            order: *order,
        })
    }
}

pub(crate) fn in_order(mut problems: Vec<MediaProblem>) -> Vec<MediaProblem> {
    problems.sort_by_key(|problem| problem.order);
    problems
}

/// Loads everything, as much at once as the machine has processors.
fn load_all(needs: &[Need<'_>], composition: &Composition) -> Vec<Result<(Source, Option<Print>), String>> {
    let next = AtomicUsize::new(0);
    let load = || {
        let mut loaded = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(need) = needs.get(number) else { return loaded };
            let size = wanted_size(composition, need.src);
            let source = need.file.clone().and_then(|file| Source::load(need, file, size));
            loaded.push((number, source));
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get).min(needs.len());
    let mut loaded = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(load)).collect();
        let mut loaded = load();
        for other in others {
            // A thread that panicked passes its panic on.
            loaded.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        loaded
    });
    loaded.sort_by_key(|(number, _)| *number);
    loaded.into_iter().map(|(_, source)| source).collect()
}

fn located(src: &str, locate: &dyn Locate) -> Result<PathBuf, String> {
    if src.trim().is_empty() {
        return Err("The overlay has no media source: \"src\" is empty.".into());
    }
    locate.locate(src).map_err(|reason| format!("{} cannot be read: {reason}.", shortened(src)))
}

/// What an overlay asks the library for. A missing `src` is nothing to load.
fn media_of(overlay: &Overlay) -> Option<(Role, &str)> {
    let role = match overlay.kind {
        OverlayKind::Image(_) => Role::Image,
        OverlayKind::Video(_) => Role::Video,
        OverlayKind::Sound(_) => Role::Sound,
        _ => return None,
    };
    Some((role, overlay.media_src()?))
}

/// The pictures an effect shows in its cells and columns, each with the field that names it.
fn effect_images(overlay: &Overlay) -> Vec<(&str, String)> {
    let OverlayKind::Effect(effect) = &overlay.kind else { return Vec::new() };
    let s = &effect.styles;
    let (cells, columns) = match effect.content {
        EffectName::GridStagger | EffectName::Fracture => (true, false),
        EffectName::ScrollingColumns => (s.columns.is_empty(), true),
        _ => (false, false),
    };
    let mut images = Vec::new();
    for (i, src) in s.cell_images.iter().enumerate().filter(|_| cells) {
        images.push((src.as_str(), format!("styles.cellImages[{i}]")));
    }
    for (c, column) in s.columns.iter().enumerate().filter(|_| columns) {
        for (i, src) in column.images.iter().enumerate() {
            images.push((src.as_str(), format!("styles.columns[{c}].images[{i}]")));
        }
    }
    images
}

/// The largest box a source is shown in: vector images are drawn for it.
fn wanted_size(composition: &Composition, src: &str) -> (f64, f64) {
    let shows =
        |o: &&Overlay| o.media_src() == Some(src) || effect_images(o).iter().any(|(shown, _)| *shown == src);
    let boxes = composition.overlays.iter().filter(shows);
    boxes.fold((1.0, 1.0), |size, o| (f64::max(size.0, o.base.width), f64::max(size.1, o.base.height)))
}

impl Source {
    /// It gets its number when it is put with the others, and the picture its own in the album.
    fn load(need: &Need<'_>, path: PathBuf, wanted: (f64, f64)) -> Result<(Self, Option<Print>), String> {
        match need.role {
            Role::Image => Self::image(path, need, wanted),
            Role::Video => {
                let file = MediaFile::open(&path).map_err(|e| sentence(&e))?;
                Ok((Self::clip(path, file, need)?, None))
            }
            Role::Sound => {
                let probed = probe(&path).map_err(|e| sentence(&e))?;
                if probed.audio.is_none() {
                    return Err(format!("{} has no sound track.", shortened(need.src)));
                }
                Ok((Self { path, info: None, has_sound: true, pixels: Pixels::None }, None))
            }
        }
    }

    fn image(path: PathBuf, need: &Need<'_>, wanted: (f64, f64)) -> Result<(Self, Option<Print>), String> {
        let name = shortened(need.src);
        let bytes = std::fs::read(&path).map_err(|e| format!("{name} cannot be read: {}.", io_reason(&e)))?;
        let key = content_key(&bytes);
        if let Some(animation) = Animation::open(&bytes, &name).map_err(|e| sentence(&e))? {
            return Ok((Self::animation(path, key, animation), None));
        }
        let ImageInfo { kind, mut width, mut height, .. } =
            probe_image(&bytes, &name).map_err(|e| sentence(&e))?;
        if kind == ImageKind::Avif {
            // What its header says need not be what is in it.
            let still = load_image(&bytes, &name, &SvgFonts::default()).map_err(|e| sentence(&e))?;
            (width, height) = still.size();
        }
        let pixels = match kind {
            ImageKind::Svg => {
                let scale =
                    (wanted.0 / f64::from(width)).max(wanted.1 / f64::from(height)).clamp(0.01, 4096.0);
                let side = |v: u32| (f64::from(v) * scale).ceil().clamp(1.0, 8192.0) as u32;
                (side(width), side(height))
            }
            _ => (width, height),
        };
        let scale = f64::from(pixels.0) / f64::from(width.max(1));
        let info = MediaInfo { source: 0, key, width, height, scale, clip: None };
        let (fields, shown) = (need.fields.clone(), need.shown.clone());
        let print =
            Print { path: path.clone(), name, src: need.src.into(), key, size: pixels, fields, shown };
        Ok((Self { path, info: Some(info), has_sound: false, pixels: Pixels::None }, Some(print)))
    }

    fn animation(path: PathBuf, key: u64, animation: Animation) -> Self {
        let picture = AnimatedPicture::new(animation);
        let (width, height) = picture.size();
        let clip = Some(picture.info());
        let info = MediaInfo { source: 0, key, width, height, scale: 1.0, clip };
        Self { path, info: Some(info), has_sound: false, pixels: Pixels::Animation(Box::new(picture)) }
    }

    fn clip(path: PathBuf, file: MediaFile, need: &Need<'_>) -> Result<Self, String> {
        let probed = file.probe().map_err(|e| sentence(&e))?;
        let video = probed.video.as_ref().ok_or_else(|| {
            format!("{} has no picture track, so it cannot be shown as a video.", path.display())
        })?;
        let key = fingerprint(&path)
            .map_err(|e| format!("{} cannot be read: {}.", path.display(), io_reason(&e)))?;
        let info = MediaInfo {
            source: 0,
            key,
            width: video.width,
            height: video.height,
            scale: 1.0,
            clip: Some(ClipInfo { duration: video.duration, timetable: None }),
        };
        let file = Mutex::new(need.keeps_open.then_some(file));
        let shared = Arc::new(Shared { file, ..Shared::default() });
        let clip = Clip { shared, ..Clip::new(need.src, &need.fields, &need.shown) };
        let has_sound = probed.audio.is_some();
        Ok(Self { path, info: Some(info), has_sound, pixels: Pixels::Clip(clip) })
    }

    fn fork(&self) -> Self {
        let pixels = match &self.pixels {
            Pixels::None => Pixels::None,
            Pixels::Still(number) => Pixels::Still(*number),
            Pixels::Animation(animation) => Pixels::Animation(animation.clone()),
            Pixels::Clip(clip) => {
                let shared = clip.shared.clone();
                Pixels::Clip(Clip { shared, ..Clip::new(&clip.src, &clip.fields, &clip.shown) })
            }
        };
        Self { path: self.path.clone(), info: self.info.clone(), has_sound: self.has_sound, pixels }
    }
}

impl Shared {
    fn file(&self) -> MutexGuard<'_, Option<MediaFile>> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clip {
    fn new(src: &str, fields: &Fields, shown: &[Range<i64>]) -> Self {
        Self { src: src.to_owned(), fields: fields.clone(), shown: shown.to_vec(), ..Self::default() }
    }

    /// Closes decoders that overlays of a frame do not need, and that nobody asked for a while.
    fn turn_to(&mut self, frame: u32, clock: u64) {
        let overlays = self.shown.iter().filter(|shown| shown.contains(&i64::from(frame))).count();
        self.needed = overlays.min(DECODERS_PER_CLIP);
        while let Some(oldest) = self.oldest().filter(|_| self.heads.len() > self.needed)
            && clock - self.heads[oldest].used > IDLE
        {
            self.heads.remove(oldest);
        }
    }

    /// The decoder that was asked longest ago.
    fn oldest(&self) -> Option<usize> {
        (0..self.heads.len()).min_by_key(|head| self.heads[*head].used)
    }

    /// The frame on show at a time.
    fn picture_at(&mut self, path: &Path, seconds: f64, clock: u64) -> Result<Arc<Picture>, PictureError> {
        self.decode(path, seconds, clock)
            .map_err(|error| PictureError(self.shared.damaged.get_or_init(|| sentence(&error)).clone()))
    }

    fn decode(&mut self, path: &Path, seconds: f64, clock: u64) -> Result<Arc<Picture>, MediaError> {
        let within_reach = |h: &Playhead| h.at <= seconds && seconds - h.at <= FORWARD_REACH;
        let near = (0..self.heads.len())
            .filter(|head| within_reach(&self.heads[*head]))
            .max_by(|a, b| self.heads[*a].at.total_cmp(&self.heads[*b].at));
        // Every overlay that shows the clip may have one of its own; with as many as that, one is sent elsewhere.
        let any = self.oldest().filter(|_| self.heads.len() >= self.needed);
        let index = match near.or(any) {
            Some(index) => index,
            None => {
                let file = self.shared.file().take().filter(|file| !file.is_replaced());
                let decoder = file.map_or_else(|| VideoDecoder::open(path), VideoDecoder::of)?;
                self.heads.push(Playhead { decoder, at: 0.0, used: clock, last: None });
                self.heads.len() - 1
            }
        };
        let head = &mut self.heads[index];
        let frame = head.decoder.frame_at(seconds)?;
        (head.at, head.used) = (seconds, clock);
        if let Some((_, picture)) = head.last.as_ref().filter(|(last, _)| Arc::ptr_eq(last, &frame)) {
            return Ok(picture.clone());
        }
        let picture = Arc::new(Picture {
            width: frame.width,
            height: frame.height,
            pixels: frame.clone(),
            opaque: frame.opaque,
        });
        head.last = Some((frame, picture.clone()));
        Ok(picture)
    }
}

impl World for Library {
    fn media(&self, src: &str) -> Option<MediaInfo> {
        self.find(src, &[Role::Image, Role::Video])?.info.clone()
    }
}

impl Pictures for Library {
    fn at_hand(&self, picture: &PictureRef) -> bool {
        match self.sources.get(picture.source as usize).map(|source| &source.pixels) {
            Some(Pixels::Still(number)) => self.album.at_hand(*number),
            _ => true,
        }
    }

    fn picture(&mut self, picture: &PictureRef) -> Result<Arc<Picture>, PictureError> {
        let _decode = during(Stage::Decode);
        let source = self
            .sources
            .get_mut(picture.source as usize)
            .ok_or_else(|| PictureError(format!("there is no media source number {}", picture.source)))?;
        match &mut source.pixels {
            Pixels::Still(number) => self.album.picture(*number),
            Pixels::Animation(animation) => animation.at(picture.time_us),
            Pixels::Clip(clip) => clip.picture_at(&source.path, picture.time_us as f64 / 1e6, self.clock),
            Pixels::None => Err(PictureError(format!("{} is not a clip", source.path.display()))),
        }
    }
}

pub(crate) fn content_key(bytes: &[u8]) -> u64 {
    xxhash_rust::xxh3::xxh3_64(bytes)
}

pub(crate) fn sentence(error: &dyn std::fmt::Display) -> String {
    let text = error.to_string();
    if text.ends_with('.') { text } else { format!("{text}.") }
}

/// A source as messages name it: `data:` addresses and very long ones cut.
fn shortened(src: &str) -> String {
    let most = if src.starts_with("data:") { 40 } else { 200 };
    match src.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &src[..end]),
        None => src.to_owned(),
    }
}

/// Why a file could not be read, without the operating system's numbers.
pub(crate) fn io_reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".into(),
        std::io::ErrorKind::PermissionDenied => "permission is denied".into(),
        std::io::ErrorKind::IsADirectory => "it is a folder".into(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::sync::atomic::AtomicBool;

    use serde_json::{Value, json};

    use super::*;
    use crate::{Film, FontSettings, Output, RenderOptions, load_fonts};

    struct Beside<'a>(&'a Path);

    impl Locate for Beside<'_> {
        fn locate(&self, src: &str) -> Result<PathBuf, String> {
            Ok(self.0.join(src))
        }
    }

    fn film(folder: &Path, duration: u32, overlays: Vec<Value>) -> Film {
        let value =
            json!({"width": 64, "height": 64, "fps": 30, "durationInFrames": duration, "overlays": overlays});
        let limits = rondo_composition::Limits::WIDEST;
        let read = rondo_composition::read_composition_or_request(&value, limits).unwrap();
        Film::open(read.composition, &Beside(folder), load_fonts(&FontSettings::default()).0)
    }

    fn clip(id: u32, src: &str, from: u32, frames: u32, start: f64) -> Value {
        json!({"id": id, "type": "video", "from": from, "durationInFrames": frames, "row": id, "left": 0, "top": 0,
            "width": 64, "height": 64, "src": src, "videoStartTime": start, "styles": {"opacity": 0.5}})
    }

    /// Clips in which a square moves, three seconds each.
    fn make_clips(folder: &Path, count: u32) {
        let square = json!({"id": 1, "type": "shape", "from": 0, "durationInFrames": 90, "row": 0, "left": 0, "top": 0,
            "width": 20, "height": 20, "content": "rectangle", "styles": {"animation": {"during": "spin"}}});
        let first = folder.join("clip0.mp4");
        let output = Output::File(first.clone());
        let never = AtomicBool::new(false);
        film(folder, 90, vec![square])
            .render(&output, &RenderOptions::default(), &mut |_| {}, &never)
            .unwrap();
        (1..count).for_each(|number| {
            std::fs::copy(&first, folder.join(format!("clip{number}.mp4"))).unwrap();
        });
    }

    /// How many decoders are open after each of some frames is painted.
    fn decoders(mut film: Film, frames: impl IntoIterator<Item = u32>) -> Vec<usize> {
        let open = |source: &Source| match &source.pixels {
            Pixels::Clip(clip) => clip.heads.len(),
            _ => 0,
        };
        let painted = frames.into_iter().map(|frame| {
            film.still(frame).unwrap();
            film.library.sources.iter().map(open).sum()
        });
        painted.collect()
    }

    #[test]
    fn a_film_of_many_clips_keeps_the_decoders_of_few() {
        let folder = tempfile::tempdir().unwrap();
        make_clips(folder.path(), 8);
        let clips = (0..8).map(|number| clip(number, &format!("clip{number}.mp4"), number * 40, 40, 0.0));
        let film = film(folder.path(), 320, clips.collect());
        assert_eq!(decoders(film, 0..320).into_iter().max(), Some(2));
    }

    #[test]
    fn a_clip_has_a_decoder_for_each_time_that_is_shown_at_once() {
        let folder = tempfile::tempdir().unwrap();
        make_clips(folder.path(), 1);
        let at_once = vec![clip(1, "clip0.mp4", 0, 50, 0.0), clip(2, "clip0.mp4", 0, 10, 2.5)];
        let open = decoders(film(folder.path(), 50, at_once), 0..50);
        assert_eq!((open[0], open[9], open[49]), (2, 2, 1));
    }

    #[test]
    fn the_decoder_of_a_clip_is_used_again_after_cuts_and_jumps_and_while_the_clip_stands_still() {
        let folder = tempfile::tempdir().unwrap();
        make_clips(folder.path(), 1);
        let cuts =
            (0..4).map(|number| clip(number, "clip0.mp4", number * 10, 10, 2.5 - f64::from(number) * 0.8));
        assert_eq!(decoders(film(folder.path(), 40, cuts.collect()), 0..40), [1; 40]);
        // It ends after 90 frames, and its last picture stays.
        let film = film(folder.path(), 200, vec![clip(1, "clip0.mp4", 0, 200, 0.0)]);
        assert_eq!(decoders(film, [80, 0, 85].into_iter().chain(86..200)), [1; 117]);
    }

    #[test]
    fn a_clip_that_is_cut_short_is_told_with_every_field_that_names_it() {
        let folder = tempfile::tempdir().unwrap();
        make_clips(folder.path(), 1);
        let whole = std::fs::read(folder.path().join("clip0.mp4")).unwrap();
        std::fs::write(folder.path().join("cut.mp4"), &whole[..whole.len() * 4 / 5]).unwrap();
        let clips = vec![clip(1, "cut.mp4", 0, 90, 0.0), clip(2, "cut.mp4", 0, 90, 0.0)];
        let mut film = film(folder.path(), 90, clips);
        film.still(0).unwrap();
        let Err(RenderError::Media(problems)) = film.still(89).map(|_| ()) else { panic!("it ends before") };
        let paths: Vec<_> = problems.iter().map(|problem| problem.path.as_str()).collect();
        assert_eq!(paths, ["overlays[0].src", "overlays[1].src"]);
        film.try_pictures();
        assert_eq!(film.problems(), problems, "it is known from then on");
        let reason = &problems[0].reason;
        assert!(reason.contains("cut.mp4 cannot be read: it is damaged or cut short after"), "{reason}");
        assert!(reason.ends_with('.'), "{reason}");
    }
}
