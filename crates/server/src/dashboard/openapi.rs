//! The description of the operations behind the dashboard: GET /api/dashboard/openapi.json.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};
use utoipa::OpenApi;

use super::operator::{accounts, invites, queue};
use super::{apps, events, keys, profile, projects, renders, session, usage, webhooks};
use crate::app::App;
use crate::envelope::Failure;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Rondo dashboard",
        description = "What the pages of the service use beside /api/v1. It changes with them; programs use /api/v1."
    ),
    paths(
        session::session,
        session::sign_up,
        session::sign_in,
        session::sign_out,
        session::forgot,
        session::reset,
        profile::rename,
        profile::change_password,
        profile::list,
        profile::end,
        keys::list,
        keys::create,
        keys::revoke,
        renders::read,
        events::events,
        usage::usage,
        webhooks::deliveries,
        webhooks::replay,
        webhooks::reactivate,
        projects::read,
        apps::list,
        apps::revoke,
        accounts::list,
        accounts::change,
        invites::list,
        invites::create,
        invites::remove,
        queue::queue,
        queue::workers,
    ),
    components(schemas(Failure, events::RenderEvent, events::AccountEvent))
)]
struct Description;

/// The document.
pub async fn document(State(app): State<Arc<App>>) -> Json<Value> {
    Json(describe(&app.public_url))
}

fn describe(public_url: &str) -> Value {
    let mut document = serde_json::to_value(Description::openapi()).unwrap_or_default();
    document["servers"] = json!([{"url": format!("{public_url}/api/dashboard")}]);
    document["security"] = json!([{"session": []}]);
    document["components"]["securitySchemes"] = json!({
        "session": {"type": "apiKey", "in": "cookie", "name": "__Host-rondo"}
    });
    for (_, operations) in document["paths"].as_object_mut().into_iter().flatten() {
        for (_, operation) in operations.as_object_mut().into_iter().flatten() {
            let failure = json!({
                "description": "Refused: `details.reason` says why",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Failure"}}},
            });
            operation["responses"]["default"] = failure.clone();
            for (status, answer) in operation["responses"].as_object_mut().into_iter().flatten() {
                if status != "200" {
                    answer["content"] = failure["content"].clone();
                }
            }
        }
    }
    document
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_has_an_id_of_its_own_and_tells_how_it_fails() {
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
}
