//! Media files: probing, decoding, encoding and muxing through FFmpeg, still images, and the sound mixer.

pub mod audio;
mod audio_decode;
mod av;
mod codec;
mod convert;
mod decode;
mod encode;
mod error;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod ffmpeg;
mod film;
mod frame;
pub mod gif;
mod h264;
pub mod image;
mod input;
mod mono;
mod mux;
mod picture_codec;
mod picture_frame;
mod probe;
mod rgba;
mod shape;
mod sound_codec;
mod sound_track;
mod still;

pub use audio_decode::AudioReader;
pub use av::ffmpeg_version;
pub use decode::{VideoDecoder, decode_in_place};
pub use encode::{
    ChunkEncoder, EncodedChunk, EncodedPicture, I420, Picture, PictureSettings, Quality, Rgba, SharedPlanes,
    encoder_sample,
};
pub use error::MediaError;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub use ffmpeg::load_ffmpeg;
pub use film::{FilmReport, FilmWriter, SoundWriter};
pub use frame::DecodedFrame;
pub use mono::{MONO_RATE, convert_sound, read_mono, write_wav};
pub use mux::Container;
pub use picture_codec::{KEY_FRAME_SECONDS, PictureCodec};
pub use probe::{AudioTrack, MediaFile, Probe, VideoTrack, probe};
pub use rgba::straight;
pub use sound_codec::SoundCodec;
pub use still::{jpeg, webp};

/// Nothing to do: FFmpeg is loaded when the program starts.
#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
pub fn load_ffmpeg() -> Result<(), String> {
    Ok(())
}
