//! Transcription of recordings: the played ranges, transcribed together, with times in the film.

use std::path::Path;

use rondo_composition::{CaptionWord, Composition, Overlay, Transcription};
use rondo_media::{MONO_RATE, read_mono};
use rondo_scene::Segments;
use rondo_speech::Sound;

use super::{SpeechError, SpeechService};
use crate::blocking::long;

/// Longest recording, in seconds.
const MOST_SECONDS: f64 = 3600.0;
/// A part of a recording that is played: from where to where, in seconds, when it begins and how fast it runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stretch {
    pub from: f64,
    pub to: f64,
    /// Seconds since the overlay began.
    pub at: f64,
    pub speed: f64,
}

impl Stretch {
    /// A recording as it is.
    pub fn whole(start: Option<f64>, end: Option<f64>) -> Self {
        Self { from: start.unwrap_or(0.0), to: end.unwrap_or(f64::INFINITY), at: 0.0, speed: 1.0 }
    }

    fn cut(self, start: Option<f64>, end: Option<f64>) -> Option<Self> {
        let from = self.from.max(start.unwrap_or(0.0));
        let to = self.to.min(end.unwrap_or(f64::INFINITY));
        (to > from).then(|| Self { from, to, at: self.at + (from - self.from) / self.speed, ..self })
    }

    /// When a second of the recording is heard, in milliseconds.
    fn when(&self, second: f64) -> f64 {
        (self.at + (second.clamp(self.from, self.to) - self.from) / self.speed) * 1000.0
    }
}

/// The stretches of its source that an overlay plays, as far as a transcription asks for them.
pub fn played(overlay: &Overlay, composition: &Composition, asked: &Transcription) -> Vec<Stretch> {
    let fps = f64::from(composition.fps);
    // What goes on after the end of the film is not heard.
    let end = overlay.end().min(i64::from(composition.duration));
    let length = (end - overlay.base.from).max(0) as f64 / fps;
    let one = |from: f64, speed: f64| vec![Stretch { from, to: from + length * speed, at: 0.0, speed }];
    let Some(playback) = overlay.playback() else { return Vec::new() };
    let segments = Segments::new(playback.segments, playback.speed);
    let mut at = 0.0;
    let mut stretches = Vec::new();
    for piece in segments.pieces() {
        let seconds = (piece.length as f64 / fps).min(length - at);
        if seconds <= 0.0 {
            break;
        }
        let from = piece.start as f64 / fps;
        stretches.push(Stretch { from, to: from + seconds * piece.speed, at, speed: piece.speed });
        at += seconds;
    }
    if segments.pieces().is_empty() {
        stretches = one(playback.start, playback.speed);
    }
    stretches.into_iter().filter_map(|stretch| stretch.cut(asked.start_time, asked.end_time)).collect()
}

/// Words with known times in a recording, with their times in the film.
pub fn known_words(words: &[CaptionWord], stretches: &[Stretch]) -> Vec<CaptionWord> {
    let mut heard = Vec::new();
    for stretch in stretches {
        for word in words {
            let middle = (word.start_ms + word.end_ms) / 2000.0;
            if middle >= stretch.from && middle < stretch.to {
                let start_ms = stretch.when(word.start_ms / 1000.0).round();
                let end_ms = stretch.when(word.end_ms / 1000.0).round();
                heard.push(CaptionWord { start_ms, end_ms, ..word.clone() });
            }
        }
    }
    heard
}

/// The sound of some stretches, one after the other.
#[derive(Debug)]
pub struct Recording {
    sound: Sound,
    /// As far as there was something to hear.
    stretches: Vec<Stretch>,
}

impl Recording {
    pub fn seconds(&self) -> f64 {
        self.sound.samples.len() as f64 / f64::from(MONO_RATE)
    }

    /// When a moment of the recording is heard, in milliseconds.
    fn when(&self, ms: f64) -> f64 {
        let mut left = ms / 1000.0;
        for stretch in &self.stretches {
            let length = stretch.to - stretch.from;
            if left <= length {
                return stretch.when(stretch.from + left);
            }
            left -= length;
        }
        self.stretches.last().map_or(0.0, |stretch| stretch.when(stretch.to))
    }
}

