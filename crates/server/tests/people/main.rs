//! People and apps: signing in, the dashboard's operations, OAuth, and those who should stay out.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod apps;
mod attacks;
mod audit;
mod browser;
#[path = "../films/bucket_server.rs"]
#[allow(dead_code, reason = "shared with the tests of films, which use the rest")]
mod bucket_server;
mod compositions;
mod dashboard;
#[path = "../films/harness.rs"]
#[allow(dead_code, reason = "shared with the tests of films, which use the rest")]
mod harness;
mod keys;
mod operators;
mod projects;
#[path = "../support/schema.rs"]
mod schema;
mod sessions;
mod templates;
