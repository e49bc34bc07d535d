//! ElevenLabs: narration with character timings, and transcription with word timings.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::json;

use super::client::Client;
use super::form::Form;
use super::text::{self, Narration};
use crate::activity::{Activity, RATE};
use crate::align::Aligner;
use crate::resample::at_rate;
use crate::script::ScriptWord;
use crate::stretch::faster;
use crate::{Error, Gender, Narrate, Sound, Spoken, Transcribe, Transcript, Voice, Word, wav};

const SPEECH_MODEL: &str = "eleven_multilingual_v2";
const TRANSCRIPTION_MODEL: &str = "scribe_v1";
/// The range of speeds that the API supports.
const SPEEDS: (f64, f64) = (0.7, 1.2);
const LONGEST_UPLOAD_SECONDS: usize = 3_600;

/// Voices: name, ElevenLabs' id and gender.
const VOICES: [(&str, &str, Gender); 9] = [
    ("rachel", "21m00Tcm4TlvDq8ikWAM", Gender::Female),
    ("adam", "pNInz6obpgDQGcFmaJgB", Gender::Male),
    ("antoni", "ErXwobaYiN019PkySvjV", Gender::Male),
    ("arnold", "VR6AewLTigWG4xSOukaG", Gender::Male),
    ("bella", "EXAVITQu4vr4xnSDxMaL", Gender::Female),
    ("domi", "AZnzlk1XvdvUeBnXmlld", Gender::Female),
    ("elli", "MF3mGyEYCl7XYWbV9V6O", Gender::Female),
    ("josh", "TxGEqnHWrfWFTfGW9XjX", Gender::Male),
    ("sam", "yoZ06aMxZJ20TrNDVSSC", Gender::Male),
];

/// Supported languages: our code and ElevenLabs' code.
const LANGUAGES: [(&str, &str); 40] = [
    ("en", "eng"),
    ("ar", "ara"),
    ("bg", "bul"),
    ("bn", "ben"),
    ("ca", "cat"),
    ("cs", "ces"),
    ("da", "dan"),
    ("de", "deu"),
    ("el", "ell"),
    ("es", "spa"),
    ("et", "est"),
    ("fa", "fas"),
    ("fi", "fin"),
    ("fr", "fra"),
    ("he", "heb"),
    ("hi", "hin"),
    ("hr", "hrv"),
    ("hu", "hun"),
    ("id", "ind"),
    ("it", "ita"),
    ("ja", "jpn"),
    ("ko", "kor"),
    ("lt", "lit"),
    ("lv", "lav"),
    ("ms", "msa"),
    ("nl", "nld"),
    ("no", "nor"),
    ("pl", "pol"),
    ("pt", "por"),
    ("ro", "ron"),
    ("ru", "rus"),
    ("sk", "slk"),
    ("sl", "slv"),
    ("sv", "swe"),
    ("ta", "tam"),
    ("th", "tha"),
    ("tr", "tur"),
    ("uk", "ukr"),
    ("vi", "vie"),
    ("zh", "zho"),
];

fn authorization(client: &Client) -> (String, String) {
    ("xi-api-key".to_owned(), client.key().to_owned())
}

pub struct Narrator {
    pub client: Client,
    pub aligner: Arc<Aligner>,
}

#[derive(Deserialize)]
struct Narrated {
    audio_base64: String,
    #[serde(default)]
    alignment: Option<Characters>,
}

/// The characters of the text with their timings in seconds.
#[derive(Deserialize)]
struct Characters {
    characters: Vec<String>,
    character_start_times_seconds: Vec<f64>,
    character_end_times_seconds: Vec<f64>,
}

impl Narrate for Narrator {
    fn voices(&self) -> Vec<Voice> {
        let voice = |(id, theirs, gender): (&str, &str, Gender)| Voice {
            id: id.to_owned(),
            name: id[..1].to_ascii_uppercase() + &id[1..],
            language: "en-US".to_owned(),
            gender,
            engine: "elevenlabs",
            aliases: vec![theirs.to_owned()],
        };
        VOICES.into_iter().map(voice).collect()
    }

