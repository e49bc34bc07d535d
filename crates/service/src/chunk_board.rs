//! The chunks of a film that workers of several processes render: what each has taken is in the database, what is finished in
//! the bucket, or in the folder of chunks if processes share it.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rondo_jobs::{ChunkBoard, OfferedChunk, Taken};
use rondo_render::ChunkCache;
use rondo_store::{ChunkTask, Files, Hand, Lease, Result, Store, StoreError, Taken as Given};
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio::time::sleep;
use tokio_util::task::TaskTracker;

use crate::chunk_arrivals::{Arrivals, fetch};
use crate::film::Control;
use crate::metrics::Times;
use crate::queue::Queue;
use crate::service::Service;

/// How long the lease of a chunk lasts.
pub const CHUNK_LEASE: Duration = Duration::from_secs(30);
/// Time between two looks for a chunk that the lead could take over from another process.
const TAKE_AGAIN: Duration = Duration::from_millis(250);
/// Time between two looks for a chunk that was in the cache before, or that other processes put there.
const LOOK_AGAIN: Duration = Duration::from_millis(250);
/// Time before a chunk that could not be fetched is looked for again.
const FETCH_AGAIN: Duration = Duration::from_secs(1);
/// How often, and how long apart, a chunk is sent to a bucket that does not answer.
const SEND_TIMES: u32 = 5;
const SEND_AGAIN: Duration = Duration::from_secs(2);
/// Most chunks of a film, and most that a process may call damaged.
const MOST_CHUNKS: usize = 100_000;
const MOST_DISCARDED: u32 = 100;
/// Chunks on their way to the bucket at a time.
const SENT_AT_ONCE: usize = 2;
/// After this time a helper looks whether films of other accounts need it more.
const TURN: Duration = Duration::from_secs(10);

/// The board of one render in this process.
#[derive(Debug)]
pub struct Board {
    shared: Arc<Shared>,
    work: Work,
    runtime: Handle,
    started: Instant,
    offered: usize,
    /// Chunks whose tasks could not be written yet.
    unwritten: Vec<ChunkTask>,
    /// Those that helpers finish, of a film that this process leads.
    arrivals: Option<Arrivals>,
    /// Until when there is nothing to take, to fetch.
    take_again: Option<Instant>,
    fetch_again: Option<Instant>,
    discarded: u32,
    sending: TaskTracker,
}

/// What this process does for the film.
#[derive(Debug)]
pub enum Work {
    Lead(Lease, Control),
    /// With the first chunk, which is taken already.
    Help {
        render_id: String,
        account_id: String,
        first: Option<ChunkTask>,
    },
}

/// The chunks that this process has taken and that are not finished.
#[derive(Debug, Clone, Default)]
pub struct Unfinished(Arc<Mutex<HashMap<String, TakenChunk>>>);

#[derive(Debug)]
struct TakenChunk {
    since: Instant,
    /// It is rendered, and on its way to the bucket.
    is_sent: bool,
}

impl Unfinished {
    /// Names of all.
    pub fn names(&self) -> Vec<String> {
        self.lock().keys().cloned().collect()
    }

    /// Removes those that are not rendered, and returns their names.
    pub fn drain(&self) -> Vec<String> {
        self.lock().extract_if(|_, chunk| !chunk.is_sent).map(|(name, _)| name).collect()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, TakenChunk>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, name: String) {
        self.lock().insert(name, TakenChunk { since: Instant::now(), is_sent: false });
    }

    /// How long ago a chunk was taken that is now rendered; `None` for others.
    fn send(&self, name: &str) -> Option<Duration> {
        let mut taken = self.lock();
        let chunk = taken.get_mut(name).filter(|chunk| !chunk.is_sent)?;
        chunk.is_sent = true;
        Some(chunk.since.elapsed())
    }
}

struct Shared {
    store: Store,
    files: Files,
    cache: ChunkCache,
    queue: Queue,
    render_id: String,
    /// Another process joins the film.
    helps: bool,
    taken: Unfinished,
    permits: Semaphore,
    times: Arc<Times>,
}

