//! Splits a text into words, pauses and sentences for narration. XML and SSML tags are not spoken.

use std::ops::Range;

/// The maximum length of a text.
pub const MAX_CHARACTERS: usize = 10_000;
/// The maximum length of a requested pause.
const LONGEST_PAUSE_MS: f64 = 5_000.0;
/// Longer tags are treated as text.
const LONGEST_TAG: usize = 500;
/// Longer sentences are split: words and characters.
const LONGEST_PART: (usize, usize) = (40, 300);

/// A word of a text.
#[derive(Debug, Clone, PartialEq)]
pub struct ScriptWord {
    /// As written, including punctuation.
    pub text: String,
    /// The pause requested before the word.
    pub pause_ms: f64,
    /// Whether the word begins a paragraph.
    pub paragraph: bool,
}

/// The boundary before a part of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Joint {
    /// The first part.
    Beginning,
    /// Within a long sentence.
    Phrase,
    Sentence,
    Paragraph,
}

impl Joint {
    /// The length of the pause at the boundary.
    pub fn pause_ms(self) -> f64 {
        match self {
            Self::Beginning => 0.0,
            Self::Phrase => 120.0,
            Self::Sentence => 380.0,
            Self::Paragraph => 650.0,
        }
    }
}

/// Words that are synthesized together.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    pub words: Range<usize>,
    pub joint: Joint,
}

/// The words of a text, without tags, control characters and invisible characters.
pub fn words(text: &str) -> Vec<ScriptWord> {
    let mut reader = Reader::default();
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let taken = match character {
            '<' => reader.tag(rest),
            '&' => reader.entity(rest),
            _ => None,
        };
        let taken = taken.unwrap_or_else(|| {
            reader.character(character);
            character.len_utf8()
        });
        rest = &rest[taken..];
    }
    reader.end_word();
    reader.words
}

#[derive(Default)]
struct Reader {
    words: Vec<ScriptWord>,
    word: String,
    pause_ms: f64,
    line_ends: usize,
}

impl Reader {
    fn character(&mut self, character: char) {
        if character.is_whitespace() {
            self.end_word();
            self.line_ends += usize::from(matches!(character, '\n' | '\u{2028}' | '\u{2029}'));
        } else if !character.is_control() && !is_invisible(character) {
            self.word.push(character);
        }
    }

    fn end_word(&mut self) {
        if self.word.is_empty() {
            return;
        }
        let paragraph = self.line_ends > 1 && !self.words.is_empty();
        self.words.push(ScriptWord {
            text: std::mem::take(&mut self.word),
            pause_ms: self.pause_ms,
            paragraph,
        });
        self.pause_ms = 0.0;
        self.line_ends = 0;
    }

    /// Reads a tag and returns its length. `None` if this is not a tag.
    fn tag(&mut self, rest: &str) -> Option<usize> {
        let inside = rest.strip_prefix('<')?;
        let end = inside.char_indices().take(LONGEST_TAG).find(|&(_, c)| c == '>' || c == '<')?;
        if end.1 != '>' || !inside.starts_with(|c: char| c.is_ascii_alphabetic() || "/!?".contains(c)) {
            return None;
        }
        let tag = &inside[..end.0];
        let name: String =
            tag.chars().skip_while(|c| *c == '/').take_while(|c| c.is_ascii_alphanumeric()).collect();
        match name.to_ascii_lowercase().as_str() {
            "break" => {
                self.end_word();
                self.pause_ms = (self.pause_ms + break_ms(tag)).min(LONGEST_PAUSE_MS);
            }
            "p" => {
                self.end_word();
                self.line_ends = 2;
            }
            "s" | "speak" | "br" | "div" => self.end_word(),
            _ => {}
        }
        Some(end.0 + 2)
    }

    fn entity(&mut self, rest: &str) -> Option<usize> {
        const ENTITIES: [(&str, char); 6] = [
            ("&amp;", '&'),
            ("&lt;", '<'),
            ("&gt;", '>'),
            ("&quot;", '"'),
            ("&apos;", '\''),
            ("&nbsp;", ' '),
        ];
        let (entity, character) = ENTITIES.into_iter().find(|(entity, _)| rest.starts_with(entity))?;
        self.character(character);
        Some(entity.len())
    }
}

/// The length of a `break` tag: its time, or the length of its strength.
fn break_ms(tag: &str) -> f64 {
    let attribute = |name: &str| {
        let value = tag.split_once(name)?.1.trim_start().strip_prefix('=')?.trim_start();
        Some(value.trim_start_matches(['"', '\'']).split(['"', '\'', ' ', '/']).next()?.to_ascii_lowercase())
    };
    if let Some(time) = attribute("time") {
        let number = time.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let scale = if time.ends_with("ms") { 1.0 } else { 1000.0 };
        return number
            .parse::<f64>()
            .ok()
            .filter(|n| n.is_finite() && *n >= 0.0)
            .map_or(500.0, |n| n * scale);
    }
    match attribute("strength").as_deref() {
        Some("none") => 0.0,
        Some("x-weak") => 120.0,
        Some("weak") => 250.0,
        Some("strong") => 750.0,
        Some("x-strong") => 1200.0,
        _ => 500.0,
    }
}

/// Characters without width: zero-width characters, direction marks, variation selectors.
fn is_invisible(character: char) -> bool {
    matches!(character, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// The parts of a text, in order: sentences, and parts of very long sentences. `all` are its words.
pub fn parts(all: &[ScriptWord]) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut first = 0;
    let mut joint = Joint::Beginning;
    while first < all.len() {
        let (end, next) = part_end(&all[first..]);
        parts.push(Part { words: first..first + end, joint });
        first += end;
        joint = match all.get(first) {
            Some(word) if word.paragraph => Joint::Paragraph,
            _ => next,
        };
    }
    parts
}

/// The end of the first part of these words, and the boundary after it.
fn part_end(words: &[ScriptWord]) -> (usize, Joint) {
    let (most_words, most_characters) = LONGEST_PART;
    let mut characters = 0;
    let mut comma = None;
    for (index, word) in words.iter().enumerate() {
        if index > 0 && (word.paragraph || word.pause_ms > 0.0) {
            return (index, Joint::Sentence);
        }
        characters += word.text.chars().count() + 1;
        if index > 0 && (index >= most_words || characters > most_characters) {
            return (comma.unwrap_or(index), Joint::Phrase);
        }
        if ends_sentence(&word.text) {
            return (index + 1, Joint::Sentence);
        }
        if word.text.ends_with([',', ';', ':', '，', '、', '；', '：']) && index >= 5 {
            comma = Some(index + 1);
        }
    }
    (words.len(), Joint::Sentence)
}

fn ends_sentence(word: &str) -> bool {
    const ABBREVIATIONS: [&str; 22] = [
        "mr.", "mrs.", "ms.", "dr.", "prof.", "st.", "vs.", "etc.", "e.g.", "i.e.", "no.", "jr.", "sr.",
        "inc.", "ltd.", "co.", "approx.", "dept.", "est.", "fig.", "gen.", "sgt.",
    ];
    let bare = word.trim_end_matches(['"', '\'', '”', '’', '»', ')', ']', '}']);
    if bare.ends_with(['!', '?', '…', '。', '！', '？', '।', '؟']) {
        return true;
    }
    let initial = bare.chars().count() == 2 && bare.starts_with(char::is_uppercase);
    bare.ends_with('.') && !initial && !ABBREVIATIONS.contains(&bare.to_lowercase().as_str())
}
