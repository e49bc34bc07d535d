//! Stickers from chats and social networks.

use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use kurbo::{Affine, BezPath, Point, Rect, Vec2};
use rondo_css::{Color, rotation};

use super::easel::{Easel, Lettering, Part, Pose};
use super::forms::{
    card, circle, clipped, downwards, drawing, fill, fill_with, line, rgb, round_line, shade, tint,
    with_shadow,
};
use super::motions::{self, ENTER, ease_in_out, ease_out, every, ramp, spring_in, wave};
use super::reviews::quotation_mark;
use crate::display::{Content, Draw};

const INK: Color = rgb(0x1f2937);
const QUIET: Color = rgb(0x6b7280);
const BOLD: Lettering = Lettering { family: "Inter", weight: 700, size: 0.0, color: INK };

/// Pops up from a point that stays in place.
fn popping_from(at: Point) -> impl Fn(f64) -> Pose + Copy + Send + Sync {
    move |tick| {
        let size = Affine::scale(motions::entered(tick));
        let about = Affine::translate(at.to_vec2()) * size * Affine::translate(-at.to_vec2());
        Pose { opacity: ramp(tick, 4.0), ..Pose::of(about) }
    }
}

pub(super) fn typing_dots(e: &mut Easel<'_, '_>) -> Vec<Part> {
    const PERIOD: f64 = 36.0;
    let h = (0.52 * e.size.width).min(0.78 * e.size.height);
    let w = 1.75 * h;
    let (main, ink) = (e.main(0xe9ebf0), e.second(0x8a909c));
    let middle = -0.06 * h;
    let mut bubble = card((0.0, middle), (w, 0.88 * h), 0.44 * h);
    bubble.extend(circle((-0.4 * w, middle + 0.38 * h), 0.13 * h));
    bubble.extend(circle((-0.48 * w, middle + 0.52 * h), 0.065 * h));
    let paint = downwards(tint(main, 0.5), main, h);
    let bubble = e.content(with_shadow(vec![fill_with(bubble, paint)], 0.9 * h));
    let enter = popping_from(Point::new(-0.48 * w, 0.46 * h));
    let mut parts = vec![Part::new(bubble, enter)];
    let dot = e.content(vec![fill(circle((0.0, 0.0), 0.105 * h), ink)]);
    parts.extend((0..3).map(|i| {
        let x = f64::from(i - 1) * 0.34 * h;
        Part::new(dot.clone(), move |tick| {
            let since = (tick - 8.0 - 5.0 * f64::from(i)).max(0.0).rem_euclid(PERIOD) / (0.55 * PERIOD);
            let hop = if since < 1.0 { libm::sin(PI * since) } else { 0.0 };
            let at = Affine::translate((x, middle - 0.16 * h * hop));
            let entered = enter(tick);
            Pose { transform: entered.transform * at.into(), opacity: entered.opacity * (0.55 + 0.45 * hop) }
        })
    }));
    parts
}

pub(super) fn chat_bubble(e: &mut Easel<'_, '_>) -> Vec<Part> {
    let h = (0.48 * e.size.width).min(0.8 * e.size.height);
    let w = 1.95 * h;
    let (main, ink) = (e.main(0x2f80ff), e.second(0xffffff));
    let middle = -0.06 * h;
    let (left, floor) = (-w / 2.0, middle + 0.42 * h);
    let mut bubble = card((0.0, middle), (w, 0.84 * h), 0.4 * h);
    let mut tail = BezPath::new();
    tail.move_to((left, middle));
    tail.curve_to(
        (left, middle + 0.28 * h),
        (left + 0.02 * h, floor - 0.04 * h),
        (left - 0.09 * h, floor + 0.06 * h),
    );
    tail.curve_to(
        (left + 0.1 * h, floor + 0.07 * h),
        (left + 0.22 * h, floor),
        (left + 0.32 * h, floor - 0.06 * h),
    );
    tail.close_path();
    bubble.extend(tail.reverse_subpaths());
    let paint = downwards(tint(main, 0.2), shade(main, 0.06), 0.9 * h);
    let body = with_shadow(vec![fill_with(bubble, paint)], 0.9 * h);
    let enter = popping_from(Point::new(left - 0.09 * h, floor + 0.06 * h));
    let words = e.text("Hello!", (-0.24 * h, middle), Lettering { size: 0.34 * h, color: ink, ..BOLD });
    let (body, words) = (e.content(body), e.content(words));
    let hand = Lettering { family: "Noto Color Emoji", weight: 400, size: 0.36 * h, color: ink };
    let hand = e.text("👋", (0.0, 0.0), hand);
    let hand = e.content(hand);
    let waving = move |tick: f64| {
        let swing = 0.32 * libm::sin(TAU * 2.0 * every(tick - 14.0, 75.0, 36.0));
        let size = spring_in(tick - 8.0, 12.0).max(0.0);
        let at = Affine::translate((0.6 * h, middle)) * rotation(swing) * Affine::scale(size);
        let opacity = if tick <= 8.0 { 0.0 } else { 1.0 };
        Pose { transform: enter(tick).transform * at.into(), opacity }
    };
    let appearing = move |tick: f64| Pose { opacity: ramp(tick - 6.0, 6.0), ..enter(tick) };
    vec![Part::new(body, enter), Part::new(words, appearing), Part::new(hand, waving)]
}

