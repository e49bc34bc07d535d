//! Codes and refresh tokens into access tokens, taking tokens back (RFC 7009), and looking at them (RFC 7662).

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use rondo_store::{AuthMethod, Authenticated, Client, Exchange, TokenKind};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use url::form_urlencoded;

use super::OAuthError;
use super::fields::Fields;
use crate::app::App;

type Answer = Result<Response, OAuthError>;

/// Gives tokens for a code or a refresh token.
pub async fn token(State(app): State<Arc<App>>, headers: HeaderMap, body: Bytes) -> Answer {
    let fields = Fields::of_form(&headers, &body)?;
    let grant_type = fields.need("grant_type")?;
    if !matches!(grant_type, "authorization_code" | "refresh_token") {
        return Err(OAuthError::new(
            "unsupported_grant_type",
            "grant_type must be authorization_code or refresh_token.",
        ));
    }
    let client = authenticate(&app, &headers, &fields).await?;
    if let Some(resource) = fields.get("resource").filter(|resource| !app.is_own_resource(resource)) {
        let message = format!("resource is {resource}, which is not of this service.");
        return Err(OAuthError::new("invalid_target", message));
    }
    let exchange = if grant_type == "refresh_token" {
        app.service.store.exchange_refresh_token(fields.need("refresh_token")?, &client.id).await?
    } else {
        let code = fields.need("code")?;
        let challenge = challenge(fields.need("code_verifier")?)?;
        app.service.store.exchange_code(code, &client.id, fields.get("redirect_uri"), &challenge).await?
    };
    match exchange {
        Exchange::Refused(reason) => Err(OAuthError::new("invalid_grant", reason)),
        Exchange::Issued(tokens) => Ok(private(json!({
            "access_token": tokens.access,
            "token_type": "Bearer",
            "expires_in": tokens.seconds,
            "refresh_token": tokens.refresh,
            "scope": tokens.grant.scopes,
        }))),
    }
}

/// The challenge that belongs to a verifier (RFC 7636).
fn challenge(verifier: &str) -> Result<String, OAuthError> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    if !(43..=128).contains(&verifier.len()) || !verifier.bytes().all(plain) {
        return Err(OAuthError::new(
            "invalid_request",
            "code_verifier must be 43 to 128 letters, digits or any of -._~.",
        ));
    }
    Ok(URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes())))
}

/// Ends a token of the client; an unknown one has ended already.
pub async fn revoke(State(app): State<Arc<App>>, headers: HeaderMap, body: Bytes) -> Answer {
    let fields = Fields::of_form(&headers, &body)?;
    let client = authenticate(&app, &headers, &fields).await?;
    let found = app.service.store.token(fields.need("token")?).await?;
    if let Some(found) = found.filter(|found| found.token.client_id == client.id) {
        app.service.store.revoke_token(&found.token).await?;
    }
    Ok((StatusCode::OK, [(header::CACHE_CONTROL, "no-store")]).into_response())
}

/// Token introspection for operators, authenticated by an API key.
pub async fn introspect(State(app): State<Arc<App>>, headers: HeaderMap, body: Bytes) -> Answer {
    let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let secret = bearer.and_then(|value| value.trim().split_once(' ')).map(|(_, secret)| secret.trim());
    let operator = app.service.store.authenticate(secret.unwrap_or_default()).await?;
    let now = app.service.store.now();
    let may_ask = |found: &Authenticated| {
        found.account.is_operator && found.account.suspended_at.is_none() && !found.key.has_expired(now)
    };
    if !operator.as_ref().is_some_and(may_ask) {
        return Err(OAuthError::new("invalid_client", "An operator's API key is needed as bearer token."));
    }
    let fields = Fields::of_form(&headers, &body)?;
    let Some(found) = app.service.store.token(fields.need("token")?).await? else {
        return Ok(private(json!({"active": false})));
    };
    Ok(private(json!({
        "active": true,
        "token_type": match found.token.kind {
            TokenKind::Access => "Bearer",
            TokenKind::Refresh => "refresh_token",
        },
        "client_id": found.token.client_id,
        "sub": found.account.id,
        "username": found.account.email,
        "scope": found.token.scopes,
        "aud": found.token.resource,
        "iss": app.service.links.public_url(),
        "iat": found.token.created_at.seconds(),
        "exp": found.token.expires_at.seconds(),
    })))
}

/// The client of a request, by its id alone or with its secret, in the header or the form.
async fn authenticate(app: &App, headers: &HeaderMap, fields: &Fields) -> Result<Client, OAuthError> {
    let refused = |message: &str| OAuthError::new("invalid_client", message);
    let (id, secret) = match basic(headers) {
        Some((id, secret)) => {
            if fields.get("client_id").is_some_and(|named| named != id)
                || fields.get("client_secret").is_some()
            {
                return Err(OAuthError::new("invalid_request", "The client authenticates in two ways."));
            }
            (id, Some(secret))
        }
        None => (fields.need("client_id")?.to_owned(), fields.get("client_secret").map(str::to_owned)),
    };
    let client = app.service.store.client(&id).await?.ok_or_else(|| refused("The client is unknown."))?;
    let proven = match client.auth_method {
        AuthMethod::None => true,
        AuthMethod::Post | AuthMethod::Basic => secret.is_some_and(|secret| client.is_secret(&secret)),
    };
    if proven { Ok(client) } else { Err(refused("The client's secret is missing or wrong.")) }
}

/// Id and secret of `Authorization: Basic`, both form-encoded.
fn basic(headers: &HeaderMap) -> Option<(String, String)> {
    let (scheme, value) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.trim().split_once(' ')?;
    let text = String::from_utf8(STANDARD.decode(value.trim()).ok()?).ok()?;
    let (id, secret) = text.split_once(':').filter(|_| scheme.eq_ignore_ascii_case("basic"))?;
    let decode = |text: &str| {
        let pair = format!("x={text}");
        form_urlencoded::parse(pair.as_bytes())
            .next()
            .map(|(_, value)| value.into_owned())
            .unwrap_or_default()
    };
    Some((decode(id), decode(secret)))
}

fn private(body: Value) -> Response {
    ([(header::CACHE_CONTROL, "no-store"), (header::PRAGMA, "no-cache")], Json(body)).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_challenge_is_that_of_the_standard() {
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
        assert_eq!(challenge(verifier).unwrap(), "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
        assert!(challenge("short").is_err());
        assert!(challenge(&"é".repeat(43)).is_err());
    }
}
