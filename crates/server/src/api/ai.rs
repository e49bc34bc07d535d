//! POST /ai/voiceover, POST /ai/captions and GET /ai/voices: speech outside a film.

use std::sync::Arc;

use axum::extract::State;
use axum::routing::{get, post};
use axum::{Extension, Router};
use rondo_composition::{Caption, CaptionRoom, CaptionWord, Narration, group_words, subtitles};
use rondo_speech::Gender;
use rondo_store::id::{self, Kind};
use rondo_store::{AiUse, AiUsed, Credits, Kept, Voiceover};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::Caller;
use crate::envelope::{Answer, Data, Failure};
use crate::error::{ApiError, ApiResult};
use crate::files::upload_name;
use crate::idempotency::Key;
use crate::quote::{narration_charge, transcription_charge};
use crate::request::JsonObject;
use crate::resolve::sources::{self, FILES};
use crate::speech::{self, SpeechError, Stretch};

/// Characters of a text.
const MOST_CHARACTERS: usize = 10_000;

pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/ai/voiceover", post(voiceover))
        .route("/ai/captions", post(captions))
        .route("/ai/voices", get(voices))
}

/// A text to be spoken.
#[derive(Debug, Serialize, ToSchema)]
pub struct VoiceoverBody {
    #[schema(min_length = 1, max_length = 10000)]
    text: String,
    /// An id of GET /ai/voices, or one of its other names.
    voice: Option<String>,
    #[schema(minimum = 0.5, maximum = 2.0)]
    speed: Option<f64>,
    /// `wav` (if not given) or `mp3`.
    #[schema(pattern = "^(wav|mp3)$")]
    format: Option<String>,
    /// Makes captions short enough for a picture that is higher than wide.
    portrait: Option<bool>,
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

/// A word and when it is spoken.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Word {
    word: String,
    start_ms: f64,
    end_ms: f64,
    confidence: f64,
}

/// A caption as caption overlays take it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CaptionOfWords {
    text: String,
    start_ms: f64,
    end_ms: f64,
    words: Vec<Word>,
    timestamp_ms: Option<f64>,
    confidence: Option<f64>,
}

impl From<&CaptionWord> for Word {
    fn from(word: &CaptionWord) -> Self {
        Self {
            word: word.word.clone(),
            start_ms: word.start_ms,
            end_ms: word.end_ms,
            confidence: word.confidence,
        }
    }
}

impl From<&Caption> for CaptionOfWords {
    fn from(caption: &Caption) -> Self {
        Self {
            text: caption.text.clone(),
            start_ms: caption.start_ms,
            end_ms: caption.end_ms,
            words: caption.words.iter().map(Word::from).collect(),
            timestamp_ms: caption.timestamp_ms,
            confidence: caption.confidence,
        }
    }
}