/// A heart in a box from −40 to 40.
const HEART: &str = "M0 34C-13 23 -38 6 -38 -13C-38 -26 -29 -34 -19 -34C-10 -34 -3 -29 0 -21C3 -29 10 -34 19 -34C29 -34 38 -26 38 -13C38 6 13 23 0 34Z";

pub(super) fn like_heart_burst(e: &mut Easel<'_, '_>) -> Vec<Part> {
    const PERIOD: f64 = 90.0;
    const SPARKS: usize = 14;
    /// Ticks of each period before the burst; the first burst is at once.
    const BANG: f64 = 6.0;
    let m = e.side;
    let (main, second) = (e.main(0xf43f5e), e.second(0xfb7185));
    let colors = [main, rgb(0xfbbf24), rgb(0x38bdf8), rgb(0xa78bfa), second, rgb(0x34d399), rgb(0xf472b6)];
    let burst = |tick: f64| ramp((tick + BANG).rem_euclid(PERIOD) - BANG, 20.0);
    let room = e.room();
    let ring = move |tick: f64| {
        let part = burst(tick);
        let width = 0.14 * m * (1.0 - part) * (1.0 - part);
        let shown = part > 0.0 && part < 1.0;
        let ring = || line(circle((0.0, 0.0), 0.1 * m + 0.28 * m * ease_out(part)), width, second.faded(0.8));
        Arc::new(Content::new(room, shown.then(ring).into_iter().collect()))
    };
    let mut parts = vec![Part::redrawn(ring)];
    let sparks = colors.map(|color| e.content(vec![fill(circle((0.0, 0.0), 0.026 * m), color)]));
    parts.extend((0..SPARKS).map(|i| {
        // Large and small ones in turn, the small ones nearer and a little later.
        let small = !i.is_multiple_of(2);
        let turn = (i / 2) as f64 / (SPARKS / 2) as f64 + if small { 0.028 } else { 0.0 };
        let (far, size, delay) = if small { (0.4, 0.62, 0.1) } else { (0.46, 1.0, 0.0) };
        let (sin, cos) = libm::sincos(TAU * turn);
        Part::new(sparks[i % sparks.len()].clone(), move |tick| {
            let part = ((burst(tick) - delay) / (1.0 - delay)).max(0.0);
            let away = (0.2 + (far - 0.2) * ease_out(part)) * m;
            let at = Affine::translate((away * sin, -away * cos)) * Affine::scale(size * (1.0 - part * part));
            Pose { opacity: if part > 0.0 && part < 1.0 { 1.0 } else { 0.0 }, ..Pose::of(at) }
        })
    }));
    let heart = drawing(HEART, 0.0076 * m);
    let paint = downwards(tint(main, 0.18), shade(main, 0.12), 0.55 * m);
    let heart = e.content(with_shadow(vec![fill_with(heart, paint)], 0.8 * m));
    // Grows out of the first burst; before each later one it shrinks a little.
    let beating = |tick: f64| {
        let tick = tick + BANG;
        let since = tick.rem_euclid(PERIOD);
        let low = if tick < PERIOD { 0.0 } else { 0.7 };
        let shrinking = if tick < PERIOD { 0.0 } else { 1.0 - 0.3 * ease_in_out(ramp(since, BANG)) };
        let grown = low + (1.0 - low) * spring_in(since - BANG, 14.0).max(0.0);
        let size = if since < BANG { shrinking } else { grown };
        let calm = ramp(since - 30.0, 10.0) * ramp(PERIOD - since, 10.0);
        Pose::of(Affine::scale(size * (1.0 + 0.06 * wave(since - 30.0, 30.0) * calm)))
    };
    parts.push(Part::new(heart, beating));
    parts
}

