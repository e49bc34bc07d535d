//! One film, several processes: the tasks are shared, and the film is the same.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use common::*;
use rondo_render::{
    ChunkCache, ChunkClaim, ChunkStore, ChunkTasks, Output, PlannedChunk, RenderError, RenderOptions,
    TakenChunk,
};
use serde_json::{Value, json};

/// Tasks and finished chunks, as the processes of a service share them.
#[derive(Debug)]
struct Shared {
    cache: ChunkCache,
    /// Those that nobody has taken.
    open: Mutex<BTreeMap<u32, PlannedChunk>>,
    offered: Mutex<Vec<PlannedChunk>>,
    stored: Mutex<Vec<String>>,
}

/// The view of one process.
#[derive(Debug)]
struct Process {
    shared: Arc<Shared>,
    /// Takes nothing before others have, to make them take part.
    waits_for: usize,
    /// Renders of another version have other chunks.
    has_other_keys: bool,
}

impl ChunkTasks for Process {
    fn offer(&self, chunks: &[PlannedChunk]) {
        self.shared.offered.lock().unwrap().extend(chunks.iter().cloned());
        self.shared.open.lock().unwrap().extend(chunks.iter().map(|chunk| (chunk.number, chunk.clone())));
    }

    fn take(&self) -> TakenChunk {
        if self.shared.stored.lock().unwrap().len() < self.waits_for {
            return TakenChunk::Later;
        }
        match self.shared.open.lock().unwrap().pop_first() {
            Some((number, _)) => TakenChunk::Chunk(number),
            None => TakenChunk::Nothing,
        }
    }

    fn found(&self, _: &str) {}
}

impl ChunkStore for Process {
    fn load(&self, key: &str) -> Option<Vec<u8>> {
        self.shared.cache.load(key)
    }

    fn store(&self, key: &str, bytes: &[u8]) -> Result<(), RenderError> {
        self.shared.cache.store(key, bytes)?;
        self.shared.stored.lock().unwrap().push(key.to_owned());
        Ok(())
    }

    fn claim(&self, _: &str) -> Option<ChunkClaim> {
        (!self.has_other_keys).then(|| Box::new(()) as ChunkClaim)
    }

    fn trim(&self) -> Result<(), RenderError> {
        Ok(())
    }
}

fn shared(studio: &Studio) -> Arc<Shared> {
    Arc::new(Shared {
        cache: ChunkCache::open(&studio.path("chunks"), ChunkCache::DEFAULT_LIMIT).unwrap(),
        open: Mutex::default(),
        offered: Mutex::default(),
        stored: Mutex::default(),
    })
}

fn options(process: Process) -> RenderOptions {
    let process = Arc::new(process);
    let (chunks, tasks) = (process.clone() as Arc<dyn ChunkStore>, process as Arc<dyn ChunkTasks>);
    RenderOptions {
        chunks: Some(chunks),
        tasks: Some(tasks),
        workers: NonZeroUsize::new(1),
        ..RenderOptions::default()
    }
}

/// 24 s with sound: a star that spins for 16 s, and then nothing moves.
fn film(studio: &Studio) -> Value {
    studio.wav("tone.wav", 48_000, 1, 24 * 48_000, |frame| tone(440.0, 0.4, frame as f64 / 48_000.0));
    let spins =
        json!({"content": "star", "durationInFrames": 320, "styles": {"animation": {"during": "spin"}}});
    let overlays = [
        overlay(1, "sound", [0.0, 0.0, 1.0, 1.0], json!({"src": "tone.wav"})),
        overlay(2, "shape", [4.0, 10.0, 60.0, 60.0], spins),
    ];
    composition([96, 80], 20, 480, &overlays)
}

fn plain(studio: &Studio, composition: &Value) -> Vec<u8> {
    let (path, never) = (studio.path("plain.mp4"), AtomicBool::new(false));
    let options = RenderOptions::default();
    studio.film(composition).render(&Output::File(path.clone()), &options, &mut |_| {}, &never).unwrap();
    std::fs::read(path).unwrap()
}

