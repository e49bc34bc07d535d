//! Parts of a film that is too large to be kept whole, which a child hands to its parent as they are finished.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rondo_render::{PART_BYTES, Part, PartStore};
use rondo_sandbox::Channel;

use crate::protocol::FromChild;

/// Most bytes of an index, which comes with the first part.
const MOST_INDEX: u64 = 256 << 20;

/// Why a child's parts cannot be used. No more are taken then.
#[derive(Debug, thiserror::Error)]
pub enum PartError {
    #[error("the film is larger than it may be")]
    TooLarge,
    #[error("a part is not what was expected")]
    Unexpected,
    #[error("a part cannot be read: {0}")]
    Unread(#[from] io::Error),
}

/// Takes parts of a child within limits: the second part of the film and so on, and the first one at the end.
pub struct PartReceiver {
    most_bytes: u64,
    take: Box<dyn FnMut(Result<Part, PartError>) + Send>,
    /// The number of the next part; none when all are there.
    next: Option<u32>,
    /// Whether the last part was there.
    is_last: bool,
    bytes: u64,
}

impl fmt::Debug for PartReceiver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PartReceiver").field("next", &self.next).finish_non_exhaustive()
    }
}

impl PartReceiver {
    /// A child that was taken over could send anything: `take` gets no more than so many bytes.
    pub fn new(most_bytes: u64, take: impl FnMut(Result<Part, PartError>) + Send + 'static) -> Self {
        Self { most_bytes, take: Box::new(take), next: Some(1), is_last: false, bytes: 0 }
    }

    pub(crate) fn receive(&mut self, number: u32, file: Option<OwnedFd>) {
        let Some(next) = self.next else { return };
        let read = self.read(next, number, file);
        self.next = if read.is_ok() && number > 0 { Some(next + 1) } else { None };
        (self.take)(read);
    }

    fn read(&mut self, next: u32, number: u32, file: Option<OwnedFd>) -> Result<Part, PartError> {
        let mut file = File::from(file.ok_or(PartError::Unexpected)?);
        let facts = file.metadata()?;
        let (size, usual) = (facts.len(), PART_BYTES as u64);
        let is_next = match number {
            0 => next > 1 && (usual..=usual + MOST_INDEX).contains(&size),
            _ => number == next && !self.is_last && (1..=usual).contains(&size),
        };
        // Reading something else, such as a pipe, could wait without end.
        if !facts.is_file() || !is_next {
            return Err(PartError::Unexpected);
        }
        self.is_last |= number > 0 && size < usual;
        self.bytes = self.bytes.saturating_add(facts.len());
        if self.bytes > self.most_bytes {
            return Err(PartError::TooLarge);
        }
        file.rewind()?;
        let mut bytes = Vec::with_capacity(facts.len() as usize);
        // The child can still change it.
        file.take(facts.len()).read_to_end(&mut bytes)?;
        if bytes.len() as u64 != facts.len() {
            return Err(PartError::Unexpected);
        }
        Ok(Part { number, bytes })
    }
}

/// The parts as a child sees them: each goes to the parent.
#[derive(Debug)]
pub struct RemoteParts {
    pub channel: Arc<Mutex<Channel>>,
}

impl PartStore for RemoteParts {
    fn keep(&self, part: Part) -> Result<(), String> {
        let path = PathBuf::from(format!("part-{}", part.number));
        let sent = self.send(&part, &path);
        // The parent has it open.
        let _ = fs::remove_file(&path);
        sent.map_err(|error| error.to_string())
    }
}

impl RemoteParts {
    fn send(&self, part: &Part, path: &Path) -> io::Result<()> {
        let mut file = File::options().read(true).write(true).create_new(true).open(path)?;
        file.write_all(&part.bytes)?;
        let message = serde_json::to_vec(&FromChild::Part { number: part.number })?;
        let channel = self.channel.lock().unwrap_or_else(PoisonError::into_inner);
        channel.send(&message, &[file.as_fd()])?;
        // Answered when it was read, so that not more than one waits on the disk.
        channel.receive().map(drop)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use std::sync::mpsc;

    /// What comes of parts with these numbers and bytes, given in parts of the usual size and what is more or less.
    fn received(parts: &[(u32, u64, i64)]) -> Vec<String> {
        let (send, results) = mpsc::channel();
        let usual = PART_BYTES as u64;
        let mut receiver = PartReceiver::new(3 * usual + 100, move |result| {
            let told = result.map(|part| part.number.to_string());
            send.send(told.unwrap_or_else(|error| error.to_string())).unwrap();
        });
        for (number, times, more) in parts {
            let file = tempfile::tempfile().unwrap();
            file.set_len((usual * times).checked_add_signed(*more).unwrap()).unwrap();
            receiver.receive(*number, Some(file.into()));
        }
        drop(receiver);
        results.iter().collect()
    }

    #[test]
    fn parts_are_taken_in_order_with_the_first_one_last() {
        assert_eq!(received(&[(1, 1, 0), (2, 0, 5), (0, 1, 7)]), ["1", "2", "0"]);
        let unexpected = "a part is not what was expected";
        assert_eq!(received(&[(0, 1, 0)]), [unexpected]);
        assert_eq!(received(&[(2, 1, 0), (1, 1, 0)]), [unexpected]);
        assert_eq!(received(&[(1, 1, 0), (1, 1, 0), (0, 1, 0)]), ["1", unexpected]);
        assert_eq!(
            received(&[(1, 1, 0), (0, 1, 7), (2, 1, 0)]),
            ["1", "0"],
            "nothing comes after the first one"
        );
    }

    #[test]
    fn parts_have_the_sizes_that_a_bucket_takes() {
        let unexpected = "a part is not what was expected";
        assert_eq!(received(&[(1, 1, 1)]), [unexpected]);
        assert_eq!(received(&[(1, 1, -1), (2, 1, 0)]), ["1", unexpected], "only the last one is shorter");
        assert_eq!(received(&[(1, 1, 0), (0, 1, -1)]), ["1", unexpected]);
        assert_eq!(received(&[(1, 1, 0), (0, 40, 0)]), ["1", unexpected]);
        let too_large = "the film is larger than it may be";
        assert_eq!(received(&[(1, 1, 0), (2, 1, 0), (3, 1, 0), (0, 1, 0)]), ["1", "2", "3", too_large]);
    }
}
