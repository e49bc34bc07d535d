//! The JSON Schema of an object, built field by field.

use serde_json::{Map, Value, json};

use crate::codec::{Codec, Definitions};

/// The JSON Schema of an object under construction.
#[derive(Debug)]
pub struct ObjectSchema<'a> {
    definitions: &'a mut Definitions,
    properties: Map<String, Value>,
    required: Vec<&'static str>,
}

impl<'a> ObjectSchema<'a> {
    pub fn new(definitions: &'a mut Definitions) -> Self {
        Self { definitions, properties: Map::new(), required: Vec::new() }
    }

    pub fn field<T, C: Codec<Out = T>>(
        &mut self,
        key: &'static str,
        codec: &C,
        about: &[&str],
        default: Option<&T>,
    ) {
        let mut schema = codec.schema(self.definitions);
        schema["description"] = json!(sentence(about));
        if let Some(default) = default {
            schema["default"] = codec.write(default);
        }
        self.properties.insert(key.to_owned(), schema);
    }

    /// A required field with one possible value.
    pub fn constant(&mut self, key: &'static str, value: &str) {
        self.properties.insert(key.to_owned(), json!({"type": "string", "const": value}));
        self.required.push(key);
    }

    pub fn require(&mut self, key: &'static str) {
        self.required.push(key);
    }

    pub fn finish(self, about: &[&str]) -> Value {
        let mut schema = json!({"description": sentence(about), "type": "object"});
        if !self.required.is_empty() {
            schema["required"] = json!(self.required);
        }
        schema["properties"] = Value::Object(self.properties);
        schema
    }
}

fn sentence(lines: &[&str]) -> String {
    lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ")
}
