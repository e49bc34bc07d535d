//! [`Speech`]: the installed and configured engines behind one interface.

use std::path::Path;
use std::sync::Arc;

use crate::activity::RATE;
use crate::align::{Aligner, ESTIMATED_CONFIDENCE};
use crate::confined::{Confined, ConfinedNarrator};
use crate::espeak::{self, Espeak};
use crate::flite::{self, Flite};
use crate::hosted;
use crate::moonshine::Moonshine;
use crate::resample::at_rate;
use crate::script::MAX_CHARACTERS;
use crate::voices::{answers_to, spread_known_names};
use crate::whisper::Whisper;
use crate::{Error, Exchange, Narrate, Settings, Sound, Spoken, Transcribe, Transcript, Voice, Word};

const NO_NARRATOR: &str =
    "narration is not available: flite is not installed. Run scripts/setup, or configure a provider";
const NO_TRANSCRIBER: &str = "transcription is not available: the speech model is not installed. Run scripts/setup, or configure a provider";
const UNUSABLE_MODEL: &str = "transcription is not available: the model in whisper-model cannot be used. The log of the service's start gives the reason";

/// Local engines and hosted providers.
pub struct Speech {
    voices: Vec<Voice>,
    /// Each with its name, the `engine` of its voices.
    narrators: Vec<(&'static str, Box<dyn Narrate>)>,
    /// The engine, or the error for callers that need one.
    transcriber: Result<Box<dyn Transcribe>, &'static str>,
    aligner: Arc<Aligner>,
    missing: Vec<String>,
}

impl Speech {
    /// Opens every installed engine; never fails. Requests to providers are sent through `exchange`.
    pub fn open(settings: Settings, exchange: Option<Arc<dyn Exchange>>) -> Self {
        Self::open_with(settings, exchange, None)
    }

    /// The same, but the engines of this machine that speak and align run elsewhere. Here they only list their voices. What
    /// transcribes on this machine is not confined: callers run it in a process of their own.
    pub fn open_confined(
        settings: Settings,
        exchange: Option<Arc<dyn Exchange>>,
        confined: Arc<dyn Confined>,
    ) -> Self {
        Self::open_with(settings, exchange, Some(confined))
    }

