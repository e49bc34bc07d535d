//! Lists voices.

use rondo_speech::Gender;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ServiceResult;
use crate::operation::{Call, NoInput, Operation};
use crate::words::VoiceGender;

/// A voice.
#[derive(Debug, Serialize, ToSchema)]
pub struct VoiceInfo {
    id: String,
    name: String,
    /// As `en-US`.
    language: String,
    #[schema(value_type = VoiceGender)]
    gender: &'static str,
    /// What speaks.
    engine: &'static str,
    /// Other names that mean this voice.
    aliases: Vec<String>,
}

/// The voices, the one that speaks where none is named first.
#[derive(Debug, Serialize, ToSchema)]
pub struct VoiceList {
    voices: Vec<VoiceInfo>,
    total: usize,
    /// Languages that can be written down.
    languages: Vec<String>,
}

pub struct ListVoices;

impl Operation for ListVoices {
    const ID: &'static str = "listVoices";
    const ABOUT: &'static str = "Lists the voices, and the languages that can be transcribed.";
    const RETURNS: &'static str = "The voices";

    type Request = NoInput;
    type Response = VoiceList;

    async fn run(call: Call<'_>, _: NoInput) -> ServiceResult<VoiceList> {
        let voices: Vec<VoiceInfo> = call
            .service
            .speech
            .engines
            .voices()
            .iter()
            .map(|voice| VoiceInfo {
                id: voice.id.clone(),
                name: voice.name.clone(),
                language: voice.language.clone(),
                gender: gender(voice.gender),
                engine: voice.engine,
                aliases: voice.aliases.clone(),
            })
            .collect();
        let languages = call.service.speech.engines.languages();
        Ok(VoiceList { total: voices.len(), voices, languages })
    }
}

/// A gender as answers write it.
pub fn gender(gender: Gender) -> &'static str {
    match gender {
        Gender::Female => "female",
        Gender::Male => "male",
        Gender::Neutral => "neutral",
    }
}
