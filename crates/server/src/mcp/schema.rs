//! The schemas of tools: answers from the types of the API, and the film every film tool takes.

use serde_json::{Map, Value, json};
use utoipa::ToSchema;

/// The fields of a film in the arguments of a tool. They are read, and checked, as the body of a render is.
pub const FILM: [&str; 8] =
    ["inputProps", "templateId", "projectId", "replacements", "width", "height", "fps", "durationInFrames"];

/// The schema of a type of the API, complete in itself.
pub fn of<T: ToSchema>() -> Value {
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

/// References lead into the schema itself, and formats that JSON Schema does not know are left out.
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

/// Arguments of a tool that are all named here; those in `required` must be given.
pub fn arguments(properties: &Value, required: &[&str]) -> Value {
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

/// Arguments of a tool about a film, with others of its own.
pub fn film(others: &Value) -> Value {
    let mut properties = film_properties();
    if let (Some(properties), Some(others)) = (properties.as_object_mut(), others.as_object()) {
        properties.extend(others.clone());
    }
    arguments(&properties, &[])
}

/// The overlay here is an outline that a model can keep in mind; the whole format is what get_guide shows.
fn film_properties() -> Value {
    json!({
        "inputProps": {
            "type": "object",
            "description": "A whole composition. Exactly one of inputProps, templateId and projectId is given.",
            "required": ["durationInFrames", "overlays"],
            "properties": {
                "width": {"type": "integer", "minimum": 16, "maximum": 4096, "default": 1920, "description": "Pixels"},
                "height": {"type": "integer", "minimum": 16, "maximum": 4096, "default": 1080, "description": "Pixels"},
                "fps": {"type": "integer", "minimum": 1, "maximum": 120, "default": 30},
                "durationInFrames": {"type": "integer", "minimum": 1, "description": "Length of the film: seconds × fps"},
                "backgroundColor": {"type": "string", "default": "white", "description": "Any CSS colour"},
                "overlays": {
                    "type": "array",
                    "description": "What is seen and heard. Fields beyond these depend on the type: see get_guide",
                    "items": {
                        "type": "object",
                        "required": ["id", "type", "row", "from", "durationInFrames", "left", "top", "width", "height"],
                        "properties": {
                            "id": {"type": "number", "description": "Unique in the composition"},
                            "type": {"type": "string", "enum":
                                ["text", "image", "video", "sound", "shape", "sticker", "caption", "effect"]},
                            "row": {"type": "number", "description": "0 is in front; higher rows are behind"},
                            "from": {"type": "number", "description": "First frame"},
                            "durationInFrames": {"type": "number", "description": "How many frames it is there"},
                            "left": {"type": "number", "description": "Pixels"},
                            "top": {"type": "number", "description": "Pixels"},
                            "width": {"type": "number", "description": "Pixels"},
                            "height": {"type": "number", "description": "Pixels"},
                            "rotation": {"type": "number", "description": "Degrees"},
                            "content": {"type": "string", "description":
                                "text: what is written; shape, sticker, effect: the name, from list_registry"},
                            "src": {"type": "string", "description": "image, video, sound: an http(s) address"},
                            "captions": {"type": "array", "description": "caption: sentences with the time of each word"},
                            "styles": {"type": "object", "description": "CSS values, and animation: {enter, exit, during, …}"},
                            "isDynamic": {"type": "boolean", "description": "Makes the overlay a variable"},
                            "name": {"type": "string", "description": "The name of the variable"}
                        }
                    }
                }
            }
        },
        "templateId": {"type": "string", "description": "A template, from list_templates"},
        "projectId": {"type": "string", "description": "One of your projects, from list_projects"},
        "replacements": {
            "type": "object",
            "description": "Values for the variables of a template or project, by name: a text, or the address of media"
        },
        "width": {"type": "integer", "minimum": 16, "maximum": 4096, "description": "Instead of the film's own width"},
        "height": {"type": "integer", "minimum": 16, "maximum": 4096, "description": "Instead of the film's own height"},
        "fps": {"type": "integer", "minimum": 1, "maximum": 120, "description": "Instead of the film's own frame rate"},
        "durationInFrames": {"type": "integer", "minimum": 1, "description": "Instead of the film's own length"}
    })
}

/// `limit` and `cursor` of a list.
pub fn page(others: &Value) -> Value {
    let mut properties = json!({
        "limit": {"type": "integer", "minimum": 1, "maximum": 100, "description": "Items on a page"},
        "cursor": {"type": "string", "description": "The nextCursor of the page before"}
    });
    if let (Some(properties), Some(others)) = (properties.as_object_mut(), others.as_object()) {
        properties.extend(others.clone());
    }
    arguments(&properties, &[])
}
