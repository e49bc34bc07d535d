//! Where each particle is at a time. Ticks are thirtieths of a second.

use std::f64::consts::{PI, TAU};

use super::{Field, Flight};

/// Flakes that fall faster and faster, swaying, carried by a light wind; larger ones are nearer and faster.
pub fn snow(field: &Field, particle: u32, tick: f64) -> Option<Flight> {
    const LIFE: f64 = 200.0;
    const ABOVE: f64 = 200.0;
    const GRAVITY: f64 = 0.1;
    const WIND: f64 = 0.01;
    const FADE_IN: f64 = 30.0;
    const SPEEDS: [f64; 3] = [0.7, 0.9, 1.15];
    let (life, age) = field.life(particle, tick, LIFE);
    let mut dice = field.dice(particle, life);
    let look = dice.of(SPEEDS.len());
    // The wind carries flakes to the right, so they also come from beyond the left edge.
    let reach = ABOVE * field.px;
    let x = dice.between(-reach, field.size.width);
    let (drift, fall) = (dice.about(0.0, 0.8), dice.between(0.0, 0.6));
    let (sway, period, phase) = (dice.between(6.0, 20.0), dice.between(50.0, 100.0), dice.unit());
    let size = dice.between(0.8, 1.2);
    let swayed = sway * libm::sin((age / period + phase) * TAU);
    Some(Flight {
        look,
        x: x + (drift * age + 0.5 * WIND * age * age + swayed) * field.px,
        y: (-ABOVE + fall * age + 0.5 * GRAVITY * SPEEDS[look] * age * age) * field.px,
        angle: 0.0,
        scale: (size, size),
        opacity: (age / FADE_IN).min(1.0),
    })
}

/// Pieces shot in from both sides and from below, slowed by the air, tumbling down; again every four seconds.
pub fn confetti(field: &Field, particle: u32, tick: f64) -> Option<Flight> {
    const LIFE: f64 = 120.0;
    const GRAVITY: f64 = 0.3;
    const DEGREES_PER_PIXEL: f64 = 0.8;
    let life = (tick / LIFE).floor();
    let age = tick - life * LIFE;
    let mut dice = field.dice(particle, life as i64);
    let (w, h) = (field.size.width, field.size.height);
    let side = (f64::from(field.count) * 40.0 / 110.0).round() as u32;
    let (x, y, vx, vy) = if particle < 2 * side {
        let (y, vx) = (dice.about(0.5, 0.15), dice.about(0.04, 0.015));
        let (x, vx) = if particle < side { (-0.05, vx) } else { (1.05, -vx) };
        (x, y, vx, dice.about(-0.02, 0.03))
    } else {
        (dice.about(0.5, 0.3), 1.05, dice.about(0.0, 0.02), dice.about(-0.06, 0.015))
    };
    let look = dice.of(field.looks / 2);
    // Each piece has its own air resistance: v ← drag·v + g a tick, summed in closed form.
    let drag: f64 = dice.between(0.945, 0.97);
    let carried = drag * (1.0 - libm::pow(drag, age)) / (1.0 - drag);
    let fallen = GRAVITY * field.px / (1.0 - drag) * (age - carried);
    let moved = vx * w * carried;
    let (turn, flutter, phase) = (dice.between(0.0, 360.0), dice.between(0.12, 0.32), dice.between(0.0, TAU));
    let facing = libm::cos(phase + flutter * age);
    let size = dice.between(0.75, 1.15);
    let sway = libm::sin(phase + age * 0.09) * 1.2 * field.vmin * (age / 40.0).min(1.0);
    Some(Flight {
        look: 2 * look + usize::from(facing < 0.0),
        x: x * w + moved + sway,
        y: y * h + vy * h * carried + fallen,
        angle: turn + DEGREES_PER_PIXEL * moved / field.px.max(1e-6),
        scale: (size, size * facing.abs().max(0.14)),
        opacity: 1.0 - libm::pow(age / LIFE, 3.0),
    })
}