/// Reads the sound of a file.
pub async fn listen(path: &Path, name: &str, stretches: Vec<Stretch>) -> Result<Recording, SpeechError> {
    let (path, name) = (path.to_owned(), name.to_owned());
    long(move || record(&path, &name, &stretches))
        .await
        .map_err(|_| SpeechError::Transient("Failed to read the recording.".to_owned()))?
}

fn record(path: &Path, name: &str, stretches: &[Stretch]) -> Result<Recording, SpeechError> {
    let unreadable = |error: rondo_media::MediaError| {
        let reason = error.to_string().replace(&path.display().to_string(), name);
        SpeechError::wrong("MEDIA_UNREADABLE", format!("The recording {name} cannot be heard: {reason}."))
    };
    let too_long = || {
        SpeechError::wrong(
            "RECORDING_TOO_LONG",
            format!(
                "More than {} minutes of {name} are to be heard: give startTime and endTime.",
                MOST_SECONDS / 60.0
            ),
        )
    };
    let rate = f64::from(MONO_RATE);
    let mut samples: Vec<f32> = Vec::new();
    let mut heard = Vec::new();
    for stretch in stretches {
        let wanted = (stretch.to - stretch.from) * rate;
        let room = MOST_SECONDS * rate - samples.len() as f64;
        // One sample beyond the limit shows that the recording is too long.
        let most = wanted.min(room + 1.0) as usize;
        let part = read_mono(path, stretch.from, most).map_err(unreadable)?.ok_or_else(|| {
            SpeechError::wrong("MEDIA_UNREADABLE", format!("The recording {name} has no sound."))
        })?;
        if part.len() as f64 > room {
            return Err(too_long());
        }
        if !part.is_empty() {
            heard.push(Stretch { to: stretch.from + part.len() as f64 / rate, ..*stretch });
            samples.extend(part);
        }
    }
    Ok(Recording { sound: Sound { samples, rate: MONO_RATE }, stretches: heard })
}

/// What was heard in a recording.
#[derive(Debug)]
pub struct Heard {
    /// With times as the film has them.
    pub words: Vec<CaptionWord>,
    pub language: String,
}

impl SpeechService {
    /// Writes down what is said.
    pub async fn transcribe(
        &self,
        recording: Recording,
        language: Option<&str>,
    ) -> Result<Heard, SpeechError> {
        let language = self.engines.language(language)?;
        let speech = self.engines.clone();
        let work = move || {
            let heard = speech.transcribe(&recording.sound, language.as_deref())?;
            let words = heard.words.into_iter().map(|word| CaptionWord {
                start_ms: recording.when(word.start_ms).round(),
                end_ms: recording.when(word.end_ms).round(),
                word: word.text,
                confidence: word.confidence,
            });
            Ok(Heard { words: words.collect(), language: heard.language })
        };
        long(work).await.map_err(|_| SpeechError::Transient("The speech recognizer failed.".to_owned()))?
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(text: &str, start: f64, end: f64) -> CaptionWord {
        CaptionWord { word: text.to_owned(), start_ms: start, end_ms: end, confidence: 1.0 }
    }

    #[test]
    fn words_outside_the_played_stretches_are_left_out_and_the_others_keep_their_place_in_the_film() {
        let words = [word("one", 0.0, 400.0), word("two", 1000.0, 1400.0), word("three", 5000.0, 5400.0)];
        let stretches = [
            Stretch { from: 4.0, to: 6.0, at: 0.0, speed: 2.0 },
            Stretch { from: 0.5, to: 1.5, at: 1.0, speed: 1.0 },
        ];
        let heard = known_words(&words, &stretches);
        assert_eq!(heard, [word("three", 500.0, 700.0), word("two", 1500.0, 1900.0)]);
    }

    #[test]
    fn what_is_asked_for_cuts_a_stretch_without_moving_the_rest() {
        let stretch = Stretch { from: 2.0, to: 10.0, at: 0.0, speed: 2.0 };
        let cut = stretch.cut(Some(4.0), Some(6.0)).unwrap();
        assert_eq!(cut, Stretch { from: 4.0, to: 6.0, at: 1.0, speed: 2.0 });
        assert_eq!(stretch.cut(Some(11.0), None), None);
    }
}
