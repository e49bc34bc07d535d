//! The progress of a render: counted, reported, and cancelled.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::error::RenderError;

/// The progress of a render. Its values never decrease.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Finished frames, including those of reused chunks.
    pub frame: u32,
    pub total: u32,
    pub chunks: ChunkCount,
    pub elapsed: Duration,
}

/// The chunks of a film.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChunkCount {
    pub total: u32,
    /// Rendered, and stored in the cache if there is one.
    pub rendered: u32,
    /// Found in the cache, or equal to another chunk of this film.
    pub reused: u32,
}

/// Counts finished frames and chunks, reports them, and checks for cancellation.
pub(crate) struct ProgressTracker<'a> {
    /// Frames done.
    pub frames: u32,
    total: u32,
    pub chunks: ChunkCount,
    started: Instant,
    progress: &'a mut dyn FnMut(Progress),
    pub cancel: &'a AtomicBool,
}

impl<'a> ProgressTracker<'a> {
    pub fn new(total: u32, progress: &'a mut dyn FnMut(Progress), cancel: &'a AtomicBool) -> Self {
        Self { frames: 0, total, chunks: ChunkCount::default(), started: Instant::now(), progress, cancel }
    }

    pub fn now(&self) -> Progress {
        let Self { frames: frame, total, chunks, .. } = *self;
        Progress { frame, total, chunks, elapsed: self.started.elapsed() }
    }

    pub fn add(&mut self, frames: u32) -> Result<(), RenderError> {
        if self.cancel.load(Ordering::Relaxed) {
            return Err(RenderError::Cancelled);
        }
        // A chunk that another process finished first was painted twice.
        self.frames = self.frames.saturating_add(frames).min(self.total);
        let now = self.now();
        (self.progress)(now);
        if self.cancel.load(Ordering::Relaxed) { Err(RenderError::Cancelled) } else { Ok(()) }
    }
}
