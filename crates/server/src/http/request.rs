//! Reading requests: JSON bodies with the right status for everything that can be wrong with one.

use std::time::Duration;

use axum::body::{Body, BodyDataStream, HttpBody};
use axum::extract::{FromRequest, FromRequestParts, RawPathParams, Request};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use bytes::{Bytes, BytesMut};
use futures_util::StreamExt;
use serde_json::{Map, Value};
use tokio::time::timeout;

use rondo_service::ServiceError;
use rondo_service::operation::MOST_BODY;

use super::body_budget::BodySender;
use super::error::ApiError;
use crate::paced_body::TooSlow;

/// Largest body of a request that anyone may send, such as a sign-in.
pub const MOST_PUBLIC_BODY: usize = 64_000;
/// Most values in a body. A value takes about a hundred times the memory of the two bytes that can spell it.
const MOST_VALUES: usize = 200_000;

/// What is still read of a body that was refused.
const MOST_LINGER: usize = 50_000_000;
const LINGER: Duration = Duration::from_secs(10);

/// A JSON object as it was sent.
#[derive(Debug)]
pub struct JsonObject(pub Map<String, Value>);

impl JsonObject {
    /// Reads a body of at most `most` bytes.
    pub async fn read(request: Request, most: usize) -> Result<Self, ApiError> {
        let (parts, body) = request.into_parts();
        let content_type = parts.headers.get(header::CONTENT_TYPE).map_or(Ok(""), |value| value.to_str());
        if !content_type.is_ok_and(is_json) {
            return Err(ApiError::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "UNSUPPORTED_MEDIA_TYPE",
                "The body must be JSON, sent with Content-Type: application/json.",
            ));
        }
        require_plain(&parts.headers)?;
        let body = read_body_up_to(&parts.extensions, body, most).await?;
        check_values(&body)?;
        match serde_json::from_slice(&without_mark(body)) {
            Ok(Value::Object(fields)) => Ok(Self(fields)),
            Ok(_) => Err(ApiError::invalid("The body must be a JSON object.")),
            Err(error) => Err(ApiError::invalid(format!("The body is not valid JSON: {error}."))),
        }
    }
}

/// The body without the byte order mark that editors on Windows write.
pub fn without_mark(body: Bytes) -> Bytes {
    if body.starts_with(b"\xef\xbb\xbf") { body.slice(3..) } else { body }
}

/// 415 for a compressed body.
pub fn require_plain(headers: &HeaderMap) -> Result<(), ApiError> {
    let mut codings = headers.get_all(header::CONTENT_ENCODING).iter();
    match codings.find(|coding| !coding.as_bytes().eq_ignore_ascii_case(b"identity")) {
        None => Ok(()),
        Some(_) => Err(ApiError::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "UNSUPPORTED_MEDIA_TYPE",
            "The body must not be compressed: send it without Content-Encoding.",
        )),
    }
}

impl<S: Send + Sync> FromRequest<S> for JsonObject {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Self, ApiError> {
        Self::read(request, MOST_BODY).await
    }
}

/// The named parts of the path. One that is not UTF-8 is an error like any other.
#[derive(Debug)]
pub struct PathFields(pub RawPathParams);

impl<S: Send + Sync> FromRequestParts<S> for PathFields {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let fields = RawPathParams::from_request_parts(parts, state).await;
        fields.map(Self).map_err(|_| ApiError::invalid("The path is not UTF-8."))
    }
}

impl PathFields {
    pub fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value)
    }
}

/// The bytes of the body of the request with these extensions, 413 beyond the largest limit.
pub async fn read_body(extensions: &Extensions, body: Body) -> Result<Bytes, ApiError> {
    read_body_up_to(extensions, body, MOST_BODY).await
}

/// The same with another limit. A length that the client declares is checked before anything is read. 503 while too many bytes of
/// other bodies are held that have not arrived whole.
pub async fn read_body_up_to(extensions: &Extensions, body: Body, most: usize) -> Result<Bytes, ApiError> {
    let mut held = extensions.get::<BodySender>().map(BodySender::begin);
    let declared = body.size_hint().lower();
    let mut parts = body.into_data_stream();
    if declared > most as u64 {
        linger(parts);
        return Err(too_large(most));
    }
    let mut bytes = BytesMut::new();
    while let Some(part) = parts.next().await {
        let part = part.map_err(|error| match is_too_slow(&error) {
            true => ApiError::new(
                StatusCode::REQUEST_TIMEOUT,
                "REQUEST_TIMEOUT",
                "The body arrives too slowly. Send it again.",
            ),
            false => ApiError::invalid("The body broke off."),
        })?;
        if bytes.len() + part.len() > most {
            linger(parts);
            return Err(too_large(most));
        }
        if held.as_mut().is_some_and(|held| !held.grow(part.len())) {
            linger(parts);
            return Err(too_many_bytes());
        }
        bytes.extend_from_slice(&part);
    }
    Ok(bytes.freeze())
}

/// Goes on reading for a while after a refusal: a client that still sends would see a closed connection instead of it.
pub fn linger(mut parts: BodyDataStream) {
    tokio::spawn(timeout(LINGER, async move {
        let mut bytes = 0;
        while bytes < MOST_LINGER
            && let Some(Ok(part)) = parts.next().await
        {
            bytes += part.len();
        }
    }));
}

fn too_many_bytes() -> ApiError {
    let message = "Too many request bodies arrive at the same time, from this address or in all. Send them one after another, or \
                   try again in a moment.";
    ServiceError::busy(message, 5).into()
}

fn too_large(most: usize) -> ApiError {
    let size =
        if most < 1_000_000 { format!("{} kB", most / 1000) } else { format!("{} MB", most / 1_000_000) };
    ApiError::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        "PAYLOAD_TOO_LARGE",
        format!("The body is too large: at most {size} are taken."),
    )
    .with("limitBytes", most)
}

/// Refuses JSON with more values than are read, before memory is used for them.
pub fn check_values(body: &[u8]) -> Result<(), ApiError> {
    if count_values(body) <= MOST_VALUES {
        return Ok(());
    }
    Err(ApiError::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        "PAYLOAD_TOO_LARGE",
        format!("The body has too many values: at most {MOST_VALUES} are taken."),
    )
    .with("limitValues", MOST_VALUES))
}

/// Refuses bodies with too many values ahead of handlers that parse JSON themselves.
pub async fn require_few_values(request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let checked = match read_body(&parts.extensions, body).await {
        Ok(body) => check_values(&body).map(|()| body),
        Err(error) => Err(error),
    };
    match checked {
        Ok(body) => next.run(Request::from_parts(parts, Body::from(body))).await,
        Err(error) => error.into_response(),
    }
}

/// Values of a JSON text, or slightly more: each starts an array or an object, or follows a comma.
fn count_values(text: &[u8]) -> usize {
    let (mut values, mut in_string, mut escaped) = (0, false, false);
    for byte in text {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b',' | b'[' | b'{' if !in_string => values += 1,
            _ => {}
        }
    }
    values
}

fn is_too_slow(error: &axum::Error) -> bool {
    let mut source: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = source {
        if error.is::<TooSlow>() {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_counted_outside_of_strings() {
        assert_eq!(count_values(br#"{"a": [1, 2, {"b": ",[{\\"}], "c\\\"": 3}"#), 6);
        assert!(check_values(br#"{"a": "x,y"}"#).is_ok());
        let many = format!("[{}0]", "0,".repeat(MOST_VALUES));
        assert_eq!(check_values(many.as_bytes()).unwrap_err().status, StatusCode::PAYLOAD_TOO_LARGE);
    }
}
