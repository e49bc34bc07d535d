//! The still pictures of a film: decoded when they are about to be shown, several at once, and let go of again when others
//! need the room.

use std::collections::VecDeque;
use std::num::NonZero;
use std::ops::{Deref, Range};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use rondo_media::image::{Still, SvgFonts, load_image};
use rondo_pixels::Picture;
use rondo_scene::PictureError;

use crate::library::{Fields, MediaProblem, content_key, io_reason, sentence};
use crate::timings::{Stage, during};

/// Bytes of pixels up to which pictures are kept that are not on show.
const ROOM: usize = 32 << 20;
/// Painted frames after which a picture counts as not on show.
const RECENT: u64 = 64;

/// A picture that can be decoded.
pub(crate) struct Print {
    pub path: PathBuf,
    /// As messages name it.
    pub name: String,
    pub src: String,
    /// Of the file's content, which must not change.
    pub key: u64,
    /// Pixels it has, and those a vector image is drawn with.
    pub size: (u32, u32),
    pub fields: Fields,
    /// Frames in which overlays show it.
    pub shown: Vec<Range<i64>>,
}

/// The pictures of a film, by number; shared by everything that paints it.
pub(crate) struct Album(Arc<Pages>);

/// What the threads that decode share.
pub(crate) struct Pages {
    prints: Vec<Print>,
    processors: usize,
    state: Mutex<State>,
    /// Rung when a picture is decoded.
    bell: Condvar,
}

#[derive(Default)]
struct State {
    pages: Vec<Page>,
    /// Pictures that will be asked for, the soonest first.
    wanted: VecDeque<Wanted>,
    /// Threads that decode them.
    helpers: usize,
    /// Counts painted frames.
    clock: u64,
}

struct Wanted {
    number: usize,
    /// Whether the frame being painted shows it.
    now: bool,
}

enum Page {
    Blank,
    /// A thread is decoding it.
    Underway,
    Decoded {
        picture: Arc<Picture>,
        used: u64,
    },
    /// Why it cannot be decoded.
    Damaged(String),
}

impl Album {
    pub fn new(prints: Vec<Print>) -> Self {
        let pages = prints.iter().map(|_| Page::Blank).collect();
        let state = Mutex::new(State { pages, ..State::default() });
        let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
        Self(Arc::new(Pages { prints, processors, state, bell: Condvar::new() }))
    }

    /// Begins to decode what is shown in a frame and in as many after it.
    pub fn open_at(&self, frame: u32, ahead: u32) {
        let mut state = self.state();
        state.clock += 1;
        let (frame, until) = (i64::from(frame), i64::from(frame) + i64::from(ahead));
        let mut wanted = Vec::new();
        let State { pages, clock, .. } = &mut *state;
        for (number, (print, page)) in self.prints.iter().zip(pages).enumerate() {
            let shown = print.shown.iter().filter(|shown| shown.start <= until && frame < shown.end);
            let Some(soon) = shown.map(|shown| shown.start.max(frame)).min() else { continue };
            match page {
                Page::Blank => wanted.push((soon, number)),
                Page::Decoded { used, .. } => *used = *clock,
                Page::Underway | Page::Damaged(_) => {}
            }
        }
        wanted.sort_unstable();
        let wanted = wanted.into_iter().map(|(soon, number)| Wanted { number, now: soon == frame });
        state.wanted = wanted.collect();
        // The thread that paints decodes as well, when it needs one.
        let helpers = state.wanted.len().min((self.processors - 1).max(1));
        while state.helpers < helpers {
            let pages = self.0.clone();
            let helper = std::thread::Builder::new().name("pictures".into());
            if helper.spawn(move || pages.help()).is_err() {
                break;
            }
            state.helpers += 1;
        }
    }
}

impl Default for Album {
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

impl Deref for Album {
    type Target = Pages;

    fn deref(&self) -> &Pages {
        &self.0
    }
}

impl Drop for Album {
    fn drop(&mut self) {
        // Nobody will ask for them any more.
        self.state().wanted.clear();
    }
}

impl Pages {
    /// A picture, decoded by now.
    pub fn picture(&self, number: usize) -> Result<Arc<Picture>, PictureError> {
        let mut state = self.state();
        loop {
            let State { pages, wanted, clock, .. } = &mut *state;
            match pages.get_mut(number) {
                Some(Page::Decoded { picture, used }) => {
                    *used = *clock;
                    return Ok(picture.clone());
                }
                Some(Page::Damaged(reason)) => return Err(PictureError(reason.clone())),
                Some(Page::Blank) => state = self.decode(number, state),
                Some(Page::Underway) => {
                    // Meanwhile this thread may see to another that it will need.
                    state = match wanted.pop_front_if(|wanted| wanted.now) {
                        Some(other) => self.decode(other.number, state),
                        None => self.bell.wait(state).unwrap_or_else(PoisonError::into_inner),
                    };
                }
                None => return Err(PictureError(format!("there is no picture number {number}"))),
            }
        }
    }

