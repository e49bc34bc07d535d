//! Kinds of values that requests hold beside those of every field table.

use rondo_fields::{Codec, Definitions, List, ProblemKind, Reader, Whole, integer, list};
use rondo_store::id::Kind;
use rondo_store::{Access, EventName, KeyMode, Mode, Page, Plan, RenderStatus, Time};
use serde_json::{Value, json};
use utoipa::PartialSchema;

use crate::email::{LONGEST_EMAIL, is_email};
use crate::operations::chosen::field_names;

/// Items on a page at most.
const MOST_ITEMS: i64 = 100;

/// A value that is written as text.
#[derive(Clone, Copy)]
pub struct Parsed<T> {
    parse: fn(&str) -> Option<T>,
    write: fn(&T) -> String,
    schema: fn() -> Value,
    expected: &'static str,
    /// The problem that other texts are.
    refusal: ProblemKind,
}

impl<T: Clone + PartialEq> Codec for Parsed<T> {
    type Out = T;

    fn read(&self, value: &Value, reader: &mut Reader) -> Option<T> {
        match value.as_str() {
            Some(text) => match (self.parse)(text.trim()) {
                Some(parsed) => Some(parsed),
                None => reader.refuse(self.refusal, value, self.expected),
            },
            None => reader.refuse(ProblemKind::WrongType, value, self.expected),
        }
    }

    fn write(&self, out: &T) -> Value {
        (self.write)(out).into()
    }

    fn schema(&self, _: &mut Definitions) -> Value {
        (self.schema)()
    }

    fn expected(&self) -> String {
        self.expected.to_owned()
    }
}

/// Items on a page.
pub fn limit() -> Whole<u32> {
    integer(1, MOST_ITEMS)
}

