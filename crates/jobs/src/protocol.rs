//! What parent and child say to each other.

use std::path::PathBuf;

use rondo_sandbox::{LayerReport, Mode, Policy};
use serde::{Deserialize, Serialize};

use crate::job::{Answer, Chunks, Failure};

/// The first message to a fork server.
#[derive(Debug, Serialize, Deserialize)]
pub struct Configuration {
    pub mode: Mode,
    pub font_folder: Option<PathBuf>,
}

/// Its answer.
#[derive(Debug, Serialize, Deserialize)]
pub struct Ready {
    /// Why FFmpeg cannot be used.
    pub ffmpeg: Option<String>,
    pub font_warnings: Vec<String>,
    pub network: LayerReport,
}

/// The first messages to a child. The job follows when it is restricted.
#[derive(Debug, Serialize, Deserialize)]
pub enum Setup {
    /// Files by name, with a descriptor each.
    Files(Vec<PathBuf>),
    /// Families of fonts that were fetched, by the names of files.
    Fonts(Vec<PathBuf>),
    /// With the descriptor of the working folder, if there is one.
    Restrict(Policy),
}

/// How far a render is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobProgress {
    pub frame: u32,
    pub total: u32,
    pub chunks: Chunks,
}

/// From a child.
#[derive(Debug, Serialize, Deserialize)]
pub enum FromChild {
    Progress(JobProgress),
    /// Answered by a message with a descriptor, or without one.
    LoadChunk(String),
    /// Answered by `true` or `false`.
    ClaimChunk(String),
    ReleaseChunk(String),
    /// With a descriptor. Answered by the reason why it is not kept, if it is not.
    StoreChunk(String),
    /// One that is damaged.
    DiscardChunk(String),
    /// One that was taken, and was kept already.
    FoundChunk(String),
    /// Chunks of the file with this number, which other processes may render. Answered when they may.
    OfferChunks(u32, Vec<OfferedChunk>),
    /// Asks for a chunk of the file with this number. Answered by a [`Taken`].
    TakeChunk(u32),
    /// A finished segment of the film, with a descriptor.
    Segment {
        number: u32,
        frames: u32,
    },
    /// A part of the first file, with a descriptor. Answered when it was read.
    Part {
        number: u32,
    },
    Done(Box<Result<Answer, Failure>>),
}

/// A chunk that any process may render.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfferedChunk {
    /// Its place in the film.
    pub number: u32,
    /// Frames that differ from the one before.
    pub changes: u32,
    /// Its key, or for the service the name under which it is kept.
    pub key: String,
}

/// The answer to a child that asks for a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Taken {
    Chunk(u32),
    /// There is none for now.
    Later,
    /// There is none that this child is to render.
    Nothing,
}
