//! The audio mixer: tracks on a timeline, mixed to 48 kHz stereo, optionally ducked and normalised to a loudness, and limited
//! to −1 dBFS. Uses no files; samples come from implementations of [`OpenAudio`].

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]
#![forbid(unsafe_code)]

mod decimate;
mod duck;
mod fade;
mod input;
mod leveling;
mod limiter;
mod loudness;
mod mix;
mod onset;
mod resample;
mod stretch;
mod track;
mod voice;

pub use decimate::{Decimator, MONO_RATE};
pub use duck::Ducking;
pub use leveling::Leveling;
pub use loudness::Meter;
pub use mix::Mixer;
pub use resample::Resampler;
pub use track::{Piece, Track};

/// Frames per second of everything in this module.
pub const SAMPLE_RATE: u32 = 48_000;

/// Interleaved channels of everything in this module.
pub const CHANNELS: usize = 2;

/// Slowest and fastest playing; a track's speed is clamped to it.
pub const SPEED_RANGE: std::ops::RangeInclusive<f64> = 0.0625..=16.0;

/// A source could not be read; the sentence names the file and the reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct AudioError(pub String);

/// A stream of interleaved stereo frames at 48 kHz.
pub trait AudioSource: Send {
    /// Fills `out` from its beginning and returns the number of frames written; fewer than asked is fine, 0 is the end.
    fn read(&mut self, out: &mut [f32]) -> Result<usize, AudioError>;
}

/// Opens a source when the timeline reaches it. Closures `Fn(u64) -> Result<Box<dyn AudioSource>, AudioError>` are openers.
pub trait OpenAudio: Send {
    /// A stream whose first frame is frame `from` of the source, counted at 48 kHz.
    fn open(&self, from: u64) -> Result<Box<dyn AudioSource>, AudioError>;
}

impl<F> OpenAudio for F
where
    F: Fn(u64) -> Result<Box<dyn AudioSource>, AudioError> + Send,
{
    fn open(&self, from: u64) -> Result<Box<dyn AudioSource>, AudioError> {
        self(from)
    }
}

/// Sample at which a composition frame begins: frame · 48000 / fps, rounded to the nearest sample.
pub fn frame_to_sample(frame: i64, fps: u32) -> i64 {
    let fps = i128::from(fps.max(1));
    let exact = i128::from(frame) * i128::from(SAMPLE_RATE);
    let rounded = (2 * exact + fps).div_euclid(2 * fps);
    rounded.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64
}

/// Source frame at which an in-point in seconds falls; what is not a positive number is the beginning.
pub fn seconds_to_sample(seconds: f64) -> u64 {
    (seconds * f64::from(SAMPLE_RATE)).round() as u64
}
