//! The media of a composition: located, probed, and decoded on demand.

mod clip;
mod fingerprint;
mod image_cache;
pub(crate) mod problem;
mod source;

pub use problem::MediaProblem;
pub(crate) use problem::io_reason;

use std::collections::HashMap;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rondo_assets::Shown;
use rondo_composition::{Composition, MediaRole, MediaSource, Overlay};
use rondo_paint::PaintError;
use rondo_pixels::{Picture, Stop};
use rondo_scene::display::PictureRef;
use rondo_scene::{MediaInfo, PictureError, Pictures, World};

use self::clip::Clip;
use self::image_cache::{ImageCache, ImageFile, over_budget};
use self::problem::{Fields, in_order, shortened};
use self::source::{Content, Need, Source};
use crate::error::RenderError;
use crate::timings::{Stage, during};

/// Turns the `src` of a composition into a file on this machine.
pub trait Locate {
    /// The file, or the reason why there is none, as the end of the sentence "… cannot be read: ".
    fn locate(&self, src: &str) -> Result<PathBuf, String>;
}

/// Clips whose files stay open from probing until they are shown.
const FILES_KEPT: usize = 4;

/// The media that a composition shows or plays.
#[derive(Default)]
pub struct MediaLibrary {
    by_src: HashMap<(MediaRole, String), usize>,
    sources: Vec<Source>,
    images: Arc<ImageCache>,
    stop: Stop,
    /// Counts painted frames.
    clock: u64,
}

