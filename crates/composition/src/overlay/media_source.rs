//! The media an overlay refers to, and how its sound is played.

use std::borrow::Cow;

use rondo_fields::{number, record};

/// What a media file is used as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MediaRole {
    Image,
    Video,
    Sound,
}

/// A media address of an overlay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MediaSource<'a> {
    /// The field, as in `src` or `styles.cellImages[2]`.
    pub field: Cow<'static, str>,
    pub role: MediaRole,
    /// Whether the film shows or plays it. An effect ignores the pictures of another effect.
    pub used: bool,
    pub address: &'a str,
}

impl<'a> MediaSource<'a> {
    /// The `src` of an overlay.
    pub(crate) fn src(role: MediaRole, address: &'a str) -> Self {
        Self { field: Cow::Borrowed("src"), role, used: true, address }
    }
}

/// How the sound of an overlay is played.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Playback<'a> {
    /// In-point in the source in seconds. Ignored when there are segments.
    pub start: f64,
    pub speed: f64,
    pub segments: &'a [MediaSegment],
    /// From 0 to 1.
    pub volume: f64,
    /// Seconds.
    pub fade_in: f64,
    pub fade_out: f64,
}

record! {
    /// A part of a source, in frames of the composition's rate.
    pub struct MediaSegment {
        /// First source frame.
        start_frame: required f64 => "startFrame", number().between(-1e7, 1e7);
        /// Source frame after the last.
        end_frame: required f64 => "endFrame", number().between(-1e7, 1e7);
        /// Speed of this part, times the overlay's.
        speed: default f64 => "speed", number().between(0.001, 100.0), 1.0;
    }
}
