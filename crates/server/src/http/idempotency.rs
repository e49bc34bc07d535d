//! The `Idempotency-Key` header of POST requests.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use rondo_service::Caller;
use rondo_service::idempotency::{Claimed, claim};
use rondo_store::Answer;

use super::error::{ApiError, ApiResult};
use super::request::read_body;
use crate::app::App;

static KEY: HeaderName = HeaderName::from_static("idempotency-key");
static REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// Largest response that is stored.
const MOST_ANSWER: usize = 10_000_000;

/// The key of a first request. An operation that creates a render stores its response together with the render; the
/// responses of others are stored here.
#[derive(Debug, Clone)]
pub struct Key(pub String);

/// Answers repeated requests, and stores the responses of first ones.
pub async fn once(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let key = request.headers().get(&KEY).filter(|_| request.method() == Method::POST).cloned();
    let caller = request.extensions().get::<Caller>().cloned();
    match (key, caller) {
        (Some(key), Some(caller)) => {
            let answered = keyed(&app, &caller, &key, request, next).await;
            answered.unwrap_or_else(IntoResponse::into_response)
        }
        _ => next.run(request).await,
    }
}

async fn keyed(
    app: &App,
    caller: &Caller,
    key: &HeaderValue,
    request: Request,
    next: Next,
) -> ApiResult<Response> {
    let (mut parts, body) = request.into_parts();
    let body = read_body(&parts.extensions, body).await?;
    let route = format!("{} {}\n", parts.method, parts.uri);
    let key = key.to_str().unwrap_or_default();
    let claim = match claim(&app.service, caller, key, &route, &body).await? {
        Claimed::Fresh(claim) => claim,
        Claimed::Replay(answer) => return Ok(replay(answer)),
    };
    parts.extensions.insert(Key(claim.key().to_owned()));
    let response = next.run(Request::from_parts(parts, Body::from(body))).await;
    if !response.status().is_success() {
        claim.release().await;
        return Ok(response);
    }
    let (parts, body) = response.into_parts();
    let body = axum::body::to_bytes(body, MOST_ANSWER).await.map_err(ApiError::internal)?;
    let body_text = String::from_utf8_lossy(&body).into_owned();
    claim.store(&Answer { status: parts.status.as_u16(), body: body_text }).await;
    Ok(Response::from_parts(parts, Body::from(body)))
}

fn replay(answer: Answer) -> Response {
    let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::OK);
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (REPLAYED.clone(), HeaderValue::from_static("true")),
    ];
    (status, headers, answer.body).into_response()
}
