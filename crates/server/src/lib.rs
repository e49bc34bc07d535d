//! The transports of the service: HTTP, dashboard, OAuth, MCP and pages. Each reads a request, names an operation of
//! `rondo-service` and writes the response. Knows nothing of SQL and pixels.

#![forbid(unsafe_code)]

mod app;
mod connections;
mod dashboard;
mod dev;
mod guides;
mod http;
mod mcp;
mod oauth;
mod paced_body;
mod pages;
mod probes;
mod router;
mod scopes;
mod serve;

pub use dev::{DevFilm, DevPage, MEDIA};
pub use serve::{Running, ServeError, start};
