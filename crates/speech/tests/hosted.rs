//! Hosted providers, simulated by an exchange that records requests and returns prepared responses.
#![allow(clippy::unwrap_used, reason = "a failed step ends the test")]

mod support;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rondo_speech::{
    Confined, Error, Exchange, Hosted, Provider, Request, Response, Settings, Sound, Span, Speech, Spoken,
    Voice,
};
use serde_json::{Value, json};
use support::offline;

const KEY: &str = "sk-very-secret";

/// An exchange with prepared responses, in order.
#[derive(Default)]
struct Played {
    answers: Mutex<VecDeque<Result<Response, String>>>,
    asked: Mutex<Vec<Request>>,
}

impl Exchange for Played {
    fn send(&self, request: Request) -> Result<Response, String> {
        self.asked.lock().unwrap().push(request);
        self.answers.lock().unwrap().pop_front().expect("one request too many")
    }
}

impl Played {
    fn asked(&self) -> Vec<Request> {
        self.asked.lock().unwrap().clone()
    }
}

fn answer(status: u16, body: impl Into<Vec<u8>>) -> Result<Response, String> {
    Ok(Response { status, headers: vec![("Retry-After".to_owned(), "0".to_owned())], body: body.into() })
}

fn account(provider: Provider) -> Hosted {
    Hosted {
        provider,
        base_url: "https://speech.example/v1/".to_owned(),
        key: KEY.to_owned(),
        model: None,
        timeout: Duration::from_secs(30),
        most_a_day: None,
    }
}

fn opened(provider: Provider, answers: Vec<Result<Response, String>>) -> (Speech, Arc<Played>) {
    opened_with(account(provider), answers)
}

fn opened_with(account: Hosted, answers: Vec<Result<Response, String>>) -> (Speech, Arc<Played>) {
    let played = Arc::new(Played { answers: Mutex::new(answers.into()), ..Played::default() });
    let settings =
        Settings { narrator: Some(account.clone()), transcriber: Some(account), ..Settings::default() };
    (Speech::open(settings, Some(Arc::clone(&played) as Arc<dyn Exchange>)), played)
}

fn header<'a>(request: &'a Request, name: &str) -> &'a str {
    request
        .headers
        .iter()
        .find(|(key, _)| key.eq_ignore_ascii_case(name))
        .map(|(_, value)| value.as_str())
        .unwrap()
}

/// The narration of a local voice, used as a provider's audio.
fn said(text: &str) -> Spoken {
    let speech = offline();
    speech.narrate(text, speech.voice(Some("aria")).unwrap(), 1.0).unwrap()
}

fn pcm(sound: &Sound) -> Vec<u8> {
    sound.samples.iter().flat_map(|sample| ((sample * 32767.0) as i16).to_le_bytes()).collect()
}

/// A streamed WAV file, with unknown lengths.
fn streamed_wav(sound: &Sound) -> Vec<u8> {
    let mut file = b"RIFF\xff\xff\xff\xffWAVEfmt \x10\0\0\0\x01\0\x01\0".to_vec();
    file.extend(sound.rate.to_le_bytes());
    file.extend((sound.rate * 2).to_le_bytes());
    file.extend(b"\x02\0\x10\0data\xff\xff\xff\xff");
    file.extend(pcm(sound));
    file
}

fn a_second() -> Sound {
    let sample = |n: u32| (n as f32 * 0.3).sin() * if n % 4_000 < 2_000 { 0.4 } else { 0.01 };
    Sound { samples: (0..16_000).map(sample).collect(), rate: 16_000 }
}

