//! Discovery documents for clients: the protected resources (RFC 9728) and the authorization server (RFC 8414).

use std::sync::Arc;

use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use serde_json::{Value, json};

use crate::app::App;
use crate::scopes::SCOPES;

pub fn routes() -> Router<Arc<App>> {
    let server = "/.well-known/oauth-authorization-server";
    let resource = "/.well-known/oauth-protected-resource";
    let mut routes = Router::new()
        .route(server, get(authorization_server))
        .route("/.well-known/openid-configuration", get(authorization_server));
    for path in ["", "/api/v1", "/api/mcp"] {
        let describe = async move |State(app): State<Arc<App>>| Json(protected_resource(&app, path));
        routes = routes.route(&format!("{resource}{path}"), get(describe));
    }
    routes
}

fn protected_resource(app: &App, path: &str) -> Value {
    json!({
        "resource": app.service.links.url(path),
        "authorization_servers": [app.service.links.public_url()],
        "scopes_supported": SCOPES.map(|scope| scope.name),
        "bearer_methods_supported": ["header"],
        "resource_name": "Rondo",
        "resource_documentation": app.service.links.url("/docs/sign-in"),
    })
}

async fn authorization_server(State(app): State<Arc<App>>) -> Json<Value> {
    let ways = ["none", "client_secret_post", "client_secret_basic"];
    Json(json!({
        "issuer": app.service.links.public_url(),
        "authorization_endpoint": app.service.links.url("/oauth/authorize"),
        "token_endpoint": app.service.links.url("/oauth/token"),
        "registration_endpoint": app.service.links.url("/oauth/register"),
        "revocation_endpoint": app.service.links.url("/oauth/revoke"),
        "introspection_endpoint": app.service.links.url("/oauth/introspect"),
        "service_documentation": app.service.links.url("/docs/sign-in"),
        "scopes_supported": SCOPES.map(|scope| scope.name),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ways,
        "revocation_endpoint_auth_methods_supported": ways,
        "authorization_response_iss_parameter_supported": true,
        "client_id_metadata_document_supported": true,
    }))
}
