//! A caption and its timed words.

use rondo_fields::{list, number, object, record, text};

use crate::limits::MOST_CONTENT;

/// Milliseconds reach as far as frames do.
const LAST_MS: f64 = 1e10;

record! {
    /// One caption. Times are milliseconds from the start of the overlay.
    pub struct Caption {
        /// The whole text.
        text: required String => "text", text().at_most(MOST_CONTENT);
        /// When it appears.
        start_ms: required f64 => "startMs", number().between(-LAST_MS, LAST_MS);
        /// When it goes.
        end_ms: required f64 => "endMs", number().between(-LAST_MS, LAST_MS);
        /// The words with their times. When empty, the text is spread over the caption's time.
        words: required Vec<CaptionWord> => "words", list(object());
        /// Time noted by a transcription. Does not change the film.
        timestamp_ms: optional f64 => "timestampMs", number().between(-LAST_MS, LAST_MS);
        /// Confidence of a transcription. Does not change the film.
        confidence: optional f64 => "confidence", number();
    }
}

record! {
    /// One word of a caption.
    pub struct CaptionWord {
        /// The word.
        word: required String => "word", text().at_most(MOST_CONTENT);
        /// When it is spoken.
        start_ms: required f64 => "startMs", number().between(-LAST_MS, LAST_MS);
        /// When it ends.
        end_ms: required f64 => "endMs", number().between(-LAST_MS, LAST_MS);
        /// Confidence of a transcription. Does not change the film.
        confidence: required f64 => "confidence", number();
    }
}

impl Caption {
    /// How many words the caption shows.
    pub fn word_count(&self) -> usize {
        if self.words.is_empty() { self.text.split_whitespace().count() } else { self.words.len() }
    }
}
