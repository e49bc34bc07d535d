//! A file's sound as a stream of 48 kHz stereo samples from an exact position.

use std::ffi::c_int;
use std::path::Path;
use std::ptr;

use rondo_pixels::Stop;

use super::decoder::{Decoder, Next};
use super::input::{Input, Kind, Track};
use crate::error::MediaError;
use crate::ffi::ffmpeg::*;
use crate::ffi::{Frame, error_text, seconds};
use rondo_sound::{AudioError, AudioSource, SAMPLE_RATE};

/// Seconds decoded ahead of the position asked for, so that decoders with memory (MP3, AAC, Opus) have settled.
const PREROLL: f64 = 0.5;

/// Timestamps may disagree with the count of samples by this many seconds (containers round them, Vorbis shifts them
/// where its blocks change size) before the gap is
/// filled or the overlap dropped.
const JITTER: f64 = 0.05;

/// Sound may break off this many seconds before the stated end without being called damaged.
const RAGGED_END: f64 = 0.5;

/// Most samples of silence made at a time.
const SILENCE_STEP: i64 = 16_384;

/// Containers whose seeks lead to exact timestamps; in others packets are read from the front and skipped undecoded.
const EXACT_SEEK: [&str; 4] = ["mov", "matroska", "wav", "w64"];

/// Reads interleaved f32 stereo at 48 kHz, front to back.
pub struct AudioReader {
    input: Input,
    decoder: Decoder,
    frame: Frame,
    resampler: Option<Resampler>,
    time_base: AVRational,
    /// Timestamp of second 0.
    origin: i64,
    stated_end: Option<f64>,
    /// The position must be counted from the first sample on, timestamps being too loose.
    counted: bool,
    /// Next sample (at the source's rate, since second 0) to go into the resampler.
    due: Option<i64>,
    /// Silent source samples still to go into the resampler before `frame`.
    gap: i64,
    /// A decoded frame waits in `frame`.
    waiting: bool,
    ended: bool,
    /// First 48 kHz sample to hand out.
    start: i64,
    /// Silence to hand out before `buffer`, in frames.
    lead: u64,
    /// Frames at the front of what comes out of the resampler that lie before `start`.
    discard: u64,
    buffer: Vec<f32>,
    /// Samples of `buffer` already returned.
    taken: usize,
}

impl AudioReader {
    /// Starts at `start_seconds` of the source (for a file with pictures: since its first picture). `None` when the
    /// file has no sound.
    pub fn open(path: &Path, start_seconds: f64) -> Result<Option<Self>, MediaError> {
        Self::open_until(path, start_seconds, &Stop::default())
    }

    /// The same. Setting `stop` ends the sound with an error.
    pub(super) fn open_until(
        path: &Path,
        start_seconds: f64,
        stop: &Stop,
    ) -> Result<Option<Self>, MediaError> {
        let start_seconds = if start_seconds.is_finite() { start_seconds.max(0.0) } else { 0.0 };
        let mut input = Input::open(path, stop)?;
        let Some(track) = input.track(Kind::Sound) else { return Ok(None) };
        let decoder = Decoder::open(&input, track, 1)?;
        let time_base = track.stream.time_base;
        let origin = input.track(Kind::Picture).and_then(|picture| start_of(&picture, time_base));
        let stated_end = track.duration();
        let counted = track.parameters.codec_id == AVCodecID::AV_CODEC_ID_VORBIS;
        let index = track.index;
        input.keep_only(index);
        let mut reader = Self {
            input,
            decoder,
            frame: Frame::new(),
            resampler: None,
            time_base,
            origin: origin.unwrap_or(0),
            stated_end,
            counted,
            due: None,
            gap: 0,
            waiting: false,
            ended: false,
            start: (start_seconds * f64::from(SAMPLE_RATE)).round() as i64,
            lead: 0,
            discard: 0,
            buffer: Vec::new(),
            taken: 0,
        };
        if origin.is_none() {
            reader.decode()?;
            let first = reader.frame.get().best_effort_timestamp;
            reader.origin = if reader.waiting && first != AV_NOPTS_VALUE { first } else { 0 };
        }
        reader.skip_to(index, start_seconds - PREROLL);
        Ok(Some(reader))
    }

