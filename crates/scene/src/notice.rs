//! What an author should know about a composition that renders, but not as written.

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
}

/// Collects notices while overlays are prepared.
#[derive(Debug, Default)]
pub struct Notices(Vec<Notice>);

impl Notices {
    pub fn warn(&mut self, code: &'static str, path: String, message: String, hint: Option<String>) {
        self.push(Notice { code, severity: Severity::Warning, path, message, hint, available: Vec::new() });
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

    /// Most severe first, otherwise in the order found.
    pub fn into_sorted(mut self) -> Vec<Notice> {
        self.0.sort_by_key(|n| n.severity);
        self.0
    }
}
