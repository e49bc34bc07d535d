//! Local transcription with whisper.cpp, in the languages of the configured model.

mod file;
mod native;
mod words;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

pub use self::native::set_passive_wait_policy;
use self::native::{Model, Native, Token, Transcription};
use crate::activity::{Activity, RATE};
use crate::align::{Aligner, guessed};
use crate::resample::at_rate;
use crate::{Error, Sound, Transcribe, Transcript, Word};

/// The language of the aligner.
const ENGLISH: &str = "en";
/// The model processes 30 seconds at a time and misses words after long silence.
const LONGEST_SECONDS: usize = 28;
const SILENCE_SECONDS: usize = 2;
/// The search range for the pause at the end of a phrase, around the model's timing.
const PAUSE_REACH_MS: f64 = 500.0;
/// Shorter audio is padded with silence: the model recognizes nothing in less than a second.
const SHORTEST: usize = RATE as usize * 11 / 10;
/// A piece with a lower mean confidence is noise, not speech.
const MIN_CONFIDENCE: f64 = 0.3;

pub struct Whisper {
    native: &'static Native,
    path: PathBuf,
    languages: Vec<String>,
    /// Loaded on first use.
    model: Mutex<Option<Model>>,
    aligner: Arc<Aligner>,
}

impl Whisper {
    /// Validates the model file and opens the library in a folder filled by `scripts/speech`.
    pub fn open(path: &Path, folder: Option<&Path>, aligner: Arc<Aligner>) -> Result<Self, Error> {
        let known = file::languages(path).map_err(|reason| unusable(path, &reason))?;
        let library = folder.map(|folder| folder.join("whisper/libwhisper.so"));
        let library = library
            .filter(|library| library.is_file())
            .ok_or_else(|| unusable(path, "the whisper.cpp library is not installed. Run scripts/speech"))?;
        let native = Native::open(&library).map_err(|reason| {
            Error::Missing(format!(
                "the library {} cannot run the model in whisper-model: {reason}. Run scripts/speech",
                library.display()
            ))
        })?;
        let native: &'static Native = Box::leak(Box::new(native));
        let mut languages = native.languages(known);
        if known == 1 {
            languages = vec![ENGLISH.to_owned()];
        }
        Ok(Self { native, path: path.to_owned(), languages, model: Mutex::new(None), aligner })
    }

    /// The segments of a piece and their language.
    fn recognize(&self, samples: &[f32], language: Option<&str>) -> Result<Transcription, Error> {
        let mut lengthened = samples.to_vec();
        lengthened.resize(samples.len().max(SHORTEST), 0.0);
        let mut model = self.model.lock().unwrap_or_else(PoisonError::into_inner);
        let loaded = match model.take() {
            Some(loaded) => loaded,
            None => self.native.load(&self.path).ok_or_else(|| {
                unusable(&self.path, "its weights do not match its dimensions. Download it again")
            })?,
        };
        model
            .insert(loaded)
            .recognize(&lengthened, language)
            .ok_or_else(|| Error::Engine("transcription failed: the model returned an error".to_owned()))
    }

    /// The words of a piece with their timings: aligned if English, otherwise by the number of letters.
    fn words(&self, tokens: &[Token], samples: &[f32], language: &str) -> Vec<Word> {
        let length_ms = samples.len() as f64 * 1000.0 / f64::from(RATE);
        let mut words = words::words(tokens, language, length_ms);
        let texts: Vec<String> = words.iter().map(|word| word.text.clone()).collect();
        let english = language == ENGLISH && !words.is_empty();
        match english.then(|| self.aligner.found(samples, &texts)).flatten() {
            Some(spans) => {
                for (word, span) in words.iter_mut().zip(spans) {
                    (word.start_ms, word.end_ms) = (span.start_ms, span.end_ms);
                }
            }
            None => divide(&mut words, samples, length_ms),
        }
        words
    }
}

/// Divides active time among the words of each phrase: the model's phrase ends are accurate to the pause, its word
/// boundaries are not.
fn divide(words: &mut [Word], samples: &[f32], length_ms: f64) {
    let activity = Activity::of(samples);
    let at = |ms: f64| ((ms * f64::from(RATE) / 1000.0) as usize).min(samples.len());
    let mut from_ms = 0.0;
    let mut phrases = words.chunk_by_mut(|word, _| !words::ends_phrase(&word.text)).peekable();
    while let Some(phrase) = phrases.next() {
        let heard_until = phrase.last().map_or(from_ms, |word| word.end_ms);
        let to_ms = match phrases.peek() {
            Some(_) => activity
                .pause_near(heard_until, PAUSE_REACH_MS)
                .unwrap_or(heard_until)
                .clamp(from_ms, length_ms),
            None => length_ms,
        };
        let texts: Vec<String> = phrase.iter().map(|word| word.text.clone()).collect();
        for (word, span) in phrase.iter_mut().zip(guessed(&samples[at(from_ms)..at(to_ms)], &texts)) {
            word.start_ms = (from_ms + span.start_ms).min(to_ms);
            word.end_ms = (from_ms + span.end_ms).clamp(word.start_ms, to_ms);
        }
        from_ms = to_ms;
    }
}

fn unusable(path: &Path, reason: &str) -> Error {
    Error::Missing(format!("the model {} in whisper-model cannot be used: {reason}", path.display()))
}

impl Transcribe for Whisper {
    fn languages(&self) -> Vec<String> {
        self.languages.clone()
    }

    fn transcribe(&self, sound: &Sound, language: Option<&str>) -> Result<Transcript, Error> {
        let samples = at_rate(sound, RATE)?;
        // A model with one language takes no language and detects none.
        let only = self.languages.first().filter(|_| self.languages.len() == 1).map(String::as_str);
        let mut language = language.or(only).map(str::to_owned);
        let mut recognized = Vec::new();
        for run in Activity::of(&samples).runs(LONGEST_SECONDS, SILENCE_SECONDS) {
            let listened = self.recognize(&samples[run.clone()], language.as_deref())?;
            let sure = listened
                .segments
                .into_iter()
                .filter(|tokens| words::confidence(tokens.iter()) >= MIN_CONFIDENCE);
            let tokens: Vec<Token> = sure.flatten().collect();
            if tokens.is_empty() {
                continue;
            }
            // The language of the first words is used for all.
            let spoken =
                language.get_or_insert_with(|| listened.language.unwrap_or_else(|| ENGLISH.to_owned()));
            let from_ms = run.start as f64 * 1000.0 / f64::from(RATE);
            recognized.extend(self.words(&tokens, &samples[run], spoken).into_iter().map(|word| Word {
                start_ms: from_ms + word.start_ms,
                end_ms: from_ms + word.end_ms,
                ..word
            }));
        }
        Ok(Transcript { words: recognized, language: language.unwrap_or_else(|| ENGLISH.to_owned()) })
    }
}
