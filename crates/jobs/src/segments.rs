//! Segments of a film, which a child hands to its parent as they are finished.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rondo_render::{Segment, SegmentStore};
use rondo_sandbox::Channel;

use crate::protocol::FromChild;

/// Segments per second of a film at most. Chunks are longer, but for those of very short films.
const MOST_PER_SECOND: u32 = 2;

/// A segment that a child finished.
#[derive(Debug)]
pub struct ReceivedSegment {
    /// 0 for the init segment.
    pub number: u32,
    /// Frames that it shows.
    pub frames: u32,
    pub bytes: u64,
    file: File,
}

impl ReceivedSegment {
    /// Copies it to a new file: the child can still change its own.
    pub fn write_to(mut self, path: &Path) -> io::Result<()> {
        self.file.rewind()?;
        let mut file = File::create(path)?;
        let copied = io::copy(&mut self.file.take(self.bytes), &mut file)?;
        if copied == self.bytes { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }
}

/// What a film may have of segments. A child that was taken over could send anything.
#[derive(Debug, Clone, Copy)]
pub struct SegmentLimits {
    pub frames: u32,
    pub fps: u32,
    pub bytes: u64,
}

/// Takes segments of a child, in order and within limits.
pub struct SegmentReceiver {
    limits: SegmentLimits,
    take: Box<dyn FnMut(Result<ReceivedSegment, SegmentError>) + Send>,
    count: u32,
    frames: u32,
    bytes: u64,
    failed: bool,
}

/// Why a child's segments cannot be used. No more are taken then.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SegmentError {
    #[error("the segments are larger than the film may be")]
    TooLarge,
    #[error("a segment is not what was expected")]
    Unexpected,
}

impl fmt::Debug for SegmentReceiver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SegmentReceiver").field("count", &self.count).finish_non_exhaustive()
    }
}

impl SegmentReceiver {
    pub fn new(
        limits: SegmentLimits,
        take: impl FnMut(Result<ReceivedSegment, SegmentError>) + Send + 'static,
    ) -> Self {
        Self { limits, take: Box::new(take), count: 0, frames: 0, bytes: 0, failed: false }
    }

    pub(crate) fn receive(&mut self, number: u32, frames: u32, file: Option<OwnedFd>) {
        if self.failed {
            return;
        }
        let checked = self.check(number, frames, file);
        self.failed = checked.is_err();
        (self.take)(checked);
    }

    fn check(
        &mut self,
        number: u32,
        frames: u32,
        file: Option<OwnedFd>,
    ) -> Result<ReceivedSegment, SegmentError> {
        let SegmentLimits { frames: most_frames, fps, bytes: most_bytes } = self.limits;
        let file = File::from(file.ok_or(SegmentError::Unexpected)?);
        let facts = file.metadata().map_err(|_| SegmentError::Unexpected)?;
        let most = u64::from(most_frames) * u64::from(MOST_PER_SECOND) / u64::from(fps.max(1)) + 3;
        self.frames = self.frames.saturating_add(frames);
        self.bytes = self.bytes.saturating_add(facts.len());
        // Reading something else, such as a pipe, could wait without end.
        let is_next = facts.is_file() && number == self.count && (frames > 0) == (number > 0);
        if !is_next || self.frames > most_frames || u64::from(number) > most {
            return Err(SegmentError::Unexpected);
        }
        if self.bytes > most_bytes {
            return Err(SegmentError::TooLarge);
        }
        self.count += 1;
        Ok(ReceivedSegment { number, frames, bytes: facts.len(), file })
    }
}

/// The segments as a child sees them: each goes to the parent.
#[derive(Debug, Clone)]
pub struct RemoteSegments {
    pub channel: Arc<Mutex<Channel>>,
}

impl SegmentStore for RemoteSegments {
    fn keep(&self, segment: Segment) -> Result<(), String> {
        let path = PathBuf::from(format!("segment-{}", segment.number));
        let sent = self.send(&segment, &path);
        // The parent has it open.
        let _ = fs::remove_file(&path);
        sent.map_err(|error| error.to_string())
    }
}

impl RemoteSegments {
    fn send(&self, segment: &Segment, path: &Path) -> io::Result<()> {
        let mut file = File::options().read(true).write(true).create_new(true).open(path)?;
        file.write_all(&segment.bytes)?;
        let message = FromChild::Segment { number: segment.number, frames: segment.frames };
        let channel = self.channel.lock().unwrap_or_else(PoisonError::into_inner);
        channel.send(&serde_json::to_vec(&message)?, &[file.as_fd()])
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use std::sync::mpsc;

    fn file(bytes: usize) -> Option<OwnedFd> {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&vec![7; bytes]).unwrap();
        Some(file.into())
    }

    /// What comes of segments with these numbers, frames and bytes, in a film of ten seconds.
    fn received(segments: &[(u32, u32, usize)]) -> Vec<Result<u32, SegmentError>> {
        let (send, results) = mpsc::channel();
        let limits = SegmentLimits { frames: 100, fps: 10, bytes: 1000 };
        let mut receiver = SegmentReceiver::new(limits, move |result| {
            send.send(result.map(|segment| segment.number)).unwrap();
        });
        for (number, frames, bytes) in segments {
            receiver.receive(*number, *frames, file(*bytes));
        }
        drop(receiver);
        results.iter().collect()
    }

    #[test]
    fn segments_are_taken_in_order_and_within_the_film() {
        assert_eq!(received(&[(0, 0, 10), (1, 50, 10), (2, 50, 980)]), [Ok(0), Ok(1), Ok(2)]);
        let unexpected = Err(SegmentError::Unexpected);
        assert_eq!(received(&[(0, 0, 10), (2, 50, 10), (1, 50, 10)]), [Ok(0), unexpected]);
        assert_eq!(received(&[(0, 0, 10), (1, 50, 10), (1, 50, 10)]), [Ok(0), Ok(1), unexpected]);
        assert_eq!(received(&[(0, 0, 10), (1, 101, 10)]), [Ok(0), unexpected]);
        assert_eq!(received(&[(0, 0, 10), (1, 0, 10)]), [Ok(0), unexpected]);
        assert_eq!(received(&[(0, 3, 10)]), [unexpected]);
        assert_eq!(received(&[(0, 0, 10), (1, 50, 991)]), [Ok(0), Err(SegmentError::TooLarge)]);
        let short: Vec<_> = (0..60).map(|number| (number, u32::from(number > 0), 1)).collect();
        assert_eq!(received(&short).last(), Some(&unexpected), "more than two a second");
    }

    #[test]
    fn a_segment_is_copied_as_long_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("segment");
        let mut source = tempfile::tempfile().unwrap();
        source.write_all(b"segment").unwrap();
        let segment =
            |bytes| ReceivedSegment { number: 1, frames: 1, bytes, file: source.try_clone().unwrap() };
        segment(7).write_to(&path).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"segment");
        assert!(segment(8).write_to(&path).is_err(), "it became shorter");
    }
}