#[test]
fn openai_narration_is_aligned() {
    let own = said("The quick brown fox, really.");
    let (speech, played) = opened(Provider::OpenAi, vec![answer(200, streamed_wav(&own.sound))]);
    let voice = speech.voice(Some("Nova")).unwrap();
    assert_eq!((voice.engine, voice.id.as_str()), ("openai", "nova"));
    let spoken = speech.narrate("The <b>quick</b> brown fox, really. 🎉", voice, 1.25).unwrap();

    let asked = played.asked();
    assert_eq!((asked[0].method, asked[0].url.as_str()), ("POST", "https://speech.example/v1/audio/speech"));
    assert_eq!(header(&asked[0], "Authorization"), format!("Bearer {KEY}"));
    assert_eq!(asked[0].timeout, Duration::from_secs(30));
    let body: Value = serde_json::from_slice(&asked[0].body).unwrap();
    let expected = json!({ "model": "tts-1", "input": "The quick brown fox, really.", "voice": "nova", "response_format": "wav", "speed": 1.25 });
    assert_eq!(body, expected);

    assert_eq!(
        spoken.words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>(),
        ["The", "quick", "brown", "fox,", "really."]
    );
    for (word, truth) in spoken.words.iter().zip(&own.words) {
        assert!((word.start_ms - truth.start_ms).abs() < 80.0, "{word:?} and {truth:?}");
    }
}

#[test]
fn long_texts_are_split_into_requests() {
    let own = said("Yes.");
    let (speech, played) =
        opened(Provider::OpenAi, (0..3).map(|_| answer(200, streamed_wav(&own.sound))).collect());
    let text = "This sentence has exactly ten words in it, I think. ".repeat(190);
    let spoken = speech.narrate(text.trim(), speech.voice(None).unwrap(), 1.0).unwrap();
    let asked = played.asked();
    assert_eq!(asked.len(), 3);
    let inputs: Vec<String> = asked
        .iter()
        .map(|request| {
            serde_json::from_slice::<Value>(&request.body).unwrap()["input"].as_str().unwrap().to_owned()
        })
        .collect();
    assert!(inputs.iter().all(|input| input.chars().count() <= 4_000 && input.ends_with("think.")));
    assert_eq!(inputs.join(" "), text.trim());
    assert_eq!(spoken.words.len(), 1_900);
    assert!(spoken.words.windows(2).all(|pair| pair[0].end_ms <= pair[1].start_ms + 0.001));
    assert!(spoken.sound.duration_ms() > own.sound.duration_ms() * 2.5);
}

#[test]
fn openai_transcripts_have_word_timings_and_punctuation() {
    let transcript = json!({
        "task": "transcribe", "language": "german", "duration": 1.0, "text": "Hallo, Welt!",
        "words": [{ "word": "Hallo", "start": 0.1, "end": 0.4 }, { "word": "Welt", "start": 0.5, "end": 9.0 }],
        "segments": [{ "id": 0, "start": 0.0, "end": 1.0, "text": "Hallo, Welt!", "avg_logprob": -0.5 }],
    });
    let mut account = account(Provider::OpenAi);
    account.model = Some("whisper-large".to_owned());
    let (speech, played) =
        opened_with(account, vec![answer(200, transcript.to_string()), answer(200, transcript.to_string())]);
    let heard = speech.transcribe(&a_second(), None).unwrap();
    assert_eq!(heard.language, "de");
    assert_eq!(heard.words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>(), ["Hallo,", "Welt!"]);
    assert!(
        (heard.words[0].start_ms - 100.0).abs() < 1.0 && (heard.words[0].confidence - 0.6065).abs() < 0.01
    );
    assert!(heard.words[1].end_ms <= 1_000.0);

    let language = speech.language(Some("de-AT")).unwrap();
    speech.transcribe(&a_second(), language.as_deref()).unwrap();
    let asked = played.asked();
    assert_eq!(asked[0].url, "https://speech.example/v1/audio/transcriptions");
    let boundary =
        header(&asked[0], "Content-Type").strip_prefix("multipart/form-data; boundary=").unwrap().to_owned();
    let field = |request: &Request, name: &str| -> Vec<String> {
        let body = String::from_utf8_lossy(&request.body).into_owned();
        let line = format!("--{boundary}");
        let parts = body.split(&line).filter(|part| part.contains(&format!("name=\"{name}\"")));
        parts.map(|part| part.split_once("\r\n\r\n").unwrap().1.trim_end_matches("\r\n").to_owned()).collect()
    };
    assert_eq!(field(&asked[0], "model"), ["whisper-large"]);
    assert_eq!(field(&asked[0], "response_format"), ["verbose_json"]);
    assert!(field(&asked[0], "timestamp_granularities[]").contains(&"word".to_owned()));
    assert!(field(&asked[0], "file")[0].starts_with("RIFF"));
    assert_eq!(field(&asked[0], "language"), Vec::<String>::new());
    assert_eq!(field(&asked[1], "language"), ["de"]);
    assert!(asked[0].body.ends_with(format!("--{boundary}--\r\n").as_bytes()));
}

