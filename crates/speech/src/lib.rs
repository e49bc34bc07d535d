//! Speech: texts become sound with the time of every word, and sound becomes words with their times.
//!
//! [`Speech`] is the one door. Behind it are the engines: flite and espeak-ng speak and Moonshine listens on this machine, without
//! a key; a model of whisper.cpp or providers do so where the settings name one. Libraries and models are looked for when the door is opened, so a
//! program starts without them, and [`Speech::missing`] says what is not there. Calls block, and may come from several threads.

mod activity;
mod align;
mod door;
mod english;
mod error;
mod espeak;
mod exchange;
mod flite;
mod hosted;
mod library;
mod moonshine;
mod resample;
mod script;
mod settings;
mod stretch;
mod voices;
mod wav;
mod wave;
mod whisper;

pub use door::Speech;
pub use error::Error;
pub use exchange::{Exchange, Request, Response};
pub use settings::{Hosted, Provider, Settings};
pub use whisper::let_threads_rest;

/// A word and when it is spoken, in milliseconds from the start of the sound.
#[derive(Debug, Clone, PartialEq)]
pub struct Word {
    pub text: String,
    pub start_ms: f64,
    pub end_ms: f64,
    /// How sure the engine is of the word, from 0 to 1.
    pub confidence: f64,
}

/// Sound of one channel.
#[derive(Debug, Clone, PartialEq)]
pub struct Sound {
    pub samples: Vec<f32>,
    /// Samples a second.
    pub rate: u32,
}

impl Sound {
    pub fn duration_ms(&self) -> f64 {
        self.samples.len() as f64 * 1000.0 / f64::from(self.rate.max(1))
    }
}

/// Narration: the words are those of the text that are spoken, as it writes them.
#[derive(Debug, Clone, PartialEq)]
pub struct Spoken {
    pub sound: Sound,
    pub words: Vec<Word>,
}

/// A transcription; without words where nothing was said.
#[derive(Debug, Clone, PartialEq)]
pub struct Heard {
    pub words: Vec<Word>,
    /// Of what was said, as `en`.
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
    /// BCP 47, as `en-US`.
    pub language: String,
    pub gender: Gender,
    /// `flite`, `espeak-ng`, `openai` or `elevenlabs`.
    pub engine: &'static str,
    /// Other names that mean this voice.
    pub aliases: Vec<String>,
}

/// An engine that speaks.
pub trait Narrate: Send + Sync {
    fn voices(&self) -> Vec<Voice>;
    /// `speed` is 1 for the voice's own, 2 for twice as fast; the pitch stays.
    fn narrate(&self, text: &str, voice: &Voice, speed: f64) -> Result<Spoken, Error>;
}

/// An engine that listens.
pub trait Transcribe: Send + Sync {
    /// Those it understands, as `en`.
    fn languages(&self) -> Vec<String>;
    /// `language` is one of [`Transcribe::languages`], or `None` where it is not known.
    fn transcribe(&self, sound: &Sound, language: Option<&str>) -> Result<Heard, Error>;
}
