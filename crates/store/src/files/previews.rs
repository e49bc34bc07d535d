//! Pictures and films of previews in the bucket, so that one process draws them for all.

use std::time::{Duration, SystemTime};

use super::Files;
use crate::Result;

/// The folder of a bucket.
const PREVIEWS: &str = "previews";

impl Files {
    /// Brings a preview to this machine that another one has drawn. False if there is none.
    pub async fn fetch_preview(&self, name: &str) -> Result<bool> {
        let (place, draft) = (self.preview(name)?, self.draft());
        match &self.bucket {
            Some(bucket) if bucket.copy_to(&format!("{PREVIEWS}/{name}"), draft.path(), u64::MAX).await? => {
                super::off(move || draft.keep(&place)).await.map(|_| true)
            }
            _ => Ok(false),
        }
    }

    /// Copies a preview to the bucket, for the other machines.
    pub async fn share_preview(&self, name: &str) -> Result<()> {
        match &self.bucket {
            Some(bucket) => bucket.put(&format!("{PREVIEWS}/{name}"), &self.preview(name)?).await.map(drop),
            None => Ok(()),
        }
    }

    /// Removes previews of the bucket that are older. Returns how many.
    pub async fn remove_shared_previews(&self, age: Duration) -> Result<u64> {
        let Some(bucket) = &self.bucket else { return Ok(0) };
        let end = SystemTime::now().checked_sub(age).unwrap_or(SystemTime::UNIX_EPOCH);
        let mut removed = 0;
        for file in bucket.list_all(PREVIEWS).await?.into_iter().filter(|file| file.written < end) {
            bucket.delete(&format!("{PREVIEWS}/{}", file.name)).await?;
            removed += 1;
        }
        Ok(removed)
    }
}
