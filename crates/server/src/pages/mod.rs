//! Pages for people: small, self-contained, under a policy that runs only their own files.

mod dashboard;
mod docs;
mod embedded;
mod open_preview;
pub mod player;
mod preview;

pub use embedded::takes_coding;

use std::sync::Arc;

use axum::Router;
use axum::extract::{OriginalUri, Path};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::app::App;
use crate::http::error::ApiError;
use crate::http::fallback::unknown_route;

/// Nothing is taken from elsewhere, nothing runs that is not a file of ours (WebAssembly too, for the player), and other sites cannot frame the pages.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; media-src 'self'; \
     connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'";

/// What pages load: name, type, content.
const ASSETS: [(&str, &str, &str); 4] = [
    ("consent.css", "text/css; charset=utf-8", include_str!("../oauth/consent.css")),
    ("preview.css", "text/css; charset=utf-8", include_str!("preview.css")),
    ("preview.js", "text/javascript; charset=utf-8", include_str!("preview.js")),
    ("icon.svg", "image/svg+xml", include_str!("icon.svg")),
];

pub fn routes(app: &Arc<App>) -> Router<Arc<App>> {
    Router::new()
        .route("/pages/{name}", get(asset))
        .merge(dashboard::routes())
        .merge(docs::routes())
        .merge(player::routes(app.service.browser_fonts.clone()))
        .merge(preview::routes(app))
        .merge(open_preview::routes())
}

pub async fn asset(Path(name): Path<String>) -> Result<Response, ApiError> {
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
pub fn page(status: StatusCode, html: String) -> Response {
    (status, page_headers(), html).into_response()
}

/// The header fields of a page.
fn page_headers() -> HeaderMap {
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
    fields.into_iter().map(|(name, value)| (name, HeaderValue::from_static(value))).collect()
}

/// An error as a page with ways back, for those who look with a browser.
pub fn error_page(error: &ApiError) -> Response {
    let title = match (error.status, error.reason) {
        (_, "PREVIEW_EXPIRED") => "Preview expired",
        (StatusCode::NOT_FOUND, _) => "Not found",
        (StatusCode::FORBIDDEN, _) => "No access",
        (StatusCode::SERVICE_UNAVAILABLE, _) => "Not available",
        (StatusCode::TOO_MANY_REQUESTS, _) => "Too many requests",
        _ => "Something went wrong",
    };
    let html = fill(include_str!("error.html"), &[("title", title), ("message", &escape(&error.message))]);
    page(error.status, html)
}

/// Whether a person looks with a browser, rather than a program or an element of a page.
pub fn wants_page(headers: &HeaderMap) -> bool {
    accepts(headers, "text/html")
}

/// Whether a request names a type that it accepts.
fn accepts(headers: &HeaderMap, content_type: &str) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter();
    accepted
        .filter_map(|value| value.to_str().ok())
        .any(|value| value.to_ascii_lowercase().contains(content_type))
}

/// An address that does not exist: a page for people, JSON for programs.
pub async fn unknown(uri: OriginalUri, headers: HeaderMap) -> Response {
    let error = unknown_route(uri).await;
    if wants_page(&headers) { error_page(&error) } else { error.into_response() }
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
