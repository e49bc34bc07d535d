//! Which sounds a composition plays, when, and how. Also files of sound alone.

use std::path::Path;

use rondo_composition::{Composition, Overlay, OverlayKind};
use rondo_media::audio::{CHANNELS, FileAudio, Mixer, Piece, Track, frame_to_sample, seconds_to_sample};
use rondo_media::{Container, SoundCodec, SoundWriter};

use crate::error::RenderError;
use crate::library::Library;
use crate::recipe::Recipe;
use crate::tally::Tally;
use crate::timings::{Stage, during};

/// The sound of a film, frame by frame.
pub(crate) struct SoundStage {
    /// The mix of all overlays that can be heard; `None` when there are none.
    mixer: Option<Mixer>,
    fps: u32,
    /// First frame of the composition that is heard.
    start: u32,
    /// Frames mixed.
    heard: u32,
    samples: Vec<f32>,
}

impl SoundStage {
    pub fn new(composition: &Composition, library: &Library, start: u32) -> Self {
        let fps = composition.fps;
        let tracks: Vec<Track> =
            composition.overlays.iter().filter_map(|overlay| track(overlay, composition, library)).collect();
        let from = frame_to_sample(i64::from(start), fps);
        let mixer = (!tracks.is_empty()).then(|| Mixer::starting_at(tracks, from));
        Self { mixer, fps, start, heard: 0, samples: Vec::new() }
    }

    /// Whether anything sounds.
    pub fn is_audible(&self) -> bool {
        self.mixer.is_some()
    }

    pub fn heard(&self) -> u32 {
        self.heard
    }

    /// The samples of the next frame, silence where nothing sounds.
    pub fn next_frame(&mut self) -> Result<&[f32], RenderError> {
        let _sound = during(Stage::Sound);
        let frame = i64::from(self.start) + i64::from(self.heard);
        let count = frame_to_sample(frame + 1, self.fps) - frame_to_sample(frame, self.fps);
        self.samples.clear();
        self.samples.resize(count as usize * CHANNELS, 0.0);
        if let Some(mixer) = &mut self.mixer {
            mixer.mix(&mut self.samples)?;
        }
        self.heard += 1;
        Ok(&self.samples)
    }
}

/// Writes a file of sound alone.
pub(crate) fn render(
    composition: &Composition,
    library: &Library,
    recipe: &Recipe,
    (container, codec): (Container, SoundCodec),
    path: &Path,
    tally: &mut Tally<'_>,
) -> Result<u64, RenderError> {
    let mut sound = SoundStage::new(composition, library, recipe.frames.start);
    let mut writer = SoundWriter::create(path, container, codec)?;
    for _ in recipe.frames.clone() {
        writer.push(sound.next_frame()?)?;
        tally.add(1)?;
    }
    Ok(writer.finish()?)
}

fn track(overlay: &Overlay, composition: &Composition, library: &Library) -> Option<Track> {
    let path = library.sound(overlay)?;
    let fps = composition.fps;
    let base = &overlay.base;
    let start = frame_to_sample(base.from, fps);
    let length = u64::try_from(frame_to_sample(overlay.end(), fps) - start).ok().filter(|l| *l > 0)?;
    let (volume, fade_in, fade_out, pieces) = match &overlay.kind {
        OverlayKind::Sound(s) => {
            let piece = Piece { from: seconds_to_sample(s.start_from), length, speed: s.speed };
            (s.styles.volume, s.styles.fade_in, s.styles.fade_out, vec![piece])
        }
        OverlayKind::Video(v) => {
            let from = seconds_to_sample(v.video_start_time);
            let pieces = segment_pieces(v, fps, length)
                .unwrap_or_else(|| vec![Piece { from, length, speed: v.speed }]);
            (v.styles.volume, v.styles.fade_in, v.styles.fade_out, pieces)
        }
        _ => return None,
    };
    let source = Box::new(FileAudio(path.to_owned()));
    Some(Track { source, start, pieces, volume: volume as f32, fade_in, fade_out })
}

/// The played pieces of a segmented video, cut at the end of the overlay; `None` when it has no segments.
fn segment_pieces(video: &rondo_composition::Video, fps: u32, length: u64) -> Option<Vec<Piece>> {
    let segments = rondo_scene::Segments::new(&video.segments, video.speed);
    if segments.pieces().is_empty() {
        return None;
    }
    let mut left = length;
    let mut pieces = Vec::new();
    for piece in segments.pieces() {
        let samples = (frame_to_sample(piece.length, fps) as u64).min(left);
        if samples == 0 {
            break;
        }
        left -= samples;
        let from = frame_to_sample(piece.start, fps) as u64;
        pieces.push(Piece { from, length: samples, speed: piece.speed });
    }
    Some(pieces)
}
