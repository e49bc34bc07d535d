//! From the file named on the command line to a film that can be painted.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rondo_composition::{Composition, FilmFile, Finish, Limits, Overrides, read_composition_or_request};
use rondo_render::{Film, FontSettings, lacking_narration, load_fonts};
use rondo_scene::{Notice, Severity};
use rondo_text::Catalog;
use serde_json::{Map, Value};

use crate::args::Source;
use crate::locate::MediaFiles;
use crate::{interrupt, tell};

/// Largest input file.
const MOST_BYTES: u64 = 5_000_000;

/// A composition with replacements and overrides applied.
pub struct Input {
    pub composition: Composition,
    /// How its sound is finished.
    finish: Finish,
    /// What was dropped or ignored while reading.
    pub notices: Vec<Notice>,
    base: PathBuf,
}

/// Why there is no composition.
pub enum InputError {
    /// A sentence about the file.
    File(String),
    /// Every problem found in it.
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
            Self::File(sentence) => f.write_str(sentence),
            Self::Invalid(error) => error.fmt(f),
        }
    }
}

/// A film and the downloaded files it plays, which live as long as it does.
pub struct Opened {
    pub film: Film,
    pub finish: Finish,
    /// The most severe first.
    pub notices: Vec<Notice>,
    _files: MediaFiles,
}

impl Input {
    pub fn read(source: &Source, frames: Option<u32>) -> Result<Self, InputError> {
        let (text, base) = read_file(&source.composition).map_err(InputError::File)?;
        let value: Value = serde_json::from_str(&text).map_err(rondo_composition::Error::from)?;
        let FilmFile { mut composition, finish, unknown_fields } =
            read_composition_or_request(&value, Limits::WIDEST)?;
        finish.check(&composition)?;
        let mut notices: Vec<Notice> = unknown_fields.iter().map(|path| unknown_field(path)).collect();
        notices.extend(lacking_narration(&finish));
        let values: Map<String, Value> =
            source.set.iter().map(|(name, value)| (name.clone(), Value::from(value.clone()))).collect();
        let report = composition.apply_replacements(&values)?;
        notices.extend(report.unknown.iter().map(|unknown| Notice {
            code: "UNKNOWN_REPLACEMENT",
            severity: Severity::Warning,
            path: format!("replacements.{}", unknown.key),
            message: format!("No dynamic overlay is named \"{}\", so the authored value stays.", unknown.key),
            hint: unknown.nearest.as_ref().map(|name| format!("Did you mean \"{name}\"?")),
            available: Vec::new(),
        }));
        let Source { width, height, fps, .. } = *source;
        Overrides { width, height, fps, duration: frames }.apply(&mut composition, Limits::WIDEST)?;
        Ok(Self { composition, finish, notices, base })
    }

    /// Looks at media and loads fonts. Notices of reading come with the film's own.
    pub fn open(self) -> Result<Opened, String> {
        self.opened(false)
    }

    /// The same, and finds damage of pictures that shows only when they are decoded.
    pub fn open_and_try(self) -> Result<Opened, String> {
        self.opened(true)
    }

    fn opened(self, try_pictures: bool) -> Result<Opened, String> {
        let fonts = fonts();
        let files = MediaFiles::new(self.base)?;
        let mut film = Film::open(self.composition, &files, fonts);
        if try_pictures {
            film.try_pictures();
        }
        let mut notices = self.notices;
        notices.extend_from_slice(film.notices());
        notices.sort_by_key(|n| n.severity);
        Ok(Opened { film, finish: self.finish, notices, _files: files })
    }
}

/// The fonts at hand; files that cannot be used are told on standard error.
pub fn fonts() -> Arc<Catalog> {
    let user_folder = std::env::var_os("RONDO_FONT_DIR").filter(|v| !v.is_empty()).map(PathBuf::from);
    let (fonts, warnings) = load_fonts(&FontSettings { user_folder });
    for warning in warnings {
        tell(&format!("Warning: {warning}"));
    }
    fonts
}

/// Reads, opens, and tells warnings on standard error: what every painting command begins with.
pub fn open_film(source: &Source, frames: Option<u32>) -> Result<Opened, String> {
    let opened = Input::read(source, frames).map_err(|e| e.to_string())?.open()?;
    if interrupt::cancelled() {
        return Err("Cancelled.".into());
    }
    // Errors are told by the render that fails on them.
    for notice in opened.notices.iter().filter(|n| n.severity == Severity::Warning) {
        tell(&sentence(notice));
    }
    Ok(opened)
}

/// A notice as one line for people.
pub fn sentence(notice: &Notice) -> String {
    let label = match notice.severity {
        Severity::Error => "Error",
        Severity::Warning => "Warning",
        Severity::Info => "Note",
    };
    let hint = notice.hint.as_ref().map(|hint| format!(" {hint}")).unwrap_or_default();
    format!("{label}: {}: {}{hint}", notice.path, notice.message)
}

fn unknown_field(path: &str) -> Notice {
    Notice {
        code: "UNKNOWN_FIELD",
        severity: Severity::Warning,
        path: path.to_owned(),
        message: "The field is not part of the format and is dropped.".into(),
        hint: None,
        available: Vec::new(),
    }
}

/// The text and the folder that relative media paths start from.
fn read_file(path: &Path) -> Result<(String, PathBuf), String> {
    let (name, base, opened): (_, _, std::io::Result<Box<dyn std::io::Read>>) = if path == Path::new("-") {
        ("Standard input".to_owned(), Path::new("."), Ok(Box::new(std::io::stdin())))
    } else {
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        (path.display().to_string(), folder, std::fs::File::open(path).map(|f| Box::new(f) as _))
    };
    let mut text = String::new();
    opened.and_then(|file| file.take(MOST_BYTES + 1).read_to_string(&mut text)).map_err(|e| {
        match e.kind() {
            std::io::ErrorKind::NotFound => format!("{name} cannot be read: there is no such file."),
            std::io::ErrorKind::InvalidData => format!("{name} cannot be read: it is not a text file."),
            _ => format!("{name} cannot be read: {e}."),
        }
    })?;
    if text.len() as u64 > MOST_BYTES {
        return Err(format!("{name} is too large: a composition has at most {} MB.", MOST_BYTES / 1_000_000));
    }
    Ok((text, base.to_owned()))
}
