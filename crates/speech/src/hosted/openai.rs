//! OpenAI and compatible servers: `/v1/audio/speech` and `/v1/audio/transcriptions`.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::json;

use super::client::Client;
use super::form::Form;
use super::text::{self, Narration};
use crate::activity::{Activity, RATE};
use crate::align::Aligner;
use crate::resample::at_rate;
use crate::{Error, Gender, Narrate, Sound, Spoken, Transcribe, Transcript, Voice, Word, wav};

const SPEECH_MODEL: &str = "tts-1";
const TRANSCRIPTION_MODEL: &str = "whisper-1";
/// Uploads are limited to 25 MB; ten minutes take 19 MB.
const LONGEST_UPLOAD_SECONDS: usize = 600;

const VOICES: [(&str, Gender); 11] = [
    ("alloy", Gender::Neutral),
    ("ash", Gender::Male),
    ("ballad", Gender::Male),
    ("coral", Gender::Female),
    ("echo", Gender::Male),
    ("fable", Gender::Male),
    ("nova", Gender::Female),
    ("onyx", Gender::Male),
    ("sage", Gender::Female),
    ("shimmer", Gender::Female),
    ("verse", Gender::Male),
];

/// Supported languages: code, and the name in responses.
const LANGUAGES: [(&str, &str); 57] = [
    ("af", "afrikaans"),
    ("ar", "arabic"),
    ("hy", "armenian"),
    ("az", "azerbaijani"),
    ("be", "belarusian"),
    ("bs", "bosnian"),
    ("bg", "bulgarian"),
    ("ca", "catalan"),
    ("zh", "chinese"),
    ("hr", "croatian"),
    ("cs", "czech"),
    ("da", "danish"),
    ("nl", "dutch"),
    ("en", "english"),
    ("et", "estonian"),
    ("fi", "finnish"),
    ("fr", "french"),
    ("gl", "galician"),
    ("de", "german"),
    ("el", "greek"),
    ("he", "hebrew"),
    ("hi", "hindi"),
    ("hu", "hungarian"),
    ("is", "icelandic"),
    ("id", "indonesian"),
    ("it", "italian"),
    ("ja", "japanese"),
    ("kn", "kannada"),
    ("kk", "kazakh"),
    ("ko", "korean"),
    ("lv", "latvian"),
    ("lt", "lithuanian"),
    ("mk", "macedonian"),
    ("ms", "malay"),
    ("mr", "marathi"),
    ("mi", "maori"),
    ("ne", "nepali"),
    ("no", "norwegian"),
    ("fa", "persian"),
    ("pl", "polish"),
    ("pt", "portuguese"),
    ("ro", "romanian"),
    ("ru", "russian"),
    ("sr", "serbian"),
    ("sk", "slovak"),
    ("sl", "slovenian"),
    ("es", "spanish"),
    ("sw", "swahili"),
    ("sv", "swedish"),
    ("tl", "tagalog"),
    ("ta", "tamil"),
    ("th", "thai"),
    ("tr", "turkish"),
    ("uk", "ukrainian"),
    ("ur", "urdu"),
    ("vi", "vietnamese"),
    ("cy", "welsh"),
];

fn authorization(client: &Client) -> (String, String) {
    ("Authorization".to_owned(), format!("Bearer {}", client.key()))
}

pub struct Narrator {
    pub client: Client,
    pub aligner: Arc<Aligner>,
}

impl Narrate for Narrator {
    fn voices(&self) -> Vec<Voice> {
        let voice = |(id, gender): (&str, Gender)| Voice {
            id: id.to_owned(),
            name: id[..1].to_ascii_uppercase() + &id[1..],
            language: "en-US".to_owned(),
            gender,
            engine: "openai",
            aliases: Vec::new(),
        };
        VOICES.into_iter().map(voice).collect()
    }

