//! Encoding: chunks of video, indexed GIF frames, still images, and the audio encoders.

pub(crate) mod audio_codec;
mod chunk;
mod chunk_encoder;
pub(crate) mod frame;
pub(crate) mod gif;
mod rgba;
mod settings;
mod still;
pub(crate) mod video_codec;

pub use audio_codec::SoundCodec;
pub use chunk::{EncodedChunk, EncodedPicture};
pub use chunk_encoder::{ChunkEncoder, encoder_sample, may_repeat_frames};
pub use gif::{Palette, PaletteBuilder};
pub use rgba::straight;
pub use settings::{PictureSettings, Quality};
pub use still::{jpeg, webp};
pub use video_codec::{KEY_FRAME_SECONDS, PictureCodec};
