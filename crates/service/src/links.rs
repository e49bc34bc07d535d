//! Absolute URLs of this service.

use std::sync::Arc;

/// The path prefix of outputs, uploads and voiceovers.
pub const FILES: &str = "/files/";

/// Builds URLs below the public one. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Links {
    public_url: Arc<str>,
    files_url: Arc<str>,
}

impl Links {
    /// Neither URL has a slash at the end. Files are below the public URL unless they have one of their own.
    pub fn new(public_url: &str, files_url: Option<&str>) -> Self {
        Self { public_url: public_url.into(), files_url: files_url.unwrap_or(public_url).into() }
    }

    /// How clients reach the service, without a slash at the end.
    pub fn public_url(&self) -> &str {
        &self.public_url
    }

    /// The origin that serves files, if it is not the service's own.
    pub fn files_origin(&self) -> Option<&str> {
        (self.files_url != self.public_url).then_some(&self.files_url)
    }

    /// Whether a `Host` header names the origin that serves only files.
    pub fn is_files_host(&self, host: &str) -> bool {
        let authority = self.files_origin().and_then(|url| url.split_once("://")).map(|(_, rest)| rest);
        authority.is_some_and(|authority| authority.eq_ignore_ascii_case(host))
    }

    /// The URL of a path, which begins with a slash.
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.public_url)
    }

    /// The URL of a file of the service.
    pub fn file(&self, name: &str) -> String {
        format!("{}{FILES}{name}", self.files_url)
    }

    /// The path of an address of this service. Files have one under both URLs: links from before stay valid.
    pub fn path<'a>(&self, address: &'a str) -> Option<&'a str> {
        let below = |url: &str| address.strip_prefix(url).filter(|path| path.starts_with('/'));
        below(&self.public_url).or_else(|| below(&self.files_url).filter(|path| path.starts_with(FILES)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_an_origin_of_their_own_where_one_is_set() {
        let links = Links::new("https://video.example.com", Some("https://files.example.com"));
        assert_eq!(links.file("job_1.mp4"), "https://files.example.com/files/job_1.mp4");
        assert_eq!(links.url("/docs"), "https://video.example.com/docs");
        for host in ["files.example.com", "Files.Example.com"] {
            assert!(links.is_files_host(host));
        }
        for host in ["video.example.com", "example.com", ""] {
            assert!(!links.is_files_host(host));
        }
        for own in ["https://video.example.com/files/a.png", "https://files.example.com/files/a.png"] {
            assert_eq!(links.path(own), Some("/files/a.png"));
        }
        assert_eq!(links.path("https://files.example.com/templates/a.png"), None);
        assert!(!Links::new("http://a", None).is_files_host("a"));
    }
}
