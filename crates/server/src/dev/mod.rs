//! The page of `rondo dev`: plays a file while it is edited. Reading and checking the file is the caller's work. Answers
//! only this machine, and serves only files that the film names.

use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use futures_util::Stream;
use rondo_jobs::Finding;
use rondo_service::browser_fonts::BrowserFonts;
use rondo_service::fonts::Fonts;
use serde::Serialize;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::http::error::{ApiError, ApiResult};
use crate::http::files::{self, Keep};
use crate::pages::{self, escape, fill, page, player};

/// Time between two comments that keep an idle stream open.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// The folder of media in addresses: `/media/3-17f0a2`.
pub const MEDIA: &str = "/media/";

/// What a file says at the moment.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DevFilm {
    /// Counts the states of the file.
    pub version: u64,
    /// The last film that could be read, with addresses below [`MEDIA`]; `None` before the first one.
    pub film: Option<Value>,
    /// Whether `film` is what the file says now.
    pub current: bool,
    /// Counts the sets of fonts: another one after families were fetched.
    pub fonts: u64,
    /// Errors first.
    pub findings: Vec<Finding>,
    /// The files behind the addresses, by the name in them.
    #[serde(skip)]
    pub media: Vec<(String, PathBuf)>,
}

/// A page that answers.
pub struct DevPage {
    pub address: SocketAddr,
    listener: TcpListener,
    router: Router,
}

struct Dev {
    /// Name of the file, for people.
    name: String,
    films: watch::Receiver<DevFilm>,
}

impl DevPage {
    /// Listens on the loopback interface. Port 0 is any free one.
    pub async fn open(
        name: String,
        port: u16,
        fonts: Fonts,
        films: watch::Receiver<DevFilm>,
    ) -> Result<Self, String> {
        if !player::is_built() {
            return Err(
                "The player is not part of this build. Run scripts/player, then build Rondo again.".into()
            );
        }
        let wanted = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let failed =
            |error| format!("Failed to listen on {wanted}: {error}. Choose another port with --port.");
        let listener = TcpListener::bind(wanted).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let router = Router::new()
            .route("/", get(show))
            .route("/events", get(follow))
            .route("/film", get(film))
            .route("/media/{name}", get(media))
            .with_state(Arc::new(Dev { name, films }))
            .route("/dev.css", get(|| asset("text/css; charset=utf-8", include_str!("dev.css"))))
            .route("/dev.js", get(|| asset("text/javascript; charset=utf-8", include_str!("dev.js"))))
            .route("/pages/{name}", get(pages::asset))
            .merge(player::routes(Arc::new(BrowserFonts::new(fonts))))
            .layer(from_fn(only_this_machine));
        Ok(Self { address, listener, router })
    }

    /// Answers until it is dropped.
    pub async fn run(self) -> std::io::Result<()> {
        axum::serve(self.listener, self.router).await
    }
}

/// Other sites must read nothing here: neither through a name of theirs that leads to this machine, nor from a script.
async fn only_this_machine(request: Request, next: Next) -> Response {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    if !matches!(name, "127.0.0.1" | "localhost") {
        let message = "This page answers only under the names 127.0.0.1 and localhost.";
        return ApiError::new(StatusCode::FORBIDDEN, "WRONG_HOST", message).into_response();
    }
    let mut response = next.run(request).await;
    let fields = response.headers_mut();
    fields.remove(header::ACCESS_CONTROL_ALLOW_ORIGIN);
    fields.insert(
        HeaderName::from_static("cross-origin-resource-policy"),
        HeaderValue::from_static("same-origin"),
    );
    response
}

async fn show(State(dev): State<Arc<Dev>>) -> Response {
    page(StatusCode::OK, fill(include_str!("dev.html"), &[("name", &escape(&dev.name))]))
}

async fn asset(content_type: &'static str, content: &'static str) -> Response {
    let fields = [
        (header::CONTENT_TYPE, content_type),
        (header::CACHE_CONTROL, "no-cache"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (fields, content).into_response()
}

/// The state of the file as JSON.
async fn film(State(dev): State<Arc<Dev>>) -> Response {
    let state = dev.films.borrow().clone();
    ([(header::CACHE_CONTROL, "no-store")], Json(state)).into_response()
}

/// A `film` event with the state of the file, now and after each change.
async fn follow(State(dev): State<Arc<Dev>>) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let mut films = dev.films.clone();
    films.mark_changed();
    let stream = futures_util::stream::unfold(films, |mut films| async {
        films.changed().await.ok()?;
        let event = Event::default().event("film").json_data(&*films.borrow_and_update());
        Some((Ok(event.unwrap_or_default()), films))
    });
    Sse::new(stream).keep_alive(KeepAlive::new().interval(KEEP_ALIVE))
}

async fn media(
    State(dev): State<Arc<Dev>>,
    Path(name): Path<String>,
    method: Method,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let path = {
        let state = dev.films.borrow();
        let found = state.media.iter().find(|(known, _)| *known == name);
        found.map(|(_, path)| path.clone()).ok_or_else(|| ApiError::not_found("file"))?
    };
    files::send(&path, &method, &headers, Keep::Browser).await
}
