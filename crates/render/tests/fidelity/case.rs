//! One folder of `fidelity/cases`: a composition, what to compare, and the expected pictures.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rondo_composition::{Composition, Limits};
use rondo_render::{Film, Locate};
use rondo_text::Catalog;
use serde::Deserialize;

use crate::score::{Class, Raster, Score};

pub struct Case {
    /// `area/name`.
    pub name: String,
    folder: PathBuf,
    test: Test,
}

/// `test.toml`.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Test {
    /// What the case shows.
    note: String,
    class: Class,
    frames: Vec<u32>,
    /// Why it does not pass yet. Such a case fails the suite once it passes.
    known: Option<String>,
}

/// A frame of a case beside its expected picture.
pub struct Shown {
    pub name: String,
    pub frame: u32,
    pub note: String,
    pub class: Class,
    pub known: Option<String>,
    pub expected: PathBuf,
    pub actual: Raster,
    pub difference: Raster,
    pub score: Score,
}

impl Shown {
    /// What is wrong with this frame, if anything.
    pub fn verdict(&self) -> Result<(), &'static str> {
        match (self.score.passes(self.class), &self.known) {
            (true, None) | (false, Some(_)) => Ok(()),
            (false, None) => Err("differs"),
            (true, Some(_)) => Err("passes now: take `known` out of its test.toml"),
        }
    }
}

/// Media are files beside the composition.
struct Beside<'a>(&'a Path);

impl Locate for Beside<'_> {
    fn locate(&self, src: &str) -> Result<PathBuf, String> {
        Ok(self.0.join(src))
    }
}

pub fn all(root: &Path) -> Vec<Case> {
    let mut cases = Vec::new();
    for area in folders(root) {
        for folder in folders(&area) {
            let name = folder.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            let test = std::fs::read_to_string(folder.join("test.toml")).unwrap();
            let test = toml::from_str(&test).unwrap_or_else(|e| panic!("{name}/test.toml: {e}"));
            cases.push(Case { name, folder, test });
        }
    }
    cases
}

fn folders(root: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root).unwrap_or_else(|e| panic!("{}: {e}", root.display()));
    let mut folders: Vec<PathBuf> =
        entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

impl Case {
    /// Paints the frames of this case. A case with several frames is known as a whole: only its worst frame counts.
    pub fn paint(&self, fonts: &Arc<Catalog>) -> Vec<Shown> {
        let json = std::fs::read_to_string(self.folder.join("composition.json")).unwrap();
        let read = Composition::parse(&json, Limits::WIDEST).unwrap_or_else(|e| panic!("{}: {e}", self.name));
        let mut film = Film::open(read.composition, &Beside(&self.folder), fonts.clone());
        let mut shown: Vec<Shown> =
            self.test.frames.iter().map(|&frame| self.show(&mut film, frame)).collect();
        if self.test.known.is_some() && shown.iter().any(|shown| !shown.score.passes(shown.class)) {
            shown.retain(|shown| !shown.score.passes(shown.class));
        }
        shown
    }

    fn show(&self, film: &mut Film, frame: u32) -> Shown {
        let still = film.still(frame).unwrap_or_else(|e| panic!("{}: {e}", self.name));
        let actual = Raster::from_rgba(still.width, still.height, still.pixels);
        let path = self.folder.join(format!("expected-{frame}.png"));
        let expected = Raster::read(&path);
        let score = Score::of(&actual, &expected);
        Shown {
            name: self.name.clone(),
            frame,
            note: self.test.note.clone(),
            class: self.test.class,
            known: self.test.known.clone(),
            expected: path,
            difference: actual.difference(&expected),
            actual,
            score,
        }
    }
}
