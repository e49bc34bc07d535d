//! What generated speech changes in a composition: narrations lengthen it, captions fill their overlays.

use crate::caption::Caption;
use crate::composition::Composition;
use crate::limits::MOST_FRAMES;
use crate::overlay::{Overlay, OverlayKind};

/// A narration that was made for a sound variable.
#[derive(Debug, Clone, PartialEq)]
pub struct Narrated {
    /// The variable.
    pub name: String,
    /// Address of the sound.
    pub src: String,
    pub duration_ms: f64,
}

impl Composition {
    /// Puts narrations in their places. Each overlay lasts at least as long as its narration, the film as long as they
    /// do, and overlays that ended with the film still do.
    pub fn narrate(&mut self, narrations: &[Narrated]) {
        let (fps, old_end) = (f64::from(self.fps), i64::from(self.duration));
        let mut end = old_end;
        let mut spoken = vec![false; self.overlays.len()];
        for narrated in narrations {
            for (index, overlay) in self.overlays.iter_mut().enumerate() {
                if overlay.variable_name().as_ref() != Some(&narrated.name) {
                    continue;
                }
                let OverlayKind::Sound(sound) = &mut overlay.kind else { continue };
                sound.src.clone_from(&narrated.src);
                // Properties of the previous sound do not apply to this one.
                sound.start_from = 0.0;
                sound.media_src_duration = None;
                sound.source_frames = None;
                let frames = (narrated.duration_ms * fps / 1000.0 / sound.speed - 1e-6).ceil();
                let frames = frames.clamp(1.0, MOST_FRAMES as f64) as u32;
                overlay.base.duration = overlay.base.duration.max(frames);
                end = end.max(overlay.base.from + i64::from(frames));
                spoken[index] = true;
            }
        }
        self.duration = u32::try_from(end).unwrap_or(u32::MAX);
        for (overlay, _) in self.overlays.iter_mut().zip(spoken).filter(|(_, spoken)| !spoken) {
            if overlay.end() == old_end {
                overlay.base.duration = u32::try_from(end - overlay.base.from).unwrap_or(u32::MAX);
            }
        }
    }

    /// The captions of every caption overlay of a name.
    pub fn set_captions(&mut self, name: &str, captions_at: impl Fn(&Overlay) -> Vec<Caption>) {
        for overlay in &mut self.overlays {
            if overlay.variable_name().as_deref() != Some(name) {
                continue;
            }
            let new = captions_at(overlay);
            if let OverlayKind::Caption(captions) = &mut overlay.kind {
                captions.captions = new;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::Limits;

    fn sound(id: u32, from: u32, frames: u32, name: &str, speed: f64) -> serde_json::Value {
        json!({"id": id, "type": "sound", "from": from, "durationInFrames": frames, "row": id, "left": 0, "top": 0,
            "width": 1, "height": 1, "src": "", "speed": speed, "name": name, "isDynamic": true})
    }

    fn film() -> Composition {
        let text = json!({"id": 3, "type": "text", "from": 20, "durationInFrames": 70, "row": 3, "left": 0, "top": 0,
            "width": 100, "height": 40, "content": "end"});
        let early = json!({"id": 4, "type": "text", "from": 0, "durationInFrames": 50, "row": 4, "left": 0, "top": 0,
            "width": 100, "height": 40, "content": "early"});
        let film = json!({"durationInFrames": 90, "fps": 30, "width": 100, "height": 100,
            "overlays": [sound(1, 30, 20, "voice", 1.0), sound(2, 0, 90, "music", 1.0), text, early]});
        Composition::read(&film, Limits::WIDEST).unwrap().composition
    }

    fn narrated(duration_ms: f64) -> [Narrated; 1] {
        [Narrated { name: "voice".to_owned(), src: "https://a.example/v.wav".to_owned(), duration_ms }]
    }

    fn spans(film: &Composition) -> Vec<(i64, u32)> {
        film.overlays.iter().map(|overlay| (overlay.base.from, overlay.base.duration)).collect()
    }

    #[test]
    fn a_long_narration_lengthens_the_film_and_what_ended_with_it() {
        let mut film = film();
        film.narrate(&narrated(4001.0));
        assert_eq!(film.duration, 30 + 121);
        assert_eq!(spans(&film), [(30, 121), (0, 151), (20, 131), (0, 50)]);
        assert!(
            matches!(&film.overlays[0].kind, OverlayKind::Sound(s) if s.src == "https://a.example/v.wav")
        );
    }

    #[test]
    fn a_narration_that_fits_changes_no_length() {
        let mut film = film();
        film.narrate(&narrated(500.0));
        assert_eq!(film.duration, 90);
        assert_eq!(spans(&film), [(30, 20), (0, 90), (20, 70), (0, 50)]);
    }

    #[test]
    fn a_narration_played_faster_takes_less_time() {
        let mut film = film();
        let OverlayKind::Sound(voice) = &mut film.overlays[0].kind else { unreachable!() };
        (voice.speed, voice.start_from) = (2.0, 3.0);
        film.narrate(&narrated(4000.0));
        assert!(matches!(&film.overlays[0].kind, OverlayKind::Sound(s) if s.start_from == 0.0));
        assert_eq!((film.overlays[0].base.duration, film.duration), (60, 90));
    }
}
