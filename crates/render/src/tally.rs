//! How far a render has come, and whether it shall end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::error::RenderError;
use crate::output::{ChunkCount, Progress};

/// Counts what is done, tells it, and notices when the render shall end.
pub(crate) struct Tally<'a> {
    /// Frames done.
    pub frames: u32,
    total: u32,
    pub chunks: ChunkCount,
    started: Instant,
    progress: &'a mut dyn FnMut(Progress),
    pub cancel: &'a AtomicBool,
}

impl<'a> Tally<'a> {
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
        self.frames += frames;
        let now = self.now();
        (self.progress)(now);
        if self.cancel.load(Ordering::Relaxed) { Err(RenderError::Cancelled) } else { Ok(()) }
    }
}
