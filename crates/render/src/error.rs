//! The errors of a render.

use std::path::PathBuf;
use std::time::Duration;

use rondo_media::MediaError;
use rondo_media::image::ImageError;
use rondo_paint::PaintError;
use rondo_sound::AudioError;

use crate::format::Refusal;
use crate::media::problem::MediaProblem;

#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    #[error("{}", sentences(.0))]
    Media(Vec<MediaProblem>),
    #[error(transparent)]
    Encode(#[from] MediaError),
    #[error(transparent)]
    Sound(#[from] AudioError),
    #[error(transparent)]
    Image(#[from] ImageError),
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
    #[error(
        "The render used more processor time ({:.1} s) than its budget of {:.1} s.{}",
        used.as_secs_f64(), budget.as_secs_f64(), costliest(overlays)
    )]
    OverBudget {
        used: Duration,
        budget: Duration,
        /// The overlays that took longest to paint, with their share.
        overlays: Vec<String>,
    },
    #[error("The render took longer than its limit of {:.1} s.{}", limit.as_secs_f64(), costliest(overlays))]
    OverTime {
        limit: Duration,
        /// As above.
        overlays: Vec<String>,
    },
    /// Another version, or other media, make chunks that do not fit into the film.
    #[error("the film is made of other chunks here")]
    OtherChunks,
    #[error("the render was cancelled")]
    Cancelled,
}

fn costliest(overlays: &[String]) -> String {
    match overlays {
        [] => String::new(),
        [one] => format!(" The costliest overlay: {one}."),
        _ => format!(" The costliest overlays: {}.", overlays.join(", ")),
    }
}

fn sentences(problems: &[MediaProblem]) -> String {
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}
