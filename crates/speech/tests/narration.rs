//! Narration with the voices installed by the setup scripts.
#![allow(clippy::unwrap_used, reason = "a failed step ends the test")]

mod support;

use rondo_speech::{Error, Speech, Spoken};
use support::{level, offline};

fn aria(text: &str) -> Result<Spoken, Error> {
    let speech = offline();
    speech.narrate(text, speech.voice(Some("aria")).unwrap(), 1.0)
}

fn texts(spoken: &Spoken) -> Vec<&str> {
    spoken.words.iter().map(|word| word.text.as_str()).collect()
}

/// Checks any narration: words in order and within the audio, normal level, no long silence at the ends.
fn check(spoken: &Spoken) {
    let length = spoken.sound.duration_ms();
    let mut before = 0.0;
    for word in &spoken.words {
        assert!(word.start_ms >= before - 0.001 && word.end_ms > word.start_ms, "{word:?} after {before}");
        assert_eq!(word.confidence, 1.0);
        before = word.end_ms;
    }
    assert!(before <= length + 0.001, "the last word ends at {before} of {length}");
    assert!(length - before < 150.0, "{} ms of silence at the end", length - before);
    let peak = spoken.sound.samples.iter().fold(0.0f32, |peak, sample| peak.max(sample.abs()));
    assert!((0.70..0.72).contains(&peak), "peak {peak}");
}

#[test]
fn words_keep_their_spelling_and_punctuation() {
    let spoken = aria("Hello, world! “Café” costs $100 — really? Dr. Smith paid €5.50 in 1998.").unwrap();
    check(&spoken);
    let expected = "Hello, world! “Café” costs $100 really? Dr. Smith paid €5.50 in 1998.";
    assert_eq!(texts(&spoken), expected.split(' ').collect::<Vec<_>>());
}

#[test]
fn word_timings_match_the_audio() {
    for voice in offline().voices().iter().filter(|voice| voice.engine == "flite") {
        let spoken = offline()
            .narrate("Peter took the boat. <break time=\"600ms\"/> Nobody came back.", voice, 1.0)
            .unwrap();
        check(&spoken);
        let gap = (spoken.words[3].end_ms, spoken.words[4].start_ms);
        assert!(gap.1 - gap.0 > 800.0, "{}: a pause of {gap:?}", voice.id);
        assert!(
            level(&spoken.sound, gap.0 + 100.0, gap.1 - 50.0) < 0.001,
            "{} is not silent in the pause",
            voice.id
        );
        for word in &spoken.words {
            let loud = level(&spoken.sound, word.start_ms, word.end_ms);
            assert!(loud > 0.01, "{}: {word:?} has a level of {loud}", voice.id);
        }
    }
}

#[test]
fn voices_are_distinct() {
    let speech = offline();
    let voices = speech.voices().iter().filter(|voice| voice.engine == "flite");
    let spoken: Vec<Spoken> =
        voices.map(|voice| speech.narrate("The quick brown fox.", voice, 1.0).unwrap()).collect();
    assert!(spoken.len() >= 4, "{} voices", spoken.len());
    for (index, one) in spoken.iter().enumerate() {
        check(one);
        assert!(spoken[index + 1..].iter().all(|other| other.sound != one.sound));
    }
}

#[test]
fn speed_changes_the_duration_but_not_the_pitch() {
    let speech = offline();
    for voice in speech.voices().iter().filter(|voice| voice.engine == "flite") {
        let at = |speed| speech.narrate("We are all in our own little room now.", voice, speed).unwrap();
        let (slow, usual, fast) = (at(0.5), at(1.0), at(2.0));
        let ratio = |one: &Spoken, other: &Spoken| one.sound.duration_ms() / other.sound.duration_ms();
        assert!((1.75..2.15).contains(&ratio(&slow, &usual)), "{}: {}", voice.id, ratio(&slow, &usual));
        assert!((1.75..2.15).contains(&ratio(&usual, &fast)), "{}: {}", voice.id, ratio(&usual, &fast));
        let (low, high) = (support::pitch(&slow.sound), support::pitch(&fast.sound));
        assert!((0.85..1.18).contains(&(low / high)), "{}: {low} Hz and {high} Hz", voice.id);
    }
}

#[test]
fn narration_is_deterministic() {
    let text = "Numbers like 42, and names like Zaphod Beeblebrox.";
    assert!(aria(text).unwrap() == aria(text).unwrap());
}

