//! Transcription of local narrations with whisper.cpp and the model that `scripts/whisper` fetches.
#![allow(clippy::unwrap_used, reason = "a failed step ends the test")]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use rondo_speech::{Error, Settings, Sound, Speech, Spoken, Word};
use support::{bare, folder, in_order_and_inside, median, noise};

static WHISPER: LazyLock<Speech> = LazyLock::new(|| {
    let speech = opened(&model(), Some(folder()));
    assert!(speech.missing().is_empty(), "{}: run scripts/whisper", speech.missing().join("\n"));
    speech
});

fn model() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/whisper/ggml-tiny.bin")
}

fn opened(model: &Path, folder: Option<PathBuf>) -> Speech {
    Speech::open(Settings { folder, whisper_model: Some(model.to_owned()), ..Settings::default() }, None)
}

fn said(voice: &str, text: &str) -> Spoken {
    WHISPER.narrate(text, WHISPER.voice(Some(voice)).unwrap(), 1.0).unwrap()
}

fn texts(words: &[Word]) -> Vec<String> {
    words.iter().map(bare).collect()
}

/// Errors of the start times of correctly transcribed words.
fn off(said: &[Word], heard: &[Word]) -> Vec<f64> {
    let mut rest = heard;
    let mut off = Vec::new();
    for word in said {
        if let Some(at) = rest.iter().take(4).position(|other| bare(other) == bare(word)) {
            off.push((rest[at].start_ms - word.start_ms).abs());
            rest = &rest[at + 1..];
        }
    }
    off
}

#[test]
fn english_words_are_aligned() {
    let text = "Thank you for watching, and I will see you in the next one. How many people will come to the party on Saturday?";
    let spoken = said("aria", text);
    let heard = WHISPER.transcribe(&spoken.sound, Some("en")).unwrap();
    assert_eq!(heard.language, "en");
    assert_eq!(texts(&heard.words), texts(&spoken.words));
    assert_eq!(heard.words[12].text, "one.");
    in_order_and_inside(&heard.words, &spoken.sound);
    assert!(median(off(&spoken.words, &heard.words)) <= 30.0);
    assert!(heard.words.iter().map(|word| word.confidence).sum::<f64>() / heard.words.len() as f64 > 0.7);
}

#[test]
fn other_languages_are_detected() {
    let text =
        "Buenos días a todos. Hoy vamos a hablar de la historia de España y de la familia del presidente.";
    let spoken = said("spanish", text);
    let heard = WHISPER.transcribe(&spoken.sound, None).unwrap();
    assert_eq!(heard.language, "es");
    in_order_and_inside(&heard.words, &spoken.sound);
    let off = off(&spoken.words, &heard.words);
    assert!(off.len() >= 17, "{heard:?}");
    assert!(median(off) <= 120.0);
    // The pause between the sentences belongs to no word.
    let (todos, hoy) = (&heard.words[3], &heard.words[4]);
    assert!(hoy.start_ms - todos.end_ms > 200.0, "{todos:?} {hoy:?}");

    let told = WHISPER.transcribe(&spoken.sound, Some("de")).unwrap();
    assert_eq!(told.language, "de");
    assert_ne!(texts(&told.words), texts(&heard.words));
    // Sampling of uncertain results is deterministic.
    assert_eq!(WHISPER.transcribe(&spoken.sound, Some("de")).unwrap(), told);
}

#[test]
fn long_recordings_are_transcribed_completely() {
    let sentence = said("aria", "The children were playing in the garden.").sound;
    let gap = 12 * sentence.rate as usize;
    let mut samples = sentence.samples.clone();
    // Invalid samples count as silence.
    samples.extend([f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30]);
    samples.extend(vec![0.0; gap]);
    samples.extend(noise(gap, 0.0005));
    let again = samples.len() as f64 * 1000.0 / f64::from(sentence.rate);
    samples.extend(&sentence.samples);
    let heard = WHISPER.transcribe(&Sound { samples, rate: sentence.rate }, Some("en")).unwrap();
    let once = ["the", "children", "were", "playing", "in", "the", "garden"];
    assert_eq!(texts(&heard.words), [once, once].concat());
    assert!((heard.words[7].start_ms - heard.words[0].start_ms - again).abs() < 60.0, "{heard:?}");
}

#[test]
fn audio_without_speech_has_no_words() {
    let sounds = [
        ("nothing", vec![]),
        ("a moment", vec![0.1; 100]),
        ("silence", vec![0.0; 16_000 * 5]),
        ("noise", noise(16_000 * 5, 0.3)),
        ("no numbers", vec![f32::NAN; 16_000]),
    ];
    for (name, samples) in sounds {
        let heard = WHISPER.transcribe(&Sound { samples, rate: 16_000 }, None).unwrap();
        assert_eq!(heard.words, [], "{name}");
    }
}