/// What a list returned as `nextCursor`. Made by [`cursor`].
#[derive(Clone, Copy)]
pub struct Cursor(&'static [Kind]);

/// The `nextCursor` of a list of things with ids of these kinds; of a list of things with other names too, if there is
/// none. What it names may have been deleted since.
pub fn cursor(kinds: &'static [Kind]) -> Cursor {
    Cursor(kinds)
}

impl Codec for Cursor {
    type Out = String;

    fn read(&self, value: &Value, reader: &mut Reader) -> Option<String> {
        let plain = |character: char| character.is_ascii_alphanumeric() || "_-".contains(character);
        let known = value.as_str().map(str::trim).filter(|text| {
            let after = Page { limit: None, cursor: Some((*text).to_owned()) };
            let names = |id: &str| self.0.is_empty() || self.0.iter().any(|kind| kind.names(id));
            text.chars().all(plain) && after.after().is_some_and(names)
        });
        match known {
            Some(text) => Some(text.to_owned()),
            None => reader.refuse(ProblemKind::WrongType, value, self.expected()),
        }
    }

    fn write(&self, out: &String) -> Value {
        out.clone().into()
    }

    fn schema(&self, _: &mut Definitions) -> Value {
        let ids: Vec<String> = self.0.iter().map(|kind| kind.pattern()).collect();
        let pattern = match ids.is_empty() {
            true => "^[A-Za-z0-9_-]+$".to_owned(),
            false => format!("^([0-9]{{1,18}}-)?({})$", ids.join("|")),
        };
        json!({"type": "string", "pattern": pattern})
    }

    fn expected(&self) -> String {
        "the nextCursor of the previous page".to_owned()
    }
}

/// A place in a list, as `nextCursor` names it.
pub fn place() -> Parsed<u32> {
    Parsed {
        parse: |text| text.parse().ok(),
        write: u32::to_string,
        schema: || json!({"type": "string", "pattern": "^[0-9]{1,9}$"}),
        expected: "the nextCursor of the previous page",
        refusal: ProblemKind::WrongType,
    }
}

/// Names of fields of `T` with commas between them. `Fields::of` refuses others.
pub fn names<T: PartialSchema>() -> Parsed<Vec<String>> {
    Parsed {
        parse: |text| {
            let names = text.split(',').map(str::trim).filter(|name| !name.is_empty());
            Some(names.map(str::to_owned).collect())
        },
        write: |names| names.join(","),
        schema: || {
            let name = field_names::<T>().join("|");
            json!({"type": "string", "pattern": format!("^({name})(,({name}))*$")})
        },
        expected: "names with commas between them",
        refusal: ProblemKind::WrongType,
    }
}

/// The page that `limit` and `cursor` name.
pub fn page(limit: Option<u32>, cursor: Option<String>) -> Page {
    Page { limit, cursor }
}

/// A date-time.
pub fn moment() -> Parsed<Time> {
    Parsed {
        parse: Time::parse,
        write: |time| time.rfc3339(),
        schema: || json!({"type": "string", "format": "date-time"}),
        expected: "a date-time, such as 2026-11-14T09:30:00Z",
        refusal: ProblemKind::WrongType,
    }
}

/// A date, or a date-time.
pub fn day_or_moment() -> Parsed<Time> {
    Parsed {
        parse: |text| Time::parse(text).or_else(|| Time::parse(&format!("{text}T00:00:00Z"))),
        schema: || {
            let text = |format| json!({"type": "string", "format": format});
            json!({"anyOf": [text("date"), text("date-time")]})
        },
        expected: "a date or a date-time, such as 2026-11-14 or 2026-11-14T09:30:00Z",
        ..moment()
    }
}

/// What a key can do.
pub fn access() -> Parsed<Access> {
    Parsed {
        parse: |text| Access::parse(&text.to_ascii_lowercase()),
        write: |access| access.as_str().to_owned(),
        schema: || json!({"type": "string", "enum": Access::NAMES}),
        expected: "full or read",
        refusal: ProblemKind::InvalidEnumValue,
    }
}

/// What a key is for.
pub fn key_mode() -> Parsed<KeyMode> {
    Parsed {
        parse: |text| KeyMode::parse(&text.to_ascii_lowercase()),
        write: |mode| mode.as_str().to_owned(),
        schema: || json!({"type": "string", "enum": ["live", "test"]}),
        expected: "live or test",
        refusal: ProblemKind::InvalidEnumValue,
    }
}

/// The status of a render.
pub fn render_status() -> Parsed<RenderStatus> {
    Parsed {
        parse: |text| RenderStatus::parse(&text.to_ascii_uppercase()),
        write: |status| status.as_str().to_owned(),
        schema: || json!({"type": "string", "enum": RenderStatus::NAMES}),
        expected: "PENDING, PROCESSING, COMPLETED or FAILED",
        refusal: ProblemKind::InvalidEnumValue,
    }
}

/// How a render was asked for.
pub fn render_mode() -> Parsed<Mode> {
    Parsed {
        parse: |text| Mode::parse(&text.to_ascii_lowercase()),
        write: |mode| mode.as_str().to_owned(),
        schema: || json!({"type": "string", "enum": Mode::NAMES}),
        expected: "direct, template or project",
        refusal: ProblemKind::InvalidEnumValue,
    }
}

/// A webhook event.
pub fn event() -> Parsed<EventName> {
    Parsed {
        parse: |text| EventName::ALL.into_iter().find(|event| event.as_str() == text),
        write: |event| event.as_str().to_owned(),
        schema: || json!({"type": "string", "enum": EventName::NAMES}),
        expected: "one of render.completed, render.failed, batch.completed",
        refusal: ProblemKind::InvalidEnumValue,
    }
}

/// The events of a webhook, each once. An empty list is malformed rather than out of range.
#[derive(Clone, Copy)]
pub struct Events(List<Parsed<EventName>>);

pub fn events() -> Events {
    Events(list(event()).at_least(1))
}

impl Codec for Events {
    type Out = Vec<EventName>;

    fn read(&self, value: &Value, reader: &mut Reader) -> Option<Vec<EventName>> {
        if value.as_array().is_some_and(Vec::is_empty) {
            return reader.refuse(ProblemKind::WrongType, value, self.expected());
        }
        let mut events: Vec<EventName> = Vec::new();
        for event in self.0.read(value, reader)? {
            if !events.contains(&event) {
                events.push(event);
            }
        }
        Some(events)
    }

    fn write(&self, out: &Vec<EventName>) -> Value {
        self.0.write(out)
    }

    fn schema(&self, definitions: &mut Definitions) -> Value {
        self.0.schema(definitions)
    }

    fn expected(&self) -> String {
        self.0.expected()
    }
}

/// A plan.
pub fn plan() -> Parsed<Plan> {
    Parsed {
        parse: |text| match text {
            "none" => Some(Plan::None),
            "creator" => Some(Plan::Creator),
            "business" => Some(Plan::Business),
            _ => None,
        },
        write: |plan| {
            match plan {
                Plan::None => "none",
                Plan::Creator => "creator",
                Plan::Business => "business",
            }
            .to_owned()
        },
        schema: || json!({"type": "string", "enum": Plan::NAMES}),
        expected: "one of none, creator, business",
        refusal: ProblemKind::InvalidEnumValue,
    }
}

/// A colour as `#rgb` or `#rrggbb`, kept as `#rrggbb` in lower case.
pub fn hex_color() -> Parsed<String> {
    Parsed {
        parse: |text| {
            let digits = text.strip_prefix('#')?.to_ascii_lowercase();
            let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
            match digits.len() {
                3 if is_hex => {
                    Some(digits.chars().fold("#".to_owned(), |out, digit| format!("{out}{digit}{digit}")))
                }
                6 if is_hex => Some(format!("#{digits}")),
                _ => None,
            }
        },
        write: String::clone,
        schema: || json!({"type": "string", "pattern": "^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$"}),
        expected: "a colour such as #7c3aed",
        refusal: ProblemKind::OutOfRange,
    }
}

/// An email address.
pub fn email() -> Parsed<String> {
    Parsed {
        parse: |text| (is_email(text) && text.len() <= LONGEST_EMAIL).then(|| text.to_owned()),
        write: String::clone,
        schema: || json!({"type": "string", "format": "email"}),
        expected: "an email address",
        refusal: ProblemKind::WrongType,
    }
}

/// The name of a destination. Ids begin with `dst_`, so names do not.
pub fn destination_name() -> Parsed<String> {
    Parsed {
        parse: |text| {
            let is_plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
            let starts = text.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric());
            (is_plain && starts && text.len() <= 64 && !text.starts_with("dst_")).then(|| text.to_owned())
        },
        write: String::clone,
        schema: || json!({"type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"}),
        expected: "1 to 64 letters, digits, `-` and `_` that start with a letter or digit and not with `dst_`",
        refusal: ProblemKind::OutOfRange,
    }
}

