//! Reads a composition from a file and opens it as a film.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rondo_composition::{Composition, FilmFile, Finish, Limits, Overrides, read_composition_or_request};
use rondo_jobs::Finding;
use rondo_render::{Film, lacking_narration};
use rondo_scene::{Notice, Severity, reading_notices};
use rondo_text::Catalog;
use serde_json::{Map, Value};

use crate::args::Source;
use crate::fonts::fonts_for;
use crate::locate::MediaFiles;
use crate::{interrupt, print_stderr};

/// Maximum size of an input file.
const MOST_BYTES: u64 = 5_000_000;

/// A composition with replacements and overrides applied.
pub struct Input {
    pub composition: Composition,
    /// Loudness and ducking.
    pub finish: Finish,
    /// Fields and replacements that were ignored.
    pub notices: Vec<Notice>,
    pub base: PathBuf,
}

/// Why a composition cannot be read.
pub enum InputError {
    /// The file cannot be read; a complete message.
    File(String),
    /// The composition is invalid; all problems.
    Invalid(rondo_composition::Error),
}

impl From<rondo_composition::Error> for InputError {
    fn from(error: rondo_composition::Error) -> Self {
        Self::Invalid(error)
    }
}

impl std::fmt::Display for InputError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::File(message) => f.write_str(message),
            Self::Invalid(error) => error.fmt(f),
        }
    }
}

/// A film and its downloaded media, which are deleted with it.
pub struct Opened {
    pub film: Film,
    pub finish: Finish,
    /// Most severe first.
    pub notices: Vec<Notice>,
    _files: MediaFiles,
}

impl Input {
    pub fn read(source: &Source, frames: Option<u32>) -> Result<Self, InputError> {
        let (text, base) = read_file(&source.composition).map_err(InputError::File)?;
        let value: Value = serde_json::from_str(&text).map_err(rondo_composition::Error::from)?;
        let FilmFile { mut composition, finish, remarks } =
            read_composition_or_request(&value, Limits::WIDEST)?;
        finish.check(&composition)?;
        let mut notices = reading_notices(&remarks);
        notices.extend(lacking_narration(&finish));
        let values: Map<String, Value> =
            source.set.iter().map(|(name, value)| (name.clone(), Value::from(value.clone()))).collect();
        let report = composition.apply_replacements(&values)?;
        notices.extend(report.unknown.iter().map(|unknown| {
            let path = format!("replacements.{}", unknown.key);
            let message =
                format!("No dynamic overlay is named \"{}\". The replacement is ignored.", unknown.key);
            let hint = unknown.nearest.as_ref().map(|name| format!("Did you mean \"{name}\"?"));
            Notice { hint, ..Notice::new("UNKNOWN_REPLACEMENT", Severity::Warning, path, message) }
        }));
        let Source { width, height, fps, .. } = *source;
        Overrides { width, height, fps, duration: frames }.apply(&mut composition, Limits::WIDEST)?;
        Ok(Self { composition, finish, notices, base })
    }

    /// Probes media and loads fonts. Combines the notices of the input with those of the film.
    pub fn open(self) -> Result<Opened, String> {
        self.opened(false)
    }

    /// Like [`Self::open`], and decodes all images to detect damaged ones.
    pub fn open_and_try(self) -> Result<Opened, String> {
        self.opened(true)
    }

    fn opened(self, try_pictures: bool) -> Result<Opened, String> {
        let fonts = fonts_for(&self.composition)?;
        let files = MediaFiles::new(self.base)?;
        let (film, notices) = film_and_notices(self.composition, self.notices, &files, fonts, try_pictures);
        Ok(Opened { film, finish: self.finish, notices, _files: files })
    }
}

/// Opens a film, and adds what is found to the notices, most severe first.
pub fn film_and_notices(
    composition: Composition,
    mut notices: Vec<Notice>,
    files: &MediaFiles,
    fonts: Arc<Catalog>,
    try_pictures: bool,
) -> (Film, Vec<Notice>) {
    let mut film = Film::open(composition, files, fonts);
    if try_pictures {
        film.try_pictures();
    }
    notices.extend_from_slice(film.notices());
    notices.sort_by_key(|n| n.severity);
    (film, notices)
}

/// Reads and opens a film, and prints its warnings to standard error.
pub fn open_film(source: &Source, frames: Option<u32>) -> Result<Opened, String> {
    let opened = Input::read(source, frames).map_err(|e| e.to_string())?.open()?;
    if interrupt::cancelled() {
        return Err("Cancelled.".into());
    }
    // The render that fails reports the errors.
    for notice in opened.notices.iter().filter(|n| n.severity == Severity::Warning) {
        print_stderr(&sentence(&notice.into()));
    }
    Ok(opened)
}

/// Formats a finding as one line.
pub fn sentence(finding: &Finding) -> String {
    let label = match finding.severity.as_str() {
        "error" => "Error",
        "warning" => "Warning",
        _ => "Note",
    };
    let hint = finding.hint.as_ref().map(|hint| format!(" {hint}")).unwrap_or_default();
    // Problems of fields name their path themselves.
    let is_named = finding.path.is_empty() || finding.message.starts_with(&format!("`{}`", finding.path));
    let path = if is_named { String::new() } else { format!("{}: ", finding.path) };
    format!("{label}: {path}{}{hint}", finding.message)
}

/// Returns the text, and the folder that relative media paths start at.
pub fn read_file(path: &Path) -> Result<(String, PathBuf), String> {
    let (name, base, opened): (_, _, std::io::Result<Box<dyn std::io::Read>>) = if path == Path::new("-") {
        ("Standard input".to_owned(), Path::new("."), Ok(Box::new(std::io::stdin())))
    } else {
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        (path.display().to_string(), folder, std::fs::File::open(path).map(|f| Box::new(f) as _))
    };
    let mut text = String::new();
    opened.and_then(|file| file.take(MOST_BYTES + 1).read_to_string(&mut text)).map_err(|e| {
        match e.kind() {
            std::io::ErrorKind::NotFound => format!("{name} cannot be read: file not found."),
            std::io::ErrorKind::InvalidData => format!("{name} cannot be read: it is not a text file."),
            _ => format!("{name} cannot be read: {e}."),
        }
    })?;
    if text.len() as u64 > MOST_BYTES {
        return Err(format!(
            "{name} is too large. The maximum size of a composition is {} MB.",
            MOST_BYTES / 1_000_000
        ));
    }
    // Editors on Windows write a byte order mark.
    Ok((text.trim_start_matches('\u{feff}').to_owned(), base.to_owned()))
}
