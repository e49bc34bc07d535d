//! Public operations as endpoints: what they need to know of the browser, and the cookie of the session they start or
//! end.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::response::{AppendHeaders, IntoResponse, Response};
use axum::routing::{get, post};
use rondo_service::operation::Request as _;
use rondo_service::operations::people::StartedSession;
use rondo_service::{Caller, PublicOperation, Visit};
use serde_json::{Map, Value};

use crate::app::App;
use crate::http::endpoint::{Endpoint, public};
use crate::http::envelope::Data;
use crate::http::error::ApiResult;
use crate::http::request::{JsonObject, MOST_PUBLIC_BODY};

/// A GET endpoint without fields.
pub fn get_public<O: PublicOperation>(tag: &'static str, path: &'static str) -> Endpoint {
    public::<O>(Method::GET, tag, path, get(answer::<O>))
}

/// A POST endpoint.
pub fn post_public<O: PublicOperation>(tag: &'static str, path: &'static str) -> Endpoint {
    public::<O>(Method::POST, tag, path, post(answer::<O>))
}

/// A POST endpoint whose success gives the browser a session.
pub fn starts_session<O: PublicOperation<Response = StartedSession>>(
    tag: &'static str,
    path: &'static str,
) -> Endpoint {
    public::<O>(Method::POST, tag, path, post(start::<O>))
}

/// A POST endpoint whose success removes the session from the browser.
pub fn ends_session<O: PublicOperation>(tag: &'static str, path: &'static str) -> Endpoint {
    public::<O>(Method::POST, tag, path, post(end::<O>))
}

async fn answer<O: PublicOperation>(
    State(app): State<Arc<App>>,
    ConnectInfo(connection): ConnectInfo<SocketAddr>,
    request: Request,
) -> ApiResult<Data<O::Response>> {
    run::<O>(&app, connection, request).await.map(Data)
}

async fn start<O: PublicOperation<Response = StartedSession>>(
    State(app): State<Arc<App>>,
    ConnectInfo(connection): ConnectInfo<SocketAddr>,
    request: Request,
) -> ApiResult<Response> {
    let started = run::<O>(&app, connection, request).await?;
    Ok((set_cookie(app.session_cookie(&started.secret)), Data(started)).into_response())
}

async fn end<O: PublicOperation>(
    State(app): State<Arc<App>>,
    ConnectInfo(connection): ConnectInfo<SocketAddr>,
    request: Request,
) -> ApiResult<Response> {
    let ended = run::<O>(&app, connection, request).await?;
    Ok((set_cookie(app.no_session_cookie()), Data(ended)).into_response())
}

fn set_cookie(cookie: HeaderValue) -> AppendHeaders<[(header::HeaderName, HeaderValue); 1]> {
    AppendHeaders([(header::SET_COOKIE, cookie)])
}

async fn run<O: PublicOperation>(
    app: &App,
    connection: SocketAddr,
    mut request: Request,
) -> ApiResult<O::Response> {
    let headers: HeaderMap = request.headers().clone();
    let caller: Option<Caller> = request.extensions_mut().remove();
    let has_fields = O::Request::schema()["properties"].as_object().is_some_and(|all| !all.is_empty());
    let fields = match has_fields {
        true => JsonObject::read(request, MOST_PUBLIC_BODY).await?.0,
        false => Map::new(),
    };
    let input = O::Request::read(Value::Object(fields))?;
    let visit = Visit {
        service: &app.service,
        caller: caller.as_ref(),
        address: app.sender(&headers, connection),
        user_agent: headers.get(header::USER_AGENT).and_then(|it| it.to_str().ok()).unwrap_or_default(),
        session_secret: app.session_secret(&headers),
    };
    Ok(O::run(visit, input).await?)
}
