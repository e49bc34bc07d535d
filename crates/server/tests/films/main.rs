//! Films through the real service over HTTP: renders, previews, projects, templates, idempotency and what they cost.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod credentials;
mod faults;
mod gallery;
mod harness;
mod idempotency;
mod isolation;
mod lists;
mod outputs;
mod previews;
mod questions;
mod renders;
mod requests;
mod speech;
mod tolerance;
