//! The still pictures of a film: decoded when they are about to be shown, several at once, and let go of again when others
//! need the room.

use std::collections::VecDeque;
use std::num::NonZero;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};

use rondo_media::image::{Still, SvgFonts, load_image};
use rondo_scene::{Picture, PictureError};

use crate::library::{MediaProblem, content_key, io_reason, picture, sentence};
use crate::timings::{Stage, during};

/// Bytes of pixels up to which pictures that are not on show are kept.
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
    /// Pixels a vector image is drawn with.
    pub vector_size: (u32, u32),
    /// JSON paths of its name, each with its place among all.
    pub fields: Vec<(usize, String)>,
    /// Frames in which overlays show it.
    pub shown: Vec<Range<i64>>,
}

/// The pictures of a film, by number; shared by everything that paints it.
#[derive(Default)]
pub(crate) struct Album {
    prints: Vec<Print>,
    state: Mutex<State>,
    /// Rung when a picture is decoded.
    bell: Condvar,
}

#[derive(Default)]
struct State {
    pages: Vec<Page>,
    /// Numbers of pictures that will be asked for.
    wanted: VecDeque<usize>,
    /// Threads that decode them.
    helpers: usize,
    /// Counts painted frames.
    clock: u64,
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
    pub fn new(prints: Vec<Print>) -> Arc<Self> {
        let pages = prints.iter().map(|_| Page::Blank).collect();
        let state = Mutex::new(State { pages, ..State::default() });
        Arc::new(Self { prints, state, bell: Condvar::new() })
    }

    /// Begins to decode what is shown in a frame and in as many after it.
    pub fn open_at(self: &Arc<Self>, frame: u32, ahead: u32) {
        let mut state = self.state();
        state.clock += 1;
        let (frame, until) = (i64::from(frame), i64::from(frame) + i64::from(ahead));
        let soon = |print: &Print| {
            let shown = print.shown.iter().filter(|shown| shown.start <= until && frame < shown.end);
            shown.map(|shown| shown.start.max(frame)).min()
        };
        let blank = |number: &usize| matches!(state.pages[*number], Page::Blank);
        let mut wanted: Vec<(i64, usize)> = (0..self.prints.len())
            .filter(blank)
            .filter_map(|number| Some((soon(&self.prints[number])?, number)))
            .collect();
        wanted.sort_unstable();
        state.wanted = wanted.into_iter().map(|(_, number)| number).collect();
        // The thread that paints decodes as well, when it needs one.
        let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
        let helpers = state.wanted.len().min((processors - 1).max(1));
        while state.helpers < helpers {
            let album = Arc::downgrade(self);
            let helper = std::thread::Builder::new().name("pictures".into());
            if helper.spawn(move || help(&album)).is_err() {
                break;
            }
            state.helpers += 1;
        }
    }

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
                    // Meanwhile this thread may see to another.
                    state = match wanted.pop_back() {
                        Some(other) => self.decode(other, state),
                        None => self.bell.wait(state).unwrap_or_else(PoisonError::into_inner),
                    };
                }
                None => return Err(PictureError(format!("there is no picture number {number}"))),
            }
        }
    }

    /// Whether nobody has to wait for a picture.
    pub fn at_hand(&self, number: usize) -> bool {
        !matches!(self.state().pages.get(number), Some(Page::Blank | Page::Underway))
    }

    /// Decodes every picture once, and keeps none.
    pub fn try_all(&self) -> Vec<(usize, MediaProblem)> {
        let numbers = Mutex::new(0..self.prints.len());
        let next = || numbers.lock().unwrap_or_else(PoisonError::into_inner).next();
        let try_some = || {
            while let Some(number) = next() {
                if let Err(reason) = self.prints[number].decoded() {
                    self.state().pages[number] = Page::Damaged(reason);
                }
            }
        };
        let threads = std::thread::available_parallelism().map_or(1, NonZero::get).min(self.prints.len());
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(try_some);
            }
        });
        self.problems()
    }

    /// Pictures that turned out to be damaged, with the place of each among everything that is asked for.
    pub fn problems(&self) -> Vec<(usize, MediaProblem)> {
        let state = self.state();
        let mut problems = Vec::new();
        for (print, page) in self.prints.iter().zip(&state.pages) {
            if let Page::Damaged(reason) = page {
                problems.extend(print.fields.iter().map(|(order, path)| {
                    let (path, src, reason) = (path.clone(), print.src.clone(), reason.clone());
                    (*order, MediaProblem { path, src, reason })
                }));
            }
        }
        problems
    }

    /// Decodes a picture that nobody else is decoding.
    fn decode<'a>(&'a self, number: usize, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        if !matches!(state.pages[number], Page::Blank) {
            return state;
        }
        state.pages[number] = Page::Underway;
        drop(state);
        let mut underway = Underway { album: self, number, page: None };
        underway.page = Some(match self.prints[number].decoded() {
            Ok(picture) => Page::Decoded { picture: Arc::new(picture), used: 0 },
            Err(reason) => Page::Damaged(reason),
        });
        drop(underway);
        self.state()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A picture being decoded. Dropping it tells everybody how that went, panics included.
