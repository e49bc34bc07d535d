//! What an author should know about a composition that renders, but not as written.

use rondo_composition::overlay_at;

/// How much a notice matters; the most severe sorts first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The film will be wrong or fail.
    Error,
    /// The film renders, but not as authored.
    Warning,
    /// Advice.
    Info,
}

impl Severity {
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

/// A `fontSize` in a unit that texts do not have. Told once for a film.
pub(crate) const FONT_SIZE_UNIT_IGNORED: &str = "FONT_SIZE_UNIT_IGNORED";

/// One finding, with the JSON path of the value it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    pub code: &'static str,
    pub severity: Severity,
    /// As in `overlays[3].styles.opacity`.
    pub path: String,
    pub message: String,
    pub hint: Option<String>,
    /// What there is instead: the weights of a font.
    pub available: Vec<String>,
    /// Every path that the notice is about, when it is told once for a film.
    pub paths: Vec<String>,
}

impl Notice {
    pub fn new(
        code: &'static str,
        severity: Severity,
        path: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        Self {
            code,
            severity,
            path: path.into(),
            message: message.into(),
            hint: None,
            available: Vec::new(),
            paths: Vec::new(),
        }
    }

    pub fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }
}

/// Makes one notice of those with this code: the one of the first overlay, with the paths of all.
pub(crate) fn told_once(notices: &mut Vec<Notice>, code: &str) {
    let (mut same, others): (Vec<Notice>, Vec<Notice>) =
        std::mem::take(notices).into_iter().partition(|notice| notice.code == code);
    *notices = others;
    same.sort_by_key(|notice| overlay_at(&notice.path));
    let paths: Vec<String> = same.iter().map(|notice| notice.path.clone()).collect();
    let Some(mut first) = same.into_iter().next() else { return };
    match paths.len() - 1 {
        0 => {}
        1 => first.message.push_str(" One other place is like it."),
        more => first.message.push_str(&format!(" {more} other places are like it.")),
    }
    notices.push(Notice { paths, ..first });
}

/// Collects notices while overlays are prepared.
#[derive(Debug, Default)]
pub struct Notices(Vec<Notice>);

impl Notices {
    pub fn warn(&mut self, code: &'static str, path: String, message: String, hint: Option<String>) {
        self.push(Notice { hint, ..Notice::new(code, Severity::Warning, path, message) });
    }

    pub fn push(&mut self, notice: Notice) {
        if !self.0.contains(&notice) {
            self.0.push(notice);
        }
    }

    /// The value of a CSS string, or `None` and a notice when it cannot be read.
    pub fn css<T, E: std::fmt::Display>(&mut self, path: String, value: Result<T, E>) -> Option<T> {
        match value {
            Ok(v) => Some(v),
            Err(e) => {
                self.warn(
                    "INVALID_CSS_VALUE",
                    path,
                    e.to_string(),
                    Some("The default is used instead.".into()),
                );
                None
            }
        }
    }

    /// Those found so far.
    pub fn take(&mut self) -> Vec<Notice> {
        std::mem::take(&mut self.0)
    }

    /// Most severe first, otherwise in the order found.
    pub fn into_sorted(mut self) -> Vec<Notice> {
        told_once(&mut self.0, FONT_SIZE_UNIT_IGNORED);
        self.0.sort_by_key(|n| n.severity);
        self.0
    }
}
