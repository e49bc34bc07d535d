//! The still images of a film: decoded ahead of time on several threads, and evicted when others need the memory.

use std::collections::VecDeque;
use std::num::NonZero;
use std::ops::{Deref, Range};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use rondo_assets::{kept_picture, reduced_photo};
use rondo_media::image::{SvgFonts, load_image, read_image_file};
use rondo_pixels::Picture;
use rondo_scene::{Digest, PictureError};

use super::fingerprint::content_key;
use super::problem::{Fields, MediaProblem, io_reason, sentence};
use crate::frame_painter::PICTURES_AHEAD;
use crate::timings::{Stage, during};

/// Bytes of decoded images that are kept while they are not shown.
const ROOM: usize = 32 << 20;
/// Painted frames after which an image counts as not shown.
const RECENT: u64 = 64;
/// Pixels that the images in memory may have together, four bytes each.
const MOST_PIXELS: u64 = 400_000_000;
/// Pixels of the files that are decoded at the same time: a file may need all of its pixels before it is reduced. A larger one is
/// decoded alone.
const MOST_DECODING: u64 = 100_000_000;
/// Frames around those that show an image in which it may be in memory: it is decoded ahead and kept for a while.
const AROUND: i64 = RECENT as i64 + PICTURES_AHEAD as i64;

/// An image file to decode.
pub(crate) struct ImageFile {
    pub path: PathBuf,
    /// The name in error messages.
    pub name: String,
    pub src: String,
    /// Hash of the file's content, which must not change.
    pub key: Digest,
    /// Size in pixels that the header tells.
    pub file_size: (u32, u32),
    /// Size in pixels that it is kept at.
    pub size: (u32, u32),
    pub fields: Fields,
    /// Frames in which overlays show it.
    pub shown: Vec<Range<i64>>,
}

/// The first image with which those in memory at the same time have too many pixels, and the reason.
pub(crate) fn over_budget(files: &[ImageFile]) -> Option<(usize, String)> {
    let mut changes = Vec::new();
    for (number, file) in files.iter().enumerate() {
        let mut shown: Vec<_> = file.shown.iter().filter(|shown| !shown.is_empty()).cloned().collect();
        shown.sort_by_key(|shown| shown.start);
        let mut until = i64::MIN;
        for Range { start, end } in shown {
            let end = end.saturating_add(AROUND);
            if start > until {
                // Ranges that touch count once.
                changes.extend((until > i64::MIN).then_some((until, false, number)));
                changes.push((start, true, number));
            }
            until = until.max(end);
        }
        changes.extend((until > i64::MIN).then_some((until, false, number)));
    }
    // At the same frame, images that go make room for those that come.
    changes.sort_unstable();
    let mut pixels = 0;
    for (_, comes, number) in changes {
        let file = &files[number];
        let own = u64::from(file.size.0) * u64::from(file.size.1);
        pixels = if comes { pixels + own } else { pixels - own };
        if pixels > MOST_PIXELS {
            let reason = format!(
                "{} cannot be shown: images that are shown at about the same time have more than {} megapixels \
                 together. Scale them down.",
                file.name,
                MOST_PIXELS / 1_000_000
            );
            return Some((number, reason));
        }
    }
    None
}

/// The images of a film by index, shared by all its painters.
pub(crate) struct ImageCache(Arc<Shared>);

/// State shared with the decoding threads.
pub(crate) struct Shared {
    files: Vec<ImageFile>,
    processors: usize,
    state: Mutex<State>,
    /// Notified when an image is decoded.
    decoded_one: Condvar,
}

#[derive(Default)]
struct State {
    entries: Vec<Entry>,
    /// Images that will be needed, the soonest first.
    wanted: VecDeque<Wanted>,
    /// Threads that decode them.
    helpers: usize,
    /// Counts painted frames.
    clock: u64,
    /// Pixels of the files that are being decoded.
    decoding: u64,
    /// Threads that wait to decode beside the others. Until they do, nothing else is decoded ahead.
    waiting: usize,
}

struct Wanted {
    number: usize,
    /// Whether the frame being painted shows it.
    now: bool,
}

enum Entry {
    Absent,
    /// A thread is decoding it.
    Decoding,
    Decoded {
        picture: Arc<Picture>,
        used: u64,
    },
    /// Why it cannot be decoded.
    Failed(String),
}

impl ImageCache {
    pub fn new(files: Vec<ImageFile>) -> Self {
        let entries = files.iter().map(|_| Entry::Absent).collect();
        let state = Mutex::new(State { entries, ..State::default() });
        let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
        Self(Arc::new(Shared { files, processors, state, decoded_one: Condvar::new() }))
    }

