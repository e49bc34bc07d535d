//! A disk that is full, or nearly: new files are refused until there is room again.

use std::io;

use rondo_store::Files;

use crate::error::{ErrorKind, ServiceError, ServiceResult};

/// Seconds after which a caller may try again.
const RETRY_AFTER: u64 = 60;

/// 503 while the disk has less free space than the operator reserves.
pub fn require_room(files: &Files) -> ServiceResult<()> {
    if files.has_room() { Ok(()) } else { Err(full()) }
}

/// A file that cannot be written. The answer never contains its path.
pub fn unwritable(error: io::Error) -> ServiceError {
    if is_full(&error) { full() } else { ServiceError::internal(error) }
}

fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

fn full() -> ServiceError {
    let message =
        "The server's disk is nearly full, so it accepts no new files and renders. Try again later.";
    ServiceError::new(ErrorKind::Unavailable, "DISK_FULL", message).retry_after(RETRY_AFTER)
}
