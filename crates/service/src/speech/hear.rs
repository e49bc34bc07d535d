//! Transcription of recordings: the played ranges, transcribed together, with times in the film.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};

use rondo_composition::{CaptionWord, Composition, Overlay, Transcription};
use rondo_jobs::{
    Answer, Done, Failure, Job, JobError, Limits, ListenJob, Request, TimedWord, TranscribeJob,
};
use rondo_media::MONO_RATE;
use rondo_scene::Segments;
use rondo_speech::Sound;

use super::{LocalTranscriber, SpeechError, SpeechService};
use crate::blocking::{long, long_seat};
use crate::isolation::{open_files, time_for};

/// Longest recording, in seconds.
const MOST_SECONDS: f64 = 3600.0;
/// Bytes of its samples.
const MOST_BYTES: u64 = 4 * MONO_RATE as u64 * 3601;
/// Processor time for decoding a recording, and for each second of it that is transcribed.
const LISTENING_CPU: u64 = 600;
const TRANSCRIBING_CPU: u64 = 8;

/// A part of a recording that is played: from where to where, in seconds, when it begins and how fast it runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stretch {
    pub from: f64,
    pub to: f64,
    /// Seconds since the overlay began.
    pub at: f64,
    pub speed: f64,
}

impl Stretch {
    /// A recording as it is.
    pub fn whole(start: Option<f64>, end: Option<f64>) -> Self {
        Self { from: start.unwrap_or(0.0), to: end.unwrap_or(f64::INFINITY), at: 0.0, speed: 1.0 }
    }

    fn cut(self, start: Option<f64>, end: Option<f64>) -> Option<Self> {
        let from = self.from.max(start.unwrap_or(0.0));
        let to = self.to.min(end.unwrap_or(f64::INFINITY));
        (to > from).then(|| Self { from, to, at: self.at + (from - self.from) / self.speed, ..self })
    }

    /// When a second of the recording is heard, in milliseconds.
    fn when(&self, second: f64) -> f64 {
        (self.at + (second.clamp(self.from, self.to) - self.from) / self.speed) * 1000.0
    }
}

/// The stretches of its source that an overlay plays, as far as a transcription asks for them.
pub fn played(overlay: &Overlay, composition: &Composition, asked: &Transcription) -> Vec<Stretch> {
    let fps = f64::from(composition.fps);
    // What goes on after the end of the film is not heard.
    let end = overlay.end().min(i64::from(composition.duration));
    let length = (end - overlay.base.from).max(0) as f64 / fps;
    let one = |from: f64, speed: f64| vec![Stretch { from, to: from + length * speed, at: 0.0, speed }];
    let Some(playback) = overlay.playback() else { return Vec::new() };
    let segments = Segments::new(playback.segments, playback.speed);
    let mut at = 0.0;
    let mut stretches = Vec::new();
    for piece in segments.pieces() {
        let seconds = (piece.length as f64 / fps).min(length - at);
        if seconds <= 0.0 {
            break;
        }
        let from = piece.start as f64 / fps;
        stretches.push(Stretch { from, to: from + seconds * piece.speed, at, speed: piece.speed });
        at += seconds;
    }
    if segments.pieces().is_empty() {
        stretches = one(playback.start, playback.speed);
    }
    stretches.into_iter().filter_map(|stretch| stretch.cut(asked.start_time, asked.end_time)).collect()
}

/// Words with known times in a recording, with their times in the film.
pub fn known_words(words: &[CaptionWord], stretches: &[Stretch]) -> Vec<CaptionWord> {
    let mut heard = Vec::new();
    for stretch in stretches {
        for word in words {
            let middle = (word.start_ms + word.end_ms) / 2000.0;
            if middle >= stretch.from && middle < stretch.to {
                let start_ms = stretch.when(word.start_ms / 1000.0).round();
                let end_ms = stretch.when(word.end_ms / 1000.0).round();
                heard.push(CaptionWord { start_ms, end_ms, ..word.clone() });
            }
        }
    }
    heard
}

/// The sound of some stretches, one after the other.
#[derive(Debug)]
pub struct Recording {
    /// As [`ListenJob`] writes them.
    samples: File,
    seconds: f64,
    /// As far as there was something to hear.
    stretches: Vec<Stretch>,
}

