//! Reading media files: what they hold, their pictures at given times, their sound.

mod audio;
mod convert;
mod decoder;
mod frame;
mod geometry;
mod h264;
mod input;
mod probe;
mod video;

pub use audio::AudioReader;
pub use frame::DecodedFrame;
pub use probe::{AudioTrack, MediaFile, Probe, VideoTrack, probe};
pub use video::{VideoDecoder, decode_in_place};
