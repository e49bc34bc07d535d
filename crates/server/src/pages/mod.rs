//! Pages for people: small, self-contained, under a policy that runs only their own files.

mod dashboard;
mod docs;
mod preview;

use std::sync::Arc;

use axum::Router;
use axum::extract::Path;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::app::App;
use crate::http::error::ApiError;

/// Nothing is taken from elsewhere, nothing runs that is not a file of ours, and other sites cannot frame the pages.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; \
     connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'";

/// What pages load: name, type, content.
const ASSETS: [(&str, &str, &str); 5] = [
    ("consent.css", "text/css; charset=utf-8", include_str!("../oauth/consent.css")),
    ("docs.css", "text/css; charset=utf-8", include_str!("docs.css")),
    ("preview.css", "text/css; charset=utf-8", include_str!("preview.css")),
    ("preview.js", "text/javascript; charset=utf-8", include_str!("preview.js")),
    ("icon.svg", "image/svg+xml", include_str!("icon.svg")),
];

pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/pages/{name}", get(asset))
        .merge(dashboard::routes())
        .merge(docs::routes())
        .merge(preview::routes())
}

async fn asset(Path(name): Path<String>) -> Result<Response, ApiError> {
    let found = ASSETS.iter().find(|(known, ..)| *known == name);
    let (_, content_type, content) = found.ok_or_else(|| ApiError::not_found("file"))?;
    let headers = [
        (header::CONTENT_TYPE, *content_type),
        (header::CACHE_CONTROL, "public, max-age=300"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    Ok((headers, *content).into_response())
}

/// A page with its policy.
fn page(status: StatusCode, html: String) -> Response {
    let fields = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "SAMEORIGIN"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
        (header::VARY, "Accept"),
        (HeaderName::from_static("x-robots-tag"), "noindex"),
    ];
    let headers: HeaderMap =
        fields.into_iter().map(|(name, value)| (name, HeaderValue::from_static(value))).collect();
    (status, headers, html).into_response()
}

/// An error as a page, for those who look with a browser.
fn error_page(error: &ApiError) -> Response {
    let html = fill(
        include_str!("error.html"),
        &[("status", error.status.as_str()), ("message", &escape(&error.message))],
    );
    page(error.status, html)
}

/// Puts values into the places `{{name}}` of a text.
pub fn fill(text: &str, values: &[(&str, &str)]) -> String {
    values.iter().fold(text.to_owned(), |text, (name, value)| text.replace(&format!("{{{{{name}}}}}"), value))
}

pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}
