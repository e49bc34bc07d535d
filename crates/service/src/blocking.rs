//! CPU-bound work on blocking threads, with limited concurrency.

use tokio::sync::Semaphore;

use crate::error::{ServiceError, ServiceResult};

/// Concurrent pieces of work.
static PERMITS: Semaphore = Semaphore::const_new(2);
/// Concurrent pieces of work that may take minutes, counted apart so that short ones do not wait for them.
static LONG_PERMITS: Semaphore = Semaphore::const_new(2);

/// Runs `work` on a thread where it may take its time.
pub async fn heavy<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> ServiceResult<T> {
    seated(&PERMITS, work).await
}

/// Runs `work` on a thread where it may take minutes.
pub async fn long<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> ServiceResult<T> {
    seated(&LONG_PERMITS, work).await
}

async fn seated<T: Send + 'static>(
    seats: &'static Semaphore,
    work: impl FnOnce() -> T + Send + 'static,
) -> ServiceResult<T> {
    let seat = seats.acquire().await.map_err(ServiceError::internal)?;
    // The permit is held until the work ends, even if the caller stops waiting.
    let seated = move || {
        let _seat = seat;
        work()
    };
    tokio::task::spawn_blocking(seated).await.map_err(ServiceError::internal)
}
