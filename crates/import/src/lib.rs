//! Films of other services and editors to compositions. What has no equal in a composition is left out and reported
//! with its path in the document. Nothing is fetched: lengths that only a media file knows are assumed, and reported.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]
#![forbid(unsafe_code)]

mod bounds;
mod color;
mod creatomate;
mod fields;
mod film;
mod html;
mod json2video;
mod length;
mod merge;
mod motion;
mod notes;
mod place;
mod rve;
mod shotstack;
mod speech;

use rondo_composition::{Composition, Error, Problem, ProblemKind};
use serde_json::Value;

pub use notes::Warning;

use fields::{Fields, Place};
use film::Film;
use merge::Table;
use notes::Notes;

/// The formats that can be imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// An edit of the Shotstack Edit API.
    Shotstack,
    /// Creatomate's RenderScript, or a render request with it.
    Creatomate,
    /// A movie of JSON2Video.
    Json2video,
    /// A file of React Video Editor, also of its first versions.
    Rve,
}

type Recognise = fn(&Value) -> bool;
type Importer = fn(&Value, &Notes) -> Result<Film, Error>;

/// Each format: its name, how it is recognised, and its importer.
const FORMATS: [(Source, &str, Recognise, Importer); 4] = [
    (Source::Shotstack, "shotstack", shotstack::recognised, shotstack::import),
    (Source::Json2video, "json2video", json2video::recognised, json2video::import),
    (Source::Rve, "rve", rve::recognised, rve::import),
    (Source::Creatomate, "creatomate", creatomate::recognised, creatomate::import),
];

impl Source {
    /// The names, in the order of recognition.
    pub const NAMES: [&'static str; 4] = [FORMATS[0].1, FORMATS[1].1, FORMATS[2].1, FORMATS[3].1];

    /// The format with a name.
    pub fn named(name: &str) -> Option<Self> {
        FORMATS.iter().find(|format| format.1 == name).map(|format| format.0)
    }

    pub fn name(self) -> &'static str {
        FORMATS.iter().find(|format| format.0 == self).map_or("", |format| format.1)
    }
}

/// An imported film.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported {
    pub source: Source,
    pub composition: Composition,
    /// In the order in which they were found.
    pub warnings: Vec<Warning>,
}

/// Imports a document. Without a source, the format is recognised.
pub fn import(document: &Value, source: Option<Source>) -> Result<Imported, Error> {
    bounds::check(document)?;
    let format = FORMATS.iter().find(|(format, _, recognised, _)| match source {
        Some(source) => source == *format,
        None => recognised(document),
    });
    let Some((source, _, _, importer)) = format else {
        let expected = "an edit of Shotstack, a RenderScript of Creatomate, a movie of JSON2Video or a file of React \
                        Video Editor";
        return Err(problem("", ProblemKind::WrongType, "a document of an unknown format", expected));
    };
    let notes = Notes::default();
    let film = importer(document, &notes)?;
    let composition = film.finish(&notes)?;
    Ok(Imported { source: *source, composition, warnings: notes.into_warnings() })
}

/// An error about one place of the document.
fn problem(
    path: impl Into<String>,
    kind: ProblemKind,
    value: impl Into<String>,
    expected: impl Into<String>,
) -> Error {
    let (path, value, expected) = (path.into(), Some(value.into()), expected.into());
    Error::Invalid(vec![Problem { path, kind, value, expected }])
}

/// The root of a document whose merge fields are filled in.
fn root<'a>(document: &'a Value, table: &'a Table, notes: &'a Notes) -> Result<Fields<'a>, Error> {
    Fields::of(Place { value: document, path: String::new(), table, notes })
        .ok_or_else(|| problem("", ProblemKind::WrongType, "no object", "an object"))
}
