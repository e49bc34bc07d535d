//! Brings the chunks that helpers have finished from the bucket to the cache of the lead, before it needs them: a film that fetched
//! one after the other in film order would wait for most of them at its end.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rondo_render::{ChunkCache, ChunkStore};
use rondo_store::{ChunkTask, Files, Result, Store, StoreError};
use tokio::task::JoinSet;
use tokio::time::sleep;
use tokio_util::task::AbortOnDropHandle;

use crate::film::Control;

/// Chunks on their way here at a time.
const AT_ONCE: usize = 3;
/// Finished chunks that are looked at, from the one that the film needs next.
const WINDOW: u32 = 64;
/// The part of the cache that chunks may fill that the film does not need yet.
const SHARE: u64 = 4;
/// Time between two looks without a signal.
const LOOK: Duration = Duration::from_secs(1);
/// Time before a chunk that could not be fetched is looked for again.
const FETCH_AGAIN: Duration = Duration::from_secs(1);

/// The number of a file of the film, and a chunk of it.
type Place = (u32, u32);

/// Chunks on their way to the cache of this process, until it is dropped.
pub struct Arrivals {
    state: Arc<State>,
    bringing: AbortOnDropHandle<()>,
}

struct State {
    store: Store,
    files: Files,
    cache: ChunkCache,
    control: Control,
    render_id: String,
    chunks: Mutex<Chunks>,
}

/// What is known of the chunks of the film.
#[derive(Default)]
struct Chunks {
    places: HashMap<String, Place>,
    /// The furthest that the film waited for or read.
    needed: Place,
    on_the_way: HashSet<Place>,
    /// Bytes of those that were brought and are not needed yet.
    brought: BTreeMap<Place, u64>,
}

impl fmt::Debug for Arrivals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Arrivals").field("render_id", &self.state.render_id).finish_non_exhaustive()
    }
}

impl Arrivals {
    pub fn new(store: Store, files: Files, cache: ChunkCache, control: Control, render_id: String) -> Self {
        let state = Arc::new(State { store, files, cache, control, render_id, chunks: Mutex::default() });
        let bringing = AbortOnDropHandle::new(tokio::spawn(bring(state.clone())));
        Self { state, bringing }
    }

    /// These are chunks of the film. Some may be finished.
    pub fn know(&self, tasks: &[ChunkTask]) {
        self.state.chunks().know(tasks);
        self.state.control.look_for_chunks();
    }

    /// The film waits for a chunk that is not in the cache. False if it is not brought: it was before, and is gone from the cache.
    pub fn need(&self, name: &str) -> bool {
        let needed = self.state.chunks().need(name);
        if needed == Needed::Next {
            self.state.control.look_for_chunks();
        }
        needed != Needed::Gone && !self.bringing.is_finished()
    }

    /// The film reads a chunk that is in the cache.
    pub fn pass(&self, name: &str) {
        let makes_room = self.state.chunks().pass(name);
        if makes_room {
            self.state.control.look_for_chunks();
        }
    }
}

/// What becomes of a chunk that the film waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Needed {
    /// It is brought when it is finished.
    Awaited,
    /// The same, and the film did not wait for it before.
    Next,
    /// It is not brought.
    Gone,
}

impl Chunks {
    fn know(&mut self, tasks: &[ChunkTask]) {
        self.places.extend(tasks.iter().map(|task| (task.name.clone(), (task.file, task.number))));
    }

    fn need(&mut self, name: &str) -> Needed {
        match self.places.get(name) {
            Some(place) if *place >= self.needed && !self.brought.contains_key(place) => {
                let is_next = *place > self.needed;
                self.needed = *place;
                self.brought.retain(|brought, _| brought > place);
                if is_next { Needed::Next } else { Needed::Awaited }
            }
            _ => Needed::Gone,
        }
    }

    /// The film reads a chunk. Whether there is room for others now.
    fn pass(&mut self, name: &str) -> bool {
        let Some(place) = self.places.get(name).filter(|place| **place > self.needed) else { return false };
        let before = self.brought.len();
        self.needed = *place;
        self.brought.retain(|brought, _| brought > place);
        self.brought.len() < before
    }

    /// Takes the first chunk of a list that is to be fetched now, with `room` for bytes of those that the film does not need yet.
    fn take(
        &mut self,
        finished: &mut VecDeque<ChunkTask>,
        room: u64,
        is_here: impl Fn(&str) -> bool,
    ) -> Option<ChunkTask> {
        while let Some(task) = finished.front() {
            let place = (task.file, task.number);
            if place != self.needed && self.brought.values().sum::<u64>() >= room {
                return None;
            }
            let task = finished.pop_front()?;
            // An earlier lead may have cut the film into other chunks.
            let is_wanted = self.places.contains_key(&task.name);
            let is_known = self.brought.contains_key(&place) || is_here(&task.name);
            if is_wanted && !is_known && self.on_the_way.insert(place) {
                return Some(task);
            }
        }
        None
    }
}

impl State {
    fn chunks(&self) -> MutexGuard<'_, Chunks> {
        self.chunks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self, finished: &mut VecDeque<ChunkTask>) -> Option<ChunkTask> {
        self.chunks().take(finished, self.cache.limit() / SHARE, |name| self.cache.contains(name))
    }

    async fn finished(&self) -> Result<VecDeque<ChunkTask>> {
        let (needed, is_known) = {
            let chunks = self.chunks();
            (chunks.needed, !chunks.places.is_empty())
        };
        match is_known {
            true => Ok(self.store.finished_chunks(&self.render_id, needed, WINDOW).await?.into()),
            false => Ok(VecDeque::new()),
        }
    }

    async fn fetch(&self, ChunkTask { file, number, name, .. }: ChunkTask) {
        let place = (file, number);
        match fetch(&self.store, &self.files, &self.cache, &self.render_id, &name).await {
            Ok(bytes) => {
                let mut chunks = self.chunks();
                // The film may have gone on meanwhile.
                if let Some(bytes) = bytes.filter(|_| place > chunks.needed) {
                    chunks.brought.insert(place, bytes);
                }
            }
            Err(error) => {
                tracing::warn!(%error, "failed to fetch a chunk");
                sleep(FETCH_AGAIN).await;
            }
        }
        self.chunks().on_the_way.remove(&place);
    }
}

