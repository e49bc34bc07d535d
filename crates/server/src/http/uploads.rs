//! Where uploads are written, at the address that was signed for them: the whole file at once, or in parts.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Query, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::put;
use futures_util::StreamExt;
use rondo_service::disk::{Growth, require_room, unwritable};
use rondo_service::file_type::essence;
use rondo_service::in_flight::Claim;
use rondo_service::uploads::{MOST_BYTES, StoredUpload, wrong_size};
use rondo_store::{Files, Upload};
use tokio::fs::File;
use tokio::io::AsyncWriteExt;
use tokio::time::timeout;

use super::envelope::Data;
use super::error::{ApiError, ApiResult};
use super::files::{open_to_all, preflight, text};
use super::request::linger;
use super::upload_parts::{self, in_use};
use crate::app::App;

/// An upload that stands still for so long is given up.
const STALL: Duration = Duration::from_secs(60);

pub fn routes() -> Router<Arc<App>> {
    Router::new().route("/uploads/{id}", put(write).options(preflight))
}

/// Takes the bytes of an upload, once.
async fn write(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Query(query): Query<HashMap<String, String>>,
    request: Request,
) -> Response {
    let answer = receive(&app, &id, &query, request).await;
    let mut response = answer.unwrap_or_else(IntoResponse::into_response);
    response.headers_mut().extend(open_to_all());
    response
}

async fn receive(
    app: &Arc<App>,
    id: &str,
    query: &HashMap<String, String>,
    request: Request,
) -> ApiResult<Response> {
    let part = |name: &str| query.get(name).map_or("", String::as_str);
    let upload = app.service.uploads.at_address(id, part("expires"), part("signature")).await?;
    let sent = text(request.headers(), header::CONTENT_TYPE).map(essence).unwrap_or_default();
    if sent != upload.content_type {
        let expected = &upload.content_type;
        let message =
            format!("The upload was asked for as {expected}: send it with Content-Type: {expected}.");
        return Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "UNSUPPORTED_MEDIA_TYPE", message)
            .with("expected", expected.as_str()));
    }
    let length = announced(request.headers());
    match upload_parts::sent_part(request.headers())? {
        Some(sent) => upload_parts::receive(app, &upload, sent, length, request.into_body()).await,
        None => Ok(Data(receive_whole(app, upload, length, request.into_body()).await?).into_response()),
    }
}

fn announced(headers: &HeaderMap) -> Option<u64> {
    text(headers, header::CONTENT_LENGTH).and_then(|length| length.parse().ok())
}

async fn receive_whole(
    app: &App,
    upload: Upload,
    announced: Option<u64>,
    body: Body,
) -> ApiResult<StoredUpload> {
    // Who sends a file again needs no room for the one that broke off.
    let turn = app.parts.take(&upload.id).await?;
    let mut claim = match expect(app, &upload.id, announced).await {
        Ok(claim) => claim,
        Err(refusal) => {
            linger(body.into_data_stream());
            return Err(refusal);
        }
    };
    let declared = upload.declared_size;
    let files = &app.service.media.files;
    let draft = files.draft();
    let mut file = File::create(draft.path()).await.map_err(unwritable)?;
    let allow = |size| match declared {
        _ if size > MOST_BYTES => Err(too_large()),
        Some(declared) if size > declared => Err(wrong_size(declared, size).into()),
        _ => Ok(()),
    };
    let size = tokio::select! {
        size = take(body, &mut file, files, 0, allow, Some(&mut claim)) => size?,
        () = turn.stop.cancelled() => return Err(in_use()),
    };
    file.flush().await.map_err(unwritable)?;
    if size == 0 {
        return Err(ApiError::invalid("The upload is empty: send the bytes of the file as the body."));
    }
    let stored = app.service.uploads.keep(upload, draft, size).await?;
    // Parts that were sent before are not needed any more.
    if let Err(error) = files.remove_parts(&stored.id).await {
        tracing::warn!(%error, "failed to remove a part of an upload");
    }
    Ok(stored)
}

/// Claims room for a file, unless it is refused before it is read.
async fn expect(app: &App, upload_id: &str, announced: Option<u64>) -> ApiResult<Claim> {
    let upload = app.service.store.upload(upload_id).await?;
    // As the request before left it.
    let upload = upload.ok_or_else(|| ApiError::not_found("upload"))?;
    if announced.is_some_and(|length| length > MOST_BYTES) {
        return Err(too_large());
    }
    let declared = upload.declared_size;
    if let Some((declared, sent)) = declared.zip(announced).filter(|(declared, sent)| declared != sent) {
        return Err(wrong_size(declared, sent).into());
    }
    let uploads = &app.service.uploads;
    uploads.require_open(&upload)?;
    Ok(uploads.expect(&upload.account_id, announced.or(declared)).await?)
}

/// Writes a body to a file that has `size` bytes, and returns how many it has then. Stops when `allow` refuses that many, when
/// the account has no room for them, and when the disk has none. The caller flushes the file.
pub async fn take(
    body: Body,
    file: &mut File,
    files: &Files,
    mut size: u64,
    allow: impl Fn(u64) -> ApiResult<()>,
    mut claim: Option<&mut Claim>,
) -> ApiResult<u64> {
    require_room(files)?;
    let mut growth = Growth::of(files, size);
    let mut parts = body.into_data_stream();
    loop {
        let part = timeout(STALL, parts.next()).await;
        let Some(part) = part.map_err(|_| broken_off())? else { return Ok(size) };
        let part = part.map_err(|_| broken_off())?;
        size += part.len() as u64;
        let mut allowed = allow(size);
        if let (Ok(()), Some(claim)) = (&allowed, &mut claim) {
            allowed = claim.grow(size).await.map_err(Into::into);
        }
        if let Err(refusal) = allowed {
            linger(parts);
            return Err(refusal);
        }
        growth.require_room(size)?;
        file.write_all(&part).await.map_err(unwritable)?;
    }
}

fn broken_off() -> ApiError {
    ApiError::invalid(
        "The upload broke off. Send the whole file again, or send it in parts with Content-Range.",
    )
}

pub fn too_large() -> ApiError {
    let message = format!("The file is too large: at most {} GB are taken.", MOST_BYTES / 1_000_000_000);
    ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "PAYLOAD_TOO_LARGE", message).with("limitBytes", MOST_BYTES)
}
