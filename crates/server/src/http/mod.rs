//! HTTP: the API under /api/v1, and what every route shares: credentials, limits, idempotency, errors, files.

pub mod api;
pub mod auth;
pub mod body_budget;
pub mod endpoint;
pub mod envelope;
pub mod error;
mod events;
pub mod fallback;
pub mod files;
pub mod idempotency;
pub mod limits;
pub mod openapi;
mod reading;
pub mod request;
pub mod session;
pub mod upload_parts;
pub mod uploads;
