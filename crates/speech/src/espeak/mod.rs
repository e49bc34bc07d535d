//! Narration by espeak-ng, a program of its own, for languages flite does not speak. Every phrase is spoken by itself, so its length
//! is exact; within a phrase, time is divided by the phonemes of its words.

mod program;

use std::ops::Range;

use self::program::{Program, sound_of};
use crate::script::{self, Joint, ScriptWord};
use crate::wave::{Joiner, at, heard_part};
use crate::{Error, Gender, Narrate, Spoken, Voice, Word};

pub const ENGINE: &str = "espeak-ng";

/// What espeak-ng calls its usual speed, in words a minute.
const USUAL_SPEED: f64 = 175.0;
/// A pause at a comma, in milliseconds.
const COMMA_MS: f64 = 180.0;
/// Of a word without spaces, so many characters are spoken.
const LONGEST_WORD: usize = 200;

/// A voice: its id, name and language, and what it is to espeak-ng.
type Row = (&'static str, &'static str, &'static str, &'static str);

const ROWS: [Row; 34] = [
    ("british", "British English", "en-GB", "en-gb"),
    ("german", "German", "de-DE", "de"),
    ("french", "French", "fr-FR", "fr-fr"),
    ("spanish", "Spanish", "es-ES", "es"),
    ("latin-american", "Latin American Spanish", "es-419", "es-419"),
    ("italian", "Italian", "it-IT", "it"),
    ("portuguese", "Portuguese", "pt-PT", "pt"),
    ("brazilian", "Brazilian Portuguese", "pt-BR", "pt-br"),
    ("dutch", "Dutch", "nl-NL", "nl"),
    ("polish", "Polish", "pl-PL", "pl"),
    ("swedish", "Swedish", "sv-SE", "sv"),
    ("norwegian", "Norwegian", "nb-NO", "nb"),
    ("danish", "Danish", "da-DK", "da"),
    ("finnish", "Finnish", "fi-FI", "fi"),
    ("turkish", "Turkish", "tr-TR", "tr"),
    ("russian", "Russian", "ru-RU", "ru"),
    ("ukrainian", "Ukrainian", "uk-UA", "uk"),
    ("czech", "Czech", "cs-CZ", "cs"),
    ("slovak", "Slovak", "sk-SK", "sk"),
    ("hungarian", "Hungarian", "hu-HU", "hu"),
    ("romanian", "Romanian", "ro-RO", "ro"),
    ("bulgarian", "Bulgarian", "bg-BG", "bg"),
    ("croatian", "Croatian", "hr-HR", "hr"),
    ("greek", "Greek", "el-GR", "el"),
    ("catalan", "Catalan", "ca-ES", "ca"),
    ("arabic", "Arabic", "ar-SA", "ar"),
    ("persian", "Persian", "fa-IR", "fa"),
    ("hindi", "Hindi", "hi-IN", "hi"),
    ("tamil", "Tamil", "ta-IN", "ta"),
    ("indonesian", "Indonesian", "id-ID", "id"),
    ("vietnamese", "Vietnamese", "vi-VN", "vi"),
    ("korean", "Korean", "ko-KR", "ko"),
    ("chinese", "Mandarin Chinese", "zh-CN", "cmn-latn-pinyin"),
    ("cantonese", "Cantonese", "yue-HK", "yue"),
];

pub struct Espeak {
    program: Program,
    rows: Vec<&'static Row>,
}

impl Espeak {
    /// With the voices the program lists. `None` where it is not installed.
    pub fn open() -> Option<Self> {
        let program = Program::find()?;
        let listed = program.run(&["--voices"], "").ok()?;
        let listed = String::from_utf8_lossy(&listed).into_owned();
        let known: Vec<&str> = listed.lines().filter_map(|line| line.split_whitespace().nth(1)).collect();
        let rows: Vec<&Row> = ROWS.iter().filter(|row| known.contains(&row.3)).collect();
        (!rows.is_empty()).then_some(Self { program, rows })
    }

    /// How long each word takes beside the others: by its phonemes, or where they cannot be told apart by its letters.
    fn weights(&self, words: &[ScriptWord], voice: &str) -> Vec<f64> {
        let bare: Vec<String> = words.iter().map(|word| bare(&word.text)).collect();
        let answer = self
            .program
            .run(&["-b", "1", "-v", voice, "-q", "--ipa", "--stdin"], &bare.join("\n\n"))
            .unwrap_or_default();
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let lines: Vec<&str> = answer.lines().filter(|line| !line.trim().is_empty()).collect();
        if lines.len() == bare.len() {
            lines.into_iter().map(phonemes).collect()
        } else {
            bare.iter().map(|word| word.chars().count() as f64 + 1.0).collect()
        }
    }
}

impl Narrate for Espeak {
    fn voices(&self) -> Vec<Voice> {
        let mut taken: Vec<&str> = Vec::new();
        let mut voices = Vec::new();
        for (id, name, language, _) in &self.rows {
            let mut aliases = vec![(*language).to_owned()];
            let code = language.split('-').next().unwrap_or(language);
            if code != "en" && !taken.contains(&code) {
                taken.push(code);
                aliases.push(code.to_owned());
            }
            voices.push(Voice {
                id: (*id).to_owned(),
                name: (*name).to_owned(),
                language: (*language).to_owned(),
                gender: Gender::Male,
                engine: ENGINE,
                aliases,
            });
        }
        voices
    }

