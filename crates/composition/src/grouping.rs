//! Groups timed words into captions, split at pauses.

use unicode_segmentation::UnicodeSegmentation;

use crate::caption::{Caption, CaptionWord};

/// Milliseconds of silence that end a caption, and the longest one.
const PAUSE: f64 = 500.0;
const LONGEST: f64 = 3500.0;

/// What a caption made of a list of words holds at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaptionRoom {
    pub words: usize,
    /// With the spaces between words.
    pub characters: usize,
}

impl CaptionRoom {
    /// Room on a canvas: less where it is higher than wide.
    pub fn on_canvas(width: f64, height: f64) -> Self {
        if height > width { Self { words: 4, characters: 22 } } else { Self { words: 7, characters: 42 } }
    }
}

/// Captions of words in the order they are spoken: a new one after the end of a sentence, after a pause, and when the
/// room or the time of one is up. The last word of a sentence is not left alone where the caption before can spare one.
pub fn group_words(words: &[CaptionWord], room: CaptionRoom) -> Vec<Caption> {
    let mut captions: Vec<Caption> = Vec::new();
    for word in words {
        let text = word.word.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.is_empty() {
            continue;
        }
        let word = CaptionWord { word: text, ..word.clone() };
        match captions.last_mut().filter(|caption| goes_on_with(caption, &word, room)) {
            Some(caption) => {
                caption.text = format!("{} {}", caption.text, word.word);
                caption.end_ms = caption.end_ms.max(word.end_ms);
                caption.words.push(word);
            }
            None => {
                rescue_last_word(&mut captions, room);
                captions.push(caption_of(vec![word]));
            }
        }
    }
    rescue_last_word(&mut captions, room);
    captions
}

fn caption_of(words: Vec<CaptionWord>) -> Caption {
    Caption {
        text: words.iter().map(|word| word.word.as_str()).collect::<Vec<_>>().join(" "),
        start_ms: words.first().map_or(0.0, |word| word.start_ms),
        end_ms: words.iter().map(|word| word.end_ms).fold(f64::NEG_INFINITY, f64::max),
        words,
        ..Caption::default()
    }
}

/// Where the last caption is one word that goes on the sentence before it, it gets the last word of that caption too.
fn rescue_last_word(captions: &mut [Caption], room: CaptionRoom) {
    let [.., before, last] = captions else { return };
    let [word] = &last.words[..] else { return };
    let goes_on = !ends_sentence(&before.text) && word.start_ms - before.end_ms <= PAUSE;
    let [kept @ .., moved] = &before.words[..] else { return };
    if !goes_on || kept.len() < 2 || !goes_on_with(&caption_of(vec![moved.clone()]), word, room) {
        return;
    }
    (*before, *last) = (caption_of(kept.to_vec()), caption_of(vec![moved.clone(), word.clone()]));
}

/// Whether a word belongs to the caption before it.
fn goes_on_with(caption: &Caption, word: &CaptionWord, room: CaptionRoom) -> bool {
    let characters = |text: &str| text.graphemes(true).count();
    !ends_sentence(&caption.text)
        && word.start_ms - caption.end_ms <= PAUSE
        && word.end_ms - caption.start_ms <= LONGEST
        && caption.words.len() < room.words
        && characters(&caption.text) + 1 + characters(&word.word) <= room.characters
}

/// Whether a sentence is over, quotes and brackets closed behind it.
fn ends_sentence(text: &str) -> bool {
    let closing = ['"', '\'', ')', ']', '”', '’', '»', '」', '』'];
    text.trim_end_matches(closing).ends_with(['.', '!', '?', '…', '。', '！', '？', '؟', '।'])
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDE: CaptionRoom = CaptionRoom { words: 7, characters: 42 };

    /// Words of 200 ms each, a blank between them; `|` stands for a second of silence.
    fn spoken(text: &str) -> Vec<CaptionWord> {
        let mut at = 0.0;
        let mut words = Vec::new();
        for word in text.split(' ') {
            if word == "|" {
                at += 1000.0;
                continue;
            }
            words.push(CaptionWord {
                word: word.to_owned(),
                start_ms: at,
                end_ms: at + 200.0,
                ..CaptionWord::default()
            });
            at += 200.0;
        }
        words
    }

    fn grouped(text: &str, room: CaptionRoom) -> Vec<String> {
        group_words(&spoken(text), room).into_iter().map(|caption| caption.text).collect()
    }

    #[test]
    fn captions_end_with_sentences_and_pauses() {
        let said = "Well, hello. \"Who's there?\" It's | me again";
        assert_eq!(grouped(said, WIDE), ["Well, hello.", "\"Who's there?\"", "It's", "me again"]);
    }

    #[test]
    fn captions_hold_seven_words_or_four_on_portrait_films() {
        let said = "a b c d e f g h i";
        assert_eq!(grouped(said, CaptionRoom::on_canvas(1920.0, 1080.0)), ["a b c d e f g", "h i"]);
        assert_eq!(grouped(said, CaptionRoom::on_canvas(1080.0, 1920.0)), ["a b c d", "e f g", "h i"]);
    }

    #[test]
    fn the_last_word_of_a_sentence_is_not_left_alone() {
        let said = "one two three four five six seven eight. Yes. one two three four five six seven | eight";
        let portrait = CaptionRoom::on_canvas(1080.0, 1920.0);
        assert_eq!(
            grouped(said, WIDE),
            [
                "one two three four five six",
                "seven eight.",
                "Yes.",
                "one two three four five six seven",
                "eight"
            ]
        );
        assert_eq!(grouped("a b c d e. f", portrait), ["a b c", "d e.", "f"]);
        let captions = group_words(&spoken("a b c d e"), portrait);
        let times: Vec<_> = captions.iter().map(|c| (c.start_ms, c.end_ms)).collect();
        assert_eq!(times, [(0.0, 600.0), (600.0, 1000.0)]);
        let wide = "incomprehensibly";
        assert_eq!(
            grouped(&format!("a b {wide} {wide}"), portrait),
            [format!("a b {wide}"), wide.to_owned()]
        );
    }

    #[test]
    fn captions_hold_forty_two_characters_as_readers_count_them() {
        let flags = "🇩🇪".repeat(20);
        assert_eq!(grouped(&format!("{flags} {flags} x"), WIDE).len(), 2, "41 characters, then one");
        assert_eq!(grouped(&format!("{flags} {flags}1 x"), WIDE)[0], format!("{flags} {flags}1"));
        assert_eq!(grouped("incomprehensibilities", CaptionRoom { words: 4, characters: 10 }).len(), 1);
    }

    #[test]
    fn captions_last_three_and_a_half_seconds() {
        let mut words = spoken("one two three");
        (words[1].end_ms, words[2].start_ms, words[2].end_ms) = (3500.0, 3500.0, 3600.0);
        let captions = group_words(&words, WIDE);
        let times: Vec<_> = captions.iter().map(|c| (c.start_ms, c.end_ms, c.words.len())).collect();
        assert_eq!(times, [(0.0, 3500.0, 2), (3500.0, 3600.0, 1)]);
    }

    #[test]
    fn blank_words_are_left_out_and_spaces_trimmed() {
        let mut words = spoken("one two");
        words[0].word = " one\n".into();
        words[1].word = " ".into();
        let captions = group_words(&words, WIDE);
        assert_eq!(captions.len(), 1);
        assert_eq!((captions[0].text.as_str(), captions[0].words[0].word.as_str()), ("one", "one"));
    }
}
