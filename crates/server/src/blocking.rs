//! Work that keeps a processor busy for a while, away from the threads that answer requests, and not too much of it at
//! once.

use tokio::sync::Semaphore;

use crate::error::{ApiError, ApiResult};

/// Such pieces of work at a time.
static SEATS: Semaphore = Semaphore::const_new(2);

/// Runs `work` on a thread where it may take its time.
pub async fn heavy<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> ApiResult<T> {
    let _seat = SEATS.acquire().await.map_err(ApiError::internal)?;
    tokio::task::spawn_blocking(work).await.map_err(ApiError::internal)
}
