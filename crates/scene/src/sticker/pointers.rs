//! Stickers that point something out: arrows, ticks, bolts, pins and pulses.

use std::sync::Arc;

use kurbo::{Affine, BezPath, Point, Vec2};
use rondo_css::Color;

use super::easel::{Easel, Lettering, Part, Pose};
use super::forms::{
    card, circle, downwards, drawing, fill, fill_with, grown, line, polygon, polyline, rgb, round_line,
    shade, tint, with_shadow,
};
use super::motions::{self, ENTER, ease_out, every, popping, ramp, wave};
use crate::display::{Content, Draw, Filter};

pub(super) fn arrow(e: &mut Easel<'_, '_>) -> Vec<Part> {
    let m = e.side;
    let (main, edge) = (e.main(0xf43f5e), e.second(0xffffff));
    let (width, rim) = (0.12 * m, 0.045 * m);
    let reach = 0.43 * e.size.width.min(2.4 * m) - 0.5 * width - rim;
    let (tail, tip) = (Point::new(-reach, 0.0), Point::new(reach, 0.0));
    let arm = 0.22 * m;
    let room = e.room();
    let draw = move |tick: f64| {
        let shaft = polyline(&[tail, tip], ease_out(ramp(tick, 12.0)));
        let arms = ease_out(ramp(tick - 7.0, 8.0)) * arm;
        let head = [tip + Vec2::new(-arms, -arms), tip, tip + Vec2::new(-arms, arms)];
        let mut lines = shaft;
        if arms > 0.0 {
            lines.extend(polyline(&head, 1.0));
        }
        let paint = downwards(tint(main, 0.16), shade(main, 0.08), 0.5 * m);
        let body = vec![
            fill(round_line(&lines, width + 2.0 * rim), edge),
            fill_with(round_line(&lines, width), paint),
        ];
        Arc::new(Content::new(room, with_shadow(body, m)))
    };
    let nudging = move |tick: f64| {
        let nudge = 0.06 * m * wave(tick - 18.0, 30.0) * ramp(tick - 18.0, 15.0);
        Pose { opacity: ramp(tick, 3.0), ..Pose::of(Affine::translate((-nudge, 0.0))) }
    };
    vec![Part::played(draw, nudging)]
}

pub(super) fn circle_pulse(e: &mut Easel<'_, '_>) -> Vec<Part> {
    const PERIOD: f64 = 60.0;
    const RINGS: usize = 3;
    let m = e.side;
    let (main, edge) = (e.main(0x3b82f6), e.second(0xffffff));
    let disc = circle((0.0, 0.0), 0.47 * m);
    let ring = e.content(vec![fill(disc.clone(), main.faded(0.32)), line(disc, 0.012 * m, main.faded(0.7))]);
    let mut parts: Vec<Part> = (0..RINGS)
        .map(|i| {
            let delay = PERIOD * i as f64 / RINGS as f64;
            Part::new(ring.clone(), move |tick| {
                let part = (tick - delay).max(0.0).rem_euclid(PERIOD) / PERIOD;
                let opacity = if tick < delay { 0.0 } else { libm::pow(1.0 - part, 1.3) * ramp(part, 0.08) };
                Pose { opacity, ..Pose::of(Affine::scale(0.24 + 0.76 * ease_out(part))) }
            })
        })
        .collect();
    let core = vec![
        fill(circle((0.0, 0.0), 0.15 * m), edge),
        fill_with(circle((0.0, 0.0), 0.115 * m), downwards(tint(main, 0.16), shade(main, 0.1), 0.23 * m)),
    ];
    let core = e.content(with_shadow(core, m));
    let beating = |tick: f64| {
        Pose::of(Affine::scale(motions::entered(tick) * (1.0 + 0.08 * wave(tick, PERIOD / RINGS as f64))))
    };
    parts.push(Part::new(core, beating));
    parts
}

