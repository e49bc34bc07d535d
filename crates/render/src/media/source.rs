//! A media source: a file that was located and probed.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use rondo_assets::{AnimatedPicture, Shown, kept_size};
use rondo_composition::MediaRole;
use rondo_media::image::{
    Animation, ImageInfo, ImageKind, SvgFonts, load_image, probe_image, read_image_file,
};
use rondo_media::{OpenedMedia, probe};
use rondo_pixels::Stop;
use rondo_scene::{ClipInfo, Digest, MediaInfo};

use super::clip::{Clip, Shared};
use super::fingerprint::{content_key, fingerprint};
use super::image_cache::ImageFile;
use super::problem::{Fields, io_reason, sentence, shortened};

/// A file that overlays show or play.
pub(super) struct Source {
    pub path: PathBuf,
    pub info: Option<MediaInfo>,
    pub has_sound: bool,
    /// Length of a clip or sound.
    pub seconds: Option<f64>,
    pub content: Content,
}

/// What a source shows.
pub(super) enum Content {
    /// Audio only.
    None,
    /// An index in the image cache.
    Image(usize),
    Animation(Box<AnimatedPicture>),
    Clip(Clip),
}

/// A file to load.
pub(super) struct Need<'a> {
    pub role: MediaRole,
    pub src: &'a str,
    pub fields: Fields,
    /// Frames in which overlays show it.
    pub shown: Vec<Range<i64>>,
    pub file: Result<PathBuf, String>,
    /// Whether the file of a clip stays open until it is shown.
    pub keeps_open: bool,
}

impl Source {
    /// Probes a file. A still image comes with the file to decode it from.
    pub fn load(
        need: &Need<'_>,
        path: PathBuf,
        shown: Shown,
        stop: &Stop,
    ) -> Result<(Self, Option<ImageFile>), String> {
        match need.role {
            MediaRole::Image => Self::image(path, need, shown),
            MediaRole::Video => {
                let file = OpenedMedia::open(&path, stop).map_err(|e| sentence(&e))?;
                Ok((Self::clip(path, file, need)?, None))
            }
            MediaRole::Sound => {
                let probed = probe(&path).map_err(|e| sentence(&e))?;
                let Some(sound) = probed.audio else {
                    return Err(format!("{} has no audio track.", shortened(need.src)));
                };
                let seconds = Some(sound.duration);
                Ok((Self { path, info: None, has_sound: true, seconds, content: Content::None }, None))
            }
        }
    }

    fn image(path: PathBuf, need: &Need<'_>, shown: Shown) -> Result<(Self, Option<ImageFile>), String> {
        let name = shortened(need.src);
        let bytes =
            read_image_file(&path).map_err(|e| format!("{name} cannot be read: {}.", io_reason(&e)))?;
        let key = content_key(&bytes);
        if let Some(animation) = Animation::open(&bytes, &name).map_err(|e| sentence(&e))? {
            return Ok((Self::animation(path, key, animation), None));
        }
        let ImageInfo { kind, mut width, mut height, .. } =
            probe_image(&bytes, &name).map_err(|e| sentence(&e))?;
        if kind == ImageKind::Avif {
            // The size in the header may differ from the decoded one.
            let still = load_image(&bytes, &name, &SvgFonts::default()).map_err(|e| sentence(&e))?;
            (width, height) = still.size();
        }
        let size = kept_size(kind, (width, height), &shown);
        let scale = f64::from(size.0) / f64::from(width.max(1));
        let info = MediaInfo { source: 0, key, width, height, scale, clip: None };
        let (fields, shown) = (need.fields.clone(), need.shown.clone());
        let file_size = (width, height);
        let image =
            ImageFile { path: path.clone(), name, src: need.src.into(), key, file_size, size, fields, shown };
        let content = Content::None;
        Ok((Self { path, info: Some(info), has_sound: false, seconds: None, content }, Some(image)))
    }

    fn animation(path: PathBuf, key: Digest, animation: Animation) -> Self {
        let picture = AnimatedPicture::new(animation);
        let (width, height) = picture.size();
        let clip = Some(picture.info());
        let info = MediaInfo { source: 0, key, width, height, scale: 1.0, clip };
        let content = Content::Animation(Box::new(picture));
        Self { path, info: Some(info), has_sound: false, seconds: None, content }
    }

    fn clip(path: PathBuf, file: OpenedMedia, need: &Need<'_>) -> Result<Self, String> {
        let probed = file.probe().map_err(|e| sentence(&e))?;
        let video = probed.video.as_ref().ok_or_else(|| format!("{} has no video track.", path.display()))?;
        let key = fingerprint(&path)
            .map_err(|e| format!("{} cannot be read: {}.", path.display(), io_reason(&e)))?;
        let info = MediaInfo {
            source: 0,
            key,
            width: video.width,
            height: video.height,
            scale: 1.0,
            clip: Some(ClipInfo { duration: video.duration, timetable: None }),
        };
        let file = Mutex::new(need.keeps_open.then_some(file));
        let shared = Arc::new(Shared { file, ..Shared::default() });
        let clip = Clip::new(need.src, &need.fields, &need.shown, shared);
        let (has_sound, seconds) = (probed.audio.is_some(), Some(video.duration));
        Ok(Self { path, info: Some(info), has_sound, seconds, content: Content::Clip(clip) })
    }

    pub fn fork(&self) -> Self {
        let content = match &self.content {
            Content::None => Content::None,
            Content::Image(number) => Content::Image(*number),
            Content::Animation(animation) => Content::Animation(animation.clone()),
            Content::Clip(clip) => Content::Clip(clip.fork()),
        };
        let Self { has_sound, seconds, .. } = *self;
        Self { path: self.path.clone(), info: self.info.clone(), has_sound, seconds, content }
    }
}
