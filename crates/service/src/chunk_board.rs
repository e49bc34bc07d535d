//! The chunks of a film that workers of several processes render: what each has taken is in the database, what is finished in
//! the bucket, or in the folder of chunks if processes share it.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rondo_jobs::{ChunkBoard, OfferedChunk, Taken};
use rondo_render::{ChunkCache, ChunkStore};
use rondo_store::{ChunkTask, Files, Hand, Lease, Result, Store, StoreError, Taken as Given};
use tokio::runtime::Handle;
use tokio::time::sleep;
use tokio_util::task::TaskTracker;

use crate::queue::Queue;

/// How long the lease of a chunk lasts.
pub const CHUNK_LEASE: Duration = Duration::from_secs(30);
/// Time between two looks at what other processes have finished.
const LOOK_AGAIN: Duration = Duration::from_millis(100);
/// How often, and how long apart, a chunk is sent to a bucket that does not answer.
const SEND_TIMES: u32 = 5;
const SEND_AGAIN: Duration = Duration::from_secs(2);
/// Most chunks of a film.
const MOST_CHUNKS: usize = 100_000;

/// The board of one render in this process.
#[derive(Debug)]
pub struct Board {
    shared: Arc<Shared>,
    work: Work,
    runtime: Handle,
    /// Chunks this process has taken, and when.
    taken: Unfinished,
    offered: usize,
    /// Chunks that are finished, and when that was last looked up.
    finished: HashSet<String>,
    looked: Option<Instant>,
    /// Chunks on their way to the bucket.
    sending: TaskTracker,
}

/// What this process does for the film.
#[derive(Debug)]
pub enum Work {
    Lead(Lease),
    /// With the first chunk, which is taken already.
    Help {
        render_id: String,
        first: Option<ChunkTask>,
    },
}

/// Names of chunks that were taken and are not finished, and since when.
pub type Unfinished = Arc<Mutex<HashMap<String, Instant>>>;

struct Shared {
    store: Store,
    files: Files,
    cache: ChunkCache,
    queue: Queue,
    render_id: String,
}

impl Board {
    pub fn new(store: Store, files: Files, cache: ChunkCache, queue: Queue, work: Work) -> Self {
        let taken = Unfinished::default();
        let render_id = match &work {
            Work::Lead(lease) => lease.render_id.clone(),
            Work::Help { render_id, first } => {
                let first = first.iter().map(|task| (task.name.clone(), Instant::now()));
                taken.lock().unwrap_or_else(PoisonError::into_inner).extend(first);
                render_id.clone()
            }
        };
        Self {
            shared: Arc::new(Shared { store, files, cache, queue, render_id }),
            work,
            runtime: Handle::current(),
            taken,
            offered: 0,
            finished: HashSet::new(),
            looked: None,
            sending: TaskTracker::new(),
        }
    }

    /// What was taken and is not finished.
    pub fn unfinished(&self) -> Unfinished {
        self.taken.clone()
    }

    /// What is on its way to the bucket.
    pub fn sending(&self) -> TaskTracker {
        self.sending.clone()
    }

    fn look(&mut self) {
        if self.looked.is_some_and(|at| at.elapsed() < LOOK_AGAIN) {
            return;
        }
        self.looked = Some(Instant::now());
        match self.runtime.block_on(self.shared.store.finished_chunks(&self.shared.render_id)) {
            Ok(finished) => self.finished = finished,
            Err(error) => tracing::warn!(%error, "failed to look for finished chunks"),
        }
    }

    fn take_next(&mut self, file: u32) -> Result<Given> {
        let Shared { store, render_id, .. } = &*self.shared;
        let hand = match &mut self.work {
            Work::Lead(_) if self.offered == 0 => return Ok(Given::Later),
            Work::Lead(_) => Hand::Lead,
            Work::Help { first, .. } => {
                if let Some(first) = first.take() {
                    return Ok(Given::Task(first));
                }
                // A film that waits comes before chunks of one that runs.
                if self.shared.queue.stopping.is_cancelled()
                    || self.runtime.block_on(store.has_ready_renders())?
                {
                    return Ok(Given::Nothing);
                }
                Hand::Helper
            }
        };
        self.runtime.block_on(store.take_chunk(render_id, file, hand, CHUNK_LEASE))
    }
}

