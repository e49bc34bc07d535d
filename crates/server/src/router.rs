//! Every address of the service, and what surrounds them all: request ids, logs, credentials, limits, caught panics.

use std::any::Any;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};
use tower_http::catch_panic::CatchPanicLayer;
use tracing::Instrument;

use crate::app::App;
use crate::http::body_budget::BodySender;
use crate::http::error::ApiError;
use crate::http::fallback::{cut, unknown_route, wrong_method};
use crate::http::request::require_few_values;
use crate::http::{api, auth, files, idempotency, openapi, uploads};
use crate::{dashboard, mcp, oauth, pages, probes};

static REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The whole service.
pub fn router(app: Arc<App>) -> Router {
    let guard = from_fn_with_state(app.clone(), auth::guard);
    let api = api::routes()
        .fallback(unknown_route)
        .method_not_allowed_fallback(wrong_method)
        .layer(from_fn_with_state(app.clone(), idempotency::once))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(guard.clone());
    let dashboard = dashboard::routes()
        .fallback(unknown_route)
        .method_not_allowed_fallback(wrong_method)
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn_with_state(app.clone(), dashboard::guard));
    Router::new()
        .nest("/api/v1", api)
        .nest("/api/dashboard", dashboard)
        // Nesting leaves the bare prefix with its slash out.
        .route("/api/v1/", any(unknown_route).layer(guard.clone()))
        .merge(mcp::routes(&app).layer(from_fn(require_few_values)).layer(guard))
        .route("/api/v1/openapi.json", get(openapi::document))
        .merge(oauth::routes())
        .merge(files::routes())
        .merge(uploads::routes())
        .merge(pages::routes(&app))
        .route("/healthz", get(probes::alive))
        .route("/readyz", get(async |State(app): State<Arc<App>>| probes::ready(&app.service).await))
        .fallback(pages::unknown)
        .method_not_allowed_fallback(wrong_method)
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn_with_state(app.clone(), files::only_files))
        .layer(from_fn_with_state(app.clone(), observe))
        .with_state(app)
}

fn panicked(panic: Box<dyn Any + Send + 'static>) -> Response {
    let message = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("a panic without a message");
    ApiError::internal(message).into_response()
}

/// Gives every request its id, a log line and its place in the metrics.
async fn observe(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let started = Instant::now();
    let id = request
        .headers()
        .get(&REQUEST_ID)
        .filter(|id| (1..=128).contains(&id.len()) && id.as_bytes().iter().all(u8::is_ascii_graphic))
        .cloned()
        .or_else(|| HeaderValue::from_str(&format!("req_{}", rondo_store::id::secret(20))).ok())
        .unwrap_or_else(|| HeaderValue::from_static("req"));
    let method = request.method().clone();
    let path = cut(request.uri().path());
    request.headers_mut().insert(REQUEST_ID.clone(), id.clone());
    if let Some(ConnectInfo(connection)) = request.extensions().get::<ConnectInfo<SocketAddr>>().copied() {
        let sender = BodySender::at(&app.bodies, app.sender(request.headers(), connection));
        request.extensions_mut().insert(sender);
    }
    let route = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let span = tracing::info_span!("request", id = id.to_str().unwrap_or_default());
    let mut response = next.run(request).instrument(span.clone()).await;
    if app.service.links.public_url().starts_with("https:") {
        let year = HeaderValue::from_static("max-age=31536000");
        response.headers_mut().insert(header::STRICT_TRANSPORT_SECURITY, year);
    }
    let status = response.status();
    let took = started.elapsed();
    app.service.metrics.request(method.as_str(), route.as_deref().unwrap_or("other"), status.as_u16(), took);
    span.in_scope(|| {
        tracing::debug!(
            method = cut(method.as_str()),
            path,
            status = status.as_u16(),
            ms = took.as_millis() as u64,
            "answered"
        )
    });
    response.headers_mut().insert(REQUEST_ID.clone(), id);
    response
}
