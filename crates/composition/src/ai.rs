//! Replacement values that ask for speech to be generated or transcribed: recognised and checked here, carried out
//! elsewhere.

use rondo_fields::{Object, ProblemKind, Reader, Record, number, object, record, text};
use serde_json::Value;

use crate::composition::Composition;
use crate::limits::MOST_AI_VALUES;
use crate::overlay::AiKind;

#[derive(Debug, Clone, PartialEq)]
pub struct AiReplacement {
    /// The variable addressed.
    pub name: String,
    pub value: AiValue,
}

#[derive(Debug, Clone, PartialEq)]
pub enum AiValue {
    Narration(Narration),
    Transcription(Transcription),
}

record! {
    /// Speech to generate, as the value of a sound variable.
    pub struct NarrationValue {
        /// The text and the voice.
        tts: required Narration => "tts", object();
    }
}

record! {
    /// Speech to transcribe, as the value of a caption variable.
    pub struct TranscriptionValue {
        /// What to listen to.
        transcribe: required Transcription => "transcribe", object();
    }
}

record! {
    /// Text to be spoken for a sound variable: the value of `tts`.
    pub struct Narration {
        /// The text.
        text: required String => "text", text().at_most(10_000);
        /// Name of the voice.
        voice: optional String => "voice", text();
        /// Speed of the voice.
        speed: default f64 => "speed", number().within(0.5, 2.0), 1.0;
    }
}

record! {
    /// Speech to be turned into captions: the value of `transcribe`. Exactly one of `source` and `url` is given.
    pub struct Transcription {
        /// Name of a sound or video overlay.
        source: optional String => "source", text();
        /// Address of a sound or video.
        url: optional String => "url", text();
        /// Language spoken. Default: detected.
        language: optional String => "language", text();
        /// Start of the part to transcribe, in seconds into the source.
        start_time: optional f64 => "startTime", number().within(0.0, 1e6);
        /// End of the part to transcribe, in seconds into the source.
        end_time: optional f64 => "endTime", number().within(0.0, 1e6);
    }
}

impl Composition {
    /// Reads an AI value for the overlays at `targets`.
    pub(crate) fn read_ai(
        &self,
        kind: AiKind,
        value: &Value,
        targets: &[usize],
        reader: &mut Reader,
    ) -> Option<AiValue> {
        let (key, wanted) = kind.names();
        let mut overlays = targets.iter().map(|index| &self.overlays[*index]);
        if let Some(other) = overlays.find(|overlay| overlay.kind.ai_value() != Some(kind)) {
            let found = other.type_name();
            reader.note(
                ProblemKind::AiValueNotAllowed,
                Some(format!("a {key} value")),
                format!("the variable is a {found} overlay, and only {wanted} variables take {key}"),
            );
            return None;
        }
        let mut fields = Object::open(value, reader)?;
        match kind {
            AiKind::Tts => {
                let narration = NarrationValue::read_fields(&mut fields, reader)?.tts;
                if !narration.text.chars().any(char::is_alphanumeric) {
                    let empty = Value::String(narration.text);
                    return reader.at_key("tts", |reader| {
                        reader.at_key("text", |reader| {
                            reader.refuse(ProblemKind::OutOfRange, &empty, "at least one word to speak")
                        })
                    });
                }
                Some(AiValue::Narration(narration))
            }
            AiKind::Transcribe => {
                let transcription = TranscriptionValue::read_fields(&mut fields, reader)?.transcribe;
                reader
                    .at_key(key, |reader| self.check_transcription(&transcription, reader))
                    .map(|()| AiValue::Transcription(transcription))
            }
        }
    }

    fn check_transcription(&self, transcription: &Transcription, reader: &mut Reader) -> Option<()> {
        let Transcription { source, url, start_time, end_time, .. } = transcription;
        match (source, url) {
            (Some(_), Some(_)) => {
                reader.note(
                    ProblemKind::WrongType,
                    Some("both".to_owned()),
                    "an object with exactly one of source and url".to_owned(),
                );
                return None;
            }
            (None, None) => {
                reader.at_key("source", |reader| {
                    reader.missing::<()>("the name of a sound or video overlay, or a url")
                });
                return None;
            }
            (Some(source), None) => {
                if !self.overlays.iter().any(|overlay| overlay.is_audible_as(source)) {
                    return reader.at_key("source", |reader| {
                        let value = Value::String(source.clone());
                        reader.refuse(
                            ProblemKind::AiSourceNotFound,
                            &value,
                            "the name of a sound or video overlay of this film",
                        )
                    });
                }
            }
            (None, Some(_)) => {}
        }
        if let (Some(start), Some(end)) = (start_time, end_time)
            && end <= start
        {
            return reader.at_key("endTime", |reader| {
                reader.refuse(
                    ProblemKind::OutOfRange,
                    &Value::from(*end),
                    format!("later than startTime ({start})"),
                )
            });
        }
        Some(())
    }
}

pub(crate) fn ai_kind(value: &Value) -> Option<AiKind> {
    let fields = value.as_object()?;
    if fields.contains_key("tts") {
        Some(AiKind::Tts)
    } else if fields.contains_key("transcribe") {
        Some(AiKind::Transcribe)
    } else {
        None
    }
}

pub(crate) fn check_ai_count(ai: &[AiReplacement], reader: &mut Reader) {
    let narrations = ai.iter().filter(|ai| matches!(ai.value, AiValue::Narration(_))).count();
    for (count, name) in [(narrations, "tts"), (ai.len() - narrations, "transcribe")] {
        if count > MOST_AI_VALUES {
            reader.note(
                ProblemKind::AiLimitExceeded,
                Some(format!("{count}")),
                format!("a set with at most {MOST_AI_VALUES} {name} values"),
            );
        }
    }
}
