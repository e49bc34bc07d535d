//! Answers for addresses and methods that do not exist.

use axum::extract::OriginalUri;
use axum::http::{Method, StatusCode};

use super::error::ApiError;

/// Characters of a text of a client that logs and messages repeat.
const LONGEST_SHOWN: usize = 200;

pub async fn unknown_route(OriginalUri(uri): OriginalUri) -> ApiError {
    let message = format!("There is nothing at {}.", cut(uri.path()));
    ApiError::new(StatusCode::NOT_FOUND, "NOT_FOUND", message).with("resource", "route")
}

pub async fn wrong_method(method: Method, OriginalUri(uri): OriginalUri) -> ApiError {
    let message = format!("{} does not take {}.", cut(uri.path()), cut(method.as_str()));
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "METHOD_NOT_ALLOWED", message)
}

/// The beginning of a text of a client.
pub fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
