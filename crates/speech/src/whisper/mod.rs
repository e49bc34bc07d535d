//! Transcription by whisper.cpp, in the languages of the model an operator names, on this machine.

mod file;
mod native;
mod words;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

pub use self::native::let_threads_rest;
use self::native::{Listened, Model, Native, Token};
use crate::activity::{Activity, RATE};
use crate::align::{Aligner, guessed};
use crate::resample::at_rate;
use crate::{Error, Heard, Sound, Transcribe, Word};

/// The language whose words the aligner finds.
const ENGLISH: &str = "en";
/// The model looks at 30 seconds at a time, and misses words after long silence.
const LONGEST_SECONDS: usize = 28;
const SILENCE_SECONDS: usize = 2;
/// The end of a phrase is looked for so far from where the model hears it.
const PAUSE_REACH_MS: f64 = 500.0;
/// Shorter sound is lengthened with silence: the model hears nothing in less than a second.
const SHORTEST: usize = RATE as usize * 11 / 10;
/// What it is less sure of than this, all in all, is noise it took for speech.
const LEAST_SURE: f64 = 0.3;

pub struct Whisper {
    native: &'static Native,
    path: PathBuf,
    languages: Vec<String>,
    /// Loaded when it is needed first.
    model: Mutex<Option<Model>>,
    aligner: Arc<Aligner>,
}

impl Whisper {
    /// Looks over the file of a model, and opens the library that `scripts/speech` put into a folder.
    pub fn open(path: &Path, folder: Option<&Path>, aligner: Arc<Aligner>) -> Result<Self, Error> {
        let known = file::languages(path).map_err(|reason| unusable(path, &reason))?;
        let library = folder.map(|folder| folder.join("whisper/libwhisper.so"));
        let library = library
            .filter(|library| library.is_file())
            .ok_or_else(|| unusable(path, "the library that runs it is not installed. Run scripts/speech"))?;
        let native = Native::open(&library).map_err(|reason| {
            Error::Missing(format!(
                "the library {} cannot run the model that whisper-model names: {reason}. Run scripts/speech",
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

    /// What is said in a piece, by segments, and in which language.
    fn listen(&self, samples: &[f32], language: Option<&str>) -> Result<Listened, Error> {
        let mut lengthened = samples.to_vec();
        lengthened.resize(samples.len().max(SHORTEST), 0.0);
        let mut model = self.model.lock().unwrap_or_else(PoisonError::into_inner);
        let loaded = match model.take() {
            Some(loaded) => loaded,
            None => self
                .native
                .load(&self.path)
                .ok_or_else(|| unusable(&self.path, "its weights do not fit its sizes. Fetch it again"))?,
        };
        model
            .insert(loaded)
            .listen(&lengthened, language)
            .ok_or_else(|| Error::Engine("the sound could not be transcribed: the model failed".to_owned()))
    }

    /// The words of a piece with their times: found by their sounds where they are English and can be, and else by their letters.
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

/// Divides time anew among words, phrase by phrase, over what can be heard: models know better in which pause a phrase ends than
/// where its words meet.
fn divide(words: &mut [Word], samples: &[f32], length_ms: f64) {
    let activity = Activity::of(samples);
    let at = |ms: f64| ((ms * f64::from(RATE) / 1000.0) as usize).min(samples.len());
    let mut from_ms = 0.0;
    let mut phrases = words.chunk_by_mut(|word, _| !words::ends_phrase(&word.text)).peekable();
    while let Some(phrase) = phrases.next() {
        let told = phrase.last().map_or(from_ms, |word| word.end_ms);
        let to_ms = match phrases.peek() {
            Some(_) => activity.pause_near(told, PAUSE_REACH_MS).unwrap_or(told).clamp(from_ms, length_ms),
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
    Error::Missing(format!("the model {} that whisper-model names cannot be used: {reason}", path.display()))
}

impl Transcribe for Whisper {
    fn languages(&self) -> Vec<String> {
        self.languages.clone()
    }

    fn transcribe(&self, sound: &Sound, language: Option<&str>) -> Result<Heard, Error> {
        let samples = at_rate(sound, RATE)?;
        // A model of one language needs no telling, and cannot tell.
        let only = self.languages.first().filter(|_| self.languages.len() == 1).map(String::as_str);
        let mut language = language.or(only).map(str::to_owned);
        let mut heard = Vec::new();
        for run in Activity::of(&samples).runs(LONGEST_SECONDS, SILENCE_SECONDS) {
            let listened = self.listen(&samples[run.clone()], language.as_deref())?;
            let sure =
                listened.segments.into_iter().filter(|tokens| words::sureness(tokens.iter()) >= LEAST_SURE);
            let tokens: Vec<Token> = sure.flatten().collect();
            if tokens.is_empty() {
                continue;
            }
            // What the first words are said in goes for all.
            let spoken =
                language.get_or_insert_with(|| listened.language.unwrap_or_else(|| ENGLISH.to_owned()));
            let from_ms = run.start as f64 * 1000.0 / f64::from(RATE);
            heard.extend(self.words(&tokens, &samples[run], spoken).into_iter().map(|word| Word {
                start_ms: from_ms + word.start_ms,
                end_ms: from_ms + word.end_ms,
                ..word
            }));
        }
        Ok(Heard { words: heard, language: language.unwrap_or_else(|| ENGLISH.to_owned()) })
    }
}
