//! Whether this process can do its work: the database can be written and has a schema that allows this program, the disk has room, and
//! the bucket of files answers.

use std::time::Duration;

use rondo_store::{Files, Outage, Store, StoreError, free_disk};
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

use crate::service::Service;

/// How long an answer counts. Requests in between cause no write.
const FRESH: Duration = Duration::from_secs(1);
/// How long the database may take.
const LIMIT: Duration = Duration::from_secs(3);

/// Bytes that the disk must have room for.
const LEAST_FREE: u64 = 1024 * 1024;

/// Why the process is not ready.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unready {
    Stopping,
    Database,
    Schema,
    Disk,
    Files,
}

impl Unready {
    /// Machine-readable.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Stopping => "STOPPING",
            Self::Database => "DATABASE_UNAVAILABLE",
            Self::Schema => "SCHEMA_MISMATCH",
            Self::Disk => "DISK_FULL",
            Self::Files => "FILES_UNAVAILABLE",
        }
    }

    pub fn sentence(self) -> &'static str {
        match self {
            Self::Stopping => "The service is shutting down.",
            Self::Database => "The database cannot be written.",
            Self::Schema => "The database has the schema of another version of the service.",
            Self::Disk => "The disk is full, or nearly.",
            Self::Files => "The bucket of files does not answer.",
        }
    }
}

/// The last answer.
#[derive(Debug, Default)]
pub struct Readiness {
    last: Mutex<Option<(Instant, Option<Unready>)>>,
}

impl Service {
    /// Why this process is not ready, if it is not.
    pub async fn unready(&self) -> Option<Unready> {
        if self.queue.stopping.is_cancelled() {
            return Some(Unready::Stopping);
        }
        // A disk that cannot be asked shows in the check of the database.
        if free_disk(&self.settings.data).is_ok_and(|free| free < LEAST_FREE) {
            return Some(Unready::Disk);
        }
        let mut last = self.readiness.last.lock().await;
        if let Some((at, unready)) = *last
            && at.elapsed() < FRESH
        {
            return unready;
        }
        let (database, files) = tokio::join!(database(&self.store), files(&self.media.files));
        let unready = database.or(files);
        *last = Some((Instant::now(), unready));
        unready
    }
}

/// A bucket must answer.
async fn files(files: &Files) -> Option<Unready> {
    match timeout(LIMIT, files.known_bucket_id()).await {
        Ok(Ok(_)) => None,
        Ok(Err(error)) => {
            tracing::warn!(%error, "the bucket of files is not ready");
            Some(Unready::Files)
        }
        Err(_) => Some(Unready::Files),
    }
}

async fn database(store: &Store) -> Option<Unready> {
    let error = match timeout(LIMIT, store.check()).await {
        Ok(Ok(())) => return None,
        Ok(Err(error)) => error,
        Err(_) => {
            tracing::warn!("the database does not answer");
            return Some(Unready::Database);
        }
    };
    tracing::warn!(%error, "the database is not ready");
    match error {
        StoreError::NewerSchema { .. } | StoreError::OlderSchema { .. } => Some(Unready::Schema),
        other if other.outage() == Some(Outage::DiskFull) => Some(Unready::Disk),
        _ => Some(Unready::Database),
    }
}
