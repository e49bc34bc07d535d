//! Text normalization for English voices: ASCII letters, digits and sentence punctuation.

use unicode_normalization::UnicodeNormalization;

/// Longer runs of letters or digits are split, into at most this many.
const LONGEST_RUN: usize = 24;
const MAX_RUNS: usize = 8;
/// Punctuation that makes a pause or ends a sentence.
const PAUSING: [char; 6] = [',', '.', ';', ':', '!', '?'];

/// The words spoken for one written word, all ASCII and with a letter or digit. Empty if nothing can be spoken.
pub fn spoken(word: &str) -> Vec<String> {
    let plain = words_for_signs(&fold(word));
    let mut spoken: Vec<String> = Vec::new();
    for part in plain.split(' ') {
        if part.contains(|c: char| c.is_ascii_alphanumeric()) {
            spoken.extend(bounded(part));
        } else if let (Some(last), Some(mark)) =
            (spoken.last_mut(), part.chars().find(|c| PAUSING.contains(c)))
        {
            last.push(mark);
        }
        if spoken.len() >= MAX_RUNS {
            break;
        }
    }
    spoken.truncate(MAX_RUNS);
    spoken
}

/// Whether an unspoken word is a pause, such as a dash.
pub fn is_pause(word: &str) -> bool {
    word.contains(['–', '—', '―', '-', '…', ',', ';', ':']) && spoken(word).is_empty()
}

/// Folds quotes, dashes, accents, ligatures, fractions and wide letters to ASCII. Other characters become spaces.
fn fold(word: &str) -> String {
    let mut folded = String::new();
    let mut characters = word.nfkd().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\'' | '’' | '‘' | 'ʼ' | '′' => folded.push('\''),
            '-' | '‐' | '‑' | '−' => folded.push('-'),
            '–' if folded.ends_with(|c: char| c.is_ascii_digit())
                && characters.peek().is_some_and(char::is_ascii_digit) =>
            {
                folded.push_str(" to ");
            }
            '–' | '—' | '―' => folded.push_str(", "),
            '⁄' | '/' => folded.push('/'),
            '×' => folded.push_str(" times "),
            '÷' => folded.push_str(" divided by "),
            '±' => folded.push_str(" plus or minus "),
            '°' => folded.push_str(" degrees "),
            '€' => folded.push('€'),
            '£' => folded.push('£'),
            '¥' => folded.push('¥'),
            '¢' => folded.push_str(" cents "),
            '©' => folded.push_str(" copyright "),
            'ß' => folded.push_str("ss"),
            'æ' => folded.push_str("ae"),
            'Æ' => folded.push_str("AE"),
            'œ' => folded.push_str("oe"),
            'Œ' => folded.push_str("OE"),
            'ø' | 'Ø' => folded.push('o'),
            'đ' | 'ð' | 'Ð' => folded.push('d'),
            'ł' | 'Ł' => folded.push('l'),
            'þ' | 'Þ' => folded.push_str("th"),
            'ı' => folded.push('i'),
            'µ' | 'μ' => folded.push_str("micro"),
            _ if character.is_ascii_graphic() => folded.push(character),
            _ if ('\u{300}'..='\u{36f}').contains(&character) => {}
            _ => folded.push(' '),
        }
    }
    folded
}