impl Recording {
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// When a moment of the recording is heard, in milliseconds.
    fn when(&self, ms: f64) -> f64 {
        let mut left = ms / 1000.0;
        for stretch in &self.stretches {
            let length = stretch.to - stretch.from;
            if left <= length {
                return stretch.when(stretch.from + left);
            }
            left -= length;
        }
        self.stretches.last().map_or(0.0, |stretch| stretch.when(stretch.to))
    }

    /// The samples, for an engine elsewhere.
    fn sound(&self) -> io::Result<Sound> {
        let mut bytes = Vec::new();
        (&self.samples).rewind()?;
        (&self.samples).take(MOST_BYTES).read_to_end(&mut bytes)?;
        let (samples, _) = bytes.as_chunks::<4>();
        let samples = samples.iter().map(|sample| f32::from_le_bytes(*sample)).collect();
        Ok(Sound { samples, rate: MONO_RATE })
    }
}

/// What was heard in a recording.
#[derive(Debug)]
pub struct Heard {
    /// With times as the film has them.
    pub words: Vec<CaptionWord>,
    pub language: String,
}

impl SpeechService {
    /// Decodes the sound of a file.
    pub async fn listen(
        &self,
        account_id: &str,
        path: &Path,
        name: &str,
        stretches: Vec<Stretch>,
    ) -> Result<Recording, SpeechError> {
        let stretch = |stretch: Stretch| rondo_jobs::Stretch {
            from: stretch.from,
            to: stretch.to.is_finite().then_some(stretch.to),
            at: stretch.at,
            speed: stretch.speed,
        };
        let job = ListenJob {
            path: path.to_owned(),
            stretches: stretches.into_iter().map(stretch).collect(),
            most_seconds: MOST_SECONDS,
        };
        let done = self.run(account_id, Job::Listen(job), open_files([path.to_owned()]), LISTENING_CPU).await;
        let done = done.map_err(|error| match error {
            JobError::Failed(Failure::Input(reason)) => {
                let reason = reason.replace(&path.display().to_string(), name);
                unreadable(format!("The recording {name} cannot be heard: {reason}."))
            }
            JobError::Failed(Failure::NoSound) => unreadable(format!("The recording {name} has no sound.")),
            JobError::Failed(Failure::TooLong) => SpeechError::wrong(
                "RECORDING_TOO_LONG",
                format!(
                    "More than {} minutes of {name} are to be heard: give startTime and endTime.",
                    MOST_SECONDS / 60.0
                ),
            ),
            JobError::OverTime | JobError::Failed(Failure::TooSlow) => unreadable(format!(
                "The recording {name} takes too long to read. Use a shorter one, or save it again as MP3 or WAV."
            )),
            JobError::Crashed(_) | JobError::Failed(Failure::Panic(_) | Failure::OutOfMemory) => {
                unreadable(format!("The recording {name} cannot be heard."))
            }
            _ => SpeechError::Transient("Failed to read the recording.".to_owned()),
        })?;
        let Answer::Heard(heard) = &done.answer else {
            return Err(SpeechError::Transient("Failed to read the recording.".to_owned()));
        };
        let stretch = |heard: &rondo_jobs::Stretch| Stretch {
            from: heard.from,
            to: heard.to.unwrap_or(heard.from),
            at: heard.at,
            speed: heard.speed,
        };
        let stretches = heard.iter().map(stretch).collect();
        let lost =
            |error: io::Error| SpeechError::Transient(format!("Failed to read the recording: {error}."));
        let samples = done.open_file(ListenJob::FILE).map_err(lost)?;
        let bytes = samples.metadata().map_err(lost)?.len().min(MOST_BYTES);
        let seconds = (bytes / 4) as f64 / f64::from(MONO_RATE);
        Ok(Recording { samples, seconds, stretches })
    }

    /// Writes down what is said.
    pub async fn transcribe(
        &self,
        account_id: &str,
        recording: Recording,
        language: Option<&str>,
    ) -> Result<Heard, SpeechError> {
        let language = self.engines.language(language)?;
        let failed = || SpeechError::Transient("The speech recognizer failed.".to_owned());
        let (words, language) = match &self.local_transcriber {
            Some(engine) => self.transcribe_here(account_id, engine, &recording, language).await?,
            None => {
                let speech = self.engines.clone();
                let sound = recording.sound().map_err(|_| failed())?;
                let work = move || speech.transcribe(&sound, language.as_deref());
                let heard = long(account_id, work).await.map_err(|_| failed())??;
                let words = heard.words.into_iter().map(|word| TimedWord {
                    text: word.text,
                    start_ms: word.start_ms,
                    end_ms: word.end_ms,
                    confidence: word.confidence,
                });
                (words.collect(), heard.language)
            }
        };
        let words = words.into_iter().map(|word: TimedWord| CaptionWord {
            start_ms: recording.when(word.start_ms).round(),
            end_ms: recording.when(word.end_ms).round(),
            word: word.text,
            confidence: word.confidence,
        });
        Ok(Heard { words: words.collect(), language })
    }

