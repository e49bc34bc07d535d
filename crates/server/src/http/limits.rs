//! Rate limits as response headers.

use std::time::{SystemTime, UNIX_EPOCH};

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use rondo_service::limit::Standing;

/// Writes both families of headers; they report the same window.
pub fn write(standing: Standing, headers: &mut HeaderMap) {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let mut set = |name: &'static str, value: u64| {
        headers.insert(HeaderName::from_static(name), HeaderValue::from(value));
    };
    set("ratelimit-limit", u64::from(standing.limit));
    set("ratelimit-remaining", u64::from(standing.remaining));
    set("ratelimit-reset", standing.reset);
    set("x-ratelimit-limit", u64::from(standing.limit));
    set("x-ratelimit-remaining", u64::from(standing.remaining));
    set("x-ratelimit-reset", now + standing.reset);
    if standing.exceeded {
        headers.insert(header::RETRY_AFTER, HeaderValue::from(standing.reset));
    }
}