/// Speaks a text.
#[utoipa::path(
    post, path = "/ai/voiceover", tag = "Speech", operation_id = "createVoiceover",
    request_body = VoiceoverBody,
    params(("Idempotency-Key" = Option<String>, Header, description = "A repetition with the same key gets the first answer")),
    responses(
        (status = 200, description = "The sound, and when each word is spoken", body = inline(Answer<VoiceoverAnswer>)),
        (status = 400, description = "The body is malformed", body = Failure),
        (status = 401, description = "The key is missing, malformed, revoked or unknown", body = Failure),
        (status = 402, description = "Insufficient credits", body = Failure),
        (status = 409, description = "A request with the same Idempotency-Key is still being answered", body = Failure),
        (status = 413, description = "The body is too large", body = Failure),
        (status = 415, description = "The body is not JSON", body = Failure),
        (status = 422, description = "The text, voice or speed cannot be used (VALUE_OUT_OF_RANGE, UNKNOWN_VOICE), or nothing speaks here (AI_NOT_AVAILABLE)", body = Failure),
        (status = 429, description = "Too many requests", body = Failure),
        (status = 500, description = "Something went wrong on our side", body = Failure),
        (status = 503, description = "The provider of speech is not there", body = Failure),
    )
)]
pub async fn voiceover(
    State(app): State<Arc<App>>,
    caller: Caller,
    key: Option<Extension<Key>>,
    body: JsonObject,
) -> ApiResult<Data<VoiceoverAnswer>> {
    let text = body.text("text")?;
    let (voice, format) = (body.optional_text("voice")?, body.optional_text("format")?);
    let speed = number(&body, "speed")?.unwrap_or(1.0);
    let room = room(&body)?;
    let format = match format {
        None | Some("wav") => "wav",
        Some("mp3") => "mp3",
        Some(other) => return Err(not_one_of("format", other, "wav or mp3")),
    };
    let characters = text.chars().count();
    if characters > MOST_CHARACTERS {
        let message =
            format!("`text` has {characters} characters, but at most {MOST_CHARACTERS} are spoken at once.");
        return Err(ApiError::unprocessable_field("VALUE_OUT_OF_RANGE", "text", message));
    }
    if !text.chars().any(char::is_alphanumeric) {
        let message = "`text` has no word to speak: write it in letters or numbers.";
        return Err(ApiError::unprocessable_field("VALUE_OUT_OF_RANGE", "text", message));
    }
    if !(0.5..=2.0).contains(&speed) {
        let message = format!("`speed` is {speed}, but a number from 0.5 to 2 is expected.");
        return Err(ApiError::unprocessable_field("VALUE_OUT_OF_RANGE", "speed", message));
    }
    let voice = app.speech.voice(voice).map_err(|error| speech::refused(&error, "voice"))?.id.clone();
    let charge = narration_charge(text);
    if charge > caller.account.credits {
        return Err(ApiError::insufficient_credits(charge.whole_up(), caller.account.credits.whole()));
    }
    let asked = Narration { text: text.to_owned(), voice: Some(voice.clone()), speed };
    let spoken = speech::narrate(&app, &caller.account.id, &asked, format).await;
    let spoken = spoken.map_err(|error| error.at("text"))?;
    let words = speech::words_of(&spoken);
    let answer = Data(VoiceoverAnswer {
        audio_url: app.url(&format!("{FILES}{}", spoken.file)),
        id: spoken.id,
        duration_ms: spoken.duration_ms,
        voice,
        captions: group_words(&words, room).iter().map(CaptionOfWords::from).collect(),
        words: words.iter().map(Word::from).collect(),
        credits_used: shown(charge),
    });
    let used = [AiUsed { kind: AiUse::TtsCharacters, amount: characters as u64 }];
    take(&app, &caller, charge, &used, key.as_ref(), &answer).await?;
    Ok(answer)
}

/// Takes what was asked for, and keeps the answer for repetitions together with it.
async fn take<T: Serialize>(
    app: &App,
    caller: &Caller,
    charge: Credits,
    used: &[AiUsed],
    key: Option<&Extension<Key>>,
    answer: &Data<T>,
) -> ApiResult<()> {
    let answer = answer.kept();
    let kept = key.map(|Extension(Key(key))| Kept { key, answer: &answer });
    let reference = id::new(Kind::Charge);
    let taken = app.store.charge(&caller.account.id, &reference, charge, used, kept).await;
    Ok(taken.map_err(SpeechError::from)?)
}

fn shown(charge: Credits) -> f64 {
    charge.thousandths() as f64 / 1000.0
}

/// A recording to be written down: exactly one of url, uploadId and voiceoverId.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CaptionsBody {
    /// A sound or video, also one of this service.
    #[schema(format = "uri")]
    url: Option<String>,
    /// From POST /uploads.
    upload_id: Option<String>,
    /// From POST /ai/voiceover: its words are known, and free.
    voiceover_id: Option<String>,
    /// As `en`; found out if not given.
    language: Option<String>,
    /// Seconds into the recording; times are counted from here.
    #[schema(minimum = 0.0)]
    start_time: Option<f64>,
    #[schema(minimum = 0.0)]
    end_time: Option<f64>,
    /// Makes captions short enough for a picture that is higher than wide.
    portrait: Option<bool>,
    /// `srt` or `vtt`: gives `subtitles` too.
    #[schema(pattern = "^(srt|vtt)$")]
    format: Option<String>,
}

/// A recording that was written down.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CaptionsAnswer {
    /// For a caption overlay or a caption variable; empty where nothing is said.
    captions: Vec<CaptionOfWords>,
    language: String,
    /// Of what was heard.
    duration_ms: u64,
    credits_used: f64,
    /// The captions as SRT or WebVTT text, where `format` asks for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    subtitles: Option<String>,
}

