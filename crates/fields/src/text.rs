//! Strings and addresses.

use serde_json::{Value, json};

use crate::codec::{Codec, Definitions};
use crate::number::plain_number;
use crate::problem::ProblemKind;
use crate::reader::Reader;

/// A string. Made by [`text`].
#[derive(Debug, Clone, Copy)]
pub struct Text {
    /// Whether a number is accepted, and what is written after it.
    numbers: Option<&'static str>,
    blank: bool,
    most: usize,
}

/// Any string.
pub fn text() -> Text {
    Text { numbers: None, blank: true, most: usize::MAX }
}

impl Text {
    /// Also accepts a number and keeps it as text.
    pub fn or_number(self) -> Self {
        self.or_number_of("")
    }

    /// Also accepts a number and keeps it as text with this unit: `24` as `24px`.
    pub fn or_number_of(self, unit: &'static str) -> Self {
        Self { numbers: Some(unit), ..self }
    }

    /// Refuses more than `most` characters.
    pub fn at_most(self, most: usize) -> Self {
        Self { most, ..self }
    }

    /// Refuses a string of nothing but white space.
    pub fn not_blank(self) -> Self {
        Self { blank: false, ..self }
    }
}

impl Codec for Text {
    type Out = String;

    fn read(&self, value: &Value, reader: &mut Reader) -> Option<String> {
        match value {
            Value::String(text) if text.len() > self.most && text.chars().count() > self.most => {
                reader.refuse(ProblemKind::OutOfRange, value, format!("at most {} characters", self.most))
            }
            Value::String(text) if !self.blank && text.trim().is_empty() => {
                reader.refuse(ProblemKind::WrongType, value, self.expected())
            }
            Value::String(text) => Some(text.clone()),
            other => match (other, self.numbers) {
                (Value::Number(number), Some(unit)) => Some(plain_number(number) + unit),
                _ => reader.refuse(ProblemKind::WrongType, other, self.expected()),
            },
        }
    }

    fn write(&self, out: &String) -> Value {
        Value::String(out.clone())
    }

    fn schema(&self, _: &mut Definitions) -> Value {
        let mut schema = if self.numbers.is_some() {
            json!({"type": ["string", "number"]})
        } else {
            json!({"type": "string"})
        };
        if !self.blank {
            schema["minLength"] = json!(1);
            // White space alone is blank too.
            schema["pattern"] = json!(r"\S");
        }
        if self.most != usize::MAX {
            schema["maxLength"] = json!(self.most);
        }
        schema
    }

    fn expected(&self) -> String {
        match (self.blank, self.numbers.is_some()) {
            (true, true) => "a string or a number",
            (true, false) => "a string",
            (false, true) => "a non-empty string or a number",
            (false, false) => "a non-empty string",
        }
        .to_owned()
    }
}

/// An `http` or `https` URL with a host. Made by [`url`].
#[derive(Debug, Clone, Copy)]
pub struct Url;

/// An `http` or `https` URL with a host. White space around it is dropped.
pub fn url() -> Url {
    Url
}

impl Codec for Url {
    type Out = String;

    fn read(&self, value: &Value, reader: &mut Reader) -> Option<String> {
        match value.as_str().map(str::trim) {
            Some(url) if is_http_url(url) => Some(url.to_owned()),
            _ => reader.refuse(ProblemKind::WrongType, value, self.expected()),
        }
    }

    fn write(&self, out: &String) -> Value {
        Value::String(out.clone())
    }

    fn schema(&self, _: &mut Definitions) -> Value {
        json!({"type": "string", "format": "uri"})
    }

    fn expected(&self) -> String {
        "an http or https URL".to_owned()
    }
}

fn is_http_url(url: &str) -> bool {
    let lower = url.to_ascii_lowercase();
    let host = lower.strip_prefix("https://").or_else(|| lower.strip_prefix("http://"));
    host.is_some_and(|host| !host.is_empty() && !host.starts_with(['/', ':', '?', '#']))
        && !lower.contains(char::is_whitespace)
}
