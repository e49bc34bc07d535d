//! Engines of this machine that run in other processes: they are C code that reads texts and recordings of strangers. [`Speech`]
//! asks [`Confined`] for their work; the functions here do it there.
//!
//! [`Speech`]: crate::Speech

use std::path::Path;
use std::sync::Arc;

use crate::align::Aligner;
use crate::espeak::{self, Espeak};
use crate::flite::{self, Flite};
use crate::{Error, Narrate, Spoken, Voice};

/// Runs the work of this machine's engines elsewhere.
pub trait Confined: Send + Sync {
    /// Speaks a text with a voice of this machine, as [`narrate_here`] does.
    fn narrate(&self, text: &str, voice: &Voice, speed: f64) -> Result<Spoken, Error>;
    /// Finds words in samples, as [`align_here`] does.
    fn align(&self, samples: &[f32], words: &[String]) -> Option<Vec<Span>>;
}

/// The timing of a word, from the start of the samples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span {
    pub start_ms: f64,
    pub end_ms: f64,
    /// Whether it was aligned by its phones.
    pub found: bool,
}

/// The file of espeak-ng on this machine, which [`narrate_here`] runs.
pub fn espeak_program() -> Option<std::path::PathBuf> {
    espeak::program_file()
}

/// Whether espeak-ng speaks here. A sandbox may keep it from its libraries and its data.
pub fn espeak_speaks(program: &Path) -> bool {
    espeak::speaks(program)
}

/// Speaks a text with a voice of this machine, and opens only the engine of that voice. `espeak` is the program that speaks
/// for the voices of espeak-ng.
pub fn narrate_here(
    text: &str,
    engine: &str,
    voice: &str,
    speed: f64,
    espeak: Option<&Path>,
) -> Result<Spoken, Error> {
    let missing = || Error::Missing(format!("{engine} is not installed. Run scripts/setup"));
    let flite = Flite::open();
    let narrator: Box<dyn Narrate> = match engine {
        flite::ENGINE => Box::new(flite.ok_or_else(missing)?),
        espeak::ENGINE => {
            let aligner = Aligner::open(flite.as_ref().map(Flite::speaker));
            Box::new(Espeak::with_every_voice(espeak.ok_or_else(missing)?, Arc::new(aligner)))
        }
        _ => return Err(missing()),
    };
    let voice = narrator.voices().into_iter().find(|known| known.id == voice).ok_or_else(missing)?;
    narrator.narrate(text, &voice, speed)
}

/// Finds words in samples at 16 kHz, one span each. `None` if forced alignment fails.
pub fn align_here(samples: &[f32], words: &[String]) -> Option<Vec<Span>> {
    Aligner::open(Flite::open().as_ref().map(Flite::speaker)).found(samples, words)
}

/// The voices of an engine that runs elsewhere.
pub(crate) struct ConfinedNarrator {
    voices: Vec<Voice>,
    confined: Arc<dyn Confined>,
}

impl ConfinedNarrator {
    pub fn of(engine: &impl Narrate, confined: &Arc<dyn Confined>) -> Self {
        Self { voices: engine.voices(), confined: Arc::clone(confined) }
    }
}

impl Narrate for ConfinedNarrator {
    fn voices(&self) -> Vec<Voice> {
        self.voices.clone()
    }

    fn narrate(&self, text: &str, voice: &Voice, speed: f64) -> Result<Spoken, Error> {
        self.confined.narrate(text, voice, speed)
    }
}
