//! The description of the API, made from the handlers: GET /api/v1/openapi.json.

use std::sync::{Arc, OnceLock};

use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};
use std::net::SocketAddr;
use utoipa::OpenApi;

use crate::api::{account, ai, auth, previews, projects, registry, renders, templates, uploads, webhooks};
use crate::app::App;
use crate::envelope::Failure;
use crate::limit::{ANONYMOUS_LIMIT, Sender};
use crate::oauth::SCOPES;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Rondo",
        description = "Video from compositions, templates and projects. Every success is `{success: true, data}`, \
                       everything else `{success: false, error, details}` with `details.reason`."
    ),
    tags(
        (name = "Renders", description = "Films: ask for one, follow it, fetch it"),
        (name = "Previews", description = "Look before you render, free of charge"),
        (name = "Templates", description = "Films ready to be filled in"),
        (name = "Projects", description = "Your own saved films"),
        (name = "Speech", description = "Texts spoken, recordings written down"),
        (name = "Uploads", description = "Media of yours, for use in films"),
        (name = "Webhooks", description = "Be called when a render ends"),
        (name = "Account", description = "Who you are, what you have, what you used"),
        (name = "Registry", description = "Every name a composition may use"),
    ),
    paths(
        renders::create::create,
        renders::list::list,
        renders::get::get,
        renders::cancel::cancel,
        renders::cancel::delete,
        renders::events::events,
        previews::create,
        templates::list,
        templates::variables,
        projects::list,
        projects::variables,
        ai::voiceover,
        ai::captions,
        ai::voices,
        uploads::create,
        webhooks::create,
        webhooks::list,
        webhooks::remove,
        webhooks::deliveries,
        webhooks::test,
        webhooks::rotate,
        auth::verify,
        account::account,
        account::usage,
        account::transactions,
        registry::registry,
    ),
    components(schemas(Failure))
)]
struct Description;

/// The document. It is public, and says where an address stands in its window without counting.
pub async fn document(
    State(app): State<Arc<App>>,
    ConnectInfo(connection): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
) -> Response {
    let text = text(&app.public_url);
    let mut response = ([(header::CONTENT_TYPE, "application/json")], text).into_response();
    let sender = Sender::Address(app.sender(&headers, connection));
    app.limiter.peek(&sender, ANONYMOUS_LIMIT).write(response.headers_mut());
    response
}

/// The document as text; made once, since the public address does not change while the service runs.
fn text(public_url: &str) -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| describe(public_url).to_string())
}

/// The document with what all operations share.
pub fn describe(public_url: &str) -> Value {
    let mut document = serde_json::to_value(Description::openapi()).unwrap_or_default();
    document["servers"] = json!([{"url": format!("{public_url}/api/v1")}]);
    document["security"] = json!([{"key": []}]);
    let scopes: Map<String, Value> =
        SCOPES.iter().map(|scope| (scope.name.to_owned(), scope.words.into())).collect();
    document["components"]["securitySchemes"] = json!({
        "key": {"type": "http", "scheme": "bearer", "description": "An API key, rnd_…"},
        "app": {"type": "oauth2", "description": "An access token, rnt_…", "flows": {"authorizationCode": {
            "authorizationUrl": format!("{public_url}/oauth/authorize"),
            "tokenUrl": format!("{public_url}/oauth/token"),
            "refreshUrl": format!("{public_url}/oauth/token"),
            "scopes": scopes,
        }}},
    });
    add_composition(&mut document);
    for (path, operations) in document["paths"].as_object_mut().into_iter().flatten() {
        for (method, operation) in operations.as_object_mut().into_iter().flatten() {
            add_shared_answers(path, method, operation);
            operation["security"] = json!([{"key": []}, {"app": scopes_of(path, method, operation)}]);
        }
    }
    document
}

/// The scope an operation is about; none for those that are about nothing in particular.
fn scopes_of(path: &str, method: &str, operation: &Value) -> Vec<&'static str> {
    let scope = match operation["tags"][0].as_str() {
        Some("Renders") if method == "get" => "renders:read",
        Some("Renders") => "renders:write",
        Some("Previews") => "previews:write",
        Some("Templates") => "templates:read",
        Some("Projects") => "projects:read",
        Some("Speech") => "ai:write",
        Some("Uploads") => "uploads:write",
        Some("Webhooks") => "webhooks:write",
        Some("Account") if path != "/auth/verify" => "account:read",
        _ => return Vec::new(),
    };
    vec![scope]
}

