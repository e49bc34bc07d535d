//! The sound of a film: decoded samples as the page supplies them, and their mix.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rondo_sound::{AudioError, AudioSource, CHANNELS, OpenAudio, Resampler, SAMPLE_RATE, Track};

/// Seconds of a source that are asked for before and after what is heard: the mixer looks ahead.
const MARGIN: f64 = 0.3;
/// Stretches of one source that are kept, as many as overlays commonly play at once.
const WINDOWS: usize = 4;
/// Frames at 48 kHz that are resampled before those that are heard.
const BEFORE: u64 = 480;
/// Longest stretch that is kept, in seconds.
const LONGEST: usize = 90;

/// Decoded samples by source.
#[derive(Clone, Default)]
pub struct Sounds(Arc<Mutex<HashMap<String, Source>>>);

#[derive(Default)]
struct Source {
    rate: u32,
    /// The newest last.
    windows: Vec<Window>,
    /// Frames in all, once it is known.
    end: Option<u64>,
}

/// Stereo frames from a frame of the source on, at its own rate.
struct Window {
    first: u64,
    samples: Vec<f32>,
}

impl Window {
    fn end(&self) -> u64 {
        self.first + (self.samples.len() / CHANNELS) as u64
    }
}

/// A stretch of a source that is needed, in seconds.
#[derive(Clone, Debug, PartialEq)]
pub struct Stretch {
    pub src: String,
    pub from: f64,
    pub to: f64,
}

impl Sounds {
    fn sources(&self) -> MutexGuard<'_, HashMap<String, Source>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets the sources that `named` does not name.
    pub fn retain(&self, named: impl Fn(&str) -> bool) {
        self.sources().retain(|src, _| named(src));
    }

    /// Interleaved samples of a source from a second on; none at its end.
    pub fn give(&self, src: &str, from: f64, rate: u32, channels: usize, samples: &[f32]) {
        let mut sources = self.sources();
        let source = sources.entry(src.to_owned()).or_default();
        if source.rate != rate {
            *source = Source { rate, ..Source::default() };
        }
        let first = (from * f64::from(rate)).round().max(0.0) as u64;
        if samples.is_empty() || channels == 0 {
            source.end = Some(source.end.map_or(first, |end| end.min(first)));
            return;
        }
        let stereo = samples.chunks_exact(channels).flat_map(to_stereo);
        // Decoders round the times of their blocks.
        let follows = |window: &&mut Window| window.end().abs_diff(first) <= 2;
        match source.windows.iter_mut().find(follows) {
            Some(window) => {
                window.samples.extend(stereo);
                let most = LONGEST * rate as usize * CHANNELS;
                if window.samples.len() > most {
                    let dropped = window.samples.len() - most / 2;
                    window.samples.drain(..dropped);
                    window.first += (dropped / CHANNELS) as u64;
                }
            }
            None => {
                if source.windows.len() >= WINDOWS {
                    source.windows.remove(0);
                }
                source.windows.push(Window { first, samples: stereo.collect() });
            }
        }
    }

    /// What of a stretch is not there.
    fn lacking(&self, src: &str, from: f64, to: f64) -> Option<Stretch> {
        let sources = self.sources();
        let mut from = from.max(0.0);
        if let Some(source) = sources.get(src) {
            let rate = f64::from(source.rate.max(1));
            let last = source.end.map_or(f64::INFINITY, |end| end as f64 / rate);
            let to = to.min(last);
            let holds =
                |window: &&Window| (window.first as f64 / rate) <= from && from < window.end() as f64 / rate;
            if let Some(window) = source.windows.iter().find(holds) {
                from = window.end() as f64 / rate;
            }
            if from + 0.001 >= to {
                return None;
            }
        }
        Some(Stretch { src: src.to_owned(), from, to })
    }

    /// The stretches of sources that `frames` frames of a mix from frame `at` on need and that are not there.
    pub fn needs(&self, tracks: &[(String, Track)], at: i64, frames: i64) -> Vec<Stretch> {
        let mut needs: Vec<Stretch> = Vec::new();
        for (src, track) in tracks {
            let mut start = track.start;
            for piece in &track.pieces {
                let end = start.saturating_add_unsigned(piece.length);
                let (first, last) = (start.max(at), end.min(at + frames));
                if first < last {
                    let second = |frame: i64| {
                        (piece.from as f64 + (frame - start) as f64 * piece.speed) / f64::from(SAMPLE_RATE)
                    };
                    needs.extend(self.lacking(src, second(first) - MARGIN, second(last) + MARGIN));
                }
                start = end;
            }
        }
        needs
    }

    /// The sound of a source, for the mixer.
    pub fn open(&self, src: &str) -> Box<dyn OpenAudio> {
        Box::new(Player { sounds: self.clone(), src: src.to_owned() })
    }
}

/// Front left and right, with what other channels there are mixed in.
fn to_stereo(frame: &[f32]) -> [f32; CHANNELS] {
    const HALF_POWER: f32 = std::f32::consts::FRAC_1_SQRT_2;
    match *frame {
        [] => [0.0, 0.0],
        [mono] => [mono, mono],
        [left, right] => [left, right],
        [left, right, center, ..] => {
            let side = |index: usize| frame.get(index).copied().unwrap_or(0.0);
            let (around_left, around_right) = if frame.len() >= 6 { (side(4), side(5)) } else { (0.0, 0.0) };
            let scale = 1.0 / (1.0 + 2.0 * HALF_POWER);
            let mixed = |front: f32, around: f32| (front + HALF_POWER * (center + around)) * scale;
            [mixed(left, around_left), mixed(right, around_right)]
        }
    }
}

