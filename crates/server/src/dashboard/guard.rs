//! Rejects requests of other sites and finds the session of a request.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::http::auth::{count_person, signed_in_caller};
use crate::http::error::ApiResult;

/// Makes a person who signed in the caller. Requests without a session pass; endpoints that need one reject them.
pub async fn guard(
    State(app): State<Arc<App>>,
    ConnectInfo(connection): ConnectInfo<SocketAddr>,
    mut request: Request,
    next: Next,
) -> Response {
    let mut response = match admit(&app, connection, &mut request).await {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    };
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

async fn admit(app: &App, connection: SocketAddr, request: &mut Request) -> ApiResult<()> {
    app.require_same_origin(request.method(), request.headers())?;
    let address = app.sender(request.headers(), connection);
    if let Some(caller) = signed_in_caller(app, request.headers(), address).await? {
        count_person(app, &caller.account).await?;
        request.extensions_mut().insert(caller);
    }
    Ok(())
}
