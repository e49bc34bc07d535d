//! What an overlay that is a variable holds and accepts.

use rondo_fields::{ProblemKind, Reader, plain_number};
use serde_json::Value;

use crate::limits::MOST_CONTENT;

/// The variable of an overlay.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Variable {
    pub(crate) field: Field,
    /// What it accepts, as a sentence.
    pub(crate) help: String,
    /// What it holds now.
    pub(crate) value: String,
    /// Fixed-size text only.
    pub(crate) capacity: Option<Capacity>,
}

/// The overlay field a value lands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    Src,
    Content,
}

/// How many characters a text box holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Capacity {
    pub(crate) max_characters: u32,
    pub(crate) lines_available: u32,
}

impl Variable {
    pub(crate) fn new(field: Field, help: &str, value: impl Into<String>) -> Self {
        Self { field, help: help.to_owned(), value: value.into(), capacity: None }
    }
}

impl Field {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Src => "src",
            Self::Content => "content",
        }
    }
}

/// A string, number or boolean as text.
pub(crate) fn plain_value(value: &Value, expected: &str, reader: &mut Reader) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(plain_number(number)),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => reader.refuse(ProblemKind::InvalidReplacement, value, expected),
    }
}

/// A string, number or boolean as the `content` of an overlay.
pub(crate) fn content_value(value: &Value, reader: &mut Reader) -> Option<String> {
    let content = plain_value(value, "text, a number or a boolean", reader)?;
    if content.len() > MOST_CONTENT && content.chars().count() > MOST_CONTENT {
        let expected = format!("at most {MOST_CONTENT} characters");
        return reader.refuse(ProblemKind::OutOfRange, value, expected);
    }
    Some(content)
}