impl Board {
    pub fn new(service: &Service, cache: ChunkCache, work: Work) -> Self {
        let taken = Unfinished::default();
        let render_id = match &work {
            Work::Lead(lease, _) => lease.render_id.clone(),
            Work::Help { render_id, first, .. } => {
                first.iter().for_each(|task| taken.take(task.name.clone()));
                render_id.clone()
            }
        };
        let shared = Shared {
            store: service.store.clone(),
            files: service.media.files.clone(),
            cache,
            queue: service.queue.clone(),
            render_id,
            helps: matches!(work, Work::Help { .. }),
            taken,
            permits: Semaphore::new(SENT_AT_ONCE),
            times: service.metrics.chunk_times.clone(),
        };
        let arrivals = match &work {
            Work::Lead(_, control) if shared.files.uses_bucket() => Some(shared.arrivals(control.clone())),
            _ => None,
        };
        Self {
            shared: Arc::new(shared),
            work,
            runtime: Handle::current(),
            started: Instant::now(),
            offered: 0,
            unwritten: Vec::new(),
            arrivals,
            take_again: None,
            fetch_again: None,
            discarded: 0,
            sending: TaskTracker::new(),
        }
    }

    /// What was taken and is not finished.
    pub fn unfinished(&self) -> Unfinished {
        self.shared.taken.clone()
    }

    /// What is on its way to the bucket.
    pub fn sending(&self) -> TaskTracker {
        self.sending.clone()
    }

    /// Writes tasks that are not written yet. A database that is away gets them later.
    fn write_offers(&mut self) {
        let Work::Lead(lease, _) = &self.work else { return };
        if self.unwritten.is_empty() {
            return;
        }
        match self.runtime.block_on(self.shared.offer(lease, &self.unwritten)) {
            Ok(()) => {
                if let Some(arrivals) = &self.arrivals {
                    arrivals.know(&self.unwritten);
                }
                self.unwritten.clear();
                self.take_again = None;
                self.shared.queue.wake_workers();
            }
            Err(StoreError::LostLease { .. }) => self.unwritten.clear(),
            Err(error) => tracing::warn!(%error, "failed to offer chunks, trying again"),
        }
    }

    /// Makes a chunk that cannot be read a task again.
    fn lose(&self, name: &str) {
        let Shared { store, render_id, .. } = &*self.shared;
        if let Err(error) = self.runtime.block_on(store.lose_chunk(render_id, name)) {
            tracing::warn!(%error, "failed to make a lost chunk a task again");
        }
    }

    fn take_next(&mut self, file: u32) -> Result<Given> {
        let Shared { store, render_id, queue, .. } = &*self.shared;
        let hand = match &mut self.work {
            Work::Lead(..) => Hand::Lead,
            Work::Help { first, account_id, .. } => {
                if let Some(first) = first.take() {
                    return Ok(Given::Task(first));
                }
                // A film that waits comes before chunks of one that runs.
                let is_over = queue.stopping.is_cancelled()
                    || self.runtime.block_on(store.has_ready_renders())?
                    || (self.started.elapsed() > TURN
                        && self.runtime.block_on(store.others_need_help(account_id))?);
                if is_over {
                    return Ok(Given::Nothing);
                }
                Hand::Helper
            }
        };
        self.runtime.block_on(store.take_chunk(render_id, file, hand, CHUNK_LEASE))
    }
}

/// Whether a time is still to come.
fn is_ahead(time: Option<Instant>) -> bool {
    time.is_some_and(|time| Instant::now() < time)
}

impl ChunkBoard for Board {
    fn offer(&mut self, file: u32, chunks: Vec<OfferedChunk>) {
        self.offered += chunks.len();
        if self.offered > MOST_CHUNKS {
            return;
        }
        let task = |OfferedChunk { number, changes, key }| ChunkTask { file, number, changes, name: key };
        self.unwritten.extend(chunks.into_iter().map(task));
        self.write_offers();
    }

