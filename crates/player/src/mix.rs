//! The mix of a film, and the gain that gives it the loudness that is asked for.

use rondo_composition::{Composition, Finish, Overlay};
use rondo_sound::{
    AudioError, CHANNELS, Leveling, Meter, Mixer, OpenAudio, SAMPLE_RATE, Track, frame_to_sample,
};

use crate::media::Media;
use crate::sound::{Sounds, Stretch};

/// What a mix is made of.
#[derive(Clone, Copy)]
pub struct Score<'a> {
    pub composition: &'a Composition,
    pub finish: &'a Finish,
    pub media: &'a Media,
    pub sounds: &'a Sounds,
}

impl Score<'_> {
    fn source(&self, overlay: &Overlay) -> Option<String> {
        let media = overlay.media().into_iter().next()?;
        self.media.has_sound(media.role, media.address).then(|| media.address.to_owned())
    }

    fn open(&self, overlay: &Overlay) -> Option<Box<dyn OpenAudio>> {
        self.source(overlay).map(|src| self.sounds.open(&src))
    }

    fn tracks(&self) -> Vec<(String, Track)> {
        let tracks = rondo_assets::tracks(self.composition, self.finish, |overlay| self.open(overlay));
        tracks.filter_map(|(overlay, track)| Some((self.source(overlay)?, track))).collect()
    }

    /// Frames of the mix.
    fn length(&self) -> i64 {
        frame_to_sample(i64::from(self.composition.duration), self.composition.fps)
    }

    /// A hash of all that decides what is heard.
    fn key(&self) -> blake3::Hash {
        let mut hash = blake3::Hasher::new();
        hash.update(format!("{:?} {}", self.finish, self.length()).as_bytes());
        for (src, track) in self.tracks() {
            let Track { start, pieces, volume, fade_in, fade_out, is_narration, .. } = track;
            let heard = format!("{src:?} {start} {pieces:?} {volume} {fade_in} {fade_out} {is_narration}");
            hash.update(heard.as_bytes());
        }
        hash.finalize()
    }
}

/// A mix that is being made.
pub struct Mix {
    /// `None` if nothing sounds.
    mixer: Option<Mixer>,
    tracks: Vec<(String, Track)>,
    /// The next frame of the mix.
    at: i64,
    samples: Vec<f32>,
}

impl Mix {
    /// The mix from a frame of the film on, changed by `mixed`.
    pub fn new(score: Score<'_>, frame: u32, mixed: impl FnOnce(Mixer) -> Mixer) -> Self {
        let Score { composition, finish, .. } = score;
        let mixer = rondo_assets::mixer(composition, finish, frame, |overlay| score.open(overlay));
        let at = frame_to_sample(i64::from(frame), composition.fps);
        Self { mixer: mixer.map(mixed), tracks: score.tracks(), at, samples: Vec::new() }
    }

    /// What the next seconds need of their sources.
    pub fn needs(&self, sounds: &Sounds, seconds: f64) -> Vec<Stretch> {
        sounds.needs(&self.tracks, self.at, frames_of(seconds))
    }

    /// The next frames: interleaved stereo at 48 kHz. Empty if nothing sounds.
    pub fn next(&mut self, frames: usize) -> Result<&[f32], AudioError> {
        self.samples.clear();
        if let Some(mixer) = &mut self.mixer {
            self.samples.resize(frames * CHANNELS, 0.0);
            mixer.mix(&mut self.samples)?;
        }
        self.at += frames as i64;
        Ok(&self.samples)
    }
}

fn frames_of(seconds: f64) -> i64 {
    (seconds * f64::from(SAMPLE_RATE)).ceil() as i64
}

/// The loudness of a film: what it takes to reach it, as far as that is known.
pub struct Level {
    key: blake3::Hash,
    leveling: Leveling,
    /// The mix that is measured; `None` once the gain is known.
    trial: Option<(Mix, Meter)>,
    gain: f32,
}

impl Level {
    /// The level of a film, if a loudness is asked for. What was measured `before` is kept if the film sounds the same.
    pub fn of(score: Score<'_>, before: Option<Self>) -> Option<Self> {
        let leveling = Leveling::new(score.finish.loudness?);
        let key = score.key();
        if let Some(before) = before.filter(|before| before.key == key) {
            return Some(before);
        }
        let trial = Mix::new(score, 0, |mixer| leveling.trial(mixer));
        Some(Self { key, leveling, trial: Some((trial, Meter::default())), gain: 1.0 })
    }

    /// The factor for the mix: 1 until it is known.
    pub fn gain(&self) -> f32 {
        self.gain
    }

    /// What measuring the next seconds needs of their sources; `None` once the gain is known.
    pub fn needs(&self, sounds: &Sounds, seconds: f64) -> Option<Vec<Stretch>> {
        self.trial.as_ref().map(|(mix, _)| mix.needs(sounds, seconds))
    }

    /// Measures the next seconds.
    pub fn measure(&mut self, score: Score<'_>, seconds: f64) {
        let Some((mix, meter)) = &mut self.trial else { return };
        let frames = frames_of(seconds).clamp(0, (score.length() - mix.at).max(0));
        match mix.next(frames as usize) {
            Ok(samples) => meter.add(samples),
            // What cannot be mixed is not levelled.
            Err(_) => {
                self.trial = None;
                return;
            }
        }
        if mix.at < score.length() {
            return;
        }
        match self.leveling.measured(meter) {
            Some(gain) => (self.gain, self.trial) = (gain, None),
            None => {
                let mix = Mix::new(score, 0, |mixer| self.leveling.trial(mixer));
                self.trial = Some((mix, Meter::default()));
            }
        }
    }
}
