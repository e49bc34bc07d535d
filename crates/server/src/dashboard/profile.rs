//! What people change about themselves: name, password, sessions.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::{ConnectInfo, Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::{delete, get, patch, post};
use rondo_store::Time;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::people::{AccountAnswer, Attempt, check_name};
use super::{Done, Person};
use crate::app::App;
use crate::auth::session_ended;
use crate::blocking::heavy;
use crate::envelope::{Answer, Data};
use crate::error::{ApiError, ApiResult};
use crate::password;
use crate::request::JsonBody;

pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/profile", patch(rename))
        .route("/password", post(change_password))
        .route("/sessions", get(list))
        .route("/sessions/{id}", delete(end))
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct ProfileBody {
    name: String,
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct PasswordBody {
    /// The password in force.
    #[schema(format = Password)]
    current: String,
    #[schema(format = Password)]
    password: String,
}

/// A place where the person is signed in.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionInfo {
    id: String,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    #[schema(value_type = String, format = DateTime)]
    last_used_at: Time,
    address: String,
    user_agent: String,
    /// The session of this request.
    current: bool,
}

/// Changes the name.
#[utoipa::path(
    patch, path = "/profile", tag = "Profile", operation_id = "updateProfile", request_body = ProfileBody,
    responses((status = 200, description = "The account", body = inline(Answer<AccountAnswer>)))
)]
pub async fn rename(
    State(app): State<Arc<App>>,
    person: Person,
    JsonBody(body): JsonBody<ProfileBody>,
) -> ApiResult<Data<AccountAnswer>> {
    check_name(&body.name)?;
    app.store.rename_account(&person.account.id, &body.name).await?;
    let account = app.store.account(&person.account.id).await?.ok_or_else(session_ended)?;
    Ok(Data(AccountAnswer { account: (&account).into() }))
}

/// Changes the password and ends every other session.
#[utoipa::path(
    post, path = "/password", tag = "Profile", operation_id = "changePassword", request_body = PasswordBody,
    responses(
        (status = 200, description = "It is changed", body = inline(Answer<Done>)),
        (status = 403, description = "The current password is wrong (WRONG_PASSWORD)"),
        (status = 422, description = "The password is too weak (WEAK_PASSWORD)"),
    )
)]
pub async fn change_password(
    State(app): State<Arc<App>>,
    ConnectInfo(connection): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    Person { account, session }: Person,
    JsonBody(body): JsonBody<PasswordBody>,
) -> ApiResult<Data<Done>> {
    let attempt = Attempt::begin(&app, app.sender(&headers, connection), "password", Some(&account.email))?;
    let stored = account.password_hash.clone();
    if !heavy(move || password::verify(stored.as_deref(), &body.current)).await? {
        return Err(ApiError::new(StatusCode::FORBIDDEN, "WRONG_PASSWORD", "The current password is wrong."));
    }
    attempt.forgive();
    password::check("password", &body.password, &account.email)?;
    let hash = heavy(move || password::hash(&body.password)).await?.map_err(ApiError::internal)?;
    app.store.set_password_hash(&account.id, Some(&hash), Some(&session.id)).await?;
    Ok(Data(Done {}))
}

/// Lists where the person is signed in, the last used first.
#[utoipa::path(
    get, path = "/sessions", tag = "Profile", operation_id = "listSessions",
    responses((status = 200, description = "The sessions", body = inline(Answer<Vec<SessionInfo>>)))
)]
pub async fn list(State(app): State<Arc<App>>, person: Person) -> ApiResult<Data<Vec<SessionInfo>>> {
    let sessions = app.store.sessions(&person.account.id).await?;
    let describe = |session: rondo_store::Session| {
        let current = session.id == person.session.id;
        SessionInfo {
            id: session.id,
            created_at: session.created_at,
            last_used_at: if current { person.session.last_used_at } else { session.last_used_at },
            address: session.address,
            user_agent: session.user_agent,
            current,
        }
    };
    Ok(Data(sessions.into_iter().map(describe).collect()))
}

/// Ends a session.
#[utoipa::path(
    delete, path = "/sessions/{id}", tag = "Profile", operation_id = "endSession",
    params(("id" = String, Path, description = "The id of the session")),
    responses((status = 200, description = "It has ended", body = inline(Answer<Done>)))
)]
pub async fn end(
    State(app): State<Arc<App>>,
    person: Person,
    Path(id): Path<String>,
) -> ApiResult<Data<Done>> {
    match app.store.end_session(&person.account.id, &id).await? {
        true => Ok(Data(Done {})),
        false => Err(ApiError::not_found("session")),
    }
}
