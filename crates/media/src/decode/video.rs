//! Frame-accurate video decoding: the source frame shown at a given time.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rondo_pixels::Stop;

use super::convert::Converter;
use super::decoder::{Decoder, Next};
use super::frame::DecodedFrame;
use super::geometry::Geometry;
use super::input::{Input, Kind};
use super::pool::Pool;
use super::probe::{OpenedMedia, fps};
use crate::error::MediaError;
use crate::ffi::ffmpeg::{AV_NOPTS_VALUE, AVRational};
use crate::ffi::{Frame, seconds};

/// Whether video is decoded on the calling threads.
static IN_PLACE: AtomicBool = AtomicBool::new(false);

/// From now on, video is decoded on the calling threads, so that its time can be measured separately.
pub fn decode_in_place() {
    IN_PLACE.store(true, Ordering::Relaxed);
}

/// Times are given in whole microseconds, so a frame counts as due this much early.
const TOLERANCE: f64 = 0.000_001;

/// Seconds ahead beyond which a seek is tried without an index of key frames.
const FAR: f64 = 8.0;

/// Seconds ahead below which decoding on always beats seeking.
const NEAR: f64 = 0.3;

/// Decoder threads of one video.
const THREADS: i32 = 2;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Whole,
    Broken,
}

/// A decoded frame and the time from which it is shown.
struct Held {
    frame: Frame,
    time: f64,
    from: f64,
}

/// Decodes one file's picture track.
pub struct VideoDecoder {
    input: Input,
    decoder: Decoder,
    track: usize,
    time_base: AVRational,
    /// Timestamp of the stream's first frame, when it is known.
    origin: Option<i64>,
    /// Seconds between frames where timestamps are missing.
    spacing: f64,
    geometry: Geometry,
    /// Whether the file is where opening left it.
    untouched: bool,
    current: Option<Held>,
    next: Option<Held>,
    /// Set when no frame comes after `next`.
    end: Option<End>,
    spare: Vec<Frame>,
    converter: Converter,
    shown: Option<Arc<DecodedFrame>>,
    pool: Pool,
}

impl VideoDecoder {
    /// Opens the file. Decoding errors are reported when a frame is requested.
    pub fn open(path: &Path) -> Result<Self, MediaError> {
        Self::of(OpenedMedia::open(path, &Stop::default())?)
    }

    /// Decodes a file that was opened and of which nothing else was read.
    pub fn of(OpenedMedia { mut input, .. }: OpenedMedia) -> Result<Self, MediaError> {
        let track = input
            .track(Kind::Picture)
            .ok_or_else(|| MediaError::NoPicture { path: input.path().to_owned() })?;
        let decoder =
            Decoder::open(&input, track, if IN_PLACE.load(Ordering::Relaxed) { 1 } else { THREADS })?;
        let index = track.index;
        let rate = fps(&track);
        let (time_base, geometry) = (track.stream.time_base, Geometry::of(&track));
        input.keep_only(index);
        Ok(Self {
            decoder,
            track: index,
            time_base,
            origin: input.first_shown(index),
            spacing: if rate > 0.0 { 1.0 / rate } else { 1.0 / 30.0 },
            geometry,
            untouched: true,
            current: None,
            next: None,
            end: None,
            spare: Vec::new(),
            converter: Converter::default(),
            shown: None,
            pool: Pool::default(),
            input,
        })
    }

    /// Size of every frame.
    pub fn size(&self) -> (u32, u32) {
        self.geometry.shown()
    }

    /// The frame shown at `seconds` since the first frame: the first frame before it, the last one after the end.
    /// Asking again while the same source frame is shown gives the same `Arc`.
    pub fn frame_at(&mut self, seconds: f64) -> Result<Arc<DecodedFrame>, MediaError> {
        let seconds = if seconds.is_finite() { seconds.max(0.0) } else { 0.0 };
        if self.untouched && self.origin.is_none() {
            // Times are relative to the first frame.
            self.begin()?;
        }
        self.decoder.wanted = self.timestamp_of(seconds);
        let behind = self.current.as_ref().is_none_or(|current| seconds < current.from);
        if self.worth_jumping(seconds) || behind && !self.untouched {
            self.seek(seconds)?;
        }
        if self.worth_looking(seconds) && self.input.skip_to_key(self.track, self.decoder.wanted) {
            self.restart();
            if !self.begins_by(seconds) {
                self.seek(seconds)?;
            }
        }
        if self.current.is_none() {
            self.begin()?;
        }
        self.run_to(seconds);
        if let (None, Some(End::Broken), Some(current)) = (&self.next, self.end, &self.current)
            && seconds >= current.time + self.spacing
        {
            let reached = current.time + self.spacing;
            return Err(self.input.unreadable(format!("it is damaged or cut short after {reached:.2} s")));
        }
        self.show()
    }

    /// How much early a frame counts as due: containers round timestamps to whole ticks (Matroska to milliseconds).
    fn tolerance(&self) -> f64 {
        TOLERANCE + seconds(self.time_base).min(0.001) * 0.6
    }

    /// Seconds since the first frame of a timestamp.
    fn time_of(&self, timestamp: i64) -> f64 {
        let ticks = i128::from(timestamp) - i128::from(self.origin.unwrap_or(0));
        ticks as f64 * f64::from(self.time_base.num) / f64::from(self.time_base.den.max(1))
    }

    fn timestamp_of(&self, time: f64) -> i64 {
        let ticks = (time / seconds(self.time_base).max(f64::MIN_POSITIVE)) as i64;
        self.origin.unwrap_or(0).saturating_add(ticks)
    }

