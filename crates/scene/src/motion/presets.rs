//! Entrances and exits: one table, one row a preset.
//!
//! A row describes the entrance. The exit is the entrance run backwards; tracks marked `onward` change sign there, so
//! that what slid in from the left leaves to the right.

use kurbo::{Point, Rect, Size};
use rondo_composition::OverlayId;

use super::aliases::{self, OF_PRESETS};
use super::{Property, Property::*, flatten, lerp, random};
use crate::Homography;
use crate::nearest::{Lookup, look_up};

/// Values over the ramp, which is fifteen units long.
#[derive(Clone, Copy, Debug)]
enum Curve {
    /// Straight from this value to rest.
    From(f64),
    /// Piecewise linear through (position, value); the last value holds.
    Knots(&'static [(f64, f64)]),
}
use Curve::{From, Knots};

impl Curve {
    fn at(self, t: f64, rest: f64) -> f64 {
        let knots = match self {
            From(start) => return lerp(start, rest, t),
            Knots(knots) => knots,
        };
        let x = t * 15.0;
        let last = knots.last().map_or(rest, |k| k.1);
        knots
            .windows(2)
            .find(|k| x <= k[1].0)
            .map_or(last, |k| lerp(k[0].1, k[1].1, (x - k[0].0) / (k[1].0 - k[0].0)))
    }
}

#[derive(Clone, Copy, Debug)]
struct Track {
    property: Property,
    curve: Curve,
    onward: bool,
}

#[derive(Clone, Copy, Debug)]
enum Edge {
    Left,
    Top,
    Right,
    Bottom,
}
use Edge::*;

/// One row of the registry.
#[derive(Debug)]
pub struct Preset {
    pub name: &'static str,
    aliases: &'static [&'static str],
    tracks: &'static [Track],
    opacity: Curve,
    blur: Curve,
    perspective: Option<f64>,
    /// Transform origins on entering and on leaving, in parts of the box.
    origins: [(f64, f64); 2],
    /// Edges from which the clip comes on entering and on leaving, and the part of the box it hides at most.
    clip: Option<([Edge; 2], f64)>,
    /// Jumps a few pixels on every third and fourth frame.
    jitter: bool,
    /// Text appears character by character; as an exit it does nothing.
    pub typing: bool,
}

const IN_5: Curve = Knots(&[(0.0, 0.0), (5.0, 1.0)]);
const IN_8: Curve = Knots(&[(0.0, 0.0), (8.0, 1.0)]);
const IN_10: Curve = Knots(&[(0.0, 0.0), (10.0, 1.0)]);
const FLIP: Curve = Knots(&[(0.0, 0.0), (5.0, 0.7), (15.0, 1.0)]);
const JELLO: Curve =
    Knots(&[(0.0, 0.0), (3.0, -12.5), (6.0, 6.25), (9.0, -3.125), (12.0, 1.5625), (15.0, 0.0)]);

/// A preset that fades in over the whole ramp.
const fn row(name: &'static str, tracks: &'static [Track]) -> Preset {
    Preset {
        name,
        aliases: &[],
        tracks,
        opacity: From(0.0),
        blur: From(0.0),
        perspective: None,
        origins: [(0.5, 0.5); 2],
        clip: None,
        jitter: false,
        typing: false,
    }
}

const fn back(property: Property, curve: Curve) -> Track {
    Track { property, curve, onward: false }
}

const fn onward(property: Property, curve: Curve) -> Track {
    Track { property, curve, onward: true }
}

impl Preset {
    const fn also(self, aliases: &'static [&'static str]) -> Self {
        Self { aliases, ..self }
    }
    const fn opacity(self, opacity: Curve) -> Self {
        Self { opacity, ..self }
    }
    const fn blur(self, blur: Curve) -> Self {
        Self { blur, ..self }
    }
    const fn perspective(self, distance: f64) -> Self {
        Self { perspective: Some(distance), ..self }
    }
    const fn about(self, entering: (f64, f64), leaving: (f64, f64)) -> Self {
        Self { origins: [entering, leaving], ..self }
    }
    /// Revealed by a clip instead of fading.
    const fn reveal(self, entering: Edge, leaving: Edge, part: f64) -> Self {
        Self { clip: Some(([entering, leaving], part)), opacity: From(1.0), ..self }
    }
}

