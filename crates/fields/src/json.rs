//! JSON that is kept as it is: a map of any values, and a value whose schema is given elsewhere.

use serde_json::{Map, Value, json};

use crate::codec::{Codec, Definitions};
use crate::problem::ProblemKind;
use crate::reader::Reader;

/// An object whose values are kept as they are. Made by [`json_map`].
#[derive(Debug, Clone, Copy)]
pub struct JsonMap {
    most: usize,
}

/// An object with any keys and values.
pub fn json_map() -> JsonMap {
    JsonMap { most: usize::MAX }
}

impl JsonMap {
    /// Refuses more than `most` keys.
    pub fn at_most(self, most: usize) -> Self {
        Self { most }
    }
}

impl Codec for JsonMap {
    type Out = Map<String, Value>;

    fn read(&self, value: &Value, reader: &mut Reader) -> Option<Self::Out> {
        match value {
            Value::Object(map) if map.len() > self.most => {
                let given = format!("an object of {} keys", map.len());
                reader.note(ProblemKind::OutOfRange, Some(given), self.expected());
                None
            }
            Value::Object(map) => Some(map.clone()),
            other => reader.refuse(ProblemKind::WrongType, other, self.expected()),
        }
    }

    fn write(&self, out: &Self::Out) -> Value {
        Value::Object(out.clone())
    }

    fn schema(&self, _: &mut Definitions) -> Value {
        let mut schema = json!({"type": "object", "additionalProperties": true});
        if self.most != usize::MAX {
            schema["maxProperties"] = json!(self.most);
        }
        schema
    }

    fn expected(&self) -> String {
        if self.most == usize::MAX {
            return "an object".to_owned();
        }
        format!("an object of at most {} keys", self.most)
    }
}

/// A value that is kept as it is and checked elsewhere. Made by [`json_value`].
#[derive(Debug, Clone, Copy)]
pub struct JsonValue {
    schema: fn(&mut Definitions) -> Value,
    expected: &'static str,
}

/// Any value but `null`, described by `schema` and, in a sentence, by `expected`.
pub fn json_value(schema: fn(&mut Definitions) -> Value, expected: &'static str) -> JsonValue {
    JsonValue { schema, expected }
}

impl Codec for JsonValue {
    type Out = Value;

    fn read(&self, value: &Value, _: &mut Reader) -> Option<Value> {
        Some(value.clone())
    }

    fn write(&self, out: &Value) -> Value {
        out.clone()
    }

    fn schema(&self, definitions: &mut Definitions) -> Value {
        (self.schema)(definitions)
    }

    fn expected(&self) -> String {
        self.expected.to_owned()
    }
}