    /// Starts decoding the images of a frame and of the `ahead` frames after it.
    pub fn open_at(&self, frame: u32, ahead: u32) {
        let mut state = self.state();
        state.clock += 1;
        let (frame, until) = (i64::from(frame), i64::from(frame) + i64::from(ahead));
        let mut wanted = Vec::new();
        let State { entries, clock, .. } = &mut *state;
        for (number, (file, entry)) in self.files.iter().zip(entries).enumerate() {
            let shown = file.shown.iter().filter(|shown| shown.start <= until && frame < shown.end);
            let Some(soon) = shown.map(|shown| shown.start.max(frame)).min() else { continue };
            match entry {
                Entry::Absent => wanted.push((soon, number)),
                Entry::Decoded { used, .. } => *used = *clock,
                Entry::Decoding | Entry::Failed(_) => {}
            }
        }
        wanted.sort_unstable();
        let wanted = wanted.into_iter().map(|(soon, number)| Wanted { number, now: soon == frame });
        state.wanted = wanted.collect();
        // The painting thread decodes too when it needs an image.
        let helpers = state.wanted.len().min((self.processors - 1).max(1));
        while state.helpers < helpers {
            let entries = self.0.clone();
            let helper = std::thread::Builder::new().name("pictures".into());
            if helper.spawn(move || entries.help()).is_err() {
                break;
            }
            state.helpers += 1;
        }
    }
}

impl Default for ImageCache {
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

impl Deref for ImageCache {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl Drop for ImageCache {
    fn drop(&mut self) {
        // They are no longer needed.
        self.state().wanted.clear();
    }
}

impl Shared {
    /// An image; waits until it is decoded.
    pub fn picture(&self, number: usize) -> Result<Arc<Picture>, PictureError> {
        let mut state = self.state();
        loop {
            let State { entries, wanted, clock, .. } = &mut *state;
            match entries.get_mut(number) {
                Some(Entry::Decoded { picture, used }) => {
                    *used = *clock;
                    return Ok(picture.clone());
                }
                Some(Entry::Failed(reason)) => return Err(PictureError(reason.clone())),
                Some(Entry::Absent) => state = self.decode(number, state),
                Some(Entry::Decoding) => {
                    // Meanwhile this thread decodes another image that it will need.
                    state = match wanted.pop_front_if(|wanted| wanted.now) {
                        Some(other) => self.decode(other.number, state),
                        None => self.wait(state),
                    };
                }
                None => return Err(PictureError(format!("there is no image {number}"))),
            }
        }
    }

    /// Whether a picture is decoded.
    pub fn at_hand(&self, number: usize) -> bool {
        matches!(self.state().entries.get(number), Some(Entry::Decoded { .. }))
    }

    /// Decodes every image once to find the damaged ones, and keeps none.
    pub fn try_all(&self) {
        let numbers = Mutex::new(0..self.files.len());
        let next = || numbers.lock().unwrap_or_else(PoisonError::into_inner).next();
        let try_some = || {
            while let Some(number) = next() {
                let (state, room) = self.room(number, self.state());
                drop(state);
                let decoded = self.files[number].decoded();
                drop(room);
                if let Err(reason) = decoded {
                    self.state().entries[number] = Entry::Failed(reason);
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..self.processors.min(self.files.len()) {
                scope.spawn(try_some);
            }
        });
    }

    /// Images that could not be decoded.
    pub fn problems(&self) -> Vec<MediaProblem> {
        let state = self.state();
        let damaged = self.files.iter().zip(&state.entries).filter_map(|(file, entry)| match entry {
            Entry::Failed(reason) => Some(file.fields.problems(&file.src, reason)),
            _ => None,
        });
        damaged.flatten().collect()
    }

    /// Decodes a picture that nothing else is decoding.
    fn decode<'a>(&'a self, number: usize, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        if !matches!(state.entries[number], Entry::Absent) {
            return state;
        }
        let room;
        (state, room) = self.room(number, state);
        // Another thread may have decoded it meanwhile.
        if !matches!(state.entries[number], Entry::Absent) {
            drop(state);
            drop(room);
            return self.state();
        }
        state.entries[number] = Entry::Decoding;
        drop(state);
        let mut decoding = Decoding { entries: self, number, entry: None, _room: room };
        decoding.entry = Some(match self.files[number].decoded() {
            Ok(picture) => Entry::Decoded { picture: Arc::new(picture), used: 0 },
            Err(reason) => Entry::Failed(reason),
        });
        drop(decoding);
        self.state()
    }

    /// Waits until a file may be decoded beside the others.
    fn room<'a>(
        &'a self,
        number: usize,
        mut state: MutexGuard<'a, State>,
    ) -> (MutexGuard<'a, State>, Room<'a>) {
        let (width, height) = self.files[number].file_size;
        let pixels = u64::from(width) * u64::from(height);
        while state.decoding > 0 && state.decoding + pixels > MOST_DECODING {
            state.waiting += 1;
            state = self.wait(state);
            state.waiting -= 1;
        }
        state.decoding += pixels;
        self.decoded_one.notify_all();
        (state, Room { entries: self, pixels })
    }

