//! Fetched media in the bucket, so that one machine fetches them for all.

use std::path::Path;
use std::time::{Duration, SystemTime};

use super::Files;
use crate::Result;

/// The folders of a bucket: media by the hash of their bytes, and what is known of their addresses.
const CONTENT: &str = "media/content";
const KNOWN: &str = "media/known";

impl Files {
    /// Whether fetched media are shared.
    pub fn shares_media(&self) -> bool {
        self.bucket.is_some()
    }

    /// What another machine noted of an address; `key` stands for it.
    pub async fn known_media(&self, key: &str) -> Result<Option<Vec<u8>>> {
        match &self.bucket {
            Some(bucket) => bucket.head(&format!("{KNOWN}/{key}"), 10_000).await,
            None => Ok(None),
        }
    }

    /// Brings media of at most so many bytes to a file. False if there are none in the bucket.
    pub async fn fetch_media(&self, content: &str, to: &Path, most: u64) -> Result<bool> {
        match &self.bucket {
            Some(bucket) => bucket.copy_to(&format!("{CONTENT}/{content}"), to, most).await,
            None => Ok(false),
        }
    }

    /// Removes media that are damaged.
    pub async fn remove_media(&self, content: &str) -> Result<()> {
        match &self.bucket {
            Some(bucket) => bucket.delete(&format!("{CONTENT}/{content}")).await,
            None => Ok(()),
        }
    }

    /// Notes an address, and copies the media there unless they are there.
    pub async fn share_media(&self, key: &str, known: Vec<u8>, content: &str, from: &Path) -> Result<()> {
        let Some(bucket) = &self.bucket else { return Ok(()) };
        let name = format!("{CONTENT}/{content}");
        if bucket.facts(&name).await?.is_none() {
            bucket.put(&name, from).await?;
        }
        bucket.put_bytes(&format!("{KNOWN}/{key}"), known).await
    }

    /// Removes shared media of this age, and the oldest beyond so many bytes. Returns how many files.
    pub async fn remove_old_media(&self, age: Duration, most: u64) -> Result<u64> {
        let Some(bucket) = &self.bucket else { return Ok(0) };
        let end = SystemTime::now().checked_sub(age).unwrap_or(SystemTime::UNIX_EPOCH);
        let mut removed = 0;
        for folder in [CONTENT, KNOWN] {
            let mut bytes = 0;
            let mut files = bucket.list_all(folder).await?;
            files.sort_by_key(|file| std::cmp::Reverse(file.written));
            for file in files {
                if file.written < end || bytes + file.size > most {
                    bucket.delete(&format!("{folder}/{}", file.name)).await?;
                    removed += 1;
                } else {
                    bytes += file.size;
                }
            }
        }
        Ok(removed)
    }
}
