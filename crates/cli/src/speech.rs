//! `rondo say`, `rondo captions` and `rondo voices`: speech without the service.

use std::fs::File;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use rondo_composition::{Caption, CaptionRoom, CaptionWord, group_words, subtitles};
use rondo_media::{Container, MONO_RATE, MediaError, SoundCodec, convert_sound, read_mono, write_wav};
use rondo_service::settings::{Settings, Sources};
use rondo_service::speech::LocalTranscriber;
use rondo_speech::{Confined, Error, Gender, Sound, Speech, Word};
use serde_json::{Value, json};

use crate::sandboxed::{Sandbox, sound_of};
use crate::{Outcome, args, pretty, print, print_stderr};

/// Maximum length of a recording in seconds.
const MOST_SECONDS: f64 = 3.0 * 3600.0;

pub fn say(args: &args::Say) -> Outcome {
    let kind = sound_kind(&args.output)?;
    let captions = args.captions.as_deref().map(CaptionFile::of).transpose()?;
    with_speech(|speech| {
        let voice = speech.voice(args.voice.as_deref()).map_err(|error| error.sentence())?;
        let spoken = speech.narrate(&args.text, voice, args.speed).map_err(|error| error.sentence())?;
        write_sound(&args.output, &spoken.sound, kind)?;
        let words = caption_words(&spoken.words);
        if let Some(file) = &captions {
            file.write(&group_words(&words, room(args.portrait)))?;
        }
        let ms = spoken.sound.duration_ms().ceil();
        if args.json {
            let words: Vec<Value> = words.iter().map(word_json).collect();
            return print(&pretty(&json!({"voice": voice.id, "durationMs": ms, "words": words})));
        }
        let (count, path) = (words.len(), args.output.display());
        print_stderr(&format!("{path}: {count} words, {:.1} s, voice {}.", ms / 1000.0, voice.name));
        Ok(ExitCode::SUCCESS)
    })
}

pub fn captions(args: &args::Captions) -> Outcome {
    let output = args.output.as_deref().map(CaptionFile::of).transpose()?;
    let recording = Recording::open(args)?;
    let confined = match &recording {
        Recording::Sandboxed(sandbox, _) => Some(sandbox.speech()),
        Recording::Read(_) => None,
    };
    with_confined_speech(confined, |speech, settings| {
        let language = speech.language(args.language.as_deref()).map_err(|error| {
            if matches!(error, Error::Missing(_)) {
                speech.missing().iter().for_each(|message| print_stderr(message));
            }
            error.sentence()
        })?;
        let transcribe =
            |sound: &Sound| speech.transcribe(sound, language.as_deref()).map_err(|error| error.sentence());
        let heard = match (&recording, LocalTranscriber::of(&settings.speech)) {
            (Recording::Read(sound), _) => transcribe(sound)?,
            (Recording::Sandboxed(sandbox, samples), Some(engine)) => {
                let samples = samples.try_clone().map_err(|error| format!("{error}."))?;
                sandbox.transcribe(samples, language.clone(), &engine)?
            }
            // A provider gets them.
            (Recording::Sandboxed(_, samples), None) => {
                transcribe(&sound_of(samples).map_err(|error| format!("{error}."))?)?
            }
        };
        let captions = group_words(&caption_words(&heard.words), room(args.portrait));
        let Some(file) = &output else { return print(subtitles::srt(&captions).trim_end()) };
        file.write(&captions)?;
        print_stderr(&format!("{}: {} captions.", file.path.display(), captions.len()));
        Ok(ExitCode::SUCCESS)
    })
}

/// The sound of a recording.
enum Recording {
    Read(Sound),
    /// Only sandboxed processes have read it: the samples.
    Sandboxed(Sandbox, File),
}

impl Recording {
    fn open(args: &args::Captions) -> Result<Self, String> {
        let no_audio = || format!("{} has no audio.", args.file.display());
        if let Some(mode) = args.sandbox.mode {
            let sandbox = Sandbox::start(mode, &std::env::temp_dir())?;
            let samples = sandbox.listen(&args.file)?.ok_or_else(no_audio)?;
            return Ok(Self::Sandboxed(sandbox, samples));
        }
        let most = (MOST_SECONDS * f64::from(MONO_RATE)) as usize;
        let samples = read_mono(&args.file, 0.0, most).map_err(|error| format!("{error}."))?;
        Ok(Self::Read(Sound { samples: samples.ok_or_else(no_audio)?, rate: MONO_RATE }))
    }
}

