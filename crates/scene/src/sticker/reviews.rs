//! Stickers that show what customers think.

use kurbo::{Affine, BezPath, Point, Vec2};
use rondo_css::{Color, rotation};

use super::badges::scalloped;
use super::easel::{Easel, Lettering, Part, Pose};
use super::forms::{
    card, circle, downwards, fill, fill_with, rgb, round_line, shade, star, tint, with_shadow,
};
use super::motions::{self, popping, ramp, wave};
use crate::display::Draw;

const GOLD: u32 = 0xfbbf24;
const INK: Color = rgb(0x1f2937);
const QUIET: Color = rgb(0x6b7280);
const STARS: usize = 5;

fn rounded_star(at: impl Into<Point>, radius: f64) -> BezPath {
    star(at, 5, radius, 0.44 * radius)
}

fn gold(path: BezPath, color: Color, radius: f64) -> Draw {
    fill_with(path, downwards(tint(color, 0.2), shade(color, 0.08), 2.0 * radius))
}

pub(super) fn five_stars(e: &mut Easel<'_, '_>) -> Vec<Part> {
    let step = (e.size.width / STARS as f64).min(e.size.height);
    let radius = 0.44 * step;
    let color = e.main(GOLD);
    let path = rounded_star((0.0, 0.04 * step), radius);
    let mut draws = vec![gold(path.clone(), color, radius)];
    draws.extend(e.outline(&path));
    let content = e.content(with_shadow(draws, step));
    (0..STARS)
        .map(|i| {
            let at = Vec2::new((i as f64 - 2.0) * step, 0.0);
            let pop = popping(at, 4.0 * i as f64);
            let part = move |tick: f64| {
                let pose = pop(tick);
                let gleam = 1.0 + 0.1 * wave(tick - 40.0 - 4.0 * i as f64, 24.0) * f64::from(gleams(tick, i));
                Pose { transform: pose.transform * Affine::scale(gleam).into(), ..pose }
            };
            Part::new(content.clone(), part)
        })
        .collect()
}

/// Whether the wave that runs along the stars every three seconds is at star `i`.
fn gleams(tick: f64, i: usize) -> bool {
    let since = tick - 40.0 - 4.0 * i as f64;
    since >= 0.0 && since.rem_euclid(96.0) < 24.0
}

/// Five stars in a row, the last one filled to `part`.
fn row_of_stars(middle: Point, step: f64, color: Color, part: f64) -> Vec<Draw> {
    let radius = 0.46 * step;
    let stars =
        || (0..STARS).map(move |i| rounded_star(middle + Vec2::new((i as f64 - 2.0) * step, 0.0), radius));
    let mut draws: Vec<Draw> = stars().map(|s| fill(s, rgb(0xe5e7eb))).collect();
    let end = middle.x + (part - STARS as f64 / 2.0) * step;
    let clip = kurbo::Rect::new(middle.x - 3.0 * step, middle.y - step, end, middle.y + step);
    draws.push(Draw::Group {
        draws: stars().map(|s| fill(s, color)).collect(),
        filters: Vec::new(),
        clip: Some(crate::display::Outline::Rect(clip)),
        opacity: 1.0,
    });
    draws
}

pub(super) fn star_rating(e: &mut Easel<'_, '_>) -> Vec<Part> {
    let w = e.size.width.min(2.6 * e.size.height) * 0.94;
    let h = w / 3.1;
    let color = e.main(GOLD);
    let mut draws = with_shadow(vec![fill(card((0.0, 0.0), (w, h), 0.26 * h), Color::WHITE)], h * 1.6);
    let ink = e.second(0x111827);
    let look = Lettering { family: "Inter", weight: 800, size: 0.5 * h, color: ink };
    draws.extend(e.text("4.8", (-0.32 * w, 0.0), look));
    draws.extend(row_of_stars(Point::new(0.16 * w, -0.12 * h), 0.118 * w, color, 4.8));
    let look = Lettering { family: "Inter", weight: 500, size: 0.155 * h, color: QUIET };
    draws.extend(e.text("2,480 reviews", (0.16 * w, 0.24 * h), look));
    vec![Part::new(e.content(draws), motions::lively)]
}

