//! The output, options and report of a render.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use rondo_composition::Finish;

use crate::chunks::ChunkCache;
use crate::format::Wanted;
use crate::progress::ChunkCount;

/// Where a render goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// A file; a sequence of pictures goes into an archive.
    File(PathBuf),
    /// The pictures of a sequence, a file each.
    Folder(PathBuf),
    /// Frames as raw I420, one after the other, without sound: for measuring encoders.
    RawFrames(PathBuf),
}

#[derive(Clone, Debug, Default)]
pub struct RenderOptions {
    /// What file is made.
    pub wanted: Wanted,
    /// How its sound is finished.
    pub finish: Finish,
    /// Where finished chunks are kept and found again, by this and other renders; a render that was interrupted goes on
    /// from what it finds. Without it nothing is kept.
    pub chunks: Option<ChunkCache>,
    /// Chunks painted and encoded at once; `None` asks the machine. Never changes the film.
    pub workers: Option<NonZeroUsize>,
}

/// A finished render.
#[derive(Clone, Debug)]
pub struct Report {
    pub width: u32,
    pub height: u32,
    pub frames: u32,
    pub bytes: u64,
    pub chunks: ChunkCount,
    /// Loudness of its sound in LUFS, before it was encoded; where one was asked for and there is more than silence.
    pub loudness: Option<f64>,
    /// Why a finished chunk could not be kept, if one could not. The film is whole all the same.
    pub cache_problem: Option<String>,
    pub elapsed: Duration,
}
