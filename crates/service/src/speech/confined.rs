//! The voices and the aligner of this machine, which read texts and recordings of strangers, in child processes.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rondo_jobs::{
    AlignJob, Answer, Done, Failure, Job, JobError, Jobs, Limits, NarrateJob, Request, Stop, TimedWord,
};
use rondo_speech::{Confined, Error, Sound, Span, Spoken, Voice, Word, espeak_program};

use crate::isolation::time_for;

/// Processor time for a narration, and for each second of sound that is aligned; both besides what opening takes.
const NARRATING_CPU: u64 = 600;
const ALIGNING_CPU: u64 = 8;
/// What a child may use that runs a program: each of its processes may use so much memory, and the longest text, spoken slowly, needs
/// half of it.
const PROGRAM_MEMORY: u64 = 512_000_000;
const PROGRAM_THREADS: u64 = 64;
/// Samples a second that are aligned.
const ALIGNED_RATE: usize = 16_000;
/// Largest file of samples: the longest text, spoken slowly, is less than half of it.
const MOST_SAMPLES: u64 = 300_000_000;
/// A voice says fewer words than a text has letters.
const MOST_WORDS: usize = 20_000;

/// Starts a child process for each narration and each alignment. Calls block.
pub struct SpeechChildren {
    jobs: Arc<Jobs>,
    limits: Limits,
    /// The folder of temporary files.
    scratch: PathBuf,
    espeak: Option<PathBuf>,
}

impl SpeechChildren {
    pub fn new(jobs: Arc<Jobs>, limits: Limits, scratch: PathBuf) -> Self {
        Self { jobs, limits, scratch, espeak: espeak_program() }
    }

    fn run(&self, job: Job, files: Vec<(PathBuf, File)>, cpu_seconds: u64) -> Result<Done, JobError> {
        let mut limits = Limits { cpu_seconds, time: Some(time_for(cpu_seconds)), ..self.limits };
        if matches!(&job, Job::Narrate(NarrateJob { espeak: Some(_), .. })) {
            limits.memory = limits.memory.min(PROGRAM_MEMORY);
            limits.threads = limits.threads.min(PROGRAM_THREADS);
        }
        self.jobs.run(Request { job, files, limits, chunks: None }, &Stop::default(), &mut |_| {})
    }

    fn try_align(&self, samples: &[f32], words: &[String]) -> Result<Option<Vec<Span>>, JobError> {
        let bytes: Vec<u8> = samples.iter().flat_map(|sample| sample.to_le_bytes()).collect();
        let file = temporary_file(&self.scratch, &bytes)?;
        let name = PathBuf::from("samples");
        let job = AlignJob { samples: name.clone(), words: words.to_vec() };
        let seconds = samples.len().div_ceil(ALIGNED_RATE) as u64;
        let done = self.run(Job::Align(job), vec![(name, file)], NARRATING_CPU + ALIGNING_CPU * seconds)?;
        let Answer::Aligned(times) = done.answer else { return Ok(None) };
        let length_ms = samples.len() as f64 * 1000.0 / ALIGNED_RATE as f64;
        let span = |(start_ms, end_ms, found): (f64, f64, bool)| {
            let start_ms = start_ms.clamp(0.0, length_ms);
            Span { start_ms, end_ms: end_ms.clamp(start_ms, length_ms), found }
        };
        Ok(times.map(|times| times.into_iter().map(span).collect()))
    }
}

impl Confined for SpeechChildren {
    fn narrate(&self, text: &str, voice: &Voice, speed: f64) -> Result<Spoken, Error> {
        let job = NarrateJob {
            text: text.to_owned(),
            engine: voice.engine.to_owned(),
            voice: voice.id.clone(),
            speed,
            // Voices of a library run no program.
            espeak: self.espeak.clone().filter(|program| program.ends_with(voice.engine)),
        };
        let run = || self.run(Job::Narrate(job.clone()), Vec::new(), NARRATING_CPU);
        let done = match run() {
            // The machine may have ended it. The second time, the text does.
            Err(JobError::Crashed(reason)) => {
                tracing::warn!(reason, "a speech engine crashed");
                run()
            }
            done => done,
        };
        let done = done.map_err(explained)?;
        let Answer::Spoken { rate, words } = &done.answer else { return Err(broken("an unexpected answer")) };
        let bytes =
            done.read_file(NarrateJob::FILE, MOST_SAMPLES).map_err(|error| broken(&error.to_string()))?;
        let (samples, _) = bytes.as_chunks::<4>();
        let samples = samples.iter().map(|sample| f32::from_le_bytes(*sample)).collect();
        let word = |word: &TimedWord| Word {
            text: word.text.clone(),
            start_ms: word.start_ms,
            end_ms: word.end_ms,
            confidence: word.confidence,
        };
        Ok(Spoken {
            sound: Sound { samples, rate: *rate },
            words: words.iter().take(MOST_WORDS).map(word).collect(),
        })
    }

    fn align(&self, samples: &[f32], words: &[String]) -> Option<Vec<Span>> {
        self.try_align(samples, words).unwrap_or_else(|error| {
            tracing::warn!(%error, "forced alignment failed");
            None
        })
    }
}

/// A file without a name in a folder, which may have been removed.
pub fn temporary_file(folder: &Path, bytes: &[u8]) -> Result<File, Failure> {
    let file =
        fs::create_dir_all(folder).and_then(|()| tempfile::tempfile_in(folder)).and_then(|mut file| {
            file.write_all(bytes)?;
            Ok(file)
        });
    file.map_err(|error| Failure::no_folder(&error))
}

fn broken(reason: &str) -> Error {
    Error::Engine(format!("the speech engine failed: {reason}"))
}

fn explained(error: JobError) -> Error {
    match error {
        JobError::Failed(Failure::Input(_)) => Error::NothingToSay,
        JobError::Failed(Failure::Machine(sentence)) => Error::Engine(sentence),
        error @ (JobError::Start(_) | JobError::Stopped) => broken(&error.to_string()),
        error => {
            tracing::error!(%error, "a speech engine failed");
            let reason = match error {
                JobError::Failed(Failure::OutOfMemory) => "it needs too much memory",
                JobError::OverTime | JobError::FileTooLarge | JobError::Failed(Failure::TooSlow) => {
                    "it takes too long"
                }
                _ => "it crashed",
            };
            Error::Unspeakable(format!("{reason}. Change the text, or choose another voice"))
        }
    }
}
