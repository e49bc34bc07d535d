//! Files of the service as anyone holding their address reads them: films and uploads, with ranges and validators.

use std::collections::HashMap;
use std::path::Path as FilePath;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Query, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use jiff::fmt::rfc2822::DateTimePrinter;
use rondo_service::ErrorKind;
use rondo_service::file_type::describe;
use rondo_service::links::FILES;
use rondo_service::stream::{Playlist, read_playlist};
use rondo_service::templates;
use rondo_store::Description;
use tokio::fs::File;
use tokio::io::{AsyncReadExt, AsyncSeekExt, SeekFrom};
use tokio_util::io::ReaderStream;

use super::error::{ApiError, ApiResult};
use crate::app::App;
use crate::pages::{error_page, wants_page};

/// Characters of the name that a download is saved under, without its extension.
const LONGEST_NAME: usize = 80;
/// How long an address of the bucket is good. Browsers keep the redirect to it for five minutes.
const SIGNED_FOR: Duration = Duration::from_secs(3600);
/// Bytes read from disk at a time.
const PART: usize = 1 << 16;

pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/files/{name}", get(read).options(preflight))
        .route("/templates/{*path}", get(template_media).options(preflight))
}

/// Who may keep a file for an hour without asking.
#[derive(Debug, Clone, Copy)]
pub enum Keep {
    /// Only the browser: shared caches would serve a file that was deleted.
    Browser,
    Everyone,
}

/// What user content may do when a browser opens it as a page: show itself, without scripts, forms or an origin.
const POLICY: &str =
    "sandbox; default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'";

/// A host name for files serves nothing else: what a file does there cannot reach the API or the dashboard.
pub async fn only_files(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let links = &app.service.links;
    match text(request.headers(), header::HOST) {
        Some(host) if links.is_files_host(host) && !request.uri().path().starts_with(FILES) => {
            ApiError::not_found("file").into_response()
        }
        _ => next.run(request).await,
    }
}

async fn read(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Query(query): Query<HashMap<String, String>>,
    method: Method,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let service = &app.service;
    let files = &service.media.files;
    let playlist = read_playlist(&service.store, &service.links, &name).await?;
    let mut size = match &playlist {
        Some(playlist) => Some(playlist.text.len() as u64),
        None => files.size(&name).await?,
    };
    if size.is_none() {
        match service.uploads.settle_named(&name).await {
            Ok(None) => {}
            Ok(Some(_)) => size = files.size(&name).await?,
            Err(error) if error.kind == ErrorKind::Unavailable => return Err(error.into()),
            // Why a file cannot be used is told to its owner only.
            Err(error) => tracing::info!(name, reason = error.message, "a file that arrived cannot be used"),
        }
    }
    if size.is_none() {
        if !wants_page(&headers) {
            return Err(ApiError::not_found("file"));
        }
        let message = "There is no such file. It was deleted, or the time it is kept for has passed.";
        return Ok(error_page(&ApiError::new(StatusCode::NOT_FOUND, "NOT_FOUND", message)));
    }
    let links = &service.links;
    let is_files_host = text(&headers, header::HOST).is_some_and(|host| links.is_files_host(host));
    if links.files_origin().is_some() && !is_files_host && playlist.is_none() {
        let mut fields = open_to_all();
        let asked = match query.get("download") {
            Some(wanted) => format!("?download={}", plain_name(wanted)),
            None => String::new(),
        };
        fields.insert(header::LOCATION, value(&format!("{}{asked}", links.file(&name))));
        return Ok((StatusCode::TEMPORARY_REDIRECT, fields).into_response());
    }
    let disposition = match query.get("download").map(|wanted| plain_name(wanted)) {
        None => describe(&name).disposition,
        Some(wanted) if wanted.is_empty() => format!("attachment; filename=\"{name}\""),
        Some(wanted) => {
            let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
            format!("attachment; filename=\"{wanted}.{ending}\"")
        }
    };
    if let Some(playlist) = playlist {
        return Ok(send_playlist(playlist, Description { disposition, ..describe(&name) }));
    }
    if service.uploads.direct
        && let Some(address) =
            files.read_url(&name, SIGNED_FOR, method == Method::HEAD, Some(&disposition)).await?
    {
        let mut fields = open_to_all();
        fields.insert(header::LOCATION, value(&address));
        fields.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, max-age=300"));
        return Ok((StatusCode::TEMPORARY_REDIRECT, fields).into_response());
    }
    let path = files.find(&name).await?.ok_or_else(|| ApiError::not_found("file"))?;
    let described = Description { disposition, ..describe(&name) };
    send_as(described, &path, &method, &headers, Keep::Browser).await
}

/// Sends a playlist. One that grows is asked for again and again.
fn send_playlist(playlist: Playlist, described: Description) -> Response {
    let mut fields = open_to_all();
    fields.insert(header::CONTENT_TYPE, HeaderValue::from_static(described.content_type));
    fields.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    fields.insert(header::CONTENT_DISPOSITION, value(&described.disposition));
    let cached = if playlist.is_finished { "private, max-age=60" } else { "no-store" };
    fields.insert(header::CACHE_CONTROL, HeaderValue::from_static(cached));
    fields.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    (fields, playlist.text).into_response()
}

