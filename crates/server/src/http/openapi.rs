//! The description of the API, made from the handlers: GET /api/v1/openapi.json.

pub mod defaults;
mod examples;
mod headers;
mod outside;
#[cfg(test)]
mod rules;

use std::sync::{Arc, OnceLock};

use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};
use std::net::SocketAddr;

use rondo_service::limit::{ANONYMOUS_LIMIT, Sender};

use super::endpoint::{Components, paths};
use super::{api, events, limits};
use crate::app::App;
use crate::scopes::SCOPES;

/// What each tag is about.
const TAGS: [(&str, &str); 13] = [
    ("Renders", "Create, follow and fetch films"),
    ("Previews", "Check a film before rendering, free of charge"),
    ("Imports", "Bring films over from other services, free of charge"),
    ("Templates", "Films with variables to fill in"),
    ("Projects", "Your saved films"),
    ("Speech", "Text to speech, and speech to text"),
    ("Uploads", "Your own media"),
    ("Stock", "Photos and videos of stock providers, where the operator has keys"),
    ("Brand", "Your logo, colours and fonts"),
    ("Webhooks", "Get notified when a render ends"),
    ("Destinations", "Your own buckets, which films are copied to"),
    ("Account", "Your account, credits and usage"),
    ("Registry", "Every name a composition may use"),
];

/// The document. It is public, and says where an address stands in its window without counting.
pub async fn document(
    State(app): State<Arc<App>>,
    ConnectInfo(connection): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
) -> Response {
    let text = text(app.service.links.public_url());
    let mut response = ([(header::CONTENT_TYPE, "application/json")], text).into_response();
    let sender = Sender::at(app.sender(&headers, connection));
    limits::write(app.limiter.peek(&sender, ANONYMOUS_LIMIT).await, response.headers_mut());
    response
}

/// The document as text; made once, since the public address does not change while the service runs.
fn text(public_url: &str) -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| describe(public_url).to_string())
}

/// The document with what all operations share.
pub fn describe(public_url: &str) -> Value {
    let mut components = Components::default();
    add_composition(&mut components);
    components.add_failure();
    let mut paths = paths(&api::endpoints(), &mut components);
    paths.insert(events::PATH.to_owned(), json!({"get": events::operation(&mut components)}));
    for (path, operations) in &mut paths {
        for (method, operation) in operations.as_object_mut().into_iter().flatten() {
            add_shared_answers(path, method, operation);
            headers::add(operation);
            operation["security"] = json!([{"key": []}, {"app": scopes_of(path, method, operation)}]);
        }
    }
    paths[outside::UPLOAD_PATH]["put"] = outside::upload(&mut components, public_url);
    let mut webhooks = outside::webhooks(&mut components);
    defaults::describe(&mut components.0);
    let described =
        paths.values_mut().chain(webhooks.as_object_mut().into_iter().flat_map(|all| all.values_mut()));
    for operations in described {
        for operation in operations.as_object_mut().into_iter().flat_map(|all| all.values_mut()) {
            examples::add(operation, &components.0);
        }
    }
    let failure = examples::of(&json!({"$ref": "#/components/schemas/Failure"}), &components.0);
    components.0["Failure"]["examples"] = json!([failure]);
    let scopes: Map<String, Value> =
        SCOPES.iter().map(|scope| (scope.name.to_owned(), scope.words.into())).collect();
    let tags: Vec<Value> =
        TAGS.iter().map(|(name, about)| json!({"name": name, "description": about})).collect();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Rondo",
            "version": env!("CARGO_PKG_VERSION"),
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
            "description": "Video from compositions, templates and projects. Every success is `{success: true, data}`, \
                            everything else `{success: false, error, details}` with `details.reason`.",
        },
        "servers": [{"url": format!("{public_url}/api/v1")}],
        "security": [{"key": []}],
        "tags": tags,
        "paths": paths,
        "webhooks": webhooks,
        "components": {
            "schemas": components.0,
            "headers": headers::components(),
            "securitySchemes": {
                "key": {"type": "http", "scheme": "bearer", "description": "An API key, rnd_…"},
                "app": {"type": "oauth2", "description": "An access token, rnt_…", "flows": {"authorizationCode": {
                    "authorizationUrl": format!("{public_url}/oauth/authorize"),
                    "tokenUrl": format!("{public_url}/oauth/token"),
                    "refreshUrl": format!("{public_url}/oauth/token"),
                    "scopes": scopes,
                }}},
            },
        },
    })
}

