//! A file of a preview that is sent while it is fetched. What is far from having arrived is asked for apart, a block at a
//! time: the index of many MP4 files is at their end. Such blocks are only sent. The copy that is kept is that of one answer.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use futures_util::Stream;
use futures_util::stream::try_unfold;
use tokio::sync::watch;
use tokio::time::Instant;

use crate::error::{ServiceError, ServiceResult};
use crate::fetch::Fetch;
use crate::file_type::HEAD;
use crate::media::{Growing, Media};
use crate::preview_media::browser_type;

/// Smaller files are waited for.
const LARGE: u64 = 1 << 20;
/// Bytes that are asked for at a time, and how long that may take.
const BLOCK: u64 = 1 << 18;
const PATIENCE: Duration = Duration::from_secs(10);
/// Blocks of a file that are asked for at most.
const MOST_BLOCKS: usize = 256;
/// Bytes that are read from disk at a time.
const PART: u64 = 1 << 16;
/// How long after its fetch a file is sent from here: those who read slowly hold its space. Players resume with the kept copy.
const SENT_FOR: Duration = Duration::from_secs(300);

/// A file that is being fetched.
#[derive(Debug)]
pub struct Arriving {
    pub content_type: &'static str,
    pub length: u64,
    file: Arc<File>,
    progress: watch::Receiver<Option<Growing>>,
    ahead: Option<Arc<Ahead>>,
    /// Until when the file is fetched.
    end: Instant,
}

/// Blocks that are asked for apart. Their file must be the same, which its validator tells.
#[derive(Debug)]
struct Ahead {
    fetch: Fetch,
    address: String,
    validator: String,
    length: u64,
    /// Until when the file is fetched.
    end: Instant,
    file: Arc<File>,
    arrived: Mutex<BTreeSet<u64>>,
    /// One block at a time.
    turn: Arc<tokio::sync::Mutex<()>>,
    /// The server sends no parts of the file.
    is_useless: AtomicBool,
}

impl Arriving {
    /// Waits for the beginning of a file that is fetched until `end`. `None` for one that is waited for.
    pub async fn begin(
        media: &Media,
        address: &str,
        mut progress: watch::Receiver<Option<Growing>>,
        end: Instant,
    ) -> ServiceResult<Option<Self>> {
        let begun = |growing: &Option<Growing>| {
            growing.as_ref().is_some_and(|growing| growing.bytes >= HEAD.min(growing.length))
        };
        let Some(growing) = progress.wait_for(begun).await.ok().and_then(|growing| growing.clone()) else {
            return Ok(None);
        };
        let Growing { file, length, validator, .. } = growing;
        let head = read(file.clone(), 0, HEAD.min(length)).await.map_err(ServiceError::internal)?;
        let content_type = browser_type(&head)?;
        if length < LARGE {
            return Ok(None);
        }
        let ahead = validator.and_then(|validator| {
            let scratch = media.cache.scratch().inspect_err(|error| {
                tracing::warn!(%error, "failed to create a scratch file for parts of media");
            });
            Some(Arc::new(Ahead {
                fetch: media.fetch.clone(),
                address: address.to_owned(),
                validator,
                length,
                end,
                file: Arc::new(scratch.ok()?),
                arrived: Mutex::default(),
                turn: Arc::default(),
                is_useless: AtomicBool::new(false),
            }))
        });
        Ok(Some(Self { content_type, length, file, progress, ahead, end }))
    }

    /// So many bytes from one on, as they arrive.
    pub fn stream(self: Arc<Self>, first: u64, count: u64) -> impl Stream<Item = io::Result<Bytes>> {
        try_unfold((self, first, first + count), async |(this, first, end)| {
            if first >= end {
                return Ok(None);
            }
            let bytes = this.some(first, end).await?;
            let next = first + bytes.len() as u64;
            Ok(Some((bytes, (this, next, end))))
        })
    }

    /// Some of the bytes from `first` to before `end`.
    async fn some(&self, first: u64, end: u64) -> io::Result<Bytes> {
        if Instant::now() >= self.end + SENT_FOR {
            return Err(broken_off());
        }
        let mut progress = self.progress.clone();
        let arrived = |growing: &Option<Growing>| growing.as_ref().map_or(0, |growing| growing.bytes);
        loop {
            let front = arrived(&progress.borrow_and_update());
            if first < front {
                return read(self.file.clone(), first, end.min(front).min(first + PART)).await;
            }
            let number = first / BLOCK;
            if let Some(ahead) = &self.ahead {
                if ahead.has(number) {
                    let end = end.min((number + 1) * BLOCK).min(first + PART);
                    return read(ahead.file.clone(), first, end).await;
                }
                if first - front >= BLOCK && ahead.is_useful() {
                    tokio::select! {
                        () = ahead.fetch_block(number) => {}
                        come = progress.wait_for(|growing| arrived(growing) > first) => {
                            come.map_err(|_| broken_off())?;
                        }
                    }
                    continue;
                }
            }
            if progress.changed().await.is_err() && arrived(&progress.borrow()) <= first {
                return Err(broken_off());
            }
        }
    }
}

impl Ahead {
    fn has(&self, number: u64) -> bool {
        self.arrived().contains(&number)
    }

    fn arrived(&self) -> MutexGuard<'_, BTreeSet<u64>> {
        self.arrived.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_useful(&self) -> bool {
        !self.is_useless.load(Ordering::Relaxed)
            && Instant::now() < self.end
            && self.arrived().len() < MOST_BLOCKS
    }

    /// Waits for a block, after those that others wait for.
    async fn fetch_block(self: &Arc<Self>, number: u64) {
        let turn = self.turn.clone().lock_owned().await;
        if self.has(number) || !self.is_useful() {
            return;
        }
        let this = self.clone();
        // A browser that leaves does not stop it: the server would be asked for the block again and again.
        let asking = tokio::spawn(async move {
            this.ask_for(number).await;
            drop(turn);
        });
        asking.await.ok();
    }

    async fn ask_for(&self, number: u64) {
        let (first, end) = (number * BLOCK, ((number + 1) * BLOCK).min(self.length));
        let patience = PATIENCE.min(self.end.saturating_duration_since(Instant::now()));
        let found = self.fetch.part(&self.address, first..end, &self.validator, self.length, patience).await;
        let is_stored = match found {
            Ok(Some(bytes)) => write(self.file.clone(), first, bytes).await.is_ok(),
            _ => false,
        };
        if is_stored {
            self.arrived().insert(number);
        } else {
            self.is_useless.store(true, Ordering::Relaxed);
        }
    }
}

fn broken_off() -> io::Error {
    io::Error::other("the file broke off")
}

async fn read(file: Arc<File>, first: u64, end: u64) -> io::Result<Bytes> {
    let reading = tokio::task::spawn_blocking(move || {
        let mut bytes = vec![0; (end - first) as usize];
        file.read_exact_at(&mut bytes, first)?;
        Ok(bytes.into())
    });
    reading.await.map_err(io::Error::other)?
}

async fn write(file: Arc<File>, first: u64, bytes: Vec<u8>) -> io::Result<()> {
    let writing = tokio::task::spawn_blocking(move || file.write_all_at(&bytes, first));
    writing.await.map_err(io::Error::other)?
}
