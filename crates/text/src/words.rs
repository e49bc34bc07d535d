//! Words of scripts that put no spaces between them. Their lines break where Chromium breaks them: between words of a
//! dictionary, of several choices the one after which further words follow.

use std::ops::RangeInclusive;

use crate::dictionary::{Dictionary, Found};

type Ranges = &'static [RangeInclusive<char>];

struct Script {
    /// The file with its dictionary.
    file: &'static str,
    /// The character that letters are counted from.
    first: char,
    /// Characters whose lines are broken with a dictionary: the class SA of Unicode's line breaking.
    letters: Ranges,
    /// Those of them that no line begins with.
    marks: Ranges,
    /// Letters that an unknown word can begin with, and those it cannot end with.
    beginnings: Ranges,
    never_last: Ranges,
    /// Fewer letters than these are not broken.
    least: usize,
    /// What follows a word and is none belongs to it, unless the word has as many letters as the first number, or what
    /// follows begins like a word for as many as the second.
    whole: (usize, usize),
    /// Signs that belong to the word before them: one at the end of it, then one that repeats it.
    signs: Option<[char; 2]>,
}

/// Number of scripts with a dictionary.
pub(crate) const SCRIPTS: usize = 4;

static TABLE: [Script; SCRIPTS] = [
    Script {
        file: "dictionaries/burmese.bin",
        first: '\u{1000}',
        letters: &[
            '\u{1000}'..='\u{103f}',
            '\u{1050}'..='\u{108f}',
            '\u{109a}'..='\u{109f}',
            '\u{a9e0}'..='\u{a9ef}',
            '\u{a9fa}'..='\u{a9fe}',
            '\u{aa60}'..='\u{aa7f}',
        ],
        marks: &[
            '\u{102b}'..='\u{103e}',
            '\u{1056}'..='\u{1059}',
            '\u{105e}'..='\u{1060}',
            '\u{1062}'..='\u{1064}',
            '\u{1067}'..='\u{106d}',
            '\u{1071}'..='\u{1074}',
            '\u{1082}'..='\u{108d}',
            '\u{108f}'..='\u{108f}',
            '\u{109a}'..='\u{109d}',
            '\u{a9e5}'..='\u{a9e5}',
            '\u{aa7b}'..='\u{aa7d}',
        ],
        beginnings: &['\u{1000}'..='\u{102a}'],
        never_last: &[],
        least: 4,
        whole: (3, 3),
        signs: None,
    },
    Script {
        file: "dictionaries/khmer.bin",
        first: '\u{1780}',
        letters: &['\u{1780}'..='\u{17d3}', '\u{17d7}'..='\u{17d7}', '\u{17dc}'..='\u{17dd}'],
        marks: &['\u{17b4}'..='\u{17d3}', '\u{17dd}'..='\u{17dd}'],
        beginnings: &['\u{1780}'..='\u{17b3}'],
        never_last: &['\u{17d2}'..='\u{17d2}'],
        least: 4,
        whole: (10, 5),
        signs: None,
    },
    Script {
        file: "dictionaries/lao.bin",
        first: '\u{e80}',
        letters: &[
            '\u{e81}'..='\u{e82}',
            '\u{e84}'..='\u{e84}',
            '\u{e86}'..='\u{e8a}',
            '\u{e8c}'..='\u{ea3}',
            '\u{ea5}'..='\u{ea5}',
            '\u{ea7}'..='\u{ebd}',
            '\u{ec0}'..='\u{ec4}',
            '\u{ec6}'..='\u{ec6}',
            '\u{ec8}'..='\u{ece}',
            '\u{edc}'..='\u{edf}',
        ],
        marks: &['\u{eb1}'..='\u{eb1}', '\u{eb4}'..='\u{ebc}', '\u{ec8}'..='\u{ece}'],
        beginnings: &['\u{e81}'..='\u{eae}', '\u{ec0}'..='\u{ec4}', '\u{edc}'..='\u{edd}'],
        never_last: &['\u{ec0}'..='\u{ec4}'],
        least: 4,
        whole: (3, 3),
        signs: None,
    },
    Script {
        file: "dictionaries/thai.bin",
        first: '\u{e00}',
        letters: &['\u{e01}'..='\u{e3a}', '\u{e40}'..='\u{e4e}'],
        marks: &['\u{e31}'..='\u{e31}', '\u{e34}'..='\u{e3a}', '\u{e47}'..='\u{e4e}'],
        beginnings: &['\u{e01}'..='\u{e2e}', '\u{e40}'..='\u{e44}'],
        never_last: &['\u{e31}'..='\u{e31}', '\u{e40}'..='\u{e44}'],
        least: 5,
        whole: (3, 3),
        signs: Some(['\u{e2f}', '\u{e46}']),
    },
];

fn contains(ranges: Ranges, ch: char) -> bool {
    ranges.iter().any(|range| range.contains(&ch))
}

/// Places in a text, in bytes, where a line may break between two words. `dictionary` looks up the one of a script, by its
/// number and its file.
pub(crate) fn word_breaks<'d>(
    text: &str,
    dictionary: impl Fn(usize, &str) -> Option<&'d Dictionary>,
) -> Vec<usize> {
    let mut breaks = Vec::new();
    if text.is_ascii() {
        return breaks;
    }
    let mut characters = text.char_indices().peekable();
    while let Some((start, ch)) = characters.next() {
        let Some(number) = TABLE.iter().position(|script| contains(script.letters, ch)) else { continue };
        let script = &TABLE[number];
        let mut run = vec![ch];
        while let Some((_, next)) = characters.next_if(|(_, next)| contains(script.letters, *next)) {
            run.push(next);
        }
        if let Some(dictionary) = dictionary(number, script.file) {
            // All of these letters are three bytes long.
            breaks.extend(split(&run, script, dictionary).into_iter().map(|end| start + 3 * end));
        }
    }
    breaks
}

