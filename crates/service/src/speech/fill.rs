//! Filling a film with speech: narrations first, since captions may follow them.

use std::io;
use std::path::PathBuf;

use rondo_composition::limits::MOST_CAPTION_WORDS;
use rondo_composition::{
    AiReplacement, AiValue, CaptionRoom, CaptionWord, Composition, Limits, Narrated, Overlay, Transcription,
    group_words,
};
use rondo_store::{AiUse, AiUsed, Credits, StoreError, Voiceover};
use tokio_util::sync::CancellationToken;

use super::hear::{Stretch, known_words, played};
use super::{Purse, SpeechError, SpeechService, is_narrated, words_of};
use crate::media::sources::{Target, shortened, target};
use crate::media::{DISK_FULL, One, STORAGE_AWAY};
use crate::quote::{narration_charge, transcription_charge};

/// What speech was made for a film.
#[derive(Debug, Default)]
pub struct Filled {
    pub charge: Credits,
    pub used: Vec<AiUsed>,
}

/// Words for a caption overlay.
struct Words {
    words: Vec<CaptionWord>,
    /// The frame their times are counted from; where it is not known, the overlay's own beginning.
    from: Option<i64>,
}

impl SpeechService {
    /// Makes the speech that AI values ask for and puts it into the composition. The credits for each part are held
    /// before it is made.
    pub async fn fill(
        &self,
        account_id: &str,
        composition: &mut Composition,
        ai: &[AiReplacement],
        purse: &mut Purse<'_>,
        stop: &CancellationToken,
    ) -> Result<Filled, SpeechError> {
        let mut filled = Filled::default();
        let mut narrated = Vec::new();
        for AiReplacement { name, value } in ai {
            let AiValue::Narration(asked) = value else { continue };
            let path = || format!("replacements.{name}.tts.text");
            purse.hold(composition, filled.charge + narration_charge(&asked.text)).await?;
            let voiceover = self.narrate(account_id, asked, "wav").await.map_err(|error| error.at(path()))?;
            filled.charge = filled.charge + narration_charge(&asked.text);
            let characters = asked.text.chars().count() as u64;
            filled.used.push(AiUsed { kind: AiUse::TtsCharacters, amount: characters });
            narrated.push(Narrated {
                name: name.clone(),
                src: self.links.file(&voiceover.file),
                duration_ms: voiceover.duration_ms as f64,
            });
        }
        composition.narrate(&narrated);
        let minutes = self.max_minutes;
        if u64::from(composition.duration) > (Limits { minutes }).frames_at(composition.fps) {
            return Err(SpeechError::wrong(
                "VALUE_OUT_OF_RANGE",
                format!("With its narration the film is longer than {minutes} minutes."),
            ));
        }
        for AiReplacement { name, value } in ai {
            let AiValue::Transcription(asked) = value else { continue };
            let path = || format!("replacements.{name}.transcribe");
            let heard = self.hear(account_id, composition, asked, purse, stop, &mut filled).await;
            let words = heard.map_err(|error| error.at(path()))?;
            caption(composition, name, &words);
        }
        let words: usize = composition.overlays.iter().map(Overlay::caption_words).sum();
        if words > MOST_CAPTION_WORDS {
            return Err(SpeechError::wrong(
                "COMPOSITION_TOO_LARGE",
                format!("{words} words are said, but a film is captioned with at most {MOST_CAPTION_WORDS}."),
            ));
        }
        Ok(filled)
    }

