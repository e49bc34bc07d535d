//! Media files: probing, decoding, encoding and muxing through FFmpeg, still images, and the sound mixer.

pub mod audio;
mod audio_decode;
mod av;
mod codec;
mod convert;
mod decode;
mod encode;
mod error;
pub mod image;
mod mux;
mod probe;
mod shape;

pub use audio_decode::AudioReader;
pub use decode::{DecodedFrame, VideoDecoder};
pub use encode::{EncodeReport, EncodeSettings, Encoder, I420, Quality};
pub use error::MediaError;
pub use probe::{AudioTrack, Probe, VideoTrack, probe};
