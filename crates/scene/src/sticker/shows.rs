//! Stickers that play: progress, sound, cards, charts and bangs.

use std::f64::consts::TAU;
use std::sync::Arc;

use kurbo::{Affine, Point, Rect, Shape as _, Size, Vec2};
use rondo_css::{Color, Easing, rotation};

use super::easel::{Easel, Lettering, Part, Pose};
use super::forms::{
    card, circle, downwards, fill, fill_with, line, rgb, ring, shade, star, tint, with_shadow,
};
use super::motions::{ENTER, ease_out, ramp};
use crate::display::{Content, Draw};
use crate::motion::{Property, flatten, random};

const BLUE: u32 = 0x3b82f6;

pub(super) fn circular_progress(e: &mut Easel<'_, '_>) -> Vec<Part> {
    const PERIOD: f64 = 90.0;
    let m = e.side;
    let (main, dot) = (e.main(BLUE), e.second(0x1e40af));
    let (radius, width) = (0.38 * m, 12.0 / 200.0 * m);
    let look = Lettering { family: "Inter", weight: 800, size: 0.19 * m, color: main };
    let labels: Vec<Vec<Draw>> = (0..=100).map(|n| e.text(&format!("{n}%"), (0.0, 0.0), look)).collect();
    let bounds = Rect::from_center_size(Point::ORIGIN, (m, m));
    let draw = move |tick: f64| {
        let part = tick.rem_euclid(PERIOD) / PERIOD;
        let sweep = ring(radius, width, part);
        let mut draws = vec![line(circle((0.0, 0.0), radius), width, main.faded(0.2)), fill(sweep, main)];
        draws.extend(labels.get((part * 100.0).round() as usize).into_iter().flatten().cloned());
        let (sin, cos) = libm::sincos((4.0 * tick).to_radians());
        draws.push(fill(circle((radius * sin, -radius * cos), 0.75 * width), dot));
        let pulse = Affine::scale(1.0 + 0.05 * libm::sin(tick / 10.0));
        Arc::new(Content::new(bounds, draws.into_iter().map(|d| moved(d, pulse)).collect()))
    };
    vec![Part::redrawn(draw)]
}

/// A fill or a line scaled about the middle; letters keep their size.
fn moved(draw: Draw, by: Affine) -> Draw {
    match draw {
        Draw::Fill { outline, transform, paint } => Draw::Fill { outline, transform: by * transform, paint },
        Draw::Stroke { path, transform, width, paint } => {
            Draw::Stroke { path, transform: by * transform, width, paint }
        }
        other => other,
    }
}

pub(super) fn audio_visualiser(e: &mut Easel<'_, '_>) -> Vec<Part> {
    const BARS: usize = 40;
    const STEP: f64 = 16.0;
    const BAR: f64 = 12.0;
    const HIGHEST: f64 = 90.0;
    let main = e.main(BLUE);
    let (x, y) = (e.size.width / (BARS as f64 * STEP), 0.9 * e.size.height / HIGHEST);
    let extra: Vec<f64> = (0..BARS).map(|i| random::from_text(&format!("bar-{i}"))).collect();
    let bounds = Rect::from_center_size(Point::ORIGIN, e.size);
    let draw = move |tick: f64| {
        let bars = extra.iter().enumerate().map(|(i, extra)| {
            let height = (libm::sin(tick / 10.0 + i as f64 / 2.0).abs() * 60.0 + extra * 30.0) * y;
            let at = ((i as f64 - (BARS as f64 - 1.0) / 2.0) * STEP * x, 0.0);
            let bar = card(at, (BAR * x, height.max(BAR * x)), BAR * x / 2.0);
            fill_with(bar, downwards(tint(main, 0.3), main, height.max(1.0)))
        });
        Arc::new(Content::new(bounds, bars.collect()))
    };
    vec![Part::redrawn(draw)]
}