#[test]
fn a_transcript_without_timings_is_aligned() {
    let own = said("The children were playing.");
    let transcript = json!({ "language": "english", "text": "The children were playing." });
    let (speech, _) = opened(Provider::OpenAi, vec![answer(200, transcript.to_string())]);
    let heard = speech.transcribe(&own.sound, Some("en")).unwrap();
    for (word, truth) in heard.words.iter().zip(&own.words) {
        assert_eq!(word.text, truth.text);
        assert!((word.start_ms - truth.start_ms).abs() < 80.0, "{word:?} and {truth:?}");
    }
    assert_eq!(heard.words.len(), 4);
}

#[test]
fn silence_is_not_sent() {
    let (speech, played) = opened(Provider::OpenAi, vec![]);
    let heard = speech.transcribe(&Sound { samples: vec![0.0; 48_000], rate: 16_000 }, None).unwrap();
    assert!(heard.words.is_empty() && played.asked().is_empty());
}

#[test]
fn elevenlabs_narration_has_character_timings() {
    let own = said("Hi there, you.");
    let characters: Vec<String> = "Hi there, you.".chars().map(|c| c.to_string()).collect();
    let starts: Vec<f64> = (0..characters.len()).map(|n| 0.05 + n as f64 * 0.06).collect();
    let ends: Vec<f64> = starts.iter().map(|start| start + 0.06).collect();
    let narrated = json!({
        "audio_base64": STANDARD.encode(pcm(&own.sound)),
        "alignment": { "characters": characters, "character_start_times_seconds": starts, "character_end_times_seconds": ends },
        "normalized_alignment": null,
    });
    let (speech, played) = opened(
        Provider::ElevenLabs,
        vec![answer(200, narrated.to_string()), answer(200, narrated.to_string())],
    );
    let voice = speech.voice(Some("21m00tcm4tlvdq8ikwam")).unwrap();
    assert_eq!((voice.name.as_str(), voice.engine), ("Rachel", "elevenlabs"));
    let spoken = speech.narrate("Hi there, you.", voice, 1.1).unwrap();
    assert_eq!(
        spoken.words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>(),
        ["Hi", "there,", "you."]
    );
    let gap = spoken.words[1].start_ms - spoken.words[0].start_ms;
    assert!((gap - 180.0).abs() < 1.0, "{gap}");

    let fast = speech.narrate("Hi there, you.", voice, 2.0).unwrap();
    assert!((spoken.sound.duration_ms() / fast.sound.duration_ms() - 2.0 / 1.2).abs() < 0.1);
    let gap = fast.words[1].start_ms - fast.words[0].start_ms;
    assert!((gap - 180.0 * 1.2 / 2.0).abs() < 1.0, "{gap}");

    let asked = played.asked();
    assert_eq!(
        asked[0].url,
        "https://speech.example/v1/text-to-speech/21m00Tcm4TlvDq8ikWAM/with-timestamps?output_format=pcm_16000"
    );
    assert_eq!(header(&asked[0], "xi-api-key"), KEY);
    let body: Value = serde_json::from_slice(&asked[1].body).unwrap();
    assert_eq!(
        body,
        json!({ "text": "Hi there, you.", "model_id": "eleven_multilingual_v2", "voice_settings": { "speed": 1.2 } })
    );
}

