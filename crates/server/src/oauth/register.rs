//! Apps that register themselves (RFC 7591).

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Json;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use rondo_store::AuthMethod;
use serde_json::{Map, Value, json};

use super::{OAuthError, clients};
use crate::app::App;
use crate::http::request::{MOST_PUBLIC_BODY, is_json, read_body_up_to};
use crate::scopes::all_scopes;
use rondo_service::limit::Sender;

/// Registrations an hour from one address.
const LIMIT: u32 = 120;

pub async fn register(
    State(app): State<Arc<App>>,
    ConnectInfo(connection): ConnectInfo<SocketAddr>,
    request: Request,
) -> Result<Response, OAuthError> {
    let (Parts { headers, extensions, .. }, body) = request.into_parts();
    let sender = Sender::at(app.sender(&headers, connection));
    let standing = app.registrations.count(sender, LIMIT).await;
    if standing.exceeded {
        return Err(OAuthError::too_many(standing.reset));
    }
    let invalid = |message: String| OAuthError::new("invalid_client_metadata", message);
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    if !content_type.is_some_and(is_json) {
        return Err(invalid("The body must be JSON, sent with Content-Type: application/json.".to_owned()));
    }
    let body = read_body_up_to(&extensions, body, MOST_PUBLIC_BODY).await?;
    let metadata: Map<String, Value> = serde_json::from_slice(&body)
        .map_err(|error| invalid(format!("The body is not a JSON object: {error}.")))?;
    let metadata = Value::Object(metadata);
    let redirect_uris = clients::read_redirects(&metadata["redirect_uris"])
        .map_err(|message| OAuthError::new("invalid_redirect_uri", message))?;
    let name = clients::read_name(&metadata["client_name"], &redirect_uris);
    let auth_method = match &metadata["token_endpoint_auth_method"] {
        Value::Null => AuthMethod::Basic,
        Value::String(text) => AuthMethod::parse(text).ok_or_else(|| {
            invalid(format!(
                "token_endpoint_auth_method is \"{}\", but must be none, client_secret_post or client_secret_basic.",
                text.chars().take(100).collect::<String>()
            ))
        })?,
        _ => return Err(invalid("token_endpoint_auth_method must be a text.".to_owned())),
    };
    let made = app.service.store.register_client(&name, &redirect_uris, auth_method).await?;
    let mut answer = json!({
        "client_id": made.client.id,
        "client_id_issued_at": made.client.updated_at.seconds(),
        "client_name": made.client.name,
        "redirect_uris": made.client.redirect_uris,
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": auth_method.as_str(),
        "scope": all_scopes(),
    });
    if let Some(secret) = made.secret {
        answer["client_secret"] = json!(secret);
        answer["client_secret_expires_at"] = json!(0);
    }
    Ok((StatusCode::CREATED, [(header::CACHE_CONTROL, "no-store")], Json(answer)).into_response())
}
