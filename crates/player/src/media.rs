//! The media of a film as the page supplied them: properties for the scene, pixels for the painter.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use rondo_assets::{AnimatedPicture, Shown, kept_picture, kept_size, reduced_photo};
use rondo_composition::{Composition, MediaRole};
use rondo_images::{Animation, ImageInfo, ImageKind, Still, SvgFonts, load_image, probe_image};
use rondo_pixels::Picture;
use rondo_scene::display::PictureRef;
use rondo_scene::{ClipInfo, Digest, MediaInfo, PictureError, Pictures, World};

use crate::coded::{Coded, Part};
use crate::video_frame::{Decoded, FrameInfo};

/// Decoded video frames that are kept.
const FRAMES_KEPT: usize = 12;
/// Times of video frames that are remembered.
const MOST_GIVEN: usize = 4096;

#[derive(Default)]
pub struct Media {
    by_src: HashMap<(MediaRole, String), usize>,
    sources: Vec<Source>,
    /// Images that the page is to decode, by address.
    coded: HashMap<String, Coded>,
    /// Decoded video frames by source and time, the newest last.
    frames: VecDeque<((usize, i64), Decoded)>,
    /// The sources and times for which a frame was given.
    given: HashSet<(usize, i64)>,
}

struct Source {
    src: String,
    content: Content,
}

enum Content {
    /// It cannot be loaded.
    Missing,
    Still {
        file: File,
        key: Digest,
        info: ImageInfo,
        kept: Kept,
    },
    Animation(Box<AnimatedPicture>, MediaInfo),
    Clip {
        info: MediaInfo,
        has_sound: bool,
    },
    Sound,
}

/// The content of a still image.
enum File {
    Bytes(Arc<[u8]>),
    /// The page decoded it.
    Decoded(Picture),
}

/// A still image at the size that the composition needs.
#[derive(Default)]
struct Kept {
    size: (u32, u32),
    picture: Option<Arc<Picture>>,
}

/// A still image that was not decoded yet.
pub struct Undecoded<'a> {
    pub bytes: &'a [u8],
    /// Tells files of the same source apart.
    pub key: u32,
    /// The size at which it is kept.
    pub size: (u32, u32),
}

fn short(key: &Digest) -> u32 {
    u32::from_le_bytes([key[0], key[1], key[2], key[3]])
}

impl Media {
    pub fn has(&self, role: MediaRole, src: &str) -> bool {
        self.by_src.contains_key(&(role, src.to_owned()))
    }

    /// Whether a source was given that has sound.
    pub fn has_sound(&self, role: MediaRole, src: &str) -> bool {
        match self.find(role, src) {
            Some((_, Content::Clip { has_sound, .. })) => *has_sound,
            Some((_, Content::Sound)) => true,
            _ => false,
        }
    }

    pub fn missing(&mut self, role: MediaRole, src: &str) {
        self.insert(role, src, Content::Missing);
    }

    /// The file of an image.
    pub fn image(&mut self, src: &str, bytes: Vec<u8>) -> Result<(), String> {
        let reason = |error: rondo_images::ImageError| error.to_string();
        let key = *blake3::hash(&bytes).as_bytes();
        if let Some(animation) = Animation::open(&bytes, src).map_err(reason)? {
            let picture = AnimatedPicture::new(animation);
            let (width, height) = picture.size();
            let clip = Some(picture.info());
            let info = MediaInfo { source: 0, key, width, height, scale: 1.0, clip };
            self.insert(MediaRole::Image, src, Content::Animation(Box::new(picture), info));
            return Ok(());
        }
        let info = probe_image(&bytes, src).map_err(reason)?;
        if info.kind == ImageKind::Avif {
            let coded =
                Coded::new(&bytes, key, info).map_err(|reason| format!("{src} cannot be read: {reason}"))?;
            self.coded.insert(src.to_owned(), coded);
            return Ok(());
        }
        let file = File::Bytes(bytes.into());
        self.insert(MediaRole::Image, src, Content::Still { file, key, info, kept: Kept::default() });
        Ok(())
    }

