//! Films through the real service over HTTP: renders, previews, projects, templates, idempotency and what they cost.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod batches;
mod bucket_server;
mod buckets;
mod budgets;
mod clouds;
mod credentials;
mod destinations;
mod exploding;
mod faults;
mod gallery;
mod harness;
mod helpers;
mod hls;
mod hostile_media;
mod idempotency;
mod isolation;
mod lists;
mod outputs;
mod own_fonts;
mod previews;
mod processes;
mod questions;
#[path = "../endpoints/receiver.rs"]
#[allow(dead_code, reason = "shared with the tests of webhooks, which use the rest")]
mod receiver;
mod renders;
mod requests;
mod speech;
mod test_keys;
mod tolerance;