    /// Runs the engine of this machine in a child process.
    async fn transcribe_here(
        &self,
        account_id: &str,
        engine: &LocalTranscriber,
        recording: &Recording,
        language: Option<String>,
    ) -> Result<(Vec<TimedWord>, String), SpeechError> {
        let failed = |_| SpeechError::Transient("The speech recognizer failed.".to_owned());
        let name = PathBuf::from("samples");
        let samples = recording.samples.try_clone().map_err(failed)?;
        let job = TranscribeJob {
            samples: name.clone(),
            language,
            folder: engine.folder.clone(),
            whisper_model: engine.whisper_model.clone(),
        };
        let cpu = LISTENING_CPU + TRANSCRIBING_CPU * recording.seconds.ceil() as u64;
        let done = self.run(account_id, Job::Transcribe(job), vec![(name, samples)], cpu).await;
        match done {
            Ok(Done { answer: Answer::Transcript { words, language }, .. }) => Ok((words, language)),
            Err(JobError::Failed(Failure::Machine(sentence))) => Err(SpeechError::Transient(sentence)),
            // The next attempt would take as long.
            Err(JobError::OverTime | JobError::Failed(Failure::TooSlow)) => Err(SpeechError::wrong(
                "RECORDING_TOO_LONG",
                format!(
                    "Transcribing {:.1} minutes of sound takes too long: give startTime and endTime.",
                    recording.seconds / 60.0
                ),
            )),
            Ok(_) => Err(failed(io::ErrorKind::InvalidData.into())),
            Err(error) => {
                tracing::error!(%error, "the speech recognizer failed");
                Err(failed(io::ErrorKind::Other.into()))
            }
        }
    }

    /// Runs a job of sound when it is the account's turn.
    pub(super) async fn run(
        &self,
        account_id: &str,
        job: Job,
        files: Vec<(PathBuf, File)>,
        cpu_seconds: u64,
    ) -> Result<Done, JobError> {
        let seat =
            long_seat(account_id).await.map_err(|error| JobError::Start(io::Error::other(error.message)))?;
        let isolation = &self.media.isolation;
        let limits = Limits { time: Some(time_for(cpu_seconds)), ..isolation.limits(cpu_seconds) };
        isolation.run(Request { job, files, limits, chunks: None }, |_| {}, seat).await
    }
}

fn unreadable(message: String) -> SpeechError {
    SpeechError::wrong("MEDIA_UNREADABLE", message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(text: &str, start: f64, end: f64) -> CaptionWord {
        CaptionWord { word: text.to_owned(), start_ms: start, end_ms: end, confidence: 1.0 }
    }

    #[test]
    fn words_outside_the_played_stretches_are_left_out_and_the_others_keep_their_place_in_the_film() {
        let words = [word("one", 0.0, 400.0), word("two", 1000.0, 1400.0), word("three", 5000.0, 5400.0)];
        let stretches = [
            Stretch { from: 4.0, to: 6.0, at: 0.0, speed: 2.0 },
            Stretch { from: 0.5, to: 1.5, at: 1.0, speed: 1.0 },
        ];
        let heard = known_words(&words, &stretches);
        assert_eq!(heard, [word("three", 500.0, 700.0), word("two", 1500.0, 1900.0)]);
    }

    #[test]
    fn what_is_asked_for_cuts_a_stretch_without_moving_the_rest() {
        let stretch = Stretch { from: 2.0, to: 10.0, at: 0.0, speed: 2.0 };
        let cut = stretch.cut(Some(4.0), Some(6.0)).unwrap();
        assert_eq!(cut, Stretch { from: 4.0, to: 6.0, at: 1.0, speed: 2.0 });
        assert_eq!(stretch.cut(Some(11.0), None), None);
    }
}