/// Adds the format of compositions, in which the alternatives of overlays have a name.
pub fn add_composition(components: &mut Components) {
    let schema = components.hoist(rondo_composition::schema());
    components.0.insert("Composition".to_owned(), schema);
    let item = &mut components.0["Composition"]["properties"]["overlays"]["items"];
    let mut overlay = std::mem::replace(item, json!({"$ref": "#/components/schemas/Overlay"}));
    overlay["description"] = "An element of a film. Its `type` says which one.".into();
    let mapping: Map<String, Value> = overlay["oneOf"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|part| {
            let name = part["$ref"].as_str()?;
            let schema = components.0.get(name.rsplit('/').next()?)?;
            Some((schema["properties"]["type"]["const"].as_str()?.to_owned(), name.into()))
        })
        .collect();
    overlay["discriminator"] = json!({"propertyName": "type", "mapping": mapping});
    components.0.insert("Overlay".to_owned(), overlay);
}

/// The scope an operation is about; none for those that are about nothing in particular.
fn scopes_of(path: &str, method: &str, operation: &Value) -> Vec<&'static str> {
    let scope = match operation["tags"][0].as_str() {
        Some("Renders") if method == "get" => "renders:read",
        Some("Renders") => "renders:write",
        Some("Previews" | "Imports") => "previews:write",
        Some("Templates") if method == "get" => "templates:read",
        // A template is made of a project.
        Some("Templates") => "projects:write",
        Some("Projects") if method == "get" => "projects:read",
        Some("Projects") => "projects:write",
        Some("Speech") => "ai:write",
        // The logo is an upload, and what is added of stock becomes one.
        Some("Uploads" | "Brand" | "Stock") => "uploads:write",
        Some("Webhooks") => "webhooks:write",
        Some("Destinations") => "destinations:write",
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
        ("429", "Too many requests; Retry-After says when to retry"),
        ("500", "Internal error"),
        ("503", "The service is about to restart; Retry-After says when to retry"),
    ];
    if takes_body {
        shared.extend([
            ("400", "The request is malformed"),
            ("413", "The body is larger than 5 MB"),
            ("415", "The body is not sent as application/json"),
            ("422", "The request is well formed but cannot be processed"),
        ]);
    }
    let parameters = operation["parameters"].as_array();
    if parameters.is_some_and(|all| all.iter().any(|parameter| parameter["in"] == "query")) {
        shared.push(("400", "A parameter is malformed"));
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
    let has_tag = method == "get" && !path.ends_with("/events");
    if has_tag {
        let known = json!({
            "name": "If-None-Match", "in": "header", "required": false,
            "description": "The `ETag` of what the caller has. The answer is 304 without a body while nothing has changed.",
            "schema": {"type": "string"},
        });
        match operation.get_mut("parameters").and_then(Value::as_array_mut) {
            Some(parameters) => parameters.push(known),
            None => operation["parameters"] = json!([known]),
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
    if has_tag {
        let headers = json!({"ETag": {"$ref": "#/components/headers/ETag"}});
        answers["200"]["headers"] = headers.clone();
        let unchanged = "Nothing has changed since the ETag in If-None-Match";
        answers.insert("304".into(), json!({"description": unchanged, "headers": headers}));
    }
    sort(answers);
}

fn sort(fields: &mut Map<String, Value>) {
    let mut sorted: Vec<_> = std::mem::take(fields).into_iter().collect();
    sorted.sort_by(|a, b| a.0.cmp(&b.0));
    fields.extend(sorted);
}
