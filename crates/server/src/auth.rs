//! Who is calling: the credential of every request under /api, and the rate limit that goes with it.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::{ConnectInfo, FromRequestParts, OriginalUri, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use rondo_store::{Account, Key, Plan, SignedIn, Store, StoreError, Time, Token, TokenKind, Used};

use crate::app::App;
use crate::error::{ApiError, ApiResult};
use crate::limit::{ANONYMOUS_LIMIT, Sender, Standing};

/// Requests a minute of the pages a person has open, whatever the plan.
const PERSON_LIMIT: u32 = 300;

/// The account behind a request, and what it showed.
#[derive(Debug, Clone)]
pub struct Caller {
    pub account: Account,
    pub credential: Credential,
}

/// What a request is let in with.
#[derive(Debug, Clone)]
pub enum Credential {
    Key(Key),
    /// The cookie of a person who signed in.
    Session,
    /// The access token of an app a person allowed.
    Token(Token),
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
    ConnectInfo(connection): ConnectInfo<SocketAddr>,
    OriginalUri(uri): OriginalUri,
    mut request: Request,
    next: Next,
) -> Response {
    let (standing, mut response) = match identify(&app, request.method(), request.headers()).await {
        Ok(caller) => {
            let standing = count(&app, &caller);
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
            let sender = Sender::Address(app.sender(request.headers(), connection));
            let standing = app.limiter.count(sender, ANONYMOUS_LIMIT);
            let error = if standing.exceeded { too_many(standing) } else { error };
            (standing, error.into_response())
        }
    };
    standing.write(response.headers_mut());
    if response.status() == StatusCode::UNAUTHORIZED
        && let Ok(challenge) = HeaderValue::from_str(&challenge(&app, uri.path()))
    {
        response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
    }
    response
}

/// Where a client learns how to get a token (RFC 9728).
fn challenge(app: &App, path: &str) -> String {
    let resource = if path.starts_with("/api/mcp") { "/api/mcp" } else { "" };
    let metadata = app.url(&format!("/.well-known/oauth-protected-resource{resource}"));
    format!("Bearer realm=\"rondo\", resource_metadata=\"{metadata}\"")
}

/// What a person's pages ask for does not use up what the account's programs may ask for.
fn count(app: &App, caller: &Caller) -> Standing {
    let id = caller.account.id.clone();
    match caller.credential {
        Credential::Session => app.limiter.count(Sender::Person(id), PERSON_LIMIT),
        Credential::Key(_) | Credential::Token(_) => {
            app.limiter.count(Sender::Account(id), rate_limit(caller.account.plan))
        }
    }
}

/// Counts a request of the pages a person has open.
pub fn count_person(app: &App, account: &Account) -> ApiResult<()> {
    let standing = app.limiter.count(Sender::Person(account.id.clone()), PERSON_LIMIT);
    let wait = standing.reset.to_string();
    if standing.exceeded { Err(too_many(standing).header(header::RETRY_AFTER, &wait)) } else { Ok(()) }
}

/// The account behind the credentials of a request: a key, a token, or the cookie of a session.
async fn identify(app: &App, method: &Method, headers: &HeaderMap) -> ApiResult<Caller> {
    if !headers.contains_key(header::AUTHORIZATION) && app.session_secret(headers).is_some() {
        let found = signed_in(app, headers).await?;
        let SignedIn { account, .. } = found.ok_or_else(session_ended)?;
        app.require_same_origin(method, headers)?;
        return Ok(Caller { account, credential: Credential::Session });
    }
    let now = app.store.now();
    let secret = bearer(headers)?;
    if let Some(mut found) = app.store.authenticate(secret).await? {
        app.uses.note(Used::Key(found.key.id.clone()), &found.account, now);
        found.key.last_used_at = Some(now);
        return Ok(Caller { account: found.account, credential: Credential::Key(found.key) });
    }
    if let Some(mut found) = app.store.token(secret).await?
        && found.token.kind == TokenKind::Access
    {
        if !app.is_own_resource(&found.token.resource) {
            let resource = &found.token.resource;
            return Err(ApiError::unauthorized(format!(
                "The access token is for {resource}, not for this service."
            )));
        }
        let used = Used::Token { id: found.token.id.clone(), grant_id: found.token.grant_id.clone() };
        app.uses.note(used, &found.account, now);
        found.token.last_used_at = Some(now);
        return Ok(Caller { account: found.account, credential: Credential::Token(found.token) });
    }
    Err(ApiError::unauthorized(
        "The API key or access token is unknown, has expired or was revoked. Create a new one and send it as a bearer \
         token.",
    ))
}

/// The person whose session cookie a request carries.
pub async fn signed_in(app: &App, headers: &HeaderMap) -> ApiResult<Option<SignedIn>> {
    let Some(secret) = app.session_secret(headers) else { return Ok(None) };
    let Some(mut found) = app.store.session(secret).await? else { return Ok(None) };
    let now = app.store.now();
    app.uses.note(Used::Session(found.session.id.clone()), &found.account, now);
    found.session.last_used_at = now;
    Ok(Some(found))
}

pub fn session_ended() -> ApiError {
    ApiError::unauthorized("The session has ended. Sign in again.")
}

impl App {
    /// Whether a token for this address is meant for this service: its root, its API or its MCP server.
    pub fn is_own_resource(&self, resource: &str) -> bool {
        let rest = resource.strip_prefix(self.public_url.as_str());
        rest.is_some_and(|path| matches!(path.trim_end_matches('/'), "" | "/api/v1" | "/api/mcp"))
    }
}

fn bearer(headers: &HeaderMap) -> ApiResult<&str> {
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

/// When credentials were last used: noted in memory at every request, written to the store now and then.
#[derive(Debug, Default)]
pub struct Uses(Mutex<HashMap<Used, Time>>);

impl Uses {
    fn note(&self, used: Used, account: &Account, now: Time) {
        let mut uses = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        uses.insert(used, now);
        uses.insert(Used::Account(account.id.clone()), now);
    }

    /// Writes what memory knows to the store, and forgets it.
    pub async fn flush(&self, store: &Store) -> Result<(), StoreError> {
        let uses = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        store.touch(&uses.into_iter().collect::<Vec<_>>()).await
    }
}
