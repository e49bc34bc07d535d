//! How parts of stickers move. Ticks are thirtieths of a second.

use std::f64::consts::{PI, TAU};

use kurbo::{Affine, Vec2};
use rondo_css::rotation;

use super::easel::Pose;

/// Ticks an entrance takes.
pub(super) const ENTER: f64 = 15.0;

/// From 0 to 1 and back within a period.
pub(super) fn wave(tick: f64, period: f64) -> f64 {
    (1.0 - libm::cos(TAU * tick / period)) / 2.0
}

/// From 0 to 1 in some ticks, then staying.
pub(super) fn ramp(tick: f64, ticks: f64) -> f64 {
    (tick / ticks).clamp(0.0, 1.0)
}

/// From 0 a little over 1 and back to it.
pub(super) fn spring_in(tick: f64, ticks: f64) -> f64 {
    let t = ramp(tick, ticks) - 1.0;
    1.0 + 2.7 * t * t * t + 1.7 * t * t
}

/// Fast at first, then slower.
pub(super) fn ease_out(part: f64) -> f64 {
    let left = 1.0 - part.clamp(0.0, 1.0);
    1.0 - left * left * left
}

/// Slow at both ends.
pub(super) fn ease_in_out(part: f64) -> f64 {
    let t = part.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// The part of a sweep that is repeated every `period` ticks and takes `ticks` of them; 0 in between.
pub(super) fn every(tick: f64, period: f64, ticks: f64) -> f64 {
    let since = tick.rem_euclid(period);
    if tick < 0.0 || since >= ticks { 0.0 } else { since / ticks }
}

pub(super) fn rest(_: f64) -> Pose {
    Pose::REST
}

fn swell(tick: f64, from: f64, to: f64, period: f64) -> Pose {
    Pose::of(Affine::scale(from + (to - from) * wave(tick, period)))
}

fn turned(turns: f64) -> Pose {
    Pose::of(rotation(TAU * turns))
}

pub(super) fn pulsing(tick: f64) -> Pose {
    swell(tick, 1.0, 1.2, 60.0)
}

pub(super) fn expanding(tick: f64) -> Pose {
    swell(tick, 0.8, 1.1, 75.0)
}

/// One turn in two seconds, then still.
pub(super) fn spinning(tick: f64) -> Pose {
    turned(ramp(tick, 60.0))
}

/// One turn in four seconds, then still.
pub(super) fn rotating(tick: f64) -> Pose {
    turned(ramp(tick, 120.0))
}

pub(super) fn bouncing(tick: f64) -> Pose {
    Pose::of(Affine::translate((0.0, -15.0 * libm::sin(PI * tick / 45.0).abs())))
}

pub(super) fn zigzag(tick: f64) -> Pose {
    let skew = libm::tan((15.0 * libm::sin(TAU * tick / 45.0)).to_radians());
    Pose::of(Affine::skew(skew, 0.0))
}

pub(super) fn flashing(tick: f64) -> Pose {
    Pose { opacity: 1.0 - 0.6 * wave(tick, 30.0), ..Pose::REST }
}

/// Grows and appears.
pub(super) fn appearing(tick: f64) -> Pose {
    let u = ramp(tick, ENTER);
    Pose { opacity: u, ..Pose::of(Affine::scale(u)) }
}

/// Pops up, then breathes gently.
pub(super) fn lively(tick: f64) -> Pose {
    Pose { opacity: ramp(tick, 5.0), ..Pose::of(Affine::scale(entered(tick) * breath(tick))) }
}

/// Pops up, then floats and leans a little.
pub(super) fn gentle(tick: f64) -> Pose {
    let calm = ramp(tick - ENTER, 2.0 * ENTER);
    let lean = rotation(0.07 * calm * libm::sin(TAU * tick / 90.0));
    let size = entered(tick) * (1.0 - 0.04 * calm * wave(tick, 60.0));
    Pose { opacity: ramp(tick, 5.0), ..Pose::of(lean * Affine::scale(size)) }
}

/// The size of what pops up.
pub(super) fn entered(tick: f64) -> f64 {
    spring_in(tick, ENTER).max(0.0)
}

fn breath(tick: f64) -> f64 {
    1.0 + 0.035 * wave(tick - ENTER, 60.0) * ramp(tick - ENTER, ENTER)
}

/// Pops up at a place after a delay.
pub(super) fn popping(at: Vec2, delay: f64) -> impl Fn(f64) -> Pose + Send + Sync {
    move |tick| {
        let since = tick - delay;
        let size = spring_in(since, 12.0).max(0.0);
        let opacity = if since <= 0.0 { 0.0 } else { 1.0 };
        Pose { opacity, ..Pose::of(Affine::translate(at) * Affine::scale(size)) }
    }
}
