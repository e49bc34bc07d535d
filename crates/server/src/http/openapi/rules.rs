//! Rules that hold for the whole document.

#[path = "../../../tests/support/schema.rs"]
mod schema;

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use self::schema::{fits, resolved};
use super::describe;
use crate::scopes::SCOPES;

/// Names of fields that hold one of a closed list of words.
const WORDS: &[&str] = &[
    "status",
    "mode",
    "source",
    "severity",
    "code",
    "reason",
    "format",
    "codec",
    "quality",
    "kind",
    "event",
    "category",
    "visibility",
    "gender",
    "op",
    "area",
    "type",
    "overlayType",
    "field",
];

/// Fields with such a name that hold something else.
const NOT_WORDS: &[&str] =
    &["AiSkipped.reason", "Transcription.source", "RegistryEntry.category", "RegistryEntry.kind"];

/// Fields that hold any value.
const ANY_VALUE: &[&str] = &["Edit.value"];

fn document() -> Value {
    describe("https://video.example.com")
}

fn operations(document: &Value) -> Vec<(String, &Value)> {
    let mut all = Vec::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            all.push((format!("{method} {path}"), operation));
        }
    }
    assert!(all.len() > 40);
    all
}

fn schemas(document: &Value) -> &Map<String, Value> {
    document["components"]["schemas"].as_object().unwrap()
}

/// Every field of a named schema, as `Schema.field`.
fn fields(document: &Value) -> Vec<(String, &str, &Value)> {
    fn of<'a>(owner: &str, schema: &'a Value, all: &mut Vec<(String, &'a str, &'a Value)>) {
        for (field, schema) in schema["properties"].as_object().into_iter().flatten() {
            all.push((format!("{owner}.{field}"), field, schema));
        }
        for part in schema["allOf"].as_array().into_iter().flatten() {
            of(owner, part, all);
        }
    }
    let mut all = Vec::new();
    for (name, schema) in schemas(document) {
        of(name, schema, &mut all);
    }
    all
}

/// Whether a value is one of a closed list, `null` aside.
fn is_closed(document: &Value, schema: &Value) -> bool {
    let schema = resolved(document, schema);
    let alternatives = ["oneOf", "anyOf"].iter().filter_map(|key| schema[*key].as_array()).flatten();
    let mut alternatives = alternatives.filter(|part| part["type"] != "null").peekable();
    match alternatives.peek() {
        Some(_) => alternatives.all(|part| is_closed(document, part)),
        None => schema.get("enum").is_some() || schema.get("const").is_some(),
    }
}

#[test]
fn every_operation_has_an_id_a_summary_a_tag_answers_and_scopes() {
    let document = document();
    let tags: BTreeSet<&str> =
        document["tags"].as_array().unwrap().iter().map(|tag| tag["name"].as_str().unwrap()).collect();
    let mut ids = BTreeSet::new();
    for (at, operation) in operations(&document) {
        assert!(ids.insert(operation["operationId"].as_str().unwrap()), "{at} has another's id");
        assert!(
            operation["summary"].as_str().is_some_and(|summary| !summary.is_empty()),
            "{at} has no summary"
        );
        assert!(tags.contains(operation["tags"][0].as_str().unwrap()), "{at} has no tag");
        let is_public = operation["security"] == json!([]);
        let expected: &[&str] =
            if is_public { &["200", "403", "500"] } else { &["200", "401", "429", "500", "503"] };
        for status in expected {
            assert!(operation["responses"].get(status).is_some(), "{at} lacks {status}");
        }
        for scope in operation["security"][1]["app"].as_array().into_iter().flatten() {
            assert!(SCOPES.iter().any(|known| scope == known.name), "{at}: {scope}");
        }
        let mut names = BTreeSet::new();
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let name = parameter["name"].as_str().unwrap();
            assert!(names.insert(name), "{at} has {name} twice");
            assert!(parameter["description"].as_str().is_some_and(|text| text.len() > 5), "{at}: {name}");
            let schema = &parameter["schema"];
            if parameter["in"] == "query" && !is_public {
                assert!(operation["responses"].get("400").is_some(), "{at} lacks 400");
            }
            match name {
                "limit" => assert!(schema["minimum"] == 1 && schema["maximum"].is_u64(), "{at}"),
                "Idempotency-Key" => {
                    assert!(schema["minLength"] == 1 && schema["maxLength"] == 255, "{at}");
                    assert!(operation["responses"].get("400").is_some(), "{at} lacks 400");
                }
                _ if WORDS.contains(&name) => assert!(is_closed(&document, schema), "{at}: {name}"),
                _ => {}
            }
        }
    }
}