#[test]
fn a_film_that_helpers_render_has_the_bytes_of_one_that_nobody_helped_with() {
    let studio = Studio::new();
    let film = film(&studio);
    let expected = plain(&studio, &film);
    for waits_for in [0, 2] {
        std::fs::remove_dir_all(studio.path("chunks")).unwrap_or_default();
        let shared = shared(&studio);
        let (helped, done) = (Mutex::new(0), AtomicBool::new(false));
        let path = studio.path("film.mp4");
        let report = std::thread::scope(|scope| {
            for _ in 0..2 {
                let (shared, film, studio, helped, done) = (shared.clone(), &film, &studio, &helped, &done);
                scope.spawn(move || {
                    let never = AtomicBool::new(false);
                    let mut film = studio.film(film);
                    while !done.load(Ordering::Relaxed) {
                        let process = Process { shared: shared.clone(), waits_for: 0, has_other_keys: false };
                        *helped.lock().unwrap() += film.help(&options(process), &never).unwrap();
                        std::thread::yield_now();
                    }
                });
            }
            let never = AtomicBool::new(false);
            let lead = options(Process { shared: shared.clone(), waits_for, has_other_keys: false });
            let mut percents = Vec::new();
            let progress = &mut |progress: rondo_render::Progress| percents.push(progress.frame);
            let report =
                studio.film(&film).render(&Output::File(path.clone()), &lead, progress, &never).unwrap();
            done.store(true, Ordering::Relaxed);
            assert!(percents.is_sorted() && percents.last() == Some(&480), "{percents:?}");
            report
        });
        assert!(std::fs::read(&path).unwrap() == expected, "the lead waits for {waits_for}");
        let stored = shared.stored.lock().unwrap().len();
        let helped = helped.into_inner().unwrap() as usize;
        assert_eq!(stored, shared.offered.lock().unwrap().len(), "every chunk was rendered once");
        assert!(helped >= waits_for, "helpers rendered {helped} chunks");
        assert_eq!(report.chunks.rendered + report.chunks.reused, report.chunks.total);
    }
}

#[test]
fn equal_chunks_are_one_task() {
    let studio = Studio::new();
    let still = composition(
        [96, 80],
        20,
        800,
        &[overlay(1, "shape", [4.0, 4.0, 30.0, 30.0], json!({"content": "star"}))],
    );
    let expected = plain(&studio, &still);
    let shared = shared(&studio);
    let (path, never) = (studio.path("film.mp4"), AtomicBool::new(false));
    let lead = options(Process { shared: shared.clone(), waits_for: 0, has_other_keys: false });
    let report = studio.film(&still).render(&Output::File(path.clone()), &lead, &mut |_| {}, &never).unwrap();
    assert_eq!((shared.offered.lock().unwrap().len(), report.chunks.total), (1, 8));
    assert!(std::fs::read(path).unwrap() == expected);
}

#[test]
fn a_lead_without_helpers_renders_everything_by_itself() {
    let studio = Studio::new();
    let film = film(&studio);
    let expected = plain(&studio, &film);
    let shared = shared(&studio);
    let (path, never) = (studio.path("film.mp4"), AtomicBool::new(false));
    for workers in [1, 3] {
        let process = Process { shared: shared.clone(), waits_for: 0, has_other_keys: false };
        let lead = RenderOptions { workers: NonZeroUsize::new(workers), ..options(process) };
        studio.film(&film).render(&Output::File(path.clone()), &lead, &mut |_| {}, &never).unwrap();
        assert!(std::fs::read(&path).unwrap() == expected, "{workers} workers");
    }
}

#[test]
fn a_helper_whose_chunks_are_others_renders_nothing() {
    let studio = Studio::new();
    let film = film(&studio);
    let shared = shared(&studio);
    // Another version may also cut the film into more chunks.
    for number in [0, 1000] {
        let chunk = PlannedChunk { number, changes: 1, key: "of another version".to_owned() };
        shared.open.lock().unwrap().insert(number, chunk);
        let process = Process { shared: shared.clone(), waits_for: 0, has_other_keys: true };
        let never = AtomicBool::new(false);
        let helped = studio.film(&film).help(&options(process), &never);
        assert!(matches!(helped, Err(RenderError::OtherChunks)), "{helped:?}");
        assert!(shared.stored.lock().unwrap().is_empty());
    }
}