#[rustfmt::skip]
const PRESETS: &[Preset] = &[
    row("fade", &[]).also(&["fade-in", "fade-out"]),
    row("slide-right", &[onward(XPercent, From(-100.0))]).also(&["slide"]),
    row("slide-left", &[onward(XPercent, From(100.0))]),
    row("slide-up", &[onward(Y, From(30.0))]),
    row("slide-down", &[onward(YPercent, From(-100.0))]),
    row("diagonal-slide", &[onward(XPercent, From(-100.0)), onward(YPercent, From(-100.0))]),
    row("scale", &[back(Scale, From(0.0))]),
    row("bounce", &[back(Y, Knots(&[(0.0, 100.0), (10.0, -10.0), (13.0, 5.0), (15.0, 0.0)]))]).opacity(IN_10),
    row("flip", &[onward(RotateX, From(90.0))]).also(&["flip-x"]).perspective(400.0).opacity(FLIP),
    row("flip-y", &[onward(RotateY, From(90.0))]).perspective(400.0).opacity(FLIP),
    row("zoom-blur", &[back(Scale, From(1.5))]).blur(From(10.0)),
    row("snap-rotate", &[back(Rotate, Knots(&[(0.0, -10.0), (8.0, 5.0), (12.0, -2.0), (15.0, 0.0)])), back(Scale, From(0.8))]).opacity(IN_10),
    Preset { jitter: true, ..row("glitch", &[back(Scale, Knots(&[(0.0, 0.9), (3.0, 1.05), (6.0, 0.95), (10.0, 1.02), (15.0, 1.0)]))])
        .opacity(Knots(&[(0.0, 0.0), (3.0, 0.7), (5.0, 0.8), (15.0, 1.0)])) },
    row("swipe-reveal", &[]).also(&["wipe"]).reveal(Right, Left, 1.0),
    row("float-in", &[onward(X, From(10.0)), back(Y, From(-20.0))]),
    row("spin", &[onward(Rotate, From(360.0)), back(Scale, From(0.0))]).opacity(IN_10),
    row("rotate-in", &[onward(Rotate, From(-180.0)), back(Scale, From(0.0))]).also(&["rotate"]).opacity(IN_10),
    row("wobble", &[back(Rotate, Knots(&[(0.0, 0.0), (3.0, -10.0), (6.0, 8.0), (9.0, -6.0), (12.0, 3.0), (15.0, 0.0)]))]).opacity(IN_5),
    row("pulse", &[back(Scale, Knots(&[(0.0, 0.0), (5.0, 1.2), (10.0, 0.9), (15.0, 1.0)]))]).opacity(IN_5),
    row("drop", &[onward(Y, Knots(&[(0.0, -200.0), (10.0, 20.0), (15.0, 0.0)]))]).opacity(IN_8),
    row("squeeze", &[back(ScaleX, Knots(&[(0.0, 0.0), (8.0, 1.3), (15.0, 1.0)])), back(ScaleY, Knots(&[(0.0, 0.0), (8.0, 0.7), (15.0, 1.0)]))]).opacity(IN_8),
    row("roll", &[onward(XPercent, From(-100.0)), onward(Rotate, From(-180.0))]).opacity(IN_10),
    row("swing", &[back(Rotate, Knots(&[(0.0, 20.0), (5.0, -15.0), (10.0, 10.0), (15.0, 0.0)]))]).opacity(IN_5).about((0.5, 0.0), (0.5, 0.0)),
    row("expand-vertical", &[back(ScaleY, From(0.0))]).opacity(IN_10),
    row("expand-horizontal", &[back(ScaleX, From(0.0))]).opacity(IN_10),
    row("twist", &[onward(RotateX, From(180.0)), onward(RotateY, From(180.0))]).perspective(600.0).opacity(Knots(&[(0.0, 0.0), (8.0, 0.5), (15.0, 1.0)])),
    row("blur", &[]).also(&["blur-in"]).blur(From(20.0)),
    row("spiral", &[onward(X, From(-50.0)), onward(Y, From(-50.0)), onward(Rotate, From(720.0)), back(Scale, From(0.0))]).opacity(IN_10),
    row("shake", &[back(X, Knots(&[(0.0, 0.0), (2.0, -10.0), (4.0, 10.0), (6.0, -8.0), (8.0, 8.0), (10.0, -5.0), (12.0, 5.0), (15.0, 0.0)]))]).opacity(IN_5),
    row("curtain", &[]).reveal(Bottom, Top, 1.0),
    row("fold", &[onward(RotateX, From(-90.0))]).perspective(800.0).opacity(IN_8).about((0.5, 1.0), (0.5, 0.0)),
    row("zigzag", &[onward(XPercent, Knots(&[(0.0, -100.0), (3.0, -60.0), (6.0, -40.0), (9.0, -20.0), (12.0, -10.0), (15.0, 0.0)])),
        back(YPercent, Knots(&[(0.0, 0.0), (3.0, 30.0), (6.0, -20.0), (9.0, 15.0), (12.0, -10.0), (15.0, 0.0)]))]).opacity(IN_10),
    row("elastic", &[back(Scale, Knots(&[(0.0, 0.0), (5.0, 1.3), (8.0, 0.9), (11.0, 1.1), (13.0, 0.95), (15.0, 1.0)]))]).opacity(IN_5),
    row("slingshot", &[onward(X, Knots(&[(0.0, -200.0), (8.0, -50.0), (10.0, 20.0), (15.0, 0.0)])),
        back(ScaleX, Knots(&[(0.0, 1.5), (8.0, 1.2), (10.0, 0.9), (15.0, 1.0)]))]).opacity(IN_8),
    row("skew", &[onward(SkewX, From(45.0)), onward(SkewY, From(15.0))]).opacity(IN_10),
    row("peek", &[onward(X, From(-50.0))]).reveal(Right, Left, 0.95),
    row("vortex", &[onward(Rotate, From(1080.0)), back(Scale, From(0.2))]).opacity(IN_10).blur(Knots(&[(0.0, 15.0), (10.0, 5.0), (15.0, 0.0)])),
    Preset { typing: true, ..row("typing", &[]) },
    row("explode", &[back(Scale, From(0.2))]).blur(From(10.0)),
    row("zoom-in", &[back(Scale, From(0.5))]).also(&["zoom"]),
    row("zoom-out", &[back(Scale, From(2.0))]),
    row("elastic-scale", &[back(Scale, Knots(&[(0.0, 0.0), (8.0, 1.2), (12.0, 0.9), (15.0, 1.0)]))]).also(&["pop"]).opacity(IN_8),
    row("spin-scale", &[back(Rotate, Knots(&[(0.0, 0.0), (15.0, 360.0)])), back(Scale, From(0.0))]),
    row("rubber-band", &[back(ScaleX, Knots(&[(0.0, 1.0), (5.0, 1.25), (8.0, 0.75), (12.0, 1.15), (15.0, 1.0)])),
        back(ScaleY, Knots(&[(0.0, 1.0), (5.0, 0.75), (8.0, 1.25), (12.0, 0.85), (15.0, 1.0)]))]),
    row("wipe-right", &[]).reveal(Right, Right, 1.0),
    row("wipe-up", &[]).reveal(Top, Top, 1.0),
    row("accordion", &[back(ScaleY, From(0.0))]),
    row("jello", &[back(SkewX, JELLO), back(SkewY, JELLO)]),
    row("heartbeat", &[back(Scale, Knots(&[(0.0, 0.8), (4.0, 1.3), (8.0, 1.0), (12.0, 1.3), (15.0, 1.0)]))]),
    row("hinge", &[back(RotateY, From(-90.0))]).perspective(400.0).about((0.0, 0.5), (0.0, 0.5)),
    row("roll-in", &[back(X, From(-100.0)), back(Rotate, From(-120.0))]),
    row("zoom-rotate", &[back(Rotate, From(180.0)), back(Scale, From(0.0))]),
    row("bounce-in-down", &[back(Y, Knots(&[(0.0, -100.0), (6.0, 25.0), (10.0, -10.0), (13.0, 5.0), (15.0, 0.0)]))]),
    row("light-speed", &[back(XPercent, From(100.0)), back(SkewX, From(-30.0))]),
    row("slide-diagonal", &[back(X, From(-50.0)), back(Y, From(-50.0))]),
    row("skew-in", &[back(X, From(-30.0)), back(SkewX, From(20.0))]),
    row("morph-scale", &[back(ScaleX, Knots(&[(0.0, 0.0), (5.0, 2.0), (10.0, 0.5), (15.0, 1.0)])),
        back(ScaleY, Knots(&[(0.0, 0.0), (5.0, 0.5), (10.0, 2.0), (15.0, 1.0)]))]),
    row("typewriter", &[]).reveal(Right, Right, 1.0),
];