    fn narrate(&self, text: &str, voice: &Voice, speed: f64) -> Result<Spoken, Error> {
        let row = self.rows.iter().find(|row| row.0 == voice.id);
        let name = row
            .ok_or_else(|| {
                Error::Missing(format!("the voice {} is not installed: run scripts/setup", voice.name))
            })?
            .3;
        let words = speakable(text);
        if words.is_empty() {
            return Err(Error::NothingToSay);
        }
        let weights = self.weights(&words, name);
        let wpm = ((USUAL_SPEED * speed).round() as u32).to_string();
        let mut joiner: Option<Joiner> = None;
        let mut spoken: Vec<Word> = Vec::new();
        for (phrase, pause_ms) in phrases(&words) {
            let line =
                words[phrase.clone()].iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
            let sound = sound_of(
                &self.program.run(&["-b", "1", "-v", name, "-s", &wpm, "--stdout", "--stdin"], &line)?,
            )?;
            let Some(heard) = heard_part(&sound.samples, at(20.0, sound.rate)) else { continue };
            let joiner = joiner.get_or_insert_with(|| Joiner::new(sound.rate));
            let asked = words[phrase.start].pause_ms;
            joiner.pause(if spoken.is_empty() { asked } else { pause_ms / speed + asked });
            let start = joiner.now_ms();
            joiner.append(sound.samples[heard].iter().copied());
            divide(&words[phrase.clone()], &weights[phrase], start, joiner.now_ms(), &mut spoken);
        }
        let joiner = joiner.ok_or(Error::NothingToSay)?;
        Ok(Spoken { sound: joiner.finish(), words: spoken })
    }
}

/// Gives each word its share of the time of its phrase. The last one is drawn out, as speakers do.
fn divide(words: &[ScriptWord], weights: &[f64], start: f64, end: f64, spoken: &mut Vec<Word>) {
    let weight = |index: usize| weights[index] * if index + 1 == weights.len() { 1.2 } else { 1.0 };
    let total: f64 = (0..weights.len()).map(weight).sum();
    let mut passed = 0.0;
    for (index, word) in words.iter().enumerate() {
        let start_ms = start + (end - start) * passed / total;
        passed += weight(index);
        let end_ms = start + (end - start) * passed / total;
        spoken.push(Word { text: word.text.clone(), start_ms, end_ms, confidence: 1.0 });
    }
}

/// The words of a text that can be spoken, without signs that cannot. Scripts without spaces are divided at their commas.
fn speakable(text: &str) -> Vec<ScriptWord> {
    let mut speakable = Vec::new();
    for word in script::words(text) {
        let mut pause_ms = word.pause_ms;
        let mut paragraph = word.paragraph;
        for part in word.text.split_inclusive(['，', '。', '！', '？', '、', '；', '：']) {
            let said: String = part.chars().filter(|c| !is_unspeakable(*c)).take(LONGEST_WORD).collect();
            if said.contains(char::is_alphanumeric) {
                speakable.push(ScriptWord { text: said, pause_ms, paragraph });
                (pause_ms, paragraph) = (0.0, false);
            }
        }
    }
    speakable
}

/// Signs that mean something to espeak-ng, and pictures.
fn is_unspeakable(character: char) -> bool {
    matches!(character, '[' | ']' | '{' | '}' | '<' | '>' | '|' | '\\' | '*' | '_' | '~' | '^' | '`' | '#'
        | '\u{2190}'..='\u{2bff}' | '\u{3030}' | '\u{303d}' | '\u{e000}'..='\u{f8ff}' | '\u{fffd}' | '\u{1f000}'..='\u{1faff}'
        | '\u{20e3}')
}

/// A word without punctuation, so that it is one line of phonemes.
fn bare(word: &str) -> String {
    const PUNCTUATION: &str = "\"'“”„‚‘’«»().,;:!?¿¡…-–—/，。！？、；：";
    let bare: String = word.chars().filter(|c| !PUNCTUATION.contains(*c)).collect();
    if bare.contains(char::is_alphanumeric) { bare } else { word.to_owned() }
}

/// The runs of words between commas and sentences, with the pause before each.
fn phrases(words: &[ScriptWord]) -> Vec<(Range<usize>, f64)> {
    let mut phrases = Vec::new();
    for part in script::parts(words) {
        let mut first = part.words.start;
        let mut pause = part.joint.pause_ms();
        for index in part.words.clone() {
            let comma = words[index].text.ends_with([',', ';', ':', '，', '、', '；', '：', '،', '–', '—']);
            if comma || index + 1 == part.words.end {
                phrases.push((first..index + 1, pause));
                first = index + 1;
                pause = COMMA_MS.max(Joint::Phrase.pause_ms());
            }
        }
    }
    phrases
}

/// About how long a line of IPA takes to say: vowels longer than consonants, long and stressed sounds longer still.
fn phonemes(line: &str) -> f64 {
    let mut length = 0.5;
    let mut in_name = false;
    for sound in line.chars() {
        match sound {
            '(' => in_name = true,
            ')' => in_name = false,
            _ if in_name => {}
            'ː' => length += 0.6,
            'ˈ' => length += 0.25,
            'a' | 'e' | 'i' | 'o' | 'u' | 'y' | 'ø' | 'œ' | 'æ' | 'ɑ' | 'ɐ' | 'ɒ' | 'ɔ' | 'ə' | 'ɘ' | 'ɛ'
            | 'ɜ' | 'ɤ' | 'ɨ' | 'ɪ' | 'ɯ' | 'ɵ' | 'ɶ' | 'ʉ' | 'ʊ' | 'ʌ' | 'ʏ' | 'ä' => {
                length += 1.0
            }
            _ if sound.is_alphabetic() => length += 0.7,
            _ => {}
        }
    }
    length
}
