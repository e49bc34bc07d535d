//! A JSON object being read field by field.

use serde_json::{Map, Value};

use crate::codec::Codec;
use crate::nearest::nearest_name;
use crate::problem::ProblemKind;
use crate::reader::Reader;

/// A JSON object being read. It keeps track of the keys that were read, so that the rest can be reported as unknown.
/// A `null` field counts as absent.
#[derive(Debug)]
pub struct Object<'a> {
    fields: &'a Map<String, Value>,
    known: Vec<&'static str>,
    /// Fields that are treated as absent and left unknown.
    skipped: Vec<&'static str>,
}

impl<'a> Object<'a> {
    /// `None` when `value` is not an object; the problem is noted.
    pub fn open(value: &'a Value, reader: &mut Reader) -> Option<Self> {
        match value.as_object() {
            Some(fields) => Some(Self { fields, known: Vec::new(), skipped: Vec::new() }),
            None => reader.refuse(ProblemKind::WrongType, value, "an object"),
        }
    }

    pub fn get(&mut self, key: &'static str) -> Option<&'a Value> {
        if self.skipped.contains(&key) {
            return None;
        }
        self.known.push(key);
        self.fields.get(key).filter(|value| !value.is_null())
    }

    pub fn optional<C: Codec>(
        &mut self,
        key: &'static str,
        codec: &C,
        reader: &mut Reader,
    ) -> Option<C::Out> {
        let value = self.get(key)?;
        reader.at_key(key, |reader| codec.read(value, reader))
    }

    pub fn required<C: Codec>(
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

    /// Treats the field as absent, and leaves it to [`Object::rest`], unless its value passes `fits`.
    pub fn skip_unless(&mut self, key: &'static str, fits: fn(&Value) -> bool) {
        if !self.fields.get(key).is_some_and(fits) {
            self.skipped.push(key);
        }
    }

    /// The fields that were not read.
    pub fn rest(&self) -> impl Iterator<Item = (&'a String, &'a Value)> {
        self.fields.iter().filter(|(key, _)| !self.known.contains(&key.as_str()))
    }

    /// The field that was probably meant by an unknown key: one that was looked for and is not there.
    pub fn nearest(&self, key: &str) -> Option<&'static str> {
        nearest_name(key, self.known.iter().copied().filter(|known| !self.fields.contains_key(*known)))
    }

    /// Notes every field that was not read as unknown.
    pub fn close(self, reader: &mut Reader) {
        for (key, _) in self.rest() {
            reader.at_key(key.clone(), |reader| reader.note_unknown(|| self.nearest(key)));
        }
    }
}
