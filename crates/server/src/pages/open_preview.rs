//! Previews for players: the film as JSON, and its media where a browser may not read them at their own address.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Path, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use rondo_service::ServiceError;
use rondo_service::opened_previews::OpenedPreview;
use rondo_service::preview_media::{MediaFile, OpenPreview, Ready};
use rondo_store::{Description, Time};
use serde::Serialize;

use super::preview::find;
use crate::app::App;
use crate::http::auth::count_visit;
use crate::http::error::{ApiError, ApiResult};
use crate::http::files::{self, Keep, open_to_all, preflight};

/// Requests per minute of a network for media of previews. Players read films piece by piece.
const MEDIA_LIMIT: u32 = 600;

/// Headers that ask for a file as it was or is.
const CONDITIONS: [HeaderName; 3] = [header::IF_NONE_MATCH, header::IF_MODIFIED_SINCE, header::IF_RANGE];

pub fn routes() -> Router<Arc<App>> {
    Router::new().route("/preview/{id}/media/{name}", get(media).options(preflight))
}

/// A preview as a player reads it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    #[serde(flatten)]
    preview: OpenPreview,
    expires_at: Time,
}

/// The film of a preview, for scripts of every site.
pub async fn send(app: &App, id: &str) -> Response {
    let read = async || -> ApiResult<Response> {
        let media = app.service.preview_media.clone();
        let write = move |preview: &OpenedPreview| {
            let answer = Answer { expires_at: preview.expires_at, preview: media.open(preview) };
            serde_json::to_vec(&answer).map_err(ServiceError::internal)
        };
        let answer = find(app, id).await?.answer(write).await?;
        let headers = [(header::CACHE_CONTROL, "no-store"), (header::CONTENT_TYPE, "application/json")];
        Ok((headers, Body::from(answer)).into_response())
    };
    let mut response = read().await.unwrap_or_else(ApiError::into_response);
    response.headers_mut().extend(open_to_all());
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("Accept"));
    response
}

/// A file that a preview names. It is never a page: browsers that open it save it.
async fn media(
    State(app): State<Arc<App>>,
    ConnectInfo(connection): ConnectInfo<SocketAddr>,
    Path((id, name)): Path<(String, String)>,
    method: Method,
    headers: HeaderMap,
) -> Response {
    let read = async || -> ApiResult<Response> {
        count_visit(&app.media_visits, app.sender(&headers, connection), MEDIA_LIMIT).await?;
        let preview = find(&app, &id).await?;
        let describe = |content_type| Description { content_type, disposition: "attachment".to_owned() };
        // Tags and dates are those of whole files.
        let whole = CONDITIONS.iter().any(|name| headers.contains_key(name));
        match app.service.preview_media.file(&preview, &name, whole).await? {
            Ready::Whole(MediaFile { file, content_type }) => {
                files::send_as(describe(content_type), file.path(), &method, &headers, Keep::Browser).await
            }
            Ready::Arriving(file) => {
                let (described, length) = (describe(file.content_type), file.length);
                let body = |first, count| Body::from_stream(file.stream(first, count));
                files::send_arriving(&described, length, &method, &headers, body)
            }
        }
    };
    let mut response = read().await.unwrap_or_else(ApiError::into_response);
    response.headers_mut().extend(open_to_all());
    response
}