async fn template_media(Path(path): Path<String>, method: Method, headers: HeaderMap) -> ApiResult<Response> {
    let path = templates::media_file(&path).ok_or_else(|| ApiError::not_found("file"))?;
    send(&path, &method, &headers, Keep::Everyone).await
}

/// Sends a file, or the part of it that was asked for.
pub async fn send(path: &FilePath, method: &Method, headers: &HeaderMap, keep: Keep) -> ApiResult<Response> {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("file");
    send_as(describe(name), path, method, headers, keep).await
}

/// Sends a file whose name does not tell what it is.
pub async fn send_as(
    described: Description,
    path: &FilePath,
    method: &Method,
    headers: &HeaderMap,
    keep: Keep,
) -> ApiResult<Response> {
    let gone = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => ApiError::not_found("file"),
        _ => ApiError::internal(error),
    };
    let mut file = File::open(path).await.map_err(gone)?;
    let facts = file.metadata().await.map_err(gone)?;
    let length = facts.len();
    let changed = facts.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
    let tag = format!("\"{:x}-{length:x}\"", changed.as_nanos());
    let date = http_date(changed);
    let fields = facts_of(&described, &tag, &date, keep);
    if is_unchanged(headers, &tag, &date) {
        return Ok((StatusCode::NOT_MODIFIED, fields).into_response());
    }
    let range = if is_current(headers, &tag, &date) { asked_range(headers, length) } else { Asked::All };
    let part = part_of(range, length)?;
    let body = if method == Method::HEAD {
        Body::empty()
    } else {
        file.seek(SeekFrom::Start(part.first)).await.map_err(ApiError::internal)?;
        Body::from_stream(ReaderStream::with_capacity(file.take(part.count), PART))
    };
    Ok(part.response(fields, body, length))
}

/// Sends a file that is still arriving, or the part of it that was asked for. It has no tag yet, and is not to be kept.
/// `body` gives so many bytes from one on.
pub fn send_arriving(
    described: &Description,
    length: u64,
    method: &Method,
    headers: &HeaderMap,
    body: impl FnOnce(u64, u64) -> Body,
) -> ApiResult<Response> {
    let part = part_of(asked_range(headers, length), length)?;
    let mut fields = fields_of(described);
    fields.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    let body = if method == Method::HEAD { Body::empty() } else { body(part.first, part.count) };
    Ok(part.response(fields, body, length))
}

/// Bytes that are sent of a file.
struct Part {
    status: StatusCode,
    first: u64,
    count: u64,
}

fn part_of(asked: Asked, length: u64) -> ApiResult<Part> {
    match asked {
        Asked::All => Ok(Part { status: StatusCode::OK, first: 0, count: length }),
        Asked::Part { first, last } => {
            Ok(Part { status: StatusCode::PARTIAL_CONTENT, first, count: last - first + 1 })
        }
        Asked::Nothing => {
            let message = format!("The range is beyond the end of the file, which has {length} bytes.");
            Err(ApiError::new(StatusCode::RANGE_NOT_SATISFIABLE, "RANGE_NOT_SATISFIABLE", message)
                .with("size", length)
                .header(header::CONTENT_RANGE, &format!("bytes */{length}"))
                .header(header::ACCEPT_RANGES, "bytes"))
        }
    }
}

impl Part {
    /// The answer with these bytes of a file of `length`.
    fn response(&self, fields: HeaderMap, body: Body, length: u64) -> Response {
        let Self { status, first, count } = *self;
        let mut response = (status, fields, body).into_response();
        response.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from(count));
        if status == StatusCode::PARTIAL_CONTENT {
            let range = format!("bytes {first}-{}/{length}", first + count - 1);
            response.headers_mut().insert(header::CONTENT_RANGE, value(&range));
        }
        response
    }
}

/// Headers that describe the file, for any range of it.
fn facts_of(described: &Description, tag: &str, date: &str, keep: Keep) -> HeaderMap {
    let mut fields = fields_of(described);
    fields.insert(header::ETAG, value(tag));
    fields.insert(header::LAST_MODIFIED, value(date));
    fields.insert(
        header::CACHE_CONTROL,
        HeaderValue::from_static(match keep {
            Keep::Browser => "private, max-age=3600",
            Keep::Everyone => "public, max-age=3600",
        }),
    );
    fields
}

/// Those of any file.
fn fields_of(described: &Description) -> HeaderMap {
    let mut fields = open_to_all();
    fields.insert(header::CONTENT_TYPE, HeaderValue::from_static(described.content_type));
    fields.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    fields.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    fields.insert(header::CONTENT_DISPOSITION, value(&described.disposition));
    fields.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    fields
}

/// A name that someone wants to save a file under, without its extension: what every system takes of it.
fn plain_name(wanted: &str) -> String {
    let plain = |letter: &char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    wanted.chars().filter(plain).take(LONGEST_NAME).collect()
}