pub(super) fn review_card(e: &mut Easel<'_, '_>) -> Vec<Part> {
    let w = e.size.width.min(1.7 * e.size.height) * 0.94;
    let h = w / 1.75;
    let (accent, face) = (e.main(GOLD), e.second(0x6366f1));
    let mut draws = with_shadow(vec![fill(card((0.0, 0.0), (w, h), 0.07 * w), Color::WHITE)], h);
    let (left, top) = (-w / 2.0, -h / 2.0);
    let head = Point::new(left + 0.15 * w, top + 0.26 * h);
    draws.push(fill_with(circle(head, 0.085 * w), downwards(tint(face, 0.25), face, h)));
    let letter = |weight, size, color| Lettering { family: "Inter", weight, size, color };
    draws.extend(e.text("A", head, letter(700, 0.085 * w, Color::WHITE)));
    draws.extend(e.text("Anna M.", (left + 0.415 * w, top + 0.19 * h), letter(700, 0.066 * w, INK)));
    draws.extend(e.text(
        "Verified buyer",
        (left + 0.425 * w, top + 0.335 * h),
        letter(500, 0.044 * w, QUIET),
    ));
    draws.extend(e.text("“Absolutely love it!”", (0.0, 0.08 * h), letter(600, 0.078 * w, INK)));
    let card = e.content(draws);
    let shiny = rounded_star((0.0, 0.0), 0.048 * w);
    let shiny = e.content(vec![fill(shiny, accent)]);
    let enter = |tick: f64| {
        let u = ramp(tick, 15.0);
        let ease = motions::ease_out(u);
        Pose { opacity: u, ..Pose::of(Affine::translate((0.0, 20.0 * (1.0 - ease)))) }
    };
    let mut parts = vec![Part::new(card, enter)];
    parts.extend((0..STARS).map(|i| {
        let at = Vec2::new((i as f64 - 2.0) * 0.115 * w, 0.31 * h);
        Part::new(shiny.clone(), popping(at, 12.0 + 3.0 * i as f64))
    }));
    parts
}

pub(super) fn quote_bubble(e: &mut Easel<'_, '_>) -> Vec<Part> {
    let m = e.side;
    let (main, marks) = (e.main(0x6366f1), e.second(0xffffff));
    let mut bubble = card((0.0, -0.06 * m), (0.88 * m, 0.62 * m), 0.13 * m);
    bubble.extend(super::forms::polygon([(-0.24 * m, 0.2 * m), (0.02 * m, 0.2 * m), (-0.27 * m, 0.42 * m)]));
    let mut draws =
        with_shadow(vec![fill_with(bubble, downwards(tint(main, 0.16), shade(main, 0.06), 0.8 * m))], m);
    for x in [-0.12, 0.13] {
        draws.push(fill(quotation_mark(x * m, m), marks));
    }
    vec![Part::new(e.content(draws), motions::lively)]
}

/// One opening quotation mark, a drop and its hook, a fifth of `m` wide.
pub(super) fn quotation_mark(x: f64, m: f64) -> BezPath {
    let mut path = circle((x, 0.0), 0.085 * m);
    let mut hook = BezPath::new();
    hook.move_to((x - 0.085 * m, 0.0));
    hook.curve_to((x - 0.09 * m, -0.12 * m), (x - 0.02 * m, -0.19 * m), (x + 0.06 * m, -0.2 * m));
    hook.line_to((x + 0.07 * m, -0.15 * m));
    hook.curve_to((x + 0.02 * m, -0.14 * m), (x - 0.02 * m, -0.1 * m), (x - 0.01 * m, 0.0));
    hook.close_path();
    path.extend(hook);
    path
}

pub(super) fn verified_badge(e: &mut Easel<'_, '_>) -> Vec<Part> {
    let m = e.side;
    let (main, check) = (e.main(0x1d9bf0), e.second(0xffffff));
    let seal = fill_with(scalloped(10, 0.45 * m), downwards(tint(main, 0.12), shade(main, 0.06), 0.9 * m));
    let seal = e.content(with_shadow(vec![seal], m));
    let mut tick = BezPath::new();
    tick.move_to((-0.19 * m, 0.01 * m));
    tick.line_to((-0.06 * m, 0.14 * m));
    tick.line_to((0.2 * m, -0.14 * m));
    let tick = e.content(vec![fill(round_line(&tick, 0.085 * m), check)]);
    vec![Part::new(seal, motions::lively), Part::new(tick, popping(Vec2::ZERO, 8.0))]
}

pub(super) fn thumbs_up(e: &mut Easel<'_, '_>) -> Vec<Part> {
    let m = e.side;
    let (main, hand) = (e.main(0x2563eb), e.second(0xffffff));
    let disc =
        fill_with(circle((0.0, 0.0), 0.45 * m), downwards(tint(main, 0.18), shade(main, 0.08), 0.9 * m));
    let disc = e.content(with_shadow(vec![disc], m));
    let data = "M-18 -2L-8 -2L-8 22L-18 22Z M-5 -1C0 -5 3 -12 4 -20C5 -24 12 -23 12 -16C12 -11 10 -7 10 -4L20 -4C25 -4 26 2 22 3.5C26 5 25 10 21 11C24 13 22 17 18.5 17.5C20.5 20 18 22 15 22L2 22C-1 22 -3 21 -5 20Z";
    let path = rondo_css::parse_svg_path(data).unwrap_or_default();
    let path = Affine::scale(0.0112 * m) * Affine::translate((-2.0, 0.0)) * path;
    let thumb = e.content(vec![fill(path, hand)]);
    let nodding = |tick: f64| {
        let base = motions::lively(tick);
        let nod = if tick.rem_euclid(75.0) < 30.0 {
            0.22 * libm::sin(std::f64::consts::TAU * tick.rem_euclid(75.0) / 30.0)
        } else {
            0.0
        };
        Pose { transform: base.transform * rotation(-nod).into(), ..base }
    };
    vec![Part::new(disc, motions::lively), Part::new(thumb, nodding)]
}
