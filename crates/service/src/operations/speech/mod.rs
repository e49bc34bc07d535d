//! Speech outside a film: voiceovers, captions and voices.

mod create_captions;
mod create_voiceover;
mod list_voices;

use rondo_composition::{Caption, CaptionRoom, CaptionWord};
use rondo_store::{AiUsed, Credits, Kept};
use serde::Serialize;
use utoipa::ToSchema;

pub use create_captions::{CaptionsAnswer, CreateCaptions};
pub use create_voiceover::{CreateVoiceover, VoiceoverAnswer};
pub use list_voices::{ListVoices, VoiceList, gender};

use crate::error::{ServiceError, ServiceResult};
use crate::operation::{Call, stored_answer};
use crate::speech::{Held, SpeechError};

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
    #[schema(required = true)]
    timestamp_ms: Option<f64>,
    #[schema(required = true)]
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

/// The room for captions of a picture in landscape or portrait format.
fn room(portrait: bool) -> CaptionRoom {
    match portrait {
        true => CaptionRoom::on_canvas(9.0, 16.0),
        false => CaptionRoom::on_canvas(16.0, 9.0),
    }
}

fn shown(charge: Credits) -> f64 {
    charge.thousandths() as f64 / 1000.0
}

impl Call<'_> {
    /// Refuses early what the caller cannot pay. Only a hold is certain.
    fn affordable(&self, charge: Credits) -> ServiceResult<()> {
        let available = self.caller.account.credits;
        match charge > available {
            true => Err(ServiceError::insufficient_credits(charge.whole_up(), available.whole())),
            false => Ok(()),
        }
    }

    /// Holds the charge before the work is done.
    async fn hold(&self, charge: Credits) -> ServiceResult<Held> {
        let held = Held::take(&self.service.store, self.account_id(), charge).await;
        Ok(held.map_err(SpeechError::from)?)
    }

    /// Charges what was held, and stores the response for repeated requests with it.
    async fn settle(
        &self,
        held: Held,
        charge: Credits,
        used: &[AiUsed],
        response: &impl Serialize,
    ) -> ServiceResult<()> {
        let answer = stored_answer(response);
        let kept = self.idempotency_key.map(|key| Kept { key, answer: &answer });
        Ok(held.settle(charge, used, kept).await.map_err(SpeechError::from)?)
    }
}