impl ChunkBoard for Board {
    fn offer(&mut self, file: u32, chunks: Vec<OfferedChunk>) {
        let Work::Lead(lease) = &self.work else { return };
        self.offered += chunks.len();
        if self.offered > MOST_CHUNKS {
            return;
        }
        let tasks: Vec<ChunkTask> = chunks
            .into_iter()
            .map(|OfferedChunk { number, frames, key }| ChunkTask { file, number, frames, name: key })
            .collect();
        match self.runtime.block_on(self.shared.offer(lease, &tasks)) {
            Ok(()) => self.shared.queue.wake_workers(),
            Err(error) => tracing::warn!(%error, "failed to offer chunks"),
        }
    }

    fn take(&mut self, file: u32) -> Taken {
        match self.take_next(file) {
            Ok(Given::Task(task)) => {
                self.taken.lock().unwrap_or_else(PoisonError::into_inner).insert(task.name, Instant::now());
                Taken::Chunk(task.number)
            }
            // A helper is called again when there is more to do.
            Ok(Given::Later) if matches!(self.work, Work::Lead(_)) => Taken::Later,
            Ok(Given::Later | Given::Nothing) => Taken::Nothing,
            Err(error) => {
                tracing::warn!(%error, "failed to take a chunk");
                Taken::Later
            }
        }
    }

    fn has_taken(&self, name: &str) -> bool {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner).contains_key(name)
    }

    fn fetch(&mut self, name: &str) {
        if !self.finished.contains(name) {
            self.look();
        }
        if !self.finished.contains(name) {
            return;
        }
        match self.runtime.block_on(self.shared.fetch(name)) {
            Ok(true) => {}
            Ok(false) => self.discard(name),
            Err(error) => tracing::warn!(%error, "failed to fetch a chunk"),
        }
    }

    fn stored(&mut self, name: &str) {
        let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner).remove(name);
        let elapsed = taken.map_or(Duration::ZERO, |taken| taken.elapsed());
        let (shared, name) = (self.shared.clone(), name.to_owned());
        self.sending.spawn_on(
            async move {
                if let Err(error) = shared.finish(&name, elapsed).await {
                    tracing::warn!(%error, "failed to share a chunk");
                }
            },
            &self.runtime,
        );
    }

    fn discard(&mut self, name: &str) {
        self.finished.remove(name);
        let Shared { store, render_id, .. } = &*self.shared;
        if let Err(error) = self.runtime.block_on(store.lose_chunk(render_id, name)) {
            tracing::warn!(%error, "failed to make a lost chunk a task again");
        }
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("render_id", &self.render_id).finish_non_exhaustive()
    }
}

impl Shared {
    async fn offer(&self, lease: &Lease, tasks: &[ChunkTask]) -> Result<()> {
        let here = |task: &&ChunkTask| self.cache.contains(&task.name);
        let mut kept: HashSet<String> = tasks.iter().filter(here).map(|task| task.name.clone()).collect();
        if self.files.uses_bucket() {
            // One that is here only cannot be read elsewhere, and is not rendered elsewhere either: the lead needs it, and has it.
            let names: Vec<String> = tasks.iter().map(|task| task.name.clone()).collect();
            kept.extend(self.store.kept_chunks(&names).await?);
        }
        self.store.offer_chunks(lease, tasks, &kept).await
    }

    /// Brings a chunk of the bucket to the cache. False if there is none.
    async fn fetch(&self, name: &str) -> Result<bool> {
        if !self.files.uses_bucket() {
            return Ok(self.cache.contains(name));
        }
        let Some(bytes) = self.files.chunk(name).await? else { return Ok(false) };
        let path = self.cache.folder().to_owned();
        let stored = self.cache.store(name, &bytes);
        stored
            .map_err(|error| StoreError::File { path, source: std::io::Error::other(error.to_string()) })?;
        Ok(true)
    }

    /// Sends a finished chunk to the bucket, and tells the other processes.
    async fn finish(&self, name: &str, elapsed: Duration) -> Result<()> {
        if self.files.uses_bucket() {
            let path = self.cache.path(name);
            let mut times = 1;
            let bytes = loop {
                match self.files.keep_chunk(name, &path).await {
                    Err(error) if times < SEND_TIMES => {
                        tracing::warn!(%error, "failed to send a chunk to the bucket, trying again");
                        times += 1;
                        sleep(SEND_AGAIN).await;
                    }
                    kept => break kept?,
                }
            };
            self.store.keep_chunk(name, bytes).await?;
        }
        self.store.finish_chunk(&self.render_id, name, elapsed).await
    }
}
