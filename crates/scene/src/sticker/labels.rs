//! Stickers that advertise: sales, news and what is popular.

use std::f64::consts::TAU;
use std::sync::Arc;

use kurbo::{Affine, BezPath, Point, Rect, Vec2};
use rondo_css::{Color, rotation, rotation_about};

use super::easel::{Easel, Lettering, Part, Pose};
use super::forms::{
    card, circle, clipped, downwards, drawing, fill, fill_with, grown, line, polygon, rgb, rightwards, shade,
    tint, with_shadow,
};
use super::motions::{self, ENTER, ease_in_out, every, ramp, spring_in, wave};
use super::pointers::bolt;
use crate::display::Content;

const HEAVY: Lettering = Lettering { family: "Inter", weight: 900, size: 0.0, color: Color::WHITE };

/// A gleam that runs over a plate every few seconds.
fn gleam(plate: BezPath, width: f64, height: f64, room: Rect) -> impl Fn(f64) -> Arc<Content> + Send + Sync {
    move |tick| {
        let part = every(tick - ENTER, 75.0, 22.0);
        if part <= 0.0 {
            return Arc::new(Content::new(room, Vec::new()));
        }
        let (half, lean) = (0.22 * height, 0.3 * height);
        let x = (ease_in_out(part) - 0.5) * (width + 2.0 * (half + lean));
        let band = polygon([
            (x - half + lean, -height),
            (x + half + lean, -height),
            (x + half - lean, height),
            (x - half - lean, height),
        ]);
        let band = fill(band, Color::WHITE.faded(0.28));
        Arc::new(Content::new(room, vec![clipped(vec![band], plate.clone())]))
    }
}

pub(super) fn flash_sale(e: &mut Easel<'_, '_>) -> Vec<Part> {
    let wide = e.size.width > 1.9 * e.size.height;
    let (main, light) = (e.main(0xef233c), e.second(0xffd60a));
    let (w, h) = if wide {
        let h = (0.62 * e.size.height).min(0.2 * e.size.width);
        (4.35 * h, h)
    } else {
        let w = 0.84 * e.side;
        (w, 0.58 * w)
    };
    let room = e.room();
    let plate = card((0.0, 0.0), (w, h), 0.14 * h);
    let under = card((0.045 * h, 0.06 * h), (w, h), 0.14 * h);
    let mut body = with_shadow(
        vec![fill(under, light), fill_with(plate.clone(), downwards(tint(main, 0.12), shade(main, 0.14), h))],
        1.2 * h,
    );
    let (bolt_size, bolt_at) =
        if wide { (0.62 * h, -0.5 * w + 0.24 * h) } else { (0.44 * h, -0.5 * w + 0.05 * h) };
    if wide {
        body.extend(e.text("FLASH SALE", (0.3 * h, 0.0), Lettering { size: 0.54 * h, ..HEAVY }));
    } else {
        let size = 0.35 * h;
        body.extend(e.text("FLASH", (0.16 * h, -0.2 * h), Lettering { size, ..HEAVY }));
        body.extend(e.text(
            "SALE",
            (0.16 * h, 0.21 * h),
            Lettering { size: 1.16 * size, color: light, ..HEAVY },
        ));
    }
    let body = e.content(body);
    let path = bolt(bolt_size);
    let flash = vec![
        fill(grown(&path, 0.16 * h), shade(main, 0.45)),
        fill_with(grown(&path, 0.05 * h), downwards(tint(light, 0.4), light, 1.6 * bolt_size)),
    ];
    let flash = e.content(with_shadow(flash, h));
    // Leaning forward, as if fast.
    let lean = Affine::skew(-0.16, 0.0);
    let entering = move |tick: f64| {
        let late = 1.0 - spring_in(tick, ENTER);
        let beat = 1.0 + 0.03 * wave(tick - ENTER, 45.0) * ramp(tick - ENTER, 10.0);
        let at = Affine::translate((-0.35 * w * late, 0.0)) * lean * Affine::scale(beat);
        Pose { opacity: ramp(tick, 6.0), ..Pose::of(at) }
    };
    let striking = move |tick: f64| {
        let since = tick - 8.0;
        let size = spring_in(since, 12.0).max(0.0) * (1.0 + 0.12 * wave(tick, 22.5));
        let at = Affine::translate((bolt_at, 0.0)) * rotation(0.16) * Affine::scale(size);
        let opacity = if since <= 0.0 { 0.0 } else { 1.0 };
        Pose { opacity, transform: entering(tick).transform * at.into() }
    };
    vec![
        Part::new(body, entering),
        Part::played(gleam(plate, w, h, room), entering),
        Part::new(flash, striking),
    ]
}

