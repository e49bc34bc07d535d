//! The player that any site can load: its files, and the fonts it sets text with. `packages/player` makes the files,
//! `build.rs` puts them into the program.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use bytes::Bytes;
use rondo_service::browser_fonts::BrowserFonts;

use super::embedded::{ASKED, Copies, FOR_EVER, File, is_hashed};
use crate::http::error::{ApiError, ApiResult};
use crate::http::files::open_to_all;

static FILES: &[File] = &include!(concat!(env!("OUT_DIR"), "/player.rs"));

/// The module that pages load.
const MODULE: &str = "rondo-player.js";

/// Whether the player is part of this build.
pub fn is_built() -> bool {
    FILES.iter().any(|file| file.name == MODULE)
}

/// The routes of the player, for a router of any state.
pub fn routes<S>(fonts: Arc<BrowserFonts>) -> Router<S> {
    Router::new()
        .route("/player/fonts/index", get(async |fonts, asked| open(font_index(fonts, asked).await)))
        .route("/player/fonts/{name}", get(async |fonts, name| open(font(fonts, name).await)))
        .route("/player/{*name}", get(async |fonts, name, asked| open(file(fonts, name, asked).await)))
        .with_state(fonts)
}

/// Errors too: scripts of other sites read why something is missing.
fn open(answer: ApiResult<Response>) -> Response {
    let mut response = answer.unwrap_or_else(ApiError::into_response);
    response.headers_mut().extend(open_to_all());
    response
}

async fn file(
    State(fonts): State<Arc<BrowserFonts>>,
    Path(name): Path<String>,
    asked: HeaderMap,
) -> ApiResult<Response> {
    if FILES.is_empty() {
        let message = "The player is not part of this build. Run scripts/player, then build Rondo again.";
        return Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "NOT_BUILT", message));
    }
    let file = FILES.iter().find(|file| file.name == name);
    // A process of another version may have it.
    let file = file.ok_or_else(|| ApiError::not_found("file").header(header::CACHE_CONTROL, "no-store"))?;
    if name == MODULE {
        // It will ask for fonts next: they are read meanwhile.
        tokio::spawn(async move { fonts.get().await.map(drop) });
    }
    Ok(file.send(&asked, if is_hashed(&name) { FOR_EVER } else { ASKED }))
}

async fn font_index(State(fonts): State<Arc<BrowserFonts>>, asked: HeaderMap) -> ApiResult<Response> {
    let read = fonts.get().await?;
    let copies = Copies {
        whole: Bytes::copy_from_slice(read.fonts.index.as_bytes()),
        gzip: Some(Bytes::copy_from_slice(&read.packed_index)),
        brotli: None,
    };
    Ok(copies.send(&asked, &read.fonts.version, "text/tab-separated-values; charset=utf-8", ASKED))
}

/// A name follows from the content of the file, so whoever has it has no need to ask again.
async fn font(State(fonts): State<Arc<BrowserFonts>>, Path(name): Path<String>) -> ApiResult<Response> {
    let found = fonts.file(name).await?;
    let (bytes, content_type) = found.ok_or_else(|| ApiError::not_found("font"))?;
    let fields = [
        (header::CONTENT_TYPE, HeaderValue::from_static(content_type)),
        (header::CACHE_CONTROL, HeaderValue::from_static(FOR_EVER)),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    ];
    Ok((fields, bytes).into_response())
}