    fn narrate(&self, text: &str, voice: &Voice, speed: f64) -> Result<Spoken, Error> {
        let row = VOICES.iter().find(|row| row.0 == voice.id);
        let theirs = row.ok_or_else(|| self.client.error(&format!("has no voice {}", voice.id)))?.1;
        let own_speed = speed.clamp(SPEEDS.0, SPEEDS.1);
        let words = text::words(text)?;
        let mut narration = Narration::new();
        for (range, pause_ms) in text::requests(&words) {
            let (sound, mut times) = self.ask(&words[range], theirs, own_speed)?;
            let rest = speed / own_speed;
            for word in &mut times {
                word.start_ms /= rest;
                word.end_ms /= rest;
            }
            narration.add(&faster(&sound, rest), times, pause_ms);
        }
        narration.finish()
    }
}

impl Narrator {
    fn ask(&self, words: &[ScriptWord], voice: &str, speed: f64) -> Result<(Sound, Vec<Word>), Error> {
        let line = text::line(words);
        let body = json!({
            "text": line,
            "model_id": self.client.model(SPEECH_MODEL),
            "voice_settings": { "speed": speed },
        });
        let headers =
            vec![authorization(&self.client), ("Content-Type".to_owned(), "application/json".to_owned())];
        let path = format!("/v1/text-to-speech/{voice}/with-timestamps?output_format=pcm_{RATE}");
        let answer =
            self.client.post(&path, headers, body.to_string().into_bytes(), line.chars().count() as u64)?;
        let no_sound = |reason: String| self.client.error(&format!("sent no audio: {reason}"));
        let narrated: Narrated =
            serde_json::from_slice(&answer.body).map_err(|error| no_sound(error.to_string()))?;
        let bytes = STANDARD.decode(&narrated.audio_base64).map_err(|error| no_sound(error.to_string()))?;
        // 16-bit PCM, unless a proxy wrapped it in a WAV file.
        let sound = if bytes.starts_with(b"RIFF") {
            wav::read(&bytes).map_err(no_sound)?
        } else {
            let samples =
                bytes.chunks_exact(2).map(|two| f32::from(i16::from_le_bytes([two[0], two[1]])) / 32768.0);
            Sound { samples: samples.collect(), rate: RATE }
        };
        let times = match narrated.alignment.and_then(|characters| characters.words(words)) {
            Some(times) => times,
            None => text::aligned(&self.aligner, &sound, words.iter().map(|word| word.text.clone()))?,
        };
        Ok((sound, times))
    }
}

impl Characters {
    /// The timings of words from those of their characters. `None` if the characters differ from the words.
    fn words(&self, words: &[ScriptWord]) -> Option<Vec<Word>> {
        let times = self.character_start_times_seconds.iter().zip(&self.character_end_times_seconds);
        let mut timed = Vec::new();
        let mut text = String::new();
        let mut span = (0.0, 0.0);
        for (character, (start, end)) in
            self.characters.iter().map(String::as_str).zip(times).chain([(" ", (&0.0, &0.0))])
        {
            if !character.trim().is_empty() {
                span = (if text.is_empty() { *start } else { span.0 }, *end);
                text.push_str(character);
            } else if !text.is_empty() {
                let text = std::mem::take(&mut text);
                timed.push(Word {
                    text,
                    start_ms: span.0 * 1000.0,
                    end_ms: span.1 * 1000.0,
                    confidence: 1.0,
                });
            }
        }
        let same = timed.len() == words.len()
            && timed.iter().zip(words).all(|(timed, word)| timed.text == word.text);
        same.then_some(timed)
    }
}

pub struct Transcriber {
    pub client: Client,
    pub aligner: Arc<Aligner>,
}

