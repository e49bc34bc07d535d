//! Sending a file to a bucket: in one request, or in parts that are read from the disk as they are sent.

use std::io;
use std::path::Path;
use std::time::Duration;

use object_store::path::Path as Key;
use object_store::{Attributes, MultipartUpload, ObjectStore, PutMultipartOptions, PutOptions};
use tokio::fs::File;
use tokio::io::AsyncReadExt;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout, timeout_at};

/// Files of more bytes are sent in parts of this many.
const PART: usize = 8 << 20;
/// Time to tell a bucket that the rest does not come.
const ABORT: Duration = Duration::from_secs(30);

/// Why a file was not sent.
#[derive(Debug, thiserror::Error)]
pub enum SendError {
    #[error(transparent)]
    File(#[from] io::Error),
    #[error(transparent)]
    Bucket(#[from] object_store::Error),
    #[error("it took longer than {} s", .0.as_secs())]
    TimedOut(Duration),
    #[error("it was stopped")]
    Stopped,
}

/// Sends a file within a time, at most `at_once` parts at a time, unless it is stopped. Whoever reads meanwhile gets all of the old
/// bytes or all of the new ones. Parts of a file that is not sent are removed. Returns its size.
pub async fn send_file(
    bucket: &dyn ObjectStore,
    key: &Key,
    path: &Path,
    attributes: Attributes,
    at_once: usize,
    within: Duration,
    stop: impl Future<Output = ()>,
) -> Result<u64, SendError> {
    let end = Instant::now() + within;
    let mut file = File::open(path).await?;
    let size = file.metadata().await?.len();
    if size <= PART as u64 {
        let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
        file.read_to_end(&mut bytes).await?;
        let options = PutOptions { attributes, ..PutOptions::default() };
        let put = tokio::select! {
            put = timeout_at(end, bucket.put_opts(key, bytes.into(), options)) => put,
            () = stop => return Err(SendError::Stopped),
        };
        put.map_err(|_| SendError::TimedOut(within))??;
        return Ok(size);
    }
    let options = PutMultipartOptions { attributes, ..PutMultipartOptions::default() };
    let mut upload = bucket.put_multipart_opts(key, options).await?;
    let mut under_way = JoinSet::new();
    let sent = tokio::select! {
        sent = timeout_at(end, send_parts(&mut *upload, &mut under_way, file, at_once)) => {
            sent.unwrap_or(Err(SendError::TimedOut(within)))
        }
        () = stop => Err(SendError::Stopped),
    };
    if let Err(error) = sent {
        // What has arrived would be kept and paid for.
        under_way.shutdown().await;
        let _ = timeout(ABORT, upload.abort()).await;
        return Err(error);
    }
    Ok(size)
}

async fn send_parts(
    upload: &mut dyn MultipartUpload,
    under_way: &mut JoinSet<object_store::Result<()>>,
    mut file: File,
    at_once: usize,
) -> Result<(), SendError> {
    loop {
        let mut part = Vec::with_capacity(PART);
        let count = (&mut file).take(PART as u64).read_to_end(&mut part).await?;
        let room = if count == 0 { 1 } else { at_once.max(1) };
        while under_way.len() >= room
            && let Some(sent) = under_way.join_next().await
        {
            sent.map_err(object_store::Error::from)??;
        }
        if count == 0 {
            upload.complete().await?;
            return Ok(());
        }
        under_way.spawn(upload.put_part(part.into()));
    }
}
