//! Hosted providers. Their requests are built and their responses parsed here, and sent through the program's
//! [`Exchange`](crate::Exchange).

mod client;
mod elevenlabs;
mod form;
mod openai;
mod text;

use std::sync::Arc;

use self::client::Client;
use crate::align::Aligner;
use crate::{Exchange, Hosted, Narrate, Provider, Transcribe};

/// The `engine` of a provider's voices.
pub fn engine(provider: Provider) -> &'static str {
    match provider {
        Provider::OpenAi => "openai",
        Provider::ElevenLabs => "elevenlabs",
    }
}

pub fn narrator(account: Hosted, exchange: Arc<dyn Exchange>, aligner: Arc<Aligner>) -> Box<dyn Narrate> {
    let provider = account.provider;
    let client = Client::new(account, exchange, "characters");
    match provider {
        Provider::OpenAi => Box::new(openai::Narrator { client, aligner }),
        Provider::ElevenLabs => Box::new(elevenlabs::Narrator { client, aligner }),
    }
}

pub fn transcriber(
    account: Hosted,
    exchange: Arc<dyn Exchange>,
    aligner: Arc<Aligner>,
) -> Box<dyn Transcribe> {
    let provider = account.provider;
    let client = Client::new(account, exchange, "seconds");
    match provider {
        Provider::OpenAi => Box::new(openai::Transcriber { client, aligner }),
        Provider::ElevenLabs => Box::new(elevenlabs::Transcriber { client, aligner }),
    }
}