/// The overlay a preset acts on, at one frame.
#[derive(Clone, Copy, Debug)]
pub struct Subject {
    /// The overlay's box.
    pub size: Size,
    pub id: OverlayId,
    /// Local frame, and the overlay's length.
    pub frame: u32,
    pub duration: u32,
}

/// What an entrance or exit does to its layer at one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stage {
    /// In box coordinates.
    pub transform: Homography,
    /// Whether the preset acts on the transform at all.
    pub moving: bool,
    pub opacity: f64,
    /// Standard deviation in pixels; 0 for none.
    pub blur: f64,
    /// What stays visible, in box coordinates before the transform.
    pub clip: Option<Rect>,
}

/// Names of all presets, each with its aliases.
pub(crate) fn rows() -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
    PRESETS.iter().map(|p| (p.name, p.aliases))
}

/// Names of all presets, without aliases.
pub fn names() -> impl Iterator<Item = &'static str> {
    PRESETS.iter().map(|p| p.name)
}

/// The preset with this name or alias, also one of other editors.
pub fn find(name: &str) -> Lookup<&'static Preset> {
    let name = aliases::meant(name, OF_PRESETS);
    look_up(name, PRESETS, |row, is| is(row.name) || row.aliases.iter().any(|a| is(a)))
}

/// How many of a text's characters the `typing` entrance shows: one more every four frames, or all of them spread over
/// the ramp when its duration is given. Goes on after the ramp.
pub fn typed(characters: usize, frame: u32, entered: f64, duration_given: bool) -> usize {
    let shown =
        if duration_given { (characters as f64 * entered + 1e-9) as usize } else { frame as usize / 4 };
    shown.min(characters)
}

