//! Settings: the folder of local engines, and hosted providers.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// The folder that `scripts/speech` fills: the speech model and the libraries that run models.
    pub folder: Option<PathBuf>,
    /// Its voices come before those of the local engines.
    pub narrator: Option<Hosted>,
    /// A whisper.cpp model file that replaces Moonshine.
    pub whisper_model: Option<PathBuf>,
    /// Replaces the local transcription engine.
    pub transcriber: Option<Hosted>,
}

/// An account with a provider.
#[derive(Clone)]
pub struct Hosted {
    pub provider: Provider,
    /// Base URL without `/v1`, such as `https://api.openai.com`. Any server with the provider's API works.
    pub base_url: String,
    pub key: String,
    /// Default: the provider's usual model.
    pub model: Option<String>,
    /// Timeout of one attempt. A request is attempted up to three times.
    pub timeout: Duration,
    /// Limit of narrated characters or transcribed seconds in 24 hours. Further requests fail.
    pub most_a_day: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provider {
    OpenAi,
    ElevenLabs,
}

impl fmt::Debug for Hosted {
    /// All fields except the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hosted")
            .field("provider", &self.provider)
            .field("base_url", &self.base_url)
            .field("model", &self.model)
            .field("timeout", &self.timeout)
            .field("most_a_day", &self.most_a_day)
            .finish_non_exhaustive()
    }
}
