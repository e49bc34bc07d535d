//! Signing up, in and out, and setting a forgotten password.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse, Response};
use axum::routing::{get, post};
use rondo_store::{Account, Credits, NewAccount, Plan, StoreError};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::people::{AccountAnswer, AccountView, Attempt, check_email, check_name};
use super::{Done, Person};
use crate::app::App;
use crate::blocking::heavy;
use crate::envelope::{Answer, Data};
use crate::error::{ApiError, ApiResult};
use crate::password;
use crate::request::JsonBody;
use crate::settings::SignUp as Setting;

pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/session", get(session))
        .route("/session/sign-up", post(sign_up))
        .route("/session/sign-in", post(sign_in))
        .route("/session/sign-out", post(sign_out))
        .route("/session/forgot", post(forgot))
        .route("/session/reset", post(reset))
}

/// Who is there, and how one gets in.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionView {
    /// Null for someone who has not signed in.
    account: Option<AccountView>,
    sign_up: SignUpSetting,
    /// Nobody has an account yet: whoever signs up first is the operator.
    first_account: bool,
    /// Whether mail can be sent, to set a new password.
    mail: bool,
    /// Of the service.
    version: &'static str,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SignUpSetting {
    Open,
    Invite,
    Closed,
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct SignUpBody {
    email: String,
    name: String,
    #[schema(format = Password)]
    password: String,
    /// The secret of an invitation, where one is needed.
    invite: Option<String>,
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct SignInBody {
    email: String,
    #[schema(format = Password)]
    password: String,
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct ForgotBody {
    email: String,
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct ResetBody {
    /// From the link in the mail.
    token: String,
    #[schema(format = Password)]
    password: String,
}

/// Tells who is signed in, and how this service lets people in. Needs no session.
#[utoipa::path(
    get, path = "/session", tag = "Session", operation_id = "getSession",
    responses((status = 200, description = "The session", body = inline(Answer<SessionView>)))
)]
pub async fn session(
    State(app): State<Arc<App>>,
    person: Option<axum::Extension<Person>>,
) -> ApiResult<Data<SessionView>> {
    Ok(Data(SessionView {
        account: person.map(|person| AccountView::from(&person.account)),
        sign_up: match app.settings.sign_up {
            Setting::Open => SignUpSetting::Open,
            Setting::Invite => SignUpSetting::Invite,
            Setting::Closed => SignUpSetting::Closed,
        },
        first_account: !app.store.has_accounts().await?,
        mail: app.mail.is_some(),
        version: env!("CARGO_PKG_VERSION"),
    }))
}

/// Makes an account and signs in. The first account of a service becomes its operator, whoever may sign up later.
#[utoipa::path(
    post, path = "/session/sign-up", tag = "Session", operation_id = "signUp", request_body = SignUpBody,
    responses(
        (status = 200, description = "Signed in", body = inline(Answer<AccountAnswer>)),
        (status = 403, description = "Nobody may sign up, or not without an invitation (SIGN_UP_CLOSED, INVITE_NEEDED)"),
        (status = 409, description = "There is an account with this email (EMAIL_TAKEN)"),
        (status = 422, description = "The password is too weak (WEAK_PASSWORD)"),
    )
)]
pub async fn sign_up(
    State(app): State<Arc<App>>,
    ConnectInfo(connection): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    JsonBody(body): JsonBody<SignUpBody>,
) -> ApiResult<Response> {
    let attempt = Attempt::begin(&app, app.sender(&headers, connection), "sign-up", None)?;
    check_email("email", &body.email)?;
    check_name(&body.name)?;
    password::check("password", &body.password, body.email.trim())?;
    let by = match (app.settings.sign_up, body.invite.as_deref()) {
        (Setting::Open, _) => rondo_store::SignUp::Open,
        (Setting::Invite, Some(secret)) => rondo_store::SignUp::Invited(secret.trim()),
        (Setting::Invite, None) | (Setting::Closed, _) => rondo_store::SignUp::Closed,
    };
    let password = body.password;
    let hash = heavy(move || password::hash(&password)).await?.map_err(ApiError::internal)?;
    let new = NewAccount {
        email: &body.email,
        name: &body.name,
        plan: Plan::None,
        credits: Credits::ZERO,
        password_hash: Some(&hash),
        is_operator: false,
    };
    let account = app.store.sign_up(new, by).await.map_err(|error| match error {
        StoreError::EmailTaken { .. } => {
            ApiError::new(StatusCode::CONFLICT, "EMAIL_TAKEN", error.to_string())
        }
        StoreError::NotInvited if by == rondo_store::SignUp::Closed => match app.settings.sign_up {
            Setting::Closed => ApiError::new(
                StatusCode::FORBIDDEN,
                "SIGN_UP_CLOSED",
                "Nobody can sign up here. Ask an operator for an account.",
            ),
            _ => ApiError::new(
                StatusCode::FORBIDDEN,
                "INVITE_NEEDED",
                "An invitation is needed to sign up here. Ask an operator for one.",
            ),
        },
        StoreError::NotInvited => ApiError::new(StatusCode::FORBIDDEN, "INVITE_INVALID", error.to_string()),
        other => other.into(),
    })?;
    attempt.forgive();
    begin(&app, &headers, connection, account).await
}

