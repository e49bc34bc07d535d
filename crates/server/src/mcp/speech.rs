//! Tools that speak and listen.

use axum::extract::State;
use serde_json::json;

use super::schema;
use super::tool::{Answer, Call, Effect, Tool};
use crate::api::ai::{self, CaptionsAnswer, VoiceList, VoiceoverAnswer};
use crate::error::ApiResult;
use crate::request::JsonObject;

/// What create_voiceover takes.
const VOICEOVER: [&str; 5] = ["text", "voice", "speed", "format", "portrait"];
/// What create_captions takes.
const CAPTIONS: [&str; 8] =
    ["url", "uploadId", "voiceoverId", "language", "startTime", "endTime", "portrait", "format"];

pub fn tools() -> Vec<Tool> {
    vec![
        Tool {
            name: "list_voices",
            title: "List voices",
            description: "The voices texts can be spoken with, the usual one first, each with its language, gender and other \
                          names it answers to; and the languages recordings can be written down in.",
            effect: Effect::Reads,
            input: schema::arguments(&json!({}), &[]),
            output: schema::of::<VoiceList>(),
            unchecked: Vec::new(),
            run: |call| Box::pin(list_voices(call)),
        },
        Tool {
            name: "create_voiceover",
            title: "Speak a text",
            description: "Speaks a text and tells when each word is spoken. Use audioUrl as the src of a sound overlay and \
                          captions as the captions of a caption overlay. Spends 0.5 credits for every started 1,000 \
                          characters. To narrate a template, rather give its sound variable {\"tts\": {\"text\": …}} when you \
                          render: the film is then made as long as the narration.",
            effect: Effect::Adds,
            input: schema::arguments(
                &json!({
                    "text": {"type": "string", "minLength": 1, "maxLength": 10_000, "description": "What to say"},
                    "voice": {"type": "string", "description": "An id of list_voices, or another name it answers to"},
                    "speed": {"type": "number", "minimum": 0.5, "maximum": 2, "default": 1, "description": "How fast; the pitch stays"},
                    "format": {"type": "string", "enum": ["wav", "mp3"], "default": "wav", "description": "Kind of sound file"},
                    "portrait": {"type": "boolean", "default": false,
                        "description": "Captions short enough for a picture that is higher than wide"}
                }),
                &["text"],
            ),
            output: schema::of::<VoiceoverAnswer>(),
            unchecked: Vec::new(),
            run: |call| Box::pin(create_voiceover(call)),
        },
        Tool {
            name: "create_captions",
            title: "Write down a recording",
            description: "Writes down what is said in a sound or video, with the time of every word, as captions for a caption \
                          overlay. Spends 0.25 credits for every started minute; a voiceover of yours is free. Give exactly \
                          one of url, uploadId and voiceoverId. To caption a template, rather give its caption variable \
                          {\"transcribe\": {\"source\": …}} when you render.",
            effect: Effect::Fetches,
            input: schema::arguments(
                &json!({
                    "url": {"type": "string", "format": "uri", "description": "A sound or video"},
                    "uploadId": {"type": "string", "description": "From create_upload or upload_from_url"},
                    "voiceoverId": {"type": "string", "description": "From create_voiceover"},
                    "language": {"type": "string", "description": "Of list_voices; found out if not given"},
                    "startTime": {"type": "number", "minimum": 0, "description": "Seconds; times are counted from here"},
                    "endTime": {"type": "number", "minimum": 0, "description": "Seconds"},
                    "portrait": {"type": "boolean", "default": false,
                        "description": "Captions short enough for a picture that is higher than wide"},
                    "format": {"type": "string", "enum": ["srt", "vtt"], "description": "Gives the captions as subtitles too"}
                }),
                &[],
            ),
            output: schema::of::<CaptionsAnswer>(),
            unchecked: Vec::new(),
            run: |call| Box::pin(create_captions(call)),
        },
    ]
}

async fn list_voices(call: Call) -> ApiResult<Answer> {
    Answer::of(ai::voices(State(call.app), call.caller).await?.0)
}

async fn create_voiceover(call: Call) -> ApiResult<Answer> {
    let body = JsonObject(call.body(&VOICEOVER));
    Answer::of(ai::voiceover(State(call.app), call.caller, None, body).await?.0)
}

async fn create_captions(call: Call) -> ApiResult<Answer> {
    let body = JsonObject(call.body(&CAPTIONS));
    Answer::of(ai::captions(State(call.app), call.caller, None, body).await?.0)
}
