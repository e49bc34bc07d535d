//! What answers look like on the wire.

use axum::Json;
use axum::response::{IntoResponse, Response};
use rondo_service::Issue;
use rondo_service::words::Reason;
use serde::Serialize;
use utoipa::ToSchema;

/// A success, with status 200.
#[derive(Debug)]
pub struct Data<T>(pub T);

/// The body of a success.
#[derive(Debug, Serialize)]
pub struct Answer<T> {
    success: bool,
    data: T,
}

/// The body of every other answer.
#[derive(Debug, Serialize, ToSchema)]
pub struct Failure {
    success: bool,
    /// A sentence for people.
    error: String,
    details: FailureDetails,
}

/// What programs may act on; more fields depend on the reason.
#[derive(Debug, Serialize, ToSchema)]
pub struct FailureDetails {
    #[schema(value_type = Reason)]
    reason: String,
    /// Every problem found in the request, where there is more to say than the sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
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