#[test]
fn every_reference_leads_somewhere_and_every_schema_is_used() {
    fn collect<'a>(value: &'a Value, found: &mut BTreeSet<&'a str>) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
            Value::Object(fields) => {
                for (key, field) in fields {
                    match field {
                        Value::String(text) if key == "$ref" => drop(found.insert(text)),
                        _ => collect(field, found),
                    }
                }
            }
            _ => {}
        }
    }
    let document = document();
    let mut references = BTreeSet::new();
    collect(&document, &mut references);
    for reference in &references {
        assert!(document.pointer(reference.trim_start_matches('#')).is_some(), "{reference} leads nowhere");
    }
    for name in schemas(&document).keys() {
        let used = references.contains(format!("#/components/schemas/{name}").as_str());
        assert!(used, "nothing refers to {name}");
    }
}

#[test]
fn bodies_have_names_and_examples_that_fit_them() {
    let document = document();
    let webhooks = document["webhooks"].as_object().unwrap();
    let mut all = operations(&document);
    all.extend(webhooks.iter().map(|(name, item)| (name.clone(), &item["post"])));
    for (at, operation) in all {
        let bodies = operation["responses"].as_object().unwrap().iter();
        for (status, content) in bodies.chain(operation.get("requestBody").map(|body| (&at, body))) {
            let Some(json) = content["content"].get("application/json") else { continue };
            let schema = &json["schema"];
            assert!(schema["$ref"].is_string(), "the body of {at} {status} has no name");
            if status == "200" || status == &at {
                assert!(json["example"].is_object(), "{at} {status} has no example");
                fits(&document, &json["example"], schema)
                    .unwrap_or_else(|why| panic!("{at} {status}: {why}"));
            }
            let is_success = status.starts_with('2');
            if status != &at {
                let success = &resolved(&document, schema)["properties"]["success"];
                assert_eq!(success["const"], is_success, "{at} {status}");
            }
        }
    }
}

#[test]
fn every_answer_has_its_headers() {
    let document = document();
    for (at, operation) in operations(&document).into_iter().filter(|(_, it)| it["security"] != json!([])) {
        for (status, answer) in operation["responses"].as_object().unwrap() {
            let has = |name: &str| answer["headers"].get(name).is_some();
            assert!(has("RateLimit-Remaining") && has("X-Request-Id"), "{at} {status}");
            assert!(has("X-RateLimit-Reset"), "{at} {status}");
            assert_eq!(has("Retry-After"), matches!(status.as_str(), "409" | "429" | "503"), "{at} {status}");
        }
    }
    let etag = &document["paths"]["/projects/{projectId}"]["get"]["responses"]["200"]["headers"]["ETag"];
    assert!(etag.is_object());
}

#[test]
fn closed_lists_are_enums_and_moments_are_date_times() {
    let document = document();
    for (at, field, schema) in fields(&document) {
        if WORDS.contains(&field) && !NOT_WORDS.contains(&at.as_str()) {
            assert!(is_closed(&document, schema), "{at} has no enum: {schema}");
        }
        if field.ends_with("At") {
            assert_eq!(schema["format"], "date-time", "{at}");
        }
        if field.ends_with("Url") && schema.get("$ref").is_none() {
            assert_eq!(schema["format"], "uri", "{at}");
        }
    }
}

#[test]
fn every_field_has_a_type_and_none_has_the_keyword_default() {
    let document = document();
    for (at, _, schema) in fields(&document) {
        assert!(
            schema.get("default").is_none(),
            "{at} has a default, which makes it required in generated types"
        );
        let keys = ["type", "$ref", "oneOf", "anyOf"];
        let typed = keys.iter().any(|key| schema.get(key).is_some());
        assert!(typed || ANY_VALUE.contains(&at.as_str()), "{at} has no type");
        if schema["type"] == "object" {
            let described = schema.get("properties").or(schema.get("additionalProperties"));
            assert!(described.is_some(), "{at} is an object without fields");
        }
    }
    let props = document.pointer("/components/schemas/RenderBody/properties/inputProps/$ref").unwrap();
    assert_eq!(props, "#/components/schemas/Composition");
}
