//! Answers for addresses and methods that do not exist.

use axum::extract::OriginalUri;
use axum::http::{Method, StatusCode};

use super::error::ApiError;

pub async fn unknown_route(OriginalUri(uri): OriginalUri) -> ApiError {
    let message = format!("There is nothing at {}.", uri.path());
    ApiError::new(StatusCode::NOT_FOUND, "NOT_FOUND", message).with("resource", "route")
}

pub async fn wrong_method(method: Method, OriginalUri(uri): OriginalUri) -> ApiError {
    let message = format!("{} does not take {method}.", uri.path());
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "METHOD_NOT_ALLOWED", message)
}
