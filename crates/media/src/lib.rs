//! Media files: probing, decoding, encoding and muxing through FFmpeg, still images, and the sound mixer.

pub mod audio;
mod audio_decode;
mod av;
mod codec;
mod convert;
mod decode;
mod encode;
mod error;
mod film;
mod frame;
pub mod image;
mod mux;
mod probe;
mod shape;

pub use audio_decode::AudioReader;
pub use codec::KEY_FRAME_SECONDS;
pub use decode::VideoDecoder;
pub use encode::{
    ChunkEncoder, EncodedChunk, EncodedPicture, I420, PictureSettings, Quality, encoder_sample,
};
pub use error::MediaError;
pub use film::{FilmReport, FilmWriter};
pub use frame::DecodedFrame;
pub use probe::{AudioTrack, Probe, VideoTrack, probe};
