//! Examples of requests and responses, put together from a table of values by the name of their schema or field.

use std::sync::LazyLock;

use serde_json::{Map, Value, json};

/// Values by `Schema`, `Schema.field` or `field`, the first of these that there is.
static VALUES: LazyLock<Map<String, Value>> =
    LazyLock::new(|| serde_json::from_str(include_str!("examples.json")).unwrap_or_default());

/// A moment, as all of the examples have it.
const MOMENT: &str = "2026-11-14T09:30:00.000Z";

/// Adds an example to every parameter, request and success of an operation.
pub fn add(operation: &mut Value, schemas: &Map<String, Value>) {
    for parameter in operation.get_mut("parameters").and_then(Value::as_array_mut).into_iter().flatten() {
        let example = parameter["name"].as_str().and_then(|name| VALUES.get(name));
        if let Some(example) = example.filter(|_| parameter["schema"].get("enum").is_none()) {
            parameter["example"] = example.clone();
        }
    }
    let contents = ["/requestBody/content/application~1json", "/responses/200/content/application~1json"];
    for content in contents {
        if let Some(content) =
            operation.pointer_mut(content).filter(|content| content.get("example").is_none())
        {
            content["example"] = of(&content["schema"], schemas);
        }
    }
}

/// A value that a schema allows.
pub fn of(schema: &Value, schemas: &Map<String, Value>) -> Value {
    value(("", ""), schema, schemas)
}

fn value((owner, field): (&str, &str), schema: &Value, schemas: &Map<String, Value>) -> Value {
    let reference = schema["$ref"].as_str().and_then(|name| name.rsplit('/').next());
    let known = VALUES.get(&format!("{owner}.{field}")).or_else(|| match (reference, &schema["type"]) {
        (Some(name), _) => VALUES.get(name),
        (None, kind) if kind == "array" && schema["items"].get("$ref").is_some() => None,
        _ => VALUES.get(field),
    });
    if let Some(known) = known {
        return known.clone();
    }
    if let Some(name) = reference {
        return schemas.get(name).map_or(Value::Null, |schema| object(name, schema, schemas));
    }
    for alternatives in ["oneOf", "anyOf"] {
        if let Some(first) =
            schema[alternatives].as_array().and_then(|all| all.iter().find(|it| it["type"] != "null"))
        {
            return value((owner, field), first, schemas);
        }
    }
    simple((owner, field), schema, schemas)
}

/// The example of a schema that has a name.
fn object(name: &str, schema: &Value, schemas: &Map<String, Value>) -> Value {
    if let Some(parts) = schema["allOf"].as_array() {
        let mut whole = Map::new();
        for part in parts {
            let part = match part.get("$ref") {
                Some(_) => value((name, ""), part, schemas),
                None => object(name, part, schemas),
            };
            if let Value::Object(fields) = part {
                whole.extend(fields);
            }
        }
        return whole.into();
    }
    match schema["properties"].as_object() {
        Some(fields) => fields
            .iter()
            .map(|(field, schema)| (field.clone(), value((name, field), schema, schemas)))
            .collect::<Map<_, _>>()
            .into(),
        None => simple((name, ""), schema, schemas),
    }
}

fn simple((owner, field): (&str, &str), schema: &Value, schemas: &Map<String, Value>) -> Value {
    for key in ["const", "default", "x-default"] {
        if let Some(value) = schema.get(key) {
            return value.clone();
        }
    }
    if let Some(first) = schema["enum"].get(0) {
        return first.clone();
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().find(|kind| *kind != "null").cloned().unwrap_or_default(),
        kind => kind.clone(),
    };
    match (kind.as_str(), schema["format"].as_str()) {
        (Some("array"), _) => json!([value((owner, field), &schema["items"], schemas)]),
        (Some("object"), _) => json!({}),
        (Some("string"), Some("date-time")) => MOMENT.into(),
        (Some("string"), Some("date")) => "2026-11-14".into(),
        (Some("boolean"), _) => false.into(),
        (Some("integer" | "number"), _) => schema.get("minimum").cloned().unwrap_or_else(|| 1.into()),
        // What has no row in the table.
        _ => Value::Null,
    }
}
