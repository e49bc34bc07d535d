//! Font files and dictionaries that arrive one by one: those that are missing are noted, so that the page can fetch them.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rondo_text::{FontFile, FontFiles};

#[derive(Default)]
pub struct Fonts(Mutex<State>);

#[derive(Default)]
struct State {
    /// `None` for a file that cannot be loaded.
    files: HashMap<String, Option<Vec<u8>>>,
    asked: BTreeSet<String>,
}

impl Fonts {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn give(&self, name: &str, bytes: Option<Vec<u8>>) {
        let mut state = self.state();
        state.asked.remove(name);
        state.files.insert(name.to_owned(), bytes);
    }

    /// Whether a file came, or cannot be loaded.
    pub fn has(&self, name: &str) -> bool {
        self.state().files.contains_key(name)
    }

    /// The files that were asked for since this was called last and that have not come.
    pub fn take_asked(&self) -> Vec<String> {
        std::mem::take(&mut self.state().asked).into_iter().collect()
    }
}

impl FontFiles for Fonts {
    fn load(&self, file: &str) -> FontFile {
        let mut state = self.state();
        match state.files.get_mut(file) {
            // The catalogue keeps what it read.
            Some(bytes) => bytes.take().into(),
            None => {
                state.asked.insert(file.to_owned());
                FontFile::Awaited
            }
        }
    }
}