#[derive(Deserialize)]
struct TranscriptResponse {
    #[serde(default)]
    text: String,
    #[serde(default)]
    language_code: Option<String>,
    #[serde(default)]
    words: Vec<TimedWord>,
}

#[derive(Deserialize)]
struct TimedWord {
    text: String,
    #[serde(default)]
    start: Option<f64>,
    #[serde(default)]
    end: Option<f64>,
    #[serde(rename = "type", default)]
    kind: String,
    #[serde(default)]
    logprob: f64,
}

impl Transcribe for Transcriber {
    fn languages(&self) -> Vec<String> {
        LANGUAGES.iter().map(|(code, _)| (*code).to_owned()).collect()
    }

    fn transcribe(&self, sound: &Sound, language: Option<&str>) -> Result<Transcript, Error> {
        let samples = at_rate(sound, RATE)?;
        let mut result = Transcript { words: Vec::new(), language: language.unwrap_or("en").to_owned() };
        for (index, upload) in Activity::of(&samples)
            .runs(LONGEST_UPLOAD_SECONDS, LONGEST_UPLOAD_SECONDS)
            .into_iter()
            .enumerate()
        {
            let from_ms = upload.start as f64 * 1000.0 / f64::from(RATE);
            let part = Sound { samples: samples[upload].to_vec(), rate: RATE };
            let transcript = self.ask(&part, language)?;
            let reported = transcript.language_code.as_deref();
            let known = LANGUAGES.iter().find(|(ours, theirs)| {
                reported.is_some_and(|reported| reported == *ours || reported == *theirs)
            });
            if let (None, 0, Some((code, _))) = (language, index, known) {
                result.language = (*code).to_owned();
            }
            for mut word in self.words(transcript, &part)? {
                word.start_ms += from_ms;
                word.end_ms += from_ms;
                result.words.push(word);
            }
        }
        Ok(result)
    }
}

impl Transcriber {
    fn ask(&self, sound: &Sound, language: Option<&str>) -> Result<TranscriptResponse, Error> {
        let mut form = Form::new()
            .file("file", "sound.wav", "audio/wav", wav::write(&sound.samples, sound.rate))
            .field("model_id", self.client.model(TRANSCRIPTION_MODEL))
            .field("timestamps_granularity", "word")
            .field("tag_audio_events", "false");
        if let Some(language) = language {
            form = form.field("language_code", language);
        }
        let (kind, body) = form.finish();
        let headers = vec![authorization(&self.client), ("Content-Type".to_owned(), kind)];
        let cost = (sound.duration_ms() / 1000.0).ceil() as u64;
        let answer = self.client.post("/v1/speech-to-text", headers, body, cost)?;
        serde_json::from_slice(&answer.body)
            .map_err(|error| self.client.error(&format!("sent no transcript: {error}")))
    }

    fn words(&self, transcript: TranscriptResponse, sound: &Sound) -> Result<Vec<Word>, Error> {
        let length = sound.duration_ms();
        let said =
            |word: &&TimedWord| (word.kind.is_empty() || word.kind == "word") && !word.text.trim().is_empty();
        let timed: Vec<&TimedWord> = transcript.words.iter().filter(said).collect();
        if timed.is_empty() || timed.iter().any(|word| word.start.is_none() || word.end.is_none()) {
            return text::aligned(
                &self.aligner,
                sound,
                transcript.text.split_whitespace().map(str::to_owned),
            );
        }
        let mut before: f64 = 0.0;
        let words = timed.into_iter().map(|word| {
            let start_ms = (word.start.unwrap_or_default() * 1000.0).clamp(before, length);
            let end_ms = (word.end.unwrap_or_default() * 1000.0).clamp(start_ms, length);
            before = end_ms;
            Word {
                text: word.text.trim().to_owned(),
                start_ms,
                end_ms,
                confidence: word.logprob.exp().clamp(0.0, 1.0),
            }
        });
        Ok(words.collect())
    }
}
