//! Destinations: where finished films are copied to, a bucket of the account in S3, Google Cloud Storage or Azure. The bucket
//! and its server are the account's choice, so every request goes through the guarded client, with the credentials of the
//! destination and no others.

mod client;
mod keys;
mod place;
mod wire;

pub use client::{Client, CopyError};
pub use keys::Keys;
pub use place::{Cloud, Place};
