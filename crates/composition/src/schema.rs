//! The JSON Schema of a composition, made from the same field tables that read and write it.

use serde_json::{Value, json};

use crate::codec::Definitions;
use crate::composition::Composition;
use crate::record::{Record, Shape};

/// JSON Schema (draft 2020-12) of a composition. A field that may be left out may also be `null`; ranges on styles
/// are what values are clamped to.
pub fn schema() -> Value {
    let mut definitions = Definitions::new();
    let mut shape = Shape::new(&mut definitions);
    Composition::describe(&mut shape);
    let body = shape.finish(Composition::ABOUT);

    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": Composition::NAME,
    });
    if let (Some(schema), Value::Object(body)) = (schema.as_object_mut(), body) {
        schema.extend(body);
        schema.insert("$defs".to_owned(), Value::Object(definitions));
    }
    schema
}
