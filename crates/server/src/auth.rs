//! Who is calling: the bearer credential of every request under /api/v1, and the rate limit that goes with it.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::{ConnectInfo, FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use rondo_store::{Account, Key, Plan, Store, StoreError, Time};

use crate::app::App;
use crate::error::ApiError;
use crate::limit::{ANONYMOUS_LIMIT, Sender, Standing};

/// The account behind a request, and the key it showed.
#[derive(Debug, Clone)]
pub struct Caller {
    pub account: Account,
    pub key: Key,
}

impl<S: Send + Sync> FromRequestParts<S> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let caller = parts.extensions.get::<Self>().cloned();
        caller.ok_or_else(|| ApiError::unauthorized("The request carries no credentials."))
    }
}

/// Requests a minute.
pub fn rate_limit(plan: Plan) -> u32 {
    match plan {
        Plan::None => 60,
        Plan::Creator => 120,
        Plan::Business => 300,
    }
}

/// Lets requests with valid credentials through, up to the limit, and writes the rate-limit headers on every answer.
pub async fn guard(
    State(app): State<Arc<App>>,
    ConnectInfo(address): ConnectInfo<SocketAddr>,
    mut request: Request,
    next: Next,
) -> Response {
    let (standing, mut response) = match identify(&app, request.headers()).await {
        Ok(caller) => {
            let limit = rate_limit(caller.account.plan);
            let standing = app.limiter.count(Sender::Account(caller.account.id.clone()), limit);
            let response = if standing.exceeded {
                too_many(standing).into_response()
            } else if app.stopping.is_cancelled() {
                stopping().into_response()
            } else {
                request.extensions_mut().insert(caller);
                next.run(request).await
            };
            (standing, response)
        }
        Err(error) => {
            let standing = app.limiter.count(Sender::Address(address.ip()), ANONYMOUS_LIMIT);
            let error = if standing.exceeded { too_many(standing) } else { error };
            (standing, error.into_response())
        }
    };
    standing.write(response.headers_mut());
    response
}

async fn identify(app: &App, headers: &HeaderMap) -> Result<Caller, ApiError> {
    let secret = bearer(headers)?;
    let mut found = app.store.authenticate(secret).await?.ok_or_else(|| {
        ApiError::unauthorized(
            "The API key is unknown or was revoked. Create a new one and send it as a bearer token.",
        )
    })?;
    let now = app.store.now();
    app.used_keys.note(&found.key.id, now);
    found.key.last_used_at = Some(now);
    Ok(Caller { account: found.account, key: found.key })
}

fn bearer(headers: &HeaderMap) -> Result<&str, ApiError> {
    let Some(value) = headers.get(header::AUTHORIZATION) else {
        return Err(ApiError::unauthorized(
            "The Authorization header is missing. Send your API key as \"Authorization: Bearer rnd_…\".",
        ));
    };
    let credential = value.to_str().ok().and_then(|value| value.trim().split_once(' '));
    match credential {
        Some((scheme, secret)) if scheme.eq_ignore_ascii_case("bearer") && !secret.trim().is_empty() => {
            Ok(secret.trim())
        }
        _ => Err(ApiError::unauthorized(
            "The Authorization header is malformed. Send your API key as \"Authorization: Bearer rnd_…\".",
        )),
    }
}

fn too_many(standing: Standing) -> ApiError {
    let Standing { limit, reset, .. } = standing;
    ApiError::new(
        StatusCode::TOO_MANY_REQUESTS,
        "RATE_LIMITED",
        format!("Too many requests: {limit} a minute are allowed. Try again in {reset} s."),
    )
    .with("limit", limit)
    .with("retryAfter", reset)
}

fn stopping() -> ApiError {
    ApiError::new(
        StatusCode::SERVICE_UNAVAILABLE,
        "STOPPING",
        "The service is about to restart. Try again in a moment.",
    )
    .header(header::RETRY_AFTER, "5")
}

/// When keys were last used: noted in memory at every request, written to the store now and then.
#[derive(Debug, Default)]
pub struct UsedKeys(Mutex<HashMap<String, Time>>);

impl UsedKeys {
    fn note(&self, key: &str, now: Time) {
        let mut keys = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match keys.get_mut(key) {
            Some(at) => *at = now,
            None => {
                keys.insert(key.to_owned(), now);
            }
        }
    }

    /// Writes what memory knows to the store, and forgets it.
    pub async fn flush(&self, store: &Store) -> Result<(), StoreError> {
        let keys = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        store.touch_keys(&keys.into_iter().collect::<Vec<_>>()).await
    }
}
