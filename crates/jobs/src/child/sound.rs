//! Decodes, transcribes, speaks, aligns and encodes sound.

use std::io::Write;
use std::path::Path;

use rondo_media::{Container, MONO_RATE, MediaFile, SoundCodec, convert_sound, read_mono, write_wav};
use rondo_speech::{Error, Settings, Sound, Speech, Word, align_here, narrate_here};

use super::input;
use crate::job::{
    AlignJob, Answer, EncodeSoundJob, Failure, ListenJob, NarrateJob, Stretch, TimedWord, TranscribeJob,
};

/// Largest file of samples: an hour of them, and some.
const MOST_SAMPLES: u64 = 300_000_000;

pub fn listen(job: &ListenJob) -> Result<Answer, Failure> {
    let rate = f64::from(MONO_RATE);
    let mut samples: Vec<f32> = Vec::new();
    let mut heard = Vec::new();
    for stretch in &job.stretches {
        let wanted = stretch.to.map_or(f64::INFINITY, |to| (to - stretch.from) * rate);
        let room = job.most_seconds * rate - samples.len() as f64;
        // One sample more than there is room for shows that there is too much.
        let most = wanted.min(room + 1.0) as usize;
        let part = read_mono(&job.path, stretch.from, most).map_err(|error| input(error.to_string()))?;
        let part = part.ok_or(Failure::NoSound)?;
        if part.len() as f64 > room {
            return Err(Failure::TooLong);
        }
        if !part.is_empty() {
            heard.push(Stretch { to: Some(stretch.from + part.len() as f64 / rate), ..*stretch });
            samples.extend(part);
        }
    }
    write_samples(ListenJob::FILE, &samples)?;
    Ok(Answer::Heard(heard))
}

pub fn transcribe(job: TranscribeJob) -> Result<Answer, Failure> {
    let sound = Sound { samples: samples(&job.samples)?, rate: MONO_RATE };
    let settings = Settings { folder: job.folder, whisper_model: job.whisper_model, ..Settings::default() };
    let heard = Speech::open(settings, None).transcribe(&sound, job.language.as_deref());
    let heard = heard.map_err(|error| Failure::Machine(error.sentence()))?;
    Ok(Answer::Transcript { words: timed(heard.words), language: heard.language })
}

pub fn narrate(job: &NarrateJob) -> Result<Answer, Failure> {
    let spoken = narrate_here(&job.text, &job.engine, &job.voice, job.speed, job.espeak.as_deref());
    let spoken = spoken.map_err(|error| match error {
        Error::NothingToSay => Failure::Input(error.sentence()),
        other => Failure::Machine(other.sentence()),
    })?;
    write_samples(NarrateJob::FILE, &spoken.sound.samples)?;
    Ok(Answer::Spoken { rate: spoken.sound.rate, words: timed(spoken.words) })
}

pub fn align(job: &AlignJob) -> Result<Answer, Failure> {
    let spans = align_here(&samples(&job.samples)?, &job.words);
    let times = |span: rondo_speech::Span| (span.start_ms, span.end_ms, span.found);
    Ok(Answer::Aligned(spans.map(|spans| spans.into_iter().map(times).collect())))
}

fn timed(words: Vec<Word>) -> Vec<TimedWord> {
    let timed = |word: Word| TimedWord {
        text: word.text,
        start_ms: word.start_ms,
        end_ms: word.end_ms,
        confidence: word.confidence,
    };
    words.into_iter().map(timed).collect()
}

fn write_samples(name: &str, samples: &[f32]) -> Result<(), Failure> {
    let bytes: Vec<u8> = samples.iter().flat_map(|sample| sample.to_le_bytes()).collect();
    let written = std::fs::File::create(name).and_then(|mut file| file.write_all(&bytes));
    written.map_err(|error| Failure::Machine(error.to_string()))
}

pub fn encode(job: &EncodeSoundJob) -> Result<Answer, Failure> {
    let fails = |error: rondo_media::MediaError| Failure::Machine(error.to_string());
    let (plain, file) = (Path::new("plain"), Path::new(EncodeSoundJob::FILE));
    let samples = samples(&job.samples)?;
    if job.mp3 {
        write_wav(plain, &samples, job.rate).map_err(fails)?;
        convert_sound(plain, file, Container::Mp3, SoundCodec::Mp3).map_err(fails)?;
    } else {
        write_wav(file, &samples, job.rate).map_err(fails)?;
    }
    Ok(Answer::Encoded)
}

fn samples(path: &Path) -> Result<Vec<f32>, Failure> {
    let bytes = MediaFile::open(path).and_then(|file| file.read_all(MOST_SAMPLES));
    let bytes = bytes.map_err(|error| Failure::Machine(error.to_string()))?;
    let (samples, _) = bytes.as_chunks::<4>();
    Ok(samples.iter().map(|sample| f32::from_le_bytes(*sample)).collect())
}