    fn narrate(&self, text: &str, voice: &Voice, speed: f64) -> Result<Spoken, Error> {
        let words = text::words(text)?;
        let mut narration = Narration::new();
        for (range, pause_ms) in text::requests(&words) {
            let words = &words[range];
            let input = text::line(words);
            let cost = input.chars().count() as u64;
            let body = json!({
                "model": self.client.model(SPEECH_MODEL),
                "input": input,
                "voice": voice.id,
                "response_format": "wav",
                "speed": speed,
            });
            let headers =
                vec![authorization(&self.client), ("Content-Type".to_owned(), "application/json".to_owned())];
            let answer =
                self.client.post("/v1/audio/speech", headers, body.to_string().into_bytes(), cost)?;
            let sound = wav::read(&answer.body)
                .map_err(|reason| self.client.error(&format!("sent no audio: {reason}")))?;
            let times = text::aligned(&self.aligner, &sound, words.iter().map(|word| word.text.clone()))?;
            narration.add(&sound, times, pause_ms);
        }
        narration.finish()
    }
}

pub struct Transcriber {
    pub client: Client,
    pub aligner: Arc<Aligner>,
}

/// A response in the format `verbose_json`.
#[derive(Deserialize)]
struct TranscriptResponse {
    #[serde(default)]
    text: String,
    #[serde(default)]
    language: Option<String>,
    #[serde(default)]
    words: Option<Vec<TimedWord>>,
    #[serde(default)]
    segments: Option<Vec<Segment>>,
}

#[derive(Deserialize)]
struct TimedWord {
    word: String,
    start: f64,
    end: f64,
}

#[derive(Deserialize)]
struct Segment {
    start: f64,
    end: f64,
    #[serde(default)]
    avg_logprob: f64,
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
            let reported = transcript.language.as_deref().map(str::to_lowercase);
            let known = reported.and_then(|reported| {
                LANGUAGES.iter().find(|(code, name)| reported == *code || reported == *name)
            });
            if let (None, 0, Some((code, _))) = (language, index, known) {
                result.language = (*code).to_owned();
            }
            let words = self.words(transcript, &part)?;
            result.words.extend(words.into_iter().map(|mut word| {
                word.start_ms += from_ms;
                word.end_ms += from_ms;
                word
            }));
        }
        Ok(result)
    }
}

impl Transcriber {
    fn ask(&self, sound: &Sound, language: Option<&str>) -> Result<TranscriptResponse, Error> {
        let mut form = Form::new()
            .file("file", "sound.wav", "audio/wav", wav::write(&sound.samples, sound.rate))
            .field("model", self.client.model(TRANSCRIPTION_MODEL))
            .field("response_format", "verbose_json")
            .field("timestamp_granularities[]", "word")
            .field("timestamp_granularities[]", "segment");
        if let Some(language) = language {
            form = form.field("language", language);
        }
        let (kind, body) = form.finish();
        let headers = vec![authorization(&self.client), ("Content-Type".to_owned(), kind)];
        let cost = (sound.duration_ms() / 1000.0).ceil() as u64;
        let answer = self.client.post("/v1/audio/transcriptions", headers, body, cost)?;
        serde_json::from_slice(&answer.body)
            .map_err(|error| self.client.error(&format!("sent no transcript: {error}")))
    }

    fn words(&self, transcript: TranscriptResponse, sound: &Sound) -> Result<Vec<Word>, Error> {
        let length = sound.duration_ms();
        let written: Vec<String> = transcript.text.split_whitespace().map(str::to_owned).collect();
        let timed = transcript.words.unwrap_or_default();
        if timed.is_empty() {
            return text::aligned(&self.aligner, sound, written.into_iter());
        }
        // The words of the list have no punctuation; those of the text do.
        let texts = if written.len() == timed.len() {
            written
        } else {
            timed.iter().map(|word| word.word.trim().to_owned()).collect()
        };
        let segments = transcript.segments.unwrap_or_default();
        let sure = |word: &TimedWord| {
            let segment = segments.iter().find(|segment| (segment.start..=segment.end).contains(&word.start));
            segment.map_or(1.0, |segment| segment.avg_logprob.exp().clamp(0.0, 1.0))
        };
        let mut before: f64 = 0.0;
        let words = timed.iter().zip(texts).map(|(word, text)| {
            let start_ms = (word.start * 1000.0).clamp(before.min(length), length);
            let end_ms = (word.end * 1000.0).clamp(start_ms, length);
            before = end_ms;
            Word { text, start_ms, end_ms, confidence: sure(word) }
        });
        Ok(words.filter(|word| !word.text.is_empty()).collect())
    }
}
