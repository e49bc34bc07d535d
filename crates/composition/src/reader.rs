//! Walking a JSON value: the path to where we are, the problems found so far, and the fields nobody knows.

use std::borrow::Cow;
use std::fmt::Write;

use serde_json::{Map, Value};

use crate::codec::Codec;
use crate::problem::{Problem, ProblemKind, shorten};

/// Beyond this many, further problems and unknown fields are not noted: hostile input must not exhaust memory.
const MOST_NOTES: usize = 1000;

#[derive(Debug)]
enum Step {
    Key(Cow<'static, str>),
    Index(usize),
}

#[derive(Debug, Default)]
pub(crate) struct Reader {
    path: Vec<Step>,
    pub(crate) problems: Vec<Problem>,
    pub(crate) unknown: Vec<String>,
}

impl Reader {
    pub(crate) fn at_key<T>(
        &mut self,
        key: impl Into<Cow<'static, str>>,
        read: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.path.push(Step::Key(key.into()));
        let out = read(self);
        self.path.pop();
        out
    }

    pub(crate) fn at_index<T>(&mut self, index: usize, read: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(Step::Index(index));
        let out = read(self);
        self.path.pop();
        out
    }

    /// Notes a problem with the value at the current path. Returns `None` to end the reading of that value.
    pub(crate) fn refuse<T>(
        &mut self,
        kind: ProblemKind,
        value: &Value,
        expected: impl Into<String>,
    ) -> Option<T> {
        self.note(kind, Some(shorten(value)), expected.into());
        None
    }

    pub(crate) fn missing<T>(&mut self, expected: impl Into<String>) -> Option<T> {
        self.note(ProblemKind::Missing, None, expected.into());
        None
    }

    pub(crate) fn note(&mut self, kind: ProblemKind, value: Option<String>, expected: String) {
        if self.problems.len() < MOST_NOTES {
            let path = self.path();
            self.problems.push(Problem { path, kind, value, expected });
        }
    }

    fn note_unknown(&mut self) {
        if self.unknown.len() < MOST_NOTES {
            let path = self.path();
            self.unknown.push(path);
        }
    }

    fn path(&self) -> String {
        let mut out = String::new();
        for step in &self.path {
            match step {
                Step::Key(key) if out.is_empty() => out.push_str(key),
                Step::Key(key) => {
                    out.push('.');
                    out.push_str(key);
                }
                Step::Index(index) => {
                    // Writing to a String does not fail.
                    let _ = write!(out, "[{index}]");
                }
            }
        }
        out
    }
}

/// A JSON object being read: remembers which keys were asked for, so that the rest can be told as unknown.
/// A `null` field counts as absent.
#[derive(Debug)]
pub(crate) struct Object<'a> {
    fields: &'a Map<String, Value>,
    known: Vec<&'static str>,
}

impl<'a> Object<'a> {
    pub(crate) fn open(value: &'a Value, reader: &mut Reader) -> Option<Self> {
        match value.as_object() {
            Some(fields) => Some(Self { fields, known: Vec::new() }),
            None => reader.refuse(ProblemKind::WrongType, value, "an object"),
        }
    }

    pub(crate) fn get(&mut self, key: &'static str) -> Option<&'a Value> {
        self.known.push(key);
        self.fields.get(key).filter(|value| !value.is_null())
    }

    pub(crate) fn optional<C: Codec>(
        &mut self,
        key: &'static str,
        codec: &C,
        reader: &mut Reader,
    ) -> Option<C::Out> {
        let value = self.get(key)?;
        reader.at_key(key, |reader| codec.read(value, reader))
    }

    pub(crate) fn required<C: Codec>(
        &mut self,
        key: &'static str,
        codec: &C,
        reader: &mut Reader,
    ) -> Option<C::Out> {
        match self.get(key) {
            Some(value) => reader.at_key(key, |reader| codec.read(value, reader)),
            None => reader.at_key(key, |reader| reader.missing(codec.expected())),
        }
    }

    /// Like `get`, for a key that counts as known only when its value has the right shape.
    pub(crate) fn get_if(&mut self, key: &'static str, fits: fn(&Value) -> bool) -> Option<&'a Value> {
        let value = self.fields.get(key).filter(|value| fits(value))?;
        self.known.push(key);
        Some(value)
    }

    /// The fields that no one asked for.
    pub(crate) fn rest(&self) -> impl Iterator<Item = (&'a String, &'a Value)> {
        self.fields.iter().filter(|(key, _)| !self.known.contains(&key.as_str()))
    }

    /// Notes every field that no one asked for.
    pub(crate) fn close(self, reader: &mut Reader) {
        for (key, _) in self.rest() {
            reader.at_key(key.clone(), Reader::note_unknown);
        }
    }
}
