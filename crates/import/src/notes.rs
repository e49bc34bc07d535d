//! Warnings about what a composition cannot hold as the document says it.

use std::cell::{Cell, RefCell};

/// Further warnings are counted, not kept: hostile input must not exhaust memory.
const MOST_WARNINGS: usize = 500;
/// Longest path in characters.
const LONGEST_PATH: usize = 200;

/// Something that is not in the composition as the document says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// Such as NO_EQUIVALENT.
    pub code: &'static str,
    /// `warning`: something is missing or differs. `info`: it looks or sounds similar.
    pub severity: &'static str,
    /// Where in the document, as in `timeline.tracks[0].clips[2].asset`.
    pub path: String,
    pub message: String,
}

/// The warnings of an import.
#[derive(Debug, Default)]
pub struct Notes {
    warnings: RefCell<Vec<Warning>>,
    left_out: Cell<usize>,
}

impl Notes {
    /// A composition has nothing like it; it is left out.
    pub fn no_equivalent(&self, path: impl Into<String>, message: impl Into<String>) {
        self.add("NO_EQUIVALENT", "warning", path, message);
    }

    /// It becomes something similar.
    pub fn approximated(&self, path: impl Into<String>, message: impl Into<String>) {
        self.add("APPROXIMATED", "info", path, message);
    }

    /// Only the media file knows how long it is.
    pub fn length_assumed(&self, path: impl Into<String>, message: impl Into<String>) {
        self.add("LENGTH_ASSUMED", "warning", path, message);
    }

    /// A merge field stands where a composition has no variable; its value is written there.
    pub fn field_substituted(&self, path: impl Into<String>, message: impl Into<String>) {
        self.add("FIELD_SUBSTITUTED", "warning", path, message);
    }

    /// A value that the format does not allow.
    pub fn value_ignored(&self, path: impl Into<String>, message: impl Into<String>) {
        self.add("VALUE_IGNORED", "warning", path, message);
    }

    /// A sound or captions that must be given before the film is complete.
    pub fn media_needed(&self, path: impl Into<String>, message: impl Into<String>) {
        self.add("MEDIA_NEEDED", "warning", path, message);
    }

    /// A field that the importer does not know.
    pub fn unknown_field(&self, path: impl Into<String>) {
        self.add("UNKNOWN_FIELD", "info", path, "The importer does not know this field. It is left out.");
    }

    fn add(
        &self,
        code: &'static str,
        severity: &'static str,
        path: impl Into<String>,
        message: impl Into<String>,
    ) {
        let mut warnings = self.warnings.borrow_mut();
        if warnings.len() >= MOST_WARNINGS {
            self.left_out.set(self.left_out.get() + 1);
            return;
        }
        let mut path = path.into();
        if let Some((end, _)) = path.char_indices().nth(LONGEST_PATH) {
            path.truncate(end);
            path.push('…');
        }
        let warning = Warning { code, severity, path, message: message.into() };
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }

    pub fn into_warnings(self) -> Vec<Warning> {
        let mut warnings = self.warnings.into_inner();
        if self.left_out.get() > 0 {
            warnings.push(Warning {
                code: "MORE_WARNINGS",
                severity: "info",
                path: String::new(),
                message: format!("{} more warnings are not listed.", self.left_out.get()),
            });
        }
        warnings
    }
}
