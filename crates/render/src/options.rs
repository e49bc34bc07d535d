//! The output, options and report of a render.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rondo_composition::Finish;

use crate::chunks::{ChunkStore, ChunkTasks};
use crate::format::Wanted;
use crate::parts::PartStore;
use crate::poster::Poster;
use crate::progress::ChunkCount;
use crate::stream::SegmentStore;

/// The destination of a render.
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
    /// The output format and settings.
    pub wanted: Wanted,
    /// How the sound is finished.
    pub finish: Finish,
    /// The chunk cache, shared with other renders; an interrupted render resumes from it. Without it, nothing is cached.
    pub chunks: Option<Arc<dyn ChunkStore>>,
    /// The chunks that are to be rendered, shared with processes that help. Their results are exchanged through `chunks`.
    pub tasks: Option<Arc<dyn ChunkTasks>>,
    /// Where the segments of an H.264 film in MP4 or HLS go while it is rendered. Without it, an HLS film is written to files,
    /// and others have no segments.
    pub segments: Option<Arc<dyn SegmentStore>>,
    /// Where a large MP4 or MOV film goes in parts, instead of to its file. Small ones are written to the file all the same.
    pub parts: Option<Arc<dyn PartStore>>,
    /// A picture of one frame, drawn beside the film.
    pub poster: Option<Poster>,
    /// Encode every frame of an H.264 film, including frames equal to the one before, which are otherwise written as repeats
    /// without encoding them.
    pub encode_every_frame: bool,
    /// Processor time that the render may use, with everything else that this process does meanwhile.
    pub cpu_budget: Option<Duration>,
    /// Chunks rendered in parallel; `None` for as many as the machine allows. Does not affect the film.
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
    /// Loudness in LUFS before encoding, if one was requested and the film is not silent.
    pub loudness: Option<f64>,
    /// Why a chunk could not be stored in the cache, if one could not. The film is complete anyway.
    pub cache_problem: Option<String>,
    pub elapsed: Duration,
}