    async fn hear(
        &self,
        account_id: &str,
        composition: &Composition,
        asked: &Transcription,
        purse: &mut Purse<'_>,
        stop: &CancellationToken,
        filled: &mut Filled,
    ) -> Result<Words, SpeechError> {
        let clip = asked.source.as_ref().and_then(|source| source_overlay(composition, source));
        let from = clip.map(|clip| clip.base.from);
        let stretches = match clip {
            Some(clip) => played(clip, composition, asked),
            None => vec![Stretch::whole(asked.start_time, asked.end_time)],
        };
        let address = asked.url.as_deref().or_else(|| clip.and_then(Overlay::media_src)).unwrap_or_default();
        if let Some(voiceover) = self.own_voiceover(account_id, address).await? {
            return Ok(Words { words: known_words(&words_of(&voiceover), &stretches), from });
        }
        let name = shortened(address);
        let file = self.fetch(address, stop).await?;
        let recording = self.listen(account_id, file.path(), &name, stretches).await?;
        let seconds = recording.seconds().ceil() as u64;
        purse.hold(composition, filled.charge + transcription_charge(seconds)).await?;
        let heard = self.transcribe(account_id, recording, asked.language.as_deref()).await?;
        filled.charge = filled.charge + transcription_charge(seconds);
        filled.used.push(AiUsed { kind: AiUse::TranscribedSeconds, amount: seconds });
        Ok(Words { words: heard.words, from })
    }

    /// Brings a recording onto this machine.
    pub async fn fetch(&self, address: &str, stop: &CancellationToken) -> Result<One, SpeechError> {
        let name = shortened(address);
        self.media.gather_one(address, stop).await.map_err(|reason| match stop.is_cancelled() {
            true => SpeechError::Transient("The service is shutting down.".to_owned()),
            false if reason == STORAGE_AWAY => SpeechError::Store(StoreError::Bucket { cause: reason }),
            false if reason == DISK_FULL => SpeechError::Store(StoreError::File {
                path: PathBuf::new(),
                source: io::ErrorKind::StorageFull.into(),
            }),
            false => SpeechError::wrong(
                "MEDIA_UNREACHABLE",
                format!("The recording {name} cannot be heard: {reason}."),
            ),
        })
    }

    /// The narration of the account at an address.
    pub async fn own_voiceover(
        &self,
        account_id: &str,
        address: &str,
    ) -> Result<Option<Voiceover>, SpeechError> {
        let Some(Target::File(file)) = target(&self.links, address) else { return Ok(None) };
        let voiceovers = self.store.voiceovers_in(&file).await?;
        Ok(voiceovers.into_iter().find(|voiceover| voiceover.account_id == account_id))
    }

    /// Names of the values whose words come with a narration, of the same request or an earlier one, and cost nothing.
    pub async fn free_transcriptions(
        &self,
        account_id: &str,
        composition: &Composition,
        ai: &[AiReplacement],
    ) -> Result<Vec<String>, SpeechError> {
        let mut free = Vec::new();
        for AiReplacement { name, value } in ai {
            let AiValue::Transcription(asked) = value else { continue };
            let source = asked.source.as_deref();
            let address = match (source, &asked.url) {
                (Some(source), _) => source_overlay(composition, source).and_then(Overlay::media_src),
                (None, url) => url.as_deref(),
            };
            let is_known = is_narrated(ai, source)
                || self.own_voiceover(account_id, address.unwrap_or_default()).await?.is_some();
            if is_known {
                free.push(name.clone());
            }
        }
        Ok(free)
    }
}

/// Fills the caption overlays of a name.
fn caption(composition: &mut Composition, name: &str, words: &Words) {
    let fps = f64::from(composition.fps);
    let room = CaptionRoom::on_canvas(f64::from(composition.width), f64::from(composition.height));
    composition.set_captions(name, |overlay| {
        let late = words.from.map_or(0, |from| from - overlay.base.from) as f64 * 1000.0 / fps;
        let moved = words.words.iter().filter_map(|word| {
            let (start_ms, end_ms) = ((word.start_ms + late).round(), (word.end_ms + late).round());
            (end_ms > 0.0).then(|| CaptionWord { start_ms: start_ms.max(0.0), end_ms, ..word.clone() })
        });
        group_words(&moved.collect::<Vec<_>>(), room)
    });
}

/// The sound or video overlay of a name.
pub fn source_overlay<'a>(composition: &'a Composition, source: &str) -> Option<&'a Overlay> {
    composition.overlays.iter().find(|overlay| overlay.is_audible_as(source))
}
