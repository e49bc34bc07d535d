//! Chunks that are at hand during a render: made a moment ago, being made, or kept in the cache.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rondo_media::EncodedChunk;

use crate::cache::ChunkCache;
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
    /// Chunks of the film that wait for one being made, by its key.
    making: HashMap<ChunkKey, Vec<usize>>,
    problem: Option<String>,
}

/// Where a chunk comes from.
pub(crate) enum Found {
    Here(Arc<EncodedChunk>),
    /// Another worker is making it and will deliver this one too.
    Soon,
    /// The asker has to make it, and to put it here.
    Nowhere,
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
        if let Some(waiting) = state.making.get_mut(&key) {
            waiting.push(number);
            return Found::Soon;
        }
        state.making.insert(key, Vec::new());
        drop(state);
        let kept = self.cache.as_ref().and_then(|cache| cache.load(key));
        match kept.and_then(|file| chunk::read(key, &file)) {
            Some(chunk) => Found::Here(Arc::new(chunk)),
            None => Found::Nowhere,
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
        state.making.remove(&key).unwrap_or_default()
    }

    /// Why a chunk could not be kept in the cache.
    pub fn problem(&self) -> Option<String> {
        self.state().problem.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