/// Files may be used by every site.
pub fn open_to_all() -> HeaderMap {
    let fields = [
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (header::ACCESS_CONTROL_EXPOSE_HEADERS, "Accept-Ranges, Content-Length, Content-Range, ETag, Range"),
        (HeaderName::from_static("cross-origin-resource-policy"), "cross-origin"),
    ];
    fields.into_iter().map(|(name, text)| (name, HeaderValue::from_static(text))).collect()
}

pub async fn preflight() -> Response {
    let mut fields = open_to_all();
    fields.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, HEAD, PUT"));
    fields.insert(
        header::ACCESS_CONTROL_ALLOW_HEADERS,
        HeaderValue::from_static("*, Content-Range, Content-Type, Range"),
    );
    fields.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("86400"));
    (StatusCode::NO_CONTENT, fields).into_response()
}

pub fn value(text: &str) -> HeaderValue {
    HeaderValue::from_str(text).unwrap_or_else(|_| HeaderValue::from_static(""))
}

fn http_date(since_epoch: Duration) -> String {
    let seconds = i64::try_from(since_epoch.as_secs()).unwrap_or_default();
    let moment = jiff::Timestamp::from_second(seconds).unwrap_or_default();
    DateTimePrinter::new().timestamp_to_rfc9110_string(&moment).unwrap_or_default()
}

pub fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok().map(str::trim)
}

/// The asker has the file as it is now.
fn is_unchanged(headers: &HeaderMap, tag: &str, date: &str) -> bool {
    let same_date = || text(headers, header::IF_MODIFIED_SINCE).is_some_and(|known| known == date);
    has_tag(headers, tag).unwrap_or_else(same_date)
}

/// Whether the asker has what the tag stands for; `None` where it names no tag.
pub fn has_tag(headers: &HeaderMap, tag: &str) -> Option<bool> {
    let tags = text(headers, header::IF_NONE_MATCH)?;
    Some(tags.split(',').map(str::trim).any(|t| t == "*" || t.trim_start_matches("W/") == tag))
}

/// A range is asked of the file as it is now, not of an older one.
fn is_current(headers: &HeaderMap, tag: &str, date: &str) -> bool {
    text(headers, header::IF_RANGE).is_none_or(|known| known == tag || known == date)
}

#[derive(Debug, PartialEq, Eq)]
enum Asked {
    All,
    /// Both ends count.
    Part {
        first: u64,
        last: u64,
    },
    /// No byte of the file.
    Nothing,
}

/// One range of bytes. Several at once, or what cannot be read, stand for the whole file.
fn asked_range(headers: &HeaderMap, length: u64) -> Asked {
    let Some(range) = text(headers, header::RANGE).and_then(|range| range.strip_prefix("bytes=")) else {
        return Asked::All;
    };
    let number = |text: &str| -> Option<u64> {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| text.parse().unwrap_or(u64::MAX))
    };
    let part = |first: u64, last: u64| match first < length {
        true => Asked::Part { first, last: last.min(length - 1) },
        false => Asked::Nothing,
    };
    match range.split_once('-').map(|(first, last)| (first.trim(), last.trim())) {
        Some(("", count)) => match number(count) {
            Some(0) => Asked::Nothing,
            Some(count) => part(length.saturating_sub(count), u64::MAX),
            None => Asked::All,
        },
        Some((first, "")) => number(first).map_or(Asked::All, |first| part(first, u64::MAX)),
        Some((first, last)) => match (number(first), number(last)) {
            (Some(first), Some(last)) if first <= last => part(first, last),
            _ => Asked::All,
        },
        None => Asked::All,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_range_of_bytes_is_read_and_everything_else_means_the_whole_file() {
        let asked = |range: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::RANGE, range.parse().unwrap());
            asked_range(&headers, 100)
        };
        let part = |first, last| Asked::Part { first, last };
        assert_eq!(asked("bytes=0-0"), part(0, 0));
        assert_eq!(asked("bytes=10-19"), part(10, 19));
        assert_eq!(asked("bytes=90-"), part(90, 99));
        assert_eq!(asked("bytes=90-1000"), part(90, 99));
        assert_eq!(asked("bytes=-10"), part(90, 99));
        assert_eq!(asked("bytes=-1000"), part(0, 99));
        assert_eq!(asked("bytes=0-99999999999999999999999"), part(0, 99));
        for nothing in ["bytes=100-", "bytes=100-200", "bytes=-0", "bytes=99999999999999999999999-"] {
            assert_eq!(asked(nothing), Asked::Nothing, "{nothing}");
        }
        for all in
            ["bytes=", "bytes=-", "bytes=5-1", "bytes=a-b", "bytes=0-1,5-6", "bytes=+1-2", "lines=0-1", "0-1"]
        {
            assert_eq!(asked(all), Asked::All, "{all}");
        }
    }

    #[test]
    fn an_empty_file_has_no_ranges() {
        let mut headers = HeaderMap::new();
        headers.insert(header::RANGE, "bytes=0-".parse().unwrap());
        assert_eq!(asked_range(&headers, 0), Asked::Nothing);
        headers.insert(header::RANGE, "bytes=-5".parse().unwrap());
        assert_eq!(asked_range(&headers, 0), Asked::Nothing);
    }
}