pub(super) fn sale_tag(e: &mut Easel<'_, '_>) -> Vec<Part> {
    let m = e.side;
    let (main, edge) = (e.main(0xe11d48), e.second(0xffffff));
    let (w, top, bottom) = (0.27 * m, -0.25 * m, 0.46 * m);
    let nail = Point::new(0.0, -0.45 * m);
    let hole = Point::new(0.0, top + 0.085 * m);
    // Round corners: a smaller tag with a thick round outline.
    let by = 0.035 * m;
    let tag = grown(
        &polygon([
            (-0.12 * m, top + by),
            (0.12 * m, top + by),
            (w - by, top + 0.17 * m),
            (w - by, bottom - by),
            (by - w, bottom - by),
            (by - w, top + 0.17 * m),
        ]),
        2.0 * by,
    );
    let mut string = BezPath::new();
    string.move_to(nail);
    string.curve_to((-0.07 * m, nail.y + 0.1 * m), (-0.05 * m, hole.y - 0.04 * m), (hole.x, hole.y));
    string.curve_to((0.05 * m, hole.y - 0.04 * m), (0.07 * m, nail.y + 0.1 * m), (nail.x, nail.y));
    let mut body =
        with_shadow(vec![fill_with(tag, downwards(tint(main, 0.16), shade(main, 0.12), 0.8 * m))], 0.9 * m);
    body.push(fill(circle(hole, 0.055 * m), edge));
    body.push(fill(circle(hole, 0.032 * m), shade(main, 0.5)));
    body.push(line(string, 0.014 * m, rgb(0xa8754a)));
    body.push(fill(circle(nail, 0.022 * m), rgb(0x8a5a33)));
    body.extend(e.text("%", (0.0, 0.05 * m), Lettering { size: 0.25 * m, color: edge, ..HEAVY }));
    body.extend(e.text("SALE", (0.0, 0.3 * m), Lettering { size: 0.155 * m, color: edge, ..HEAVY }));
    let body = e.content(body);
    let swinging = move |tick: f64| {
        // A wide swing that settles to a gentle one.
        let wide = 0.11 + 0.2 * libm::exp(-tick / 22.0);
        let swing = rotation_about(wide * libm::cos(TAU * tick / 54.0), nail);
        let drop = Affine::translate((0.0, -0.2 * m * (1.0 - spring_in(tick, ENTER))));
        Pose { opacity: ramp(tick, 5.0), ..Pose::of(drop * swing) }
    };
    vec![Part::new(body, swinging)]
}

/// A four-pointed sparkle.
fn sparkle(radius: f64) -> BezPath {
    drawing(
        "M0 -10C1.2 -2.6 2.6 -1.2 10 0C2.6 1.2 1.2 2.6 0 10C-1.2 2.6 -2.6 1.2 -10 0C-2.6 -1.2 -1.2 -2.6 0 -10Z",
        radius / 10.0,
    )
}