/// A password. Problems never show it.
#[derive(Debug, Clone, Copy)]
pub struct Password;

pub fn password() -> Password {
    Password
}

impl Codec for Password {
    type Out = String;

    fn read(&self, value: &Value, reader: &mut Reader) -> Option<String> {
        let text = value.as_str().map(str::to_owned);
        if text.is_none() {
            reader.note(ProblemKind::WrongType, Some("not a string".to_owned()), self.expected());
        }
        text
    }

    fn write(&self, out: &String) -> Value {
        out.clone().into()
    }

    fn schema(&self, _: &mut Definitions) -> Value {
        json!({"type": "string", "format": "password"})
    }

    fn expected(&self) -> String {
        "a string".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_with_a_password_does_not_show_it() {
        let mut reader = Reader::default();
        assert_eq!(password().read(&json!(12_345_678), &mut reader), None);
        let error = reader.finish::<String>(None).unwrap_err();
        assert!(!error.to_string().contains("12345678"), "{error}");
    }

    #[test]
    fn an_email_has_a_name_and_a_host() {
        let read = |text: &str| email().read(&json!(text), &mut Reader::default());
        assert_eq!(read(" ada@example.com ").as_deref(), Some("ada@example.com"));
        let too_long = format!("{}@example.com", "a".repeat(LONGEST_EMAIL));
        for wrong in ["ada", "@example.com", "ada@", "a@b@c", "a da@example.com", &too_long] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