    /// Whether a key frame is between the decoder and the requested time.
    fn worth_jumping(&self, seconds: f64) -> bool {
        let now = self.current.as_ref().map_or(0.0, |current| current.time);
        if self.end.is_some() || seconds < now + NEAR {
            return false;
        }
        if seconds > now + FAR {
            return true;
        }
        if !self.input.has_index() {
            return false;
        }
        let position = if self.untouched { self.origin } else { self.decoder.position };
        let key = self.input.key_frame_before(self.track, self.timestamp_of(seconds));
        key.zip(position).is_some_and(|(key, position)| key > position)
    }

    /// Whether there may be an unindexed key frame between the decoder and the requested time.
    fn worth_looking(&self, seconds: f64) -> bool {
        let now = self.current.as_ref().map_or(0.0, |current| current.time);
        self.end.is_none() && seconds >= now + NEAR && !self.input.has_index()
    }

    /// Puts the decoder at a frame that is shown at or before `time`.
    fn seek(&mut self, time: f64) -> Result<(), MediaError> {
        let (mut back, mut until) = (0.0, time);
        while time > back && self.input.seek(self.track, self.timestamp_of(time - back)) {
            self.restart();
            if self.input.skip_to_key(self.track, self.timestamp_of(until)) && self.begins_by(time) {
                return Ok(());
            }
            until = time - back;
            back = if back == 0.0 { 1.0 } else { back * 2.0 };
        }
        self.rewind()
    }

    /// Decodes the first frame after a jump; `false` when it is not shown by `time`.
    fn begins_by(&mut self, time: f64) -> bool {
        self.begin().is_ok() && self.current.as_ref().is_some_and(|first| first.time <= time)
    }

    /// Back to the first frame; opens the file again where seeking does not lead there.
    fn rewind(&mut self) -> Result<(), MediaError> {
        if self.input.seek(self.track, self.timestamp_of(0.0)) {
            self.restart();
            if self.begins_by(0.0) {
                return Ok(());
            }
        }
        let path = self.input.path().to_owned();
        let mut fresh = Self::open(&path)?;
        fresh.origin = self.origin;
        fresh.decoder.wanted = self.decoder.wanted;
        fresh.begin()?;
        fresh.shown = self.shown.take();
        fresh.pool = std::mem::take(&mut self.pool);
        *self = fresh;
        Ok(())
    }

    fn restart(&mut self) {
        self.decoder.flush();
        self.untouched = false;
        self.end = None;
        for held in [self.current.take(), self.next.take()].into_iter().flatten() {
            self.spare.push(held.frame);
        }
    }

    /// Decodes the first frame after opening or seeking.
    fn begin(&mut self) -> Result<(), MediaError> {
        if !self.look_on() {
            return Err(self.input.unreadable(match self.end {
                Some(End::Broken) => "it is damaged or cut short",
                _ => "no picture in it can be decoded",
            }));
        }
        self.current = self.next.take();
        Ok(())
    }

    /// Decodes on from the current frame to the one shown at `seconds`. The frame after that is looked for only where
    /// packets do not tell that it is shown later.
    fn run_to(&mut self, seconds: f64) {
        let due = self.timestamp_of(seconds + self.tolerance()).saturating_add(1);
        while self.next.is_some() || !self.decoder.has_shown(due) && self.look_on() {
            let Some(next) = self.next.take_if(|next| seconds >= next.from) else { return };
            if let Some(old) = self.current.replace(next) {
                self.spare.push(old.frame);
            }
        }
    }

    /// Decodes the frame after the current one; `false` when there is none.
    fn look_on(&mut self) -> bool {
        let mut frame = self.spare.pop().unwrap_or_else(Frame::new);
        while self.end.is_none() {
            match self.decoder.next(&mut self.input, &mut frame) {
                Next::Frame => {}
                Next::End => self.end = Some(End::Whole),
                Next::Broken => self.end = Some(End::Broken),
            }
            if self.end.is_some() {
                break;
            }
            let stamp = frame.get().best_effort_timestamp;
            let before = self.current.as_ref().map(|current| current.time);
            let time = if stamp != AV_NOPTS_VALUE {
                self.origin.get_or_insert(stamp);
                self.time_of(stamp)
            } else {
                before.map_or(0.0, |before| before + self.spacing)
            };
            let from = match before {
                // A timestamp that does not advance belongs to a frame that is never seen.
                Some(before) if time <= before => continue,
                Some(before) => time - self.tolerance().min((time - before) / 4.0),
                None if time <= 0.0 || self.untouched => f64::NEG_INFINITY,
                None => time,
            };
            self.untouched = false;
            self.next = Some(Held { frame, time, from });
            return true;
        }
        self.spare.push(frame);
        false
    }

    /// The current frame, returned.
    fn show(&mut self) -> Result<Arc<DecodedFrame>, MediaError> {
        let Some(current) = &self.current else {
            return Err(self.input.unreadable("no picture in it can be decoded"));
        };
        if let Some(shown) = &self.shown
            && shown.pts == current.time
        {
            return Ok(Arc::clone(shown));
        }
        self.shown = None;
        let frame =
            DecodedFrame::new(&current.frame, &self.geometry, current.time, &mut self.converter, &self.pool)
                .map_err(|reason| self.input.unreadable(reason))?;
        let frame = Arc::new(frame);
        self.shown = Some(Arc::clone(&frame));
        Ok(frame)
    }
}
