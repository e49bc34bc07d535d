//! Animations and keyframes of elements.

use serde_json::Value;

use super::element::{self, Kind};
use super::group::Group;
use super::text;
use super::timeline::Time;
use super::units::{degrees, degrees_of, easing, keyframes, length_of, seconds, share, share_of};
use crate::fields::Fields;
use crate::film::{Overlay, Rect};
use crate::motion::{Keyframe, Motion, Property};

/// What moves an element, with times from its start.
#[derive(Debug, Clone, Default)]
pub struct Moves(Motion);

/// When an animation runs, in seconds from the element's start.
#[derive(Debug, Clone, Copy)]
pub struct Span {
    pub start: f64,
    pub end: f64,
    pub leaves: bool,
}

impl Moves {
    /// The motion for something that begins `later` seconds after the element.
    pub fn motion(&self, later: f64) -> Motion {
        self.0.shifted(-later)
    }

    /// Reads the animations and keyframes of an element. Some go to its overlays as presets.
    pub fn of(fields: &Fields<'_>, time: Time, kind: Kind, group: &Group, overlays: &mut [Overlay]) -> Self {
        let mut motion = Motion::default();
        if kind == Kind::Sound {
            return Self(motion);
        }
        property_keyframes(fields, group, &mut motion);
        for animation in fields.objects("animations") {
            one(&animation, time, kind, group, overlays, &mut motion);
            animation.finish();
        }
        for key in ["enter", "exit"] {
            fields.refuse(&[key], "Write entrances and exits as `animations`.");
        }
        Self(motion)
    }
}

/// Properties that change over time.
fn property_keyframes(fields: &Fields<'_>, group: &Group, motion: &mut Motion) {
    let Rect { width, height, .. } = group.rect;
    for (key, property, whole) in [("x", Property::X, width), ("y", Property::Y, height)] {
        let read = |value: &Value| length_of(value, element::base(group.rect, whole));
        if let Some(keyframes) = keyframes(fields, key, read) {
            // The box stands where the first keyframe is.
            let first = keyframes.first().map_or(0.0, |keyframe| keyframe.value);
            let moved =
                keyframes.into_iter().map(|keyframe| Keyframe { value: keyframe.value - first, ..keyframe });
            motion.track(property, moved.collect());
        }
    }
    let scales = ["x_scale", "y_scale"].map(|key| keyframes(fields, key, share_of));
    let [x_scale, y_scale] = scales;
    if let Some(keyframes) = x_scale.or(y_scale) {
        motion.track(Property::Scale, keyframes);
    }
    for key in ["rotation", "z_rotation"] {
        if let Some(keyframes) = keyframes(fields, key, degrees_of) {
            motion.track(Property::Rotate, keyframes);
        }
    }
    if let Some(keyframes) = keyframes(fields, "opacity", share_of) {
        motion.track(Property::Opacity, keyframes);
    }
    let blur = |value: &Value| length_of(value, element::base(group.rect, 0.0));
    if let Some(keyframes) = keyframes(fields, "blur_radius", blur) {
        motion.track(Property::Blur, keyframes);
    }
}

