//! JSON Schemas of tools, from the request and response types of operations.

use rondo_service::Operation;
use rondo_service::operation::Request;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

/// The schema of a response type, complete in itself.
pub fn response<T: ToSchema>() -> Value {
    let mut parts = Vec::new();
    T::schemas(&mut parts);
    let mut root = json!({"type": "object"});
    let whole = serde_json::to_value(T::schema()).unwrap_or_default();
    if let (Some(root), Some(whole)) = (root.as_object_mut(), whole.as_object()) {
        root.extend(whole.clone());
        let parts: Map<String, Value> = parts
            .into_iter()
            .map(|(name, part)| (name, serde_json::to_value(part).unwrap_or_default()))
            .collect();
        if !parts.is_empty() {
            root.insert("$defs".to_owned(), Value::Object(parts));
        }
    }
    tidy(&mut root);
    root
}

/// References stay within the schema, and formats that JSON Schema does not know are left out.
fn tidy(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(tidy),
        Value::Object(fields) => {
            fields.retain(|key, field| {
                let number = ["int32", "int64", "uint32", "uint64", "double", "float"];
                key != "format" || field.as_str().is_none_or(|format| !number.contains(&format))
            });
            for (key, field) in fields {
                match field {
                    Value::String(text) if key == "$ref" => {
                        *text = text.replace("#/components/schemas/", "#/$defs/");
                    }
                    _ => tidy(field),
                }
            }
        }
        _ => {}
    }
}

/// The arguments of a tool that runs an operation: the fields of its request, and no others.
pub fn arguments<O: Operation>() -> Value {
    arguments_of::<O::Request>()
}

/// The arguments of a tool: the fields of a request, and no others.
pub fn arguments_of<R: Request>() -> Value {
    closed(R::schema())
}

/// Arguments of a tool that are described here; those in `required` must be given.
pub fn own(properties: &Value, required: &[&str]) -> Value {
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

/// Adds arguments to those of an operation.
pub fn with(mut arguments: Value, others: &Value) -> Value {
    if let (Some(properties), Some(others)) = (arguments["properties"].as_object_mut(), others.as_object()) {
        properties.extend(others.clone());
    }
    arguments
}

/// Leaves out an argument of an operation.
pub fn without(mut arguments: Value, name: &str) -> Value {
    if let Some(properties) = arguments["properties"].as_object_mut() {
        properties.shift_remove(name);
    }
    arguments
}

/// Makes a request's schema one of arguments. The whole format of a composition is more than a model should read with
/// every request: it gets an outline, and get_guide returns the rest.
fn closed(mut schema: Value) -> Value {
    if let Some(fields) = schema.as_object_mut() {
        for key in ["$schema", "title", "description"] {
            fields.shift_remove(key);
        }
        fields.insert("additionalProperties".to_owned(), false.into());
    }
    for field in ["inputProps", "composition"] {
        if let Some(composition) = schema.pointer_mut(&format!("/properties/{field}")) {
            *composition = outline();
        }
    }
    keep_used_definitions(&mut schema);
    schema
}

/// Removes the `$defs` that nothing refers to.
fn keep_used_definitions(schema: &mut Value) {
    let Some(Value::Object(all)) = schema.as_object_mut().and_then(|fields| fields.shift_remove("$defs"))
    else {
        return;
    };
    let mut used = Vec::new();
    references(schema, &mut used);
    let mut at = 0;
    while let Some(name) = used.get(at).cloned() {
        if let Some(part) = all.get(&name) {
            references(part, &mut used);
        }
        at += 1;
    }
    let kept: Map<String, Value> = all.into_iter().filter(|(name, _)| used.contains(name)).collect();
    if !kept.is_empty() {
        schema["$defs"] = Value::Object(kept);
    }
}

/// Names of the definitions that a schema refers to and that are not in the list yet.
pub fn references(schema: &Value, used: &mut Vec<String>) {
    match schema {
        Value::Array(items) => items.iter().for_each(|item| references(item, used)),
        Value::Object(fields) => {
            for (key, field) in fields {
                match field.as_str().and_then(|text| text.strip_prefix("#/$defs/")) {
                    Some(name) if key == "$ref" && !used.iter().any(|known| known == name) => {
                        used.push(name.to_owned());
                    }
                    _ => references(field, used),
                }
            }
        }
        _ => {}
    }
}

/// A composition in outline.
pub fn outline() -> Value {
    json!({
        "type": "object",
        "description": "A whole composition. Exactly one of inputProps, templateId and projectId is given.",
        "required": ["durationInFrames", "overlays"],
        "properties": {
            "width": {"type": "integer", "minimum": 16, "maximum": 4096, "default": 1920, "description": "Pixels"},
            "height": {"type": "integer", "minimum": 16, "maximum": 4096, "default": 1080, "description": "Pixels"},
            "fps": {"type": "integer", "minimum": 1, "maximum": 120, "default": 30},
            "durationInFrames": {"type": "integer", "minimum": 1, "description": "Length of the film: seconds × fps"},
            "backgroundColor": {"type": "string", "default": "white", "description": "Any CSS color"},
            "overlays": {
                "type": "array",
                "description": "What is seen and heard. Fields beyond these depend on the type: see get_guide",
                "items": {
                    "type": "object",
                    "required": ["id", "type", "row", "from", "durationInFrames", "left", "top", "width", "height"],
                    "properties": {
                        "id": {"type": "number", "description": "Unique in the composition"},
                        "type": {"type": "string", "enum": rondo_composition::OVERLAY_TYPES},
                        "row": {"type": "number", "description": "0 is in front; higher rows are behind"},
                        "from": {"type": "number", "description": "First frame"},
                        "durationInFrames": {"type": "number", "description": "Length in frames"},
                        "left": {"type": "number", "description": "Pixels"},
                        "top": {"type": "number", "description": "Pixels"},
                        "width": {"type": "number", "description": "Pixels"},
                        "height": {"type": "number", "description": "Pixels"},
                        "rotation": {"type": "number", "description": "Degrees"},
                        "content": {"type": "string", "description":
                            "text: what is written; shape, sticker, effect: the name, from list_registry"},
                        "src": {"type": "string", "description": "image, video, sound: an http(s) URL"},
                        "captions": {"type": "array", "description": "caption: sentences with the time of each word"},
                        "styles": {"type": "object", "description": "CSS values, and animation: {enter, exit, during, …}"},
                        "isDynamic": {"type": "boolean", "description": "Makes the overlay a variable"},
                        "name": {"type": "string", "description": "The name of the variable"}
                    }
                }
            }
        }
    })
}
