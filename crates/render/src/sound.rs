//! Which sounds a composition plays, when, and how.

use rondo_composition::{Composition, Overlay, OverlayKind};
use rondo_media::audio::{FileAudio, Mixer, Piece, Track, frame_to_sample, seconds_to_sample};

use crate::library::Library;

/// The mix of all overlays that can be heard; `None` when there are none.
pub(crate) fn mixer(composition: &Composition, library: &Library) -> Option<Mixer> {
    let tracks: Vec<Track> =
        composition.overlays.iter().filter_map(|overlay| track(overlay, composition, library)).collect();
    (!tracks.is_empty()).then(|| Mixer::new(tracks))
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