fn one(
    animation: &Fields<'_>,
    time: Time,
    kind: Kind,
    group: &Group,
    overlays: &mut [Overlay],
    motion: &mut Motion,
) {
    let name = animation.text("type").unwrap_or_default();
    let span = span(animation, time);
    let is_transition = animation.flag("transition") == Some(true);
    let fades = animation.flag("fade").unwrap_or(true);
    let easing = animation.text("easing").and_then(|name| easing(&name));
    // A value away from rest, and on the way to or from it.
    let mut away = |property, value: f64, rest: f64| {
        let (from, to) = if span.leaves { (rest, value) } else { (value, rest) };
        motion.track(
            property,
            vec![
                Keyframe { time: span.start, value: from, easing: easing.clone() },
                Keyframe::new(span.end, to),
            ],
        );
    };
    let similar = |what: &str| {
        animation
            .notes
            .approximated(&*animation.path, format!("A composition has {what} similar to `{name}`."));
    };
    match &*name {
        "fade" => {
            animation.skip(&["enable"]);
            let at_edge = if span.leaves { span.end >= time.length - 0.01 } else { span.start <= 0.01 };
            if kind == Kind::Group || !at_edge || animation.has("easing") {
                away(Property::Opacity, 0.0, 1.0);
            } else {
                let key = if span.leaves { "exit" } else { "enter" };
                for overlay in overlays {
                    overlay.animation(key, "fade");
                    overlay.animation(&format!("{key}Duration"), span.end - span.start);
                }
            }
        }
        "slide" | "film-roll" => {
            let (dx, dy) = direction(animation);
            let rect = overlays.first().map_or(group.rect, |overlay| overlay.rect);
            let reach = share(animation, "distance").unwrap_or(1.0);
            // Just out of sight, where the whole distance is meant.
            let out = |d: f64, near: f64, far: f64| if d > 0.0 { -(near * reach) } else { far * reach };
            let sign = if span.leaves { -1.0 } else { 1.0 };
            let right = rect.left + rect.width - group.rect.left;
            let left = group.rect.left + group.rect.width - rect.left;
            let bottom = rect.top + rect.height - group.rect.top;
            let top = group.rect.top + group.rect.height - rect.top;
            if dx.abs() > 0.01 {
                away(Property::X, out(dx * sign, right, left) * dx.abs(), 0.0);
            }
            if dy.abs() > 0.01 {
                away(Property::Y, out(dy * sign, bottom, top) * dy.abs(), 0.0);
            }
            if fades && animation.has("fade") {
                away(Property::Opacity, 0.0, 1.0);
            }
            animation.skip(&["scope"]);
        }
        "scale" | "squash" | "bounce" if animation.has("start_scale") || animation.has("end_scale") => {
            let start = share(animation, "start_scale").unwrap_or(1.0);
            let end = share(animation, "end_scale").unwrap_or(1.0);
            let both = if span.leaves { (end, start) } else { (start, end) };
            away(Property::Scale, both.0, both.1);
            if animation.flag("fade") == Some(true) {
                away(Property::Opacity, 0.0, 1.0);
            }
            animation.skip(&["scope", "axis", "x_anchor", "y_anchor"]);
        }
        "scale" => {
            away(Property::Scale, 0.0, 1.0);
            if fades {
                away(Property::Opacity, 0.0, 1.0);
            }
            animation.skip(&["scope", "axis", "x_anchor", "y_anchor"]);
        }
        "spin" | "rotate-slide" => {
            away(Property::Rotate, degrees(animation, "rotation").unwrap_or(360.0), 0.0);
            if fades {
                away(Property::Opacity, 0.0, 1.0);
            }
            animation.skip(&["x_anchor", "y_anchor", "direction", "scope"]);
        }
        "pan" => pan(animation, span, group, overlays, motion),
        "wipe" | "circular-wipe" | "color-wipe" | "stripe" | "flip" | "squash" | "shift" | "bounce" => {
            let preset = match (&*name, span.leaves) {
                ("wipe" | "color-wipe" | "stripe", false) => "wipe-right",
                ("wipe" | "color-wipe" | "stripe", true) => "swipe-reveal",
                ("flip", _) => "flip-y",
                ("circular-wipe", _) => "zoom-in",
                ("shift", _) => "slide-up",
                ("bounce", _) => "bounce",
                _ => "squeeze",
            };
            let key = if span.leaves { "exit" } else { "enter" };
            for overlay in overlays {
                overlay.animation(key, preset);
                overlay.animation(&format!("{key}Duration"), span.end - span.start);
            }
            if kind == Kind::Group {
                animation.notes.no_equivalent(
                    &*animation.path,
                    "Compositions become their elements, which do not wipe.",
                );
            } else {
                similar("an animation");
            }
            animation.skip(&[
                "x_anchor",
                "y_anchor",
                "start_angle",
                "end_angle",
                "direction",
                "axis",
                "color",
                "scope",
                "ramp",
            ]);
        }
        "shake" | "wiggle" | "float" | "swing" | "pulse" | "hinge" => {
            let during = if matches!(&*name, "float" | "shake") { "float" } else { "sway" };
            let during = if name == "pulse" { "pulse" } else { during };
            overlays.iter_mut().for_each(|overlay| overlay.animation("during", during));
            similar("a motion");
            animation.skip(&[
                "strength",
                "frequency",
                "distance",
                "rotation",
                "ramp_duration",
                "direction",
                "x_rotation",
                "y_rotation",
                "z_rotation",
            ]);
        }
        _ if name.starts_with("text-") && kind == Kind::Text => {
            for overlay in overlays.iter_mut().filter(|overlay| overlay.kind == "text") {
                text::animate(animation, &name, span, overlay, group);
            }
        }
        _ => {
            animation.notes.no_equivalent(&*animation.path, format!("There is no animation like `{name}`."));
            animation.skip_all();
        }
    }
    if is_transition && !matches!(&*name, "fade") {
        animation.notes.approximated(&*animation.path, "The element before stays while this one comes in.");
    }
}

