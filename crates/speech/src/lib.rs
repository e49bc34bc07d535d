//! Text to speech with word timings, and speech to text with word timings.
//!
//! [`Speech`] is the entry point. Its engines run locally: flite and espeak-ng for narration, Moonshine or a
//! configured whisper.cpp model for transcription. Hosted providers can be configured instead. Libraries and models
//! are loaded at run time, so a program starts without them; [`Speech::missing`] lists what is not installed. Calls
//! block and are thread-safe.

mod activity;
mod align;
mod confined;
mod english;
mod error;
mod espeak;
mod exchange;
mod flite;
mod hosted;
mod library;
mod moonshine;
mod resample;
mod samples;
mod script;
mod settings;
mod speech;
mod stretch;
mod voices;
mod wav;
mod whisper;

pub use confined::{Confined, Span, align_here, espeak_program, espeak_speaks, narrate_here};
pub use error::Error;
pub use exchange::{Exchange, Request, Response};
pub use settings::{Hosted, Provider, Settings};
pub use speech::Speech;
pub use whisper::set_passive_wait_policy;

/// A word with its timing, in milliseconds from the start of the sound.
#[derive(Debug, Clone, PartialEq)]
pub struct Word {
    pub text: String,
    pub start_ms: f64,
    pub end_ms: f64,
    /// The engine's confidence in the word, from 0 to 1.
    pub confidence: f64,
}

/// Mono audio.
#[derive(Debug, Clone, PartialEq)]
pub struct Sound {
    pub samples: Vec<f32>,
    /// Sample rate in Hz.
    pub rate: u32,
}

impl Sound {
    pub fn duration_ms(&self) -> f64 {
        self.samples.len() as f64 * 1000.0 / f64::from(self.rate.max(1))
    }
}

/// A narration: audio and the spoken words, spelled as in the text.
#[derive(Debug, Clone, PartialEq)]
pub struct Spoken {
    pub sound: Sound,
    pub words: Vec<Word>,
}

/// A transcript. Without speech, it has no words.
#[derive(Debug, Clone, PartialEq)]
pub struct Transcript {
    pub words: Vec<Word>,
    /// The spoken language, such as `en`.
    pub language: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gender {
    Female,
    Male,
    Neutral,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Voice {
    pub id: String,
    pub name: String,
    /// A BCP 47 tag such as `en-US`.
    pub language: String,
    pub gender: Gender,
    /// `flite`, `espeak-ng`, `openai` or `elevenlabs`.
    pub engine: &'static str,
    /// Other names of this voice.
    pub aliases: Vec<String>,
}

/// A text-to-speech engine.
pub trait Narrate: Send + Sync {
    fn voices(&self) -> Vec<Voice>;
    /// A `speed` of 1 is the voice's default, 2 is twice as fast. The pitch does not change.
    fn narrate(&self, text: &str, voice: &Voice, speed: f64) -> Result<Spoken, Error>;
}

/// A speech-to-text engine.
pub trait Transcribe: Send + Sync {
    /// Supported language codes, such as `en`.
    fn languages(&self) -> Vec<String>;
    /// `language` is one of [`Transcribe::languages`], or `None` to detect it.
    fn transcribe(&self, sound: &Sound, language: Option<&str>) -> Result<Transcript, Error>;
}
