//! The description of the dashboard's endpoints: GET /api/dashboard/openapi.json.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::endpoints::endpoints;
use super::events;
use crate::app::App;
use crate::http::endpoint::{Components, failure, paths};
use crate::http::openapi::{add_composition, defaults};

/// The document.
pub async fn document(State(app): State<Arc<App>>) -> Json<Value> {
    Json(describe(app.service.links.public_url()))
}

fn describe(public_url: &str) -> Value {
    let mut components = Components::default();
    add_composition(&mut components);
    components.add_failure();
    let mut paths = paths(&endpoints(), &mut components);
    paths.insert(events::PATH.to_owned(), json!({"get": events::operation(&mut components)}));
    for (_, operations) in &mut paths {
        for (_, operation) in operations.as_object_mut().into_iter().flatten() {
            operation["responses"]["default"] = failure("An error: `details.reason` is its code");
        }
    }
    defaults::describe(&mut components.0);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Rondo dashboard",
            "version": env!("CARGO_PKG_VERSION"),
            "license": {"name": "MIT OR Apache-2.0"},
            "description": "What the service's own pages use beside /api/v1. It changes with them; programs use \
                            /api/v1.",
        },
        "servers": [{"url": format!("{public_url}/api/dashboard")}],
        "security": [{"session": []}],
        "paths": paths,
        "components": {
            "schemas": components.0,
            "securitySchemes": {"session": {"type": "apiKey", "in": "cookie", "name": "__Host-rondo"}},
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_has_an_id_of_its_own_and_describes_its_errors() {
        let document = describe("https://video.example.com");
        let mut ids = std::collections::BTreeSet::new();
        for (path, operations) in document["paths"].as_object().unwrap() {
            for (method, operation) in operations.as_object().unwrap() {
                assert!(ids.insert(operation["operationId"].to_string()), "{method} {path} has another's id");
                let failure =
                    &operation["responses"]["default"]["content"]["application/json"]["schema"]["$ref"];
                let pointer = failure.as_str().unwrap().trim_start_matches('#');
                assert!(document.pointer(pointer).is_some());
            }
        }
        assert!(ids.len() > 25);
    }

    #[test]
    fn fields_of_the_path_are_not_in_the_body() {
        let document = describe("https://video.example.com");
        let body = &document["components"]["schemas"]["AccountChange"];
        assert!(body["properties"]["credits"].is_object() && body["properties"]["id"].is_null());
        assert!(!body["required"].to_string().contains("id"));
        let parameters = &document["paths"]["/operator/accounts/{id}"]["patch"]["parameters"];
        assert_eq!((&parameters[0]["name"], &parameters[0]["in"]), (&json!("id"), &json!("path")));
    }
}
