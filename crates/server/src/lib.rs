//! The service: HTTP, pages, render workers, webhook deliveries and the guarded outgoing client. Knows nothing of SQL
//! and pixels.

mod address;
mod api;
mod app;
mod auth;
mod blocking;
mod dashboard;
mod delivery;
mod envelope;
mod error;
mod fetch;
mod files;
mod film;
mod idempotency;
mod limit;
mod mail;
mod mcp;
mod media;
mod metrics;
mod oauth;
mod openapi;
mod pages;
mod password;
mod quote;
mod request;
mod resolve;
mod retention;
mod router;
mod serve;
mod session;
pub mod settings;
mod signature;
mod speech;
pub mod templates;
mod warnings;
mod worker;

pub use dashboard::is_email;
pub use password::hash as hash_password;
pub use serve::{Running, ServeError, open_store, speech_engines, start};