    /// Fills `out` (left, right, left, …) and returns the number of frames written; less than asked for, at the end.
    pub fn read(&mut self, out: &mut [f32]) -> Result<usize, MediaError> {
        let mut filled = 0;
        let wanted = out.len() & !1;
        while filled < wanted {
            let room = &mut out[filled..wanted];
            if self.lead > 0 {
                let silent = room.len().min(usize::try_from(self.lead).unwrap_or(usize::MAX / 2) * 2);
                room[..silent].fill(0.0);
                self.lead -= silent as u64 / 2;
                filled += silent;
            } else if self.taken < self.buffer.len() {
                let ready = &self.buffer[self.taken..];
                let count = room.len().min(ready.len());
                room[..count].copy_from_slice(&ready[..count]);
                self.taken += count;
                filled += count;
            } else if !self.refill()? {
                break;
            }
        }
        Ok(filled / 2)
    }

    /// Passes over what is before `time`, where that saves work.
    fn skip_to(&mut self, index: usize, time: f64) {
        if time <= PREROLL {
            return;
        }
        let container = self.input.container();
        let exact = container.split(',').any(|name| EXACT_SEEK.contains(&name));
        if !exact && self.counted {
            return;
        }
        let ticks = (time / seconds(self.time_base).max(f64::MIN_POSITIVE)) as i64;
        let timestamp = self.origin.saturating_add(ticks);
        self.decoder.skip_until = timestamp;
        if exact {
            self.input.seek(index, timestamp);
        }
        self.decoder.flush();
        self.waiting = false;
    }

    /// Decodes a frame into `frame`, or notes the end.
    fn decode(&mut self) -> Result<(), MediaError> {
        match self.decoder.next(&mut self.input, &mut self.frame) {
            Next::Frame => self.waiting = true,
            Next::End => self.ended = true,
            Next::Broken => {
                self.ended = true;
                let rate = self.resampler.as_ref().map_or(1, |resampler| resampler.source.rate);
                let reached = self.due.unwrap_or(0) as f64 / f64::from(rate.max(1));
                if self.stated_end.is_some_and(|end| reached < end - RAGGED_END) {
                    return Err(self
                        .input
                        .unreadable(format!("its sound is damaged or cut short after {reached:.2} s")));
                }
            }
        }
        Ok(())
    }

    /// Puts more samples into `buffer`; `false` at the end.
    fn refill(&mut self) -> Result<bool, MediaError> {
        self.buffer.clear();
        self.taken = 0;
        while self.buffer.is_empty() {
            if self.gap > 0 {
                self.feed_silence()?;
            } else if self.waiting {
                self.feed_frame()?;
            } else if self.ended {
                let Some(mut resampler) = self.resampler.take() else { return Ok(false) };
                let drained = resampler.convert(ptr::null(), 0, &mut self.buffer);
                self.check(drained)?;
                self.drop_discarded();
            } else {
                self.decode()?;
            }
        }
        Ok(true)
    }

    fn feed_silence(&mut self) -> Result<(), MediaError> {
        let count = self.gap.min(SILENCE_STEP);
        self.gap -= count;
        self.due = self.due.map(|due| due + count);
        if let Some(resampler) = &mut self.resampler {
            let fed = resampler.silence(count as c_int, &mut self.buffer);
            self.check(fed)?;
        }
        self.drop_discarded();
        Ok(())
    }

    /// Sends the waiting frame through the resampler, at its place among the samples before it.
    fn feed_frame(&mut self) -> Result<(), MediaError> {
        let source = Source::of(self.frame.get());
        if source.rate <= 0 || source.channels <= 0 || self.frame.get().nb_samples <= 0 {
            self.waiting = false;
            return Ok(());
        }
        if self.resampler.as_ref().is_none_or(|resampler| resampler.source != source) {
            return self.change_source(source);
        }
        let stamp = self.frame.get().best_effort_timestamp;
        let place = (stamp != AV_NOPTS_VALUE).then(|| self.sample_of(stamp, source.rate));
        let due = *self.due.get_or_insert_with(|| {
            let first = place.unwrap_or(0);
            let out = at_48k(first, source.rate) - self.start;
            self.lead = out.max(0) as u64;
            self.discard = (-out).max(0) as u64;
            first
        });
        let off = place.map_or(0, |place| place - due);
        let jitter = (f64::from(source.rate) * JITTER) as i64;
        if off > jitter {
            self.gap = off;
            return Ok(());
        }
        self.waiting = false;
        let count = i64::from(self.frame.get().nb_samples);
        let overlap = if off < -jitter { -off } else { 0 };
        if overlap < count {
            self.due = Some(due + count - overlap);
            if let Some(resampler) = &mut self.resampler {
                let fed = resampler.frame(&self.frame, overlap as usize, &mut self.buffer);
                self.check(fed)?;
            }
            self.drop_discarded();
        }
        Ok(())
    }

