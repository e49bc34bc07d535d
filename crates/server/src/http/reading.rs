//! Answers to requests that read: a tag that names the state, 304 where the client has it already, and compression.

use std::io::Write;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::envelope::Answer;
use super::error::{ApiError, ApiResult};
use crate::pages::takes_coding;

/// Shorter bodies gain nothing from compression.
const LEAST_COMPRESSED: usize = 1000;
/// Longer bodies are compressed where they hold up no one.
const MOST_AT_ONCE: usize = 100_000;

const PRIVATE: (HeaderName, HeaderValue) =
    (header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));

/// The headers of a state with this tag.
pub fn tagged(tag: &str) -> Option<[(HeaderName, HeaderValue); 2]> {
    Some([(header::ETAG, HeaderValue::from_str(tag).ok()?), PRIVATE])
}

/// A success. Without a tag of its own, the hash of the body is its tag: a weak one, since equal bodies may be
/// compressed or not.
pub async fn read_answer<T: Serialize>(
    data: T,
    tag: Option<String>,
    asked: &HeaderMap,
) -> ApiResult<Response> {
    let body = serde_json::to_vec(&Answer::of(data)).map_err(ApiError::internal)?;
    let tag = tag.unwrap_or_else(|| {
        let hash: String = Sha256::digest(&body).iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        format!("W/\"{hash}\"")
    });
    let headers = tagged(&tag).ok_or_else(|| ApiError::internal("a tag is no header"))?;
    let vary = (header::VARY, HeaderValue::from_static("accept-encoding"));
    if asked.get(header::IF_NONE_MATCH).is_some_and(|known| lists(known, &tag)) {
        return Ok((StatusCode::NOT_MODIFIED, headers, [vary]).into_response());
    }
    let kind = (header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if body.len() < LEAST_COMPRESSED || !takes_coding(asked, "gzip") {
        return Ok((headers, [vary, kind], Body::from(body)).into_response());
    }
    let packed = match body.len() {
        ..=MOST_AT_ONCE => pack(&body),
        _ => tokio::task::spawn_blocking(move || pack(&body)).await.map_err(ApiError::internal)?,
    };
    let coding = (header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    Ok((headers, [vary, kind, coding], Body::from(packed.map_err(ApiError::internal)?)).into_response())
}

fn pack(body: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut packer = GzEncoder::new(Vec::with_capacity(body.len() / 4), Compression::fast());
    packer.write_all(body)?;
    packer.finish()
}

/// Whether `If-None-Match` lists a tag, strong or weak.
fn lists(known: &HeaderValue, tag: &str) -> bool {
    let strong = |tag: &'_ str| tag.strip_prefix("W/").unwrap_or(tag).to_owned();
    let known = known.to_str().unwrap_or_default().split(',').map(str::trim);
    known.into_iter().any(|known| known == "*" || strong(known) == strong(tag))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_compared_as_weak_ones() {
        let lists = |known: &'static str, tag| lists(&HeaderValue::from_static(known), tag);
        assert!(lists("\"r2\"", "\"r2\"") && lists("W/\"r2\"", "\"r2\"") && lists("\"r2\"", "W/\"r2\""));
        assert!(lists("\"r1\", \"r2\"", "\"r2\"") && lists("*", "\"r2\""));
        assert!(!lists("\"r1\"", "\"r2\"") && !lists("r2", "\"r2\"") && !lists("", "\"r2\""));
    }
}
