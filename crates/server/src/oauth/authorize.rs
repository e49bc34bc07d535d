//! Asking a person whether an app may act for them, and telling the app.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rondo_store::{AuditAction, NewAuditEvent, NewGrant, SignedIn};
use url::{Url, form_urlencoded};

use super::asked::Asked;
use super::fields::Fields;
use super::{OAuthError, clients, consent, redirect};
use crate::app::App;
use crate::http::auth::signed_in;
use crate::scopes::all_scopes;
use rondo_service::signature::{matches_hex, sign_hex};

/// Why a person cannot be asked.
enum Problem {
    /// The redirect URI is not verified: the error is shown to the person.
    Shown(OAuthError),
    /// The request is invalid. Apps are not verified, so the error page only links to the app (RFC 9700, 4.11.2).
    Linked { redirect: Url, state: Option<String>, error: OAuthError },
    /// The person denied access on the consent page, which shows the host: the error is sent to the app.
    Sent { redirect: Url, state: Option<String>, error: OAuthError },
    /// The person must sign in first.
    SignIn,
}

impl From<OAuthError> for Problem {
    fn from(error: OAuthError) -> Self {
        Self::Shown(error)
    }
}

/// Shows what an app asks for.
pub async fn ask(State(app): State<Arc<App>>, RawQuery(query): RawQuery, headers: HeaderMap) -> Response {
    let query = query.unwrap_or_default();
    let person = match signed_in(&app, &headers).await {
        Ok(person) => person,
        Err(error) => return consent::problem(&error.into(), None),
    };
    match read(&app, query.as_bytes(), person.is_some()).await {
        Ok(asked) => match person {
            Some(person) => consent::page(&app, &asked, &person, &proof(&app, &person, &asked.fields)),
            None => to_sign_in(&app, &query),
        },
        Err(problem) => answer(&app, problem, &query),
    }
}

/// Takes the decision.
pub async fn decide(State(app): State<Arc<App>>, headers: HeaderMap, body: Bytes) -> Response {
    match decided(&app, &headers, &body).await {
        Ok(response) => response,
        Err(problem) => answer(&app, problem, ""),
    }
}

async fn decided(app: &App, headers: &HeaderMap, body: &Bytes) -> Result<Response, Problem> {
    let mut form: Vec<(String, String)> = form_urlencoded::parse(body).into_owned().collect();
    let mut take = |name: &str| {
        let at = form.iter().position(|(key, _)| key == name)?;
        Some(form.remove(at).1)
    };
    let (decision, shown) = (take("decision"), take("proof").unwrap_or_default());
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
    let foreign =
        || OAuthError::new("invalid_request", "The decision did not come from this service's page.");
    let says_origin = headers.contains_key("sec-fetch-site") || headers.contains_key(header::ORIGIN);
    if says_origin && !app.is_same_origin(headers) {
        return Err(foreign().into());
    }
    let person = signed_in(app, headers).await.map_err(OAuthError::from)?;
    let Some(person) = person else { return Ok(to_sign_in(app, &query)) };
    let asked = read(app, query.as_bytes(), true).await?;
    if !matches_hex(
        app.service.uploads.signing_key.as_bytes(),
        &signed(&person, &consented(&asked.fields)),
        &shown,
    ) {
        return Err(foreign().into());
    }
    if decision.as_deref() == Some("switch") {
        app.service
            .store
            .end_session(&person.account.id, &person.session.id)
            .await
            .map_err(OAuthError::from)?;
        let mut response = to_sign_in(app, &query);
        response.headers_mut().insert(header::SET_COOKIE, app.no_session_cookie());
        return Ok(response);
    }
    if decision.as_deref() != Some("allow") {
        let error = OAuthError::new("access_denied", "The person said no.");
        return Err(Problem::Sent { redirect: asked.redirect, state: asked.state, error });
    }
    let code = app
        .service
        .store
        .allow(&NewGrant {
            account_id: &person.account.id,
            client_id: &asked.client.id,
            resource: &asked.resource,
            scopes: &all_scopes(),
            redirect_uri: &asked.redirect_uri,
            challenge: &asked.challenge,
        })
        .await
        .map_err(OAuthError::from)?;
    let granted = NewAuditEvent {
        account_id: &person.account.id,
        action: AuditAction::AppGranted,
        actor: &person.account.email,
        subject: &asked.client.name,
        address: &person.session.address,
        user_agent: &person.session.user_agent,
    };
    app.service.store.record(&granted).await.map_err(OAuthError::from)?;
    Ok(go(way_back(app, asked.redirect, asked.state.as_deref(), &[("code", &code)]).as_str()))
}

