//! Transcription and alignment of local narrations, with the engines installed by the setup scripts.
#![allow(clippy::unwrap_used, reason = "a failed step ends the test")]

mod support;

use rondo_speech::{Error, Settings, Sound, Speech, Spoken};
use support::{bare, in_order_and_inside, level, median, noise, offline};

const TEXT: &str = "Thank you for watching, and I will see you in the next one. How many people will come to the party on Saturday?";

fn aria(text: &str) -> Spoken {
    let speech = offline();
    speech.narrate(text, speech.voice(Some("aria")).unwrap(), 1.0).unwrap()
}

#[test]
fn a_narration_is_transcribed_with_its_timings() {
    let spoken = aria(TEXT);
    let heard = offline().transcribe(&spoken.sound, Some("en")).unwrap();
    assert_eq!(heard.language, "en");
    in_order_and_inside(&heard.words, &spoken.sound);
    let (said, got): (Vec<String>, Vec<String>) =
        (spoken.words.iter().map(bare).collect(), heard.words.iter().map(bare).collect());
    assert_eq!(said, got);
    let off = spoken.words.iter().zip(&heard.words).map(|(a, b)| (a.start_ms - b.start_ms).abs()).collect();
    assert!(median(off) <= 30.0);
    assert!(heard.words.iter().map(|word| word.confidence).sum::<f64>() / got.len() as f64 > 0.7);
}

#[test]
fn words_after_a_long_pause_keep_their_timing() {
    let spoken = aria("Nobody came back. <break time=\"4s\"/> The children were playing in the garden.");
    let heard = offline().transcribe(&spoken.sound, None).unwrap();
    let the = spoken.words.iter().find(|word| word.text == "The").unwrap();
    let children = heard.words.iter().find(|word| bare(word) == "children").unwrap();
    assert!(
        children.start_ms > the.start_ms && children.start_ms < the.end_ms + 60.0,
        "{children:?} after {the:?}"
    );
    let before = heard.words.iter().filter(|word| word.end_ms < the.start_ms).count();
    assert_eq!(before, 3, "{heard:?}");
    assert!(level(&spoken.sound, heard.words[2].end_ms + 150.0, the.start_ms - 50.0) < 0.001);
}

#[test]
fn audio_without_speech_has_no_words() {
    let tone = |n: usize| (n as f32 * 0.2).sin() * 0.3;
    let sounds = [
        ("nothing", vec![]),
        ("a moment", vec![0.1; 100]),
        ("silence", vec![0.0; 16_000 * 5]),
        ("quiet noise", noise(16_000 * 5, 0.002)),
        ("noise", noise(16_000 * 5, 0.3)),
        ("a tone", (0..16_000 * 3).map(tone).collect()),
        ("no numbers", vec![f32::NAN; 16_000]),
    ];
    for (name, samples) in sounds {
        let heard = offline().transcribe(&Sound { samples, rate: 16_000 }, None).unwrap();
        assert_eq!(heard.words, [], "{name}");
    }
}

#[test]
fn any_sample_rate_is_transcribed() {
    let spoken = aria("The train to London leaves in the morning.");
    let tripled: Vec<f32> = spoken.sound.samples.iter().flat_map(|sample| [*sample; 3]).collect();
    let heard = offline().transcribe(&Sound { samples: tripled, rate: 48_000 }, None).unwrap();
    let words: Vec<String> = heard.words.iter().map(bare).collect();
    assert_eq!(words.join(" "), "the train to london leaves in the morning");
    assert!((heard.words[7].start_ms - spoken.words[7].start_ms).abs() < 60.0);
    assert!(matches!(
        offline().transcribe(&Sound { samples: vec![0.0], rate: 0 }, None),
        Err(Error::Engine(_))
    ));
}

