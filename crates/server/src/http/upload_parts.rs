//! Uploads in parts, so that one that broke off goes on where it stopped. Each part says its place with `Content-Range`, and is
//! answered with 308 and the bytes that are there, the last one like a whole file. What arrives of a part that breaks off is kept.

use std::collections::HashMap;
use std::fs::{File as StdFile, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rondo_service::ErrorKind;
use rondo_service::disk::unwritable;
use rondo_service::uploads::{MOST_BYTES, wrong_size};
use rondo_store::{Draft, Upload};
use tokio::fs::File;
use tokio::io::AsyncWriteExt;
use tokio::sync::OwnedMutexGuard;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::envelope::Data;
use super::error::{ApiError, ApiResult};
use super::files::{text, value};
use super::uploads::{take, too_large};
use crate::app::App;

/// How long a request waits for an older one about the same upload to stop.
const TURN: Duration = Duration::from_secs(10);

/// What a `Content-Range` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sent {
    /// `bytes */size`: how much is there?
    Question { size: u64 },
    /// `bytes first-last/size`; both ends count.
    Part { first: u64, last: u64, size: u64 },
}

impl Sent {
    fn size(self) -> u64 {
        match self {
            Self::Question { size } | Self::Part { size, .. } => size,
        }
    }
}

/// The place of a part; `None` for a whole file.
pub fn sent_part(headers: &HeaderMap) -> ApiResult<Option<Sent>> {
    if !headers.contains_key(header::CONTENT_RANGE) {
        return Ok(None);
    }
    let sent = text(headers, header::CONTENT_RANGE).and_then(read_range).ok_or_else(|| {
        ApiError::invalid(
            "Content-Range must be as in bytes 0-999/5000, or bytes */5000 to ask what is there.",
        )
    })?;
    if sent.size() > MOST_BYTES { Err(too_large()) } else { Ok(Some(sent)) }
}

fn read_range(range: &str) -> Option<Sent> {
    let number = |text: &str| -> Option<u64> {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| text.parse().ok()).flatten()
    };
    let (place, size) = range.strip_prefix("bytes ")?.trim().split_once('/')?;
    let size = number(size).filter(|size| *size > 0)?;
    if place == "*" {
        return Some(Sent::Question { size });
    }
    let (first, last) = place.split_once('-')?;
    let (first, last) = (number(first)?, number(last)?);
    (first <= last && last < size).then_some(Sent::Part { first, last, size })
}

/// The uploads that a request is about. A new request stops the one before: its connection may be gone without a word.
#[derive(Default)]
pub struct Turns(Mutex<HashMap<String, Writer>>);

#[derive(Default)]
struct Writer {
    stop: CancellationToken,
    lock: Arc<tokio::sync::Mutex<()>>,
}

/// The only request about an upload.
pub struct Turn {
    /// Cancelled when another one comes.
    pub stop: CancellationToken,
    _held: OwnedMutexGuard<()>,
}

impl Turns {
    pub async fn take(&self, upload_id: &str) -> ApiResult<Turn> {
        let (stop, lock) = {
            let mut writers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            writers.retain(|_, writer| Arc::strong_count(&writer.lock) > 1);
            let writer = writers.entry(upload_id.to_owned()).or_default();
            std::mem::take(&mut writer.stop).cancel();
            (writer.stop.clone(), writer.lock.clone())
        };
        let held = timeout(TURN, lock.lock_owned()).await.map_err(|_| in_use())?;
        Ok(Turn { stop, _held: held })
    }
}

