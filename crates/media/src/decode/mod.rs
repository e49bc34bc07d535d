//! Reading media files: probing, video frames by time, and audio.

mod allowed;
mod audio;
mod convert;
mod decoder;
mod file_audio;
mod frame;
mod geometry;
mod input;
mod mono;
mod pool;
mod probe;
mod video;

pub use audio::AudioReader;
pub(crate) use convert::yuv_image;
pub use file_audio::FileAudio;
pub use frame::DecodedFrame;
pub use mono::read_mono;
pub use probe::{AudioTrack, OpenedMedia, Probe, VideoTrack, probe};
pub use video::{VideoDecoder, decode_in_place};
