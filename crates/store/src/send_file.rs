//! Sending a file to a bucket: in one request, or in parts that are read from the disk as they are sent.

use std::io;
use std::path::Path;
use std::time::Duration;

use object_store::path::Path as Key;
use object_store::{Attributes, ObjectStore, PutMultipartOptions, PutOptions, WriteMultipart};
use tokio::io::AsyncReadExt;
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
}

/// Sends a file within a time, at most `at_once` parts at a time. Whoever reads meanwhile gets all of the old bytes or all of the new ones.
/// Returns its size.
pub async fn send_file(
    bucket: &dyn ObjectStore,
    key: &Key,
    path: &Path,
    attributes: Attributes,
    at_once: usize,
    within: Duration,
) -> Result<u64, SendError> {
    let end = Instant::now() + within;
    let mut file = tokio::fs::File::open(path).await?;
    let size = file.metadata().await?.len();
    if size <= PART as u64 {
        let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
        file.read_to_end(&mut bytes).await?;
        let options = PutOptions { attributes, ..PutOptions::default() };
        let put = timeout_at(end, bucket.put_opts(key, bytes.into(), options)).await;
        put.map_err(|_| SendError::TimedOut(within))??;
        return Ok(size);
    }
    let options = PutMultipartOptions { attributes, ..PutMultipartOptions::default() };
    let parts = bucket.put_multipart_opts(key, options).await?;
    let mut parts = WriteMultipart::new_with_chunk_size(parts, PART);
    let mut buffer = vec![0; 1 << 20];
    let sent = async {
        loop {
            let count = file.read(&mut buffer).await?;
            if count == 0 {
                return Ok::<_, SendError>(());
            }
            parts.wait_for_capacity(at_once).await?;
            parts.write(&buffer[..count]);
        }
    };
    match timeout_at(end, sent).await.unwrap_or(Err(SendError::TimedOut(within))) {
        Ok(()) => Ok(parts.finish().await.map(|_| size)?),
        Err(error) => {
            // What has arrived would be kept and paid for.
            let _ = timeout(ABORT, parts.abort()).await;
            Err(error)
        }
    }
}
