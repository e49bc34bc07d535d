//! Who is calling: the credential of every request under /api, and the rate limit that goes with it.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{ConnectInfo, FromRequestParts, OriginalUri, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use rondo_service::caller::{rate_limit, require_active, session_ended};
use rondo_service::limit::{ANONYMOUS_LIMIT, Limiter, Sender, Standing};
use rondo_service::{Caller, Credential};
use rondo_store::{Account, SignedIn, TokenKind, Used};

use super::error::{ApiError, ApiResult};
use super::limits;
use crate::app::App;

/// Requests per minute of a person's dashboard pages, for every plan.
const PERSON_LIMIT: u32 = 300;

/// The caller that the guard authenticated.
#[derive(Debug, Clone)]
pub struct Authenticated(pub Caller);

impl<S: Send + Sync> FromRequestParts<S> for Authenticated {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let caller = parts.extensions.get::<Caller>().cloned();
        // Only the guard of the dashboard lets requests without a session through.
        caller.map(Self).ok_or_else(|| session_ended().into())
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
    let address = app.sender(request.headers(), connection);
    let (standing, mut response) = match identify(&app, request.method(), request.headers(), address).await {
        Ok(caller) => {
            let standing = count(&app, &caller).await;
            let response = if standing.exceeded {
                too_many(standing).into_response()
            } else if app.service.queue.stopping.is_cancelled() {
                stopping().into_response()
            } else {
                request.extensions_mut().insert(caller);
                next.run(request).await
            };
            (standing, response)
        }
        Err(error) => {
            let sender = Sender::at(address);
            // A failure of ours is not the sender's, and must not be asked of the same database again.
            let standing = match error.status.is_server_error() {
                true => app.limiter.peek_here(&sender, ANONYMOUS_LIMIT),
                false => app.limiter.count(sender, ANONYMOUS_LIMIT).await,
            };
            let error = if standing.exceeded { too_many(standing) } else { error };
            (standing, error.into_response())
        }
    };
    limits::write(standing, response.headers_mut());
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
    let metadata = app.service.links.url(&format!("/.well-known/oauth-protected-resource{resource}"));
    format!("Bearer realm=\"rondo\", resource_metadata=\"{metadata}\"")
}

/// What a person's pages ask for does not use up what the account's programs may ask for.
async fn count(app: &App, caller: &Caller) -> Standing {
    let id = caller.account.id.clone();
    match caller.credential {
        Credential::Session(_) => app.limiter.count(Sender::Person(id), PERSON_LIMIT).await,
        Credential::Key(_) | Credential::Token(_) => {
            app.limiter.count(Sender::Account(id), rate_limit(caller.account.plan)).await
        }
    }
}

/// Counts a request of the pages a person has open.
pub async fn count_person(app: &App, account: &Account) -> ApiResult<()> {
    let standing = app.limiter.count(Sender::Person(account.id.clone()), PERSON_LIMIT).await;
    let wait = standing.reset.to_string();
    if standing.exceeded { Err(too_many(standing).header(header::RETRY_AFTER, &wait)) } else { Ok(()) }
}

/// Counts a request for a preview or its media, which needs no credentials.
pub async fn count_visit(visits: &Limiter, address: IpAddr, limit: u32) -> ApiResult<()> {
    let standing = visits.count(Sender::at(address), limit).await;
    let wait = standing.reset.to_string();
    if standing.exceeded { Err(too_many(standing).header(header::RETRY_AFTER, &wait)) } else { Ok(()) }
}

/// The account behind the credentials of a request: a key, a token, or the cookie of a session.
async fn identify(app: &App, method: &Method, headers: &HeaderMap, address: IpAddr) -> ApiResult<Caller> {
    if !headers.contains_key(header::AUTHORIZATION) && app.session_secret(headers).is_some() {
        let caller = signed_in_caller(app, headers, address).await?;
        let caller = caller.ok_or_else(session_ended)?;
        app.require_same_origin(method, headers)?;
        return Ok(caller);
    }
    let now = app.service.store.now();
    let secret = bearer(headers)?;
    if let Some(mut found) = app.service.store.authenticate(secret).await? {
        if let Some(at) = found.key.expires_at.filter(|_| found.key.has_expired(now)) {
            return Err(ApiError::unauthorized(format!(
                "The API key {}… expired at {}. Create a new one.",
                found.key.prefix,
                at.rfc3339()
            )));
        }
        require_active(&found.account)?;
        app.service.credential_uses.note(Used::Key(found.key.id.clone()), &found.account, now);
        found.key.last_used_at = Some(now);
        return Ok(Caller { account: found.account, credential: Credential::Key(found.key), address });
    }
    if let Some(mut found) = app.service.store.token(secret).await?
        && found.token.kind == TokenKind::Access
    {
        if !app.is_own_resource(&found.token.resource) {
            let resource = &found.token.resource;
            return Err(ApiError::unauthorized(format!(
                "The access token is for {resource}, not for this service."
            )));
        }
        require_active(&found.account)?;
        let used = Used::Token { id: found.token.id.clone(), grant_id: found.token.grant_id.clone() };
        app.service.credential_uses.note(used, &found.account, now);
        found.token.last_used_at = Some(now);
        return Ok(Caller { account: found.account, credential: Credential::Token(found.token), address });
    }
    Err(ApiError::unauthorized(
        "Check your key: the API key or access token is unknown, has expired or was revoked. Create a new one and send \
         it as a bearer token.",
    ))
}

/// The person whose session cookie a request carries.
pub async fn signed_in(app: &App, headers: &HeaderMap) -> ApiResult<Option<SignedIn>> {
    let Some(secret) = app.session_secret(headers) else { return Ok(None) };
    let Some(mut found) = app.service.store.session(secret).await? else { return Ok(None) };
    require_active(&found.account)?;
    let now = app.service.store.now();
    app.service.credential_uses.note(Used::Session(found.session.id.clone()), &found.account, now);
    found.session.last_used_at = now;
    Ok(Some(found))
}

/// The person whose session cookie a request carries, as a caller.
pub async fn signed_in_caller(app: &App, headers: &HeaderMap, address: IpAddr) -> ApiResult<Option<Caller>> {
    let found = signed_in(app, headers).await?;
    Ok(found.map(|SignedIn { account, session }| Caller {
        account,
        credential: Credential::Session(Box::new(session)),
        address,
    }))
}

impl App {
    /// Whether a token for this address is meant for this service: its root, its API or its MCP server.
    pub fn is_own_resource(&self, resource: &str) -> bool {
        let rest = resource.strip_prefix(self.service.links.public_url());
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
