//! Absolute URLs of this service.

use std::sync::Arc;

use serde_json::Value;

use crate::templates;

/// The path prefix of outputs, uploads and voiceovers.
pub const FILES: &str = "/files/";

/// Builds URLs below the public one. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Links {
    public_url: Arc<str>,
    files_url: Arc<str>,
    /// Public URLs of before.
    former: Arc<[String]>,
    bucket: Option<Arc<str>>,
}

impl Links {
    /// Neither URL has a slash at the end. Files are below the public URL unless they have one of their own.
    pub fn new(public_url: &str, files_url: Option<&str>) -> Self {
        Self {
            public_url: public_url.into(),
            files_url: files_url.unwrap_or(public_url).into(),
            former: Arc::default(),
            bucket: None,
        }
    }

    /// Adds public URLs of before: files that films name under one of them are still those of the service.
    pub fn with_former(self, urls: Vec<String>) -> Self {
        let former = urls.into_iter().filter(|url| **url != *self.public_url).collect();
        Self { former, ..self }
    }

    /// Adds the origin of the bucket that files may be in.
    pub fn with_bucket(self, origin: Option<String>) -> Self {
        Self { bucket: origin.map(Into::into), ..self }
    }

    /// The origin of the bucket that files are in, if they are in one.
    pub fn bucket_origin(&self) -> Option<&str> {
        self.bucket.as_deref()
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
        // The service writes playlists when they are asked for: a bucket at the URL of files has none.
        let base = if name.ends_with(".m3u8") { &self.public_url } else { &self.files_url };
        format!("{base}{FILES}{name}")
    }

    /// The path of an address of this service. Files have one under each URL: links from before stay valid.
    pub fn path<'a>(&self, address: &'a str) -> Option<&'a str> {
        below(address, &self.public_url)
            .or_else(|| below(address, &self.files_url).filter(|path| path.starts_with(FILES)))
            .or_else(|| self.former_path(address))
    }

    /// Gives the service's own media in a composition, which may be named under a URL of before, the address of today.
    pub fn renew(&self, composition: &mut Value) {
        match composition {
            Value::String(text) => {
                if let Some(path) = self.former_path(text) {
                    let base = if path.starts_with(FILES) { &self.files_url } else { &self.public_url };
                    *text = format!("{base}{path}");
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.renew(item)),
            Value::Object(fields) => fields.values_mut().for_each(|field| self.renew(field)),
            _ => {}
        }
    }

    /// The path of a file or of a template's media under a URL of before.
    fn former_path<'a>(&self, address: &'a str) -> Option<&'a str> {
        let path = self.former.iter().find_map(|url| below(address, url))?;
        (path.starts_with(FILES) || path.starts_with(templates::PATH)).then_some(path)
    }
}

/// What follows the URL in an address.
fn below<'a>(address: &'a str, url: &str) -> Option<&'a str> {
    address.strip_prefix(url).filter(|path| path.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

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

    #[test]
    fn files_named_under_a_public_url_of_before_are_found_and_get_the_address_of_today() {
        let links = Links::new("https://b.example.com", None)
            .with_former(vec!["https://b.example.com".into(), "https://a.example.com".into()]);
        assert_eq!(links.path("https://a.example.com/files/upl_1.png"), Some("/files/upl_1.png"));
        assert_eq!(links.path("https://a.example.com/docs"), None);
        assert_eq!(links.path("https://a.example.com.evil.example/files/upl_1.png"), None);
        let mut film = json!({"overlays": [
            {"src": "https://a.example.com/files/upl_1.png", "styles": {"cellImages": ["https://a.example.com/files/upl_2.png"]}},
            {"content": "https://a.example.com/docs", "src": "https://c.example.com/files/upl_1.png"},
        ]});
        links.renew(&mut film);
        assert_eq!(
            film,
            json!({"overlays": [
                {"src": "https://b.example.com/files/upl_1.png", "styles": {"cellImages": ["https://b.example.com/files/upl_2.png"]}},
                {"content": "https://a.example.com/docs", "src": "https://c.example.com/files/upl_1.png"},
            ]})
        );
    }
}
