//! Tools that speak and transcribe.

use rondo_service::operations::speech::{CreateCaptions, CreateVoiceover, ListVoices};

use super::tool::{Effect, Tool};

pub fn tools() -> Vec<Tool> {
    vec![
        Tool::of::<ListVoices>(
            "list_voices",
            "List voices",
            Effect::Reads,
            "The voices that can speak a text, the default first, each with its language, gender and aliases; and the \
             languages that can be transcribed.",
        ),
        Tool::of::<CreateVoiceover>(
            "create_voiceover",
            "Speak a text",
            Effect::Adds,
            "Speaks a text and reports when each word is spoken. Use audioUrl as the src of a sound overlay and captions \
             as the captions of a caption overlay. Costs 0.5 credits for every started 1,000 characters. To narrate a \
             template, give its sound variable {\"tts\": {\"text\": …}} when you render instead: the film is then made \
             as long as the narration.",
        ),
        Tool::of::<CreateCaptions>(
            "create_captions",
            "Transcribe a recording",
            Effect::Fetches,
            "Transcribes a sound or video, with the time of every word, as captions for a caption overlay. Costs 0.25 \
             credits for every started minute; a voiceover of yours is free. Give exactly one of url, uploadId and \
             voiceoverId. To caption a template, give its caption variable {\"transcribe\": {\"source\": …}} when you \
             render instead.",
        ),
    ]
}
