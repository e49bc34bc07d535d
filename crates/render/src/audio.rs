//! The audio of a composition: its tracks, their mix, and audio files.

use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use rondo_composition::{Composition, Finish};
use rondo_media::{Container, FileAudio, SoundCodec, SoundWriter};
use rondo_scene::{Notice, Severity};
use rondo_sound::{CHANNELS, Leveling, Meter, Mixer, frame_to_sample};

use crate::error::RenderError;
use crate::film::Film;
use crate::media::MediaLibrary;
use crate::progress::ProgressTracker;
use crate::timings::{Stage, during};

/// The tracks of a film and the finish of its sound.
#[derive(Clone, Copy)]
struct Score<'a> {
    composition: &'a Composition,
    library: &'a MediaLibrary,
    finish: &'a Finish,
}

impl Score<'_> {
    /// The mix of all audible overlays, from a frame on; `None` if there are none.
    fn mixer(&self, start: u32) -> Option<Mixer> {
        let Self { composition, library, finish } = *self;
        rondo_assets::mixer(composition, finish, start, |overlay| {
            let path = library.sound(overlay)?.to_owned();
            Some(Box::new(FileAudio { path, stop: library.stop().clone() }))
        })
    }
}

/// A notice for a composition that asks for ducking but has no narration.
pub fn lacking_narration(finish: &Finish) -> Option<Notice> {
    (finish.ducking.is_some() && finish.narration().is_empty()).then(|| {
        let message = "No overlay is marked as narration, so nothing is ducked.";
        Notice::new("NARRATION_MISSING", Severity::Warning, "audio.ducking", message)
            .hint("List the narration overlays in audio.ducking.narration.")
    })
}

/// The sound of a film, frame by frame.
pub(crate) struct SoundStage<'a> {
    score: Score<'a>,
    frames: Range<u32>,
    mixer: Option<Mixer>,
    /// Frames mixed.
    heard: u32,
    samples: Vec<f32>,
    /// Measures the mix if a loudness is requested.
    meter: Option<Meter>,
}

impl<'a> SoundStage<'a> {
    pub fn new(film: &'a Film, frames: Range<u32>, finish: &'a Finish) -> Self {
        let score = Score { composition: &film.composition, library: &film.library, finish };
        let mixer = score.mixer(frames.start);
        let meter = finish.loudness.map(|_| Meter::default());
        Self { score, frames, mixer, heard: 0, samples: Vec::new(), meter }
    }

    /// Whether anything sounds.
    pub fn is_audible(&self) -> bool {
        self.mixer.is_some()
    }

    pub fn heard(&self) -> u32 {
        self.heard
    }

    /// Determines the gain for the requested loudness. Call it before the
    /// first frame is mixed; it mixes the film up to a few times.
    pub fn level(&mut self, cancel: &AtomicBool) -> Result<(), RenderError> {
        let Some(wanted) = self.score.finish.loudness.filter(|_| self.is_audible()) else { return Ok(()) };
        let mut leveling = Leveling::new(wanted);
        let gain = loop {
            let measured = self.measure(|mixer| leveling.trial(mixer), cancel)?;
            if let Some(gain) = leveling.measured(&measured) {
                break gain;
            }
        };
        self.mixer = self.mixer.take().map(|mixer| mixer.amplified(gain));
        Ok(())
    }

    /// Measures the whole film as `mixed` makes it.
    fn measure(&self, mixed: impl FnOnce(Mixer) -> Mixer, cancel: &AtomicBool) -> Result<Meter, RenderError> {
        let (score, frames) = (self.score, self.frames.clone());
        let mixer = score.mixer(frames.start).map(mixed);
        let meter = Some(Meter::default());
        let mut trial = Self { score, frames, mixer, heard: 0, samples: Vec::new(), meter };
        for _ in trial.frames.clone() {
            trial.next_frame()?;
            if cancel.load(Ordering::Relaxed) {
                return Err(RenderError::Cancelled);
            }
        }
        Ok(trial.meter.unwrap_or_default())
    }

    /// The samples of the next frame, silence where nothing sounds.
    pub fn next_frame(&mut self) -> Result<&[f32], RenderError> {
        let _sound = during(Stage::Sound);
        let fps = self.score.composition.fps;
        let frame = i64::from(self.frames.start) + i64::from(self.heard);
        let count = frame_to_sample(frame + 1, fps) - frame_to_sample(frame, fps);
        self.samples.clear();
        self.samples.resize(count as usize * CHANNELS, 0.0);
        if let Some(mixer) = &mut self.mixer {
            mixer.mix(&mut self.samples)?;
        }
        if let Some(meter) = &mut self.meter {
            meter.add(&self.samples);
        }
        self.heard += 1;
        Ok(&self.samples)
    }

    /// Measured loudness in LUFS, if one was requested and the film is not silent.
    pub fn loudness(&self) -> Option<f64> {
        self.meter.as_ref()?.loudness()
    }
}

/// Writes an audio file; returns its size in bytes and its loudness.
pub(crate) fn render(
    mut sound: SoundStage<'_>,
    (container, codec): (Container, SoundCodec),
    path: &Path,
    progress: &mut ProgressTracker<'_>,
) -> Result<(u64, Option<f64>), RenderError> {
    let mut writer = SoundWriter::create(path, container, codec)?;
    sound.level(progress.cancel)?;
    for _ in sound.frames.clone() {
        writer.push(sound.next_frame()?)?;
        progress.add(1)?;
    }
    Ok((writer.finish()?, sound.loudness()))
}
