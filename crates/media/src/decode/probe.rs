//! Probing: the tracks of a media file, without decoding it.

use std::path::Path;

use rondo_pixels::Stop;

use super::geometry::Geometry;
use super::input::{Input, Kind, Track};
use crate::error::MediaError;
use crate::ffi::ffmpeg::{
    AV_NOPTS_VALUE, AV_PIX_FMT_FLAG_ALPHA, AV_TIME_BASE, AVPixelFormat, av_pix_fmt_desc_get,
};
use crate::ffi::seconds;
use crate::file::MediaFile;

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
    /// Average frames per second.
    pub fps: f64,
    pub frames: Option<u64>,
    /// Clockwise rotation from the metadata: 0, 90, 180 or 270 degrees.
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

/// A media file whose container was opened.
pub struct OpenedMedia {
    pub(crate) input: Input,
    facts: Facts,
}

/// As long as these stay the same, it is the same file.
type Facts = Option<(u64, std::time::SystemTime)>;

impl OpenedMedia {
    /// Setting `stop` ends what is read and decoded of it.
    pub fn open(path: &Path, stop: &Stop) -> Result<Self, MediaError> {
        let facts = facts(path);
        Input::open(path, stop).map(|input| Self { input, facts })
    }

    /// Whether another file has its name by now.
    pub fn is_replaced(&self) -> bool {
        facts(self.input.path()) != self.facts
    }

    /// What its headers say; a file without picture and sound is an error.
    pub fn probe(&self) -> Result<Probe, MediaError> {
        probe_input(&self.input)
    }
}

fn facts(path: &Path) -> Facts {
    let meta = MediaFile::metadata(path).ok()?;
    Some((meta.len(), meta.modified().ok()?))
}

/// Reads a file's headers; a file without picture and sound is an error.
pub fn probe(path: &Path) -> Result<Probe, MediaError> {
    OpenedMedia::open(path, &Stop::default())?.probe()
}

fn probe_input(input: &Input) -> Result<Probe, MediaError> {
    let format = input.format();
    let stated = (format.duration != AV_NOPTS_VALUE && format.duration > 0)
        .then(|| format.duration as f64 / f64::from(AV_TIME_BASE));
    let video = input.track(Kind::Picture);
    let audio = input.track(Kind::Sound);
    if video.is_none() && audio.is_none() {
        return Err(input.unreadable("it has neither a video nor an audio track"));
    }
    if let Some(shown) = video.as_ref().or(audio.as_ref()) {
        shown.decoder().map_err(|reason| input.unreadable(reason))?;
    }
    let length = |track: &Track<'_>| track.duration().or(stated).unwrap_or(0.0);
    let duration = stated.unwrap_or_else(|| {
        let video = video.as_ref().map_or(0.0, length);
        audio.as_ref().map_or(0.0, length).max(video)
    });
    Ok(Probe {
        container: input.container(),
        duration,
        video: video.map(|track| {
            let geometry = Geometry::of(&track);
            let (width, height) = geometry.shown();
            VideoTrack {
                width,
                height,
                fps: fps(&track),
                frames: u64::try_from(track.stream.nb_frames).ok().filter(|&frames| frames > 0),
                rotation: geometry.orientation.degrees(),
                has_alpha: has_alpha(&track),
                codec: track.codec(),
                duration: length(&track),
            }
        }),
        audio: audio.map(|track| AudioTrack {
            sample_rate: track.parameters.sample_rate.unsigned_abs(),
            channels: track.parameters.ch_layout.nb_channels.unsigned_abs(),
            duration: length(&track),
            codec: track.codec(),
        }),
    })
}

/// Average frames per second, 0 when unknown.
pub(crate) fn fps(track: &Track<'_>) -> f64 {
    let average = seconds(track.stream.avg_frame_rate);
    if average > 0.0 { average } else { seconds(track.stream.r_frame_rate).max(0.0) }
}

fn has_alpha(track: &Track<'_>) -> bool {
    track.vpx_alpha() || pixel_format_flags(track.parameters.format) & AV_PIX_FMT_FLAG_ALPHA as u64 != 0
}

/// Flags of a pixel format given by its number; 0 for an unknown one.
pub(crate) fn pixel_format_flags(format: i32) -> u64 {
    // SAFETY: a lookup, null for an unknown format; descriptions live as long as the program.
    unsafe { av_pix_fmt_desc_get(AVPixelFormat(format)).as_ref().map_or(0, |description| description.flags) }
}
