//! Speaks a text.

use rondo_composition::{Narration, group_words};
use rondo_fields::{choices, flag, number, one_of, record, text};
use rondo_store::{AiUse, AiUsed};
use serde::Serialize;
use utoipa::ToSchema;

use super::{CaptionOfWords, Word, room, shown};
use crate::disk::require_room;
use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::operation::{Call, Operation};
use crate::operations::uploads::STORAGE_FULL;
use crate::quote::narration_charge;
use crate::speech;

/// Most characters of a text.
const MOST_CHARACTERS: usize = 10_000;

choices! {
    /// Kind of sound file.
    pub enum SoundFormat {
        Wav = "wav",
        Mp3 = "mp3",
    }
}

record! {
    /// A text to speak.
    pub struct VoiceoverBody {
        /// What to say.
        text: required String => "text", text().not_blank().at_most(MOST_CHARACTERS);
        /// An id of GET /ai/voices, or one of its aliases.
        voice: optional String => "voice", text();
        /// Speaking rate; the pitch stays the same.
        speed: default f64 => "speed", number().within(0.5, 2.0), 1.0;
        /// Kind of sound file.
        format: default SoundFormat => "format", one_of(), SoundFormat::Wav;
        /// Makes captions short enough for a portrait picture.
        portrait: default bool => "portrait", flag(), false;
    }
}

/// A text that was spoken.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VoiceoverAnswer {
    id: String,
    /// The sound: use it as the src of a sound overlay.
    #[schema(format = "uri")]
    audio_url: String,
    duration_ms: u64,
    /// The voice's id.
    voice: String,
    words: Vec<Word>,
    captions: Vec<CaptionOfWords>,
    credits_used: f64,
}

pub struct CreateVoiceover;

impl Operation for CreateVoiceover {
    const ID: &'static str = "createVoiceover";
    const ABOUT: &'static str = "Speaks a text and reports when each word is spoken.";
    const RETURNS: &'static str = "The sound, and when each word is spoken";
    const FAILURES: &'static [(ErrorKind, &'static str)] = &[
        (ErrorKind::InsufficientCredits, "Insufficient credits"),
        (ErrorKind::Forbidden, STORAGE_FULL),
        (
            ErrorKind::Unprocessable,
            "The text, voice or speed cannot be used (VALUE_OUT_OF_RANGE, UNKNOWN_VOICE), or there is no speech \
             engine (AI_NOT_AVAILABLE)",
        ),
        (
            ErrorKind::Unavailable,
            "The speech provider is unavailable, or the disk is nearly full (DISK_FULL)",
        ),
    ];

    type Request = VoiceoverBody;
    type Response = VoiceoverAnswer;

    async fn run(call: Call<'_>, request: VoiceoverBody) -> ServiceResult<VoiceoverAnswer> {
        let service = call.service;
        let VoiceoverBody { text, voice, speed, format, portrait } = request;
        if !text.chars().any(char::is_alphanumeric) {
            let message = "`text` has no word to speak: write it in letters or numbers.";
            return Err(ServiceError::unprocessable_field("VALUE_OUT_OF_RANGE", "text", message));
        }
        let voice = service.speech.engines.voice(voice.as_deref());
        let voice = voice.map_err(|error| speech::refused(&error, "voice"))?.id.clone();
        require_room(&service.media.files)?;
        service.store.check_storage(call.account_id()).await?;
        let charge = narration_charge(&text);
        let held = call.hold(charge).await?;
        let characters = text.chars().count() as u64;
        let asked = Narration { text, voice: Some(voice.clone()), speed };
        let spoken = service.speech.narrate(call.account_id(), &asked, format.name()).await;
        let spoken = spoken.map_err(|error| error.at("text"))?;
        let words = speech::words_of(&spoken);
        let answer = VoiceoverAnswer {
            audio_url: service.links.file(&spoken.file),
            id: spoken.id,
            duration_ms: spoken.duration_ms,
            voice,
            captions: group_words(&words, room(portrait)).iter().map(CaptionOfWords::from).collect(),
            words: words.iter().map(Word::from).collect(),
            credits_used: shown(charge),
        };
        let used = [AiUsed { kind: AiUse::TtsCharacters, amount: characters }];
        call.settle(held, charge, &used, &answer).await?;
        Ok(answer)
    }
}
