//! A video file and its decoders.

use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use rondo_media::{DecodedFrame, MediaError, OpenedMedia, VideoDecoder};
use rondo_pixels::{Picture, Stop};
use rondo_scene::PictureError;

use super::problem::{Fields, sentence};

/// Most decoders of one clip: as many as overlays commonly show it at once.
const DECODERS_PER_CLIP: usize = 3;

/// Painted frames after which an unused decoder is closed; each one holds a dozen frames.
const IDLE: u64 = 30;

/// Seconds a decoder may be behind and still be cheaper to run forward than to seek.
const FORWARD_REACH: f64 = 2.0;

/// A video file.
pub(super) struct Clip {
    pub src: String,
    pub fields: Fields,
    pub heads: Vec<Playhead>,
    /// Frames in which overlays show it.
    shown: Vec<Range<i64>>,
    /// Decoders that overlays of the frame being painted may need.
    needed: usize,
    /// State shared by all painters of the film.
    pub shared: Arc<Shared>,
}

#[derive(Default)]
pub(super) struct Shared {
    /// The probed file, for the first decoder.
    pub file: Mutex<Option<OpenedMedia>>,
    /// Why a frame of it cannot be decoded.
    pub damaged: OnceLock<String>,
}

/// A decoder and its position.
pub(super) struct Playhead {
    decoder: VideoDecoder,
    at: f64,
    /// The painted frame that used it last.
    used: u64,
    last: Option<(Arc<DecodedFrame>, Arc<Picture>)>,
}

impl Shared {
    fn file(&self) -> MutexGuard<'_, Option<OpenedMedia>> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clip {
    pub fn new(src: &str, fields: &Fields, shown: &[Range<i64>], shared: Arc<Shared>) -> Self {
        let (src, fields, shown) = (src.to_owned(), fields.clone(), shown.to_vec());
        Self { src, fields, heads: Vec::new(), shown, needed: 0, shared }
    }

    /// The same clip with decoders of its own.
    pub fn fork(&self) -> Self {
        Self::new(&self.src, &self.fields, &self.shown, self.shared.clone())
    }

    /// Closes decoders that the overlays of a frame do not need and that were not used for a while.
    pub fn turn_to(&mut self, frame: u32, clock: u64) {
        let overlays = self.shown.iter().filter(|shown| shown.contains(&i64::from(frame))).count();
        self.needed = overlays.min(DECODERS_PER_CLIP);
        while let Some(oldest) = self.oldest().filter(|_| self.heads.len() > self.needed)
            && clock - self.heads[oldest].used > IDLE
        {
            self.heads.remove(oldest);
        }
    }

    /// The least recently used decoder.
    fn oldest(&self) -> Option<usize> {
        (0..self.heads.len()).min_by_key(|head| self.heads[*head].used)
    }

    /// The frame shown at a time.
    pub fn picture_at(
        &mut self,
        path: &Path,
        seconds: f64,
        clock: u64,
        stop: &Stop,
    ) -> Result<Arc<Picture>, PictureError> {
        let decoded = self.decode(path, seconds, clock, stop);
        if decoded.is_err() && stop.is_set() {
            // Not damaged; the decoders stopped somewhere on the way.
            self.heads.clear();
            return Err(PictureError("Decoding was stopped.".to_owned()));
        }
        decoded.map_err(|error| PictureError(self.shared.damaged.get_or_init(|| sentence(&error)).clone()))
    }

    fn decode(
        &mut self,
        path: &Path,
        seconds: f64,
        clock: u64,
        stop: &Stop,
    ) -> Result<Arc<Picture>, MediaError> {
        let within_reach = |h: &Playhead| h.at <= seconds && seconds - h.at <= FORWARD_REACH;
        let near = (0..self.heads.len())
            .filter(|head| within_reach(&self.heads[*head]))
            .max_by(|a, b| self.heads[*a].at.total_cmp(&self.heads[*b].at));
        // Every overlay that shows the clip may have its own decoder; beyond that one is reused with a seek.
        let any = self.oldest().filter(|_| self.heads.len() >= self.needed);
        let index = match near.or(any) {
            Some(index) => index,
            None => {
                let file = self.shared.file().take().filter(|file| !file.is_replaced());
                let decoder = match file {
                    Some(file) => VideoDecoder::of(file),
                    None => VideoDecoder::of(OpenedMedia::open(path, stop)?),
                }?;
                self.heads.push(Playhead { decoder, at: 0.0, used: clock, last: None });
                self.heads.len() - 1
            }
        };
        let head = &mut self.heads[index];
        let frame = head.decoder.frame_at(seconds)?;
        (head.at, head.used) = (seconds, clock);
        if let Some((_, picture)) = head.last.as_ref().filter(|(last, _)| Arc::ptr_eq(last, &frame)) {
            return Ok(picture.clone());
        }
        let picture = Arc::new(Picture {
            width: frame.width,
            height: frame.height,
            pixels: frame.clone(),
            opaque: frame.opaque,
        });
        head.last = Some((frame, picture.clone()));
        Ok(picture)
    }
}
