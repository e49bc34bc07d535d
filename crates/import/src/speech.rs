//! Narration and captions that another service would generate. A composition gets a variable in their place.

use rondo_composition::{Caption, CaptionRoom, CaptionWord, group_words, subtitles};
use serde_json::{Value, json};

use crate::film::Overlay;
use crate::notes::Notes;

/// A narration: a sound without a source, which is a variable. The text to speak is its label.
pub fn narration(text: &str, name: String, path: &str, notes: &Notes) -> Overlay {
    let mut overlay = Overlay::new("sound", path);
    overlay.field("src", "");
    overlay.field("content", text);
    let message = format!(
        "Generate the narration with `rondo say` or POST /ai/voiceover, and set `{name}` to its address; or send a \
         `tts` value for `{name}` with a template or project. Its text is the `content` of the sound."
    );
    notes.media_needed(path, message);
    overlay.variable = Some(name);
    overlay
}

/// A captions overlay without captions, which is a variable.
pub fn captions_to_come(name: String, what: &str, path: &str, notes: &Notes) -> Overlay {
    let mut overlay = Overlay::new("caption", path);
    overlay.field("captions", json!([]));
    notes.media_needed(
        path,
        format!("{what} Set `{name}` to SRT or WebVTT text, or send a `transcribe` value for it."),
    );
    overlay.variable = Some(name);
    overlay
}

/// A captions overlay with captions that are known, moved by `-trim` seconds and played at a speed.
pub fn captions(captions: &[Caption], path: &str, trim: f64, speed: f64) -> Overlay {
    let mut overlay = Overlay::new("caption", path);
    let ms = |ms: f64| ((ms - trim * 1000.0) / speed).round();
    let word = |word: &CaptionWord| json!({"word": word.word, "startMs": ms(word.start_ms), "endMs": ms(word.end_ms), "confidence": 1});
    let captions: Vec<Value> = captions
        .iter()
        .map(|caption| {
            let words: Vec<Value> = caption.words.iter().map(word).collect();
            json!({"text": caption.text, "startMs": ms(caption.start_ms), "endMs": ms(caption.end_ms), "words": words})
        })
        .collect();
    overlay.field("captions", captions);
    overlay
}

/// Captions of SRT or WebVTT text.
pub fn parsed(text: &str) -> Option<Vec<Caption>> {
    text.contains("-->").then(|| subtitles::parse(text)).flatten()
}

/// Captions of words with times in seconds.
pub fn grouped(words: &[(String, f64, f64)], room: CaptionRoom) -> Vec<Caption> {
    let word = |(word, start, end): &(String, f64, f64)| CaptionWord {
        word: word.clone(),
        start_ms: start * 1000.0,
        end_ms: end * 1000.0,
        confidence: 1.0,
    };
    group_words(&words.iter().map(word).collect::<Vec<_>>(), room)
}

/// Seconds that a text takes to speak, at about 160 words a minute.
pub fn spoken_seconds(text: &str) -> f64 {
    (text.split_whitespace().count() as f64 * 0.375).clamp(1.0, 3600.0).ceil()
}