    /// Decodes what is wanted until nothing is.
    fn help(&self) {
        let _decode = during(Stage::Decode);
        loop {
            let mut state = self.state();
            while state.waiting > 0 {
                state = self.wait(state);
            }
            let Some(wanted) = state.wanted.pop_front() else {
                state.helpers -= 1;
                return;
            };
            // A panic of the decoder is reported to every caller that needs the image.
            let _ = catch_unwind(AssertUnwindSafe(|| drop(self.decode(wanted.number, state))));
        }
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.decoded_one.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A part of what may be decoded at the same time.
struct Room<'a> {
    entries: &'a Shared,
    pixels: u64,
}

impl Drop for Room<'_> {
    fn drop(&mut self) {
        self.entries.state().decoding -= self.pixels;
        self.entries.decoded_one.notify_all();
    }
}

/// An image being decoded. Dropping it publishes the result, also after a panic.
struct Decoding<'a> {
    entries: &'a Shared,
    number: usize,
    entry: Option<Entry>,
    _room: Room<'a>,
}

impl Drop for Decoding<'_> {
    fn drop(&mut self) {
        let mut state = self.entries.state();
        let mut entry = self.entry.take().unwrap_or_else(|| {
            Entry::Failed(format!("{} cannot be decoded.", self.entries.files[self.number].name))
        });
        if let Entry::Decoded { used, .. } = &mut entry {
            *used = state.clock;
        }
        state.entries[self.number] = entry;
        state.make_room();
        drop(state);
        self.entries.decoded_one.notify_all();
    }
}

impl State {
    /// Evicts images that are not shown, the least recently used first.
    fn make_room(&mut self) {
        let clock = self.clock;
        let forgotten = |entry: &Entry| match entry {
            Entry::Decoded { picture, used } if *used + RECENT < clock => {
                Some((*used, picture.pixels.rgba_len()))
            }
            _ => None,
        };
        let mut held: usize = self.entries.iter().filter_map(forgotten).map(|(_, bytes)| bytes).sum();
        while held > ROOM {
            let entries = self.entries.iter_mut().filter_map(|entry| Some((forgotten(entry)?, entry)));
            let Some(((_, bytes), entry)) = entries.min_by_key(|((used, _), _)| *used) else { return };
            held -= bytes;
            *entry = Entry::Absent;
        }
    }
}