#[test]
fn known_words_are_aligned() {
    for voice in offline().voices().iter().filter(|voice| voice.engine == "flite") {
        let text = "In 1998 Zaphod Beeblebrox paid $25 for a cup of tea, didn't he?";
        let spoken = offline().narrate(text, voice, 1.0).unwrap();
        let words: Vec<String> = spoken.words.iter().map(|word| word.text.clone()).collect();
        let aligned = offline().align(&spoken.sound, &words).unwrap();
        in_order_and_inside(&aligned, &spoken.sound);
        assert_eq!(
            aligned.iter().map(|word| &word.text).collect::<Vec<_>>(),
            words.iter().collect::<Vec<_>>()
        );
        let off =
            median(spoken.words.iter().zip(&aligned).map(|(a, b)| (a.start_ms - b.start_ms).abs()).collect());
        assert!(off <= 30.0, "{}: {off} ms", voice.id);
    }
}

#[test]
fn alignment_works_in_noise_and_is_deterministic() {
    let spoken = aria(TEXT);
    let words: Vec<String> = spoken.words.iter().map(|word| word.text.clone()).collect();
    let mut loud = spoken.sound.clone();
    loud.samples
        .iter_mut()
        .zip(noise(spoken.sound.samples.len(), 0.08))
        .for_each(|(sample, noise)| *sample += noise);
    let clean = offline().align(&spoken.sound, &words).unwrap();
    let noisy = offline().align(&loud, &words).unwrap();
    let off = median(spoken.words.iter().zip(&noisy).map(|(a, b)| (a.start_ms - b.start_ms).abs()).collect());
    assert!(off <= 40.0, "{off} ms");
    assert!(noisy.iter().all(|word| word.confidence == 1.0));
    assert_eq!(clean, offline().align(&spoken.sound, &words).unwrap());
    assert_eq!(offline().transcribe(&loud, None).unwrap(), offline().transcribe(&loud, None).unwrap());
}

#[test]
fn unspoken_words_get_ordered_timings() {
    let spoken = aria("One two three.");
    let many: Vec<String> =
        "this is a very long list of words that nobody said".split(' ').map(str::to_owned).collect();
    let strange: Vec<String> = ["One", "😀", "two", "Привет", "three."].map(str::to_owned).to_vec();
    for words in [&many, &strange] {
        let aligned = offline().align(&spoken.sound, words).unwrap();
        assert_eq!(aligned.len(), words.len());
        in_order_and_inside(&aligned, &spoken.sound);
    }
    let aligned = offline().align(&spoken.sound, &strange).unwrap();
    assert!((aligned[2].start_ms - spoken.words[1].start_ms).abs() < 60.0, "{aligned:?}");
    assert!(aligned[1].confidence < aligned[2].confidence);
    assert_eq!(offline().align(&spoken.sound, &[]).unwrap(), []);
}

#[test]
fn language_codes_are_normalized() {
    let speech = offline();
    assert_eq!(speech.languages(), ["en"]);
    assert_eq!(speech.language(None).unwrap(), None);
    assert_eq!(speech.language(Some("EN-us")).unwrap().as_deref(), Some("en"));
    let error = speech.language(Some("tlh")).unwrap_err();
    assert_eq!(
        error,
        Error::UnsupportedLanguage { language: "tlh".to_owned(), known: vec!["en".to_owned()] }
    );
}

#[test]
fn errors_say_how_to_install_the_model() {
    let speech = Speech::open(Settings::default(), None);
    assert!(
        speech.missing().iter().any(|sentence| sentence.contains("scripts/speech")),
        "{:?}",
        speech.missing()
    );
    assert_eq!(speech.languages(), Vec::<String>::new());
    for error in [
        speech.language(Some("en")).unwrap_err(),
        speech.transcribe(&Sound { samples: vec![0.0; 16_000], rate: 16_000 }, None).unwrap_err(),
    ] {
        assert!(matches!(&error, Error::Missing(sentence) if sentence.contains("scripts/setup")), "{error}");
    }
    assert!(speech.voice(None).is_ok());
}
