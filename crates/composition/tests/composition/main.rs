//! The wire format as its users meet it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod common;
mod limits;
mod properties;
mod reading;
mod replacements;
mod requests;
mod schema;
mod tolerance;
