//! Files inside the program, as browsers load them: packed where they take it, with a tag to ask whether they changed.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;

use crate::http::files::{has_tag, value};

/// How long a file that can change is used without asking, and one whose name changes with its content. The first one is
/// asked for each time.
pub const ASKED: &str = "public, no-cache";
pub const SHORT: &str = "public, max-age=300";
pub const FOR_EVER: &str = "public, max-age=31536000, immutable";

/// A file that `build.rs` put into the program.
pub struct File {
    pub name: &'static str,
    /// Changes with the content.
    pub version: &'static str,
    pub whole: &'static [u8],
    pub gzip: Option<&'static [u8]>,
    pub brotli: Option<&'static [u8]>,
}

impl File {
    /// The answer to a request for the file.
    pub fn send(&self, asked: &HeaderMap, keep: &'static str) -> Response {
        let copies = Copies {
            whole: Bytes::from_static(self.whole),
            gzip: self.gzip.map(Bytes::from_static),
            brotli: self.brotli.map(Bytes::from_static),
        };
        copies.send(asked, self.version, content_type(self.name), keep)
    }
}

/// The same content, packed and not.
pub struct Copies {
    pub whole: Bytes,
    pub gzip: Option<Bytes>,
    pub brotli: Option<Bytes>,
}

impl Copies {
    /// The smallest copy that the asker takes, or nothing where it has the version.
    pub fn send(self, asked: &HeaderMap, version: &str, content_type: &str, keep: &'static str) -> Response {
        let brotli = self.brotli.map(|bytes| ("br", bytes)).filter(|_| takes_coding(asked, "br"));
        let packed =
            brotli.or_else(|| self.gzip.map(|bytes| ("gzip", bytes)).filter(|_| takes_coding(asked, "gzip")));
        let tag = match &packed {
            Some((coding, _)) => format!("\"{version}-{coding}\""),
            None => format!("\"{version}\""),
        };
        let mut fields = HeaderMap::new();
        fields.insert(header::CONTENT_TYPE, value(content_type));
        fields.insert(header::CACHE_CONTROL, HeaderValue::from_static(keep));
        fields.insert(header::ETAG, value(&tag));
        fields.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
        fields.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        if has_tag(asked, &tag) == Some(true) {
            return (StatusCode::NOT_MODIFIED, fields).into_response();
        }
        match packed {
            Some((coding, bytes)) => {
                fields.insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding));
                (fields, bytes).into_response()
            }
            None => (fields, self.whole).into_response(),
        }
    }
}

/// Whether an asker takes a coding by its name, and has not given it the weight 0.
pub fn takes_coding(asked: &HeaderMap, coding: &str) -> bool {
    let values = asked.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|part| {
        let mut fields = part.split(';').map(str::trim);
        let is_named = fields.next().is_some_and(|name| name.eq_ignore_ascii_case(coding));
        let weight = fields.find_map(|field| field.strip_prefix("q=")?.trim().parse::<f32>().ok());
        is_named && weight.is_none_or(|weight| weight > 0.0)
    })
}

/// Whether a build tool put a hash into a name, as in `name-3fKd01Qa.js`: the file behind it never changes.
pub fn is_hashed(name: &str) -> bool {
    let stem = name.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map_or("", |(stem, _)| stem);
    let letters = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let mixed = |byte: u8| byte.is_ascii_digit() || byte.is_ascii_uppercase();
    stem.char_indices().filter(|(_, letter)| matches!(letter, '-' | '.')).any(|(at, _)| {
        let hash = &stem[at + 1..];
        hash.len() >= 8 && hash.bytes().all(letters) && hash.bytes().any(mixed)
    })
}

pub fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("html") => "text/html; charset=utf-8",
        Some("json") => "application/json",
        Some("md") => "text/markdown; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("jpg") => "image/jpeg",
        Some("webp") => "image/webp",
        Some("mp4") => "video/mp4",
        Some("m4a") => "audio/mp4",
        Some("txt") => "text/plain; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("woff2") => "font/woff2",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: File = File {
        name: "player-0123abcd.wasm",
        version: "7",
        whole: b"whole",
        gzip: Some(b"gzip"),
        brotli: Some(b"brotli"),
    };

    fn asked(fields: &[(&'static str, &str)]) -> HeaderMap {
        let field =
            |(name, text): &(&'static str, &str)| (header::HeaderName::from_static(name), value(text));
        fields.iter().map(field).collect()
    }

    async fn body(response: Response) -> Bytes {
        axum::body::to_bytes(response.into_body(), 100).await.unwrap()
    }

    #[tokio::test]
    async fn the_smallest_copy_that_is_taken_is_sent_under_a_tag_of_its_own() {
        for (accepted, coding, sent, tag) in [
            ("", "", "whole", "\"7\""),
            ("gzip, deflate, br, zstd", "br", "brotli", "\"7-br\""),
            ("gzip, br;q=0", "gzip", "gzip", "\"7-gzip\""),
            ("GZIP;q=0.5", "gzip", "gzip", "\"7-gzip\""),
            ("identity", "", "whole", "\"7\""),
        ] {
            let response = FILE.send(&asked(&[("accept-encoding", accepted)]), FOR_EVER);
            let field = |name| response.headers().get(name).map_or("", |value| value.to_str().unwrap());
            assert_eq!((field(header::CONTENT_ENCODING), field(header::ETAG)), (coding, tag), "{accepted}");
            assert_eq!(
                (field(header::CONTENT_TYPE), field(header::VARY)),
                ("application/wasm", "Accept-Encoding")
            );
            assert_eq!(field(header::CACHE_CONTROL), FOR_EVER);
            assert_eq!(body(response).await, sent, "{accepted}");
        }
    }

    #[tokio::test]
    async fn who_has_the_version_gets_nothing_again() {
        for (known, status) in [("\"7-br\"", 304), ("W/\"7-br\", \"6\"", 304), ("*", 304), ("\"7\"", 200)] {
            let asked = asked(&[("accept-encoding", "br"), ("if-none-match", known)]);
            let response = FILE.send(&asked, SHORT);
            assert_eq!(response.status().as_u16(), status, "{known}");
            assert_eq!(response.headers()[header::ETAG], "\"7-br\"");
            assert_eq!(body(response).await.is_empty(), status == 304);
        }
    }

    #[test]
    fn names_with_a_hash_are_told_from_those_without() {
        for name in ["assets/index-DkQ3_x-1.js", "player-0123abcd.wasm", "paint-worker.5f3a9c21.js"] {
            assert!(is_hashed(name), "{name}");
        }
        for name in
            ["rondo-player.js", "react.js", "paint-worker.js", "long-readable-name.js", "a-12345.js", ""]
        {
            assert!(!is_hashed(name), "{name}");
        }
    }
}
