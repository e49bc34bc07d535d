//! What an English voice is given for a word: plain letters, digits and the punctuation that shapes a sentence.

use unicode_normalization::UnicodeNormalization;

/// Runs of letters or digits are spoken in parts of this length, up to so many.
const LONGEST_RUN: usize = 24;
const MOST_RUNS: usize = 8;
/// Punctuation a voice takes for a pause or the end of a sentence.
const PAUSING: [char; 6] = [',', '.', ';', ':', '!', '?'];

/// The plain words spoken for one written word, empty where nothing of it can be spoken. All ASCII, each with a letter or digit.
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
        if spoken.len() >= MOST_RUNS {
            break;
        }
    }
    spoken.truncate(MOST_RUNS);
    spoken
}

/// Whether a word that is not spoken itself is a pause between others, as a dash is.
pub fn is_pause(word: &str) -> bool {
    word.contains(['–', '—', '―', '-', '…', ',', ';', ':']) && spoken(word).is_empty()
}

/// ASCII for what has an ASCII form: quotes, dashes, accents, ligatures, fractions, wide letters. The rest becomes spaces.
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

/// Replaces signs by the words people say for them.
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

/// Whether the dot stands between two longer runs of letters, as in a name of the web.
fn is_address(signs: &[char], dot: usize) -> bool {
    let run =
        |letters: &mut dyn Iterator<Item = &char>| letters.take_while(|c| c.is_ascii_alphanumeric()).count();
    run(&mut signs[..dot].iter().rev()) > 1 && run(&mut signs[dot + 1..].iter()) > 1
}

/// A plain word in parts that an engine takes.
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
    fn signs_become_the_words_people_say() {
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
    fn an_engine_gets_short_plain_words() {
        for word in ["a".repeat(9_000), "a-".repeat(4_000), "é".repeat(5_000), "1".repeat(5_000)] {
            let spoken = spoken(&word);
            assert!(!spoken.is_empty() && spoken.len() <= MOST_RUNS);
            assert!(spoken.iter().all(|part| part.is_ascii() && part.len() <= 2 * LONGEST_RUN), "{spoken:?}");
        }
    }
}
