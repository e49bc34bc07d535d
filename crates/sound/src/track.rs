//! The mixer's input: an overlay's sound as pieces of a source on the timeline.

use crate::OpenAudio;

/// A stretch of a source played at one speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// First source frame played, at 48 kHz.
    pub from: u64,
    /// Frames of the timeline it fills.
    pub length: u64,
    /// Source seconds per timeline second, clamped to [`super::SPEED_RANGE`]. The pitch is kept from 0.5 to 2.
    pub speed: f64,
}

/// One overlay's sound.
pub struct Track {
    pub source: Box<dyn OpenAudio>,
    /// First frame on the timeline; what is before 0 is not heard.
    pub start: i64,
    /// The pieces follow one another; their lengths add up to the overlay's span.
    pub pieces: Vec<Piece>,
    /// Linear gain.
    pub volume: f32,
    /// Seconds from silence to full volume, from the beginning of the span.
    pub fade_in: f64,
    /// Seconds from full volume to silence, to the end of the span.
    pub fade_out: f64,
    /// Whether other tracks are turned down under it, in a mix that is ducked.
    pub is_narration: bool,
}