/// Streaks falling aslant at even speed; nearer ones are longer, faster and clearer.
pub fn rain(field: &Field, particle: u32, tick: f64) -> Option<Flight> {
    const FALL: f64 = 4.5;
    const STREAK: f64 = 2.2;
    let mut dice = field.dice(particle, 0);
    let speed = dice.between(0.8, 1.2);
    let room = 2.0 * STREAK * field.unit;
    let travel = field.size.height + room;
    let fallen = dice.unit() * travel + FALL * field.vmin * speed * tick;
    let mut dice = field.dice(particle, 1 + (fallen / travel).floor() as i64);
    let y = fallen.rem_euclid(travel);
    let slant = libm::tan(super::looks::SLANT.to_radians());
    let look = (((speed - 0.8) / 0.4 * field.looks as f64) as usize).min(field.looks.saturating_sub(1));
    Some(Flight {
        look,
        x: dice.between(-travel * slant, field.size.width) + y * slant,
        y,
        angle: 0.0,
        scale: (1.0, 1.0),
        opacity: 1.0,
    })
}

/// Lights that come up, wander and go out.
pub fn fireflies(field: &Field, particle: u32, tick: f64) -> Option<Flight> {
    const LIFE: f64 = 100.0;
    let (life, age) = field.life(particle, tick, LIFE);
    let mut dice = field.dice(particle, life);
    let (x, y) = (dice.unit() * field.size.width, dice.unit() * field.size.height);
    let (vx, vy) = (dice.about(0.5, 1.0), dice.about(0.5, 1.0));
    let mut wander = |amount: f64| {
        let (period, phase) = (dice.between(55.0, 95.0), dice.unit());
        let (fast, second) = (dice.between(23.0, 37.0), dice.unit());
        let slow_part = libm::sin((age / period + phase) * TAU) - libm::sin(phase * TAU);
        let fast_part = libm::sin((age / fast + second) * TAU) - libm::sin(second * TAU);
        amount * (slow_part + 0.35 * fast_part) * field.vmin
    };
    let (dx, dy) = (wander(3.0), wander(3.0));
    let size = dice.between(0.8, 1.25);
    let pixel = field.vmin * 100.0 / super::NOMINAL_HEIGHT;
    Some(Flight {
        look: 0,
        x: x + vx * age * pixel + dx,
        y: y + vy * age * pixel + dy,
        angle: 0.0,
        scale: (size, size),
        opacity: libm::sin(PI * age / LIFE),
    })
}

/// Stars that flash up somewhere, turn a little and vanish.
pub fn sparkles(field: &Field, particle: u32, tick: f64) -> Option<Flight> {
    const TURN: f64 = 45.0;
    let mut dice = field.dice(particle, 0);
    let period = dice.between(24.0, 60.0);
    let clock = tick / period + dice.unit();
    let mut dice = field.dice(particle, 1 + clock.floor() as i64);
    let at = clock - clock.floor();
    let wave = libm::sin(PI * at);
    let pulse = wave * wave;
    let size = dice.between(1.0 / 3.0, 1.0) * pulse;
    Some(Flight {
        look: 0,
        x: dice.unit() * field.size.width,
        y: dice.unit() * field.size.height,
        angle: dice.about(0.0, 15.0) + TURN * (at - 0.5),
        scale: (size.max(0.02), size.max(0.02)),
        opacity: pulse,
    })
}

/// Bubbles that rise, swinging from side to side.
pub fn bubbles(field: &Field, particle: u32, tick: f64) -> Option<Flight> {
    const SWING: f64 = 1.5;
    let mut dice = field.dice(particle, 0);
    let diameter = dice.between(2.0, 7.0);
    let look = super::looks::BUBBLES.iter().position(|&(_, most)| diameter <= most)?;
    let scale = diameter / super::looks::BUBBLES[look].0;
    let room = diameter * field.unit;
    let travel = field.size.height + 2.0 * room;
    let risen = dice.unit() + dice.between(0.4, 1.1) * field.vmin * tick / travel;
    let (period, phase) = (dice.between(60.0, 120.0), dice.unit());
    let part = risen - risen.floor();
    let mut dice = field.dice(particle, 1 + risen.floor() as i64);
    let swing = SWING * field.vmin * libm::sin((tick / period + phase) * TAU);
    Some(Flight {
        look,
        x: dice.unit() * field.size.width + swing,
        y: field.size.height + room - part * travel,
        angle: 0.0,
        scale: (scale, scale),
        opacity: (part / 0.1).min((1.0 - part) / 0.15).clamp(0.0, 1.0),
    })
}