/// Looks for finished chunks when there may be some, and fetches them.
async fn bring(state: Arc<State>) {
    let mut finished = VecDeque::new();
    let mut fetching = JoinSet::new();
    loop {
        while fetching.len() < AT_ONCE
            && let Some(task) = state.next(&mut finished)
        {
            let state = state.clone();
            fetching.spawn(async move { state.fetch(task).await });
        }
        tokio::select! {
            Some(_) = fetching.join_next() => continue,
            () = state.control.chunks_elsewhere() => {}
            () = sleep(LOOK) => {}
        }
        match state.finished().await {
            Ok(found) => finished = found,
            Err(error) => {
                tracing::warn!(%error, "failed to look for finished chunks");
                sleep(FETCH_AGAIN).await;
            }
        }
    }
}

/// Brings a chunk that is said to be finished from the bucket to the cache, and returns its bytes. One that is nowhere is made a task
/// again.
pub async fn fetch(
    store: &Store,
    files: &Files,
    cache: &ChunkCache,
    render_id: &str,
    name: &str,
) -> Result<Option<u64>> {
    let Some(bytes) = files.chunk(name).await? else {
        store.lose_chunk(render_id, name).await?;
        return Ok(None);
    };
    let (cache, name, size) = (cache.clone(), name.to_owned(), bytes.len() as u64);
    let path = cache.folder().to_owned();
    let stored = tokio::task::spawn_blocking(move || cache.store(&name, &bytes)).await;
    let problem = match stored {
        Ok(Ok(())) => return Ok(Some(size)),
        Ok(Err(error)) => io::Error::other(error.to_string()),
        Err(panic) => io::Error::other(panic),
    };
    Err(StoreError::File { path, source: problem })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(number: u32) -> ChunkTask {
        ChunkTask { file: 0, number, changes: 1, name: format!("chunk-{number}") }
    }

    fn chunks(count: u32) -> Chunks {
        let mut chunks = Chunks::default();
        chunks.know(&(0..count).map(task).collect::<Vec<_>>());
        chunks
    }

    fn take(chunks: &mut Chunks, finished: impl IntoIterator<Item = u32>, room: u64) -> Vec<u32> {
        let mut finished = finished.into_iter().map(task).collect();
        std::iter::from_fn(|| chunks.take(&mut finished, room, |name| name == "chunk-1"))
            .map(|task| task.number)
            .collect()
    }

    #[test]
    fn what_is_finished_ahead_is_fetched_once_and_in_film_order() {
        let mut chunks = chunks(6);
        assert_eq!(take(&mut chunks, [0, 1, 3, 5], 100), [0, 3, 5], "one is here already");
        assert_eq!(take(&mut chunks, [0, 1, 3, 4, 5], 100), [4], "the others are on their way");
        let mut finished =
            VecDeque::from([ChunkTask { name: "of an earlier version".to_owned(), ..task(2) }, task(2)]);
        let taken = chunks.take(&mut finished, 100, |_| false).unwrap();
        assert_eq!(taken.name, "chunk-2", "an earlier lead made other chunks");
    }

    #[test]
    fn chunks_ahead_fill_a_part_of_the_cache_only() {
        let mut chunks = chunks(9);
        chunks.brought.extend([((0, 3), 60), ((0, 4), 40)]);
        assert_eq!(take(&mut chunks, [0, 5, 6], 100), [0], "the film waits for that one");
        assert_eq!(take(&mut chunks, [0, 5, 6], 101), [5, 6]);
        assert_eq!(chunks.need("chunk-7"), Needed::Next);
        assert_eq!(take(&mut chunks, [7, 8], 100), [7, 8], "the film has what was brought");
    }

    #[test]
    fn chunks_that_the_film_reads_from_the_cache_make_room_for_others() {
        let mut chunks = chunks(9);
        chunks.brought.extend([((0, 3), 60), ((0, 4), 40)]);
        assert!(!chunks.pass("chunk-2"), "that one was not brought");
        assert!(take(&mut chunks, [5], 100).is_empty());
        assert!(chunks.pass("chunk-3"));
        assert_eq!(take(&mut chunks, [5], 100), [5]);
        assert_eq!(chunks.needed, (0, 3));
        assert!(!chunks.pass("chunk-1") && !chunks.pass("of another film"));
        assert_eq!(chunks.needed, (0, 3), "an equal chunk earlier in the film does not take it back");
    }

    #[test]
    fn a_chunk_that_is_gone_from_the_cache_again_is_not_waited_for() {
        let mut chunks = chunks(9);
        assert_eq!(chunks.need("chunk-0"), Needed::Awaited);
        assert_eq!(chunks.need("chunk-5"), Needed::Next);
        assert_eq!(chunks.need("chunk-5"), Needed::Awaited);
        chunks.brought.insert((0, 6), 1);
        for gone in ["chunk-6", "chunk-4", "of another film"] {
            assert_eq!(chunks.need(gone), Needed::Gone, "{gone}");
        }
    }
}