    /// Starts a resampler for sound of another kind, after draining the one before.
    fn change_source(&mut self, source: Source) -> Result<(), MediaError> {
        if let Some(mut old) = self.resampler.take() {
            let drained = old.convert(ptr::null(), 0, &mut self.buffer);
            self.check(drained)?;
            self.drop_discarded();
            self.due = self.due.map(|due| rescale(due, source.rate, old.source.rate));
        }
        let resampler = Resampler::new(source, self.frame.get()).map_err(|code| {
            self.input.unreadable(format!(
                "its sound ({} channels at {} Hz) cannot be mixed to stereo ({})",
                source.channels,
                source.rate,
                error_text(code)
            ))
        })?;
        self.resampler = Some(resampler);
        Ok(())
    }

    fn drop_discarded(&mut self) {
        let frames = (self.buffer.len() / 2).min(usize::try_from(self.discard).unwrap_or(usize::MAX));
        self.discard -= frames as u64;
        self.buffer.drain(..frames * 2);
    }

    fn check(&self, result: Result<(), c_int>) -> Result<(), MediaError> {
        result.map_err(|code| {
            self.input.unreadable(format!("its sound cannot be converted ({})", error_text(code)))
        })
    }

    /// Place of a timestamp, in samples since second 0.
    fn sample_of(&self, timestamp: i64, rate: c_int) -> i64 {
        let ticks = i128::from(timestamp) - i128::from(self.origin);
        let per = i128::from(self.time_base.den.max(1));
        let scaled = ticks * i128::from(self.time_base.num) * i128::from(rate);
        i64::try_from((2 * scaled + per).div_euclid(2 * per)).unwrap_or(0)
    }
}

impl AudioSource for AudioReader {
    fn read(&mut self, out: &mut [f32]) -> Result<usize, AudioError> {
        AudioReader::read(self, out).map_err(|error| AudioError(error.to_string()))
    }
}

/// Where a track begins, in another time base.
fn start_of(track: &Track<'_>, time_base: AVRational) -> Option<i64> {
    let start = track.stream.start_time;
    // SAFETY: plain arithmetic on numbers.
    (start != AV_NOPTS_VALUE).then(|| unsafe { av_rescale_q(start, track.stream.time_base, time_base) })
}

fn rescale(count: i64, to: c_int, from: c_int) -> i64 {
    let scaled = i128::from(count) * i128::from(to);
    let from = i128::from(from.max(1));
    i64::try_from((2 * scaled + from).div_euclid(2 * from)).unwrap_or(0)
}

fn at_48k(sample: i64, rate: c_int) -> i64 {
    rescale(sample, SAMPLE_RATE as c_int, rate)
}

/// What the resampler was made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Source {
    format: c_int,
    rate: c_int,
    channels: c_int,
}

impl Source {
    fn of(frame: &AVFrame) -> Self {
        Self { format: frame.format, rate: frame.sample_rate, channels: frame.ch_layout.nb_channels }
    }
}

/// swresample to interleaved f32 stereo at 48 kHz. Its first output sample is at its first input sample.
struct Resampler {
    ctx: *mut SwrContext,
    source: Source,
}

// SAFETY: owned by this value alone.
unsafe impl Send for Resampler {}

