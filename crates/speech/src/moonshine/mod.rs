//! Local transcription of English with Moonshine tiny.

mod model;
mod tokens;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use self::model::Model;
use self::tokens::Tokens;
use crate::activity::{Activity, RATE};
use crate::align::Aligner;
use crate::resample::at_rate;
use crate::{Error, Sound, Transcribe, Transcript, Word};

/// The language of the model.
const LANGUAGE: &str = "en";
/// A piece with a lower mean confidence is noise, not speech.
const MIN_CONFIDENCE: f64 = 0.3;

/// Above this mean confidence the first result is final.
const HIGH_CONFIDENCE: f64 = 0.85;
/// Silence added around a piece, for the first and the second attempt.
const SILENCES_MS: [usize; 2] = [500, 800];

pub struct Moonshine {
    model: Mutex<Model>,
    tokens: Tokens,
    aligner: Arc<Aligner>,
}

impl Moonshine {
    /// Opens the model in a folder filled by `scripts/speech`.
    pub fn open(folder: &Path, aligner: Arc<Aligner>) -> Result<Self, Error> {
        let tokens = Tokens::read(&folder.join("tokens.bin"))?;
        Ok(Self { model: Mutex::new(Model::open(folder)?), tokens, aligner })
    }

    /// The words of a piece with their confidence. A result with low confidence is repeated with more silence around
    /// the piece, and the better result is used.
    fn recognize(&self, samples: &[f32]) -> Result<Vec<(String, f64)>, Error> {
        let mut best: (f64, Vec<(i64, f64)>) = (0.0, Vec::new());
        for silence_ms in SILENCES_MS {
            let tokens =
                self.model.lock().unwrap_or_else(PoisonError::into_inner).recognize(samples, silence_ms)?;
            let sure = confidence(&tokens);
            if sure > best.0 {
                best = (sure, tokens);
            }
            if best.0 > HIGH_CONFIDENCE {
                break;
            }
        }
        Ok(if best.0 < MIN_CONFIDENCE { Vec::new() } else { self.tokens.words(&best.1) })
    }
}

/// The geometric mean of the token probabilities.
fn confidence(tokens: &[(i64, f64)]) -> f64 {
    let sum: f64 = tokens.iter().map(|(_, probability)| probability.max(1e-9).ln()).sum();
    if tokens.is_empty() { 0.0 } else { (sum / tokens.len() as f64).exp() }
}

impl Transcribe for Moonshine {
    fn languages(&self) -> Vec<String> {
        vec![LANGUAGE.to_owned()]
    }

    fn transcribe(&self, sound: &Sound, _language: Option<&str>) -> Result<Transcript, Error> {
        let samples = at_rate(sound, RATE)?;
        let mut words = Vec::new();
        for piece in Activity::of(&samples).pieces() {
            let recognized = self.recognize(&samples[piece.clone()])?;
            if recognized.is_empty() {
                continue;
            }
            let texts: Vec<String> = recognized.iter().map(|(text, _)| text.clone()).collect();
            let from_ms = piece.start as f64 * 1000.0 / f64::from(RATE);
            let spans = self.aligner.spans(&samples[piece], &texts);
            for ((text, confidence), span) in recognized.into_iter().zip(spans) {
                words.push(Word {
                    text,
                    start_ms: from_ms + span.start_ms,
                    end_ms: from_ms + span.end_ms,
                    confidence,
                });
            }
        }
        Ok(Transcript { words, language: LANGUAGE.to_owned() })
    }
}
