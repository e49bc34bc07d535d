//! The response of operations that return nothing.

use serde::Serialize;
use utoipa::ToSchema;

/// An empty object.
#[derive(Debug, Serialize, ToSchema)]
pub struct Done {}