/// Signs in under a new session; the one the browser had ends.
#[utoipa::path(
    post, path = "/session/sign-in", tag = "Session", operation_id = "signIn", request_body = SignInBody,
    responses(
        (status = 200, description = "Signed in", body = inline(Answer<AccountAnswer>)),
        (status = 401, description = "The email or the password is wrong (SIGN_IN_FAILED)"),
    )
)]
pub async fn sign_in(
    State(app): State<Arc<App>>,
    ConnectInfo(connection): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    JsonBody(body): JsonBody<SignInBody>,
) -> ApiResult<Response> {
    let address = app.sender(&headers, connection);
    let attempt = Attempt::begin(&app, address, "sign-in", Some(&body.email))?;
    let account = app.store.account_by_email(&body.email).await?;
    let stored = account.as_ref().and_then(|account| account.password_hash.clone());
    let fits = heavy(move || password::verify(stored.as_deref(), &body.password)).await?;
    let Some(account) = account.filter(|_| fits) else {
        return Err(ApiError::new(
            StatusCode::UNAUTHORIZED,
            "SIGN_IN_FAILED",
            "The email or the password is wrong.",
        ));
    };
    attempt.forgive();
    begin(&app, &headers, connection, account).await
}

/// Ends the session.
#[utoipa::path(
    post, path = "/session/sign-out", tag = "Session", operation_id = "signOut",
    responses((status = 200, description = "Signed out", body = inline(Answer<Done>)))
)]
pub async fn sign_out(
    State(app): State<Arc<App>>,
    person: Option<axum::Extension<Person>>,
) -> ApiResult<Response> {
    if let Some(person) = person {
        app.store.end_session(&person.account.id, &person.session.id).await?;
    }
    Ok((AppendHeaders([(header::SET_COOKIE, app.no_session_cookie())]), Data(Done {})).into_response())
}

/// Sends a link to set a new password, if there is such an account and mail can be sent. The answer never tells.
#[utoipa::path(
    post, path = "/session/forgot", tag = "Session", operation_id = "forgotPassword", request_body = ForgotBody,
    responses((status = 200, description = "Understood", body = inline(Answer<Done>)))
)]
pub async fn forgot(
    State(app): State<Arc<App>>,
    ConnectInfo(connection): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    JsonBody(body): JsonBody<ForgotBody>,
) -> ApiResult<Data<Done>> {
    Attempt::begin(&app, app.sender(&headers, connection), "forgot", Some(&body.email))?;
    // Afterwards, so that the time of the answer tells nothing either.
    tokio::spawn(async move {
        if let Err(error) = send_reset(&app, &body.email).await {
            tracing::error!(%error, "a password cannot be reset");
        }
    });
    Ok(Data(Done {}))
}

async fn send_reset(app: &App, email: &str) -> Result<(), StoreError> {
    let Some(mail) = &app.mail else { return Ok(()) };
    let Some(account) = app.store.account_by_email(email).await? else { return Ok(()) };
    let secret = app.store.create_password_reset(&account.id).await?;
    let link = app.url(&format!("/reset?token={secret}"));
    let text = format!(
        "Hello {},\n\nSomeone, probably you, asked for a new password for your account at {}.\n\
         Set it within an hour here:\n\n{link}\n\nIf it was not you, ignore this mail: nothing has changed.\n",
        account.name, app.public_url
    );
    mail.send(&account.email, "Choose a new password for Rondo", text).await;
    Ok(())
}

/// Sets a new password with the secret of a mailed link, ends every session and begins one.
#[utoipa::path(
    post, path = "/session/reset", tag = "Session", operation_id = "resetPassword", request_body = ResetBody,
    responses(
        (status = 200, description = "Signed in", body = inline(Answer<AccountAnswer>)),
        (status = 403, description = "The link is unknown, was used or has expired (RESET_INVALID)"),
        (status = 422, description = "The password is too weak (WEAK_PASSWORD)"),
    )
)]
pub async fn reset(
    State(app): State<Arc<App>>,
    ConnectInfo(connection): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    JsonBody(body): JsonBody<ResetBody>,
) -> ApiResult<Response> {
    let attempt = Attempt::begin(&app, app.sender(&headers, connection), "reset", None)?;
    password::check("password", &body.password, "")?;
    let password = body.password;
    let hash = heavy(move || password::hash(&password)).await?.map_err(ApiError::internal)?;
    let account = app.store.reset_password(body.token.trim(), &hash).await.map_err(|error| match error {
        StoreError::NotFound { .. } => ApiError::new(
            StatusCode::FORBIDDEN,
            "RESET_INVALID",
            "The link is unknown, was used or has expired. Ask for a new one.",
        ),
        other => other.into(),
    })?;
    attempt.forgive();
    begin(&app, &headers, connection, account).await
}

/// Begins a session for an account, in place of the one the browser had.
async fn begin(
    app: &App,
    headers: &HeaderMap,
    connection: SocketAddr,
    account: Account,
) -> ApiResult<Response> {
    let address = app.sender(headers, connection).to_string();
    let agent = headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let begun = app.store.create_session(&account.id, &address, agent, app.session_secret(headers)).await?;
    let cookie = AppendHeaders([(header::SET_COOKIE, app.session_cookie(&begun.secret))]);
    Ok((cookie, Data(AccountAnswer { account: (&account).into() })).into_response())
}