    /// Whether a picture is decoded.
    pub fn at_hand(&self, number: usize) -> bool {
        matches!(self.state().pages.get(number), Some(Page::Decoded { .. }))
    }

    /// Decodes every picture once, to learn which are damaged, and keeps none.
    pub fn try_all(&self) {
        let numbers = Mutex::new(0..self.prints.len());
        let next = || numbers.lock().unwrap_or_else(PoisonError::into_inner).next();
        let try_some = || {
            while let Some(number) = next() {
                if let Err(reason) = self.prints[number].decoded() {
                    self.state().pages[number] = Page::Damaged(reason);
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..self.processors.min(self.prints.len()) {
                scope.spawn(try_some);
            }
        });
    }

    /// Pictures that turned out to be damaged.
    pub fn problems(&self) -> Vec<MediaProblem> {
        let state = self.state();
        let damaged = self.prints.iter().zip(&state.pages).filter_map(|(print, page)| match page {
            Page::Damaged(reason) => Some(print.fields.problems(&print.src, reason)),
            _ => None,
        });
        damaged.flatten().collect()
    }

    /// Decodes a picture that nobody else is decoding.
    fn decode<'a>(&'a self, number: usize, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        if !matches!(state.pages[number], Page::Blank) {
            return state;
        }
        state.pages[number] = Page::Underway;
        drop(state);
        let mut underway = Underway { pages: self, number, page: None };
        underway.page = Some(match self.prints[number].decoded() {
            Ok(picture) => Page::Decoded { picture: Arc::new(picture), used: 0 },
            Err(reason) => Page::Damaged(reason),
        });
        drop(underway);
        self.state()
    }