/// Reads what an app asks for. Documents of apps are fetched for people who signed in only.
async fn read(app: &App, query: &[u8], is_signed_in: bool) -> Result<Asked, Problem> {
    let fields = Fields::parse(query)?;
    let client_id = fields.need("client_id")?;
    let client = match clients::known(app, client_id).await? {
        Some(client) => client,
        None if clients::is_document(client_id) && !is_signed_in => return Err(Problem::SignIn),
        None => clients::find(app, client_id).await?,
    };
    let redirect_uri = match (fields.get("redirect_uri"), client.redirect_uris.as_slice()) {
        (Some(uri), _) => uri.to_owned(),
        (None, [only]) => only.clone(),
        (None, _) => return Err(OAuthError::new("invalid_request", "redirect_uri is missing.").into()),
    };
    let Some(redirect) = redirect::find(&client.redirect_uris, &redirect_uri) else {
        let message = "redirect_uri is not one the app has registered.";
        return Err(OAuthError::new("invalid_request", message).into());
    };
    let state = fields.get("state").map(str::to_owned);
    match check(app, &fields) {
        Ok((challenge, resource)) => {
            Ok(Asked { client, redirect, redirect_uri, state, challenge, resource, fields })
        }
        Err(error) => Err(Problem::Linked { redirect, state, error }),
    }
}

/// Challenge and resource of a request that can be granted.
fn check(app: &App, fields: &Fields) -> Result<(String, String), OAuthError> {
    if fields.need("response_type")? != "code" {
        return Err(OAuthError::new("unsupported_response_type", "response_type must be code."));
    }
    if fields.get("response_mode").is_some_and(|mode| mode != "query") {
        return Err(OAuthError::new("invalid_request", "response_mode must be query."));
    }
    let challenge = fields.need("code_challenge")?;
    if fields.get("code_challenge_method") != Some("S256") {
        return Err(OAuthError::new("invalid_request", "code_challenge_method must be S256."));
    }
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    if challenge.len() != 43 || !challenge.bytes().all(plain) {
        let message = "code_challenge must be a SHA-256 in base64 for addresses, 43 characters.";
        return Err(OAuthError::new("invalid_request", message));
    }
    let resource = fields.get("resource").unwrap_or(app.service.links.public_url());
    if !app.is_own_resource(resource) {
        let message = format!("resource is {resource}, which is not of this service.");
        return Err(OAuthError::new("invalid_target", message));
    }
    Ok((challenge.to_owned(), resource.to_owned()))
}

/// Proves that a decision answers the page that was shown to this person.
fn proof(app: &App, person: &SignedIn, fields: &Fields) -> String {
    sign_hex(app.service.uploads.signing_key.as_bytes(), &signed(person, &consented(fields)))
}

fn signed<'a>(person: &'a SignedIn, consented: &'a str) -> [&'a [u8]; 4] {
    [b"consent\n", person.session.id.as_bytes(), b"\n", consented.as_bytes()]
}

fn consented(fields: &Fields) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(fields.iter()).finish()
}

fn answer(app: &App, problem: Problem, query: &str) -> Response {
    match problem {
        Problem::Shown(error) => consent::problem(&error, None),
        Problem::SignIn => to_sign_in(app, query),
        Problem::Linked { redirect, state, error } => {
            let back = way_back(app, redirect, state.as_deref(), &error.parameters());
            consent::problem(&error, Some(&back))
        }
        Problem::Sent { redirect, state, error } => {
            go(way_back(app, redirect, state.as_deref(), &error.parameters()).as_str())
        }
    }
}

/// The redirect URI with parameters and the issuer (RFC 9207).
fn way_back(app: &App, mut redirect: Url, state: Option<&str>, pairs: &[(&str, &str)]) -> Url {
    redirect
        .query_pairs_mut()
        .extend_pairs(pairs)
        .extend_pairs(state.map(|state| ("state", state)))
        .append_pair("iss", app.service.links.public_url());
    redirect
}

/// Where to sign in and come back to what an app asks for.
fn to_sign_in(app: &App, query: &str) -> Response {
    let next = format!("/oauth/authorize?{query}");
    let next = form_urlencoded::Serializer::new(String::new()).append_pair("next", &next).finish();
    go(&app.service.links.url(&format!("/sign-in?{next}")))
}

fn go(address: &str) -> Response {
    let Ok(location) = HeaderValue::from_str(address) else {
        let error = OAuthError::new("invalid_request", "The address to go to cannot be written.");
        return consent::problem(&error, None);
    };
    let headers = [
        (header::LOCATION, location),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    ];
    (StatusCode::SEE_OTHER, headers).into_response()
}
