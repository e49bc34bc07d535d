//! A disk that is full, or nearly: new files are refused until there is room again.

use std::io;

use rondo_store::Files;

use crate::error::{ErrorKind, ServiceError, ServiceResult};

/// Seconds after which a caller may try again.
const RETRY_AFTER: u64 = 60;
/// Bytes that a file grows between two looks at the free space of the disk.
const LOOK_EVERY: u64 = 16_000_000;

/// How the system and FFmpeg say that the disk is full.
pub const NO_SPACE: &str = "No space left on device";

/// Looks at the free space of the disk while a file grows.
#[derive(Debug)]
pub struct Growth<'a> {
    files: &'a Files,
    seen: u64,
}

impl<'a> Growth<'a> {
    /// Of a file that has `size` bytes.
    pub fn of(files: &'a Files, size: u64) -> Self {
        Self { files, seen: size }
    }

    /// 503 when the disk has less free space than the operator reserves, now that the file has `size` bytes.
    pub fn require_room(&mut self, size: u64) -> ServiceResult<()> {
        if size.saturating_sub(self.seen) < LOOK_EVERY {
            return Ok(());
        }
        self.seen = size;
        require_room(self.files)
    }
}

/// 503 while the disk has less free space than the operator reserves.
pub fn require_room(files: &Files) -> ServiceResult<()> {
    if files.has_room() { Ok(()) } else { Err(full()) }
}

/// A file that cannot be written. The answer never contains its path.
pub fn unwritable(error: io::Error) -> ServiceError {
    if is_full(&error) { full() } else { ServiceError::internal(error) }
}

/// Whether a file cannot be written for want of space.
pub fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

pub fn full() -> ServiceError {
    let message =
        "The server's disk is nearly full, so it accepts no new files and renders. Try again later.";
    ServiceError::new(ErrorKind::Unavailable, "DISK_FULL", message).retry_after(RETRY_AFTER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_grows_looks_for_room_from_time_to_time() {
        let folder = tempfile::tempdir().unwrap();
        let full_disk = Files::open(folder.path()).unwrap().with_min_free(u64::MAX);
        let mut growth = Growth::of(&full_disk, 1000);
        growth.require_room(LOOK_EVERY + 999).unwrap();
        assert_eq!(growth.require_room(LOOK_EVERY + 1000).unwrap_err().reason, "DISK_FULL");
    }
}