pub(super) fn new_badge(e: &mut Easel<'_, '_>) -> Vec<Part> {
    let w = (0.86 * e.size.width).min(1.9 * e.size.height);
    let h = 0.46 * w;
    let (main, end) = (e.main(0x7c3aed), e.second(0x2563eb));
    let room = e.room();
    let plate = card((0.0, 0.0), (w, h), 0.5 * h);
    let mut body = vec![fill_with(plate.clone(), rightwards(tint(main, 0.08), end, w))];
    body.push(line(
        card((0.0, 0.0), (w - 0.12 * h, 0.88 * h), 0.44 * h),
        0.022 * h,
        Color::WHITE.faded(0.45),
    ));
    let mut body = with_shadow(body, 1.3 * h);
    body.extend(e.text("NEW", (0.0, 0.0), Lettering { size: 0.54 * h, ..HEAVY }));
    let body = e.content(body);
    let mut parts =
        vec![Part::new(body, motions::lively), Part::played(gleam(plate, w, h, room), motions::lively)];
    for (x, y, size, delay) in [(0.43, -0.46, 0.24, 10.0), (-0.46, 0.4, 0.18, 22.0), (0.49, 0.22, 0.12, 34.0)]
    {
        let star = e.content(with_shadow(vec![fill(sparkle(size * h), rgb(0xfde047))], 0.6 * h));
        parts.push(Part::new(star, move |tick| {
            let shine = wave((tick - delay).max(0.0), 48.0);
            let at = Affine::translate((x * w, y * h)) * rotation(0.4 * shine) * Affine::scale(shine);
            Pose { opacity: if shine > 0.0 { 1.0 } else { 0.0 }, ..Pose::of(at) }
        }));
    }
    parts
}

const FLAME: &str = "M1 -30C4 -18 19 -11 19 8C19 20 10 28 0 28C-10 28 -19 20 -19 8C-19 -1 -14 -6 -11 -12C-9 -6 -7 -4 -4 -3C-6 -13 -4 -23 1 -30Z";
const CORE: &str = "M0 1C5 7 10 11 10 18C10 24 6 28 0 28C-6 28 -10 24 -10 18C-10 12 -4 9 0 1Z";

pub(super) fn hot_badge(e: &mut Easel<'_, '_>) -> Vec<Part> {
    let w = (0.9 * e.size.width).min(1.75 * e.size.height);
    let h = 0.44 * w;
    let (main, end) = (e.main(0xf97316), e.second(0xdc2626));
    let room = e.room();
    let plate = card((0.06 * w, 0.06 * h), (0.88 * w, 0.82 * h), 0.41 * h);
    let body = vec![fill_with(plate.clone(), rightwards(end, main, w))];
    let mut body = with_shadow(body, 1.3 * h);
    body.extend(e.text("HOT", (0.165 * w, 0.06 * h), Lettering { size: 0.47 * h, ..HEAVY }));
    let body = e.content(body);
    let unit = 0.0182 * h;
    let path = drawing(FLAME, unit);
    let flame = vec![
        fill(grown(&path, 0.1 * h), Color::WHITE),
        fill_with(path, downwards(rgb(0xfb923c), rgb(0xdc2626), 1.1 * h)),
    ];
    let flame = e.content(with_shadow(flame, h));
    let core = fill_with(drawing(CORE, unit), downwards(rgb(0xfef08a), rgb(0xfbbf24), h));
    let core = e.content(vec![core]);
    // Flickers from its foot.
    let foot = Vec2::new(-0.3 * w, 28.0 * unit);
    let burning = move |speed: f64, much: f64| {
        move |tick: f64| {
            let tall =
                1.0 + much * (0.6 * libm::sin(tick * speed) + 0.4 * libm::sin(tick * speed * 1.7 + 1.0));
            let lean = Affine::skew(0.5 * much * libm::sin(tick * speed * 0.6), 0.0);
            let base = Affine::translate((0.0, -28.0 * unit));
            let at = Affine::translate(foot) * lean * Affine::scale_non_uniform(1.0, tall) * base;
            let entered = motions::lively(tick);
            Pose { transform: entered.transform * at.into(), ..entered }
        }
    };
    vec![
        Part::new(body, motions::lively),
        Part::played(gleam(plate, w, h, room), motions::lively),
        Part::new(flame, burning(0.33, 0.06)),
        Part::new(core, burning(0.47, 0.12)),
    ]
}