pub(super) fn card_flip(e: &mut Easel<'_, '_>) -> Vec<Part> {
    let m = e.side;
    let (front, back) = (e.main(BLUE), e.second(0x1e293b));
    let size = Size::new(0.66 * m, 0.9 * m);
    let body = |color: Color| {
        let path = card((0.0, 0.0), size, 0.07 * m);
        let inner = card((0.0, 0.0), (size.width - 0.08 * m, size.height - 0.08 * m), 0.045 * m);
        vec![
            fill_with(path, downwards(tint(color, 0.16), shade(color, 0.12), size.height)),
            line(inner, 0.01 * m, Color::WHITE.faded(0.55)),
        ]
    };
    let mut face = body(front);
    face.push(fill(star((0.0, 0.0), 5, 0.2 * m, 0.088 * m), Color::WHITE));
    let mut reverse = body(back);
    let look = Lettering { family: "Inter", weight: 900, size: 0.34 * m, color: Color::WHITE };
    reverse.extend(e.text("?", (0.0, 0.0), look));
    let (face, reverse) = (e.content(face), e.content(reverse));
    let spring = Easing::Spring { mass: 0.5, stiffness: 100.0, damping: 15.0 };
    let angle = move |tick: f64| 360.0 * spring.at(tick / 30.0);
    let side = move |angle: f64, front: bool| {
        let towards = libm::cos(angle.to_radians()) >= 0.0;
        let shown = if front { angle } else { angle - 180.0 };
        let chain = [(Property::Perspective, 3.0 * m), (Property::RotateY, shown)];
        let transform = flatten(chain, size, Point::ORIGIN);
        Pose { transform, opacity: if towards == front { 1.0 } else { 0.0 } }
    };
    let again = angle.clone();
    vec![
        Part::new(reverse, move |tick| side(again(tick), false)),
        Part::new(face, move |tick| side(angle(tick), true)),
    ]
}

pub(super) fn boom_effect(e: &mut Easel<'_, '_>) -> Vec<Part> {
    const DOTS: usize = 150;
    const FADE: f64 = 45.0;
    let m = e.side;
    let main = e.main(0xff4d2e);
    let colors = [main, rgb(0xffb020), rgb(0xffe14d), tint(main, 0.35)];
    let dot = |color: Color| e.content(vec![fill(circle((0.0, 0.0), 0.014 * m), color)]);
    let dots = colors.map(dot);
    let spring = Easing::Spring { mass: 0.6, stiffness: 90.0, damping: 12.0 };
    let mut parts: Vec<Part> = (0..DOTS)
        .map(|i| {
            let throw = |what: &str| random::from_text(&format!("boom-{what}-{i}"));
            let (far, size) = (0.45 * m + throw("r") * 30.0 * m / 300.0, 0.6 + throw("s"));
            let near = 0.35 + 0.65 * throw("d");
            let start = TAU * i as f64 / DOTS as f64;
            let spring = spring.clone();
            Part::new(dots[i % dots.len()].clone(), move |tick| {
                let radius = far * near * spring.at(tick / 30.0);
                let (sin, cos) = libm::sincos(start + 0.015 * tick);
                let at = Affine::translate((radius * cos, radius * sin)) * Affine::scale(size);
                Pose { opacity: (1.0 - tick / FADE).max(0.0), ..Pose::of(at) }
            })
        })
        .collect();
    let edge = e.second(0x7a1500);
    let burst = vec![
        fill(star((0.0, 0.0), 14, 0.43 * m, 0.29 * m), edge),
        fill_with(star((0.0, 0.0), 14, 0.4 * m, 0.275 * m), downwards(rgb(0xffe14d), rgb(0xffb020), 0.8 * m)),
    ];
    let look = |size: f64, color| Lettering { family: "Bangers", weight: 400, size, color };
    let mut letters = Vec::new();
    for (x, y) in [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0), (0.0, 1.6)] {
        letters.extend(e.text("BOOM!", (0.008 * x * m, 0.008 * y * m), look(0.24 * m, edge)));
    }
    letters.extend(e.text("BOOM!", (0.0, 0.0), look(0.24 * m, main)));
    let size = |tick: f64| (tick / 8.0).min(1.2) / 1.2;
    let pose = move |tilt: f64| move |t: f64| Pose::of(rotation(tilt) * Affine::scale(size(t)));
    parts.push(Part::new(e.content(with_shadow(burst, m)), pose(0.08)));
    parts.push(Part::new(e.content(letters), pose(-0.1)));
    parts
}

