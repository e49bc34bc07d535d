//! The chunks of a film as tasks, which several processes work off.

use std::collections::HashSet;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, TryRecvError};

use super::worker::WorkerContext;

/// Time between two offers of chunks whose keys are known.
const OFFER_EVERY: Duration = Duration::from_millis(100);

/// Shortest and longest time before a process asks again for a task.
const ASK_AGAIN: [Duration; 2] = [Duration::from_millis(5), Duration::from_millis(100)];

/// Most finished chunks that wait in memory to be looked at.
const MOST_UNREAD: usize = 3;

/// A chunk that any process may render.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedChunk {
    /// Its place in the film.
    pub number: u32,
    /// Frames that differ from the one before, which are those that take time.
    pub changes: u32,
    pub key: String,
}

/// The answer to a process that asks for a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TakenChunk {
    /// The chunk with this number, which nobody else renders.
    Chunk(u32),
    /// There is none for now. One that another process has may come back.
    Later,
    /// There is none that this process is to render.
    Nothing,
}

/// The tasks of one film. A chunk is finished when it is in the [`ChunkStore`](super::ChunkStore).
pub trait ChunkTasks: Send + Sync + std::fmt::Debug {
    /// Makes tasks of chunks that are not kept yet.
    fn offer(&self, chunks: &[PlannedChunk]);
    /// The next task.
    fn take(&self) -> TakenChunk;
    /// The chunk of a task was kept already.
    fn found(&self, key: &str);
}

/// Offers the chunks of a film, as fast as their keys are computed. Equal chunks are one task.
pub(crate) fn offer_all(context: &WorkerContext<'_>, tasks: &dyn ChunkTasks) {
    let mut known = HashSet::new();
    let mut chunks = Vec::new();
    let mut offered = None::<Instant>;
    for number in 0..context.plan.len() {
        let key = context.plan.key(number);
        // The key of a render that is stopped is not whole.
        if context.check_cancelled().is_err() {
            return;
        }
        if known.insert(key) {
            let changes = context.plan.changes(number);
            chunks.push(PlannedChunk { number: number as u32, changes, key: key.to_string() });
        }
        let is_due = offered.is_none_or(|at| at.elapsed() >= OFFER_EVERY);
        if is_due || number + 1 == context.plan.len() {
            tasks.offer(&std::mem::take(&mut chunks));
            offered = Some(Instant::now());
        }
    }
}

/// The number of the next chunk that this process renders. `None` when the film is complete, which closes the channel, or when
/// a helper has nothing left to do.
pub(crate) fn next_task(
    context: &WorkerContext<'_>,
    tasks: &dyn ChunkTasks,
    film: &Receiver<usize>,
) -> Option<usize> {
    let [mut wait, longest] = ASK_AGAIN;
    loop {
        if film.try_recv() == Err(TryRecvError::Disconnected) || context.check_cancelled().is_err() {
            return None;
        }
        let taken = match context.unread.load(Ordering::Relaxed) > MOST_UNREAD {
            true => TakenChunk::Later,
            false => tasks.take(),
        };
        match taken {
            TakenChunk::Chunk(number) => return Some(number as usize),
            TakenChunk::Nothing if context.helps => return None,
            TakenChunk::Nothing | TakenChunk::Later => {}
        }
        match film.recv_timeout(wait) {
            Err(RecvTimeoutError::Timeout) => wait = (wait * 2).min(longest),
            Err(RecvTimeoutError::Disconnected) => return None,
            Ok(_) => {}
        }
    }
}
