//! Transcription by Moonshine tiny: English, on this machine.

mod model;
mod tokens;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use self::model::Model;
use self::tokens::Tokens;
use crate::activity::{Activity, RATE};
use crate::align::Aligner;
use crate::resample::at_rate;
use crate::{Error, Heard, Sound, Transcribe, Word};

/// The language the model understands.
const LANGUAGE: &str = "en";
/// What it is less sure of than this, all in all, is noise it took for speech.
const LEAST_SURE: f64 = 0.3;

/// What it is surer of than this it is not asked again.
const SURE: f64 = 0.85;
/// Around a piece: at first, and when it listens again.
const SILENCES_MS: [usize; 2] = [500, 800];

pub struct Moonshine {
    model: Mutex<Model>,
    tokens: Tokens,
    aligner: Arc<Aligner>,
}

impl Moonshine {
    /// Opens what `scripts/speech` put into a folder.
    pub fn open(folder: &Path, aligner: Arc<Aligner>) -> Result<Self, Error> {
        let tokens = Tokens::read(&folder.join("tokens.bin"))?;
        Ok(Self { model: Mutex::new(Model::open(folder)?), tokens, aligner })
    }

    /// The words of one piece, with how sure the model is of each. Where it is not sure it listens again, with other silence
    /// around the piece, and the surer hearing counts.
    fn listen(&self, samples: &[f32]) -> Result<Vec<(String, f64)>, Error> {
        let mut best: (f64, Vec<(i64, f64)>) = (0.0, Vec::new());
        for silence_ms in SILENCES_MS {
            let tokens =
                self.model.lock().unwrap_or_else(PoisonError::into_inner).listen(samples, silence_ms)?;
            let sure = sureness(&tokens);
            if sure > best.0 {
                best = (sure, tokens);
            }
            if best.0 > SURE {
                break;
            }
        }
        Ok(if best.0 < LEAST_SURE { Vec::new() } else { self.tokens.words(&best.1) })
    }
}

/// How sure the model is of a hearing: the mean probability of its tokens.
fn sureness(tokens: &[(i64, f64)]) -> f64 {
    let sum: f64 = tokens.iter().map(|(_, probability)| probability.max(1e-9).ln()).sum();
    if tokens.is_empty() { 0.0 } else { (sum / tokens.len() as f64).exp() }
}

impl Transcribe for Moonshine {
    fn languages(&self) -> Vec<String> {
        vec![LANGUAGE.to_owned()]
    }

    fn transcribe(&self, sound: &Sound, _language: Option<&str>) -> Result<Heard, Error> {
        let samples = at_rate(sound, RATE)?;
        let mut words = Vec::new();
        for piece in Activity::of(&samples).pieces() {
            let heard = self.listen(&samples[piece.clone()])?;
            if heard.is_empty() {
                continue;
            }
            let texts: Vec<String> = heard.iter().map(|(text, _)| text.clone()).collect();
            let from_ms = piece.start as f64 * 1000.0 / f64::from(RATE);
            let spans = self.aligner.spans(&samples[piece], &texts);
            for ((text, confidence), span) in heard.into_iter().zip(spans) {
                words.push(Word {
                    text,
                    start_ms: from_ms + span.start_ms,
                    end_ms: from_ms + span.end_ms,
                    confidence,
                });
            }
        }
        Ok(Heard { words, language: LANGUAGE.to_owned() })
    }
}