#[test]
fn elevenlabs_transcribes() {
    let transcript = json!({
        "language_code": "eng", "language_probability": 0.98, "text": "Good day.",
        "words": [
            { "text": "Good", "start": 0.1, "end": 0.3, "type": "word", "logprob": -0.1 },
            { "text": " ", "start": 0.3, "end": 0.35, "type": "spacing", "logprob": 0.0 },
            { "text": "day.", "start": 0.35, "end": 0.7, "type": "word", "logprob": 0.0 },
        ],
    });
    let (speech, played) = opened(Provider::ElevenLabs, vec![answer(200, transcript.to_string())]);
    let heard = speech.transcribe(&a_second(), None).unwrap();
    assert_eq!(heard.language, "en");
    assert_eq!(heard.words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>(), ["Good", "day."]);
    assert!((heard.words[1].start_ms - 350.0).abs() < 1.0);
    assert_eq!(played.asked()[0].url, "https://speech.example/v1/speech-to-text");
}

#[test]
fn rate_limited_requests_are_retried() {
    let own = said("Yes.");
    let answers = vec![
        answer(429, r#"{"error":{"message":"slow down"}}"#),
        Err("connection reset".to_owned()),
        answer(200, streamed_wav(&own.sound)),
    ];
    let (speech, played) = opened(Provider::OpenAi, answers);
    assert!(speech.narrate("Yes.", speech.voice(None).unwrap(), 1.0).is_ok());
    assert_eq!(played.asked().len(), 3);
}

#[test]
fn errors_name_provider_and_status_but_not_the_key() {
    let wrong_key =
        json!({ "error": { "message": format!("Incorrect API key provided: {KEY}.") } }).to_string();
    let asks_for_an_hour = Ok(Response {
        status: 429,
        headers: vec![("retry-after".to_owned(), "3600".to_owned())],
        body: Vec::new(),
    });
    let cases = [
        (vec![answer(401, wrong_key)], 1, vec!["OpenAI", "401", "check the settings"]),
        (vec![answer(503, ""), answer(503, ""), answer(500, "<html>")], 3, vec!["OpenAI", "500"]),
        (vec![asks_for_an_hour], 1, vec!["OpenAI", "429"]),
        (vec![Err(format!("no route with {KEY}")); 3], 3, vec!["OpenAI", "is not reachable", "no route"]),
        (vec![answer(200, "RIFF")], 1, vec!["OpenAI", "no audio"]),
        (vec![answer(400, r#"{"error":"voice not allowed"}"#)], 1, vec!["400", "voice not allowed"]),
    ];
    for (answers, tries, parts) in cases {
        let (speech, played) = opened(Provider::OpenAi, answers);
        let started = Instant::now();
        let error = speech.narrate("Hello", speech.voice(None).unwrap(), 1.0).unwrap_err().to_string();
        assert!(parts.iter().all(|part| error.contains(part)), "{error}");
        assert!(!error.contains(KEY), "{error}");
        assert_eq!(played.asked().len(), tries, "{error}");
        assert!(started.elapsed() < Duration::from_secs(5));
    }
    assert!(!format!("{:?}", account(Provider::OpenAi)).contains(KEY));
}

#[test]
fn a_truncated_transcript_is_an_error() {
    for provider in [Provider::OpenAi, Provider::ElevenLabs] {
        let (speech, _) = opened(provider, vec![answer(200, r#"{"text": "Hello wor"#)]);
        let error = speech.transcribe(&a_second(), None).unwrap_err();
        assert!(error.to_string().contains("no transcript"), "{error}");
    }
}

#[test]
fn requests_beyond_the_daily_limit_fail() {
    let own = said("Yes.");
    let mut account = account(Provider::OpenAi);
    account.most_a_day = Some(25);
    let answers =
        vec![answer(400, ""), answer(200, streamed_wav(&own.sound)), answer(200, streamed_wav(&own.sound))];
    let (speech, played) = opened_with(account, answers);
    let say = || speech.narrate("Ten chars.", speech.voice(None).unwrap(), 1.0);
    assert!(matches!(say(), Err(Error::Engine(_))));
    assert!(say().is_ok() && say().is_ok());
    let error = say().unwrap_err();
    assert_eq!(error, Error::Budget { provider: "OpenAI", most: 25, unit: "characters" });
    assert_eq!(played.asked().len(), 3);
}

#[test]
fn provider_voices_come_before_local_voices() {
    let (speech, _) = opened(Provider::OpenAi, vec![]);
    assert_eq!(speech.voice(None).unwrap().id, "alloy");
    assert_eq!(speech.voice(Some("rachel")).unwrap().engine, "openai");
    assert_eq!(speech.voice(Some("aria")).unwrap().engine, "flite");
    assert_eq!(speech.voice(Some("german")).unwrap().engine, "espeak-ng");
    let (speech, _) = opened(Provider::ElevenLabs, vec![]);
    assert_eq!(speech.voice(None).unwrap().id, "rachel");
    assert_eq!(speech.voice(Some("alloy")).unwrap().id, "rachel");
}

/// Counts what it is asked, and answers as no engine would.
#[derive(Default)]
struct Elsewhere(Mutex<Vec<String>>);

impl Confined for Elsewhere {
    fn narrate(&self, text: &str, voice: &Voice, _: f64) -> Result<Spoken, Error> {
        self.0.lock().unwrap().push(format!("{} {text}", voice.id));
        Ok(Spoken { sound: a_second(), words: Vec::new() })
    }

    fn align(&self, samples: &[f32], words: &[String]) -> Option<Vec<Span>> {
        self.0.lock().unwrap().push(format!("align {}", words.join(" ")));
        assert!(!samples.is_empty());
        // One span too few for three words: it is not used then.
        let spans = words.iter().take(2).enumerate();
        Some(spans.map(|(n, _)| Span { start_ms: n as f64, end_ms: n as f64 + 1.0, found: true }).collect())
    }
}

#[test]
fn with_engines_elsewhere_nothing_is_spoken_or_aligned_here() {
    let elsewhere = Arc::new(Elsewhere::default());
    let played = Arc::new(Played {
        answers: Mutex::new(
            [answer(200, streamed_wav(&a_second())), answer(200, streamed_wav(&a_second()))].into(),
        ),
        ..Played::default()
    });
    let settings = Settings { narrator: Some(account(Provider::OpenAi)), ..Settings::default() };
    let speech = Speech::open_confined(
        settings,
        Some(played as Arc<dyn Exchange>),
        Arc::clone(&elsewhere) as Arc<dyn Confined>,
    );
    for id in ["aria", "german"] {
        let voice = speech.voice(Some(id)).unwrap();
        assert_eq!(speech.narrate("Hello.", voice, 1.0).unwrap().sound, a_second());
    }
    let hosted = speech.voice(Some("nova")).unwrap();
    let two = speech.narrate("Hello there", hosted, 1.0).unwrap();
    assert!(two.words[0].end_ms <= 1.0, "{:?}", two.words);
    let three = speech.narrate("Hello there again", hosted, 1.0).unwrap();
    assert_eq!(three.words.len(), 3);
    assert!(three.words[2].end_ms > 100.0, "what does not fit is not used: {:?}", three.words);
    assert!(speech.align(&a_second(), &["Hello".to_owned(), "you".to_owned()]).unwrap()[1].start_ms == 1.0);
    let asked = elsewhere.0.lock().unwrap().clone();
    assert_eq!(
        asked,
        ["aria Hello.", "german Hello.", "align Hello there", "align Hello there again", "align Hello you"]
    );
}