    fn open_with(
        settings: Settings,
        exchange: Option<Arc<dyn Exchange>>,
        confined: Option<Arc<dyn Confined>>,
    ) -> Self {
        let flite = Flite::open();
        let aligner = Arc::new(match &confined {
            Some(confined) => Aligner::elsewhere(Arc::clone(confined)),
            None => Aligner::open(flite.as_ref().map(Flite::speaker)),
        });
        let espeak = Espeak::open(Arc::clone(&aligner));
        let mut missing = missing_packages(flite.is_some(), espeak.is_some(), aligner.finds());

        let mut narrators: Vec<(&'static str, Box<dyn Narrate>)> = Vec::new();
        if let (Some(account), Some(exchange)) = (settings.narrator, &exchange) {
            let engine = hosted::engine(account.provider);
            narrators.push((engine, hosted::narrator(account, Arc::clone(exchange), Arc::clone(&aligner))));
        }
        narrators.extend(flite.map(|flite| (flite::ENGINE, kept(flite, confined.as_ref()))));
        narrators.extend(espeak.map(|espeak| (espeak::ENGINE, kept(espeak, confined.as_ref()))));

        let transcriber = match (settings.transcriber, exchange) {
            (Some(account), Some(exchange)) => {
                Ok(hosted::transcriber(account, exchange, Arc::clone(&aligner)))
            }
            _ => {
                let (model, folder) = (settings.whisper_model.as_deref(), settings.folder.as_deref());
                local_transcriber(model, folder, &aligner).map_err(|error| {
                    missing.push(error.to_string());
                    if model.is_some() { UNUSABLE_MODEL } else { NO_TRANSCRIBER }
                })
            }
        };
        let mut voices: Vec<Voice> = narrators.iter().flat_map(|(_, narrator)| narrator.voices()).collect();
        spread_known_names(&mut voices);
        Self { voices, narrators, transcriber, aligner, missing }
    }

    /// The voices of all engines, default first.
    pub fn voices(&self) -> &[Voice] {
        &self.voices
    }

    /// The voice with this id, name or alias, ignoring case, or the default voice.
    pub fn voice(&self, name: Option<&str>) -> Result<&Voice, Error> {
        let default = self.voices.first().ok_or_else(|| Error::Missing(NO_NARRATOR.to_owned()))?;
        let Some(name) = name else { return Ok(default) };
        let wanted = name.trim();
        let by_id = self.voices.iter().find(|voice| voice.id.eq_ignore_ascii_case(wanted));
        let found = by_id.or_else(|| self.voices.iter().find(|voice| answers_to(voice, wanted)));
        found.ok_or_else(|| {
            Error::unknown_voice(name, self.voices.iter().map(|voice| voice.id.clone()).collect())
        })
    }

    /// Language codes that can be transcribed, such as `en`.
    pub fn languages(&self) -> Vec<String> {
        self.transcriber.as_ref().map(|transcriber| transcriber.languages()).unwrap_or_default()
    }

    /// The language code for [`Speech::transcribe`]: `en` for `en-US` and `EN`. `None` stays `None`.
    pub fn language(&self, language: Option<&str>) -> Result<Option<String>, Error> {
        let transcriber = self.transcriber()?;
        let Some(language) = language else { return Ok(None) };
        let wanted = language.trim().split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase();
        let known = transcriber.languages();
        match known.iter().find(|known| **known == wanted) {
            Some(found) => Ok(Some(found.clone())),
            None => Err(Error::unsupported_language(language, known)),
        }
    }

    /// Narrates a text of up to 10,000 characters at a speed from 0.5 to 2.
    pub fn narrate(&self, text: &str, voice: &Voice, speed: f64) -> Result<Spoken, Error> {
        if !(0.5..=2.0).contains(&speed) {
            return Err(Error::Speed(speed.to_string()));
        }
        let characters = text.chars().count();
        if characters > MAX_CHARACTERS {
            return Err(Error::TextTooLong { characters, most: MAX_CHARACTERS });
        }
        let narrator = self.narrators.iter().find(|(engine, _)| *engine == voice.engine);
        let (_, narrator) = narrator.ok_or_else(|| Error::Missing(NO_NARRATOR.to_owned()))?;
        narrator.narrate(text, voice, speed)
    }

    /// The spoken words with their timings.
    pub fn transcribe(&self, sound: &Sound, language: Option<&str>) -> Result<Transcript, Error> {
        self.transcriber()?.transcribe(sound, language)
    }

    /// Timings for known words that are spoken in this order, one [`Word`] each. Words that forced alignment cannot
    /// find are timed by their number of letters, with a low confidence.
    pub fn align(&self, sound: &Sound, words: &[String]) -> Result<Vec<Word>, Error> {
        let samples = at_rate(sound, RATE)?;
        let spans = self.aligner.spans(&samples, words);
        let word = |(text, span): (&String, crate::align::Span)| Word {
            text: text.clone(),
            start_ms: span.start_ms,
            end_ms: span.end_ms,
            confidence: if span.found { 1.0 } else { ESTIMATED_CONFIDENCE },
        };
        Ok(words.iter().zip(spans).map(word).collect())
    }

    /// What is not installed and how to install it, as sentences for operators.
    pub fn missing(&self) -> Vec<String> {
        self.missing.clone()
    }

    fn transcriber(&self) -> Result<&dyn Transcribe, Error> {
        match &self.transcriber {
            Ok(transcriber) => Ok(transcriber.as_ref()),
            Err(sentence) => Err(Error::Missing((*sentence).to_owned())),
        }
    }
}

/// An engine of this machine, or where it runs elsewhere its voices.
fn kept(engine: impl Narrate + 'static, confined: Option<&Arc<dyn Confined>>) -> Box<dyn Narrate> {
    match confined {
        Some(confined) => Box::new(ConfinedNarrator::of(&engine, confined)),
        None => Box::new(engine),
    }
}

/// The local transcription engine.
fn local_transcriber(
    whisper_model: Option<&Path>,
    folder: Option<&Path>,
    aligner: &Arc<Aligner>,
) -> Result<Box<dyn Transcribe>, Error> {
    if let Some(model) = whisper_model {
        return Ok(Box::new(Whisper::open(model, folder, Arc::clone(aligner))?));
    }
    let folder = folder.filter(|folder| folder.is_dir()).ok_or_else(|| {
        Error::Missing(
            "the speech model is not installed, so transcription is disabled. Run scripts/speech".to_owned(),
        )
    })?;
    Ok(Box::new(Moonshine::open(folder, Arc::clone(aligner))?))
}

/// Sentences about missing Debian packages.
fn missing_packages(flite: bool, espeak: bool, aligner: bool) -> Vec<String> {
    let parts = [
        (flite, "flite is not installed, so English voices are missing. Run scripts/setup"),
        (espeak, "espeak-ng is not installed, so only English voices are available. Run scripts/setup"),
        (
            aligner,
            "pocketsphinx or its English model is not installed, so word timings are estimated. Run scripts/setup",
        ),
    ];
    parts.into_iter().filter(|(installed, _)| !installed).map(|(_, sentence)| sentence.to_owned()).collect()
}