/// Takes a part, or tells what is there.
pub async fn receive(
    app: &Arc<App>,
    upload: &Upload,
    sent: Sent,
    announced: Option<u64>,
    body: Body,
) -> ApiResult<Response> {
    let service = &app.service;
    if let Sent::Part { first, last, .. } = sent
        && announced.is_some_and(|length| length != last - first + 1)
    {
        return Err(ApiError::invalid("The body does not have as many bytes as Content-Range says."));
    }
    let turn = app.parts.take(&upload.id).await?;
    // As the request before left it.
    let upload = service.store.upload(&upload.id).await?.ok_or_else(|| ApiError::not_found("upload"))?;
    if let (Some(stored), Sent::Question { .. }) = (service.uploads.stored(&upload), sent) {
        return Ok(Data(stored).into_response());
    }
    service.uploads.require_open(&upload)?;
    let size = sent.size();
    if let Some(expected) = upload.declared_size.or(upload.reserved).filter(|expected| *expected != size) {
        return Err(wrong_size(expected, size).into());
    }
    let files = &service.media.files;
    let path = files.part(&upload.id)?;
    let received = match files.uses_bucket() {
        true => files.parts_received(&upload.id).await?,
        false => tokio::fs::metadata(&path).await.map_or(0, |facts| facts.len()),
    };
    match sent {
        // Everything arrived, and something failed after that.
        Sent::Question { .. } if received == size => {
            let (app, upload) = (app.clone(), upload.clone());
            let keeping = tokio::spawn(async move {
                let file = match app.service.media.files.uses_bucket() {
                    true => None,
                    false => Some(opened(&path, received).await?),
                };
                let kept = keep(&app, upload, path, size).await;
                drop((file, turn));
                kept
            });
            keeping.await.map_err(ApiError::internal)?
        }
        Sent::Question { .. } => Ok(progress(received)),
        Sent::Part { first, .. } if first != received => Err(wrong_place(first, received)),
        Sent::Part { last, .. } => {
            service.uploads.expect_part(&upload, size).await?;
            let part = Part { app: app.clone(), upload, turn, path, received, end: last + 1, size };
            // A connection that breaks off ends its request at once; what has arrived is written to the end.
            let writing = tokio::spawn(part.write(body));
            writing.await.map_err(ApiError::internal)?
        }
    }
}

/// A part that arrives.
struct Part {
    app: Arc<App>,
    upload: Upload,
    turn: Turn,
    path: PathBuf,
    /// Bytes that are there.
    received: u64,
    /// Bytes that are there with this part, and with all parts.
    end: u64,
    size: u64,
}

impl Part {
    async fn write(self, body: Body) -> ApiResult<Response> {
        let Self { app, upload, turn, path, received, end, size } = self;
        let files = &app.service.media.files;
        // A part for the bucket is a file of its own.
        let draft = files.uses_bucket().then(|| files.draft());
        let mut file = match &draft {
            Some(draft) => File::create(draft.path()).await.map_err(unwritable)?,
            None => File::from_std(opened(&path, received).await?),
        };
        let allow = |bytes: u64| if bytes > end { Err(too_long()) } else { Ok(()) };
        let taking = take(body, &mut file, files, received, allow, None);
        let taken = tokio::select! {
            taken = taking => taken,
            () = turn.stop.cancelled() => Err(in_use()),
        };
        file.flush().await.map_err(unwritable)?;
        if let Some(draft) = &draft
            && file.metadata().await.is_ok_and(|facts| facts.len() > 0)
            && !files.put_part(draft, &upload.id, received).await?
        {
            return Err(in_use());
        }
        let taken = taken?;
        if taken < end {
            return Err(ApiError::invalid(
                "The part broke off. Ask with bytes */SIZE what is there, and go on.",
            ));
        }
        if end < size {
            return Ok(progress(end));
        }
        // Others wait until it is known whether the file is kept.
        let kept = keep(&app, upload, path, size).await;
        drop((file, turn));
        kept
    }
}

/// Makes all parts the file of the upload.
async fn keep(app: &Arc<App>, upload: Upload, path: PathBuf, size: u64) -> ApiResult<Response> {
    let files = &app.service.media.files;
    let id = upload.id.clone();
    let draft = match files.uses_bucket() {
        true => {
            let joined = files.join_parts(&id).await?;
            // Another process may have written a part meanwhile.
            if tokio::fs::metadata(joined.path()).await.map_or(0, |facts| facts.len()) != size {
                return Err(in_use());
            }
            joined
        }
        false => Draft::of_parts(path),
    };
    match app.service.uploads.keep(upload, draft, size).await {
        Ok(stored) => {
            if let Err(error) = files.remove_parts(&id).await {
                tracing::warn!(%error, "failed to remove parts of an upload");
            }
            Ok(Data(stored).into_response())
        }
        Err(error) => {
            // A file of the wrong kind stays one. After other errors it is kept when it is asked for again.
            if error.kind == ErrorKind::UnsupportedMediaType {
                files.remove_parts(&id).await?;
            }
            Err(error.into())
        }
    }
}