pub(super) fn check_mark(e: &mut Easel<'_, '_>) -> Vec<Part> {
    let m = e.side;
    let (main, check) = (e.main(0x22c55e), e.second(0xffffff));
    let halo = e.content(vec![line(circle((0.0, 0.0), 0.42 * m), 0.03 * m, main)]);
    let spreading = |tick: f64| {
        let part = ramp(tick - 9.0, 15.0);
        let opacity = if tick < 9.0 { 0.0 } else { (1.0 - part) * 0.8 };
        Pose { opacity, ..Pose::of(Affine::scale(0.9 + 0.24 * ease_out(part))) }
    };
    let disc = circle((0.0, 0.0), 0.4 * m);
    let disc = vec![fill_with(disc, downwards(tint(main, 0.14), shade(main, 0.1), 0.8 * m))];
    let disc = e.content(with_shadow(disc, m));
    let corners = [(-0.17, 0.015), (-0.05, 0.135), (0.18, -0.115)].map(|(x, y)| Point::new(x * m, y * m));
    let room = e.room();
    let draw = move |tick: f64| {
        let written = polyline(&corners, motions::ease_in_out(ramp(tick - 8.0, 10.0)));
        let mark = if tick <= 8.0 { Vec::new() } else { vec![fill(round_line(&written, 0.085 * m), check)] };
        Arc::new(Content::new(room, mark))
    };
    vec![
        Part::new(halo, spreading),
        Part::new(disc, motions::lively),
        Part::played(draw, |tick| Pose { opacity: 1.0, ..motions::lively(tick) }),
    ]
}

/// A bolt in a box from −1 to 1.
pub(super) fn bolt(scale: f64) -> BezPath {
    let points = [(0.16, -0.96), (-0.56, 0.14), (-0.08, 0.14), (-0.2, 0.96), (0.56, -0.24), (0.08, -0.24)];
    polygon(points.map(|(x, y)| (scale * x, scale * y)))
}

pub(super) fn lightning_bolt(e: &mut Easel<'_, '_>) -> Vec<Part> {
    const PERIOD: f64 = 75.0;
    let m = e.side;
    let (main, edge) = (e.main(0xfbbf24), e.second(0xffffff));
    let path = bolt(0.4 * m);
    let blur = vec![Filter::Blur { sigma: 0.05 * m }];
    let glow = Draw::Group {
        draws: vec![fill(grown(&path, 0.1 * m), main)],
        filters: blur,
        clip: None,
        opacity: 1.0,
    };
    let glow = e.content(vec![glow]);
    let body = vec![
        fill(grown(&path, 0.11 * m), edge),
        fill_with(
            grown(&path, 0.035 * m),
            downwards(tint(main, 0.45), main.mix_srgb(rgb(0xf97316), 0.55), 0.8 * m),
        ),
    ];
    let body = e.content(with_shadow(body, m));
    // Two short flashes when it strikes, and again every few seconds.
    let flash = |tick: f64| {
        let since = (tick - 5.0).rem_euclid(PERIOD);
        let one = |at: f64, length: f64| 1.0 - ramp((since - at).abs(), length);
        if tick < 3.0 { 0.0 } else { one(0.0, 6.0).max(0.7 * one(9.0, 5.0)) }
    };
    let striking = move |tick: f64| {
        let fall = 1.0 - motions::ease_in_out(ramp(tick, 5.0));
        let size = Affine::scale_non_uniform(1.0 - 0.35 * fall, 1.0 + 0.12 * fall);
        let shake = 0.02 * m * flash(tick) * libm::sin(2.4 * tick);
        let at =
            Affine::translate((shake, -0.16 * m * fall)) * size * Affine::scale(1.0 + 0.07 * flash(tick));
        Pose { opacity: ramp(tick, 3.0), ..Pose::of(at) }
    };
    let glowing = move |tick: f64| Pose {
        opacity: ramp(tick, 5.0) * (0.35 + 0.15 * wave(tick, 40.0) + 0.5 * flash(tick)),
        ..striking(tick)
    };
    vec![Part::new(glow, glowing), Part::new(body, striking)]
}

/// Where a pin that drops is above the ground, in parts of its fall: two bounces, then a small hop now and then.
fn height(tick: f64) -> f64 {
    let bounce = |since: f64, ticks: f64, high: f64| {
        let u = since / ticks;
        if (0.0..1.0).contains(&u) { 4.0 * high * u * (1.0 - u) } else { 0.0 }
    };
    let falling = if tick < 10.0 { 1.0 - tick / 10.0 * (tick / 10.0) } else { 0.0 };
    let hop = if tick < 60.0 { 0.0 } else { bounce((tick - 60.0).rem_euclid(75.0), 16.0, 0.22) };
    falling + bounce(tick - 10.0, 10.0, 0.2) + bounce(tick - 20.0, 6.0, 0.06) + hop
}

