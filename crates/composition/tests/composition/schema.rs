//! The exported JSON Schema.

use rondo_composition::{OVERLAY_TYPES, RenderRequest, schema};
use serde_json::{Value, json};

#[test]
fn the_schema_names_every_overlay_type_by_its_constant() {
    let schema = schema();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    assert_eq!(schema["required"], json!(["overlays", "durationInFrames"]));
    let types: Vec<&Value> = schema["properties"]["overlays"]["items"]["oneOf"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| {
            let pointer = item["$ref"].as_str().unwrap().trim_start_matches('#');
            &schema.pointer(pointer).unwrap()["properties"]["type"]["const"]
        })
        .collect();
    assert_eq!(json!(types), json!(OVERLAY_TYPES));
    for name in ["text", "video", "image", "sound", "shape", "sticker", "caption", "effect"] {
        assert!(OVERLAY_TYPES.contains(&name), "{name}");
    }
}

#[test]
fn fields_carry_descriptions_defaults_names_and_ranges() {
    let schema = schema();
    let styles = &schema["$defs"]["ImageStyles"]["properties"];
    assert_eq!(
        styles["opacity"],
        json!({
            "type": "number", "minimum": 0, "maximum": 1, "default": 1,
            "description": "Opacity of the whole layer.",
        })
    );
    assert_eq!(styles["objectFit"]["enum"], json!(["cover", "contain", "fill", "none", "scale-down"]));
    assert_eq!(styles["objectFit"]["default"], "cover");
    assert_eq!(schema["properties"]["fps"]["maximum"], 120);
}

#[test]
fn the_schema_of_a_request_has_every_field_it_takes() {
    let schema = RenderRequest::schema();
    let keys: Vec<&str> = schema["properties"].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(
        keys,
        [
            "inputProps",
            "templateId",
            "projectId",
            "replacements",
            "width",
            "height",
            "fps",
            "durationInFrames",
            "output",
            "audio",
            "metadata",
            "draft",
            "createProject",
            "projectName",
            "webhookUrl",
            "confirmAiCost",
        ]
    );
    assert!(schema["properties"].as_object().unwrap().values().all(|field| field["description"].is_string()));
    assert_eq!(schema["properties"]["inputProps"]["$ref"], "#/$defs/Composition");
    let output = &schema["$defs"]["Output"]["properties"];
    assert!(output["format"]["enum"].as_array().unwrap().contains(&json!("webm")));
    assert_eq!(output["scale"]["exclusiveMinimum"], 0);
    let value = &schema["properties"]["replacements"]["additionalProperties"];
    assert_eq!(value["$ref"], "#/$defs/ReplacementValue");
    let values = &schema["$defs"]["ReplacementValue"]["anyOf"];
    assert_eq!(values[1]["$ref"], "#/$defs/NarrationValue");
    assert_eq!(schema["$defs"]["Narration"]["properties"]["text"]["maxLength"], 10_000);
    assert_eq!(schema["$defs"]["ChannelThresholds"]["type"], "object");
}

#[test]
fn every_reference_points_somewhere() {
    fn follow(value: &Value, schema: &Value) {
        match value {
            Value::Object(fields) => {
                if let Some(target) = fields.get("$ref").and_then(Value::as_str) {
                    assert!(schema.pointer(target.trim_start_matches('#')).is_some(), "{target}");
                }
                fields.values().for_each(|value| follow(value, schema));
            }
            Value::Array(items) => items.iter().for_each(|value| follow(value, schema)),
            _ => {}
        }
    }
    for schema in [schema(), RenderRequest::schema()] {
        follow(&schema, &schema);
    }
}
