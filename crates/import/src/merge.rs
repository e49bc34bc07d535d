//! Merge fields: `{{ name }}` in the strings of a document. All are filled in before the document is read; a table
//! remembers where, so that a text or an address that is a field as a whole becomes a variable.

use std::collections::{HashMap, HashSet};

use rondo_composition::{Error, ProblemKind};
use serde_json::{Map, Value};

use crate::html::text_of;
use crate::notes::Notes;
use crate::problem;

/// Bytes that fields may add to a document.
const MOST_ADDED: usize = 5_000_000;
/// Longer paths consist of keys that no format has; fields there are filled in, and not remembered.
const LONGEST_PATH: usize = 1000;

/// Values by field name, over those of an outer scope.
#[derive(Debug, Default)]
pub struct Scope<'a> {
    values: HashMap<String, Value>,
    outer: Option<&'a Scope<'a>>,
}

impl<'a> Scope<'a> {
    pub fn new(values: impl IntoIterator<Item = (String, Value)>, outer: Option<&'a Scope<'a>>) -> Self {
        Self { values: values.into_iter().collect(), outer }
    }

    pub fn get(&self, name: &str) -> Option<&Value> {
        self.values.get(name).or_else(|| self.outer?.get(name))
    }
}

/// Bytes that fields may still add to a document.
#[derive(Debug)]
pub struct Budget(usize);

impl Default for Budget {
    fn default() -> Self {
        Self(MOST_ADDED)
    }
}

/// Where fields were filled in, by path.
#[derive(Debug, Default)]
pub struct Table(HashMap<String, Filled>);

/// What was filled in at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Filled {
    /// The value is this field as a whole.
    Whole(String),
    /// The field is part of the text.
    Part(String),
}

impl Table {
    pub fn at(&self, path: &str) -> Option<&Filled> {
        self.0.get(path)
    }

    /// Makes the value at a path a variable.
    pub fn set(&mut self, path: String, name: String) {
        self.0.insert(path, Filled::Whole(name));
    }
}

/// Fills in fields, and notes those that are not defined.
#[derive(Debug)]
pub struct Filler<'a> {
    scope: &'a Scope<'a>,
    notes: &'a Notes,
    path: String,
    table: Table,
    budget: &'a mut Budget,
}

/// The value with its fields filled in, and where that happened.
pub fn fill(
    value: &Value,
    path: &str,
    scope: &Scope<'_>,
    budget: &mut Budget,
    notes: &Notes,
) -> Result<(Value, Table), Error> {
    let path = path.to_owned();
    let mut filler = Filler { scope, notes, path, table: Table::default(), budget };
    let value = filler.value(value)?;
    Ok((value, filler.table))
}

impl Filler<'_> {
    fn value(&mut self, value: &Value) -> Result<Value, Error> {
        Ok(match value {
            Value::String(text) => self.text(text)?,
            Value::Array(items) => {
                let items = items.iter().enumerate();
                let filled = items.map(|(index, item)| self.below(&format!("[{index}]"), item));
                Value::Array(filled.collect::<Result<_, _>>()?)
            }
            Value::Object(fields) => {
                let mut filled = Map::new();
                for (key, field) in fields {
                    let step = if self.path.is_empty() { key.clone() } else { format!(".{key}") };
                    filled.insert(key.clone(), self.below(&step, field)?);
                }
                Value::Object(filled)
            }
            other => other.clone(),
        })
    }

    /// A value one step further down.
    fn below(&mut self, step: &str, value: &Value) -> Result<Value, Error> {
        let length = self.path.len();
        self.path.push_str(step);
        let filled = self.value(value);
        self.path.truncate(length);
        filled
    }

    fn text(&mut self, text: &str) -> Result<Value, Error> {
        if let Some(name) = whole_field(text)
            && let Some((name, value)) = self.look_up(name)
        {
            self.spend(&value)?;
            self.remember(Filled::Whole(name));
            return Ok(value);
        }
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, name, after)) = next_field(rest) {
            out.push_str(before);
            match self.look_up(name) {
                Some((name, value)) => {
                    self.spend(&value)?;
                    out.push_str(&plain(&value));
                    self.remember(Filled::Part(name));
                }
                None => {
                    let name: String = name.chars().take(60).collect();
                    let message = format!("No value is given for `{name}`. The text stays as it is.");
                    self.notes.value_ignored(self.path.as_str(), message);
                    out.push_str(&rest[before.len()..rest.len() - after.len()]);
                }
            }
            rest = after;
        }
        out.push_str(rest);
        // In `<p>{{ name }}</p>` the text is the field as a whole.
        if text.contains('<')
            && let Some((name, _)) = whole_field(&text_of(text)).and_then(|name| self.look_up(name))
        {
            self.remember(Filled::Whole(name));
        }
        Ok(Value::String(out))
    }

    fn remember(&mut self, filled: Filled) {
        if self.path.len() <= LONGEST_PATH {
            self.table.0.insert(self.path.clone(), filled);
        }
    }

    /// The value of `name` or `name|default`.
    fn look_up(&self, field: &str) -> Option<(String, Value)> {
        let (name, default) = match field.split_once('|') {
            Some((name, default)) => (name.trim(), Some(default.trim())),
            None => (field, None),
        };
        let value = self.scope.get(name).cloned().or_else(|| default.map(Value::from))?;
        Some((name.to_owned(), value))
    }

    fn spend(&mut self, value: &Value) -> Result<(), Error> {
        let bytes = value.as_str().map_or_else(|| value.to_string().len(), str::len);
        self.budget.0 = self.budget.0.checked_sub(bytes).ok_or_else(|| {
            let expected = format!("at most {MOST_ADDED} bytes with all fields filled in");
            problem("", ProblemKind::CompositionTooLarge, "more", expected)
        })?;
        Ok(())
    }
}

/// The names of all fields in the strings of a value.
pub fn field_names(value: &Value) -> HashSet<String> {
    let mut names = HashSet::new();
    let mut values = vec![value];
    while let Some(value) = values.pop() {
        match value {
            Value::Array(items) => values.extend(items),
            Value::Object(fields) => values.extend(fields.values()),
            Value::String(text) => {
                let mut rest = &**text;
                while let Some((_, name, after)) = next_field(rest) {
                    names.insert(name.split('|').next().unwrap_or(name).trim().to_owned());
                    rest = after;
                }
            }
            _ => {}
        }
    }
    names
}

/// A path with a key added.
pub fn joined(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// The name, where a text is one field as a whole.
pub fn whole_field(text: &str) -> Option<&str> {
    match next_field(text.trim())? {
        ("", name, "") => Some(name),
        _ => None,
    }
}

/// What stands before the first field, its name, and the rest.
fn next_field(text: &str) -> Option<(&str, &str, &str)> {
    let start = text.find("{{")?;
    let inside = &text[start + 2..];
    let end = inside.find("}}")?;
    Some((&text[..start], inside[..end].trim(), &inside[end + 2..]))
}

/// A value as text.
pub fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}