#[test]
fn narration_is_thread_safe() {
    let alone = aria("One two three four five.").unwrap();
    let together: Vec<Spoken> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..4).map(|_| scope.spawn(|| aria("One two three four five.").unwrap())).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(together.iter().all(|spoken| *spoken == alone));
}

#[test]
fn hostile_texts_are_spoken_or_rejected() {
    let spoken = aria(
        "<speak>Tea &amp; <emphasis level=\"strong\">milk</emphasis>\u{0}\u{7}\u{200b} \u{202e}now</speak>",
    )
    .unwrap();
    assert_eq!(texts(&spoken), ["Tea", "&", "milk", "now"]);
    check(&spoken);
    let spoken = aria("Good 😀🎉 morning, שלום 你好 \u{feff}everyone <3 > 2").unwrap();
    assert_eq!(texts(&spoken), ["Good", "morning,", "everyone", "<3", "2"]);
    for text in ["", " \n\t ", "😀🎉👨‍👩‍👧", "\u{0}\u{1}", "…—!?", "<break/>", "\u{200b}\u{202e}", "你好，世界"]
    {
        assert_eq!(aria(text).unwrap_err(), Error::NothingToSay, "{text:?}");
    }
    for text in [
        "%s%n%s%n",
        "((((((((((",
        "'''''a'''''",
        "-----5-----",
        "a.b.c.d.e.f",
        "1e309 0x7fffffff 99999999999999999999999999",
        "\\x00 ${IFS}",
    ] {
        match aria(text) {
            Ok(spoken) => check(&spoken),
            Err(error) => assert_eq!(error, Error::NothingToSay, "{text:?}"),
        }
    }
}

#[test]
fn very_long_words_are_bounded() {
    for text in ["a".repeat(5_000), "ab-".repeat(1_700), "7".repeat(5_000)] {
        let spoken = aria(&text).unwrap();
        check(&spoken);
        assert_eq!(spoken.words.len(), 1);
        assert!(spoken.sound.duration_ms() < 120_000.0, "{} ms", spoken.sound.duration_ms());
    }
}

#[test]
fn text_length_is_limited_to_ten_thousand_characters() {
    let speech = offline();
    let kai = speech.voice(Some("kai")).unwrap();
    let mut text = "The river was wide and slow, and nobody knew where it went. ".repeat(170);
    text.truncate(10_000);
    let spoken = speech.narrate(&text, kai, 2.0).unwrap();
    check(&spoken);
    assert_eq!(spoken.words.len(), text.split_whitespace().count());
    text.push('x');
    let error = speech.narrate(&text, kai, 1.0).unwrap_err();
    assert!(error.to_string().contains("10001 characters"), "{error}");
}

#[test]
fn speeds_outside_the_range_are_rejected() {
    let speech = offline();
    for speed in [0.49, 2.01, 0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(
            matches!(speech.narrate("Hello", &speech.voices()[0], speed), Err(Error::Speed(_))),
            "{speed}"
        );
    }
}

#[test]
fn well_known_names_match_voices_of_their_gender() {
    use rondo_speech::Gender::{Female, Male};
    let speech = offline();
    assert_eq!(speech.voice(Some("Alloy")).unwrap(), speech.voice(None).unwrap());
    assert_eq!(speech.voice(None).unwrap(), &speech.voices()[0]);
    for name in ["coral", "nova", "sage", "shimmer", "Rachel", "Bella", "Domi", "Elli", "Joanna", "AMY"] {
        assert_eq!(speech.voice(Some(name)).unwrap().gender, Female, "{name}");
    }
    for name in [
        "ash", "ballad", "echo", "fable", "onyx", "verse", "Adam", "Antoni", "Arnold", "Josh", "Sam",
        "Matthew", "Brian",
    ] {
        assert_eq!(speech.voice(Some(name)).unwrap().gender, Male, "{name}");
    }
    let error = speech.voice(Some("nobody")).unwrap_err();
    assert!(
        matches!(&error, Error::UnknownVoice { name, ids } if name == "nobody" && ids.contains(&"aria".to_owned()))
    );
    assert!(error.to_string().contains("aria, miles"), "{error}");
}

#[test]
fn nothing_is_missing_after_setup() {
    assert_eq!(Speech::missing(offline()), Vec::<String>::new());
}