struct Player {
    sounds: Sounds,
    src: String,
}

impl OpenAudio for Player {
    fn open(&self, from: u64) -> Result<Box<dyn AudioSource>, AudioError> {
        let rate = self.sounds.sources().get(&self.src).map_or(SAMPLE_RATE, |source| source.rate);
        let step = f64::from(rate) / f64::from(SAMPLE_RATE);
        let reader = |at| Box::new(Reader { sounds: self.sounds.clone(), src: self.src.clone(), at });
        if rate == SAMPLE_RATE {
            return Ok(reader(from));
        }
        // The resampler hears a little of what is before.
        let before = from.min(BEFORE);
        let at = ((from - before) as f64 * step).round() as u64;
        let mut resampled = Box::new(Resampler::new(reader(at), step));
        let mut unheard = vec![0.0; before as usize * CHANNELS];
        let mut read = 0;
        while read < unheard.len() {
            match resampled.read(&mut unheard[read..])? {
                0 => break,
                frames => read += frames * CHANNELS,
            }
        }
        Ok(resampled)
    }
}

/// Reads a source at its own rate; silence where nothing was given.
struct Reader {
    sounds: Sounds,
    src: String,
    at: u64,
}

impl AudioSource for Reader {
    fn read(&mut self, out: &mut [f32]) -> Result<usize, AudioError> {
        let sources = self.sounds.sources();
        let mut frames = (out.len() / CHANNELS) as u64;
        out.fill(0.0);
        if let Some(source) = sources.get(&self.src) {
            if let Some(end) = source.end {
                frames = frames.min(end.saturating_sub(self.at));
            }
            let holds = |window: &&Window| window.first <= self.at && self.at < window.end();
            if let Some(window) = source.windows.iter().rev().find(holds) {
                frames = frames.min(window.end() - self.at);
                let (from, count) = ((self.at - window.first) as usize, frames as usize);
                out[..count * CHANNELS]
                    .copy_from_slice(&window.samples[from * CHANNELS..(from + count) * CHANNELS]);
            }
        }
        self.at += frames;
        Ok(frames as usize)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn read(sounds: &Sounds, from: u64, frames: usize) -> Vec<f32> {
        let mut source = sounds.open("a").open(from).unwrap();
        let mut out = vec![0.0; frames * CHANNELS];
        let mut read = 0;
        while read < frames {
            match source.read(&mut out[read * CHANNELS..]).unwrap() {
                0 => break,
                more => read += more,
            }
        }
        out.truncate(read * CHANNELS);
        out
    }

    #[test]
    fn blocks_that_follow_one_another_are_one_stretch() {
        let sounds = Sounds::default();
        let block = |value: f32| vec![value; 480];
        sounds.give("a", 0.0, 48_000, 1, &block(0.1));
        sounds.give("a", 0.01, 48_000, 1, &block(0.2));
        let heard = read(&sounds, 470, 20);
        assert_eq!((heard[0], heard[19], heard[20], heard[39]), (0.1, 0.1, 0.2, 0.2));
    }

    #[test]
    fn a_source_ends_where_it_says() {
        let sounds = Sounds::default();
        sounds.give("a", 0.0, 48_000, 2, &[0.5; 200]);
        sounds.give("a", 100.0 / 48_000.0, 48_000, 2, &[]);
        assert_eq!(read(&sounds, 0, 300).len(), 200);
    }

    #[test]
    fn what_was_not_given_is_silent_and_is_asked_for() {
        let sounds = Sounds::default();
        assert_eq!(read(&sounds, 0, 10), vec![0.0; 20]);
        let piece = rondo_sound::Piece { from: 48_000, length: 48_000, speed: 2.0 };
        let track = Track {
            source: sounds.open("a"),
            start: 0,
            pieces: vec![piece],
            volume: 1.0,
            fade_in: 0.0,
            fade_out: 0.0,
            is_narration: false,
        };
        let tracks = [("a".to_owned(), track)];
        let needs = sounds.needs(&tracks, 0, 24_000);
        assert_eq!(needs.len(), 1);
        assert!((needs[0].from - 0.7).abs() < 1e-9 && (needs[0].to - 2.3).abs() < 1e-9, "{needs:?}");
        sounds.give("a", 0.7, 44_100, 1, &vec![0.1; 44_100 * 2]);
        assert_eq!(sounds.needs(&tracks, 0, 24_000), []);
        assert_eq!(sounds.needs(&tracks, 48_000, 24_000), [], "the piece is over");
    }

    #[test]
    fn other_rates_are_resampled() {
        let sounds = Sounds::default();
        sounds.give("a", 0.0, 24_000, 1, &vec![0.25; 24_000]);
        let heard = read(&sounds, 4800, 4800);
        assert!(heard.iter().all(|sample| (sample - 0.25).abs() < 0.01), "{:?}", &heard[..8]);
    }
}
