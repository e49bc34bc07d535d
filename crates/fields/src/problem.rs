//! Problems with an input: each names its path, the value and what is accepted, and carries the machine-readable
//! reason that an API answers with.

use std::fmt;

/// The crate's error: text that is not JSON, or JSON that does not hold what it should.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("The input is not valid JSON: {0}. Check it with a JSON formatter.")]
    Syntax(#[from] serde_json::Error),
    /// Never empty.
    #[error("{}", sentences(.0))]
    Invalid(Vec<Problem>),
}

impl Error {
    pub fn problems(&self) -> &[Problem] {
        match self {
            Self::Syntax(_) => &[],
            Self::Invalid(problems) => problems,
        }
    }

    /// The reason of the whole answer. Malformed input takes precedence over unprocessable input.
    pub fn reason(&self) -> &'static str {
        if self.is_malformed() {
            return ProblemKind::WrongType.reason();
        }
        self.problems().first().map_or(ProblemKind::WrongType, |problem| problem.kind).reason()
    }

    /// `true` where the input has the wrong shape (HTTP 400), `false` where it is well formed but cannot be
    /// processed (HTTP 422).
    pub fn is_malformed(&self) -> bool {
        match self {
            Self::Syntax(_) => true,
            Self::Invalid(problems) => problems.iter().any(|problem| problem.kind.is_malformed()),
        }
    }
}

fn sentences(problems: &[Problem]) -> String {
    problems.iter().map(Problem::to_string).collect::<Vec<_>>().join("\n")
}

/// One thing wrong with one value of the input.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// Where, as in `overlays[3].styles.opacity`. Empty for the whole input.
    pub path: String,
    pub kind: ProblemKind,
    /// The offending value as JSON, shortened; absent where nothing was given.
    pub value: Option<String>,
    /// What is accepted, as in `a number` or `one of left, center, right`.
    pub expected: String,
}

/// A value that is not as it should be and does not stop the reading: it is ignored, or read as something else.
#[derive(Debug, Clone, PartialEq)]
pub struct Tolerated {
    /// Which tolerance it is, such as `ANIMATION_IGNORED`.
    pub code: &'static str,
    /// What would be wrong with the value without the tolerance.
    pub problem: Problem,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProblemKind {
    WrongType,
    Missing,
    /// Not exactly one of `inputProps`, `templateId` and `projectId`.
    Mode,
    UnknownOverlayType,
    InvalidEnumValue,
    DuplicateOverlayId,
    OutOfRange,
    CompositionTooLarge,
    TooManyOverlays,
    InvalidReplacement,
    AiValueNotAllowed,
    AiLimitExceeded,
    AiSourceNotFound,
}

impl ProblemKind {
    pub fn reason(self) -> &'static str {
        match self {
            Self::WrongType | Self::Missing | Self::Mode => "INVALID_REQUEST",
            Self::UnknownOverlayType => "UNKNOWN_OVERLAY_TYPE",
            Self::InvalidEnumValue => "INVALID_ENUM_VALUE",
            Self::DuplicateOverlayId => "DUPLICATE_OVERLAY_ID",
            Self::OutOfRange => "VALUE_OUT_OF_RANGE",
            Self::CompositionTooLarge => "COMPOSITION_TOO_LARGE",
            Self::TooManyOverlays => "TOO_MANY_OVERLAYS",
            Self::InvalidReplacement => "INVALID_REPLACEMENT_VALUE",
            Self::AiValueNotAllowed => "AI_VALUE_NOT_ALLOWED",
            Self::AiLimitExceeded => "AI_LIMIT_EXCEEDED",
            Self::AiSourceNotFound => "AI_SOURCE_NOT_FOUND",
        }
    }

    /// Wrong shape (HTTP 400) rather than wrong meaning (HTTP 422).
    pub fn is_malformed(self) -> bool {
        matches!(self, Self::WrongType | Self::Missing | Self::Mode)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            write!(f, "The input")?;
        } else {
            write!(f, "`{}`", self.path)?;
        }
        let Self { value, expected, .. } = self;
        match (self.kind, value) {
            (ProblemKind::Mode, None) => write!(f, " must have {expected}."),
            (ProblemKind::Mode, Some(value)) => write!(f, " must have {expected}, got {value}."),
            (_, None) => write!(f, " is required and must be {expected}."),
            (ProblemKind::DuplicateOverlayId, Some(value)) => {
                write!(f, " must be unique, got {value}: {expected}.")
            }
            (ProblemKind::AiValueNotAllowed, Some(value)) => {
                write!(f, " must not be {value}: {expected}.")
            }
            (_, Some(value)) => write!(f, " must be {expected}, got {value}."),
        }
    }
}

/// JSON of a value, cut to a length that fits a sentence.
pub(crate) fn shorten(value: &serde_json::Value) -> String {
    use serde_json::Value;
    const LONGEST: usize = 60;
    match value {
        Value::Array(items) => format!("an array of {}", items.len()),
        Value::Object(_) => "an object".to_owned(),
        Value::String(text) if text.chars().count() > LONGEST => {
            let start: String = text.chars().take(LONGEST).collect();
            format!("{}…", Value::String(start))
        }
        other => other.to_string(),
    }
}