    /// Decodes what is wanted until nothing is.
    fn help(&self) {
        let _decode = during(Stage::Decode);
        loop {
            let mut state = self.state();
            let Some(wanted) = state.wanted.pop_front() else {
                state.helpers -= 1;
                return;
            };
            // Whoever asks for a picture whose decoder panicked is told so.
            let _ = catch_unwind(AssertUnwindSafe(|| drop(self.decode(wanted.number, state))));
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A picture being decoded. Dropping it tells everybody how that went, panics included.
struct Underway<'a> {
    pages: &'a Pages,
    number: usize,
    page: Option<Page>,
}

impl Drop for Underway<'_> {
    fn drop(&mut self) {
        let mut state = self.pages.state();
        let mut page = self.page.take().unwrap_or_else(|| {
            Page::Damaged(format!("{} cannot be decoded.", self.pages.prints[self.number].name))
        });
        if let Page::Decoded { used, .. } = &mut page {
            *used = state.clock;
        }
        state.pages[self.number] = page;
        state.make_room();
        drop(state);
        self.pages.bell.notify_all();
    }
}

impl State {
    /// Lets go of pictures that are not on show, the longest forgotten first.
    fn make_room(&mut self) {
        let clock = self.clock;
        let forgotten = |page: &Page| match page {
            Page::Decoded { picture, used } if *used + RECENT < clock => {
                Some((*used, picture.pixels.rgba_len()))
            }
            _ => None,
        };
        let mut held: usize = self.pages.iter().filter_map(forgotten).map(|(_, bytes)| bytes).sum();
        while held > ROOM {
            let pages = self.pages.iter_mut().filter_map(|page| Some((forgotten(page)?, page)));
            let Some(((_, bytes), page)) = pages.min_by_key(|((used, _), _)| *used) else { return };
            held -= bytes;
            *page = Page::Blank;
        }
    }
}

impl Print {
    fn decoded(&self) -> Result<Picture, String> {
        let unreadable = |reason: &str| format!("{} cannot be read: {reason}.", self.name);
        let bytes = std::fs::read(&self.path).map_err(|error| unreadable(&io_reason(&error)))?;
        if content_key(&bytes) != self.key {
            return Err(unreadable("the file has changed since it was opened"));
        }
        let (width, height) = self.size;
        let still = load_image(&bytes, &self.name, &SvgFonts::default()).map_err(|error| sentence(&error))?;
        match still {
            Still::Svg(svg) => svg.render(width, height).map_err(|error| sentence(&error)),
            Still::Bitmap(picture) if (picture.width, picture.height) == self.size => Ok(picture),
            Still::Bitmap(_) => Err(unreadable("its pixels are of another size than the file says")),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::png;

    const SIDE: u32 = 1800;

    /// Pictures of one file of 13 MB of pixels, each shown for 100 frames after the one before.
    fn album(folder: &std::path::Path, count: i64) -> Album {
        let path = folder.join("picture.png");
        let pixels = [200, 100, 50, 255].repeat((SIDE * SIDE) as usize);
        std::fs::write(&path, png::encode(SIDE, SIDE, &pixels, png::Alpha::LeftOut).unwrap()).unwrap();
        let key = content_key(&std::fs::read(&path).unwrap());
        let print = |number: i64| Print {
            path: path.clone(),
            name: "picture.png".into(),
            src: "picture.png".into(),
            key,
            size: (SIDE, SIDE),
            fields: Fields(vec![(number as usize, format!("overlays[{number}].src"))]),
            shown: std::iter::once(number * 100..number * 100 + 100).collect(),
        };
        Album::new((0..count).map(print).collect())
    }

    fn decoded(album: &Album) -> Vec<usize> {
        let state = album.state();
        let held = |number: &usize| matches!(state.pages[*number], Page::Decoded { .. });
        (0..state.pages.len()).filter(held).collect()
    }

    #[test]
    fn a_long_film_holds_few_of_its_pictures() {
        let folder = tempfile::tempdir().unwrap();
        let album = album(folder.path(), 12);
        for frame in 0..1200 {
            album.open_at(frame, 0);
            album.picture(frame as usize / 100).unwrap();
        }
        let held = decoded(&album);
        let room = ROOM / (SIDE * SIDE * 4) as usize;
        // The last one was made room for when the one before it had just gone.
        assert!(held.len() <= room + 2 && held.ends_with(&[10, 11]), "{held:?}");
        assert_eq!(album.picture(0).unwrap().width, SIDE, "what was let go of comes back");
    }

    #[test]
    fn pictures_on_show_are_kept_whatever_they_take_and_whoever_asks() {
        let folder = tempfile::tempdir().unwrap();
        let mut album = album(folder.path(), 8);
        let pages = Arc::get_mut(&mut album.0).unwrap();
        // All but the last are on show to the end, and painted from what the painter kept.
        pages.prints[..7].iter_mut().for_each(|print| print.shown[0] = 0..800);
        let first: Vec<_> = (0..7).map(|number| album.picture(number).unwrap()).collect();
        for frame in 0..800 {
            album.open_at(frame, 0);
        }
        album.picture(7).unwrap();
        for (number, first) in first.iter().enumerate() {
            assert!(Arc::ptr_eq(&album.picture(number).unwrap(), first), "{number}");
        }
    }

    #[test]
    fn helpers_end_when_the_film_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let album = album(folder.path(), 40);
        album.open_at(0, 4000);
        let pages = album.0.clone();
        drop(album);
        assert!(pages.state().wanted.is_empty());
        while pages.state().helpers > 0 {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let blank = pages.state().pages.iter().filter(|page| matches!(page, Page::Blank)).count();
        assert!(blank > 20, "{blank} of 40 were not decoded");
    }

    #[test]
    fn threads_that_ask_at_once_get_one_picture() {
        let folder = tempfile::tempdir().unwrap();
        let album = album(folder.path(), 2);
        album.open_at(0, 200);
        let pictures: Vec<_> = std::thread::scope(|scope| {
            let ask = |number| {
                let album = &album;
                scope.spawn(move || album.picture(number).unwrap())
            };
            let asking: Vec<_> = [0, 1, 0, 1, 0, 1].map(ask).into_iter().collect();
            asking.into_iter().map(|asked| asked.join().unwrap()).collect()
        });
        assert!(pictures.iter().step_by(2).all(|picture| Arc::ptr_eq(picture, &pictures[0])));
        assert!(pictures[1..].iter().step_by(2).all(|picture| Arc::ptr_eq(picture, &pictures[1])));
    }

    #[test]
    fn what_is_shown_soon_is_decoded_without_being_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        let album = album(folder.path(), 3);
        album.open_at(80, 30);
        let mut state = album.state();
        while state.helpers > 0 {
            drop(state);
            std::thread::sleep(std::time::Duration::from_millis(5));
            state = album.state();
        }
        drop(state);
        assert_eq!(decoded(&album), [0, 1]);
    }

    #[test]
    fn a_file_that_changed_is_refused_with_every_field_that_names_it() {
        let folder = tempfile::tempdir().unwrap();
        let album = album(folder.path(), 2);
        std::fs::write(folder.path().join("picture.png"), "another").unwrap();
        let error = album.picture(1).unwrap_err().to_string();
        assert!(error.contains("picture.png cannot be read: the file has changed"), "{error}");
        let problems = album.problems();
        assert_eq!((problems.len(), problems[0].path.as_str()), (1, "overlays[1].src"));
        album.try_all();
        assert_eq!(album.problems().len(), 2);
    }
}
