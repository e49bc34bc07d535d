//! CPU-bound work on blocking threads, with limited concurrency.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::error::{ServiceError, ServiceResult};
use crate::turns::{Seat, Turns};

/// Seats of short work. As below, one account has at most two of them.
static TURNS: LazyLock<Arc<Turns>> = LazyLock::new(|| Turns::new(3, MOST_WAITING));
/// Requests of one account that wait for short work, and how long one waits.
const MOST_WAITING: usize = 8;
const TURN: Duration = Duration::from_secs(20);
/// Seats of work that may take minutes, counted apart so that short ones do not wait for them. Accounts take turns, and no
/// account has all seats. So one more than the two that work for one account: with a single one of its own, everything that
/// it asks meanwhile, however short, would wait for its long recording. The last one costs memory and time only while
/// several accounts ask.
static LONG_TURNS: LazyLock<Arc<Turns>> = LazyLock::new(|| Turns::new(3, usize::MAX));

/// Concurrent hashes of passwords, counted apart so that signing in waits for nothing but others who sign in.
static PASSWORD_PERMITS: Semaphore = Semaphore::const_new(2);
/// How long a password waits for its turn.
const PASSWORD_TURN: Duration = Duration::from_secs(10);

/// Runs `work` on a thread where it may take its time, when it is the account's turn.
pub async fn heavy<T: Send + 'static>(
    account_id: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> ServiceResult<T> {
    let Ok(Ok(seat)) = timeout(TURN, TURNS.take(account_id)).await else {
        let message = "Too many requests of this account are worked on. Try again in a moment.";
        return Err(ServiceError::busy(message, 3));
    };
    run(seat, work).await
}

/// Runs `work` on a thread where it may take minutes, when it is the account's turn.
pub async fn long<T: Send + 'static>(
    account_id: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> ServiceResult<T> {
    run(long_seat(account_id).await?, work).await
}

/// Runs `work`, which hashes a password.
pub async fn hashing<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> ServiceResult<T> {
    let seat = timeout(PASSWORD_TURN, PASSWORD_PERMITS.acquire()).await.map_err(|_| {
        let message = "Too many people are signing in. Try again in a moment.";
        ServiceError::busy(message, 5)
    })?;
    run(seat.map_err(ServiceError::internal)?, work).await
}

/// Waits until work of the account that may take minutes can begin elsewhere. The seat is held as long as the work goes on.
pub async fn long_seat(account_id: &str) -> ServiceResult<Seat> {
    LONG_TURNS.take(account_id).await.map_err(|_| ServiceError::internal("a seat is lost"))
}

async fn run<T: Send + 'static>(
    seat: impl Send + 'static,
    work: impl FnOnce() -> T + Send + 'static,
) -> ServiceResult<T> {
    // The permit is held until the work ends, even if the caller stops waiting.
    let seated = move || {
        let _seat = seat;
        work()
    };
    tokio::task::spawn_blocking(seated).await.map_err(ServiceError::internal)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[tokio::test]
    async fn passwords_are_hashed_while_all_other_work_waits() {
        let mut ends = Vec::new();
        let mut works = Vec::new();
        for n in 0..10 {
            let (end, wait) = channel::<()>();
            ends.push(end);
            let work = move || wait.recv();
            works.push(tokio::spawn(async move {
                let account = if n % 4 < 2 { "a" } else { "b" };
                match n % 2 {
                    0 => heavy(account, work).await.map(|_| ()),
                    _ => long(account, work).await.map(|_| ()),
                }
            }));
        }
        // Every seat is taken before the password comes.
        while TURNS.free() + LONG_TURNS.free() > 0 {
            tokio::task::yield_now().await;
        }
        let hashed = timeout(Duration::from_secs(5), hashing(|| 1)).await;
        assert_eq!(hashed.expect("the password waits for other work").unwrap(), 1);
        drop(ends);
        for work in works {
            work.await.unwrap().unwrap();
        }
    }
}
