//! The chunks of a render: recently finished, in progress, or in the cache. Equal chunks are rendered once.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rondo_media::EncodedChunk;

use super::cache::{ChunkClaim, ChunkStore};
use super::file;
use super::plan::ChunkKey;
use crate::error::RenderError;

/// Bytes of recent chunks kept in memory. Chunks that repeat are mostly still images, which are small.
const RECENT_BYTES: usize = 8 << 20;

/// Shared by the workers of one render.
pub(crate) struct ChunkPool {
    cache: Option<Arc<dyn ChunkStore>>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Oldest first.
    recent: VecDeque<(ChunkKey, Arc<EncodedChunk>)>,
    in_progress: HashMap<ChunkKey, InProgress>,
    problem: Option<String>,
}

/// A chunk that a worker is rendering.
#[derive(Default)]
struct InProgress {
    /// Other chunks of the film that wait for it.
    waiting: Vec<usize>,
    /// Keeps other processes from rendering it as well.
    _claim: Option<ChunkClaim>,
}

/// The result of a lookup.
pub(crate) enum Lookup {
    Ready(Arc<EncodedChunk>),
    /// Another worker is rendering it and will deliver this one too.
    Pending,
    /// The caller must render it and publish it.
    Missing,
    /// Another process is rendering it. These are to be looked for again later.
    Elsewhere(Vec<usize>),
}

impl ChunkPool {
    pub fn new(cache: Option<Arc<dyn ChunkStore>>) -> Self {
        let problem = cache.as_ref().and_then(|cache| cache.trim().err()).map(|error| error.to_string());
        Self { cache, state: Mutex::new(State { problem, ..State::default() }) }
    }

    /// Looks up the chunk with index `number`. The caller must also publish a chunk that is ready.
    pub fn find(&self, key: ChunkKey, number: usize) -> Lookup {
        let mut state = self.state();
        if let Some((_, chunk)) = state.recent.iter().find(|(recent, _)| *recent == key) {
            return Lookup::Ready(chunk.clone());
        }
        if let Some(in_progress) = state.in_progress.get_mut(&key) {
            in_progress.waiting.push(number);
            return Lookup::Pending;
        }
        state.in_progress.insert(key, InProgress::default());
        drop(state);
        let Some(cache) = self.cache.as_deref() else { return Lookup::Missing };
        if let Some(chunk) = kept(cache, key) {
            return Lookup::Ready(chunk);
        }
        match cache.claim(&key.to_string()) {
            // The previous holder of the claim may have finished the chunk since.
            Some(claim) => match kept(cache, key) {
                Some(chunk) => Lookup::Ready(chunk),
                None => {
                    self.state().in_progress.entry(key).or_default()._claim = Some(claim);
                    Lookup::Missing
                }
            },
            None => {
                let mut numbers = self.state().in_progress.remove(&key).unwrap_or_default().waiting;
                numbers.push(number);
                Lookup::Elsewhere(numbers)
            }
        }
    }

    /// A finished chunk, whoever rendered it.
    pub fn fetch(&self, key: ChunkKey) -> Option<Arc<EncodedChunk>> {
        let recent =
            self.state().recent.iter().find(|(recent, _)| *recent == key).map(|(_, chunk)| chunk.clone());
        recent.or_else(|| kept(self.cache.as_deref()?, key))
    }

    /// Stores a rendered chunk in the cache. The first error is also that of [`ChunkPool::problem`].
    pub fn keep(&self, key: ChunkKey, chunk: &EncodedChunk) -> Result<(), RenderError> {
        let Some(cache) = self.cache.as_deref() else { return Ok(()) };
        let stored = cache.store(&key.to_string(), &file::write(key, chunk));
        if let Err(error) = &stored {
            self.state().problem.get_or_insert(error.to_string());
        }
        stored
    }

    /// Publishes a chunk that was found or rendered; returns the indexes of those that waited for it.
    pub fn put(&self, key: ChunkKey, chunk: &Arc<EncodedChunk>) -> Vec<usize> {
        let mut state = self.state();
        if state.recent.iter().all(|(recent, _)| *recent != key) {
            state.recent.push_back((key, chunk.clone()));
        }
        let mut bytes: usize = state.recent.iter().map(|(_, chunk)| chunk.data.len()).sum();
        while bytes > RECENT_BYTES {
            let Some((_, oldest)) = state.recent.pop_front() else { break };
            bytes -= oldest.data.len();
        }
        state.in_progress.remove(&key).unwrap_or_default().waiting
    }

    /// Why a chunk could not be stored in the cache.
    pub fn problem(&self) -> Option<String> {
        self.state().problem.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A complete chunk from the cache.
fn kept(cache: &dyn ChunkStore, key: ChunkKey) -> Option<Arc<EncodedChunk>> {
    let name = key.to_string();
    let bytes = cache.load(&name)?;
    let chunk = file::read(key, &bytes);
    if chunk.is_none() {
        cache.discard(&name);
    }
    chunk.map(Arc::new)
}
