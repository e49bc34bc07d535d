//! Narration with the espeak-ng program, for languages that flite does not support.
//!
//! The program reports no word timings, so each phrase is synthesized separately. English words are aligned. For
//! other languages the phrase is synthesized again with long gaps between its words, which gives the length of each
//! word. If the gaps cannot be detected, time is divided by the number of phonemes.

mod program;

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use self::program::program_file;
use self::program::{run, sound_of};
use crate::activity::RATE;
use crate::align::Aligner;
use crate::resample::at_rate;
use crate::samples::{Joiner, at, audible_range, is_audible};
use crate::script::{self, Joint, ScriptWord};
use crate::{Error, Gender, Narrate, Sound, Spoken, Voice, Word};

pub const ENGINE: &str = "espeak-ng";

/// The default speed of espeak-ng, in words per minute.
const USUAL_SPEED: f64 = 175.0;
/// The gap between separated words in units of 10 ms, and the minimum silence that results.
const GAP: &str = "40";
const SHORTEST_GAP_MS: f64 = 220.0;
/// Silence kept around a phrase.
const MARGIN_MS: f64 = 20.0;
/// A pause at a comma, in milliseconds.
const COMMA_MS: f64 = 180.0;
/// In texts with more words than this, a comma ends a phrase only after this many characters.
const MANY_WORDS: usize = 1_200;
const ENOUGH_CHARACTERS: usize = 40;
/// Longer words are truncated.
const LONGEST_WORD: usize = 200;

/// A voice: id, name, language and espeak-ng's name.
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

/// Whether the program turns a word into sound.
pub fn speaks(program: &Path) -> bool {
    let answer = run(program, &["-b", "1", "--stdout", "--stdin"], "one");
    answer.and_then(|answer| sound_of(&answer)).is_ok_and(|sound| !sound.samples.is_empty())
}

pub struct Espeak {
    program: PathBuf,
    rows: Vec<&'static Row>,
    aligner: Arc<Aligner>,
}

impl Espeak {
    /// Opens the voices that the program lists. `None` if it is not installed.
    pub fn open(aligner: Arc<Aligner>) -> Option<Self> {
        let program = program_file()?;
        let listed = run(&program, &["--voices"], "").ok()?;
        let listed = String::from_utf8_lossy(&listed).into_owned();
        let known: Vec<&str> = listed.lines().filter_map(|line| line.split_whitespace().nth(1)).collect();
        let rows: Vec<&Row> = ROWS.iter().filter(|row| known.contains(&row.3)).collect();
        (!rows.is_empty()).then_some(Self { program, rows, aligner })
    }

    /// The same with every voice, whether the program has it or not.
    pub fn with_every_voice(program: &Path, aligner: Arc<Aligner>) -> Self {
        Self { program: program.to_owned(), rows: ROWS.iter().collect(), aligner }
    }

    /// Timings of English words by forced alignment.
    fn found(&self, words: &[ScriptWord], sound: &Sound) -> Option<Vec<(f64, f64)>> {
        let texts: Vec<String> = words.iter().map(|word| word.text.clone()).collect();
        let spans = self.aligner.found(&at_rate(sound, RATE).ok()?, &texts)?;
        Some(spans.into_iter().map(|span| (span.start_ms, span.end_ms.min(sound.duration_ms()))).collect())
    }

    fn say(&self, line: &str, voice: &str, words_a_minute: f64, gap: &str) -> Result<Sound, Error> {
        let speed = words_a_minute.round().to_string();
        let arguments = ["-b", "1", "-v", voice, "-s", &speed, "-g", gap, "--stdout", "--stdin"];
        sound_of(&run(&self.program, &arguments, line)?)
    }

