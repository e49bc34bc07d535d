//! Preview pages: a film, one frame or a contact sheet behind a public address, for a day.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::{ConnectInfo, Path, Query, Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use rondo_composition::Composition;
use serde::Serialize;

use super::{accepts, error_page, fill, open_preview, page, player, wants_page};
use crate::app::App;
use crate::http::auth::count_visit;
use crate::http::envelope::Data;
use crate::http::error::{ApiError, ApiResult};
use crate::http::files::{self, Keep, open_to_all};
use rondo_service::ServiceError;
use rondo_service::opened_previews::OpenedPreview;
use rondo_service::previews::{FilmState, Picture};

pub fn routes(app: &Arc<App>) -> Router<Arc<App>> {
    Router::new()
        .route("/preview/{id}", get(show))
        .route("/preview/{id}/status", get(status))
        .route("/preview/{id}/film.mp4", get(film))
        .route_layer(from_fn_with_state(app.clone(), count))
}

/// Counts a visit, which needs no credentials.
async fn count(
    State(app): State<Arc<App>>,
    ConnectInfo(connection): ConnectInfo<SocketAddr>,
    request: Request,
    next: Next,
) -> Response {
    let headers = request.headers();
    match count_visit(&app.visits, app.sender(headers, connection), VISIT_LIMIT).await {
        Ok(()) => next.run(request).await,
        Err(error) => {
            let mut response = error.clone().into_response();
            // Players of other sites say why they wait.
            response.headers_mut().extend(open_to_all());
            if wants_page(headers) {
                let wait = response.headers_mut().remove(header::RETRY_AFTER);
                response = error_page(&error);
                response.headers_mut().extend(wait.map(|wait| (header::RETRY_AFTER, wait)));
            }
            response
        }
    }
}

/// Requests per minute of a network for pages, pictures and films of previews. Pages that wait for a film ask twice a second.
const VISIT_LIMIT: u32 = 1200;

/// What is to be seen of a preview.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum View {
    Play,
    Picture(Picture),
}

type Params = HashMap<String, String>;

/// The page; with `.png` behind the id, or where only a picture is accepted, the picture itself; where only JSON is, the
/// film for a player.
async fn show(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Query(params): Query<Params>,
    method: Method,
    headers: HeaderMap,
) -> Response {
    let wants_page = wants_page(&headers);
    let (id, wants_picture) = match name.strip_suffix(".png") {
        Some(id) => (id, true),
        None => (name.as_str(), accepts(&headers, "image/png") && !wants_page),
    };
    if !wants_picture && !wants_page && accepts(&headers, "application/json") {
        return open_preview::send(&app, id).await;
    }
    let answer = match wants_picture {
        true => send_picture(&app, id, &params, &method, &headers).await,
        false => send_page(&app, id, &params).await,
    };
    answer.unwrap_or_else(|error| match wants_page && !wants_picture {
        true => error_page(&error),
        false => error.into_response(),
    })
}

async fn send_picture(
    app: &App,
    id: &str,
    params: &Params,
    method: &Method,
    headers: &HeaderMap,
) -> ApiResult<Response> {
    let preview = find(app, id).await?;
    let picture = match view(params, &preview.shown)? {
        View::Picture(picture) => picture,
        View::Play => Picture::Frame(preview.shown.poster()),
    };
    let path = app.service.previews.picture(&preview, picture).await?;
    let mut response = files::send(&path, method, headers, Keep::Everyone).await?;
    response.headers_mut().insert(header::VARY, header::HeaderValue::from_static("Accept"));
    Ok(response)
}

async fn send_page(app: &App, id: &str, params: &Params) -> ApiResult<Response> {
    let preview = find(app, id).await?;
    let view = view(params, &preview.shown)?;
    Ok(page(StatusCode::OK, write_page(app, &preview, view)))
}

pub async fn find(app: &App, id: &str) -> ApiResult<Arc<OpenedPreview>> {
    Ok(app.service.opened_previews.open(id).await?)
}

fn view(params: &Params, composition: &Composition) -> ApiResult<View> {
    let text = |name: &str| params.get(name).map(|text| text.trim()).filter(|text| !text.is_empty());
    if let Some(text) = text("frame") {
        let number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !number {
            let message = format!(
                "`frame` is \"{}\", but must be a whole number.",
                text.chars().take(40).collect::<String>()
            );
            return Err(ApiError::invalid_field("frame", message));
        }
        return match text.parse::<u32>() {
            Ok(frame) if frame < composition.duration => Ok(View::Picture(Picture::Frame(frame))),
            _ => Err(no_such_frame(text, composition.duration)),
        };
    }
    match text("mode") {
        None => Ok(View::Play),
        Some("grid") => Ok(View::Picture(Picture::Sheet)),
        Some(_) => Err(ApiError::invalid_field("mode", "`mode` must be grid, or left out to play the film.")),
    }
}

fn no_such_frame(asked: &str, frames: u32) -> ApiError {
    let shown: String = asked.chars().take(40).collect();
    let message =
        format!("There is no frame {shown}: the film has the frames 0 to {}.", frames.saturating_sub(1));
    ApiError::new(StatusCode::NOT_FOUND, "NOT_FOUND", message)
        .with("resource", "frame")
        .with("frames", frames)
}

/// Pictures of the service on the page.
const SHEET: &str =
    "<img id=\"picture\" class=\"sheet\" src=\"{{id}}.png?mode=grid\" alt=\"Frames across the film\">";
const FRAME: &str = "<img id=\"picture\" width=\"{{width}}\" height=\"{{height}}\" src=\"{{id}}.png?frame={{frame}}\" \
     alt=\"Frame {{frame}} of the film\">\n";
