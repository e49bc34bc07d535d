//! A file that is sent to the bucket in parts while it is made, in any order.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use object_store::multipart::{MultipartStore, PartId};
use object_store::path::Path as Key;
use object_store::{MultipartId, PutMultipartOptions, PutPayload};
use tokio::time::timeout;

use crate::bucket::{Bucket, failed};
use crate::{Result, StoreError};

/// Time to tell the bucket that the rest does not come.
const ABORT: Duration = Duration::from_secs(30);
/// The same where somebody waits for it.
const ABORT_SOON: Duration = Duration::from_secs(3);

/// Nobody sees the file before it is finished. Parts of a file that is not finished are removed when this is dropped.
#[derive(Debug)]
pub struct FileParts {
    bucket: Arc<Bucket>,
    key: Key,
    id: MultipartId,
    parts: BTreeMap<u32, (PartId, u64)>,
    is_finished: bool,
}

impl FileParts {
    pub(crate) async fn begin(bucket: Arc<Bucket>, name: &str) -> Result<Self> {
        let (key, attributes) = (bucket.key(name), bucket.attributes(name));
        let options = PutMultipartOptions { attributes, ..PutMultipartOptions::default() };
        let id = bucket.client.create_multipart_opts(&key, options).await.map_err(failed)?;
        Ok(Self { bucket, key, id, parts: BTreeMap::new(), is_finished: false })
    }

    /// Sends a part, which is at least 5 MiB long unless it is the last one of the file. If the bucket does not answer, it can be
    /// tried again.
    pub async fn put(&mut self, number: u32, bytes: impl Into<PutPayload>) -> Result<()> {
        let bytes = bytes.into();
        let size = bytes.content_length() as u64;
        let put = self.bucket.client.put_part(&self.key, &self.id, number as usize, bytes).await;
        self.parts.insert(number, (put.map_err(failed)?, size));
        Ok(())
    }

    /// Bytes sent so far.
    pub fn bytes(&self) -> u64 {
        self.parts.values().map(|(_, size)| size).sum()
    }

    /// Joins the parts to the file, and returns its size. If the bucket does not answer, it can be tried again.
    pub async fn finish(&mut self) -> Result<u64> {
        let is_whole = self.parts.keys().zip(0..).all(|(number, expected)| *number == expected);
        if !is_whole || self.parts.is_empty() {
            return Err(StoreError::Bucket { cause: "a part of the file is missing".to_owned() });
        }
        let parts = self.parts.values().map(|(part, _)| part.clone()).collect();
        let joined = self.bucket.client.complete_multipart(&self.key, &self.id, parts).await;
        if let Err(error) = joined {
            self.bucket.note_refused_parts(&error);
            // An earlier request may have joined them, though its answer was lost.
            let is_joined = matches!(error, object_store::Error::NotFound { .. })
                && self.bucket.size_of(&self.key).await == Some(self.bytes());
            if !is_joined {
                return Err(failed(error));
            }
        }
        self.is_finished = true;
        Ok(self.bytes())
    }
}

impl FileParts {
    /// Has later files sent whole: the bucket answers, and yet does not join the parts.
    pub fn give_up(&self) {
        self.bucket.send_whole();
    }

    /// Removes the parts.
    pub async fn abort(mut self) {
        self.is_finished = true;
        let aborting = self.bucket.client.abort_multipart(&self.key, &self.id);
        // A rule of the bucket removes what is left.
        let _ = timeout(ABORT_SOON, aborting).await;
    }
}

impl Drop for FileParts {
    fn drop(&mut self) {
        if self.is_finished {
            return;
        }
        let (bucket, key, id) = (self.bucket.clone(), self.key.clone(), self.id.clone());
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            // What has arrived would be kept and paid for.
            runtime.spawn(async move { timeout(ABORT, bucket.client.abort_multipart(&key, &id)).await });
        }
    }
}
