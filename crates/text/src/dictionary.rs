//! Dictionaries: the words of languages that put no spaces between them, and how a text is compared with them.

use std::ops::Range;

use crate::catalog::{FontFile, FontFiles};

/// Words with more letters are not found. The longest has 33.
const MOST_LETTERS: usize = 63;

/// The files by the names that a catalogue asks for.
const FILES: [(&str, &[u8]); 4] = [
    ("dictionaries/burmese.bin", include_bytes!("../../../assets/dictionaries/burmese.bin")),
    ("dictionaries/khmer.bin", include_bytes!("../../../assets/dictionaries/khmer.bin")),
    ("dictionaries/lao.bin", include_bytes!("../../../assets/dictionaries/lao.bin")),
    ("dictionaries/thai.bin", include_bytes!("../../../assets/dictionaries/thai.bin")),
];

/// The dictionaries inside the program. An engine that does not name them is built without.
pub struct Dictionaries;

impl FontFiles for Dictionaries {
    fn load(&self, file: &str) -> FontFile {
        FILES.iter().find(|(name, _)| *name == file).map(|(_, bytes)| bytes.to_vec()).into()
    }
}

/// Words in ascending order.
pub(crate) struct Dictionary {
    /// Of all words, one after the other: their distance from the first character of the script.
    letters: Vec<u8>,
    /// Where each word begins.
    starts: Vec<usize>,
}

/// The words that a text begins with.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Found {
    /// A bit for each length in letters.
    lengths: u64,
    /// Letters that were compared: up to the first that continues no word.
    pub compared: usize,
}

impl Dictionary {
    /// Reads a file. Each word is a byte of 128 plus the number of letters that it shares with the word before, then its
    /// other letters. The letter 127 stands for characters between which lines break by other rules.
    pub fn read(file: &[u8]) -> Self {
        let (mut letters, mut starts) = (Vec::with_capacity(2 * file.len()), Vec::new());
        for byte in file {
            match byte.checked_sub(128) {
                None => letters.push(*byte),
                Some(shared) => {
                    let before = starts.last().copied().unwrap_or(letters.len());
                    starts.push(letters.len());
                    letters.extend_from_within(before..letters.len().min(before + usize::from(shared)));
                }
            }
        }
        Self { letters, starts }
    }

    /// The words that a text begins with, from its letters. Characters that no word has are `None`.
    pub fn find(&self, text: impl Iterator<Item = Option<u8>>) -> Found {
        let mut found = Found::default();
        let mut words = 0..self.starts.len();
        for (index, letter) in text.take(MOST_LETTERS).enumerate() {
            found.compared += 1;
            words = letter.map_or(0..0, |letter| self.narrow(words, index, letter));
            if words.is_empty() {
                break;
            }
            if self.length(words.start) == index + 1 {
                found.lengths |= 1 << (index + 1);
            }
        }
        found
    }

    /// Of words that begin with the same letters, as many as `index`, those that continue with a letter.
    fn narrow(&self, words: Range<usize>, index: usize, letter: u8) -> Range<usize> {
        if words.is_empty() {
            return words;
        }
        // Only the first of them can end there.
        let first = words.start + usize::from(self.length(words.start) == index);
        let starts = &self.starts[first..words.end];
        let next = |start: &usize| self.letters.get(start + index).copied();
        let low = starts.partition_point(|start| next(start) < Some(letter));
        let high = starts.partition_point(|start| next(start) <= Some(letter));
        first + low..first + high
    }

    fn length(&self, word: usize) -> usize {
        let end = self.starts.get(word + 1).copied().unwrap_or(self.letters.len());
        end - self.starts[word]
    }
}

impl Found {
    /// Lengths of the words, the longest first.
    pub fn lengths(self) -> impl Iterator<Item = usize> {
        (1..=MOST_LETTERS).rev().filter(move |length| self.lengths & (1 << length) != 0)
    }

    pub fn longest(self) -> Option<usize> {
        self.lengths().next()
    }

    pub fn is_none(self) -> bool {
        self.lengths == 0
    }
}