pub(super) fn bar_chart(e: &mut Easel<'_, '_>) -> Vec<Part> {
    const VALUES: [u32; 5] = [42, 58, 51, 76, 95];
    const GAP: f64 = 3.0;
    let (w, h) = (0.92 * e.size.width, 0.9 * e.size.height);
    let main = e.main(BLUE);
    let slot = w / VALUES.len() as f64;
    let width = 0.62 * slot;
    let (floor, most) = (0.46 * h, 0.8 * h);
    let axis = fill(card((0.0, floor + 0.01 * h), (w, 0.014 * h), 0.007 * h), e.second(0x94a3b8));
    let mut parts = vec![Part::new(e.content(vec![axis]), super::motions::rest)];
    let label = Lettering { family: "Inter", weight: 700, size: (0.085 * h).min(0.36 * slot), color: main };
    for (i, value) in VALUES.into_iter().enumerate() {
        let height = most * f64::from(value) / 100.0;
        let x = (i as f64 - 2.0) * slot;
        let bar = Rect::new(-width / 2.0, -height, width / 2.0, 0.0);
        let radius = 0.12 * width;
        let path = bar.to_rounded_rect((radius, radius, 0.0, 0.0)).to_path(1e-3);
        let color = tint(main, 0.42 - 0.1 * i as f64);
        let content = Arc::new(Content::new(bar, vec![fill(path, color)]));
        let grown = move |tick: f64| ease_out(ramp(tick - GAP * i as f64, ENTER));
        parts.push(Part::new(content, move |tick| {
            let at = Affine::translate((x, floor)) * Affine::scale_non_uniform(1.0, grown(tick).max(1e-3));
            Pose::of(at)
        }));
        let text = e.text(&value.to_string(), (0.0, 0.0), label);
        let text = e.content(text);
        parts.push(Part::new(text, move |tick| {
            let at = Vec2::new(x, floor - height - 0.075 * h);
            Pose { opacity: ((grown(tick) - 0.9) / 0.1).clamp(0.0, 1.0), ..Pose::of(Affine::translate(at)) }
        }));
    }
    parts
}

pub(super) fn matrix_rain(e: &mut Easel<'_, '_>) -> Vec<Part> {
    const CHARACTERS: [&str; 12] = ["0", "1", "7", "A", "E", "K", "Z", "#", "$", "%", "+", "="];
    const TAIL: f64 = 10.0;
    let font = e.side / 12.0;
    let main = e.main(0x60a5fa);
    let (w, h) = (e.size.width, e.size.height);
    let look = |color| Lettering { family: "Roboto Mono", weight: 600, size: font, color };
    let mut glyphs = |color: Color| -> Vec<Vec<Draw>> {
        CHARACTERS.iter().map(|c| e.text(c, (0.0, 0.0), look(color))).collect()
    };
    let (tail, head) = (glyphs(main), glyphs(tint(main, 0.8)));
    let bounds = Rect::from_center_size(Point::ORIGIN, (w, h));
    let plate = bounds.to_rounded_rect(0.06 * e.side).to_path(1e-3);
    let paint = downwards(shade(main, 0.62), shade(main, 0.88), h);
    let plate = Part::new(e.content(vec![fill_with(plate, paint)]), super::motions::rest);
    // A box that is much longer than wide would have millions.
    let [columns, rows] = [w / (0.6 * font), h / font].map(|count| count.min(1000.0) as usize);
    let draw = move |tick: f64| {
        let mut draws = Vec::new();
        for column in 0..columns {
            let throw = |n: usize| random::from_number((column + n) as f64);
            let fall = rows as f64 + TAIL;
            let at = (tick * (0.15 + 0.35 * throw(1)) + throw(2) * fall) % fall;
            for row in 0..rows {
                let behind = at - row as f64;
                if !(0.0..TAIL).contains(&behind) {
                    continue;
                }
                let seed = (1000 * column + 100 * row) as f64 + (tick / 4.0).floor();
                let pick = (random::from_number(seed) * CHARACTERS.len() as f64) as usize;
                let set = if behind < 1.0 { &head } else { &tail };
                let to = Vec2::new(
                    (column as f64 + 0.5) * 0.6 * font - w / 2.0,
                    (row as f64 + 0.5) * h / rows.max(1) as f64 - h / 2.0,
                );
                let faded = if behind < 1.0 { 1.0 } else { 1.0 - behind / TAIL };
                for glyph in set.get(pick).into_iter().flatten() {
                    if let Draw::Glyphs { run, origin, paint } = glyph {
                        let glyph =
                            Draw::Glyphs { run: run.clone(), origin: *origin + to, paint: paint.clone() };
                        draws.push(Draw::Group {
                            draws: vec![glyph],
                            filters: Vec::new(),
                            clip: None,
                            opacity: faded as f32,
                        });
                    }
                }
            }
        }
        Arc::new(Content::new(bounds, draws))
    };
    vec![plate, Part::redrawn(draw)]
}
