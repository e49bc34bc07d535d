//! The dashboard: one page for all its addresses, and the files that page loads. `web/` makes them, `build.rs` puts them
//! into the program.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::{ConnectInfo, OriginalUri, Path, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;

use rondo_service::Call;
use rondo_service::links::Links;
use tokio_util::sync::CancellationToken;
use url::form_urlencoded;

use super::embedded::{FOR_EVER, File, SHORT};
use super::{error_page, fill};
use crate::app::App;
use crate::http::auth::signed_in_caller;
use crate::http::error::{ApiError, ApiResult};

static FILES: &[File] = &include!(concat!(env!("OUT_DIR"), "/dashboard.rs"));

/// Starts a project in the editor.
const NEW: &str = "new";

/// Addresses that show the page. It finds out itself who is signed in.
const ADDRESSES: [&str; 6] =
    ["/sign-in", "/sign-up", "/forgot", "/reset", "/dashboard", "/dashboard/{*place}"];

pub fn routes() -> Router<Arc<App>> {
    let routes = Router::new()
        .route("/", get(async || Redirect::temporary("/dashboard")))
        .route("/theme.js", get(file))
        .route("/edit/{id}", get(edit))
        .route("/assets/{*name}", get(file));
    ADDRESSES.into_iter().fold(routes, |routes, address| routes.route(address, get(show)))
}

/// A file that `web/` made.
pub(super) fn find(name: &str) -> Option<&'static File> {
    FILES.iter().find(|file| file.name == name)
}

async fn show(State(app): State<Arc<App>>) -> Response {
    let Some(html) = find("index.html").and_then(|file| std::str::from_utf8(file.whole).ok()) else {
        let message = "The dashboard is not part of this build. Run scripts/web, then build Rondo again.";
        return error_page(&ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "NOT_BUILT", message));
    };
    let nonce = rondo_store::id::secret(22);
    let html = fill(html, &[("nonce", &nonce)]);
    (headers(&policy(&app.service.links, &nonce)), html).into_response()
}

/// The editor, for those who may edit what the address names: a project or the copy of a preview; `new` is for everyone
/// with an account. Others sign in first, and come back.
async fn edit(
    State(app): State<Arc<App>>,
    ConnectInfo(connection): ConnectInfo<SocketAddr>,
    OriginalUri(uri): OriginalUri,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Response {
    match may_edit(&app, connection, &headers, &id).await {
        Ok(true) => show(State(app)).await,
        Ok(false) => {
            let place = uri.path_and_query().map_or("/", |place| place.as_str());
            let next = form_urlencoded::Serializer::new(String::new()).append_pair("next", place).finish();
            let headers = [(header::CACHE_CONTROL, "no-store")];
            (headers, Redirect::to(&format!("/sign-in?{next}"))).into_response()
        }
        // The page says that it is gone, and offers ways back.
        Err(error) if matches!(error.status, StatusCode::NOT_FOUND | StatusCode::GONE) => {
            let mut page = show(State(app)).await;
            if page.status() == StatusCode::OK {
                *page.status_mut() = error.status;
            }
            page
        }
        Err(error) => error_page(&error),
    }
}

/// Whether someone is signed in; an error if what they want to edit is not theirs.
async fn may_edit(app: &App, connection: SocketAddr, headers: &HeaderMap, id: &str) -> ApiResult<bool> {
    let address = app.sender(headers, connection);
    let Some(caller) = signed_in_caller(app, headers, address).await? else { return Ok(false) };
    if id != NEW {
        let cancelled = CancellationToken::new();
        let call =
            Call { service: &app.service, caller: &caller, idempotency_key: None, cancelled: &cancelled };
        call.own_film(id).await?;
    }
    Ok(true)
}

/// Scripts and styles are files of ours, or styles that our own script adds. Pictures and films may come from wherever
/// people have theirs; the public address counts as ours also where it is not the one that was asked.
fn policy(links: &Links, nonce: &str) -> String {
    let public_url = links.public_url();
    let files = links.files_origin().unwrap_or_default();
    let bucket = links.bucket_origin().unwrap_or_default();
    format!(
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self' 'nonce-{nonce}'; font-src 'self'; \
         img-src 'self' {public_url} {files} {bucket} https: data:; media-src 'self' {public_url} {files} {bucket} https:; \
         connect-src 'self' {public_url} {files} {bucket}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )
}

fn headers(policy: &str) -> HeaderMap {
    let fields = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()"),
        (HeaderName::from_static("x-robots-tag"), "noindex"),
    ];
    let mut headers: HeaderMap =
        fields.into_iter().map(|(name, value)| (name, HeaderValue::from_static(value))).collect();
    if let Ok(policy) = HeaderValue::from_str(policy) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    headers
}

/// A file the page loads. Those under /assets carry a hash of their content in their name and never change.
async fn file(OriginalUri(uri): OriginalUri, asked: HeaderMap) -> Result<Response, ApiError> {
    let name = uri.path().trim_start_matches('/');
    let file = find(name).ok_or_else(|| ApiError::not_found("file"))?;
    Ok(file.send(&asked, if name.starts_with("assets/") { FOR_EVER } else { SHORT }))
}
