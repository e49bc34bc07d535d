//! `Idempotency-Key` on POST requests: a repetition gets the first answer instead of doing the work again.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use rondo_store::{Answer, Begin, StoreError, id};

use crate::app::App;
use crate::auth::Caller;
use crate::error::{ApiError, ApiResult};
use crate::request::read_body;

static KEY: HeaderName = HeaderName::from_static("idempotency-key");
static REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// Longest key.
const LONGEST: usize = 255;
/// Largest answer that is kept.
const MOST_ANSWER: usize = 10_000_000;

/// The key of a request that was begun with it. A handler that creates a render keeps its answer together with the
/// render; the answers of others are kept here.
#[derive(Debug, Clone)]
pub struct Key(pub String);

/// Answers repetitions, and keeps the answers of first requests.
pub async fn once(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let key = request.headers().get(&KEY).filter(|_| request.method() == Method::POST).cloned();
    let caller = request.extensions().get::<Caller>().cloned();
    match (key, caller) {
        (Some(key), Some(caller)) => {
            let answered = keyed(app, caller.account.id, &key, request, next).await;
            answered.unwrap_or_else(IntoResponse::into_response)
        }
        _ => next.run(request).await,
    }
}

async fn keyed(
    app: Arc<App>,
    account: String,
    key: &HeaderValue,
    request: Request,
    next: Next,
) -> ApiResult<Response> {
    let (mut parts, body) = request.into_parts();
    let body = read_body(body).await?;
    let route = format!("{} {}\n", parts.method, parts.uri);
    let mut claim = match claim(app, account, key.to_str().unwrap_or_default(), &route, &body).await? {
        Claimed::Fresh(claim) => claim,
        Claimed::Replay(answer) => return Ok(replay(answer)),
    };
    parts.extensions.insert(claim.key());
    let response = next.run(Request::from_parts(parts, Body::from(body))).await;
    if !response.status().is_success() {
        claim.release().await;
        return Ok(response);
    }
    let (parts, body) = response.into_parts();
    let body = axum::body::to_bytes(body, MOST_ANSWER).await.map_err(ApiError::internal)?;
    let answer = Answer { status: parts.status.as_u16(), body: String::from_utf8_lossy(&body).into_owned() };
    match claim.app.store.finish_idempotent(&claim.account, &claim.key, &answer).await {
        // The render kept its answer itself.
        Ok(()) | Err(StoreError::LostIdempotencyKey) => claim.settled = true,
        Err(error) => tracing::warn!(%error, "an answer is not kept for repetitions"),
    }
    Ok(Response::from_parts(parts, Body::from(body)))
}

/// What a key stands for.
pub enum Claimed {
    /// Nothing yet: the work is to be done.
    Fresh(Claim),
    /// Work that was done, and its answer.
    Replay(Answer),
}

/// Takes a key for a request, told from others by its route and its body.
pub async fn claim(
    app: Arc<App>,
    account: String,
    key: &str,
    route: &str,
    body: &[u8],
) -> ApiResult<Claimed> {
    let key = read_key(key)?;
    let fingerprint = id::sha256_hex(&[route.as_bytes(), body].concat());
    match app.store.begin_idempotent(&account, &key, &fingerprint).await? {
        Begin::Fresh => Ok(Claimed::Fresh(Claim { app, account, key, settled: false })),
        Begin::Running => Err(ApiError::new(
            StatusCode::CONFLICT,
            "IDEMPOTENCY_IN_PROGRESS",
            "The first request with this Idempotency-Key is still being answered. Try again in a moment.",
        )
        .header(header::RETRY_AFTER, "1")),
        Begin::Replay(answer) => Ok(Claimed::Replay(answer)),
        Begin::Reused => Err(ApiError::unprocessable(
            "IDEMPOTENCY_KEY_REUSED",
            "This Idempotency-Key was used for another request. Use a new key for each request.",
        )),
    }
}

fn read_key(key: &str) -> ApiResult<String> {
    let plain = |text: &&str| {
        (1..=LONGEST).contains(&text.len()) && text.bytes().all(|byte| (b' '..=b'~').contains(&byte))
    };
    Some(key.trim()).filter(plain).map(str::to_owned).ok_or_else(|| {
        ApiError::invalid(format!(
            "The Idempotency-Key must be 1 to {LONGEST} plain characters, such as a UUID."
        ))
    })
}

fn replay(answer: Answer) -> Response {
    let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::OK);
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (REPLAYED.clone(), HeaderValue::from_static("true")),
    ];
    (status, headers, answer.body).into_response()
}

/// A key under way. What was answered stays; otherwise, also when the client hangs up or the handler panics, the key is not
/// used up.
pub struct Claim {
    app: Arc<App>,
    account: String,
    key: String,
    settled: bool,
}

impl Claim {
    pub fn key(&self) -> Key {
        Key(self.key.clone())
    }

    /// The render that was made keeps its answer itself.
    pub fn settle(mut self) {
        self.settled = true;
    }

    pub async fn release(&mut self) {
        self.settled = true;
        free(&self.app, &self.account, &self.key).await;
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        if !self.settled {
            let (app, account, key) = (self.app.clone(), self.account.clone(), self.key.clone());
            tokio::spawn(async move { free(&app, &account, &key).await });
        }
    }
}

async fn free(app: &App, account: &str, key: &str) {
    if let Err(error) = app.store.abandon_idempotent(account, key).await {
        tracing::warn!(%error, "an idempotency key stays taken for a while");
    }
}