    /// What the page is to decode of an image before it can be shown.
    pub fn parts(&self, src: &str) -> Vec<Part<'_>> {
        self.coded.get(src).map_or_else(Vec::new, Coded::parts)
    }

    /// The pictures of an image that the page was to decode: its colour, and its alpha if it has one.
    pub fn decoded(&mut self, src: &str, pictures: Vec<(Vec<u8>, FrameInfo)>) -> Result<(), String> {
        let Some(coded) = self.coded.remove(src) else { return Ok(()) };
        let (key, info) = (coded.key, coded.info);
        let file = File::Decoded(coded.picture(pictures)?);
        self.insert(MediaRole::Image, src, Content::Still { file, key, info, kept: Kept::default() });
        Ok(())
    }

    /// A still image that was not decoded yet.
    pub fn undecoded(&self, src: &str) -> Option<Undecoded<'_>> {
        match self.find(MediaRole::Image, src)?.1 {
            Content::Still { file: File::Bytes(bytes), key, kept: Kept { size, picture: None }, .. } => {
                Some(Undecoded { bytes, key: short(key), size: *size })
            }
            _ => None,
        }
    }

    /// The picture of a still image that was decoded elsewhere. It is not taken if the image has another file or size by now.
    pub fn keep(&mut self, src: &str, file_key: u32, picture: Picture) {
        let Some(number) = self.by_src.get(&(MediaRole::Image, src.to_owned())) else { return };
        let Content::Still { key, kept, .. } = &mut self.sources[*number].content else { return };
        if short(key) == file_key && kept.size == (picture.width, picture.height) {
            kept.picture.get_or_insert_with(|| Arc::new(picture));
        }
    }

    /// What is known of a video.
    pub fn clip(&mut self, src: &str, width: u32, height: u32, duration: f64, has_sound: bool) {
        let clip = Some(ClipInfo { duration, timetable: None });
        let key = *blake3::hash(src.as_bytes()).as_bytes();
        let info = MediaInfo { source: 0, key, width, height, scale: 1.0, clip };
        self.insert(MediaRole::Video, src, Content::Clip { info, has_sound });
    }

    /// A sound can be played.
    pub fn sound(&mut self, src: &str) {
        self.insert(MediaRole::Sound, src, Content::Sound);
    }

    fn insert(&mut self, role: MediaRole, src: &str, content: Content) {
        let source = Source { src: src.to_owned(), content };
        match self.by_src.get(&(role, src.to_owned())) {
            Some(number) => self.sources[*number] = source,
            None => {
                self.by_src.insert((role, src.to_owned()), self.sources.len());
                self.sources.push(source);
            }
        }
    }

    /// Forgets media that a composition does not name, and decides how large its images are kept.
    pub fn turn_to(&mut self, composition: &Composition) {
        let named = |role: MediaRole, src: &str| {
            composition.media_sources().any(|(_, source)| source.role == role && source.address == src)
        };
        self.by_src.retain(|(role, src), number| {
            let stays = named(*role, src);
            if !stays {
                self.sources[*number].content = Content::Missing;
            }
            stays
        });
        self.coded.retain(|src, _| named(MediaRole::Image, src));
        self.fit(composition);
    }

    /// Decides how large images are kept.
    pub fn fit(&mut self, composition: &Composition) {
        for source in &mut self.sources {
            if let Content::Still { info, kept, .. } = &mut source.content {
                let shown = Shown::of(composition, &source.src);
                let size = kept_size(info.kind, (info.width, info.height), &shown);
                if size != kept.size {
                    *kept = Kept { size, picture: None };
                }
            }
        }
    }

    /// A decoded frame of a video.
    pub fn frame(&mut self, src: &str, time_us: i64, decoded: Decoded) {
        let Some(number) = self.by_src.get(&(MediaRole::Video, src.to_owned())).copied() else { return };
        // The painter may keep the pixels of another frame.
        if !self.given.insert((number, time_us)) || self.given.len() > MOST_GIVEN {
            self.given.retain(|(source, _)| *source != number);
            if let Some(Source { content: Content::Clip { info, .. }, .. }) = self.sources.get_mut(number) {
                info.key = *blake3::hash(&info.key).as_bytes();
            }
        }
        self.frames.retain(|(key, _)| *key != (number, time_us));
        while self.frames.len() >= FRAMES_KEPT {
            self.frames.pop_front();
        }
        // They were painted, and are hardly painted again before this one.
        for (_, other) in self.frames.iter_mut().filter(|((source, _), _)| *source == number) {
            other.forget_rgba();
        }
        self.frames.push_back(((number, time_us), decoded));
    }

    /// The source and time of a video frame that is not there.
    pub fn lacking(&self, picture: &PictureRef) -> Option<(&str, i64)> {
        let number = picture.source as usize;
        let source = self.sources.get(number)?;
        let is_clip = matches!(source.content, Content::Clip { .. });
        let there = self.frames.iter().any(|(key, _)| *key == (number, picture.time_us));
        (is_clip && !there).then_some((source.src.as_str(), picture.time_us))
    }

    fn find(&self, role: MediaRole, src: &str) -> Option<(usize, &Content)> {
        let number = *self.by_src.get(&(role, src.to_owned()))?;
        Some((number, &self.sources.get(number)?.content))
    }
}