pub fn voices(json: bool) -> Outcome {
    with_speech(|speech| {
        let rows = speech.voices().iter().map(|voice| {
            let gender = match voice.gender {
                Gender::Female => "female",
                Gender::Male => "male",
                Gender::Neutral => "neutral",
            };
            (voice, gender)
        });
        if json {
            let list: Vec<Value> = rows
                .map(|(voice, gender)| {
                    json!({"id": voice.id, "name": voice.name, "language": voice.language, "gender": gender,
                           "engine": voice.engine, "aliases": voice.aliases})
                })
                .collect();
            return print(&pretty(&Value::Array(list)));
        }
        speech.missing().iter().for_each(|message| print_stderr(message));
        let lines = rows
            .map(|(voice, gender)| format!("{:16}{:8}{gender:9}{}", voice.id, voice.language, voice.engine));
        print(&lines.collect::<Vec<_>>().join("\n"))
    })
}

/// Opens the engines that the settings specify and runs `work` with them.
fn with_speech(work: impl FnOnce(&Speech) -> Outcome) -> Outcome {
    with_confined_speech(None, |speech, _| work(speech))
}

/// The same with the settings. With `confined`, engines of this machine speak and align there.
fn with_confined_speech(
    confined: Option<Arc<dyn Confined>>,
    work: impl FnOnce(&Speech, &Settings) -> Outcome,
) -> Outcome {
    let settings = Settings::read(&Sources {
        flag: &|_| None,
        variable: &|name| std::env::var(name).ok(),
        file: Sources::file(None).map_err(|error| error.to_string())?,
    });
    let settings = settings.map_err(|error| error.to_string())?;
    let runtime =
        tokio::runtime::Runtime::new().map_err(|e| format!("Failed to start the async runtime: {e}."))?;
    let opened = runtime.block_on(rondo_service::speech_engines(&settings, confined));
    let speech = opened.map_err(|error| error.to_string())?;
    work(&speech, &settings)
}

/// The audio format, by file extension.
fn sound_kind(path: &Path) -> Result<(Container, SoundCodec), String> {
    match extension(path).as_str() {
        "wav" => Ok((Container::Wav, SoundCodec::Pcm)),
        "mp3" => Ok((Container::Mp3, SoundCodec::Mp3)),
        "m4a" => Ok((Container::M4a, SoundCodec::Aac)),
        "aac" => Ok((Container::Adts, SoundCodec::Aac)),
        _ => Err(format!("{} must have the extension .wav, .mp3, .m4a or .aac.", path.display())),
    }
}

fn extension(path: &Path) -> String {
    path.extension().map(|extension| extension.to_string_lossy().to_lowercase()).unwrap_or_default()
}

fn write_sound(
    path: &Path,
    sound: &Sound,
    (container, codec): (Container, SoundCodec),
) -> Result<(), String> {
    let message = |error: MediaError| format!("{error}.");
    if matches!(codec, SoundCodec::Pcm) {
        return write_wav(path, &sound.samples, sound.rate).map_err(message);
    }
    let folder =
        tempfile::tempdir().map_err(|error| format!("Failed to create a temporary folder: {error}."))?;
    let plain = folder.path().join("spoken.wav");
    write_wav(&plain, &sound.samples, sound.rate).map_err(message)?;
    convert_sound(&plain, path, container, codec).map_err(message)
}

/// A caption file to write. The extension selects the format.
struct CaptionFile<'a> {
    path: &'a Path,
    format: fn(&[Caption]) -> String,
}

impl<'a> CaptionFile<'a> {
    fn of(path: &'a Path) -> Result<Self, String> {
        let format: fn(&[Caption]) -> String = match extension(path).as_str() {
            "srt" => subtitles::srt,
            "vtt" => subtitles::webvtt,
            "json" => |captions| pretty(&Value::Array(captions.iter().map(caption_json).collect())),
            _ => return Err(format!("{} must have the extension .srt, .vtt or .json.", path.display())),
        };
        Ok(Self { path, format })
    }

    fn write(&self, captions: &[Caption]) -> Result<(), String> {
        std::fs::write(self.path, (self.format)(captions))
            .map_err(|error| format!("{} cannot be written: {error}.", self.path.display()))
    }
}

fn caption_words(words: &[Word]) -> Vec<CaptionWord> {
    let word = |word: &Word| CaptionWord {
        word: word.text.clone(),
        start_ms: word.start_ms.round(),
        end_ms: word.end_ms.round(),
        confidence: word.confidence,
    };
    words.iter().map(word).collect()
}

fn word_json(word: &CaptionWord) -> Value {
    json!({"word": word.word, "startMs": word.start_ms, "endMs": word.end_ms, "confidence": word.confidence})
}

fn caption_json(caption: &Caption) -> Value {
    let words: Vec<Value> = caption.words.iter().map(word_json).collect();
    json!({"text": caption.text, "startMs": caption.start_ms, "endMs": caption.end_ms, "words": words})
}

fn room(portrait: bool) -> CaptionRoom {
    if portrait { CaptionRoom::on_canvas(9.0, 16.0) } else { CaptionRoom::on_canvas(16.0, 9.0) }
}