const BELL: &str = "M0 -12C-6.5 -12 -9 -7.5 -9 -2C-9 4 -11 6 -12.5 8.5L12.5 8.5C11 6 9 4 9 -2C9 -7.5 6.5 -12 0 -12Z M-4 11A4 4 0 0 0 4 11Z M-1.8 -12.5A1.8 1.8 0 0 1 1.8 -12.5L1.8 -10L-1.8 -10Z";
const POINTER: &str = "M0 0L0 22L5.2 17.2L8.8 25.2L12.8 23.4L9.2 15.6L16.2 15.2Z";

pub(super) fn subscribe_button(e: &mut Easel<'_, '_>) -> Vec<Part> {
    /// When the pointer presses the button.
    const CLICK: f64 = 42.0;
    let w = e.size.width.min(3.6 * e.size.height) * 0.92;
    let h = w / 4.1;
    let (main, ink) = (e.main(0xff0033), e.second(0xffffff));
    let button = |top: Color, bottom: Color| {
        let plate = card((0.0, 0.0), (w, h), h / 2.0);
        with_shadow(vec![fill_with(plate, downwards(top, bottom, h))], 1.5 * h)
    };
    let look = |color| Lettering { weight: 800, size: 0.36 * h, color, ..BOLD };
    let mut before = button(tint(main, 0.12), shade(main, 0.08));
    before.extend(e.text("SUBSCRIBE", (0.0, 0.0), look(ink)));
    let mut after = button(rgb(0xf3f4f6), rgb(0xdfe2e8));
    after.extend(e.text("SUBSCRIBED", (-0.3 * h, 0.0), look(rgb(0x4b5563))));
    let (before, after) = (e.content(before), e.content(after));
    let bell = e.content(vec![fill(drawing(BELL, 0.0185 * h), rgb(0x4b5563))]);
    let pressed = |tick: f64| {
        let press = 1.0 - ramp((tick - CLICK).abs(), 5.0);
        Pose {
            opacity: ramp(tick, 5.0),
            ..Pose::of(Affine::scale(motions::entered(tick) * (1.0 - 0.07 * press)))
        }
    };
    let done = |tick: f64| ramp(tick - CLICK, 5.0);
    let ringing = move |tick: f64| {
        let since = every(tick - CLICK - 4.0, 75.0, 30.0);
        let swing = 0.4 * libm::sin(TAU * 3.0 * since) * (1.0 - since);
        let pivot = Affine::translate((0.0, -0.2 * h));
        let at = Affine::translate((1.52 * h, 0.0)) * pivot * rotation(swing) * pivot.inverse();
        Pose { transform: pressed(tick).transform * at.into(), opacity: done(tick) }
    };
    let arrow = drawing(POINTER, 0.019 * h);
    let rim = fill(round_line(&arrow, 0.07 * h), Color::WHITE);
    let arrow = e.content(with_shadow(vec![rim, fill(arrow, rgb(0x111827))], h));
    let pointing = move |tick: f64| {
        let come = ease_out(ramp(tick - 18.0, 18.0));
        let leave = ease_in_out(ramp(tick - CLICK - 12.0, 15.0));
        let away = (1.0 - come) + leave;
        let press = 1.0 - 0.14 * (1.0 - ramp((tick - CLICK).abs(), 5.0));
        let at = Vec2::new(0.9 * h + 0.5 * h * away, 0.12 * h + 0.55 * h * away);
        let opacity = ramp(tick - 18.0, 8.0) * (1.0 - leave);
        Pose { opacity, ..Pose::of(Affine::translate(at) * Affine::scale(press)) }
    };
    vec![
        Part::new(before, move |tick| Pose {
            opacity: pressed(tick).opacity * f64::from(done(tick) < 1.0),
            ..pressed(tick)
        }),
        Part::new(after, move |tick| Pose { opacity: done(tick), ..pressed(tick) }),
        Part::new(bell, ringing),
        Part::new(arrow, pointing),
    ]
}

