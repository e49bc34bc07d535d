//! Absolute URLs of this service.

use std::sync::Arc;

/// The path prefix of outputs, uploads and voiceovers.
pub const FILES: &str = "/files/";

/// Builds URLs below the public one. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Links {
    public_url: Arc<str>,
}

impl Links {
    /// `public_url` has no slash at the end.
    pub fn new(public_url: &str) -> Self {
        Self { public_url: public_url.into() }
    }

    /// How clients reach the service, without a slash at the end.
    pub fn public_url(&self) -> &str {
        &self.public_url
    }

    /// The URL of a path, which begins with a slash.
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.public_url)
    }

    /// The URL of a file of the service.
    pub fn file(&self, name: &str) -> String {
        self.url(&format!("{FILES}{name}"))
    }
}