impl ImageFile {
    fn decoded(&self) -> Result<Picture, String> {
        let unreadable = |reason: &str| format!("{} cannot be read: {reason}.", self.name);
        let bytes = read_image_file(&self.path).map_err(|error| unreadable(&io_reason(&error)))?;
        if content_key(&bytes) != self.key {
            return Err(unreadable("the file has changed since it was opened"));
        }
        if let Some(photo) = reduced_photo(&bytes, self.file_size, self.size) {
            return Ok(photo);
        }
        let still = load_image(&bytes, &self.name, &SvgFonts::default()).map_err(|error| sentence(&error))?;
        kept_picture(still, self.file_size, self.size).map_err(|reason| unreadable(&reason))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::png;

    const SIDE: u32 = 1800;

    /// Pictures of one file of 13 MB of pixels, each shown for 100 frames after the one before.
    fn cache(folder: &std::path::Path, count: i64) -> ImageCache {
        let path = folder.join("picture.png");
        let pixels = [200, 100, 50, 255].repeat((SIDE * SIDE) as usize);
        std::fs::write(&path, png::encode(SIDE, SIDE, &pixels, png::Alpha::LeftOut).unwrap()).unwrap();
        let key = content_key(&std::fs::read(&path).unwrap());
        let file = |number: i64| ImageFile {
            path: path.clone(),
            name: "picture.png".into(),
            src: "picture.png".into(),
            key,
            file_size: (SIDE, SIDE),
            size: (SIDE, SIDE),
            fields: Fields(vec![(number as usize, format!("overlays[{number}].src"))]),
            shown: std::iter::once(number * 100..number * 100 + 100).collect(),
        };
        ImageCache::new((0..count).map(file).collect())
    }

    fn decoded(cache: &ImageCache) -> Vec<usize> {
        let state = cache.state();
        let held = |number: &usize| matches!(state.entries[*number], Entry::Decoded { .. });
        (0..state.entries.len()).filter(held).collect()
    }

    #[test]
    fn a_long_film_keeps_few_images_in_memory() {
        let folder = tempfile::tempdir().unwrap();
        let cache = cache(folder.path(), 12);
        for frame in 0..1200 {
            cache.open_at(frame, 0);
            cache.picture(frame as usize / 100).unwrap();
        }
        let held = decoded(&cache);
        let room = ROOM / (SIDE * SIDE * 4) as usize;
        // The last one was made room for when the one before it had just gone.
        assert!(held.len() <= room + 2 && held.ends_with(&[10, 11]), "{held:?}");
        assert_eq!(cache.picture(0).unwrap().width, SIDE, "what was let go of comes back");
    }

    #[test]
    fn images_that_are_shown_are_never_evicted() {
        let folder = tempfile::tempdir().unwrap();
        let mut cache = cache(folder.path(), 8);
        let entries = Arc::get_mut(&mut cache.0).unwrap();
        // All but the last are shown to the end, and painted from what the painter kept.
        entries.files[..7].iter_mut().for_each(|file| file.shown[0] = 0..800);
        let first: Vec<_> = (0..7).map(|number| cache.picture(number).unwrap()).collect();
        for frame in 0..800 {
            cache.open_at(frame, 0);
        }
        cache.picture(7).unwrap();
        for (number, first) in first.iter().enumerate() {
            assert!(Arc::ptr_eq(&cache.picture(number).unwrap(), first), "{number}");
        }
    }

    #[test]
    fn decoding_threads_end_when_the_film_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let cache = cache(folder.path(), 40);
        cache.open_at(0, 4000);
        let entries = cache.0.clone();
        drop(cache);
        assert!(entries.state().wanted.is_empty());
        while entries.state().helpers > 0 {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let blank = entries.state().entries.iter().filter(|entry| matches!(entry, Entry::Absent)).count();
        assert!(blank > 20, "{blank} of 40 were not decoded");
    }

    #[test]
    fn concurrent_requests_get_the_same_image() {
        let folder = tempfile::tempdir().unwrap();
        let cache = cache(folder.path(), 2);
        cache.open_at(0, 200);
        let pictures: Vec<_> = std::thread::scope(|scope| {
            let ask = |number| {
                let cache = &cache;
                scope.spawn(move || cache.picture(number).unwrap())
            };
            let asking: Vec<_> = [0, 1, 0, 1, 0, 1].map(ask).into_iter().collect();
            asking.into_iter().map(|asked| asked.join().unwrap()).collect()
        });
        assert!(pictures.iter().step_by(2).all(|picture| Arc::ptr_eq(picture, &pictures[0])));
        assert!(pictures[1..].iter().step_by(2).all(|picture| Arc::ptr_eq(picture, &pictures[1])));
    }

    #[test]
    fn large_files_are_decoded_one_after_another_and_small_ones_beside_them() {
        let folder = tempfile::tempdir().unwrap();
        let mut cache = cache(folder.path(), 3);
        let entries = Arc::get_mut(&mut cache.0).unwrap();
        entries.files[..2].iter_mut().for_each(|file| file.file_size = (10_000, 6_000));
        let (state, first) = cache.room(0, cache.state());
        drop(state);
        std::thread::scope(|scope| {
            let (tell, told) = std::sync::mpsc::channel();
            let cache = &cache;
            scope.spawn(move || {
                drop(cache.room(2, cache.state()));
                tell.send(2).unwrap();
                drop(cache.room(1, cache.state()));
                tell.send(1).unwrap();
            });
            let soon = std::time::Duration::from_millis(100);
            assert_eq!(told.recv_timeout(100 * soon), Ok(2));
            assert!(told.recv_timeout(soon).is_err(), "two files of 60 megapixels are decoded at once");
            drop(first);
            assert_eq!(told.recv_timeout(100 * soon), Ok(1));
        });
        assert_eq!(cache.state().decoding, 0);
    }

    #[test]
    fn upcoming_images_are_decoded_ahead() {
        let folder = tempfile::tempdir().unwrap();
        let cache = cache(folder.path(), 3);
        cache.open_at(80, 30);
        let mut state = cache.state();
        while state.helpers > 0 {
            drop(state);
            std::thread::sleep(std::time::Duration::from_millis(5));
            state = cache.state();
        }
        drop(state);
        assert_eq!(decoded(&cache), [0, 1]);
    }

    #[test]
    fn a_changed_file_is_reported_for_every_field_that_names_it() {
        let folder = tempfile::tempdir().unwrap();
        let cache = cache(folder.path(), 2);
        std::fs::write(folder.path().join("picture.png"), "another").unwrap();
        let error = cache.picture(1).unwrap_err().to_string();
        assert!(error.contains("picture.png cannot be read: the file has changed"), "{error}");
        let problems = cache.problems();
        assert_eq!((problems.len(), problems[0].path.as_str()), (1, "overlays[1].src"));
        cache.try_all();
        assert_eq!(cache.problems().len(), 2);
    }
}