/// A head and shoulders in a disc with a white rim.
fn portrait(at: Point, radius: f64, color: Color) -> Vec<Draw> {
    let disc = circle(at, radius);
    let figure = vec![
        fill_with(disc.clone(), downwards(tint(color, 0.3), color, 2.0 * radius)),
        fill(circle(at + Vec2::new(0.0, -0.16 * radius), 0.34 * radius), Color::WHITE.faded(0.94)),
        fill(circle(at + Vec2::new(0.0, 0.98 * radius), 0.68 * radius), Color::WHITE.faded(0.94)),
    ];
    vec![fill(circle(at, 1.14 * radius), Color::WHITE), clipped(figure, disc)]
}

pub(super) fn social_proof(e: &mut Easel<'_, '_>) -> Vec<Part> {
    let w = e.size.width.min(3.0 * e.size.height) * 0.95;
    let h = w / 3.3;
    let (main, live) = (e.main(0x6366f1), e.second(0x22c55e));
    let left = -w / 2.0;
    let mut draws = with_shadow(vec![fill(card((0.0, 0.0), (w, h), 0.3 * h), Color::WHITE)], 1.5 * h);
    let radius = 0.235 * h;
    // The first one in front.
    for (i, color) in [rgb(0xf59e0b), rgb(0xec4899), main].into_iter().enumerate().rev() {
        let at = Point::new(left + 0.44 * h + 1.3 * radius * i as f64, 0.0);
        draws.extend(portrait(at, radius, color));
    }
    let from = left + 1.46 * h;
    draws.extend(e.text_from("1,248 people", (from, -0.13 * h), Lettering { size: 0.22 * h, ..BOLD }));
    let quiet = Lettering { weight: 500, size: 0.165 * h, color: QUIET, ..BOLD };
    draws.extend(e.text_from("bought this today", (from, 0.15 * h), quiet));
    let plate = e.content(draws);
    let enter = move |tick: f64| {
        let rise = 0.35 * h * (1.0 - spring_in(tick, ENTER));
        Pose { opacity: ramp(tick, 8.0), ..Pose::of(Affine::translate((0.0, rise))) }
    };
    let spot = Vec2::new(w / 2.0 - 0.2 * h, -0.28 * h);
    let dot = e.content(vec![fill(circle((0.0, 0.0), 0.055 * h), live)]);
    let halo = e.content(vec![fill(circle((0.0, 0.0), 0.055 * h), live.faded(0.45))]);
    let pulsing = move |tick: f64| {
        let part = (tick - 10.0).max(0.0).rem_euclid(45.0) / 45.0;
        let at = Affine::translate(spot) * Affine::scale(1.0 + 1.4 * ease_out(part));
        Pose { transform: enter(tick).transform * at.into(), opacity: (1.0 - part) * ramp(tick - 8.0, 4.0) }
    };
    let lit = move |tick: f64| {
        let at = Affine::translate(spot);
        Pose { transform: enter(tick).transform * at.into(), opacity: ramp(tick - 6.0, 6.0) }
    };
    vec![Part::new(plate, enter), Part::new(halo, pulsing), Part::new(dot, lit)]
}

/// Marks in opposite corners, around what lies between them.
pub(super) fn quote_marks(e: &mut Easel<'_, '_>) -> Vec<Part> {
    let m = e.side;
    let (main, second) = (e.main(0x6366f1), e.second(0x8b5cf6));
    let unit = 0.95 * m;
    let room = Rect::from_center_size(Point::ORIGIN, (0.6 * m, 0.5 * m));
    let pair = |color: Color, turn: f64| {
        let turned = |x: f64| {
            let mark = Affine::translate((0.0, 0.06 * unit)) * quotation_mark(x * unit, unit);
            let paint = downwards(tint(color, 0.2), shade(color, 0.05), 0.3 * unit);
            fill_with(rotation(turn) * mark, paint)
        };
        Arc::new(Content::new(room, with_shadow([-0.115, 0.115].map(turned).to_vec(), 0.7 * m)))
    };
    let corner = Vec2::new(e.size.width / 2.0 - 0.23 * m, e.size.height / 2.0 - 0.19 * m);
    let floating = move |at: Vec2, delay: f64| {
        move |tick: f64| {
            let since = tick - delay;
            let float = 0.018 * m * libm::sin(TAU * tick / 75.0) * ramp(since - ENTER, 30.0);
            let place = Affine::translate(at + Vec2::new(0.0, float));
            let size = spring_in(since, ENTER).max(0.0);
            Pose { opacity: ramp(since, 4.0), ..Pose::of(place * Affine::scale(size)) }
        }
    };
    vec![
        Part::new(pair(main, 0.0), floating(-corner, 0.0)),
        Part::new(pair(second, PI), floating(corner, 8.0)),
    ]
}
