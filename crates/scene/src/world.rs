//! What the outside world supplies: properties of media, and their pixels. Implemented natively by `render`, in
//! the browser by the player.

use std::sync::Arc;

use rondo_pixels::Picture;

use crate::display::PictureRef;
use crate::hash::Digest;

/// The properties of a media source that layout needs.
#[derive(Clone, Debug, PartialEq)]
pub struct MediaInfo {
    /// Number of the source in its world.
    pub source: u32,
    /// Identity of the source's bytes.
    pub key: Digest,
    /// Size in pixels as shown: rotation metadata and EXIF orientation applied.
    pub width: u32,
    pub height: u32,
    /// Pixels of the picture for each pixel of that size; more than 1 for vector images drawn larger.
    pub scale: f64,
    /// `None` for stills.
    pub clip: Option<ClipInfo>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ClipInfo {
    /// Seconds from the first frame to the end of the last.
    pub duration: f64,
    /// Of an animated picture; a video has none.
    pub timetable: Option<Arc<Timetable>>,
}

/// When the frames of an animated picture are on show, in microseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timetable {
    /// One for each frame, rising from 0.
    starts: Vec<i64>,
    end: i64,
    /// How often it plays before it holds its last frame; `None` for infinite.
    plays: Option<u32>,
}

impl Timetable {
    /// `delays` are how long each frame is on show.
    pub fn new(delays: impl IntoIterator<Item = i64>, plays: Option<u32>) -> Self {
        let mut end = 0;
        let mut starts = Vec::new();
        for delay in delays {
            starts.push(end);
            end += delay.max(1);
        }
        Self { starts, end, plays }
    }

    /// The length of one run.
    pub fn length(&self) -> i64 {
        self.end
    }

    /// Start of the frame on show at a time since the beginning, in terms of the first run.
    pub fn shown_at(&self, time: i64) -> i64 {
        let over = self.plays.is_some_and(|plays| time >= self.end.saturating_mul(i64::from(plays)));
        let within = if over { self.end - 1 } else { time.max(0) % self.end.max(1) };
        self.starts.get(self.index_at(within)).copied().unwrap_or(0)
    }

    /// Number of the frame on show at a time of the first run; the last one is held.
    pub fn index_at(&self, time: i64) -> usize {
        self.starts.partition_point(|start| *start <= time).saturating_sub(1)
    }
}

/// Facts about media, by the `src` written in the composition.
pub trait World {
    /// `None` when the source is unknown to this world (not loaded, unreadable).
    fn media(&self, src: &str) -> Option<MediaInfo>;
}

/// Pixels of media, for the painter.
pub trait Pictures {
    fn picture(&mut self, picture: &PictureRef) -> Result<Arc<Picture>, PictureError>;

    /// Whether a picture is available without waiting. The painter requests the others last, because they are still being
    /// decoded.
    fn at_hand(&self, _: &PictureRef) -> bool {
        true
    }
}

/// A picture could not be produced; the sentence names the file and the reason.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{0}")]
pub struct PictureError(pub String);