async fn opened(path: &Path, received: u64) -> ApiResult<StdFile> {
    let path = path.to_owned();
    tokio::task::spawn_blocking(move || open(&path, received)).await.map_err(ApiError::internal)?
}

/// The file to append to. Other processes of the service may write it too: only one does at a time.
fn open(path: &Path, received: u64) -> ApiResult<StdFile> {
    let file = OpenOptions::new().append(true).create(true).open(path).map_err(unwritable)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(in_use()),
        Err(TryLockError::Error(error)) => return Err(unwritable(error).into()),
    }
    let there = file.metadata().map_err(unwritable)?.len();
    if there == received { Ok(file) } else { Err(wrong_place(received, there)) }
}

/// 308 with the bytes that are there, as other services answer to parts.
fn progress(received: u64) -> Response {
    let mut response =
        (StatusCode::PERMANENT_REDIRECT, [(header::CACHE_CONTROL, "no-store")]).into_response();
    if let Some(range) = range_of(received) {
        response.headers_mut().insert(header::RANGE, value(&range));
    }
    response
}

fn range_of(received: u64) -> Option<String> {
    received.checked_sub(1).map(|last| format!("bytes=0-{last}"))
}

fn wrong_place(first: u64, received: u64) -> ApiError {
    let message =
        format!("The part begins at byte {first}, but {received} bytes are there. Go on at byte {received}.");
    let error = ApiError::new(StatusCode::RANGE_NOT_SATISFIABLE, "RANGE_NOT_SATISFIABLE", message)
        .with("receivedBytes", received);
    match range_of(received) {
        Some(range) => error.header(header::RANGE, &range),
        None => error,
    }
}

fn too_long() -> ApiError {
    ApiError::invalid("The body has more bytes than Content-Range says.")
}

pub fn in_use() -> ApiError {
    let message = "Another request sends this upload. Ask in a moment what is there, and go on.";
    ApiError::new(StatusCode::CONFLICT, "UPLOAD_IN_PROGRESS", message).header(header::RETRY_AFTER, "2")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_parts_are_read() {
        assert_eq!(read_range("bytes 0-9/20"), Some(Sent::Part { first: 0, last: 9, size: 20 }));
        assert_eq!(read_range("bytes 19-19/20"), Some(Sent::Part { first: 19, last: 19, size: 20 }));
        assert_eq!(read_range("bytes */20"), Some(Sent::Question { size: 20 }));
        for wrong in [
            "",
            "bytes",
            "bytes 0-9",
            "bytes 0-9/*",
            "bytes 0-20/20",
            "bytes 9-0/20",
            "bytes -9/20",
            "bytes 0-/20",
            "bytes */0",
            "bytes +1-9/20",
            "items 0-9/20",
            "bytes 0-9/99999999999999999999",
        ] {
            assert_eq!(read_range(wrong), None, "{wrong}");
        }
    }

    #[tokio::test]
    async fn a_new_request_stops_the_one_before() {
        let turns = Turns::default();
        let first = turns.take("a").await.unwrap();
        assert!(!first.stop.is_cancelled());
        let stop = first.stop.clone();
        let waiting = async {
            stop.cancelled().await;
            drop(first);
        };
        let (second, ()) = tokio::join!(turns.take("a"), waiting);
        assert!(!second.unwrap().stop.is_cancelled());
        turns.take("b").await.unwrap();
        turns.take("c").await.unwrap();
        assert!(turns.0.lock().unwrap().len() <= 2, "what has ended is forgotten");
    }
}