impl MediaLibrary {
    /// Probes every image, video and sound; returns the unusable ones separately. Pixels are decoded when they are shown.
    /// Setting `stop` ends what is decoded of them.
    pub fn load(composition: &Composition, locate: &dyn Locate, stop: &Stop) -> (Self, Vec<MediaProblem>) {
        let mut needs: Vec<Need<'_>> = Vec::new();
        let mut known = HashMap::new();
        let (mut asked, mut clips) = (0, 0);
        for (index, source) in composition.media_sources().filter(|(_, source)| source.used) {
            let MediaSource { role, address: src, field, .. } = source;
            let need = *known.entry((role, src)).or_insert_with(|| {
                let file = located(src, locate);
                clips += usize::from(role == MediaRole::Video);
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
            let overlay = &composition.overlays[index];
            needs[need].fields.0.push((asked, format!("overlays[{index}].{field}")));
            needs[need].shown.push(overlay.base.from..overlay.end());
            asked += 1;
        }
        let mut library = Self { stop: stop.clone(), ..Self::default() };
        let mut images = Vec::new();
        let mut problems = Vec::new();
        for (need, loaded) in needs.iter().zip(load_all(&needs, composition, stop)) {
            match loaded {
                Ok((mut source, image)) => {
                    if let Some(image) = image {
                        source.content = Content::Image(images.len());
                        images.push(image);
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
        if let Some((number, reason)) = over_budget(&images) {
            problems.extend(images[number].fields.problems(&images[number].src, &reason));
        }
        library.images = Arc::new(ImageCache::new(images));
        (library, in_order(problems))
    }

    /// Call before a frame is painted: starts decoding its images and those of the `ahead` frames after it, and closes
    /// decoders that no overlay needs any more.
    pub(crate) fn open_at(&mut self, frame: u32, ahead: u32) {
        self.images.open_at(frame, ahead);
        self.clock += 1;
        for source in &mut self.sources {
            if let Content::Clip(clip) = &mut source.content {
                clip.turn_to(frame, self.clock);
            }
        }
    }

    /// Decodes every image, which [`MediaLibrary::load`] does not, and returns the damaged ones.
    pub(crate) fn try_pictures(&self) -> Vec<MediaProblem> {
        self.images.try_all();
        self.damaged()
    }

    /// Images and clips found damaged so far.
    fn damaged(&self) -> Vec<MediaProblem> {
        let clips = self.clips().filter_map(|clip| {
            clip.shared.damaged.get().map(|reason| clip.fields.problems(&clip.src, reason))
        });
        in_order(self.images.problems().into_iter().chain(clips.flatten()).collect())
    }

    /// The error for a frame that could not be painted; names the media if they are the cause.
    pub(crate) fn explain(&self, error: PaintError) -> RenderError {
        if self.stop.is_set() {
            return RenderError::Cancelled;
        }
        let PaintError::Picture(picture) = &error else { return error.into() };
        let problems = self.damaged();
        let known = problems.iter().any(|problem| problem.reason == picture.0);
        if known { RenderError::Media(problems) } else { error.into() }
    }

    /// The same media for another thread: pictures are shared, decoders are not.
    pub(crate) fn fork(&self) -> Self {
        Self {
            by_src: self.by_src.clone(),
            sources: self.sources.iter().map(Source::fork).collect(),
            images: self.images.clone(),
            stop: self.stop.clone(),
            clock: 0,
        }
    }

    pub(crate) fn stop(&self) -> &Stop {
        &self.stop
    }

    fn clips(&self) -> impl Iterator<Item = &Clip> {
        self.sources.iter().filter_map(|source| match &source.content {
            Content::Clip(clip) => Some(clip),
            _ => None,
        })
    }

    fn find(&self, src: &str, roles: &[MediaRole]) -> Option<&Source> {
        let index = roles.iter().find_map(|role| self.by_src.get(&(*role, src.to_owned())))?;
        self.sources.get(*index)
    }

    /// Length of a clip or sound in seconds.
    pub(crate) fn seconds(&self, source: &MediaSource<'_>) -> Option<f64> {
        self.find(source.address, &[source.role])?.seconds
    }

    /// The file whose sound a sound or video overlay plays; `None` when it has no sound track.
    pub(crate) fn sound(&self, overlay: &Overlay) -> Option<&Path> {
        overlay.playback()?;
        let media = overlay.media();
        let source = media.first().and_then(|media| self.find(media.address, &[media.role]))?;
        source.has_sound.then_some(source.path.as_path())
    }
}

/// Loads all files, in parallel on all processors.
fn load_all(
    needs: &[Need<'_>],
    composition: &Composition,
    stop: &Stop,
) -> Vec<Result<(Source, Option<ImageFile>), String>> {
    let next = AtomicUsize::new(0);
    let load = || {
        let mut loaded = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(need) = needs.get(number) else { return loaded };
            let shown = Shown::of(composition, need.src);
            let source = need.file.clone().and_then(|file| Source::load(need, file, shown, stop));
            loaded.push((number, source));
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get).min(needs.len());
    let mut loaded = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(load)).collect();
        let mut loaded = load();
        for other in others {
            // Propagates the panic of a thread.
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

impl World for MediaLibrary {
    fn media(&self, src: &str) -> Option<MediaInfo> {
        self.find(src, &[MediaRole::Image, MediaRole::Video])?.info.clone()
    }
}

impl Pictures for MediaLibrary {
    fn at_hand(&self, picture: &PictureRef) -> bool {
        match self.sources.get(picture.source as usize).map(|source| &source.content) {
            Some(Content::Image(number)) => self.images.at_hand(*number),
            _ => true,
        }
    }

    fn picture(&mut self, picture: &PictureRef) -> Result<Arc<Picture>, PictureError> {
        let _decode = during(Stage::Decode);
        let source = self
            .sources
            .get_mut(picture.source as usize)
            .ok_or_else(|| PictureError(format!("there is no media source {}", picture.source)))?;
        match &mut source.content {
            Content::Image(number) => self.images.picture(*number),
            Content::Animation(animation) => animation.at(picture.time_us),
            Content::Clip(clip) => {
                clip.picture_at(&source.path, picture.time_us as f64 / 1e6, self.clock, &self.stop)
            }
            Content::None => Err(PictureError(format!("{} is not a clip", source.path.display()))),
        }
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
        let open = |source: &Source| match &source.content {
            Content::Clip(clip) => clip.heads.len(),
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
    fn a_truncated_clip_is_reported_for_every_field_that_names_it() {
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
