//! The OAuth 2.1 authorization server: apps get access to an account when its person allows it.
//!
//! Authorization code with PKCE only, for apps that register themselves or are described by a document. Tokens are
//! opaque; the store keeps hashes of them.

mod asked;
mod authorize;
mod clients;
mod consent;
mod fields;
mod metadata;
mod redirect;
mod register;
mod token;

use std::sync::Arc;

use axum::Json;
use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde_json::json;

use crate::app::App;
use crate::http::error::ApiError;
use crate::http::fallback::wrong_method;
use crate::http::request::MOST_PUBLIC_BODY;

pub fn routes() -> Router<Arc<App>> {
    let for_programs = Router::new()
        .merge(metadata::routes())
        .route("/oauth/token", post(token::token))
        .route("/oauth/revoke", post(token::revoke))
        .route("/oauth/register", post(register::register))
        .method_not_allowed_fallback(wrong_method)
        .layer(from_fn(from_anywhere));
    Router::new()
        .route("/oauth/authorize", get(authorize::ask).post(authorize::decide))
        .route("/oauth/introspect", post(token::introspect))
        .merge(for_programs)
        .layer(DefaultBodyLimit::max(MOST_PUBLIC_BODY))
}

/// Lets the pages of any site read the answers: nothing here goes by cookies.
async fn from_anywhere(request: Request, next: Next) -> Response {
    let preflight = request.method() == Method::OPTIONS;
    let mut response =
        if preflight { StatusCode::NO_CONTENT.into_response() } else { next.run(request).await };
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    if preflight {
        headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST, OPTIONS"));
        headers.insert(
            header::ACCESS_CONTROL_ALLOW_HEADERS,
            HeaderValue::from_static("Authorization, Content-Type, MCP-Protocol-Version"),
        );
        headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("86400"));
    }
    response
}

/// A refusal as the standard writes it.
#[derive(Debug)]
pub struct OAuthError {
    status: StatusCode,
    /// One of the standard's codes.
    code: &'static str,
    description: String,
    retry_after: Option<u64>,
}

impl OAuthError {
    pub fn new(code: &'static str, description: impl Into<String>) -> Self {
        let status = match code {
            "invalid_client" => StatusCode::UNAUTHORIZED,
            "server_error" => StatusCode::INTERNAL_SERVER_ERROR,
            _ => StatusCode::BAD_REQUEST,
        };
        Self { status, code, description: description.into(), retry_after: None }
    }

    /// What an app is told in the address a person returns to.
    fn parameters(&self) -> [(&str, &str); 2] {
        [("error", self.code), ("error_description", &self.description)]
    }

    pub fn too_many(seconds: u64) -> Self {
        let description = format!("Too many registrations from this address. Try again in {seconds} s.");
        Self {
            status: StatusCode::TOO_MANY_REQUESTS,
            retry_after: Some(seconds),
            ..Self::new("temporarily_unavailable", description)
        }
    }
}

impl From<rondo_store::StoreError> for OAuthError {
    fn from(error: rondo_store::StoreError) -> Self {
        ApiError::from(error).into()
    }
}

impl From<ApiError> for OAuthError {
    fn from(error: ApiError) -> Self {
        let code = match error.status {
            StatusCode::SERVICE_UNAVAILABLE => "temporarily_unavailable",
            status if status.is_server_error() => "server_error",
            _ => "invalid_request",
        };
        Self { status: error.status, ..Self::new(code, error.message) }
    }
}

impl IntoResponse for OAuthError {
    fn into_response(self) -> Response {
        let body = json!({"error": self.code, "error_description": self.description});
        let mut response = (self.status, Json(body)).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Basic realm=\"rondo\""));
        }
        response
    }
}
