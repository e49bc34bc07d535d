//! The documentation, at /docs: pages that `web/docs` makes of the guides, the OpenAPI document and the registry, and `build.rs` puts
//! into the program with the dashboard.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::extract::{OriginalUri, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::dashboard::find;
use super::embedded::{ASKED, Copies, File, SHORT, content_type};
use super::{error_page, page_headers};
use crate::app::App;
use crate::guides::{self, EXAMPLE_URL};
use crate::http::error::ApiError;

pub fn routes() -> Router<Arc<App>> {
    let old = || get(async || Redirect::permanent("/docs/api"));
    let routes = Router::new().route("/docs/reference", old());
    ["/docs", "/docs/", "/docs/{*path}", "/llms.txt", "/llms-full.txt"]
        .into_iter()
        .fold(routes, |routes, address| routes.route(address, get(show)))
}

async fn show(State(app): State<Arc<App>>, OriginalUri(uri): OriginalUri, asked: HeaderMap) -> Response {
    let path = uri.path().trim_matches('/');
    let Some(file) = find(path).or_else(|| find(&format!("{path}/index.html"))) else {
        return missing(&app, path);
    };
    let Ok(text) = std::str::from_utf8(file.whole) else { return file.send(&asked, SHORT) };
    if !holds_addresses(file.name) {
        return file.send(&asked, SHORT);
    }
    let (version, copies) = with_addresses(file, text, app.service.links.public_url());
    let mut response = copies.send(&asked, &version, content_type(file.name), ASKED);
    if file.name.ends_with(".html") {
        let kept = [header::CACHE_CONTROL, header::VARY, header::CONTENT_TYPE];
        let fields = page_headers().into_iter().filter_map(|(name, value)| Some((name?, value)));
        response.headers_mut().extend(fields.filter(|(name, _)| !kept.contains(name)));
    }
    response
}

/// What is not part of the documentation. Where none was built, agents still get their guide.
fn missing(app: &App, path: &str) -> Response {
    if path == "llms.txt" {
        let guide = guides::agents(&app.service.links);
        let text = format!("{}\n\n{guide}", app.service.links.url("/docs/agents"));
        return ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response();
    }
    if path == "docs" {
        let message = "The documentation is not part of this build. Run scripts/web, then build Rondo again.";
        return error_page(&ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "NOT_BUILT", message));
    }
    error_page(&ApiError::not_found("page"))
}

/// Whether a file names addresses of the service.
fn holds_addresses(name: &str) -> bool {
    [".html", ".md", ".txt", ".json"].iter().any(|ending| name.ends_with(ending))
}

/// A text with the address of this installation in place of the one that guides are written with, and its version. Made once.
fn with_addresses(file: &File, text: &str, public_url: &str) -> (String, Copies) {
    static MADE: Mutex<Option<HashMap<String, (Bytes, Bytes)>>> = Mutex::new(None);
    let mut hasher = DefaultHasher::new();
    (file.name, public_url).hash(&mut hasher);
    let version = format!("{}{:016x}", file.version, hasher.finish());
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    let (whole, packed) = made
        .get_or_insert_default()
        .entry(version.clone())
        .or_insert_with(|| {
            let whole = Bytes::from(text.replace(EXAMPLE_URL, public_url));
            let packed = gzip(&whole).unwrap_or_default();
            (whole, packed.into())
        })
        .clone();
    (version, Copies { whole, gzip: Some(packed).filter(|packed| !packed.is_empty()), brotli: None })
}

fn gzip(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    encoder.finish()
}