/// Writes down what is said in a recording, with the time of every word.
#[utoipa::path(
    post, path = "/ai/captions", tag = "Speech", operation_id = "createCaptions",
    request_body = CaptionsBody,
    params(("Idempotency-Key" = Option<String>, Header, description = "A repetition with the same key gets the first answer")),
    responses(
        (status = 200, description = "The captions", body = inline(Answer<CaptionsAnswer>)),
        (status = 400, description = "The body is malformed, or does not name exactly one recording", body = Failure),
        (status = 401, description = "The key is missing, malformed, revoked or unknown", body = Failure),
        (status = 402, description = "Insufficient credits", body = Failure),
        (status = 403, description = "The upload belongs to another account", body = Failure),
        (status = 404, description = "There is no such upload or voiceover", body = Failure),
        (status = 409, description = "A request with the same Idempotency-Key is still being answered", body = Failure),
        (status = 413, description = "The body is too large", body = Failure),
        (status = 415, description = "The body is not JSON", body = Failure),
        (status = 422, description = "The recording cannot be fetched or heard (MEDIA_URL_NOT_ALLOWED, MEDIA_UNREACHABLE, MEDIA_UNREADABLE, RECORDING_TOO_LONG), the language is not known (UNSUPPORTED_LANGUAGE), or nothing listens here (AI_NOT_AVAILABLE)", body = Failure),
        (status = 429, description = "Too many requests", body = Failure),
        (status = 500, description = "Something went wrong on our side", body = Failure),
        (status = 503, description = "The provider of speech is not there", body = Failure),
    )
)]
pub async fn captions(
    State(app): State<Arc<App>>,
    caller: Caller,
    key: Option<Extension<Key>>,
    body: JsonObject,
) -> ApiResult<Data<CaptionsAnswer>> {
    let named = named(&body)?;
    let (format, language) = (body.optional_text("format")?, body.optional_text("language")?);
    let (start, end) = (number(&body, "startTime")?, number(&body, "endTime")?);
    let room = room(&body)?;
    if let Some(other) = format.filter(|format| !matches!(*format, "srt" | "vtt")) {
        return Err(not_one_of("format", other, "srt or vtt"));
    }
    check_times(start, end)?;
    if let Some(language) = language {
        speech::spoken_language(&app, language).map_err(|error| speech::refused(&error, "language"))?;
    }
    let stretch = Stretch::whole(start, end);
    let taken = match recording(&app, &caller, named).await? {
        Recording::Voiceover(voiceover) => {
            let words = speech::told(&speech::words_of(&voiceover), &[stretch]);
            let length = voiceover.duration_ms as f64 / 1000.0;
            let seconds = (stretch.to.min(length) - stretch.from).max(0.0);
            Taken { words, language: voiceover.language, seconds, charge: Credits::ZERO }
        }
        Recording::Address(address) => {
            let field = named.0;
            written_down(&app, &caller, (field, &address), stretch, language).await?
        }
    };
    let captions = group_words(&taken.words, room);
    let answer = Data(CaptionsAnswer {
        subtitles: format.map(|format| match format {
            "srt" => subtitles::srt(&captions),
            _ => subtitles::webvtt(&captions),
        }),
        captions: captions.iter().map(CaptionOfWords::from).collect(),
        language: taken.language,
        duration_ms: (taken.seconds * 1000.0).round() as u64,
        credits_used: shown(taken.charge),
    });
    let seconds = taken.seconds.ceil() as u64;
    let used = [AiUsed { kind: AiUse::TranscribedSeconds, amount: seconds }];
    let used = if taken.charge == Credits::ZERO { &[][..] } else { &used };
    take(&app, &caller, taken.charge, used, key.as_ref(), &answer).await?;
    Ok(answer)
}

struct Taken {
    words: Vec<CaptionWord>,
    language: String,
    seconds: f64,
    charge: Credits,
}

/// Hears a recording that the caller can pay for.
async fn written_down(
    app: &App,
    caller: &Caller,
    (field, address): (&str, &str),
    stretch: Stretch,
    language: Option<&str>,
) -> ApiResult<Taken> {
    app.speech.language(language).map_err(|error| speech::refused(&error, "language"))?;
    let affordable = |charge: Credits| match charge > caller.account.credits {
        true => Err(ApiError::insufficient_credits(charge.whole_up(), caller.account.credits.whole())),
        false => Ok(charge),
    };
    affordable(transcription_charge(1))?;
    let file = speech::fetch(app, address, &app.stopping).await.map_err(|error| error.at(field))?;
    let name = sources::shortened(address);
    let recording =
        speech::listen(file.path(), &name, vec![stretch]).await.map_err(|error| error.at(field))?;
    let seconds = recording.seconds();
    let charge = affordable(transcription_charge(seconds.ceil() as u64))?;
    let heard = speech::transcribe(app, recording, language).await?;
    Ok(Taken { words: heard.words, language: heard.language, seconds, charge })
}

/// The one recording a body names: the field, and what it holds.
fn named(body: &JsonObject) -> ApiResult<(&'static str, &str)> {
    let mut given = Vec::new();
    for field in ["url", "uploadId", "voiceoverId"] {
        given.extend(body.optional_text(field)?.map(|value| (field, value)));
    }
    match given[..] {
        [one] => Ok(one),
        _ => Err(ApiError::invalid("Name exactly one recording: `url`, `uploadId` or `voiceoverId`.")),
    }
}

