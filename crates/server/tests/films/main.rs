//! Films through the real service over HTTP: renders, previews, projects, templates, idempotency and what they cost.

mod harness;
mod idempotency;
mod lists;
mod previews;
mod renders;
mod requests;