pub(super) fn location_pin(e: &mut Easel<'_, '_>) -> Vec<Part> {
    let m = e.side;
    let (main, eye) = (e.main(0xef4444), e.second(0xffffff));
    let flat = Affine::translate((0.0, 0.36 * m)) * Affine::scale_non_uniform(1.0, 0.34);
    let ripple = e.content(vec![line(flat * circle((0.0, 0.0), 0.3 * m), 0.02 * m, main)]);
    let spreading = move |tick: f64| {
        // From the landings.
        let first = if tick < 75.0 { ramp(tick - 10.0, 26.0) } else { 0.0 };
        let part = first.max(every(tick - 76.0, 75.0, 26.0));
        let opacity = if part <= 0.0 { 0.0 } else { 0.75 * (1.0 - part) };
        let about = Vec2::new(0.0, 0.36 * m);
        let grow = Affine::scale(0.2 + 0.8 * ease_out(part));
        Pose { opacity, ..Pose::of(Affine::translate(about) * grow * Affine::translate(-about)) }
    };
    let soft = vec![Filter::Blur { sigma: 0.015 * m }];
    let ground = fill(flat * circle((0.0, 0.0), 0.12 * m), Color::BLACK.faded(0.4));
    let ground = Draw::Group { draws: vec![ground], filters: soft, clip: None, opacity: 1.0 };
    let ground = e.content(vec![ground]);
    let shaded = move |tick: f64| {
        let near = 1.0 - height(tick).min(1.0);
        Pose { opacity: 0.25 + 0.75 * near, ..Pose::REST }
    };
    let pin = drawing("M0 36C-4 26 -27 10 -27 -14A27 27 0 1 1 27 -14C27 10 4 26 0 36Z", 0.01 * m);
    let head = Point::new(0.0, -0.14 * m);
    let body = vec![
        fill_with(pin, downwards(tint(main, 0.18), shade(main, 0.16), 0.78 * m)),
        fill(circle(head, 0.105 * m), eye),
    ];
    let body = e.content(with_shadow(body, 0.8 * m));
    let dropping = move |tick: f64| {
        let at = Affine::translate((0.0, -0.2 * m * height(tick)));
        Pose { opacity: ramp(tick, 4.0), ..Pose::of(at) }
    };
    vec![Part::new(ripple, spreading), Part::new(ground, shaded), Part::new(body, dropping)]
}

pub(super) fn swipe_up(e: &mut Easel<'_, '_>) -> Vec<Part> {
    const PERIOD: f64 = 45.0;
    let m = e.side;
    let (main, low) = (e.main(0xec4899), e.second(0xf97316));
    let (across, up) = (0.17 * m, 0.085 * m);
    let chevron = [Point::new(-across, up), Point::new(0.0, -up), Point::new(across, up)];
    let chevron = round_line(&polyline(&chevron, 1.0), 0.075 * m);
    let mut parts: Vec<Part> = (0..3)
        .map(|i| {
            let color = main.mix_srgb(low, f64::from(2 - i) / 2.0);
            let paint = downwards(tint(color, 0.1), shade(color, 0.06), 0.25 * m);
            let draws = with_shadow(vec![fill_with(chevron.clone(), paint)], 0.7 * m);
            let y = (0.1 - 0.175 * f64::from(i)) * m;
            let delay = 4.0 * f64::from(i);
            Part::new(e.content(draws), move |tick| {
                let light = wave(tick - delay * 1.6, PERIOD);
                let at = Vec2::new(0.0, y - 0.035 * m * light);
                Pose {
                    opacity: ramp(tick - delay, 8.0) * (0.3 + 0.7 * light),
                    ..Pose::of(Affine::translate(at))
                }
            })
        })
        .collect();
    let (w, h) = (0.62 * m, 0.165 * m);
    let mut label = with_shadow(vec![fill(card((0.0, 0.0), (w, h), h / 2.0), Color::WHITE)], 0.7 * m);
    let look = Lettering { family: "Inter", weight: 700, size: 0.095 * m, color: rgb(0x1f2937) };
    label.extend(e.text("Swipe up", (0.0, 0.002 * m), look));
    let label = e.content(label);
    parts.push(Part::new(label, popping(Vec2::new(0.0, 0.36 * m), 0.2 * ENTER)));
    parts
}
