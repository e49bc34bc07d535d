//! What answers look like on the wire.

use axum::Json;
use axum::response::{IntoResponse, Response};
use rondo_service::Issue;
use serde::Serialize;
use utoipa::ToSchema;

/// A success, with status 200.
#[derive(Debug)]
pub struct Data<T>(pub T);

/// The body of a success.
#[derive(Debug, Serialize, ToSchema)]
pub struct Answer<T> {
    /// Always true.
    #[schema(example = true)]
    success: bool,
    data: T,
}

/// The body of every other answer.
#[derive(Debug, Serialize, ToSchema)]
pub struct Failure {
    /// Always false.
    #[schema(example = false)]
    success: bool,
    /// A sentence for people.
    error: String,
    details: FailureDetails,
}

/// What programs may act on; more fields depend on the reason.
#[derive(Debug, Serialize, ToSchema)]
pub struct FailureDetails {
    /// A code such as INVALID_REQUEST or INSUFFICIENT_CREDITS.
    reason: String,
    /// Every problem found in the request, where there is more to say than the sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    issues: Option<Vec<Issue>>,
}

impl<T> Answer<T> {
    pub fn of(data: T) -> Self {
        Self { success: true, data }
    }
}

impl<T: Serialize> IntoResponse for Data<T> {
    fn into_response(self) -> Response {
        Json(Answer::of(self.0)).into_response()
    }
}