struct Underway<'a> {
    album: &'a Album,
    number: usize,
    page: Option<Page>,
}

impl Drop for Underway<'_> {
    fn drop(&mut self) {
        let mut state = self.album.state();
        let mut page = self.page.take().unwrap_or_else(|| {
            Page::Damaged(format!("{} cannot be decoded.", self.album.prints[self.number].name))
        });
        if let Page::Decoded { used, .. } = &mut page {
            *used = state.clock;
        }
        state.pages[self.number] = page;
        state.make_room();
        drop(state);
        self.album.bell.notify_all();
    }
}

impl State {
    /// Lets go of what was not on show for longest.
    fn make_room(&mut self) {
        let bytes = |page: &Page| match page {
            Page::Decoded { picture, .. } => picture.pixels.rgba_len(),
            _ => 0,
        };
        let mut held: usize = self.pages.iter().map(bytes).sum();
        while held > ROOM {
            let oldest = self.pages.iter_mut().filter_map(|page| match page {
                Page::Decoded { used, .. } if *used + RECENT < self.clock => Some((*used, page)),
                _ => None,
            });
            let Some((_, page)) = oldest.min_by_key(|(used, _)| *used) else { return };
            held -= bytes(page);
            *page = Page::Blank;
        }
    }
}

/// Decodes what is wanted until nothing is, or nobody has the album any more.
fn help(album: &Weak<Album>) {
    let _decode = during(Stage::Decode);
    while let Some(album) = album.upgrade() {
        let mut state = album.state();
        match state.wanted.pop_front() {
            Some(number) => drop(album.decode(number, state)),
            None => {
                state.helpers -= 1;
                return;
            }
        }
    }
}

impl Print {
    fn decoded(&self) -> Result<Picture, String> {
        let unreadable = |reason: String| format!("{} cannot be read: {reason}.", self.name);
        let bytes = std::fs::read(&self.path).map_err(|error| unreadable(io_reason(&error)))?;
        if content_key(&bytes) != self.key {
            return Err(unreadable("the file has changed since the render began".into()));
        }
        match load_image(&bytes, &self.name, &SvgFonts::default()).map_err(|error| sentence(&error))? {
            Still::Bitmap(bitmap) => Ok(picture(bitmap)),
            Still::Svg(svg) => {
                let (width, height) = self.vector_size;
                svg.render(width, height).map(picture).map_err(|error| sentence(&error))
            }
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
    fn album(folder: &std::path::Path, count: i64) -> Arc<Album> {
        let path = folder.join("picture.png");
        let pixels = [200, 100, 50, 255].repeat((SIDE * SIDE) as usize);
        std::fs::write(&path, png::encode(SIDE, SIDE, &pixels, png::Alpha::LeftOut).unwrap()).unwrap();
        let key = content_key(&std::fs::read(&path).unwrap());
        let print = |number: i64| Print {
            path: path.clone(),
            name: "picture.png".into(),
            src: "picture.png".into(),
            key,
            vector_size: (SIDE, SIDE),
            fields: vec![(number as usize, format!("overlays[{number}].src"))],
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
        assert!(held.len() <= room && held.ends_with(&[10, 11]), "{held:?}");
        assert_eq!(album.picture(0).unwrap().width, SIDE, "what was let go of comes back");
    }

    #[test]
    fn pictures_on_show_are_kept_whatever_they_take() {
        let folder = tempfile::tempdir().unwrap();
        let album = album(folder.path(), 7);
        let first: Vec<_> = (0..7).map(|number| album.picture(number).unwrap()).collect();
        for frame in 0..200 {
            album.open_at(frame, 0);
            for (number, first) in first.iter().enumerate() {
                assert!(Arc::ptr_eq(&album.picture(number).unwrap(), first), "{number} at frame {frame}");
            }
        }
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
        assert_eq!((problems.len(), problems[0].1.path.as_str()), (1, "overlays[1].src"));
        assert_eq!(album.try_all().len(), 2);
    }
}
