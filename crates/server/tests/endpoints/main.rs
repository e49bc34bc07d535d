//! The service from outside: agents, dashboard, uploads, files, webhooks,
//! previews.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod agents;
mod brand;
#[path = "../films/bucket_server.rs"]
#[allow(dead_code, reason = "shared with the tests of films, which use the rest")]
mod bucket_server;
mod dashboard;
mod edge;
mod examples;
#[path = "../films/harness.rs"]
#[allow(dead_code, reason = "shared with the tests of films, which use the rest")]
mod harness;
mod imports;
mod player;
mod preview_media;
mod previews;
mod receiver;
#[path = "../support/schema.rs"]
mod schema;
mod stock;
mod upload_parts;
mod uploads;
mod verify;
mod webhooks;