/// A player that shows one frame.
const FRAME_PLAYER: &str = "role=\"img\" aria-label=\"Frame {{frame}} of the film\"";

fn write_page(app: &App, preview: &OpenedPreview, view: View) -> String {
    let Composition { width, height, fps, duration, .. } = *preview.shown;
    let id = preview.id.as_str();
    let last = duration.saturating_sub(1);
    let chosen = match view {
        View::Picture(Picture::Frame(frame)) => frame,
        _ => preview.shown.poster(),
    };
    // What the service draws, for browsers that cannot.
    let (name, label, drawn, attributes) = match view {
        View::Play => ("play", "Film".to_owned(), include_str!("play.html"), "controls loop"),
        View::Picture(Picture::Sheet) => ("grid", "Contact sheet".to_owned(), SHEET, "hidden"),
        View::Picture(Picture::Frame(frame)) => ("frame", format!("Frame {frame}"), FRAME, FRAME_PLAYER),
    };
    let mut stage = match player::is_built() {
        true => fill(include_str!("player.html"), &[("attributes", attributes), ("drawn", drawn)]),
        false => drawn.to_owned(),
    };
    if let View::Picture(_) = view
        && player::is_built()
    {
        stage.push_str(&format!("<noscript>{drawn}</noscript>\n"));
    }
    if let View::Picture(Picture::Frame(frame)) = view {
        let (before, after) = (frame.saturating_sub(1).to_string(), (frame + 1).min(last).to_string());
        stage.push_str(&fill(include_str!("frame.html"), &[("before", &before), ("after", &after)]));
    }
    let module = match player::is_built() {
        true => "<script id=\"module\" type=\"module\" src=\"../player/rondo-player.js\"></script>",
        false => "",
    };
    let current = |here: &str| if here == name { " aria-current=\"page\"" } else { "" };
    let values = [
        ("stage", stage),
        ("module", module.to_owned()),
        ("view", name.to_owned()),
        ("label", label),
        ("playing", current("play").to_owned()),
        ("grid", current("grid").to_owned()),
        ("single", current("frame").to_owned()),
        ("id", id.to_owned()),
        ("poster", chosen.to_string()),
        ("address", app.service.links.url(&format!("/preview/{id}"))),
        ("width", width.to_string()),
        ("height", height.to_string()),
        ("fps", fps.to_string()),
        ("frames", duration.to_string()),
        ("last", last.to_string()),
        ("frame", chosen.to_string()),
        ("time", timecode(chosen, fps)),
        ("length", timecode(duration, fps)),
        ("expires", preview.expires_at.rfc3339()),
    ];
    let values: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
    fill(include_str!("preview.html"), &values)
}

/// Minutes, seconds and hundredths.
fn timecode(frame: u32, fps: u32) -> String {
    let hundredths = u64::from(frame) * 100 / u64::from(fps.max(1));
    format!("{}:{:02}.{:02}", hundredths / 6000, hundredths / 100 % 60, hundredths % 100)
}

/// How far the film of a preview is.
#[derive(Debug, Serialize)]
struct FilmStatus {
    /// `waiting`, `rendering`, `ready` or `failed`.
    state: &'static str,
    progress: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

async fn status(State(app): State<Arc<App>>, Path(id): Path<String>) -> ApiResult<Response> {
    let preview = find(&app, &id).await?;
    let (state, progress, error) = match app.service.previews.film(&preview).await? {
        FilmState::Waiting => ("waiting", 0, None),
        FilmState::Rendering(percent) => ("rendering", percent, None),
        FilmState::Ready(_) => ("ready", 100, None),
        FilmState::Failed(sentence) => ("failed", 0, Some(sentence)),
    };
    Ok(([(header::CACHE_CONTROL, "no-store")], Data(FilmStatus { state, progress, error })).into_response())
}

async fn film(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    method: Method,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let preview = find(&app, &id).await?;
    match app.service.previews.film(&preview).await? {
        FilmState::Ready(path) => files::send(&path, &method, &headers, Keep::Everyone).await,
        FilmState::Failed(sentence) => Err(ServiceError::unprocessable("PREVIEW_NOT_DRAWN", sentence).into()),
        FilmState::Waiting | FilmState::Rendering(_) => {
            let message = "The film of this preview is still being made. Try again in a moment.";
            Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "NOT_READY", message)
                .header(header::RETRY_AFTER, "2"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(query: &[(&str, &str)]) -> Result<View, StatusCode> {
        let params = query.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let composition = Composition { duration: 10, ..Composition::default() };
        view(&params, &composition).map_err(|error| error.status)
    }

    #[test]
    fn a_frame_wins_over_a_mode_and_must_exist() {
        assert_eq!(asked(&[]), Ok(View::Play));
        assert_eq!(asked(&[("mode", "grid")]), Ok(View::Picture(Picture::Sheet)));
        assert_eq!(asked(&[("frame", "9"), ("mode", "grid")]), Ok(View::Picture(Picture::Frame(9))));
        assert_eq!(asked(&[("frame", "10")]), Err(StatusCode::NOT_FOUND));
        assert_eq!(asked(&[("frame", "99999999999999999999")]), Err(StatusCode::NOT_FOUND));
        for wrong in ["-1", "1.5", "one", "+1"] {
            assert_eq!(asked(&[("frame", wrong)]), Err(StatusCode::BAD_REQUEST), "{wrong}");
        }
        assert_eq!(asked(&[("mode", "cinema")]), Err(StatusCode::BAD_REQUEST));
    }
}
