//! Narration in other languages with espeak-ng.
#![allow(clippy::unwrap_used, reason = "a failed step ends the test")]

mod support;

use rondo_speech::{Error, Spoken};
use support::{level, offline};

fn say(text: &str, voice: &str, speed: f64) -> Result<Spoken, Error> {
    let speech = offline();
    speech.narrate(text, speech.voice(Some(voice)).unwrap(), speed)
}

fn texts(spoken: &Spoken) -> Vec<&str> {
    spoken.words.iter().map(|word| word.text.as_str()).collect()
}

fn check(spoken: &Spoken) {
    let mut before = 0.0;
    for word in &spoken.words {
        assert!(word.start_ms >= before - 0.001 && word.end_ms > word.start_ms, "{word:?} after {before}");
        assert!(level(&spoken.sound, word.start_ms, word.end_ms) > 0.002, "{word:?} cannot be heard");
        before = word.end_ms;
    }
    assert!(before <= spoken.sound.duration_ms() + 0.001);
    assert!(spoken.sound.duration_ms() - before < 150.0);
}

#[test]
fn every_language_speaks_its_script() {
    let texts = [
        ("german", "Schöne Grüße aus Köln!"),
        ("fr-FR", "Bonjour à tous les amis."),
        ("es", "¿Cómo estás, mañana?"),
        ("Russian", "Привет, как дела?"),
        ("greek", "Καλημέρα σε όλους."),
        ("arabic", "مرحبا بالعالم"),
        ("hindi", "नमस्ते दुनिया"),
        ("korean", "안녕하세요 여러분"),
        ("zh-CN", "你好世界。今天天气很好。"),
    ];
    for (voice, text) in texts {
        let spoken = say(text, voice, 1.0).unwrap_or_else(|error| panic!("{voice}: {error}"));
        check(&spoken);
        assert!(spoken.sound.duration_ms() > 500.0, "{voice}");
        let said: String = spoken.words.iter().map(|word| word.text.as_str()).collect();
        assert_eq!(said, text.replace(' ', ""), "{voice}");
    }
}

#[test]
fn phrases_start_with_their_audio() {
    let spoken =
        say("Guten Morgen, meine Damen und Herren. <break time=\"500ms\"/> Es regnet heute.", "german", 1.0)
            .unwrap();
    check(&spoken);
    assert_eq!(texts(&spoken).len(), 9);
    for (before, after) in [(1, 2), (5, 6)] {
        let (end, start) = (spoken.words[before].end_ms, spoken.words[after].start_ms);
        assert!(
            start - end > 100.0 && level(&spoken.sound, end + 25.0, start - 25.0) < 0.003,
            "{before}: {end} to {start}"
        );
    }
    assert!(spoken.words[6].start_ms - spoken.words[5].end_ms > 800.0);
    let word = |index: usize| spoken.words[index].end_ms - spoken.words[index].start_ms;
    assert!(word(5) > word(4), "a longer word takes longer");
}

#[test]
fn word_timings_match_the_audio() {
    // Plosives begin with silence, so the level drops before them.
    let spoken = say("Papa packt tausend Koffer pünktlich", "german", 1.0).unwrap();
    for word in &spoken.words[1..] {
        let least = (-4..5)
            .map(|step| word.start_ms + f64::from(step) * 10.0)
            .map(|ms| level(&spoken.sound, ms, ms + 15.0))
            .fold(f64::MAX, f64::min);
        assert!(least < 0.02, "{word:?}: {least}");
    }
    // In German, a vowel at the start of a word follows a glottal stop, which is not part of the word.
    let spoken = say("Guten Morgen meine Damen und Herren", "german", 1.0).unwrap();
    let und = &spoken.words[4];
    assert!(level(&spoken.sound, und.start_ms - 70.0, und.start_ms - 35.0) < 0.003, "{und:?}");
    assert!(level(&spoken.sound, und.start_ms + 35.0, und.start_ms + 70.0) > 0.02, "{und:?}");
    let spoken = say("It was the best of times.", "british", 1.0).unwrap();
    check(&spoken);
    let aligned = offline()
        .align(&spoken.sound, &texts(&spoken).iter().map(|text| (*text).to_owned()).collect::<Vec<_>>())
        .unwrap();
    assert!(aligned.iter().zip(&spoken.words).all(|(a, b)| (a.start_ms - b.start_ms).abs() < 40.0));
}

#[test]
fn speed_changes_the_duration() {
    let length = |speed| {
        say("Der schnelle braune Fuchs springt über den Hund", "de", speed).unwrap().sound.duration_ms()
    };
    assert!((1.7..2.4).contains(&(length(0.5) / length(1.0))));
    assert!((1.7..2.4).contains(&(length(1.0) / length(2.0))));
}

#[test]
fn hostile_texts_are_spoken_or_rejected() {
    for text in ["", "😀🎉", "[[]]", "\u{0}", "…—", "<break/>"] {
        assert_eq!(say(text, "german", 1.0).unwrap_err(), Error::NothingToSay, "{text:?}");
    }
    let spoken =
        say("[[h@lloU]] -v en --help; $(id) 😀 \u{202e}Wort <b>fett</b>\u{7}", "german", 1.0).unwrap();
    check(&spoken);
    assert_eq!(texts(&spoken), ["h@lloU", "-v", "en", "--help;", "$(id)", "Wort", "fett"]);
    let spoken = say(&"ä".repeat(5_000), "german", 2.0).unwrap();
    check(&spoken);
    assert_eq!(spoken.words.len(), 1);
}

#[test]
fn texts_with_many_commas_are_spoken() {
    let text = "ja, ".repeat(1_300);
    let spoken = say(text.trim(), "german", 2.0).unwrap();
    check(&spoken);
    assert_eq!(spoken.words.len(), 1_300);
}

#[test]
fn narration_is_deterministic() {
    assert!(
        say("Ein Satz, noch einer.", "de", 1.0).unwrap() == say("Ein Satz, noch einer.", "de", 1.0).unwrap()
    );
}
