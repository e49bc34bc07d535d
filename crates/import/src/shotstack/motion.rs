//! Tweens, transitions, effects and transforms of clips.

use rondo_css::Easing;
use serde_json::{Value, json};

use crate::fields::{Fields, named, number_of};
use crate::film::Film;
use crate::motion::{Keyframe, Motion, Property};

/// Which end of a clip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    In,
    Out,
}

/// What a transition does.
#[derive(Debug, Clone, Copy)]
enum Change {
    /// Presets for in and out.
    Preset(&'static str, &'static str),
    /// The direction of the movement, as fractions of the canvas; whether it fades.
    Move(f64, f64, bool),
    /// Where it comes from, turning.
    Turn(f64, f64),
}

/// A little of the canvas, for transitions that move slightly.
const SLIGHT: f64 = 0.08;

const TRANSITIONS: [(&str, Change); 21] = [
    ("fade", Change::Preset("fade", "fade")),
    ("reveal", Change::Preset("wipe-right", "wipe-right")),
    ("wipeLeft", Change::Preset("fade", "wipe-right")),
    ("wipeRight", Change::Preset("wipe-right", "swipe-reveal")),
    ("slideLeft", Change::Move(-SLIGHT, 0.0, true)),
    ("slideRight", Change::Move(SLIGHT, 0.0, true)),
    ("slideUp", Change::Move(0.0, -SLIGHT, true)),
    ("slideDown", Change::Move(0.0, SLIGHT, true)),
    ("carouselLeft", Change::Move(-1.0, 0.0, false)),
    ("carouselRight", Change::Move(1.0, 0.0, false)),
    ("carouselUp", Change::Move(0.0, -1.0, false)),
    ("carouselDown", Change::Move(0.0, 1.0, false)),
    ("shuffleTopRight", Change::Turn(0.5, -1.0)),
    ("shuffleRightTop", Change::Turn(1.0, -0.5)),
    ("shuffleRightBottom", Change::Turn(1.0, 0.5)),
    ("shuffleBottomRight", Change::Turn(0.5, 1.0)),
    ("shuffleBottomLeft", Change::Turn(-0.5, 1.0)),
    ("shuffleLeftBottom", Change::Turn(-1.0, 0.5)),
    ("shuffleLeftTop", Change::Turn(-1.0, -0.5)),
    ("shuffleTopLeft", Change::Turn(-0.5, -1.0)),
    ("zoom", Change::Preset("zoom-in", "zoom-in")),
];

/// Transitions that only look similar.
const SIMILAR: [(&str, Side); 3] = [("wipeLeft", Side::In), ("zoom", Side::In), ("zoom", Side::Out)];

/// A name without `Fast` or `Slow`, and the factor on its speed.
fn speed(name: &str) -> (&str, f64) {
    match (name.strip_suffix("Fast"), name.strip_suffix("Slow")) {
        (Some(name), _) => (name, 2.0),
        (_, Some(name)) => (name, 0.5),
        _ => (name, 1.0),
    }
}

/// A transition: the key of the animation, its seconds and its preset; or a movement.
pub fn transition(
    fields: &Fields<'_>,
    side: Side,
    length: f64,
    film: &Film,
    motion: &mut Motion,
) -> Option<(&'static str, f64, &'static str)> {
    let key = if side == Side::In { "in" } else { "out" };
    let name = fields.text(key).filter(|name| name != "none")?;
    let (name, factor) = speed(&name);
    let seconds = (1.0 / factor).min(length / 2.0);
    let Some(change) = named(&TRANSITIONS, name) else {
        fields.notes.no_equivalent(fields.at(key), format!("There is no transition like `{name}`."));
        return None;
    };
    if SIMILAR.contains(&(name, side)) || matches!(change, Change::Turn(..)) {
        fields
            .notes
            .approximated(fields.at(key), format!("A composition has a transition similar to `{name}`."));
    }
    // Values away from rest, and the times between which they change.
    let mut away = |property, value: f64, rest: f64| match side {
        Side::In => motion.ramp(property, (value, 0.0), (rest, seconds)),
        Side::Out => motion.ramp(property, (rest, length - seconds), (value, length)),
    };
    match change {
        Change::Preset(enter, exit) => {
            let (key, preset) = if side == Side::In { ("enter", enter) } else { ("exit", exit) };
            return Some((key, seconds, preset));
        }
        Change::Move(x, y, fades) => {
            // It comes from where it moves away from, and leaves in the direction it moves.
            let sign = if side == Side::In { -1.0 } else { 1.0 };
            for (property, part) in [(Property::X, x * film.width), (Property::Y, y * film.height)] {
                if part != 0.0 {
                    away(property, sign * part, 0.0);
                }
            }
            if fades {
                away(Property::Opacity, 0.0, 1.0);
            }
        }
        Change::Turn(x, y) => {
            away(Property::X, x * film.width, 0.0);
            away(Property::Y, y * film.height, 0.0);
            away(Property::Rotate, 45.0 * x.signum(), 0.0);
        }
    }
    None
}

