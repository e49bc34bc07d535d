//! Transcribes a recording.

use std::time::Duration;

use rondo_composition::{CaptionWord, group_words, subtitles};
use rondo_fields::{choices, flag, number, one_of, record, text};
use rondo_store::{AiUse, AiUsed, Credits, Voiceover};
use serde::Serialize;
use tokio::time::timeout;
use utoipa::ToSchema;

use super::{CaptionOfWords, room, shown};
use crate::disk::require_room;
use crate::error::{ErrorKind, ServiceError, ServiceResult};
use crate::media::sources;
use crate::operation::{Call, Operation};
use crate::quote::transcription_charge;
use crate::speech::{self, Held, SpeechError, Stretch};

/// Longest time for fetching a recording.
const FETCHING: Duration = Duration::from_secs(600);

choices! {
    /// Kind of subtitles.
    pub enum SubtitleFormat {
        Srt = "srt",
        Vtt = "vtt",
    }
}

record! {
    /// A recording to transcribe: exactly one of `url`, `uploadId` and `voiceoverId`.
    pub struct CaptionsBody {
        /// A sound or video, also one of this service.
        url: optional String => "url", text();
        /// From POST /uploads.
        upload_id: optional String => "uploadId", text();
        /// From POST /ai/voiceover. Its words are known, and free.
        voiceover_id: optional String => "voiceoverId", text();
        /// Such as `en`. Default: detected.
        language: optional String => "language", text();
        /// Where to start, in seconds. Times are counted from here.
        start_time: optional f64 => "startTime", number().at_least(0.0);
        /// Where to end, in seconds.
        end_time: optional f64 => "endTime", number().at_least(0.0);
        /// Makes captions short enough for a portrait picture.
        portrait: default bool => "portrait", flag(), false;
        /// Returns the captions as `subtitles` too.
        format: optional SubtitleFormat => "format", one_of();
    }
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
    #[schema(nullable = false)]
    subtitles: Option<String>,
}

pub struct CreateCaptions;

impl Operation for CreateCaptions {
    const ID: &'static str = "createCaptions";
    const ABOUT: &'static str = "Transcribes a recording, with the time of every word.";
    const RETURNS: &'static str = "The captions";
    const FAILURES: &'static [(ErrorKind, &'static str)] = &[
        (ErrorKind::Invalid, "The request is malformed, or does not name exactly one recording"),
        (ErrorKind::InsufficientCredits, "Insufficient credits"),
        (ErrorKind::Forbidden, "The upload belongs to another account"),
        (ErrorKind::NotFound, "There is no such upload or voiceover"),
        (
            ErrorKind::Unprocessable,
            "The recording cannot be fetched or read (MEDIA_URL_NOT_ALLOWED, MEDIA_UNREACHABLE, MEDIA_UNREADABLE, \
             RECORDING_TOO_LONG), the language is not supported (UNSUPPORTED_LANGUAGE), or there is no speech engine \
             (AI_NOT_AVAILABLE)",
        ),
        (ErrorKind::Unavailable, "The speech provider is unavailable"),
    ];

    type Request = CaptionsBody;
    type Response = CaptionsAnswer;

    async fn run(call: Call<'_>, request: CaptionsBody) -> ServiceResult<CaptionsAnswer> {
        let named = named(&request)?;
        check_times(request.start_time, request.end_time)?;
        let language = request.language.as_deref();
        if let Some(language) = language {
            let known = call.service.speech.spoken_language(language);
            known.map_err(|error| speech::refused(&error, "language"))?;
        }
        let stretch = Stretch::whole(request.start_time, request.end_time);
        let taken = match recording(call, named).await? {
            Recording::Voiceover(voiceover) => {
                let words = speech::known_words(&speech::words_of(&voiceover), &[stretch]);
                let length = voiceover.duration_ms as f64 / 1000.0;
                let seconds = (stretch.to.min(length) - stretch.from).max(0.0);
                Taken {
                    words,
                    language: voiceover.language,
                    seconds,
                    charge: Credits::ZERO,
                    held: call.hold(Credits::ZERO).await?,
                }
            }
            Recording::Address(address) => transcribe(call, (named.0, &address), stretch, language).await?,
        };
        let captions = group_words(&taken.words, room(request.portrait));
        let answer = CaptionsAnswer {
            subtitles: request.format.map(|format| match format {
                SubtitleFormat::Srt => subtitles::srt(&captions),
                SubtitleFormat::Vtt => subtitles::webvtt(&captions),
            }),
            captions: captions.iter().map(CaptionOfWords::from).collect(),
            language: taken.language,
            duration_ms: (taken.seconds * 1000.0).round() as u64,
            credits_used: shown(taken.charge),
        };
        let seconds = taken.seconds.ceil() as u64;
        let used = [AiUsed { kind: AiUse::TranscribedSeconds, amount: seconds }];
        let used = if taken.charge == Credits::ZERO { &[][..] } else { &used };
        call.settle(taken.held, taken.charge, used, &answer).await?;
        Ok(answer)
    }
}

