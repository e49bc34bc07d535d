//! Speech in films: narrations made of text, captions made of what is said, and what they cost.

mod confined;
mod exchange;
mod fill;
mod hear;
mod hold;
mod narrate;

use rondo_composition::{AiReplacement, AiValue};
use rondo_speech::{Error as EngineError, Speech};
use rondo_store::{Store, StoreError};
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::links::Links;
use crate::media::Media;

pub use confined::SpeechChildren;
pub use exchange::Courier;
pub use fill::{Filled, source_overlay};
pub use hear::{Stretch, known_words, played};
pub use hold::{Held, Purse};
pub use narrate::words_of;

/// What a render waits for: AI values, and the rate its price is counted by.
#[derive(Debug, Serialize, Deserialize)]
pub struct Asked {
    pub credits_per_minute: u32,
    pub values: Map<String, Value>,
}

impl Asked {
    pub fn into_json(self) -> Value {
        serde_json::json!(self)
    }

    pub fn read(stored: &Value) -> Option<Self> {
        serde_json::from_value(stored.clone()).ok()
    }
}

/// Why narration or transcription failed.
#[derive(Debug, thiserror::Error)]
pub enum SpeechError {
    /// A retry would fail the same way. A sentence for the user.
    #[error("{message}")]
    Wrong { reason: &'static str, message: String, path: String },
    /// A retry may succeed.
    #[error("{0}")]
    Transient(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl SpeechError {
    pub(crate) fn wrong(reason: &'static str, message: impl Into<String>) -> Self {
        Self::Wrong { reason, message: message.into(), path: String::new() }
    }

    /// The same, about a field of the request.
    pub fn at(self, field: impl Into<String>) -> Self {
        match self {
            Self::Wrong { reason, message, .. } => Self::Wrong { reason, message, path: field.into() },
            other => other,
        }
    }
}

impl From<EngineError> for SpeechError {
    fn from(error: EngineError) -> Self {
        match reason_of(&error) {
            Some(reason) => Self::wrong(reason, error.sentence()),
            None => Self::Transient(error.sentence()),
        }
    }
}

impl From<SpeechError> for ServiceError {
    fn from(error: SpeechError) -> Self {
        match error {
            SpeechError::Wrong { reason, message, path } if path.is_empty() => {
                Self::unprocessable(reason, message)
            }
            SpeechError::Wrong { reason, message, path } => Self::unprocessable_field(reason, &path, message),
            SpeechError::Transient(message) => {
                tracing::error!(message, "speech failed");
                Self::new(ErrorKind::Unavailable, "SPEECH_UNAVAILABLE", message).retry_after(30)
            }
            SpeechError::Store(StoreError::InsufficientCredits { needed, available }) => {
                Self::insufficient_credits(needed.whole_up(), available.whole())
            }
            SpeechError::Store(other) => other.into(),
        }
    }
}

/// The reason programs read; `None` where it may pass.
fn reason_of(error: &EngineError) -> Option<&'static str> {
    match error {
        EngineError::Missing(_) => Some("AI_NOT_AVAILABLE"),
        EngineError::UnknownVoice { .. } => Some("UNKNOWN_VOICE"),
        EngineError::UnsupportedLanguage { .. } => Some("UNSUPPORTED_LANGUAGE"),
        EngineError::NothingToSay
        | EngineError::Unspeakable(_)
        | EngineError::TextTooLong { .. }
        | EngineError::Speed(_) => Some("VALUE_OUT_OF_RANGE"),
        EngineError::Budget { .. } | EngineError::Engine(_) => None,
    }
}

/// 422 about a field that names a voice or a language.
pub fn refused(error: &EngineError, path: &str) -> ServiceError {
    let Some(reason) = reason_of(error).filter(|reason| *reason != "AI_NOT_AVAILABLE") else {
        return ServiceError::unprocessable_field("AI_NOT_AVAILABLE", path, error.sentence());
    };
    let refusal = ServiceError::unprocessable_field(reason, path, format!("`{path}`: {error}."));
    match error {
        EngineError::UnknownVoice { ids, .. } => refusal.with("voices", ids.clone()),
        EngineError::UnsupportedLanguage { known, .. } => refusal.with("languages", known.clone()),
        _ => refusal,
    }
}

/// Where the speech recognizer of this machine is.
#[derive(Debug, Clone)]
pub struct LocalTranscriber {
    pub folder: Option<PathBuf>,
    pub whisper_model: Option<PathBuf>,
}

impl LocalTranscriber {
    pub fn of(settings: &rondo_speech::Settings) -> Option<Self> {
        let rondo_speech::Settings { folder, whisper_model, transcriber, .. } = settings.clone();
        transcriber.is_none().then_some(Self { folder, whisper_model })
    }
}

/// Narration and transcription for accounts.
#[derive(Clone)]
pub struct SpeechService {
    pub engines: Arc<Speech>,
    /// The engine of this machine, unless a provider transcribes.
    pub local_transcriber: Option<LocalTranscriber>,
    pub store: Store,
    pub media: Arc<Media>,
    pub links: Links,
    /// Names the files of voiceovers.
    pub signing_key: Arc<str>,
    /// Longest film in minutes.
    pub max_minutes: u32,
}

impl SpeechService {
    /// The language of words that come with a narration, which may be one that only voices know.
    pub fn spoken_language(&self, language: &str) -> Result<String, EngineError> {
        let wanted = primary(language);
        let mut known = self.engines.languages();
        known.extend(self.engines.voices().iter().map(|voice| primary(&voice.language)));
        known.sort();
        known.dedup();
        match known.contains(&wanted) {
            true => Ok(wanted),
            false => {
                Err(EngineError::UnsupportedLanguage { language: language.chars().take(60).collect(), known })
            }
        }
    }

    /// 422 for unknown voices and languages. Without an engine nothing can be checked, and everything passes. The words of
    /// transcriptions named in `free` come with a narration.
    pub fn check(&self, ai: &[AiReplacement], free: &[String]) -> ServiceResult<()> {
        for AiReplacement { name, value } in ai {
            let checked = match value {
                AiValue::Narration(narration) => {
                    let voice = self.engines.voice(narration.voice.as_deref()).map(drop);
                    voice.map_err(|error| (error, format!("replacements.{name}.tts.voice")))
                }
                AiValue::Transcription(transcription) => {
                    let language = match &transcription.language {
                        Some(language) if free.contains(name) => self.spoken_language(language).map(drop),
                        language => self.engines.language(language.as_deref()).map(drop),
                    };
                    language.map_err(|error| (error, format!("replacements.{name}.transcribe.language")))
                }
            };
            match checked {
                Err((EngineError::Missing(_), _)) | Ok(()) => {}
                Err((error, path)) => return Err(refused(&error, &path)),
            }
        }
        Ok(())
    }

    /// 422 for AI values this server has no engine for. Transcriptions named in `free` need none.
    pub fn available(&self, ai: &[AiReplacement], free: &[String]) -> ServiceResult<()> {
        let mut issues: Vec<Value> = Vec::new();
        let mut first = None;
        for AiReplacement { name, value } in ai {
            let missing = match value {
                AiValue::Narration(_) => self.engines.voice(None).map(drop),
                AiValue::Transcription(_) if free.contains(name) => continue,
                AiValue::Transcription(_) => self.engines.language(None).map(drop),
            };
            if let Err(error @ EngineError::Missing(_)) = missing {
                let path = format!("replacements.{name}");
                let message = format!("`{path}` asks for speech: {}", error.sentence());
                issues
                    .push(serde_json::json!({"path": path, "code": "AI_NOT_AVAILABLE", "message": message}));
                first.get_or_insert(message);
            }
        }
        match first {
            Some(message) => {
                Err(ServiceError::unprocessable("AI_NOT_AVAILABLE", message).with("issues", issues))
            }
            None => Ok(()),
        }
    }
}

/// `en` of `en-US`.
fn primary(language: &str) -> String {
    language.trim().split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase()
}

/// Whether the same request narrates the overlay of a name.
pub fn is_narrated(ai: &[AiReplacement], source: Option<&str>) -> bool {
    ai.iter().any(|ai| Some(ai.name.as_str()) == source && matches!(ai.value, AiValue::Narration(_)))
}
