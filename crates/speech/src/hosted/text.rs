//! Splits texts into requests, and joins the audio of the responses.

use std::ops::Range;

use crate::activity::RATE;
use crate::align::{Aligner, Span};
use crate::resample::at_rate;
use crate::samples::{Joiner, audible_range};
use crate::script::{self, Joint, ScriptWord};
use crate::{Error, Sound, Spoken, Word};

/// The maximum length of a request.
const MAX_CHARACTERS: usize = 4_000;

/// The words of a text that contain a letter or digit.
pub fn words(text: &str) -> Result<Vec<ScriptWord>, Error> {
    let mut words = script::words(text);
    words.retain(|word| word.text.contains(char::is_alphanumeric));
    if words.is_empty() { Err(Error::NothingToSay) } else { Ok(words) }
}

/// The words of each request, with the pause before it.
pub fn requests(words: &[ScriptWord]) -> Vec<(Range<usize>, f64)> {
    let mut requests: Vec<(Range<usize>, f64)> = Vec::new();
    let mut characters = 0;
    for part in script::parts(words) {
        let length: usize = words[part.words.clone()].iter().map(|word| word.text.chars().count() + 1).sum();
        let asked = words[part.words.start].pause_ms;
        match requests.last_mut() {
            Some((range, _)) if characters + length <= MAX_CHARACTERS && asked == 0.0 => {
                range.end = part.words.end;
                characters += length;
            }
            _ => {
                let pause = if part.joint == Joint::Beginning { 0.0 } else { part.joint.pause_ms() };
                requests.push((part.words, pause + asked));
                characters = length;
            }
        }
    }
    requests
}

pub fn line(words: &[ScriptWord]) -> String {
    words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// A narration in progress: the joined audio and words.
pub struct Narration {
    joiner: Option<Joiner>,
    words: Vec<Word>,
}

impl Narration {
    pub fn new() -> Self {
        Self { joiner: None, words: Vec::new() }
    }

    /// Adds the audio of a response, with the words' timings from its start.
    pub fn add(&mut self, sound: &Sound, words: Vec<Word>, pause_ms: f64) {
        let joiner = self.joiner.get_or_insert_with(|| Joiner::new(sound.rate));
        joiner.pause(pause_ms);
        // Some providers add long silence at the ends.
        let audible = audible_range(&sound.samples, sound.rate as usize / 50).unwrap_or(0..0);
        let cut_ms = audible.start as f64 * 1000.0 / f64::from(sound.rate.max(1));
        let start = joiner.now_ms();
        joiner.append(sound.samples[audible].iter().copied());
        let end = joiner.now_ms();
        for mut word in words {
            word.start_ms = (word.start_ms - cut_ms + start).clamp(start, end);
            word.end_ms = (word.end_ms - cut_ms + start).clamp(word.start_ms, end);
            self.words.push(word);
        }
    }

    pub fn finish(self) -> Result<Spoken, Error> {
        let joiner = self.joiner.ok_or(Error::NothingToSay)?;
        Ok(Spoken { sound: joiner.finish(), words: self.words })
    }
}

/// Timings by alignment, for providers that send none.
pub fn aligned(
    aligner: &Aligner,
    sound: &Sound,
    words: impl Iterator<Item = String>,
) -> Result<Vec<Word>, Error> {
    let words: Vec<String> = words.collect();
    let spans = aligner.spans(&at_rate(sound, RATE)?, &words);
    let word = |(text, span): (String, Span)| Word {
        text,
        start_ms: span.start_ms,
        end_ms: span.end_ms,
        confidence: 1.0,
    };
    Ok(words.into_iter().zip(spans).map(word).collect())
}