/// Where the words of a run of letters end, but the last.
fn split(run: &[char], script: &Script, dictionary: &Dictionary) -> Vec<usize> {
    let mut ends = Vec::new();
    if run.len() < script.least {
        return ends;
    }
    let letter = |ch: &char| u8::try_from(u32::from(*ch).checked_sub(script.first.into())?).ok();
    let counted: Vec<Option<u8>> = run.iter().map(|ch| letter(ch).filter(|letter| *letter < 127)).collect();
    let found: Vec<Found> =
        (0..run.len()).map(|start| dictionary.find(counted[start..].iter().copied())).collect();
    let mut at = 0;
    while at < run.len() {
        let word = choose(&found, at).unwrap_or(0);
        let mut end = at + word;
        let (letters, similar) = script.whole;
        let belongs = |next: &Found| next.is_none() && (word == 0 || next.compared < similar);
        if word < letters && found.get(end).is_some_and(belongs) {
            end = next_beginning(run, script, &found, end);
        }
        while run.get(end).is_some_and(|ch| contains(script.marks, *ch)) {
            end += 1;
        }
        if let Some(signs) = script.signs
            && found.get(end).is_some_and(|next| next.is_none())
        {
            end = after_signs(run, signs, end);
        }
        ends.push(end);
        at = end;
    }
    ends.pop();
    ends
}

/// The length of the word at a place: the longest after which two more words follow, or one that ends the run. `None` if
/// there is no word.
fn choose(found: &[Found], at: usize) -> Option<usize> {
    let mut chosen = found[at].longest()?;
    if at + chosen == found.len() {
        return Some(chosen);
    }
    for length in found[at].lengths() {
        let second = at + length;
        let Some(longest) = found[second].longest() else { continue };
        chosen = length;
        if second + longest == found.len()
            || found[second].lengths().any(|next| !found[second + next].is_none())
        {
            break;
        }
    }
    Some(chosen)
}

/// Where a known word seems to begin, after letters that are none.
fn next_beginning(run: &[char], script: &Script, found: &[Found], from: usize) -> usize {
    let begins = |at: &usize| {
        !contains(script.never_last, run[at - 1])
            && contains(script.beginnings, run[*at])
            && !found[*at].is_none()
    };
    (from + 1..run.len()).find(begins).unwrap_or(run.len())
}

/// The end of a word with the signs that follow it: each of them once.
fn after_signs(run: &[char], [last, repeat]: [char; 2], mut end: usize) -> usize {
    let before = |end: usize| end.checked_sub(1).and_then(|before| run.get(before)).copied();
    if run.get(end) == Some(&last) && before(end) != Some(last) && before(end) != Some(repeat) {
        end += 1;
    }
    if run.get(end) == Some(&repeat) && before(end) != Some(repeat) {
        end += 1;
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{FontFile, FontFiles};
    use crate::dictionary::Dictionaries;

    /// A text with bars where its lines may break between words.
    fn broken(text: &str) -> String {
        let dictionaries = TABLE.each_ref().map(|script| match Dictionaries.load(script.file) {
            FontFile::Bytes(bytes) => Dictionary::read(&bytes),
            FontFile::Absent | FontFile::Awaited => panic!("{} is not there", script.file),
        });
        let mut marked = text.to_owned();
        for place in word_breaks(text, |script, _| Some(&dictionaries[script])).into_iter().rev() {
            marked.insert(place, '|');
        }
        marked
    }

    #[test]
    fn words_end_where_chromium_ends_them() {
        let expected = include_str!("../../../testdata/words.txt");
        for line in expected.lines().filter(|line| !line.starts_with('#')) {
            assert_eq!(broken(&line.replace('|', "")), line);
        }
    }

    #[test]
    fn a_damaged_dictionary_breaks_somewhere_or_nowhere() {
        let FontFile::Bytes(file) = Dictionaries.load("dictionaries/thai.bin") else {
            panic!("it is not there")
        };
        let text = "ภาษาไทยเป็นภาษาที่มีระดับเสียงของคำแน่นอน";
        let scrambled: Vec<u8> = file.iter().rev().map(|byte| byte.rotate_left(3)).collect();
        for damaged in [&[][..], &[1, 2, 3], &[255; 300], &file[..1000], &file[1..], &scrambled] {
            let dictionary = Dictionary::read(damaged);
            for place in word_breaks(text, |_, _| Some(&dictionary)) {
                assert!(place > 0 && place < text.len() && text.is_char_boundary(place));
            }
        }
    }

    #[test]
    fn other_scripts_have_no_words_to_look_up() {
        let asked = |_, _: &str| -> Option<&'static Dictionary> { panic!("a dictionary is asked for") };
        for text in ["", "Hello", "Grüße", "Привет", "你好，世界", "नमस्ते", "๑๒๓", "🙂"]
        {
            assert_eq!(word_breaks(text, asked), [0; 0]);
        }
    }
}
