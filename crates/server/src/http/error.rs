//! Errors as HTTP responses: a status, and one envelope with a sentence for people and a reason for programs.

use axum::Json;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rondo_service::{ErrorKind, Issue, ServiceError};
use serde_json::{Map, Value, json};

/// A response that is not a success.
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

/// What a handler returns.
pub type ApiResult<T> = Result<T, ApiError>;

/// The status of an error of the service.
pub fn status(kind: ErrorKind) -> StatusCode {
    match kind {
        ErrorKind::Invalid => StatusCode::BAD_REQUEST,
        ErrorKind::Unauthenticated => StatusCode::UNAUTHORIZED,
        ErrorKind::InsufficientCredits => StatusCode::PAYMENT_REQUIRED,
        ErrorKind::Forbidden => StatusCode::FORBIDDEN,
        ErrorKind::NotFound => StatusCode::NOT_FOUND,
        ErrorKind::Conflict => StatusCode::CONFLICT,
        ErrorKind::Gone => StatusCode::GONE,
        ErrorKind::Stale => StatusCode::PRECONDITION_FAILED,
        ErrorKind::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        ErrorKind::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        ErrorKind::Unprocessable => StatusCode::UNPROCESSABLE_ENTITY,
        ErrorKind::TooManyRequests => StatusCode::TOO_MANY_REQUESTS,
        ErrorKind::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        ErrorKind::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
    }
}

impl ApiError {
    pub fn new(status: StatusCode, reason: &'static str, message: impl Into<String>) -> Self {
        Self { status, reason, message: message.into(), details: Box::default(), headers: Vec::new() }
    }

    /// 400: the request is malformed.
    pub fn invalid(message: impl Into<String>) -> Self {
        ServiceError::invalid(message).into()
    }

    /// 400: one field is malformed.
    pub fn invalid_field(path: &str, message: impl Into<String>) -> Self {
        ServiceError::invalid_field(path, message).into()
    }

    /// 401. The guard adds where to get credentials.
    pub fn unauthorized(message: impl Into<String>) -> Self {
        ServiceError::unauthenticated(message).into()
    }

    /// 404 for a resource.
    pub fn not_found(resource: &str) -> Self {
        ServiceError::not_found(resource).into()
    }

    /// 500. The cause is logged, never shown.
    pub fn internal(error: impl std::fmt::Display) -> Self {
        ServiceError::internal(error).into()
    }

    /// Replaces the reason.
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

    /// The problems of single fields; empty where the message says everything.
    pub fn issues(&self) -> Vec<Issue> {
        let issues = self.details.get("issues").cloned().unwrap_or_default();
        serde_json::from_value(issues).unwrap_or_default()
    }

    fn body(&self) -> Value {
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

impl From<ServiceError> for ApiError {
    fn from(error: ServiceError) -> Self {
        let ServiceError { kind, reason, message, details, retry_after } = error;
        let error = Self { status: status(kind), reason, message, details, headers: Vec::new() };
        match retry_after {
            Some(seconds) => error.header(header::RETRY_AFTER, &seconds.to_string()),
            None => error,
        }
    }
}

/// Errors of the store that no handler answers itself.
impl From<rondo_store::StoreError> for ApiError {
    fn from(error: rondo_store::StoreError) -> Self {
        ServiceError::from(error).into()
    }
}