/// When an animation runs.
fn span(animation: &Fields<'_>, time: Time) -> Span {
    let said = animation.peek("time").and_then(Value::as_str);
    let at_end = said == Some("end");
    let reversed = animation.flag("reversed") == Some(true);
    let start = seconds(animation, "time");
    let whole = said.is_none() && start.is_none() && animation.flag("transition") != Some(true);
    let duration = seconds(animation, "duration");
    let length = duration.unwrap_or(if whole { time.length } else { 1.0 }).clamp(0.0, time.length.max(0.0));
    let start = match (start, at_end) {
        (_, true) => time.length - length,
        (Some(start), _) => start.clamp(0.0, time.length),
        (None, _) => 0.0,
    };
    Span { start, end: (start + length).min(time.length), leaves: at_end != reversed }
}

/// Where something moves to, right and down.
fn direction(animation: &Fields<'_>) -> (f64, f64) {
    let angle = match animation.peek("direction").and_then(Value::as_str) {
        Some("right") => 0.0,
        Some("down") => 90.0,
        Some("left") => 180.0,
        Some("up") => 270.0,
        _ => degrees(animation, "direction").unwrap_or(0.0),
    };
    animation.skip(&["direction"]);
    let (sin, cos) = libm::sincos(angle.to_radians());
    (cos, sin)
}

/// A slow move across a picture.
fn pan(animation: &Fields<'_>, span: Span, group: &Group, overlays: &mut [Overlay], motion: &mut Motion) {
    let rect = overlays.first().map_or(group.rect, |overlay| overlay.rect);
    let at = |key| share(animation, key);
    let (x0, x1) = (at("start_x").unwrap_or(0.5), at("end_x").unwrap_or(0.5));
    let (y0, y1) = (at("start_y").unwrap_or(0.5), at("end_y").unwrap_or(0.5));
    let scale0 = at("start_scale").unwrap_or(1.2);
    let scale1 = at("end_scale").unwrap_or(if animation.has("start_scale") { scale0 } else { 1.2 });
    motion.ramp(Property::Scale, (scale0, span.start), (scale1, span.end));
    // The point that is looked at stays within what the scale leaves free.
    let shift = |at: f64, scale: f64, side: f64| (0.5 - at.clamp(0.0, 1.0)) * side * (scale - 1.0).max(0.0);
    if x0 != x1 || x0 != 0.5 {
        let (from, to) = (shift(x0, scale0, rect.width), shift(x1, scale1, rect.width));
        motion.ramp(Property::X, (from, span.start), (to, span.end));
    }
    if y0 != y1 || y0 != 0.5 {
        let (from, to) = (shift(y0, scale0, rect.height), shift(y1, scale1, rect.height));
        motion.ramp(Property::Y, (from, span.start), (to, span.end));
    }
    animation.skip(&["scope"]);
}
