//! What a media file holds, without decoding it.

use std::path::Path;

use crate::error::MediaError;

#[derive(Debug, Clone, PartialEq)]
pub struct Probe {
    /// FFmpeg's name of the container, such as `mov,mp4,m4a,3gp,3g2,mj2`.
    pub container: String,
    /// Seconds; the longest track when the container does not say.
    pub duration: f64,
    /// The picture track. Cover art of a sound file is none.
    pub video: Option<VideoTrack>,
    pub audio: Option<AudioTrack>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct VideoTrack {
    /// Size as shown: sample aspect ratio and rotation applied. Decoded frames have this size.
    pub width: u32,
    pub height: u32,
    /// Average frames a second.
    pub fps: f64,
    pub frames: Option<u64>,
    /// Clockwise turn that the metadata asks for: 0, 90, 180 or 270 degrees.
    pub rotation: u32,
    pub has_alpha: bool,
    pub codec: String,
    /// Seconds from the first frame to the end of the last.
    pub duration: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct AudioTrack {
    pub sample_rate: u32,
    pub channels: u32,
    /// Seconds.
    pub duration: f64,
    pub codec: String,
}

pub fn probe(path: &Path) -> Result<Probe, MediaError> {
    Err(MediaError::unreadable(path, "it is not a media file FFmpeg knows"))
}
