//! Keyframes of other formats as the evenly spaced keyframes of `staggeredMotion`.

use rondo_css::Easing;
use serde_json::{Map, Value, json};

use crate::film::{Overlay, tidy};

/// Segments that keyframes are looked for on; else the motion is sampled.
const MOST_EVEN: usize = 60;
/// Segments of a sampled motion.
const MOST_SAMPLES: usize = 300;
/// Keyframes of one property.
pub const MOST_KEYFRAMES: usize = 500;

/// A value at a time in seconds from the overlay's start, and the easing on the way to the next.
#[derive(Debug, Clone)]
pub struct Keyframe {
    pub time: f64,
    pub value: f64,
    pub easing: Option<Easing>,
}

impl Keyframe {
    pub fn new(time: f64, value: f64) -> Self {
        Self { time, value, easing: None }
    }
}

/// What moves, with its keys in `staggeredMotion`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Property {
    X,
    Y,
    Scale,
    Rotate,
    Opacity,
    Blur,
}

const PROPERTIES: [(Property, &str); 6] = [
    (Property::X, "x"),
    (Property::Y, "y"),
    (Property::Scale, "scale"),
    (Property::Rotate, "rotate"),
    (Property::Opacity, "opacity"),
    (Property::Blur, "blur"),
];

impl Property {
    /// Factors multiply, offsets add up.
    fn is_factor(self) -> bool {
        matches!(self, Self::Scale | Self::Opacity)
    }
}

/// The motion of an overlay: any number of tracks for each property.
#[derive(Debug, Clone, Default)]
pub struct Motion(Vec<(Property, Vec<Keyframe>)>);

impl Motion {
    /// Adds keyframes in the order of time.
    pub fn track(&mut self, property: Property, mut keyframes: Vec<Keyframe>) {
        keyframes.truncate(MOST_KEYFRAMES);
        keyframes.sort_by(|a, b| a.time.total_cmp(&b.time));
        if !keyframes.is_empty() {
            self.0.push((property, keyframes));
        }
    }

    /// Adds a way from one value to another.
    pub fn ramp(&mut self, property: Property, (from, start): (f64, f64), (to, end): (f64, f64)) {
        self.track(property, vec![Keyframe::new(start, from), Keyframe::new(end, to)]);
    }

    /// The motion so many seconds later.
    pub fn shifted(&self, seconds: f64) -> Self {
        let mut motion = self.clone();
        for keyframe in motion.0.iter_mut().flat_map(|(_, track)| track) {
            keyframe.time += seconds;
        }
        motion
    }

    /// Adds the tracks of another motion.
    pub fn join(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Writes the motion to an overlay, whose length is known by now.
    pub fn apply(&self, overlay: &mut Overlay, fps: u32) {
        let seconds = overlay.length;
        if self.is_empty() || seconds <= 0.0 {
            return;
        }
        let frames = (seconds * f64::from(fps)).round().max(1.0);
        let segments = self.segments(seconds, frames);
        let mut motion = Map::new();
        motion.insert("enabled".into(), true.into());
        motion.insert("duration".into(), tidy(frames));
        for (property, key) in PROPERTIES {
            let tracks: Vec<&[Keyframe]> =
                self.0.iter().filter(|(other, _)| *other == property).map(|(_, track)| &track[..]).collect();
            if tracks.is_empty() {
                continue;
            }
            let at = |index: usize| {
                let time = seconds * index as f64 / segments as f64;
                let values = tracks.iter().map(|track| value_at(track, time));
                let value = if property.is_factor() { values.product::<f64>() } else { values.sum() };
                match property {
                    Property::Opacity => value.clamp(0.0, 1.0),
                    Property::Blur => value.max(0.0),
                    _ => value,
                }
            };
            let values: Vec<Value> = (0..=segments).map(|index| tidy(at(index))).collect();
            motion.insert(key.into(), values.into());
        }
        overlay.style("staggeredMotion", json!(motion));
    }

    /// The fewest even segments on which every keyframe lies, where the way between them is straight.
    fn segments(&self, seconds: f64, frames: f64) -> usize {
        let sampled = ((frames / 2.0).ceil() as usize).clamp(1, MOST_SAMPLES);
        let keyframes = || self.0.iter().flat_map(|(_, track)| track);
        if keyframes().any(|keyframe| keyframe.easing.is_some()) {
            return sampled;
        }
        let half_frame = 0.5 / frames;
        let on_grid = |segments: usize| {
            keyframes().all(|keyframe| {
                let place = (keyframe.time / seconds).clamp(0.0, 1.0);
                let nearest = (place * segments as f64).round() / segments as f64;
                (place - nearest).abs() <= half_frame
            })
        };
        (1..=MOST_EVEN.min(sampled)).find(|segments| on_grid(*segments)).unwrap_or(sampled)
    }
}

/// The value at a time: held before the first keyframe and after the last.
fn value_at(track: &[Keyframe], time: f64) -> f64 {
    let next = track.partition_point(|keyframe| keyframe.time <= time);
    match (next.checked_sub(1).and_then(|index| track.get(index)), track.get(next)) {
        (Some(from), Some(to)) => {
            let t = (time - from.time) / (to.time - from.time).max(1e-9);
            let t = from.easing.as_ref().map_or(t, |easing| easing.at(t));
            from.value + (to.value - from.value) * t
        }
        (Some(only), None) | (None, Some(only)) => only.value,
        (None, None) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn motion_of(motion: &Motion) -> Value {
        let mut overlay = Overlay::new("image", "");
        overlay.length = 5.0;
        motion.apply(&mut overlay, 30);
        overlay.get_style("staggeredMotion").cloned().unwrap_or_default()
    }

    #[test]
    fn straight_keyframes_lie_on_the_fewest_segments() {
        let mut motion = Motion::default();
        motion.ramp(Property::Opacity, (0.0, 0.0), (1.0, 1.0));
        motion.ramp(Property::Opacity, (1.0, 4.0), (0.0, 5.0));
        let got = motion_of(&motion);
        assert_eq!(got["opacity"], json!([0, 1, 1, 1, 1, 0]));
        assert_eq!(got["duration"], json!(150));
    }

    #[test]
    fn eased_keyframes_are_sampled_and_offsets_add_up() {
        let mut motion = Motion::default();
        let easing = Easing::parse("easeInQuad");
        motion
            .track(Property::X, vec![Keyframe { time: 0.0, value: 0.0, easing }, Keyframe::new(5.0, 100.0)]);
        motion.ramp(Property::X, (10.0, 0.0), (10.0, 5.0));
        let got = motion_of(&motion);
        let x = got["x"].as_array().expect("keyframes");
        assert_eq!((x.len(), &x[0], &x[75]), (76, &json!(10), &json!(110)));
        assert!(x[37].as_f64().expect("a number") < 40.0, "eased in: {}", x[37]);
    }
}
