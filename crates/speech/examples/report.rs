//! Narrates a fixed set of sentences with every English voice, transcribes the result, and prints the word error rate and the
//! errors of word timings.
#![allow(clippy::unwrap_used, reason = "a development tool may panic")]

use std::path::{Path, PathBuf};

use rondo_speech::{Settings, Speech, Word};

const SENTENCES: [&str; 20] = [
    "The quick brown fox jumps over the lazy dog near the river bank.",
    "Welcome to our channel, where we cook simple meals for busy people.",
    "Yesterday the company announced that it will open three new offices in Europe.",
    "Please remember to bring your passport, your ticket, and a warm coat.",
    "How many people do you think will come to the party on Saturday?",
    "It was the best of times, it was the worst of times.",
    "In 1998 the price of coffee was 25 percent lower than it is today.",
    "Turn left at the next corner, and the museum will be on your right.",
    "She sells fresh bread and vegetables at the market every morning.",
    "Our new phone has a bigger screen, a faster camera, and a better battery.",
    "Nobody believed the old fisherman when he told them about the whale.",
    "Water boils at one hundred degrees and freezes at zero.",
    "The children were playing in the garden when it suddenly started to rain.",
    "If you like this video, subscribe now and share it with your friends.",
    "Scientists have discovered a planet that looks very similar to our own.",
    "He opened the window slowly, listened for a moment, and then closed it again.",
    "Learning a language takes time, patience, and a good sense of humor.",
    "The train to London leaves at seven thirty from platform number nine.",
    "Most of the money was spent on roads, schools, and hospitals.",
    "Thank you for watching, and I will see you in the next one.",
];

fn main() {
    // SAFETY: no other thread has started.
    unsafe { rondo_speech::set_passive_wait_policy() };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/speech");
    let whisper_model = std::env::var_os("RONDO_WHISPER_MODEL").map(PathBuf::from);
    let speech = Speech::open(Settings { folder: Some(folder), whisper_model, ..Settings::default() }, None);
    assert!(speech.missing().is_empty(), "{}", speech.missing().join("\n"));
    println!("                      error of word starts in ms: median, 90th percentile");
    println!("voice      WER        transcription         alignment         times real time");
    let mut all = Measures::default();
    for voice in speech.voices().iter().filter(|voice| voice.language.starts_with("en")) {
        let mut measures = Measures::default();
        for sentence in SENTENCES {
            let spoken = speech.narrate(sentence, voice, 1.0).unwrap();
            let started = std::time::Instant::now();
            let heard = speech.transcribe(&spoken.sound, Some("en")).unwrap();
            measures.took += started.elapsed().as_secs_f64();
            measures.seconds += spoken.sound.duration_ms() / 1000.0;
            let (said, got) = (normalized(&spoken.words), normalized(&heard.words));
            let steps = compare(&said, &got);
            measures.words += said.len();
            measures.wrong += steps.iter().filter(|step| !matches!(step, Step::Same(..))).count();
            if std::env::args().any(|argument| argument == "--show")
                && steps.iter().any(|step| !matches!(step, Step::Same(..)))
            {
                println!("    said  {}\n    heard {}", words(&said), words(&got));
            }
            measures.heard.extend(steps.iter().filter_map(|step| match step {
                Step::Same(i, j) => Some((said[*i].1 - got[*j].1).abs()),
                Step::Wrong => None,
            }));
            let texts: Vec<String> = spoken.words.iter().map(|word| word.text.clone()).collect();
            let aligned = speech.align(&spoken.sound, &texts).unwrap();
            measures
                .aligned
                .extend(aligned.iter().zip(&spoken.words).map(|(a, b)| (a.start_ms - b.start_ms).abs()));
        }
        measures.print(&voice.id, voice.engine == "flite");
        // The timings of other English voices come from the aligner itself.
        if voice.engine == "flite" {
            all.add(measures);
        }
    }
    all.print("flite", true);
}

#[derive(Default)]
struct Measures {
    words: usize,
    wrong: usize,
    heard: Vec<f64>,
    aligned: Vec<f64>,
    took: f64,
    seconds: f64,
}

