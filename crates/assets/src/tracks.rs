//! The sound of a composition as tracks of a mix.

use rondo_composition::{Composition, Finish, Overlay, Playback};
use rondo_scene::Segments;
use rondo_sound::{Ducking, Mixer, OpenAudio, Piece, Track, frame_to_sample, seconds_to_sample};

/// The mix of all audible overlays from a frame on; `None` if there are none. `open` is the sound of an overlay's source.
pub fn mixer(
    composition: &Composition,
    finish: &Finish,
    start: u32,
    open: impl Fn(&Overlay) -> Option<Box<dyn OpenAudio>>,
) -> Option<Mixer> {
    let fps = composition.fps;
    let tracks: Vec<Track> = tracks(composition, finish, open).map(|(_, track)| track).collect();
    if tracks.is_empty() {
        return None;
    }
    let narrates = tracks.iter().any(|track| track.is_narration);
    let mixer = Mixer::starting_at(tracks, frame_to_sample(i64::from(start), fps));
    Some(match finish.ducking.as_ref().filter(|_| narrates) {
        Some(ducking) => mixer.ducked(Ducking {
            amount: ducking.amount,
            attack: ducking.attack / 1000.0,
            release: ducking.release / 1000.0,
        }),
        None => mixer,
    })
}

/// The tracks of all audible overlays.
pub fn tracks<'c>(
    composition: &'c Composition,
    finish: &'c Finish,
    open: impl Fn(&Overlay) -> Option<Box<dyn OpenAudio>> + 'c,
) -> impl Iterator<Item = (&'c Overlay, Track)> {
    let audible = composition.overlays.iter();
    audible.filter_map(move |overlay| Some((overlay, track(overlay, finish, composition.fps, &open)?)))
}

fn track(
    overlay: &Overlay,
    finish: &Finish,
    fps: u32,
    open: impl Fn(&Overlay) -> Option<Box<dyn OpenAudio>>,
) -> Option<Track> {
    let playback = overlay.playback()?;
    let source = open(overlay)?;
    let start = frame_to_sample(overlay.base.from, fps);
    let length = u64::try_from(frame_to_sample(overlay.end(), fps) - start).ok().filter(|l| *l > 0)?;
    let Playback { volume, fade_in, fade_out, .. } = playback;
    let pieces = segment_pieces(&playback, fps, length).unwrap_or_else(|| {
        vec![Piece { from: seconds_to_sample(playback.start), length, speed: playback.speed }]
    });
    let is_narration = finish.narration().contains(&overlay.display_name());
    Some(Track { source, start, pieces, volume: volume as f32, fade_in, fade_out, is_narration })
}

/// The played pieces of a segmented source, cut at the end of the overlay; `None` when it has no segments.
fn segment_pieces(playback: &Playback<'_>, fps: u32, length: u64) -> Option<Vec<Piece>> {
    let segments = Segments::new(playback.segments, playback.speed);
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