/// Decodes the file of a still image, at the size at which it is kept.
pub fn decode(bytes: &[u8], size: (u32, u32)) -> Result<Picture, String> {
    let name = "The image";
    let info = probe_image(bytes, name).map_err(|error| error.to_string())?;
    decode_kept(bytes, name, (info.width, info.height), size)
}

fn decode_kept(bytes: &[u8], name: &str, file_size: (u32, u32), size: (u32, u32)) -> Result<Picture, String> {
    if let Some(photo) = reduced_photo(bytes, file_size, size) {
        return Ok(photo);
    }
    let still = load_image(bytes, name, &SvgFonts::default()).map_err(|error| error.to_string())?;
    kept_picture(still, file_size, size)
}

impl World for Media {
    fn media(&self, src: &str) -> Option<MediaInfo> {
        let found = [MediaRole::Image, MediaRole::Video].into_iter().find_map(|role| self.find(role, src));
        let (number, content) = found?;
        let info = match content {
            Content::Still { key, info, kept, .. } => MediaInfo {
                source: 0,
                key: *key,
                width: info.width,
                height: info.height,
                scale: f64::from(kept.size.0) / f64::from(info.width.max(1)),
                clip: None,
            },
            Content::Animation(_, info) | Content::Clip { info, .. } => info.clone(),
            Content::Missing | Content::Sound => return None,
        };
        Some(MediaInfo { source: number as u32, ..info })
    }
}

impl Pictures for Media {
    fn picture(&mut self, picture: &PictureRef) -> Result<Arc<Picture>, PictureError> {
        let number = picture.source as usize;
        let unknown = || PictureError(format!("There is no media source {number}."));
        let Source { src, content } = self.sources.get_mut(number).ok_or_else(unknown)?;
        match content {
            Content::Still { file, info, kept, .. } => {
                if let Some(picture) = &kept.picture {
                    return Ok(picture.clone());
                }
                let file_size = (info.width, info.height);
                let picture = match file {
                    File::Bytes(bytes) => decode_kept(bytes, src, file_size, kept.size),
                    File::Decoded(picture) => {
                        kept_picture(Still::Bitmap(picture.clone()), file_size, kept.size)
                    }
                }
                .map_err(PictureError)?;
                Ok(kept.picture.insert(Arc::new(picture)).clone())
            }
            Content::Animation(animation, _) => animation.at(picture.time_us),
            Content::Clip { .. } => {
                let frame = self.frames.iter().find(|(key, _)| *key == (number, picture.time_us));
                frame.map(|(_, frame)| frame.picture().clone()).ok_or_else(|| {
                    PictureError(format!("The frame of {src} at {} µs is not there.", picture.time_us))
                })
            }
            Content::Missing | Content::Sound => Err(unknown()),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn decoded(luma: u8) -> Decoded {
        let info: FrameInfo = serde_json::from_str(r#"{"width": 4, "height": 2}"#).unwrap();
        Decoded::new([[luma; 8].as_slice(), &[128; 4]].concat(), info).unwrap()
    }

    fn frame(media: &mut Media, time_us: i64) -> Arc<Picture> {
        media.picture(&PictureRef { source: 0, source_key: [0; 32], time_us }).unwrap()
    }

    #[test]
    fn of_the_frames_of_a_clip_the_latest_keeps_its_pixels_and_the_others_make_theirs_again() {
        let mut media = Media::default();
        media.clip("a.mp4", 4, 2, 1.0, false);
        media.frame("a.mp4", 0, decoded(40));
        let first = frame(&mut media, 0);
        let before = first.pixels.rgba().to_vec();
        let kept = Arc::downgrade(&first);
        drop(first);
        assert!(kept.upgrade().is_some());
        media.frame("a.mp4", 33_000, decoded(200));
        assert!(kept.upgrade().is_none(), "its pixels take memory");
        assert_eq!(frame(&mut media, 0).pixels.rgba(), before);
        assert_ne!(frame(&mut media, 33_000).pixels.rgba(), before);
    }
}
