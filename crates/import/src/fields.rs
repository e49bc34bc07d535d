//! Reading the fields of a document's objects. Every field is read, skipped or refused by name; what remains at the end
//! is reported, so nothing of a document is lost in silence.

use std::cell::{Cell, RefCell};

use serde_json::{Map, Value};

use crate::merge::{Filled, Table, joined, plain};
use crate::notes::Notes;

/// Larger numbers are cut: arithmetic with them stays finite, and frames fit their type.
const LARGEST: f64 = 1e7;
/// Further unknown fields of one object are not reported.
const MOST_UNKNOWN: usize = 50;

/// A value of the document and where it stands.
#[derive(Debug, Clone)]
pub struct Place<'a> {
    pub value: &'a Value,
    pub path: String,
    pub table: &'a Table,
    pub notes: &'a Notes,
}

/// A text that a variable may replace.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Content {
    pub text: String,
    pub variable: Option<String>,
}

/// An object of the document.
#[derive(Debug)]
pub struct Fields<'a> {
    pub path: String,
    pub notes: &'a Notes,
    map: &'a Map<String, Value>,
    table: &'a Table,
    seen: RefCell<Vec<&'static str>>,
    left_out: Cell<bool>,
}

impl<'a> Fields<'a> {
    /// `None` for a value that is not an object.
    pub fn of(place: Place<'a>) -> Option<Self> {
        let Place { value, path, table, notes } = place;
        Some(Self {
            path,
            notes,
            map: value.as_object()?,
            table,
            seen: RefCell::default(),
            left_out: Cell::default(),
        })
    }

    /// The path of a field.
    pub fn at(&self, key: &str) -> String {
        joined(&self.path, key)
    }

    /// Whether a field is there and says `null`.
    pub fn is_null(&self, key: &str) -> bool {
        self.map.get(key).is_some_and(Value::is_null)
    }

    pub fn has(&self, key: &str) -> bool {
        self.peek(key).is_some()
    }

    /// A field as it is; `null` counts as absent. Where a merge field was filled in, says that it is not a variable.
    pub fn value(&self, key: &'static str) -> Option<&'a Value> {
        let value = self.raw(key)?;
        let path = self.at(key);
        if let Some(Filled::Whole(name) | Filled::Part(name)) = self.table.at(&path) {
            let message = format!("A composition has no variable here. The value of `{name}` is used.");
            self.notes.field_substituted(path, message);
        }
        Some(value)
    }

    /// A field, without counting it as read.
    pub fn peek(&self, key: &str) -> Option<&'a Value> {
        self.map.get(key).filter(|value| !value.is_null())
    }

    fn raw(&self, key: &'static str) -> Option<&'a Value> {
        self.seen.borrow_mut().push(key);
        self.peek(key)
    }

    /// A text or an address, with the variable it is.
    pub fn content(&self, key: &'static str) -> Option<Content> {
        let value = self.raw(key)?;
        let path = self.at(key);
        let variable = match self.table.at(&path) {
            Some(Filled::Whole(name)) => Some(name.clone()),
            Some(Filled::Part(name)) => {
                let message = format!(
                    "`{name}` is only a part of the text, which cannot be a variable. Its value is used."
                );
                self.notes.field_substituted(path.clone(), message);
                None
            }
            None => None,
        };
        match value {
            Value::String(_) | Value::Number(_) | Value::Bool(_) => {
                Some(Content { text: plain(value), variable })
            }
            _ => self.ignored(key, "a text"),
        }
    }

    /// A number, also as text.
    pub fn number(&self, key: &'static str) -> Option<f64> {
        let value = self.value(key)?;
        number_of(value).or_else(|| self.ignored(key, "a number"))
    }

    /// A text; numbers and booleans count as text.
    pub fn text(&self, key: &'static str) -> Option<String> {
        match self.value(key)? {
            value @ (Value::String(_) | Value::Number(_) | Value::Bool(_)) => Some(plain(value)),
            _ => self.ignored(key, "a text"),
        }
    }

    pub fn flag(&self, key: &'static str) -> Option<bool> {
        match self.value(key)? {
            Value::Bool(flag) => Some(*flag),
            Value::Number(number) => Some(number.as_f64() != Some(0.0)),
            Value::String(text) if text == "true" => Some(true),
            Value::String(text) if text == "false" => Some(false),
            _ => self.ignored(key, "true or false"),
        }
    }

    pub fn fields(&self, key: &'static str) -> Option<Fields<'a>> {
        let value = self.value(key)?;
        Fields::of(self.place(value, self.at(key))).or_else(|| self.ignored(key, "an object"))
    }

    /// The items of an array.
    pub fn items(&self, key: &'static str) -> Vec<Place<'a>> {
        let Some(value) = self.value(key) else { return Vec::new() };
        let Some(items) = value.as_array() else {
            return self.ignored(key, "an array").unwrap_or_default();
        };
        let path = self.at(key);
        let items = items.iter().enumerate();
        items.map(|(index, item)| self.place(item, format!("{path}[{index}]"))).collect()
    }

    /// The objects of an array. Other items are reported.
    pub fn objects(&self, key: &'static str) -> Vec<Fields<'a>> {
        let items = self.items(key).into_iter();
        items
            .filter_map(|item| {
                let path = item.path.clone();
                let fields = Fields::of(item);
                if fields.is_none() {
                    self.notes.value_ignored(path, "This must be an object. It is left out.");
                }
                fields
            })
            .collect()
    }

    fn place(&self, value: &'a Value, path: String) -> Place<'a> {
        Place { value, path, table: self.table, notes: self.notes }
    }

    /// Reports a value of the wrong kind.
    fn ignored<T>(&self, key: &str, expected: &str) -> Option<T> {
        self.notes.value_ignored(self.at(key), format!("This must be {expected}. It is ignored."));
        None
    }

    /// Fields that do not change the film.
    pub fn skip(&self, keys: &[&'static str]) {
        self.seen.borrow_mut().extend(keys);
    }

    /// All fields of something that is left out as a whole.
    pub fn skip_all(&self) {
        self.left_out.set(true);
    }

    /// Fields that a composition has nothing like.
    pub fn refuse(&self, keys: &[&'static str], message: &str) {
        for key in keys {
            if self.raw(key).is_some_and(|value| value != &Value::Bool(false)) {
                self.notes.no_equivalent(self.at(key), message);
            }
        }
    }

    /// Reports the fields that nothing asked for.
    pub fn finish(self) {
        if self.left_out.get() {
            return;
        }
        let seen = self.seen.borrow();
        let unknown =
            self.map.iter().filter(|(key, value)| !value.is_null() && !seen.contains(&key.as_str()));
        for (key, _) in unknown.take(MOST_UNKNOWN) {
            let key: String = key.chars().take(80).collect();
            self.notes.unknown_field(self.at(&key));
        }
    }
}

/// A number, also as text.
pub fn number_of(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Number(number) => number.as_f64()?,
        Value::String(text) => text.trim().parse().ok()?,
        _ => return None,
    };
    number.is_finite().then(|| number.clamp(-LARGEST, LARGEST))
}

/// Looks a name up in a table of pairs.
pub fn named<T: Copy>(table: &[(&str, T)], name: &str) -> Option<T> {
    table.iter().find(|(other, _)| *other == name).map(|(_, value)| *value)
}
