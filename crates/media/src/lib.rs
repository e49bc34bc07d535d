//! Media files: probing, decoding, encoding and muxing through FFmpeg, still images, and the sound mixer.

pub mod audio;
mod decode;
mod encode;
mod error;
mod ffi;
pub mod image;
mod mux;

pub use audio::{MONO_RATE, convert_sound, read_mono, write_wav};
pub use decode::{
    AudioReader, AudioTrack, DecodedFrame, MediaFile, Probe, VideoDecoder, VideoTrack, decode_in_place, probe,
};
pub use encode::{
    ChunkEncoder, EncodedChunk, EncodedPicture, KEY_FRAME_SECONDS, PictureCodec, PictureSettings, Quality,
    SoundCodec, encoder_sample, gif, jpeg, straight, webp,
};
pub use error::MediaError;
pub use ffi::{ffmpeg_version, load_ffmpeg};
pub use mux::{Container, FilmReport, FilmWriter, SoundWriter};
