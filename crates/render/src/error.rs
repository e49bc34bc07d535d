//! The errors of a render.

use std::path::PathBuf;

use rondo_media::MediaError;
use rondo_paint::PaintError;

use crate::format::Refusal;
use crate::media::problem::MediaProblem;

#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    #[error("{}", sentences(.0))]
    Media(Vec<MediaProblem>),
    #[error(transparent)]
    Encode(#[from] MediaError),
    #[error(transparent)]
    Paint(#[from] PaintError),
    #[error("frame {frame} does not exist: the composition has {duration} frames, numbered from 0")]
    NoSuchFrame { frame: u32, duration: u32 },
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error("{} cannot be written: {reason}", path.display())]
    Unwritable { path: PathBuf, reason: String },
    #[error("{} cannot be read: {reason}", path.display())]
    Unreadable { path: PathBuf, reason: String },
    #[error("the chunk cache {} cannot be used: {reason}", path.display())]
    Cache { path: PathBuf, reason: String },
    #[error("the render was cancelled")]
    Cancelled,
}

fn sentences(problems: &[MediaProblem]) -> String {
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}