    /// Start and end of each word of a phrase, in arbitrary units.
    fn spans(&self, words: &[ScriptWord], line: &str, voice: &str) -> Result<Vec<(f64, f64)>, Error> {
        if words.len() == 1 {
            return Ok(vec![(0.0, 1.0)]);
        }
        let apart = self.say(line, voice, USUAL_SPEED, GAP)?;
        if let Some(spans) = joined(&apart, words.len()) {
            return Ok(spans);
        }
        let bare: Vec<String> = words.iter().map(|word| bare(&word.text)).collect();
        let answer =
            run(&self.program, &["-b", "1", "-v", voice, "-q", "--ipa", "--stdin"], &bare.join("\n\n"))?;
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let lines: Vec<&str> = answer.lines().filter(|line| !line.trim().is_empty()).collect();
        let lengths: Vec<f64> = if lines.len() == bare.len() {
            lines.into_iter().map(phonemes).collect()
        } else {
            bare.iter().map(|word| word.chars().count() as f64 + 1.0).collect()
        };
        let mut end = 0.0;
        let one_after_the_other = lengths.into_iter().map(|length| {
            end += length;
            (end - length, end)
        });
        Ok(one_after_the_other.collect())
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
                Error::Missing(format!("the voice {} is not installed. Run scripts/setup", voice.name))
            })?
            .3;
        let words = speakable(text);
        if words.is_empty() {
            return Err(Error::NothingToSay);
        }
        let english = voice.language.starts_with("en");
        let mut joiner: Option<Joiner> = None;
        let mut spoken: Vec<Word> = Vec::new();
        for (phrase, pause_ms) in phrases(&words) {
            let words = &words[phrase];
            let line = words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
            let sound = self.say(&line, name, USUAL_SPEED * speed, "0")?;
            let Some(audible) = audible_range(&sound.samples, at(MARGIN_MS, sound.rate)) else { continue };
            let sound = Sound { samples: sound.samples[audible].to_vec(), rate: sound.rate };
            let times = match english.then(|| self.found(words, &sound)).flatten() {
                Some(times) => times,
                None => scaled(&self.spans(words, &line, name)?, sound.duration_ms()),
            };
            let joiner = joiner.get_or_insert_with(|| Joiner::new(sound.rate));
            let asked = words[0].pause_ms;
            joiner.pause(if spoken.is_empty() { asked } else { pause_ms / speed + asked });
            let start = joiner.now_ms();
            joiner.append(sound.samples.iter().copied());
            spoken.extend(words.iter().zip(times).map(|(word, (from, to))| Word {
                text: word.text.clone(),
                start_ms: start + from,
                end_ms: start + to,
                confidence: 1.0,
            }));
        }
        let joiner = joiner.ok_or(Error::NothingToSay)?;
        Ok(Spoken { sound: joiner.finish(), words: spoken })
    }
}

/// Positions of separated words without their gaps. `None` if the number of detected words differs. The shortest gap
/// is removed everywhere: what other gaps have beyond it is silence of the phrase itself.
fn joined(sound: &Sound, words: usize) -> Option<Vec<(f64, f64)>> {
    let least = at(SHORTEST_GAP_MS, sound.rate);
    let mut runs: Vec<Range<usize>> = Vec::new();
    for index in (0..sound.samples.len()).filter(|&index| is_audible(sound.samples[index])) {
        match runs.last_mut() {
            Some(run) if index - run.end < least => run.end = index + 1,
            _ => runs.push(index..index + 1),
        }
    }
    let gap = runs.windows(2).map(|pair| pair[1].start - pair[0].end).min()?;
    let first = runs.first()?.start;
    let position = |(number, run): (usize, &Range<usize>)| {
        let before = first + number * gap;
        ((run.start - before) as f64, (run.end - before) as f64)
    };
    (runs.len() == words).then(|| runs.iter().enumerate().map(position).collect())
}

/// Scales spans to the length of the audio, without its margins.
fn scaled(spans: &[(f64, f64)], length_ms: f64) -> Vec<(f64, f64)> {
    let whole = spans.last().map_or(1.0, |last| last.1).max(f64::MIN_POSITIVE);
    let margin = MARGIN_MS.min(length_ms / 4.0);
    let time = |position: f64| margin + position / whole * (length_ms - 2.0 * margin);
    spans.iter().map(|(start, end)| (time(*start), time(*end))).collect()
}

/// The speakable words of a text, without symbols. Scripts without spaces are split at their commas.
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

/// Characters with a meaning for espeak-ng, and pictographs.
fn is_unspeakable(character: char) -> bool {
    matches!(character, '[' | ']' | '{' | '}' | '<' | '>' | '|' | '\\' | '*' | '_' | '~' | '^' | '`' | '#'
        | '\u{2190}'..='\u{2bff}' | '\u{3030}' | '\u{303d}' | '\u{e000}'..='\u{f8ff}' | '\u{fffd}' | '\u{1f000}'..='\u{1faff}'
        | '\u{20e3}')
}

/// A word without punctuation, so that it yields one line of phonemes.
fn bare(word: &str) -> String {
    const PUNCTUATION: &str = "\"'“”„‚‘’«»().,;:!?¿¡…-–—/，。！？、；：";
    let bare: String = word.chars().filter(|c| !PUNCTUATION.contains(*c)).collect();
    if bare.contains(char::is_alphanumeric) { bare } else { word.to_owned() }
}

/// The phrases between commas and sentence ends, with the pause before each. In very long texts phrases have a
/// minimum length, because each one starts a process.
fn phrases(words: &[ScriptWord]) -> Vec<(Range<usize>, f64)> {
    let least = if words.len() > MANY_WORDS { ENOUGH_CHARACTERS } else { 0 };
    let mut phrases = Vec::new();
    for part in script::parts(words) {
        let mut first = part.words.start;
        let mut pause = part.joint.pause_ms();
        for index in part.words.clone() {
            let comma = words[index].text.ends_with([',', ';', ':', '，', '、', '；', '：', '،', '–', '—']);
            let length: usize = words[first..=index].iter().map(|word| word.text.chars().count()).sum();
            if (comma && length >= least) || index + 1 == part.words.end {
                phrases.push((first..index + 1, pause));
                first = index + 1;
                pause = COMMA_MS.max(Joint::Phrase.pause_ms());
            }
        }
    }
    phrases
}

/// The approximate duration of a line of IPA: vowels count more than consonants, long and stressed sounds more again.
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
