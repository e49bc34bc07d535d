//! The crate's one error type: sentences that name what is wrong and the way out.

/// Names of voices and languages in messages are cut after this many characters.
const SHOWN: usize = 60;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A part that is not installed or not set up; the sentence says how to get it.
    #[error("{0}")]
    Missing(String),
    #[error("there is no voice \"{name}\"; the voices are {}", ids.join(", "))]
    UnknownVoice { name: String, ids: Vec<String> },
    #[error("speech in \"{language}\" cannot be transcribed; the languages are {}", known.join(", "))]
    UnsupportedLanguage { language: String, known: Vec<String> },
    #[error(
        "the text has no word that can be spoken with this voice; write it in letters or numbers, or choose a voice of its language"
    )]
    NothingToSay,
    #[error("the text has {characters} characters, and at most {most} can be spoken at once; divide it")]
    TextTooLong { characters: usize, most: usize },
    #[error("the speed {0} is outside 0.5 to 2")]
    Speed(String),
    /// The provider was not asked: what may be spent a day is spent.
    #[error("{provider} is not asked any more today: the limit of {most} {unit} a day is reached")]
    Budget { provider: &'static str, most: u64, unit: &'static str },
    /// An engine broke, or a provider refused.
    #[error("{0}")]
    Engine(String),
}

impl Error {
    pub(crate) fn unknown_voice(name: &str, ids: Vec<String>) -> Self {
        Self::UnknownVoice { name: shown(name), ids }
    }

    /// The message as a sentence of its own.
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
