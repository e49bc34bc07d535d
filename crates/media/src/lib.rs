//! Media files: probing, decoding, encoding and muxing through FFmpeg, and images.

mod decode;
mod encode;
mod error;
mod ffi;
mod file;
mod h264;
pub mod image;
mod mux;

pub use decode::{
    AudioReader, AudioTrack, DecodedFrame, FileAudio, OpenedMedia, Probe, VideoDecoder, VideoTrack,
    decode_in_place, probe, read_mono,
};
pub use encode::{
    ChunkEncoder, EncodedChunk, EncodedPicture, KEY_FRAME_SECONDS, Palette, PaletteBuilder, PictureCodec,
    PictureSettings, Quality, SoundCodec, encoder_sample, jpeg, may_repeat_frames, straight, webp,
};
pub use error::MediaError;
pub use ffi::{ffmpeg_version, load_ffmpeg};
pub use file::MediaFile;
#[doc(hidden)]
pub use h264::fuzz as fuzz_h264;
pub use mux::{
    Container, FilmReport, FilmWriter, GIF_MAX_FPS, GifWriter, KeepPart, KeepSegment, PART_BYTES, Part,
    Segment, SoundWriter, Streaming, convert_sound, write_wav,
};
pub use rondo_sound::MONO_RATE;
