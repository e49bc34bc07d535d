//! Forced alignment: timings of known words, found by pocketsphinx if it and its English model are installed.
//! Otherwise, or if the audio does not match the words, active time is divided by the number of letters.

mod sphinx;

use std::sync::{Arc, Mutex, PoisonError};

use self::sphinx::Sphinx;
use crate::activity::{Activity, RATE};
pub use crate::confined::Span;
use crate::{Confined, english, flite};

/// Words per pronunciation request to flite.
const ASKED: usize = 40;
/// Confidence of a word that was not aligned.
pub const ESTIMATED_CONFIDENCE: f64 = 0.3;

/// A spoken word with its pronunciation in CMU phones, for words that are not in the dictionary.
#[derive(Debug, Clone, PartialEq)]
pub struct Pronounced {
    pub name: String,
    pub phones: Option<String>,
}

pub struct Aligner {
    sphinx: Option<Mutex<Sphinx>>,
    flite: Option<flite::Shared>,
    /// Aligns instead of the libraries, which this process never gives any input then.
    confined: Option<Arc<dyn Confined>>,
}

impl Aligner {
    /// Opens the aligner with the installed libraries.
    pub fn open(flite: Option<flite::Shared>) -> Self {
        Self { sphinx: Sphinx::open().map(Mutex::new), flite, confined: None }
    }

    /// An aligner that asks another process, if the libraries are installed.
    pub fn elsewhere(confined: Arc<dyn Confined>) -> Self {
        Self { sphinx: Sphinx::open().map(Mutex::new), flite: None, confined: Some(confined) }
    }

    /// Whether forced alignment is available.
    pub fn finds(&self) -> bool {
        self.sphinx.is_some()
    }

    /// The timings of words in samples at [`RATE`], one span each, in order.
    pub fn spans(&self, samples: &[f32], words: &[String]) -> Vec<Span> {
        self.found(samples, words).unwrap_or_else(|| guessed(samples, words))
    }

    /// The same, or `None` if forced alignment fails.
    pub fn found(&self, samples: &[f32], words: &[String]) -> Option<Vec<Span>> {
        let sphinx = self.sphinx.as_ref()?;
        if let Some(confined) = &self.confined {
            // What the other process says is not trusted to fit.
            return confined.align(samples, words).filter(|spans| spans.len() == words.len());
        }
        let spoken = self.pronounce(words);
        let line: Vec<Pronounced> = spoken.iter().flatten().cloned().collect();
        let times = sphinx.lock().unwrap_or_else(PoisonError::into_inner).times(samples, &line)?;
        let mut times = times.into_iter();
        let spans = spoken.iter().map(|said| {
            let of_word: Vec<(f64, f64)> = times.by_ref().take(said.len()).collect();
            Some((of_word.first()?.0, of_word.last()?.1))
        });
        let spans: Vec<Option<(f64, f64)>> = spans.collect();
        Some(fill(&spans, samples.len() as f64 * 1000.0 / f64::from(RATE)))
    }

    /// The spoken words for each word.
    fn pronounce(&self, words: &[String]) -> Vec<Vec<Pronounced>> {
        words.chunks(ASKED).flat_map(|words| self.pronounce_some(words)).collect()
    }

    fn pronounce_some(&self, words: &[String]) -> Vec<Vec<Pronounced>> {
        let tokens: Vec<Vec<String>> = words.iter().map(|word| english::spoken(word)).collect();
        let line: Vec<&str> = tokens.iter().flatten().map(String::as_str).collect();
        let said = self.flite.as_ref().filter(|_| !line.is_empty()).and_then(|flite| {
            let said =
                flite.lock().unwrap_or_else(PoisonError::into_inner).pronounce(&line.join(" ")).ok()?;
            (said.len() == line.len()).then_some(said)
        });
        let Some(said) = said else {
            let plain = |token: &String| Pronounced { name: bare(token), phones: None };
            return tokens.iter().map(|tokens| tokens.iter().map(plain).collect()).collect();
        };
        let mut said = said.into_iter();
        let pronounced = |word: flite::SpokenWord| {
            let phones: Vec<String> = word.phones.iter().map(|phone| cmu_phone(phone)).collect();
            Pronounced { name: bare(&word.name), phones: Some(phones.join(" ")) }
        };
        tokens
            .iter()
            .map(|tokens| said.by_ref().take(tokens.len()).flatten().map(pronounced).collect())
            .collect()
    }
}

/// A word as spelled in the dictionary.
fn bare(token: &str) -> String {
    token.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '\'').collect::<String>().to_ascii_lowercase()
}

/// The CMU phone for a flite phone.
fn cmu_phone(phone: &str) -> String {
    match phone {
        "ax" => "AH".to_owned(),
        "axr" => "ER".to_owned(),
        _ => phone.trim_end_matches(|c: char| c.is_ascii_digit()).to_ascii_uppercase(),
    }
}

/// Spans for all words. Unspoken words share the time between their neighbours.
fn fill(spans: &[Option<(f64, f64)>], length_ms: f64) -> Vec<Span> {
    let mut filled = Vec::with_capacity(spans.len());
    let mut before = 0.0;
    for (index, span) in spans.iter().enumerate() {
        let (start_ms, end_ms) = span.unwrap_or_else(|| {
            let next = spans[index..].iter().flatten().next().map_or(length_ms, |span| span.0);
            let left = spans[index..].iter().take_while(|span| span.is_none()).count();
            (before, before + (next - before).max(0.0) / left as f64)
        });
        before = end_ms;
        filled.push(Span { start_ms, end_ms, found: span.is_some() });
    }
    filled
}

/// Estimated spans: time is divided by the number of letters, plus a constant per word.
pub fn guessed(samples: &[f32], words: &[String]) -> Vec<Span> {
    let share = |word: &String| word.chars().filter(|c| c.is_alphanumeric()).count() as f64 + 1.5;
    let shares: Vec<f64> = words.iter().map(share).collect();
    let span = |(start_ms, end_ms)| Span { start_ms, end_ms, found: false };
    Activity::of(samples).divide(&shares).into_iter().map(span).collect()
}
