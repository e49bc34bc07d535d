//! Chunks that are at hand during a render: made a moment ago, being made, or kept in the cache.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rondo_media::EncodedChunk;

use crate::cache::{ChunkCache, Claim};
use crate::chunk;
use crate::plan::ChunkKey;

/// Bytes of chunks made a moment ago that stay in memory. What repeats is mostly what stands still, and that is small.
const RECENT_BYTES: usize = 8 << 20;

/// Shared by the workers of one render.
pub(crate) struct Shelf {
    cache: Option<ChunkCache>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Oldest first.
    recent: VecDeque<(ChunkKey, Arc<EncodedChunk>)>,
    making: HashMap<ChunkKey, Making>,
    problem: Option<String>,
}

/// A chunk being made.
#[derive(Default)]
struct Making {
    /// Other chunks of the film that wait for it.
    waiting: Vec<usize>,
    /// Keeps other processes from making it as well.
    _claim: Option<Claim>,
}

/// Where a chunk comes from.
pub(crate) enum Found {
    Here(Arc<EncodedChunk>),
    /// Another worker is making it and will deliver this one too.
    Soon,
    /// The asker has to make it, and to put it here.
    Nowhere,
    /// Another process is making it. These are to be looked for again later.
    Elsewhere(Vec<usize>),
}

impl Shelf {
    pub fn new(cache: Option<ChunkCache>) -> Self {
        let problem = cache.as_ref().and_then(|cache| cache.trim().err()).map(|error| error.to_string());
        Self { cache, state: Mutex::new(State { problem, ..State::default() }) }
    }

    /// Looks for a chunk, which is number `number` of the film. One that is found must be put here too.
    pub fn find(&self, key: ChunkKey, number: usize) -> Found {
        let mut state = self.state();
        if let Some((_, chunk)) = state.recent.iter().find(|(recent, _)| *recent == key) {
            return Found::Here(chunk.clone());
        }
        if let Some(making) = state.making.get_mut(&key) {
            making.waiting.push(number);
            return Found::Soon;
        }
        state.making.insert(key, Making::default());
        drop(state);
        let Some(cache) = &self.cache else { return Found::Nowhere };
        if let Some(chunk) = kept(cache, key) {
            return Found::Here(chunk);
        }
        match cache.claim(key) {
            // Whoever had the claim before may have finished it since.
            Some(claim) => match kept(cache, key) {
                Some(chunk) => Found::Here(chunk),
                None => {
                    self.state().making.entry(key).or_default()._claim = Some(claim);
                    Found::Nowhere
                }
            },
            None => {
                let mut numbers = self.state().making.remove(&key).unwrap_or_default().waiting;
                numbers.push(number);
                Found::Elsewhere(numbers)
            }
        }
    }

    /// Keeps a chunk just made in the cache.
    pub fn keep(&self, key: ChunkKey, chunk: &EncodedChunk) {
        let Some(cache) = &self.cache else { return };
        if let Err(error) = cache.store(key, &chunk::write(key, chunk)) {
            self.state().problem.get_or_insert(error.to_string());
        }
    }

    /// Puts a chunk at hand that was found or made; returns the numbers of those that waited for it.
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
        state.making.remove(&key).unwrap_or_default().waiting
    }

    /// Why a chunk could not be kept in the cache.
    pub fn problem(&self) -> Option<String> {
        self.state().problem.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A chunk in the cache that is whole.
fn kept(cache: &ChunkCache, key: ChunkKey) -> Option<Arc<EncodedChunk>> {
    chunk::read(key, &cache.load(key)?).map(Arc::new)
}
