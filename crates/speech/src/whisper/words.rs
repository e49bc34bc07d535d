//! Groups tokens into words.

use super::native::Token;
use crate::Word;

/// Languages written without spaces. Their words are runs of characters up to this length or the next punctuation
/// mark.
const UNSPACED: [&str; 7] = ["zh", "yue", "ja", "th", "lo", "my", "km"];
const RUN: usize = 8;
/// Punctuation that ends a phrase.
const MARKS: [char; 14] = ['。', '，', '、', '！', '？', '；', '：', '.', ',', '!', '?', ';', ':', '…'];

/// The words of tokens, with ascending timings up to `length_ms`.
pub fn words(tokens: &[Token], language: &str, length_ms: f64) -> Vec<Word> {
    let unspaced = UNSPACED.contains(&language);
    let mut groups: Vec<(Vec<u8>, Vec<&Token>)> = Vec::new();
    for token in tokens {
        let begins = token.written.starts_with(b" ")
            || groups.last().is_none_or(|(written, _)| {
                unspaced && str::from_utf8(written).is_ok_and(is_whole_run) && !is_mark(&token.written)
            });
        if begins {
            groups.push((Vec::new(), Vec::new()));
        }
        if let Some((written, of_word)) = groups.last_mut() {
            written.extend(&token.written);
            of_word.push(token);
        }
    }
    let mut before: f64 = 0.0;
    let mut words = Vec::new();
    for (written, of_word) in groups {
        let text =
            String::from_utf8_lossy(&written).replace(char::REPLACEMENT_CHARACTER, "").trim().to_owned();
        if !text.contains(char::is_alphanumeric) {
            continue;
        }
        let start = of_word.first().map_or(before, |token| token.start_ms);
        let end = of_word.last().map_or(start, |token| token.end_ms);
        let start_ms = start.clamp(before, length_ms.max(before));
        let end_ms = end.clamp(start_ms, length_ms.max(start_ms));
        before = end_ms;
        words.push(Word { text, start_ms, end_ms, confidence: confidence(of_word.iter().copied()) });
    }
    words
}

/// Whether a word ends a phrase.
pub fn ends_phrase(word: &str) -> bool {
    word.ends_with(MARKS)
}

fn is_whole_run(written: &str) -> bool {
    written.chars().count() >= RUN || ends_phrase(written)
}

fn is_mark(written: &[u8]) -> bool {
    str::from_utf8(written).is_ok_and(|written| written.starts_with(MARKS))
}

/// The geometric mean of token probabilities.
pub fn confidence<'a>(tokens: impl Iterator<Item = &'a Token>) -> f64 {
    let (mut sum, mut count) = (0.0, 0);
    for token in tokens {
        sum += token.probability.max(1e-9).ln();
        count += 1;
    }
    if count == 0 { 0.0 } else { (sum / f64::from(count)).exp().clamp(0.0, 1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tokens of 100 ms each. Bytes, because a token can be a part of a character.
    fn tokens(written: &[&[u8]]) -> Vec<Token> {
        let token = |(index, written): (usize, &&[u8])| Token {
            written: written.to_vec(),
            probability: 0.5,
            start_ms: index as f64 * 100.0,
            end_ms: index as f64 * 100.0 + 90.0,
        };
        written.iter().enumerate().map(token).collect()
    }

    fn shown(written: &[&[u8]], language: &str) -> Vec<(String, f64, f64)> {
        let words = words(&tokens(written), language, 10_000.0);
        words.into_iter().map(|word| (word.text, word.start_ms, word.end_ms)).collect()
    }

    #[test]
    fn words_begin_with_a_space_and_keep_their_punctuation() {
        let parts = [b" Stra".as_slice(), b"\xc3", b"\x9fe", b",", b" -", b" ja", b"!"];
        let expected = [("Straße,".to_owned(), 0.0, 390.0), ("ja!".to_owned(), 500.0, 690.0)];
        assert_eq!(shown(&parts, "de"), expected);
    }

    #[test]
    fn languages_without_spaces_are_split_at_punctuation_and_eight_characters() {
        let text = ["今日", "は", "、", "とても", "良い", "天気", "です", "ね", "。", "はい"];
        let parts: Vec<&[u8]> = text.iter().map(|part| part.as_bytes()).collect();
        let words: Vec<String> = shown(&parts, "ja").into_iter().map(|(word, ..)| word).collect();
        assert_eq!(words, ["今日は、", "とても良い天気です", "ね。", "はい"]);
        assert_eq!(shown(&parts, "de").len(), 1);
    }

    #[test]
    fn timings_ascend_within_the_audio() {
        let mut said = tokens(&[b" one", b" two", b" three"]);
        (said[1].start_ms, said[1].end_ms) = (-30.0, -20.0);
        said[2].end_ms = 5_000.0;
        let words = words(&said, "en", 250.0);
        let times: Vec<_> = words.iter().map(|word| (word.start_ms, word.end_ms)).collect();
        assert_eq!(times, [(0.0, 90.0), (90.0, 90.0), (200.0, 250.0)]);
        assert!((words[0].confidence - 0.5).abs() < 1e-9);
    }
}
