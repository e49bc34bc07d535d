//! The error type of the crate.

/// Voice and language names are truncated to this many characters in messages.
const SHOWN: usize = 60;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A component is not installed or configured. The message says how to install it.
    #[error("{0}")]
    Missing(String),
    #[error("unknown voice \"{name}\"; available voices: {}", ids.join(", "))]
    UnknownVoice { name: String, ids: Vec<String> },
    #[error("unsupported language \"{language}\"; supported languages: {}", known.join(", "))]
    UnsupportedLanguage { language: String, known: Vec<String> },
    #[error(
        "the text contains no word that this voice can speak; use letters or numbers, or choose a voice for its language"
    )]
    NothingToSay,
    #[error("the text has {characters} characters, but at most {most} are allowed; split it")]
    TextTooLong { characters: usize, most: usize },
    #[error("`speed` must be between 0.5 and 2, got {0}")]
    Speed(String),
    /// An engine cannot speak this text, however often it is asked.
    #[error("the speech engine cannot speak this text: {0}")]
    Unspeakable(String),
    /// The request was not sent: the daily limit is used up.
    #[error("the daily limit of {most} {unit} for {provider} is reached")]
    Budget { provider: &'static str, most: u64, unit: &'static str },
    /// An engine failed, or a provider rejected the request.
    #[error("{0}")]
    Engine(String),
}

impl Error {
    pub(crate) fn unknown_voice(name: &str, ids: Vec<String>) -> Self {
        Self::UnknownVoice { name: shown(name), ids }
    }

    /// The message as a sentence, capitalized and with a full stop.
    pub fn sentence(&self) -> String {
        let text = self.to_string();
        let mut letters = text.trim_end_matches('.').chars();
        let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
        format!("{first}{}.", letters.as_str())
    }

    pub(crate) fn unsupported_language(language: &str, known: Vec<String>) -> Self {
        Self::UnsupportedLanguage { language: shown(language), known }
    }
}

fn shown(value: &str) -> String {
    value.chars().filter(|c| !c.is_control()).take(SHOWN).collect()
}