/// Replaces symbols by spoken words.
fn words_for_signs(folded: &str) -> String {
    let signs: Vec<char> = folded.chars().collect();
    let letter = |index: Option<usize>| {
        index.and_then(|index| signs.get(index)).is_some_and(char::is_ascii_alphabetic)
    };
    let digit =
        |index: Option<usize>| index.and_then(|index| signs.get(index)).is_some_and(char::is_ascii_digit);
    let mut said = String::new();
    let mut currency = "";
    for (index, &sign) in signs.iter().enumerate() {
        let (before, after) = (index.checked_sub(1), Some(index + 1));
        let word = match sign {
            '&' => " and ",
            '@' => " at ",
            '+' => " plus ",
            '=' => " equals ",
            '~' if digit(after) => " about ",
            '#' if digit(after) => " number ",
            '#' if letter(after) => " hashtag ",
            '<' if digit(after) => " less than ",
            '>' if digit(after) => " more than ",
            '%' => " percent ",
            '/' if digit(before) && digit(after) => "/",
            '.' if letter(before) && letter(after) && is_address(&signs, index) => " dot ",
            '€' if digit(after) => {
                currency = " euros ";
                ""
            }
            '£' if digit(after) => {
                currency = " pounds ";
                ""
            }
            '¥' if digit(after) => {
                currency = " yen ";
                ""
            }
            '€' => " euros ",
            '£' => " pounds ",
            '¥' => " yen ",
            '$' if !digit(after) => " dollars ",
            '-' if digit(after) && !digit(before) && !letter(before) => " minus ",
            '_' | '*' | '^' | '\\' | '|' | '<' | '>' | '{' | '}' | '[' | ']' | '(' | ')' | '`' | '"'
            | '~' | '#' | '/' => " ",
            _ => {
                said.push(sign);
                ""
            }
        };
        said.push_str(word);
        let number_goes_on =
            digit(after) || (matches!(signs.get(index + 1), Some('.' | ',')) && digit(Some(index + 2)));
        if !currency.is_empty() && sign.is_ascii_digit() && !number_goes_on {
            said.push_str(std::mem::take(&mut currency));
        }
    }
    said
}

/// Whether the dot is between two runs of letters, as in a domain name.
fn is_address(signs: &[char], dot: usize) -> bool {
    let run =
        |letters: &mut dyn Iterator<Item = &char>| letters.take_while(|c| c.is_ascii_alphanumeric()).count();
    run(&mut signs[..dot].iter().rev()) > 1 && run(&mut signs[dot + 1..].iter()) > 1
}

/// Splits a word into lengths that the engine accepts.
fn bounded(part: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut run = 0;
    for character in part.chars() {
        run = if character.is_ascii_alphanumeric() { run + 1 } else { 0 };
        if run > LONGEST_RUN || parts.last().is_some_and(|last| last.len() >= 2 * LONGEST_RUN) {
            parts.push(String::new());
            run = 1;
        }
        if let Some(last) = parts.last_mut() {
            last.push(character);
        }
    }
    parts.retain(|part| part.contains(|c: char| c.is_ascii_alphanumeric()));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_become_words() {
        let cases = [
            ("“Café”,", "Cafe ,"),
            ("€5.50", "5.50 euros"),
            ("£3!", "3 pounds!"),
            ("$100", "$100"),
            ("AT&T", "AT and T"),
            ("50%.", "50 percent."),
            ("#1", "number 1"),
            ("#rust", "hashtag rust"),
            ("ann@example.com", "ann at example dot com"),
            ("e.g.", "e.g."),
            ("1914–1918", "1914 to 1918"),
            ("wait—what?", "wait, what?"),
            ("½", "1/2"),
            ("-5°C", "minus 5 degrees C"),
            ("and/or", "and or"),
            ("ﬁne", "fine"),
            ("don’t", "don't"),
            ("😀", ""),
            ("Привет", ""),
        ];
        for (word, said) in cases {
            assert_eq!(spoken(word).join(" "), said.replace(" ,", ","), "{word}");
        }
    }

    #[test]
    fn words_are_ascii_and_bounded() {
        for word in ["a".repeat(9_000), "a-".repeat(4_000), "é".repeat(5_000), "1".repeat(5_000)] {
            let spoken = spoken(&word);
            assert!(!spoken.is_empty() && spoken.len() <= MAX_RUNS);
            assert!(spoken.iter().all(|part| part.is_ascii() && part.len() <= 2 * LONGEST_RUN), "{spoken:?}");
        }
    }
}
