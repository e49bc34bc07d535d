//! Reading requests: JSON bodies with the right status for everything that can be wrong with one.

use axum::body::{Body, to_bytes};
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use serde_json::{Map, Value};

use rondo_service::operation::MOST_BODY;

use super::error::ApiError;

/// A JSON object as it was sent.
#[derive(Debug)]
pub struct JsonObject(pub Map<String, Value>);

impl<S: Send + Sync> FromRequest<S> for JsonObject {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Self, ApiError> {
        let (parts, body) = request.into_parts();
        let content_type = parts.headers.get(header::CONTENT_TYPE).map_or(Ok(""), |value| value.to_str());
        if !content_type.is_ok_and(is_json) {
            return Err(ApiError::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "UNSUPPORTED_MEDIA_TYPE",
                "The body must be JSON, sent with Content-Type: application/json.",
            ));
        }
        let body = read_body(body).await?;
        match serde_json::from_slice(&body) {
            Ok(Value::Object(fields)) => Ok(Self(fields)),
            Ok(_) => Err(ApiError::invalid("The body must be a JSON object.")),
            Err(error) => Err(ApiError::invalid(format!("The body is not valid JSON: {error}."))),
        }
    }
}

/// The bytes of a body, 413 beyond the limit.
pub async fn read_body(body: Body) -> Result<bytes::Bytes, ApiError> {
    match to_bytes(body, MOST_BODY).await {
        Ok(bytes) => Ok(bytes),
        Err(error) if is_too_long(&error) => Err(ApiError::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "PAYLOAD_TOO_LARGE",
            format!("The body is too large: at most {} MB are taken.", MOST_BODY / 1_000_000),
        )
        .with("limitBytes", MOST_BODY)),
        Err(_) => Err(ApiError::invalid("The body broke off.")),
    }
}

fn is_too_long(error: &axum::Error) -> bool {
    let mut source: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = source {
        if error.is::<http_body_util::LengthLimitError>() {
            return true;
        }
        source = error.source();
    }
    false
}

pub fn is_json(content_type: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    essence == "application/json" || (essence.starts_with("application/") && essence.ends_with("+json"))
}
