//! JSON Schema as the OpenAPI document uses it: checks values, for tests alone.

use serde_json::Value;

/// A schema in place of a reference to it.
pub fn resolved<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    let target = schema["$ref"].as_str();
    target.map_or(schema, |target| document.pointer(target.trim_start_matches('#')).unwrap())
}

/// Whether a value is one that a schema allows, so far as the document uses schemas.
pub fn fits(document: &Value, value: &Value, schema: &Value) -> Result<(), String> {
    let schema = resolved(document, schema);
    for key in ["oneOf", "anyOf"] {
        if let Some(parts) = schema[key].as_array() {
            let tried: Vec<_> = parts.iter().map(|part| fits(document, value, part)).collect();
            if tried.iter().all(Result::is_err) {
                return Err(format!("{value} fits no alternative: {tried:?}"));
            }
        }
    }
    let mut parts = schema["allOf"].as_array().into_iter().flatten();
    parts.try_for_each(|part| fits(document, value, part))?;
    if schema.get("enum").is_some_and(|all| !all.as_array().unwrap().contains(value))
        || schema.get("const").is_some_and(|only| only != value)
    {
        return Err(format!("{value} is not allowed"));
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let is_kind = |allowed: &Value| allowed == kind || (allowed == "number" && kind == "integer");
    let matches = match &schema["type"] {
        Value::Null => true,
        Value::Array(kinds) => kinds.iter().any(is_kind),
        one => is_kind(one),
    };
    if !matches {
        return Err(format!("{value} is no {}", schema["type"]));
    }
    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
        fits(document, item, &schema["items"]).map_err(|why| format!("[{index}]: {why}"))?;
    }
    let Some(fields) = value.as_object() else { return Ok(()) };
    for name in schema["required"].as_array().into_iter().flatten() {
        if !fields.contains_key(name.as_str().unwrap()) {
            return Err(format!("{name} is missing"));
        }
    }
    for (name, field) in fields {
        let known = &schema["properties"][name];
        fits(document, field, known).map_err(|why| format!("{name}: {why}"))?;
    }
    Ok(())
}