struct Taken {
    words: Vec<CaptionWord>,
    language: String,
    seconds: f64,
    charge: Credits,
    held: Held,
}

/// Transcribes a recording that the caller can pay for.
async fn transcribe(
    call: Call<'_>,
    (field, address): (&str, &str),
    stretch: Stretch,
    language: Option<&str>,
) -> ServiceResult<Taken> {
    let speech = &call.service.speech;
    speech.engines.language(language).map_err(|error| speech::refused(&error, "language"))?;
    call.affordable(transcription_charge(1))?;
    let stopping = &call.service.queue.stopping;
    let name = sources::shortened(address);
    let account = call.account_id();
    let media = &call.service.media;
    let turn = media.turns.take(account).await?;
    require_room(&media.files)?;
    let fetching = timeout(FETCHING, speech.fetch(address, stopping)).await;
    let file = fetching.unwrap_or_else(|_| Err(too_late(&name))).map_err(|error| error.at(field))?;
    drop(turn);
    let recording = speech.listen(account, file.path(), &name, vec![stretch]).await;
    let recording = recording.map_err(|error| error.at(field))?;
    let seconds = recording.seconds();
    let charge = transcription_charge(seconds.ceil() as u64);
    let held = call.hold(charge).await?;
    let heard = speech.transcribe(account, recording, language).await?;
    Ok(Taken { words: heard.words, language: heard.language, seconds, charge, held })
}

fn too_late(name: &str) -> SpeechError {
    let minutes = FETCHING.as_secs() / 60;
    SpeechError::wrong(
        "MEDIA_UNREACHABLE",
        format!("The recording {name} cannot be heard: it took longer than {minutes} minutes to arrive."),
    )
}

/// The one recording a request names: the field, and its value.
fn named(request: &CaptionsBody) -> ServiceResult<(&'static str, &str)> {
    let fields =
        [("url", &request.url), ("uploadId", &request.upload_id), ("voiceoverId", &request.voiceover_id)];
    let given: Vec<(&'static str, &str)> =
        fields.into_iter().filter_map(|(field, value)| Some((field, value.as_deref()?))).collect();
    match given[..] {
        [one] => Ok(one),
        _ => Err(ServiceError::invalid("Name exactly one recording: `url`, `uploadId` or `voiceoverId`.")),
    }
}

/// A recording that was found.
enum Recording {
    Voiceover(Voiceover),
    Address(String),
}

async fn recording(call: Call<'_>, (field, value): (&str, &str)) -> ServiceResult<Recording> {
    let service = call.service;
    match field {
        "uploadId" => {
            let upload = service.store.upload(value).await?;
            let upload = upload.ok_or_else(|| ServiceError::not_found("upload"))?;
            if upload.account_id != call.account_id() {
                return Err(ServiceError::forbidden("upload"));
            }
            Ok(Recording::Address(service.uploads.file_url(&upload)))
        }
        "voiceoverId" => {
            let voiceover = service.store.voiceover(value).await?;
            let own = voiceover.filter(|voiceover| voiceover.account_id == call.account_id());
            own.map(Recording::Voiceover).ok_or_else(|| ServiceError::not_found("voiceover"))
        }
        _ => {
            if let Some(own) = service.speech.own_voiceover(call.account_id(), value).await? {
                return Ok(Recording::Voiceover(own));
            }
            match service.media.refusal(value, false).await {
                Some(why) => Err(not_allowed(value.to_owned(), why)),
                None => Ok(Recording::Address(value.trim().to_owned())),
            }
        }
    }
}

fn not_allowed(address: String, why: String) -> ServiceError {
    let refused = vec![("url".to_owned(), address, why)];
    sources::not_allowed(refused)
        .unwrap_or_else(|| ServiceError::invalid_field("url", "`url` cannot be used."))
}

fn check_times(start: Option<f64>, end: Option<f64>) -> ServiceResult<()> {
    let start = start.unwrap_or(0.0);
    match end.filter(|end| *end <= start) {
        Some(end) => {
            let message = format!("`endTime` must be after startTime ({start}), got {end}.");
            Err(ServiceError::unprocessable_field("VALUE_OUT_OF_RANGE", "endTime", message))
        }
        None => Ok(()),
    }
}