impl Preset {
    /// The entrance at progress `u`; `None` once it is complete.
    pub fn enter(&self, u: f64, on: &Subject) -> Option<Stage> {
        (u < 1.0).then(|| self.stage(u, false, on))
    }

    /// The exit at progress `v`; `None` before it begins.
    pub fn exit(&self, v: f64, on: &Subject) -> Option<Stage> {
        (v > 0.0 && !self.typing).then(|| self.stage(1.0 - v, true, on))
    }

    /// `t` is 0 when fully out and 1 when settled.
    fn stage(&self, t: f64, leaving: bool, on: &Subject) -> Stage {
        let side = usize::from(leaving);
        let Size { width, height } = on.size;
        let jitter = if self.jitter { jitter(t, leaving, on) } else { [0.0; 2] };
        let chain = self
            .perspective
            .map(|d| (Perspective, d))
            .into_iter()
            .chain([(X, jitter[0]), (Y, jitter[1])])
            .chain(self.tracks.iter().map(|track| {
                let value = track.curve.at(t, track.property.rest());
                (track.property, if leaving && track.onward { -value } else { value })
            }));
        let origin = self.origins[side];
        let clip = self.clip.map(|(edges, part)| {
            let (mut kept, hidden) = (on.size.to_rect(), part * (1.0 - t));
            match edges[side] {
                Left => kept.x0 = hidden * width,
                Top => kept.y0 = hidden * height,
                Right => kept.x1 = (1.0 - hidden) * width,
                Bottom => kept.y1 = (1.0 - hidden) * height,
            }
            kept
        });
        Stage {
            transform: flatten(chain, on.size, Point::new(origin.0 * width, origin.1 * height)),
            moving: !self.tracks.is_empty(),
            opacity: self.opacity.at(t, 1.0),
            blur: self.blur.at(t, 0.0),
            clip,
        }
    }
}

/// Sideways and vertical jumps, the stronger the further out; counted from the end on the way out.
fn jitter(t: f64, leaving: bool, on: &Subject) -> [f64; 2] {
    let count = if leaving { on.duration.abs_diff(on.frame) } else { on.frame };
    [("x", 3, 5.0), ("y", 4, 4.0)].map(|(axis, every, reach)| {
        let seed = format!("glitch-{axis}-{}-{}", on.id, on.frame);
        if count % every == 0 { lerp(-reach, reach, random::from_text(&seed)) * (1.0 - t) } else { 0.0 }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_ignore_case_and_dashes_and_may_be_synonyms() {
        let name = |n| find(n).known().map(|p| p.name);
        assert_eq!([name("slideUp"), name("SLIDE_UP"), name("slide-up")], [Some("slide-up"); 3]);
        assert_eq!(
            [name("pop"), name("flipX"), name("wipe")],
            [Some("elastic-scale"), Some("flip"), Some("swipe-reveal")]
        );
        assert!(matches!(find("None"), Lookup::Nothing) && matches!(find("slideUpp"), Lookup::Unknown));
    }

    #[test]
    fn a_stage_exists_only_while_its_ramp_runs() {
        let on = Subject { size: Size::new(100.0, 50.0), id: 1.into(), frame: 0, duration: 30 };
        let wipe = find("wipe").known().unwrap();
        assert!(wipe.enter(0.99, &on).is_some() && wipe.enter(1.0, &on).is_none());
        assert!(wipe.exit(0.01, &on).is_some() && wipe.exit(0.0, &on).is_none());
    }

    #[test]
    fn typing_shows_a_character_every_four_frames_or_fills_its_duration() {
        assert_eq!([3, 4, 41].map(|f| typed(10, f, 0.0, false)), [0, 1, 10]);
        assert_eq!([0.0, 0.29, 0.3, 1.0].map(|u| typed(10, 0, u, true)), [0, 2, 3, 10]);
        assert!(
            find("typing")
                .known()
                .unwrap()
                .exit(0.5, &Subject { size: Size::ZERO, id: 1.into(), frame: 0, duration: 9 })
                .is_none()
        );
    }
}
