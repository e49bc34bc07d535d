//! Narration with flite: local English voices, with flite's own phone timings.

mod speaker;

use std::sync::{Arc, Mutex, PoisonError};

pub use speaker::{Speaker, SpokenWord, Synthesized};

use crate::samples::{Joiner, at};
use crate::script::{self, Part, ScriptWord};
use crate::{Error, Gender, Narrate, Spoken, Voice, Word, english};

pub const ENGINE: &str = "flite";

/// Silence kept around speech.
const LEAD_MS: f64 = 15.0;
const TAIL_MS: f64 = 60.0;

/// A voice and its parameters in flite.
struct Row {
    id: &'static str,
    name: &'static str,
    language: &'static str,
    gender: Gender,
    /// The name in its library and register function.
    flite: &'static str,
    /// Pitch factor. Of the installed voices only slt supports it.
    pitch: f32,
}

/// The first voice is the default.
const ROWS: [Row; 6] = [
    Row { id: "aria", name: "Aria", language: "en-US", gender: Gender::Female, flite: "slt", pitch: 1.0 },
    Row { id: "miles", name: "Miles", language: "en-US", gender: Gender::Male, flite: "rms", pitch: 1.0 },
    Row { id: "ewan", name: "Ewan", language: "en-GB", gender: Gender::Male, flite: "awb", pitch: 1.0 },
    Row { id: "kai", name: "Kai", language: "en-US", gender: Gender::Male, flite: "kal16", pitch: 1.0 },
    Row { id: "nora", name: "Nora", language: "en-US", gender: Gender::Female, flite: "slt", pitch: 0.88 },
    Row { id: "lily", name: "Lily", language: "en-US", gender: Gender::Female, flite: "slt", pitch: 1.14 },
];

/// Shared with the aligner, which uses its pronunciations.
pub type Shared = Arc<Mutex<Speaker>>;

pub struct Flite {
    speaker: Shared,
    rows: Vec<&'static Row>,
}

impl Flite {
    /// Opens flite with its installed voices. `None` if there are none.
    pub fn open() -> Option<Self> {
        let mut speaker = Speaker::open()?;
        let rows: Vec<&Row> = ROWS.iter().filter(|row| speaker.add_voice(row.flite)).collect();
        (!rows.is_empty()).then(|| Self { speaker: Arc::new(Mutex::new(speaker)), rows })
    }

    pub fn speaker(&self) -> Shared {
        Arc::clone(&self.speaker)
    }
}

impl Narrate for Flite {
    fn voices(&self) -> Vec<Voice> {
        let voice = |row: &&Row| Voice {
            id: row.id.to_owned(),
            name: row.name.to_owned(),
            language: row.language.to_owned(),
            gender: row.gender,
            engine: ENGINE,
            aliases: Vec::new(),
        };
        self.rows.iter().map(voice).collect()
    }

    fn narrate(&self, text: &str, voice: &Voice, speed: f64) -> Result<Spoken, Error> {
        let row = self.rows.iter().find(|row| row.id == voice.id).ok_or_else(|| {
            Error::Missing(format!("the voice {} is not installed. Run scripts/setup", voice.name))
        })?;
        let words = script::words(text);
        let mut narration = Narration::default();
        for part in script::parts(&words) {
            let tokens = part_tokens(&words, &part);
            if tokens.is_empty() {
                narration.pending_ms += words[part.words].iter().map(|word| word.pause_ms).sum::<f64>();
                continue;
            }
            let line = tokens.iter().map(|(_, token)| token.as_str()).collect::<Vec<_>>().join(" ");
            let speaker = self.speaker.lock().unwrap_or_else(PoisonError::into_inner);
            let said = speaker.say(&line, row.flite, 1.0 / speed as f32, row.pitch)?;
            drop(speaker);
            narration.add(&words, &part, &tokens, &said, speed);
        }
        narration.finish()
    }
}

/// The tokens of a part, each with the index of its word.
fn part_tokens(words: &[ScriptWord], part: &Part) -> Vec<(usize, String)> {
    let mut tokens: Vec<(usize, String)> = Vec::new();
    for index in part.words.clone() {
        let text = &words[index].text;
        match tokens.last_mut() {
            Some((_, last))
                if last.ends_with(|c: char| c.is_ascii_alphanumeric()) && english::is_pause(text) =>
            {
                last.push(',')
            }
            _ => tokens.extend(english::spoken(text).into_iter().map(|token| (index, token))),
        }
    }
    tokens
}

/// A narration in progress.
#[derive(Default)]
struct Narration {
    joiner: Option<Joiner>,
    words: Vec<Word>,
    /// Pauses requested by unspoken parts.
    pending_ms: f64,
}

impl Narration {
    fn add(
        &mut self,
        words: &[ScriptWord],
        part: &Part,
        tokens: &[(usize, String)],
        said: &Synthesized,
        speed: f64,
    ) {
        let spans = token_spans(tokens, said);
        let (Some(first), Some(last)) = (spans.first(), spans.last()) else { return };
        let length_ms = said.samples.len() as f64 * 1000.0 / f64::from(said.rate);
        let from_ms = (first.start_ms - LEAD_MS).max(0.0);
        let to_ms = (last.end_ms + TAIL_MS).min(length_ms);
        let joiner = self.joiner.get_or_insert_with(|| Joiner::new(said.rate));
        let asked = words[part.words.start].pause_ms + std::mem::take(&mut self.pending_ms);
        let pause = (part.joint.pause_ms() / speed - LEAD_MS - TAIL_MS).max(0.0) + asked;
        joiner.pause(if self.words.is_empty() { asked } else { pause });
        let shift = joiner.now_ms() - from_ms;
        let samples = &said.samples
            [at(from_ms, said.rate).min(said.samples.len())..at(to_ms, said.rate).min(said.samples.len())];
        joiner.append(samples.iter().map(|&sample| f32::from(sample) / 32768.0));
        for span in spans {
            let (start_ms, end_ms) = (span.start_ms + shift, span.end_ms + shift);
            self.words.push(Word { text: words[span.word].text.clone(), start_ms, end_ms, confidence: 1.0 });
        }
    }

    fn finish(self) -> Result<Spoken, Error> {
        let joiner = self.joiner.ok_or(Error::NothingToSay)?;
        let sound = joiner.finish();
        if self.words.is_empty() {
            return Err(Error::NothingToSay);
        }
        Ok(Spoken { sound, words: self.words })
    }
}

/// The timing of a word within its part.
struct Span {
    word: usize,
    start_ms: f64,
    end_ms: f64,
}

/// The spans of words: a token belongs to the word it was made from.
fn token_spans(tokens: &[(usize, String)], said: &Synthesized) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    for (index, words) in said.tokens.iter().enumerate() {
        let (Some(first), Some(last)) = (words.first(), words.last()) else { continue };
        let Some(&(word, _)) = tokens.get(index) else { continue };
        match spans.last_mut().filter(|span| span.word == word) {
            Some(span) => span.end_ms = last.end_ms,
            None => spans.push(Span { word, start_ms: first.start_ms, end_ms: last.end_ms }),
        }
    }
    spans
}
