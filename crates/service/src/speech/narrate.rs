//! Narrations: made once for the same words, voice and speed, kept as a file, and noted for each account that asks.

use std::path::PathBuf;
use std::sync::Arc;

use rondo_composition::{CaptionWord, Narration};
use rondo_media::{Container, MediaError, SoundCodec, convert_sound, write_wav};
use rondo_speech::{Speech, Spoken, Voice, Word};
use rondo_store::{Draft, NewVoiceover, Voiceover};
use serde_json::{Value, json};

use super::{SpeechError, SpeechService};
use crate::blocking::long;
use crate::signature::sign_hex;

/// Letters of a signature that make the name of a file.
const NAME_LETTERS: usize = 40;

impl SpeechService {
    /// Speaks a text for an account, or finds what was spoken before. `format` is `wav` or `mp3`.
    pub async fn narrate(
        &self,
        account_id: &str,
        asked: &Narration,
        format: &'static str,
    ) -> Result<Voiceover, SpeechError> {
        let voice = self.engines.voice(asked.voice.as_deref())?.clone();
        // The name is signed, so that the URL cannot be derived from the text.
        let content = json!([voice.engine, voice.id, asked.speed, asked.text]).to_string();
        let signature = sign_hex(self.signing_key.as_bytes(), &[b"voiceover", content.as_bytes()]);
        let file = format!("voi_{}.{format}", &signature[..NAME_LETTERS]);
        let path = self.media.files.voiceover(&file)?;
        let known = self.store.voiceovers_in(&file).await?.into_iter().next();
        let new = match known.filter(|_| path.is_file()) {
            Some(Voiceover { language, duration_ms, words, .. }) => {
                NewVoiceover { file, language, duration_ms, words }
            }
            None => {
                let language = super::primary(&voice.language);
                let work = Work {
                    speech: self.engines.clone(),
                    text: asked.text.clone(),
                    voice,
                    speed: asked.speed,
                    drafts: [self.media.files.draft(), self.media.files.draft()],
                    path,
                    format,
                };
                let (duration_ms, words) = long(move || work.run())
                    .await
                    .map_err(|_| SpeechError::Transient("The speech engine failed.".to_owned()))??;
                NewVoiceover { file, language, duration_ms, words }
            }
        };
        Ok(self.store.keep_voiceover(account_id, &new).await?)
    }
}

struct Work {
    speech: Arc<Speech>,
    text: String,
    voice: Voice,
    speed: f64,
    drafts: [Draft; 2],
    path: PathBuf,
    format: &'static str,
}

impl Work {
    fn run(self) -> Result<(u64, Value), SpeechError> {
        let Spoken { sound, words } = self.speech.narrate(&self.text, &self.voice, self.speed)?;
        let [plain, packed] = self.drafts;
        // The reason without the path of this machine.
        let unwritable = |error: MediaError| {
            tracing::error!(%error, "failed to write a narration");
            let reason = match error {
                MediaError::Unwritable { reason, .. } => format!(": {reason}"),
                _ => String::new(),
            };
            SpeechError::Transient(format!("Failed to write the narration{reason}."))
        };
        write_wav(plain.path(), &sound.samples, sound.rate).map_err(unwritable)?;
        if self.format == "mp3" {
            convert_sound(plain.path(), packed.path(), Container::Mp3, SoundCodec::Mp3)
                .map_err(unwritable)?;
            packed.keep(&self.path)?;
        } else {
            plain.keep(&self.path)?;
        }
        let words: Vec<Value> = words.iter().map(word_to_json).collect();
        Ok((sound.duration_ms().ceil() as u64, Value::Array(words)))
    }
}

fn word_to_json(word: &Word) -> Value {
    json!([word.text, word.start_ms.round(), word.end_ms.round(), word.confidence])
}

/// The words of a narration, with their times in it.
pub fn words_of(voiceover: &Voiceover) -> Vec<CaptionWord> {
    let read = |word: &Value| {
        Some(CaptionWord {
            word: word.get(0)?.as_str()?.to_owned(),
            start_ms: word.get(1)?.as_f64()?,
            end_ms: word.get(2)?.as_f64()?,
            confidence: word.get(3)?.as_f64()?,
        })
    };
    voiceover.words.as_array().into_iter().flatten().filter_map(read).collect()
}