    fn take(&mut self, file: u32) -> Taken {
        let is_lead = matches!(self.work, Work::Lead(..));
        if is_lead && (self.offered == 0 || is_ahead(self.take_again)) {
            return Taken::Later;
        }
        self.write_offers();
        match self.take_next(file) {
            Ok(Given::Task(task)) => {
                self.shared.taken.take(task.name);
                Taken::Chunk(task.number)
            }
            // A helper is called again when there is more to do.
            Ok(Given::Later | Given::Nothing) if !is_lead => Taken::Nothing,
            Ok(Given::Later | Given::Nothing) => {
                self.take_again = Some(Instant::now() + TAKE_AGAIN);
                Taken::Later
            }
            Err(error) => {
                tracing::warn!(%error, "failed to take a chunk");
                Taken::Later
            }
        }
    }

    fn has_taken(&self, name: &str) -> bool {
        self.shared.taken.lock().contains_key(name)
    }

    fn fetch(&mut self, name: &str) {
        let is_brought = |arrivals: &Arrivals| arrivals.need(name);
        if self.has_taken(name)
            || self.arrivals.as_ref().is_some_and(is_brought)
            || is_ahead(self.fetch_again)
        {
            return;
        }
        let wait = match self.runtime.block_on(self.shared.fetch(name)) {
            Ok(true) => return,
            Ok(false) => LOOK_AGAIN,
            Err(error) => {
                tracing::warn!(%error, "failed to fetch a chunk");
                FETCH_AGAIN
            }
        };
        self.fetch_again = Some(Instant::now() + wait);
    }

    fn used(&mut self, name: &str) {
        // A worker looks for the chunk of its task here too, far ahead of the film.
        if !self.has_taken(name)
            && let Some(arrivals) = &self.arrivals
        {
            arrivals.pass(name);
        }
    }

    fn stored(&mut self, name: &str, rendered: bool) {
        let Some(elapsed) = self.shared.taken.send(name) else { return };
        let elapsed = Some(elapsed).filter(|_| rendered);
        elapsed.inspect(|elapsed| self.shared.times.add(*elapsed));
        let (shared, name) = (self.shared.clone(), name.to_owned());
        self.sending.spawn_on(async move { shared.finish(&name, elapsed).await }, &self.runtime);
    }

    fn discard(&mut self, name: &str) {
        self.discarded += 1;
        if self.discarded <= MOST_DISCARDED {
            self.lose(name);
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

    /// The chunks that others finish, on their way here.
    fn arrivals(&self, control: Control) -> Arrivals {
        let (store, files, cache) = (self.store.clone(), self.files.clone(), self.cache.clone());
        Arrivals::new(store, files, cache, control, self.render_id.clone())
    }

    /// Brings a chunk to the cache if it is finished. Whether it is there.
    async fn fetch(&self, name: &str) -> Result<bool> {
        if !self.store.is_chunk_finished(&self.render_id, name).await? {
            return Ok(false);
        }
        if self.cache.contains(name) {
            return Ok(true);
        }
        Ok(fetch(&self.store, &self.files, &self.cache, &self.render_id, name).await?.is_some())
    }

    /// Sends a finished chunk to the bucket, and tells the other processes. One that cannot be sent is made again.
    async fn finish(&self, name: &str, elapsed: Option<Duration>) {
        let finished = match self.send(name).await {
            Ok(()) => self.store.finish_chunk(&self.render_id, name, elapsed).await,
            Err(error) => Err(error),
        };
        match finished {
            Ok(()) if self.helps => self.queue.tell_of_chunk(&self.render_id),
            Ok(()) => {}
            Err(error) => {
                tracing::warn!(%error, "failed to share a chunk");
                let names = [name.to_owned()];
                if let Err(error) = self.store.return_chunks(&self.render_id, &names, false).await {
                    tracing::warn!(%error, "failed to give a chunk back");
                }
            }
        }
        self.taken.lock().remove(name);
    }

    async fn send(&self, name: &str) -> Result<()> {
        if !self.files.uses_bucket() {
            return Ok(());
        }
        // Each is in memory while it is sent. The semaphore is never closed.
        let _permit = self.permits.acquire().await;
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
        self.store.keep_chunk(name, bytes).await
    }
}
