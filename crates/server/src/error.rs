//! What the service answers when it cannot do what was asked: always the same envelope, a sentence for people and a
//! reason for programs.

use axum::Json;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use rondo_composition::Problem;
use serde_json::{Map, Value, json};

use crate::envelope::Issue;

/// An answer that is not a success.
#[derive(Debug, Clone)]
pub struct ApiError {
    pub status: StatusCode,
    /// Machine-readable, in `details.reason`.
    pub reason: &'static str,
    /// A sentence.
    pub message: String,
    /// The rest of `details`.
    pub details: Box<Map<String, Value>>,
    headers: Vec<(HeaderName, HeaderValue)>,
}

/// What a handler gives back.
pub type ApiResult<T> = Result<T, ApiError>;

impl ApiError {
    pub fn new(status: StatusCode, reason: &'static str, message: impl Into<String>) -> Self {
        Self { status, reason, message: message.into(), details: Box::default(), headers: Vec::new() }
    }

    /// 400: the request is not of the right shape.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "INVALID_REQUEST", message)
    }

    /// 400: one field is not of the right shape.
    pub fn invalid_field(path: &str, message: impl Into<String>) -> Self {
        let message = message.into();
        let issue = json!([{"path": path, "code": "INVALID_REQUEST", "message": message}]);
        Self::invalid(message).with("issues", issue)
    }

    /// 422: the request is well formed but cannot be processed.
    pub fn unprocessable(reason: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, reason, message)
    }

    /// 422 about one field.
    pub fn unprocessable_field(reason: &'static str, path: &str, message: impl Into<String>) -> Self {
        let message = message.into();
        let issue = json!([{"path": path, "code": reason, "message": message}]);
        Self::unprocessable(reason, message).with("issues", issue)
    }

    /// 401. Where credentials are had is told by the guard, which knows the address.
    pub fn unauthorized(message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "UNAUTHORIZED", message)
    }

    /// 402, with whole credits.
    pub fn insufficient_credits(needed: i64, available: i64) -> Self {
        let short = (needed - available).max(0);
        Self::new(
            StatusCode::PAYMENT_REQUIRED,
            "INSUFFICIENT_CREDITS",
            format!("Insufficient credits: {needed} needed, {available} available. Add {short} more."),
        )
        .with("creditsNeeded", needed)
        .with("creditsAvailable", available)
        .with("creditsShort", short)
    }

    /// 403: it exists, and belongs to someone else.
    pub fn forbidden(resource: &str) -> Self {
        let message = format!("The {resource} belongs to another account.");
        Self::new(StatusCode::FORBIDDEN, "FORBIDDEN", message).with("resource", resource)
    }

    /// 404 for a resource.
    pub fn not_found(resource: &str) -> Self {
        let message = format!("There is no such {resource}.");
        Self::new(StatusCode::NOT_FOUND, "NOT_FOUND", message).with("resource", resource)
    }

    /// 500. What happened is logged, never shown.
    pub fn internal(error: impl std::fmt::Display) -> Self {
        tracing::error!(%error, "internal error");
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "INTERNAL",
            "Something went wrong on our side. Try again, and name the X-Request-Id if it stays.",
        )
    }

    /// Another reason than the usual one of this status.
    pub fn reason(mut self, reason: &'static str) -> Self {
        self.reason = reason;
        self
    }

    /// Adds a field to `details`.
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.details.insert(key.to_owned(), value.into());
        self
    }

    /// Adds a response header; a value that no header can hold is left out.
    pub fn header(mut self, name: HeaderName, value: &str) -> Self {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.headers.push((name, value));
        }
        self
    }

    /// Everything wrong with the request, each at its place; empty where there is no more to say than the sentence.
    pub fn issues(&self) -> Vec<Issue> {
        let issues = self.details.get("issues").cloned().unwrap_or_default();
        serde_json::from_value(issues).unwrap_or_default()
    }

    pub fn body(&self) -> Value {
        let mut details = Map::new();
        details.insert("reason".into(), self.reason.into());
        details.extend(Map::clone(&self.details));
        json!({"success": false, "error": self.message, "details": details})
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.body())).into_response();
        for (name, value) in self.headers {
            response.headers_mut().insert(name, value);
        }
        response
    }
}

/// What the store refuses and no handler has answered itself.
impl From<rondo_store::StoreError> for ApiError {
    fn from(error: rondo_store::StoreError) -> Self {
        Self::internal(error)
    }
}

/// Problems of a composition or a request body: 400 for a wrong shape, 422 for a wrong meaning, every problem listed.
impl From<rondo_composition::Error> for ApiError {
    fn from(error: rondo_composition::Error) -> Self {
        let problems = error.problems();
        let first = problems.first().map_or_else(|| error.to_string(), Problem::to_string);
        let message = match problems.len() {
            0 | 1 => first,
            n => format!("{first} ({} more in details.issues.)", n - 1),
        };
        let status =
            if error.is_malformed() { StatusCode::BAD_REQUEST } else { StatusCode::UNPROCESSABLE_ENTITY };
        let issues: Vec<Value> = problems
            .iter()
            .map(|p| json!({"path": p.path, "code": p.kind.reason(), "message": p.to_string()}))
            .collect();
        Self::new(status, error.reason(), message).with("issues", issues)
    }
}
