//! Narrations: made once for the same words, voice and speed, kept as a file, and noted for each account that asks.

use std::fmt::Display;
use std::path::PathBuf;

use rondo_composition::{CaptionWord, Narration};
use rondo_jobs::{EncodeSoundJob, Job};
use rondo_speech::{Spoken, Voice, Word};
use rondo_store::{NewVoiceover, StoreError, Voiceover};
use serde_json::{Value, json};

use super::confined::temporary_file;
use super::{SpeechError, SpeechService};
use crate::blocking::long;
use crate::signature::sign_hex;

/// Letters of a signature that make the name of a file.
const NAME_LETTERS: usize = 40;
/// Processor time for encoding a narration, in seconds.
const ENCODING_CPU: u64 = 300;

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
        let known = self.store.voiceovers_in(&file).await?.into_iter().next();
        let there = match known {
            Some(known) => self.media.files.size(&file).await?.map(|size| (known, size)),
            None => None,
        };
        let (language, duration_ms, words, size) = match there {
            Some((Voiceover { language, duration_ms, words, .. }, size)) => {
                (language, duration_ms, words, size)
            }
            None => {
                let language = super::primary(&voice.language);
                let (duration_ms, words, size) = self.speak(account_id, asked, voice, &file, format).await?;
                (language, duration_ms, words, size)
            }
        };
        let new = NewVoiceover { file, language, text: asked.text.clone(), duration_ms, size, words };
        Ok(self.store.keep_voiceover(account_id, &new).await?)
    }

    /// Forgets a narration of an account. The last account that has the sound takes the file along.
    pub async fn forget(&self, voiceover_id: &str, file: &str) -> Result<(), StoreError> {
        if self.store.voiceovers_in(file).await?.len() <= 1 {
            self.media.files.remove(file).await?;
        }
        self.store.forget_voiceover(voiceover_id).await
    }

    /// Speaks a text and writes the file. Returns its length, its words and its bytes.
    async fn speak(
        &self,
        account_id: &str,
        asked: &Narration,
        voice: Voice,
        file: &str,
        format: &str,
    ) -> Result<(u64, Value, u64), SpeechError> {
        let (speech, text, speed) = (self.engines.clone(), asked.text.clone(), asked.speed);
        let spoken = long(account_id, move || speech.narrate(&text, &voice, speed)).await;
        let Spoken { sound, words } = spoken.map_err(|error| SpeechError::Transient(error.message))??;
        let unwritable =
            |error: &dyn Display| SpeechError::Transient(format!("Failed to write the narration: {error}."));
        let bytes: Vec<u8> = sound.samples.iter().flat_map(|sample| sample.to_le_bytes()).collect();
        let samples = temporary_file(&self.media.files.drafts(), &bytes)
            .map_err(|error| SpeechError::Transient(error.to_string()))?;
        let name = PathBuf::from("samples");
        let job = EncodeSoundJob { samples: name.clone(), rate: sound.rate, mp3: format == "mp3" };
        let done = self.run(account_id, Job::EncodeSound(job), vec![(name, samples)], ENCODING_CPU).await;
        let done = done.map_err(|error| unwritable(&error))?;
        let draft = self.media.files.draft();
        done.take_file(EncodeSoundJob::FILE, draft.path()).map_err(|error| unwritable(&error))?;
        let size = self.media.files.keep(&draft, file).await?;
        let words: Vec<Value> = words.iter().map(word_to_json).collect();
        Ok((sound.duration_ms().ceil() as u64, Value::Array(words), size))
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