/// A recording, found.
enum Recording {
    Voiceover(Voiceover),
    Address(String),
}

async fn recording(app: &App, caller: &Caller, (field, value): (&str, &str)) -> ApiResult<Recording> {
    match field {
        "uploadId" => {
            let upload = app.store.upload(value).await?.ok_or_else(|| ApiError::not_found("upload"))?;
            if upload.account_id != caller.account.id {
                return Err(ApiError::forbidden("upload"));
            }
            Ok(Recording::Address(app.url(&format!("{FILES}{}", upload_name(&upload)))))
        }
        "voiceoverId" => {
            let voiceover = app.store.voiceover(value).await?;
            let own = voiceover.filter(|voiceover| voiceover.account_id == caller.account.id);
            own.map(Recording::Voiceover).ok_or_else(|| ApiError::not_found("voiceover"))
        }
        _ => {
            if let Some(own) = speech::own_voiceover(app, &caller.account.id, value).await? {
                return Ok(Recording::Voiceover(own));
            }
            match sources::refusal(app, value, false).await {
                Some(why) => Err(not_allowed(value.to_owned(), why)),
                None => Ok(Recording::Address(value.trim().to_owned())),
            }
        }
    }
}

fn not_allowed(address: String, why: String) -> ApiError {
    let refused = vec![("url".to_owned(), address, why)];
    sources::not_allowed(refused).unwrap_or_else(|| ApiError::invalid_field("url", "`url` cannot be used."))
}

/// A voice.
#[derive(Debug, Serialize, ToSchema)]
pub struct VoiceInfo {
    id: String,
    name: String,
    /// As `en-US`.
    language: String,
    /// `female`, `male` or `neutral`.
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

/// Lists the voices texts can be spoken with.
#[utoipa::path(
    get, path = "/ai/voices", tag = "Speech", operation_id = "listVoices",
    responses(
        (status = 200, description = "The voices", body = inline(Answer<VoiceList>)),
        (status = 401, description = "The key is missing, malformed, revoked or unknown", body = Failure),
        (status = 429, description = "Too many requests", body = Failure),
        (status = 500, description = "Something went wrong on our side", body = Failure),
    )
)]
pub async fn voices(State(app): State<Arc<App>>, _caller: Caller) -> ApiResult<Data<VoiceList>> {
    let voices: Vec<VoiceInfo> = app
        .speech
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
    Ok(Data(VoiceList { total: voices.len(), voices, languages: app.speech.languages() }))
}

/// A gender as answers write it.
pub fn gender(gender: Gender) -> &'static str {
    match gender {
        Gender::Female => "female",
        Gender::Male => "male",
        Gender::Neutral => "neutral",
    }
}

fn number(body: &JsonObject, key: &str) -> ApiResult<Option<f64>> {
    match body.0.get(key).filter(|value| !value.is_null()) {
        None => Ok(None),
        Some(Value::Number(number)) => Ok(number.as_f64()),
        Some(_) => Err(ApiError::invalid_field(key, format!("`{key}` must be a number."))),
    }
}

fn room(body: &JsonObject) -> ApiResult<CaptionRoom> {
    match body.0.get("portrait").filter(|value| !value.is_null()) {
        None | Some(Value::Bool(false)) => Ok(CaptionRoom::on_canvas(16.0, 9.0)),
        Some(Value::Bool(true)) => Ok(CaptionRoom::on_canvas(9.0, 16.0)),
        Some(_) => Err(ApiError::invalid_field("portrait", "`portrait` must be true or false.")),
    }
}

fn check_times(start: Option<f64>, end: Option<f64>) -> ApiResult<()> {
    let refuse =
        |path, message: String| Err(ApiError::unprocessable_field("VALUE_OUT_OF_RANGE", path, message));
    if let Some(start) = start.filter(|start| *start < 0.0) {
        return refuse(
            "startTime",
            format!("`startTime` is {start}, but seconds into the recording are expected."),
        );
    }
    match end {
        Some(end) if end <= start.unwrap_or(0.0) => refuse(
            "endTime",
            format!("`endTime` is {end}, but it must lie after startTime ({}).", start.unwrap_or(0.0)),
        ),
        _ => Ok(()),
    }
}

fn not_one_of(path: &str, value: &str, expected: &str) -> ApiError {
    let shown: String = value.chars().take(60).collect();
    let message = format!("`{path}` is \"{shown}\", but {expected} is expected.");
    ApiError::unprocessable_field("INVALID_ENUM_VALUE", path, message)
}