/// The motion effect of a clip, as fields of the animation.
pub fn effect(
    clip: &Fields<'_>,
    length: f64,
    film: &Film,
    motion: &mut Motion,
) -> Vec<(&'static str, Value)> {
    let Some(name) = clip.text("effect").filter(|name| name != "none") else { return Vec::new() };
    let (name, factor) = speed(&name);
    let during = match name {
        "zoomIn" => "ken-burns-in",
        "zoomOut" => "ken-burns-out",
        "slideLeft" => "pan-left",
        "slideRight" => "pan-right",
        "slideUp" | "slideDown" => {
            let reach = 0.05 * film.height * factor * if name == "slideUp" { 1.0 } else { -1.0 };
            motion.ramp(Property::Y, (reach, 0.0), (-reach, length));
            let scale = 1.0 + 0.1 * factor;
            motion.ramp(Property::Scale, (scale, 0.0), (scale, length));
            return Vec::new();
        }
        _ => {
            clip.notes.no_equivalent(clip.at("effect"), format!("There is no motion like `{name}`."));
            return Vec::new();
        }
    };
    vec![("during", json!(during)), ("duringIntensity", json!(factor))]
}

/// The CSS transform of a clip, and its rotation.
pub fn transform(fields: &Fields<'_>, rotation: &mut f64, motion: &mut Motion) -> String {
    let mut parts = Vec::new();
    if let Some(rotate) = fields.fields("rotate") {
        *rotation = steady_or_moving(&rotate, "angle", 1.0, motion);
        rotate.finish();
    }
    if let Some(skew) = fields.fields("skew") {
        let [x, y] = ["x", "y"].map(|key| match skew.value(key) {
            Some(Value::Array(_)) => {
                fields.notes.no_equivalent(skew.at(key), "A composition has no moving skew. It is left out.");
                0.0
            }
            Some(value) => number_of(value).unwrap_or(0.0),
            None => 0.0,
        });
        parts.push(format!("matrix(1, {y}, {x}, 1, 0, 0)"));
        skew.finish();
    }
    if let Some(flip) = fields.fields("flip") {
        let sign = |flipped: Option<bool>| if flipped == Some(true) { -1 } else { 1 };
        let (x, y) = (sign(flip.flag("horizontal")), sign(flip.flag("vertical")));
        if (x, y) != (1, 1) {
            parts.push(format!("scale({x}, {y})"));
        }
        flip.finish();
    }
    parts.join(" ")
}

/// A number times a unit; or tweens, which become a track. Returns the steady part.
pub fn steady_or_moving(fields: &Fields<'_>, key: &'static str, unit: f64, motion: &mut Motion) -> f64 {
    let (property, rest) = match key {
        "x" => (Property::X, 0.0),
        "y" => (Property::Y, 0.0),
        "angle" => (Property::Rotate, 0.0),
        "scale" => (Property::Scale, 1.0),
        _ => (Property::Opacity, 1.0),
    };
    if !fields.peek(key).is_some_and(Value::is_array) {
        return fields.number(key).map_or(rest, |value| value * unit);
    }
    let mut keyframes = Vec::new();
    for tween in fields.objects(key).iter().take(crate::motion::MOST_KEYFRAMES) {
        let start = tween.number("start").unwrap_or(0.0);
        let length = tween.number("length").unwrap_or(1.0).max(0.0);
        let from = tween.number("from").unwrap_or(rest) * unit;
        let to = tween.number("to").unwrap_or(rest) * unit;
        let easing = match tween.text("interpolation").as_deref() {
            Some("constant") => Easing::parse("steps(1)"),
            Some("bezier") => {
                tween.text("easing").or_else(|| Some("ease".into())).and_then(|name| Easing::parse(&name))
            }
            _ => None,
        };
        tween.skip(&["easing"]);
        keyframes.push(Keyframe { time: start, value: from, easing });
        keyframes.push(Keyframe::new(start + length, to));
    }
    motion.track(property, keyframes);
    rest
}
