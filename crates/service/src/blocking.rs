//! Work that keeps a processor busy for a while, away from the threads that answer requests, and not too much of it at
//! once.

use tokio::sync::Semaphore;

use crate::error::{ServiceError, ServiceResult};

/// Such pieces of work at a time.
static SEATS: Semaphore = Semaphore::const_new(2);
/// Pieces of work that may take minutes: others must not wait for them.
static LONG_SEATS: Semaphore = Semaphore::const_new(2);

/// Runs `work` on a thread where it may take its time.
pub async fn heavy<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> ServiceResult<T> {
    seated(&SEATS, work).await
}

/// Runs `work` on a thread where it may take minutes.
pub async fn long<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> ServiceResult<T> {
    seated(&LONG_SEATS, work).await
}

async fn seated<T: Send + 'static>(
    seats: &'static Semaphore,
    work: impl FnOnce() -> T + Send + 'static,
) -> ServiceResult<T> {
    let seat = seats.acquire().await.map_err(ServiceError::internal)?;
    // The seat is taken as long as the work goes on, also when nobody waits for it any more.
    let seated = move || {
        let _seat = seat;
        work()
    };
    tokio::task::spawn_blocking(seated).await.map_err(ServiceError::internal)
}