impl Resampler {
    fn new(source: Source, frame: &AVFrame) -> Result<Self, c_int> {
        if !(0..AVSampleFormat::AV_SAMPLE_FMT_NB.0).contains(&source.format) {
            return Err(AVERROR_INVALIDDATA);
        }
        let mut resampler = Self { ctx: ptr::null_mut(), source };
        // SAFETY: layouts without a custom map own no memory, so they may be dropped; `Drop` frees the context on every
        // way out.
        unsafe {
            let mut stereo: AVChannelLayout = std::mem::zeroed();
            av_channel_layout_default(&mut stereo, 2);
            let mut from: AVChannelLayout = std::mem::zeroed();
            if frame.ch_layout.order == AVChannelOrder::AV_CHANNEL_ORDER_NATIVE {
                from = frame.ch_layout;
            } else {
                av_channel_layout_default(&mut from, source.channels);
            }
            let code = swr_alloc_set_opts2(
                &mut resampler.ctx,
                &mut stereo,
                AVSampleFormat::AV_SAMPLE_FMT_FLT,
                SAMPLE_RATE as c_int,
                &mut from,
                AVSampleFormat(source.format),
                source.rate,
                0,
                ptr::null_mut(),
            );
            if code < 0 {
                return Err(code);
            }
            let code = swr_init(resampler.ctx);
            if code < 0 {
                return Err(code);
            }
            if source.channels == 1 {
                // One channel is heard at full level on both sides, as browsers play it.
                let both = [1.0f64, 1.0];
                swr_close(resampler.ctx);
                let code = swr_set_matrix(resampler.ctx, both.as_ptr(), 1);
                if code < 0 {
                    return Err(code);
                }
                let code = swr_init(resampler.ctx);
                if code < 0 {
                    return Err(code);
                }
            }
        }
        Ok(resampler)
    }

    /// Appends what comes out for a frame whose first `skip` samples are left out.
    fn frame(&mut self, frame: &Frame, skip: usize, out: &mut Vec<f32>) -> Result<(), c_int> {
        let frame = frame.get();
        let count = frame.nb_samples - skip as c_int;
        let channels = self.source.channels as usize;
        // SAFETY: `extended_data` holds one pointer for each plane, each with `nb_samples` samples; `new` checked the
        // format number.
        unsafe {
            let format = AVSampleFormat(self.source.format);
            let planar = av_sample_fmt_is_planar(format) != 0;
            let bytes = av_get_bytes_per_sample(format) as usize;
            let (planes, step) = if planar { (channels, bytes) } else { (1, bytes * channels) };
            let data: Vec<*const u8> = std::slice::from_raw_parts(frame.extended_data, planes)
                .iter()
                .map(|&plane| plane.add(skip * step).cast_const())
                .collect();
            self.convert(data.as_ptr(), count, out)
        }
    }

    /// Appends what comes out for `count` silent samples.
    fn silence(&mut self, count: c_int, out: &mut Vec<f32>) -> Result<(), c_int> {
        let channels = self.source.channels as usize;
        let format = AVSampleFormat(self.source.format);
        // SAFETY: a table lookup.
        let bytes = unsafe { av_get_bytes_per_sample(format) } as usize;
        let unsigned = matches!(format, AVSampleFormat::AV_SAMPLE_FMT_U8 | AVSampleFormat::AV_SAMPLE_FMT_U8P);
        let zeros = vec![if unsigned { 0x80u8 } else { 0 }; count as usize * bytes * channels];
        let planes = vec![zeros.as_ptr(); channels];
        self.convert(planes.as_ptr(), count, out)
    }

    /// Feeds `count` samples from `data` (null: drains) and appends everything that comes out.
    fn convert(&mut self, data: *const *const u8, count: c_int, out: &mut Vec<f32>) -> Result<(), c_int> {
        // SAFETY: `out` gets room for as many frames as swresample says may come; `data` is null or holds `count`
        // samples in every plane, as the callers see to.
        unsafe {
            let room = swr_get_out_samples(self.ctx, count).max(0);
            let used = out.len();
            out.resize(used + room as usize * 2, 0.0);
            let mut target = out[used..].as_mut_ptr().cast::<u8>();
            let made = swr_convert(self.ctx, &mut target, room, data.cast_mut(), count);
            out.truncate(used + made.max(0) as usize * 2);
            if made < 0 { Err(made) } else { Ok(()) }
        }
    }
}

impl Drop for Resampler {
    fn drop(&mut self) {
        // SAFETY: frees what `new` allocated; null is allowed.
        unsafe { swr_free(&mut self.ctx) };
    }
}
