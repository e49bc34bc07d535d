//! Uploads on their way: files that clients sent to the bucket, and parts of files.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use tokio::io::AsyncWriteExt;

use super::{Draft, Files, public};
use crate::bucket::Listed;
use crate::{Result, StoreError};

/// The folders of a bucket: uploads that have not been looked at, those that are looked at, and parts of others.
const ARRIVED: &str = "arrived";
const SECURED: &str = "secured";
const PARTS: &str = "parts";

impl Files {
    /// An address of the bucket that takes a new file of this type and size for a while; `None` if files are in the folder. What
    /// arrives is no shared file yet.
    pub async fn write_url(
        &self,
        name: &str,
        lifetime: Duration,
        content_type: &str,
        size: u64,
    ) -> Result<Option<String>> {
        self.shared(name)?;
        let Some(bucket) = &self.bucket else { return Ok(None) };
        bucket.write_url(&arrived(name), lifetime, content_type, size).await.map(Some)
    }

    /// Bytes of a file that arrived in the bucket.
    pub async fn arrived_size(&self, name: &str) -> Result<Option<u64>> {
        let Some(bucket) = &self.bucket else { return Ok(None) };
        Ok(bucket.facts(&arrived(name)).await?.map(|facts| facts.size))
    }

    /// Copies a file that arrived in the bucket to where no client can change it. Returns its size and its first bytes.
    pub async fn secure_arrived(&self, name: &str, first: u64) -> Result<Option<(u64, Vec<u8>)>> {
        let Some(bucket) = &self.bucket else { return Ok(None) };
        if !bucket.copy_if_there(&arrived(name), &secured(name)).await? {
            return Ok(None);
        }
        let Some(facts) = bucket.facts(&secured(name)).await? else { return Ok(None) };
        Ok(bucket.head(&secured(name), first).await?.map(|head| (facts.size, head)))
    }

    /// Brings a secured file to this machine.
    pub async fn fetch_secured(&self, name: &str) -> Result<Option<Draft>> {
        let Some(bucket) = &self.bucket else { return Ok(None) };
        let (draft, unfinished) = (self.draft(), self.draft());
        let is_there = bucket.fetch(&secured(name), draft.path(), unfinished.path()).await?;
        Ok(is_there.then_some(draft))
    }

    /// Makes a secured file a shared one.
    pub async fn keep_secured(&self, name: &str) -> Result<()> {
        match &self.bucket {
            Some(bucket) => bucket.copy(&secured(name), &public(name)).await,
            None => Ok(()),
        }
    }

    /// Removes a file that arrived in the bucket, and its secured copy. Succeeds if there is none.
    pub async fn remove_arrived(&self, name: &str) -> Result<()> {
        if let Some(bucket) = &self.bucket {
            // What is left after an interruption is found by what arrived.
            bucket.delete(&secured(name)).await?;
            bucket.delete(&arrived(name)).await?;
        }
        Ok(())
    }

    /// The files that arrived in the bucket.
    pub async fn list_arrived(&self) -> Result<Vec<Listed>> {
        match &self.bucket {
            Some(bucket) => bucket.list(ARRIVED).await,
            None => Ok(Vec::new()),
        }
    }

    /// The parts of uploads in the bucket, by the ids of their uploads and their first bytes.
    pub async fn list_parts(&self) -> Result<Vec<Listed>> {
        match &self.bucket {
            Some(bucket) => bucket.list(PARTS).await,
            None => Ok(Vec::new()),
        }
    }

    /// Bytes from the first on that the parts of an upload in the bucket have.
    pub async fn parts_received(&self, upload_id: &str) -> Result<u64> {
        Ok(self.parts(upload_id).await?.iter().map(|part| part.size).sum())
    }

    /// The parts of an upload in the bucket that follow each other from the first byte on, with their sizes.
    async fn parts(&self, upload_id: &str) -> Result<Vec<Listed>> {
        let Some(bucket) = &self.bucket else { return Ok(Vec::new()) };
        let mut parts = bucket.list_all(&parts_folder(upload_id)).await?;
        parts.sort();
        let mut end = 0;
        parts.retain(|part| {
            let follows = part.name.parse() == Ok(end);
            end += if follows { part.size } else { 0 };
            follows
        });
        Ok(parts)
    }

    /// Puts a part of an upload, which begins at this byte, into the bucket. False if there is one already.
    pub async fn put_part(&self, draft: &Draft, upload_id: &str, first: u64) -> Result<bool> {
        let Some(bucket) = &self.bucket else { return Ok(false) };
        let name = format!("{}/{first:020}", parts_folder(upload_id));
        if bucket.facts(&name).await?.is_some() {
            return Ok(false);
        }
        bucket.put(&name, draft.path()).await.map(|_| true)
    }

    /// The parts of an upload in the bucket as one file.
    pub async fn join_parts(&self, upload_id: &str) -> Result<Draft> {
        let whole = self.draft();
        let at = |source| StoreError::File { path: whole.path().to_owned(), source };
        let mut file = tokio::fs::File::create(whole.path()).await.map_err(at)?;
        for Listed { name, .. } in self.parts(upload_id).await? {
            if let Some(bucket) = &self.bucket {
                bucket.append_to(&format!("{}/{name}", parts_folder(upload_id)), &mut file).await?;
            }
        }
        file.flush().await.map_err(at)?;
        Ok(whole)
    }

    /// Removes the parts of an upload, wherever they are.
    pub async fn remove_parts(&self, upload_id: &str) -> Result<()> {
        if let Some(bucket) = &self.bucket {
            for Listed { name, .. } in bucket.list_all(&parts_folder(upload_id)).await? {
                bucket.delete(&format!("{}/{name}", parts_folder(upload_id))).await?;
            }
        }
        self.remove_own(&self.part(upload_id)?)
    }

    /// What has arrived of the file of an upload, if files are in the folder.
    pub fn part(&self, upload_id: &str) -> Result<PathBuf> {
        // The folder may have been removed.
        let _ = fs::create_dir_all(self.root.join("parts"));
        self.own("parts", upload_id)
    }

    /// Removes parts of files that were last written more than `age` ago. Returns how many.
    pub fn remove_old_parts(&self, age: Duration) -> Result<u32> {
        self.remove_old("parts", age)
    }
}

fn parts_folder(upload_id: &str) -> String {
    format!("{PARTS}/{upload_id}")
}

fn secured(name: &str) -> String {
    format!("{SECURED}/{name}")
}

fn arrived(name: &str) -> String {
    format!("{ARRIVED}/{name}")
}
