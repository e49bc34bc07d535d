//! What an operator chooses: where fetched engines lie, and providers in their place.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// What `scripts/speech` fetched: the listening model and the libraries that run models.
    pub folder: Option<PathBuf>,
    /// Speaks in front of the engines of this machine.
    pub narrator: Option<Hosted>,
    /// A model of whisper.cpp that listens instead of Moonshine.
    pub whisper_model: Option<PathBuf>,
    /// Listens instead of the engines of this machine.
    pub transcriber: Option<Hosted>,
}

/// An account with a provider.
#[derive(Clone)]
pub struct Hosted {
    pub provider: Provider,
    /// Without `/v1`, as `https://api.openai.com`; anything that speaks the provider's protocol.
    pub base_url: String,
    pub key: String,
    /// The provider's usual one where it is not said.
    pub model: Option<String>,
    /// For one request; it is made up to three times.
    pub timeout: Duration,
    /// Characters spoken or seconds heard in 24 hours, after which the provider is not asked any more.
    pub most_a_day: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provider {
    OpenAi,
    ElevenLabs,
}

impl fmt::Debug for Hosted {
    /// Everything but the key.
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
