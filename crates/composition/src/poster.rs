//! The frame that stands for a film, and the frames that show its variables.

use std::ops::Range;

use crate::composition::Composition;
use crate::overlay::{Overlay, OverlayKind};

/// Frames of an entrance or exit without a length of its own.
const RAMP: i64 = 15;
/// Characters of a text that count: a long one is not worth more than the rest of the film.
const MOST_COUNTED: usize = 120;

impl Composition {
    /// The frame that stands for the film: the one it names, or the one at which the most text has appeared.
    pub fn poster(&self) -> u32 {
        let last = self.duration.saturating_sub(1);
        self.poster_frame.unwrap_or_else(|| self.fullest_frame()).min(last)
    }

    /// A frame that shows the overlay: the poster if it does, or the middle of the time it stands still. `None` for
    /// overlays that are never seen.
    pub fn frame_showing(&self, overlay: &Overlay) -> Option<u32> {
        let settled = self.settled(overlay)?;
        let poster = self.poster();
        match settled.contains(&poster) {
            true => Some(poster),
            false => Some(settled.start + (settled.end - settled.start) / 2),
        }
    }

    /// The middle of the time in which the most can be seen: of the longest one, and of the first one of that length.
    /// Without text, the middle of the film.
    fn fullest_frame(&self) -> u32 {
        if !self.overlays.iter().any(|overlay| matches!(overlay.kind, OverlayKind::Text(_))) {
            return self.duration / 2;
        }
        let mut changes: Vec<(u32, i64)> = Vec::with_capacity(self.overlays.len() * 2 + 2);
        changes.extend([(0, 0), (self.duration, 0)]);
        for overlay in &self.overlays {
            if let Some(settled) = self.settled(overlay) {
                let weight = weight(overlay);
                changes.extend([(settled.start, weight), (settled.end, -weight)]);
            }
        }
        changes.sort_unstable_by_key(|(frame, _)| *frame);
        let (mut seen, mut best) = (0, (i64::MIN, 0, 0));
        for pair in changes.windows(2) {
            seen += pair[0].1;
            let (from, length) = (pair[0].0, pair[1].0 - pair[0].0);
            if length > 0 && (seen, length) > (best.0, best.1) {
                best = (seen, length, from);
            }
        }
        best.2 + best.1 / 2
    }

    /// The frames of the film at which an overlay has entered and does not leave yet.
    fn settled(&self, overlay: &Overlay) -> Option<Range<u32>> {
        let length = i64::from(overlay.base.duration);
        if weight(overlay) == 0 || length == 0 || !overlay.is_visible() {
            return None;
        }
        let animation = overlay.animation();
        let ramp = |preset: Option<&String>, seconds: Option<f64>| match preset {
            None => 0,
            Some(_) => seconds.map_or(RAMP, |seconds| (seconds * f64::from(self.fps)).ceil() as i64),
        };
        let enter = animation.map_or(0, |it| ramp(it.enter.as_ref(), it.enter_duration));
        let exit = animation.map_or(0, |it| ramp(it.exit.as_ref(), it.exit_duration));
        // Text that comes letter by letter is complete late.
        let enter = if comes_in_parts(overlay) { enter.max(length * 3 / 5) } else { enter };
        let start = overlay.base.from + enter.min(length / 2);
        let end = (overlay.end() - exit.min(length)).max(start + 1);
        let within = |frame: i64| frame.clamp(0, i64::from(self.duration)) as u32;
        Some(within(start)..within(end)).filter(|settled| !settled.is_empty())
    }
}

/// How much an overlay says of a film; 0 for those that are only heard.
fn weight(overlay: &Overlay) -> i64 {
    match &overlay.kind {
        OverlayKind::Text(text) => 100 + text.content.chars().take(MOST_COUNTED).count() as i64,
        OverlayKind::Image(_) | OverlayKind::Video(_) => 20,
        OverlayKind::Caption(_) => 10,
        OverlayKind::Sticker(_) | OverlayKind::Effect(_) => 5,
        OverlayKind::Shape(_) => 2,
        OverlayKind::Sound(_) => 0,
    }
}

fn comes_in_parts(overlay: &Overlay) -> bool {
    let OverlayKind::Text(text) = &overlay.kind else { return false };
    let styles = &text.styles;
    styles.animated_text.is_some()
        || styles.type_writer.is_some()
        || styles.counter_mode.is_some()
        || styles.staggered_motion.is_some()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::{Composition, Limits};

    fn film(overlays: Value, poster: Option<u32>) -> Composition {
        let mut film = json!({"durationInFrames": 100, "fps": 10, "overlays": overlays});
        if let Some(poster) = poster {
            film["posterFrame"] = poster.into();
        }
        Composition::read(&film, Limits::WIDEST).unwrap().composition
    }

    fn overlay(id: u32, kind: &str, from: i64, length: u32, animation: Value) -> Value {
        json!({
            "id": id, "type": kind, "from": from, "durationInFrames": length, "row": 0, "top": 0, "left": 0,
            "width": 10, "height": 10, "content": "Ten letters", "src": "a.png", "styles": {"animation": animation},
        })
    }

    #[test]
    fn the_poster_shows_most_of_the_text_at_rest() {
        let enter = json!({"enter": "fade", "enterDuration": 2});
        let both = json!([
            overlay(1, "text", 0, 100, enter.clone()),
            overlay(2, "text", 40, 40, json!({"enter": "fade", "exit": "fade", "exitDuration": 1})),
            overlay(3, "image", 80, 20, Value::Null),
        ]);
        // The second text has entered after 15 frames and leaves 10 frames before its end.
        assert_eq!(film(both, None).poster(), (55 + 70) / 2);
        assert_eq!(film(json!([overlay(1, "text", 0, 100, enter)]), None).poster(), 60);
        assert_eq!(film(json!([]), None).poster(), 50);
        assert_eq!(film(json!([overlay(1, "sound", 0, 9, Value::Null)]), None).poster(), 50);
    }

    #[test]
    fn a_named_poster_wins_and_stays_within_the_film() {
        assert_eq!(film(json!([]), Some(7)).poster(), 7);
        assert_eq!(film(json!([]), Some(700)).poster(), 99);
    }

    #[test]
    fn a_variable_is_shown_where_it_can_be_seen() {
        let overlays = json!([
            overlay(1, "text", 10, 20, Value::Null),
            overlay(2, "text", 60, 400, Value::Null),
            overlay(3, "sound", 0, 100, Value::Null),
            overlay(4, "text", 200, 10, Value::Null),
        ]);
        let film = film(overlays, Some(65));
        let shown: Vec<_> = film.overlays.iter().map(|overlay| film.frame_showing(overlay)).collect();
        assert_eq!(shown, [Some(20), Some(65), None, None]);
    }
}