impl Measures {
    fn add(&mut self, other: Self) {
        self.words += other.words;
        self.wrong += other.wrong;
        self.heard.extend(other.heard);
        self.aligned.extend(other.aligned);
        self.took += other.took;
        self.seconds += other.seconds;
    }

    fn print(&mut self, name: &str, own_times: bool) {
        let wer = 100.0 * self.wrong as f64 / self.words as f64;
        let speed = self.seconds / self.took;
        let times = |values: &mut Vec<f64>| match quantiles(values) {
            (median, percentile_90) if own_times => format!("{median:6.0} {percentile_90:5.0}"),
            _ => "     –     –".to_owned(),
        };
        let (heard, aligned) = (times(&mut self.heard), times(&mut self.aligned));
        println!("{name:<9} {wer:4.1} %   {heard:>17}   {aligned:>17}   {speed:13.1}×");
    }
}

fn quantiles(values: &mut [f64]) -> (f64, f64) {
    values.sort_by(f64::total_cmp);
    (values[values.len() / 2], values[values.len() * 9 / 10])
}

fn words(words: &[(String, f64)]) -> String {
    words.iter().map(|(word, _)| word.as_str()).collect::<Vec<_>>().join(" ")
}

/// Normalized words with their start times. Numbers are spelled out, because transcripts contain either form.
fn normalized(words: &[Word]) -> Vec<(String, f64)> {
    let mut normalized = Vec::new();
    for word in words {
        let spoken = word.text.to_lowercase().replace('%', " percent").replace(['-', '—', ':'], " ");
        for part in spoken.split_whitespace() {
            let bare: String = part.chars().filter(|c| c.is_alphanumeric()).collect();
            match bare.parse::<u32>() {
                Ok(number) => {
                    normalized.extend(spelled(number).split(' ').map(|part| (part.to_owned(), word.start_ms)))
                }
                Err(_) if bare.is_empty() => {}
                Err(_) => normalized.push((bare, word.start_ms)),
            }
        }
    }
    normalized
}

fn spelled(number: u32) -> String {
    const SMALL: [&str; 20] = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
    ];
    const TENS: [&str; 8] = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
    match number {
        0..20 => SMALL[number as usize].to_owned(),
        20..100 if number.is_multiple_of(10) => TENS[number as usize / 10 - 2].to_owned(),
        20..100 => format!("{} {}", TENS[number as usize / 10 - 2], SMALL[number as usize % 10]),
        100 => "one hundred".to_owned(),
        1100..2000 => format!("{} {}", spelled(number / 100), spelled(number % 100)),
        _ => number.to_string(),
    }
}

enum Step {
    Same(usize, usize),
    Wrong,
}

/// The shortest edit script from one to the other.
fn compare(said: &[(String, f64)], heard: &[(String, f64)]) -> Vec<Step> {
    let mut costs = vec![vec![0usize; heard.len() + 1]; said.len() + 1];
    for i in 0..=said.len() {
        for j in 0..=heard.len() {
            costs[i][j] = match (i, j) {
                (0, _) => j,
                (_, 0) => i,
                _ => (costs[i - 1][j - 1] + usize::from(said[i - 1].0 != heard[j - 1].0))
                    .min(costs[i - 1][j] + 1)
                    .min(costs[i][j - 1] + 1),
            };
        }
    }
    let (mut i, mut j) = (said.len(), heard.len());
    let mut steps = Vec::new();
    while i > 0 || j > 0 {
        if i > 0 && j > 0 && said[i - 1].0 == heard[j - 1].0 && costs[i][j] == costs[i - 1][j - 1] {
            steps.push(Step::Same(i - 1, j - 1));
            (i, j) = (i - 1, j - 1);
        } else if i > 0 && j > 0 && costs[i][j] == costs[i - 1][j - 1] + 1 {
            steps.push(Step::Wrong);
            (i, j) = (i - 1, j - 1);
        } else if i > 0 && costs[i][j] == costs[i - 1][j] + 1 {
            steps.push(Step::Wrong);
            i -= 1;
        } else {
            steps.push(Step::Wrong);
            j -= 1;
        }
    }
    steps
}