/// What any operation may answer, beside what its handler says.
fn add_shared_answers(path: &str, method: &str, operation: &mut Value) {
    let takes_body = operation.get("requestBody").is_some();
    let mut shared = vec![
        ("401", "The key is missing, malformed, revoked or unknown"),
        ("429", "Too many requests; Retry-After says when to come back"),
        ("500", "Something went wrong on our side"),
        ("503", "The service is about to restart; Retry-After says when to come back"),
    ];
    if takes_body {
        shared.extend([
            ("400", "The request is malformed"),
            ("413", "The body is larger than 5 MB"),
            ("415", "The body is not sent as application/json"),
            ("422", "The request is well formed but cannot be processed"),
        ]);
    }
    if method == "post" && path != "/auth/verify" {
        shared.extend([
            ("400", "The Idempotency-Key cannot be used"),
            ("409", "A request with the same Idempotency-Key is being answered"),
            ("422", "The Idempotency-Key was used for another request"),
        ]);
        let header = json!({
            "name": "Idempotency-Key", "in": "header", "required": false,
            "description": "A repeated request with the same key gets the first answer, for 24 hours",
            "schema": {"type": "string", "minLength": 1, "maxLength": 255},
        });
        match operation.get_mut("parameters").and_then(Value::as_array_mut) {
            Some(parameters) if parameters.iter().any(|known| known["name"] == header["name"]) => {}
            Some(parameters) => parameters.push(header),
            None => operation["parameters"] = json!([header]),
        }
    }
    let Some(answers) = operation.get_mut("responses").and_then(Value::as_object_mut) else { return };
    for (status, description) in shared {
        answers.entry(status).or_insert_with(|| {
            json!({
                "description": description,
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Failure"}}},
            })
        });
    }
    sort(answers);
}

fn sort(fields: &mut Map<String, Value>) {
    let mut sorted: Vec<_> = std::mem::take(fields).into_iter().collect();
    sorted.sort_by(|a, b| a.0.cmp(&b.0));
    fields.extend(sorted);
}

/// The composition format as a schema of its own, with its parts beside it.
fn add_composition(document: &mut Value) {
    let mut schema = rondo_composition::schema();
    rename_references(&mut schema);
    let Some(fields) = schema.as_object_mut() else { return };
    fields.remove("$schema");
    let parts = fields.remove("$defs");
    let Some(schemas) = document["components"]["schemas"].as_object_mut() else { return };
    for (name, part) in parts.as_ref().and_then(Value::as_object).into_iter().flatten() {
        schemas.insert(name.clone(), part.clone());
    }
    schemas.insert("Composition".into(), schema);
    for body in ["RenderBody", "PreviewBody"] {
        point_to_composition(schemas.get_mut(body));
    }
}

fn rename_references(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(rename_references),
        Value::Object(fields) => {
            for (key, field) in fields {
                match field {
                    Value::String(text) if key == "$ref" => {
                        *text = text.replace("#/$defs/", "#/components/schemas/");
                    }
                    _ => rename_references(field),
                }
            }
        }
        _ => {}
    }
}

/// Makes `inputProps` of a body a composition.
fn point_to_composition(body: Option<&mut Value>) {
    let Some(body) = body else { return };
    if let Some(props) = body.pointer_mut("/properties/inputProps") {
        *props = json!({
            "description": "A whole composition",
            "oneOf": [{"$ref": "#/components/schemas/Composition"}, {"type": "null"}],
        });
    }
    for part in body.get_mut("allOf").and_then(Value::as_array_mut).into_iter().flatten() {
        point_to_composition(Some(part));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_names_its_shared_answers_and_every_reference_leads_somewhere() {
        let document = describe("https://video.example.com");
        let mut references = Vec::new();
        collect(&document, &mut references);
        assert!(references.len() > 50);
        for reference in references {
            let pointer = reference.trim_start_matches('#');
            assert!(document.pointer(pointer).is_some(), "{reference} leads nowhere");
        }
        let mut ids = std::collections::BTreeSet::new();
        for (path, operations) in document["paths"].as_object().unwrap() {
            for (method, operation) in operations.as_object().unwrap() {
                assert!(ids.insert(operation["operationId"].to_string()), "{method} {path} has another's id");
                for scope in operation["security"][1]["app"].as_array().unwrap() {
                    assert!(SCOPES.iter().any(|known| scope == known.name), "{method} {path}: {scope}");
                }
                for status in ["200", "401", "429", "500"] {
                    assert!(operation["responses"].get(status).is_some(), "{method} {path} lacks {status}");
                }
                let mut names: Vec<&Value> =
                    operation["parameters"].as_array().into_iter().flatten().map(|it| &it["name"]).collect();
                if names.contains(&&json!("Idempotency-Key")) {
                    assert!(operation["responses"].get("400").is_some(), "{method} {path} lacks 400");
                }
                let all = names.len();
                names.sort_by_key(|name| name.to_string());
                names.dedup();
                assert_eq!(names.len(), all, "{method} {path} has a parameter twice");
            }
        }
        let props = document.pointer("/components/schemas/RenderBody/properties/inputProps").unwrap();
        assert_eq!(props["oneOf"][0]["$ref"], "#/components/schemas/Composition");
    }

    fn collect(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
            Value::Object(fields) => {
                for (key, field) in fields {
                    match field {
                        Value::String(text) if key == "$ref" => found.push(text.clone()),
                        _ => collect(field, found),
                    }
                }
            }
            _ => {}
        }
    }
}
