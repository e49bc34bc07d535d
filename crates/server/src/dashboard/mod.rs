//! The operations behind the dashboard, under /api/dashboard: for people who signed in, from the service's own pages.

pub mod apps;
pub mod events;
pub mod keys;
pub mod openapi;
pub mod operator;
pub mod people;
pub mod profile;
pub mod projects;
pub mod renders;
pub mod session;
pub mod usage;
pub mod webhooks;

use std::sync::Arc;

use axum::Router;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use rondo_store::{Account, Session, SignedIn};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::auth;
use crate::error::{ApiError, ApiResult};

pub use people::is_email;

pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/openapi.json", get(openapi::document))
        .merge(apps::routes())
        .merge(events::routes())
        .merge(keys::routes())
        .merge(profile::routes())
        .merge(projects::routes())
        .merge(renders::routes())
        .merge(session::routes())
        .merge(usage::routes())
        .merge(webhooks::routes())
        .nest("/operator", operator::routes())
}

/// Keeps other sites out, and finds out whose session it is.
pub async fn guard(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let mut response = match admit(&app, &mut request).await {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    };
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

async fn admit(app: &App, request: &mut Request) -> ApiResult<()> {
    app.require_same_origin(request.method(), request.headers())?;
    if let Some(SignedIn { account, session }) = auth::signed_in(app, request.headers()).await? {
        auth::count_person(app, &account)?;
        request.extensions_mut().insert(Person { account, session });
    }
    Ok(())
}

/// Whoever signed in.
#[derive(Debug, Clone)]
pub struct Person {
    pub account: Account,
    pub session: Session,
}

impl<S: Send + Sync> FromRequestParts<S> for Person {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        parts.extensions.get::<Self>().cloned().ok_or_else(auth::session_ended)
    }
}

/// A person who looks after the service.
#[derive(Debug, Clone)]
pub struct Operator(pub Person);

impl<S: Send + Sync> FromRequestParts<S> for Operator {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let person = Person::from_request_parts(parts, state).await?;
        if person.account.is_operator {
            return Ok(Self(person));
        }
        Err(ApiError::new(
            StatusCode::FORBIDDEN,
            "OPERATOR_ONLY",
            "Only an operator of this service can do this.",
        ))
    }
}

/// Nothing more to tell.
#[derive(Debug, Serialize, ToSchema)]
pub struct Done {}