#[test]
fn languages_are_those_of_the_model() {
    let languages = WHISPER.languages();
    assert_eq!(languages.len(), 99);
    for code in ["en", "de", "zh", "sw", "su"] {
        assert!(languages.iter().any(|language| language == code), "{code}");
    }
    assert_eq!(WHISPER.language(Some("pt-BR")).unwrap().as_deref(), Some("pt"));
    // Only later models support Cantonese.
    assert!(matches!(WHISPER.language(Some("yue")), Err(Error::UnsupportedLanguage { .. })));
}

/// A model file with one number changed, truncated to a length.
fn changed(bytes: &[u8], at: usize, number: u32, length: usize) -> Vec<u8> {
    let mut changed = bytes[..length].to_vec();
    changed[at..at + 4].copy_from_slice(&number.to_le_bytes());
    changed
}

#[test]
fn invalid_model_files_are_reported_by_name() {
    let whole = fs::read(model()).unwrap();
    // Magic number, eleven dimensions, two of the mel filters.
    let filters = 12 * 4 + 8;
    let vocabulary = filters + 80 * 201 * 4;
    let (magic, all) = (u32::from_le_bytes(whole[..4].try_into().unwrap()), whole.len());
    let tensor = 4
        + (0..50_257).fold(vocabulary, |at, _| {
            at + 4 + u32::from_le_bytes(whole[at + 4..at + 8].try_into().unwrap()) as usize
        });
    let cases: [(&str, Vec<u8>, &str); 13] = [
        ("empty", Vec::new(), "not a whisper.cpp model"),
        ("text", b"Not Found: the model is elsewhere".to_vec(), "not a whisper.cpp model"),
        ("another magic", changed(&whole, 0, 0x4655_4747, 1_000), "not a whisper.cpp model"),
        ("magic alone", changed(&whole, 0, magic, 4), "the file is truncated"),
        ("cut in the filters", changed(&whole, 0, magic, filters + 1_000), "the file is truncated"),
        ("cut in the vocabulary", changed(&whole, 0, magic, vocabulary + 5_001), "the file is truncated"),
        ("cut in the weights", changed(&whole, 0, magic, all / 2), "the file is truncated"),
        ("cut by little", changed(&whole, 0, magic, all - 1), "the file is truncated"),
        ("a huge state", changed(&whole, 12, 1 << 30, 1_000), "its dimensions are not those"),
        ("no heads", changed(&whole, 16, 0, 1_000), "its dimensions are not those"),
        ("a layer too many", changed(&whole, 20, 5, all), "it has 167 of 182 weights"),
        (
            "a long token",
            changed(&whole, vocabulary + 4, u32::MAX, vocabulary + 100),
            "its vocabulary is invalid",
        ),
        ("a huge tensor", changed(&whole, tensor + 12, u32::MAX, tensor + 100), "its weights are invalid"),
    ];
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("ggml-broken.bin");
    for (name, bytes, reason) in cases {
        fs::write(&path, bytes).unwrap();
        reported(&path, Some(folder()), reason, name);
    }
    reported(&place.path().join("nowhere.bin"), Some(folder()), "No such file", "nowhere");
    reported(place.path(), Some(folder()), "not a file", "a folder");

    // Errors that only the library detects are reported when it loads the weights.
    fs::write(&path, changed(&whole, tensor + 20, 0x2e78_7878, all)).unwrap();
    let speech = opened(&path, Some(folder()));
    assert_eq!(speech.missing(), Vec::<String>::new());
    let spoken = said("aria", "Hello there.");
    let error = speech.transcribe(&spoken.sound, None).unwrap_err().to_string();
    assert!(error.contains("ggml-broken.bin") && error.contains("weights"), "{error}");
}

#[test]
fn a_missing_or_unsupported_library_is_reported() {
    reported(&model(), None, "Run scripts/speech", "no folder");
    let place = tempfile::tempdir().unwrap();
    reported(&model(), Some(place.path().to_owned()), "Run scripts/speech", "an empty folder");
    fs::create_dir(place.path().join("whisper")).unwrap();
    let library = place.path().join("whisper/libwhisper.so");
    fs::write(&library, b"no library").unwrap();
    let sentence = opened(&model(), Some(place.path().to_owned())).missing().join(" ");
    assert!(sentence.contains(&library.display().to_string()), "{sentence}");
    fs::copy(folder().join("libonnxruntime.so"), &library).unwrap();
    let sentence = opened(&model(), Some(place.path().to_owned())).missing().join(" ");
    assert!(sentence.contains("not whisper.cpp"), "{sentence}");
}

/// The log names the file and the reason; callers get an error about the setting.
fn reported(model: &Path, folder: Option<PathBuf>, reason: &str, name: &str) {
    let speech = opened(model, folder);
    let sentences = speech.missing().join("\n");
    assert!(sentences.contains(&model.display().to_string()), "{name}: {sentences}");
    assert!(sentences.contains(reason), "{name}: {sentences}");
    assert_eq!(speech.languages(), Vec::<String>::new());
    let error = speech.language(None).unwrap_err();
    assert!(matches!(&error, Error::Missing(sentence) if sentence.contains("whisper-model")), "{error}");
    assert!(speech.voice(None).is_ok());
}
