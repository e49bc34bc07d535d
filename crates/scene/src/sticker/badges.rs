//! Stickers that announce a discount.

use std::f64::consts::{PI, TAU};

use kurbo::{Affine, BezPath, Point, Vec2};
use rondo_css::{Color, rotation, rotation_about};

use super::easel::{Easel, Lettering, Part, Pose};
use super::forms::{
    card, circle, downwards, fill, fill_with, line, polygon, rgb, shade, star, tint, with_shadow,
};
use super::motions::{self, ENTER, ramp, wave};

const HEAVY: Lettering = Lettering { family: "Inter", weight: 900, size: 0.0, color: Color::WHITE };

/// A ring broken into dashes.
fn dashes(radius: f64, count: usize, width: f64, color: Color) -> crate::display::Draw {
    let step = PI * 2.0 * radius / count as f64;
    let ring = circle((0.0, 0.0), radius);
    if step <= 0.0 {
        return line(ring, width, color);
    }
    let path: BezPath = kurbo::dash(ring.iter(), 0.0, &[0.6 * step, 0.4 * step]).collect();
    line(path, width, color)
}

pub(super) fn discount_circle(e: &mut Easel<'_, '_>) -> Vec<Part> {
    let m = e.side;
    let (main, dark) = (e.main(0x3b82f6), e.second(0x1e40af));
    let radius = 0.45 * m;
    let disc = vec![fill_with(
        circle((0.0, 0.0), radius),
        downwards(tint(main, 0.12), shade(main, 0.08), 2.0 * radius),
    )];
    let entering = |tick: f64| {
        let u = ramp(tick, ENTER);
        Pose::of(rotation(-PI * (1.0 - u)) * Affine::scale(u))
    };
    let disc = e.content(with_shadow(disc, m));
    let ring = e.content(vec![dashes(0.405 * m, 28, 0.014 * m, Color::WHITE.faded(0.3))]);
    let (w, h) = (0.47 * m, 0.105 * m);
    let tail = |side: f64| {
        polygon([
            (side * 0.33 * m, -0.6 * h),
            (side * (w + 0.02 * m), -0.6 * h),
            (side * (w - 0.05 * m), 0.5 * h),
            (side * (w + 0.02 * m), 1.6 * h),
            (side * 0.33 * m, 1.6 * h),
        ])
    };
    let mut ribbon = vec![fill(tail(-1.0), shade(dark, 0.3)), fill(tail(1.0), shade(dark, 0.3))];
    ribbon.push(fill(card((0.0, 0.0), (0.8 * m, 2.0 * h), 0.012 * m), dark));
    let at = Vec2::new(0.0, 0.16 * m);
    let ribbon = e.content(with_shadow(ribbon, 0.5 * m));
    let off = e.text("OFF", (0.0, 0.0), Lettering { size: 0.15 * m, ..HEAVY });
    let off = e.content(off);
    let percent = e.text("50%", (0.0, 0.0), Lettering { size: 0.25 * m, ..HEAVY });
    let percent = e.content(percent);
    let bobbing = move |tick: f64| {
        let entered = entering(tick);
        let bob = Affine::translate(at + Vec2::new(0.0, 2.0 * wave(tick, 60.0)));
        Pose::of(entered.transform * bob.into())
    };
    let lettered = move |tick: f64| {
        let size = Affine::translate((0.0, -0.11 * m)) * Affine::scale(1.0 + 0.1 * wave(tick, 60.0));
        Pose::of(entering(tick).transform * size.into())
    };
    let circling = move |tick: f64| Pose::of(entering(tick).transform * rotation(TAU * tick / 50.0).into());
    vec![
        Part::new(disc, entering),
        Part::new(ring, circling),
        Part::new(ribbon, bobbing),
        Part::new(off, bobbing),
        Part::new(percent, lettered),
    ]
}

/// A seal with a scalloped edge.
fn seal(points: usize, outer: f64, inner: f64) -> BezPath {
    let mut path = BezPath::new();
    let at = |i: usize, radius: f64| {
        let (sin, cos) = libm::sincos(PI * i as f64 / points as f64);
        Point::new(radius * sin, -radius * cos)
    };
    path.move_to(at(2 * points - 1, inner));
    for i in 0..points {
        path.quad_to(at(2 * i, 2.0 * outer - inner), at(2 * i + 1, inner));
    }
    path.close_path();
    path
}

pub(super) fn scalloped(points: usize, radius: f64) -> BezPath {
    seal(points, radius, 0.9 * radius)
}

pub(super) fn discount_badge(e: &mut Easel<'_, '_>) -> Vec<Part> {
    let m = e.side;
    let (main, edge) = (e.main(0xef4444), e.second(0xffffff));
    let body = vec![
        fill_with(scalloped(18, 0.46 * m), downwards(tint(main, 0.1), shade(main, 0.14), 0.9 * m)),
        line(circle((0.0, 0.0), 0.37 * m), 0.012 * m, edge.faded(0.85)),
    ];
    let mut draws = with_shadow(body, m);
    draws.extend(e.text("50%", (0.0, -0.07 * m), Lettering { size: 0.27 * m, ..HEAVY }));
    draws.extend(e.text("OFF", (0.0, 0.16 * m), Lettering { size: 0.14 * m, ..HEAVY }));
    vec![Part::new(e.content(draws), motions::lively)]
}

pub(super) fn discount_ribbon(e: &mut Easel<'_, '_>) -> Vec<Part> {
    let w = e.size.width.min(3.0 * e.size.height) * 0.96;
    let h = (w * 0.2).min(e.size.height * 0.5);
    let (main, dark) = (e.main(0xe11d48), e.second(0x9f1239));
    let end = |side: f64| {
        polygon([
            (side * 0.36 * w, -0.3 * h),
            (side * 0.5 * w, -0.3 * h),
            (side * 0.45 * w, 0.2 * h),
            (side * 0.5 * w, 0.7 * h),
            (side * 0.36 * w, 0.7 * h),
        ])
    };
    let fold = |side: f64| {
        polygon([(side * 0.36 * w, 0.5 * h), (side * 0.42 * w, 0.5 * h), (side * 0.36 * w, 0.7 * h)])
    };
    let mut body: Vec<_> = [-1.0, 1.0].iter().map(|&s| fill(end(s), dark)).collect();
    body.extend([-1.0, 1.0].iter().map(|&s| fill(fold(s), shade(dark, 0.4))));
    let band = card((0.0, 0.0), (0.84 * w, h), 0.0);
    body.push(fill_with(band, downwards(tint(main, 0.1), shade(main, 0.06), h)));
    for y in [-0.4, 0.4] {
        body.push(fill(card((0.0, y * h), (0.8 * w, 0.025 * h), 0.0), Color::WHITE.faded(0.55)));
    }
    let mut draws = with_shadow(body, h * 2.0);
    draws.extend(e.text("SALE 50% OFF", (0.0, 0.0), Lettering { size: (0.47 * h).min(0.098 * w), ..HEAVY }));
    let unrolling = move |tick: f64| {
        let u = motions::spring_in(tick, ENTER).max(0.0);
        let sway = 0.012 * libm::sin(TAU * tick / 75.0);
        Pose {
            opacity: ramp(tick, 5.0),
            ..Pose::of(rotation(sway) * Affine::scale_non_uniform(u.max(0.02), 0.6 + 0.4 * u.min(1.0)))
        }
    };
    vec![Part::new(e.content(draws), unrolling)]
}

pub(super) fn discount_tag(e: &mut Easel<'_, '_>) -> Vec<Part> {
    let m = e.side;
    let (main, edge) = (e.main(0xf59e0b), e.second(0xffffff));
    let tag = |grow: f64| {
        let (w, h) = (0.42 * m + grow, 0.2 * m + grow);
        polygon([(-w, 0.0), (-w + h * 0.95, -h), (w, -h), (w, h), (-w + h * 0.95, h)])
    };
    let hole = Point::new(-0.29 * m, 0.0);
    let mut shape = tag(0.0);
    shape.extend(circle(hole, 0.035 * m).reverse_subpaths());
    let body = vec![
        fill_with(shape, downwards(tint(main, 0.14), shade(main, 0.08), 0.4 * m)),
        line(circle(hole, 0.042 * m), 0.014 * m, shade(main, 0.35)),
        line(tag(-0.03 * m), 0.008 * m, edge.faded(0.7)),
    ];
    let mut draws = with_shadow(body, m);
    draws.extend(e.text("-50%", (0.08 * m, 0.0), Lettering { size: 0.19 * m, ..HEAVY }));
    let swinging = move |tick: f64| {
        let angle = 0.13 * libm::sin(TAU * tick / 60.0);
        let swing = rotation_about(angle, hole);
        let entered = motions::spring_in(tick, ENTER).max(0.0);
        Pose { opacity: ramp(tick, 5.0), ..Pose::of(swing * Affine::scale(entered)) }
    };
    vec![Part::new(e.content(draws), swinging)]
}

pub(super) fn sale_burst(e: &mut Easel<'_, '_>) -> Vec<Part> {
    let m = e.side;
    let (main, under) = (e.main(0xef4444), e.second(0xfacc15));
    let entered = |tick: f64| Affine::scale(motions::spring_in(tick, ENTER).max(0.0));
    let rays = e.content(with_shadow(vec![fill(star((0.0, 0.0), 16, 0.49 * m, 0.38 * m), under)], m));
    let body = fill_with(
        star((0.0, 0.0), 16, 0.42 * m, 0.335 * m),
        downwards(tint(main, 0.12), shade(main, 0.1), 0.85 * m),
    );
    let body = e.content(vec![body]);
    let letters = e.text("SALE", (0.0, 0.0), Lettering { size: 0.22 * m, ..HEAVY });
    let letters = e.content(letters);
    vec![
        Part::new(rays, move |t| Pose::of(entered(t) * rotation(TAU * t / 360.0))),
        Part::new(body, move |t| Pose::of(entered(t) * rotation(PI / 16.0 - TAU * t / 480.0))),
        Part::new(letters, move |t| {
            Pose::of(entered(t) * rotation(-0.14) * Affine::scale(1.0 + 0.08 * wave(t, 45.0)))
        }),
    ]
}

pub(super) fn limited_offer(e: &mut Easel<'_, '_>) -> Vec<Part> {
    let w = e.size.width.min(3.6 * e.size.height) * 0.94;
    let h = w / 4.2;
    let (main, light) = (e.main(0x111827), e.second(0xfbbf24));
    let mut draws = with_shadow(
        vec![
            fill_with(card((0.0, 0.0), (w, h), h / 2.0), downwards(tint(main, 0.14), main, h)),
            line(card((0.0, 0.0), (w - 0.08 * h, 0.92 * h), 0.46 * h), 0.03 * h, light),
        ],
        h * 2.0,
    );
    let clock = Point::new(-w / 2.0 + 0.56 * h, 0.0);
    draws.push(fill(circle(clock, 0.3 * h), light));
    draws.push(fill(circle(clock, 0.235 * h), tint(light, 0.85)));
    draws.extend(e.text(
        "LIMITED OFFER",
        (0.36 * h, 0.0),
        Lettering { size: 0.088 * w, weight: 800, ..HEAVY },
    ));
    let hand = |length: f64, width: f64| {
        let path = card((0.0, -length / 2.0), (width, length), width / 2.0);
        vec![fill(path, rgb(0x111827))]
    };
    let (long, short) = (e.content(hand(0.19 * h, 0.03 * h)), e.content(hand(0.12 * h, 0.036 * h)));
    let plate = e.content(draws);
    let base = |tick: f64| motions::lively(tick).transform;
    let turning = move |period: f64| {
        move |tick: f64| {
            let hand = Affine::translate(clock.to_vec2()) * rotation(TAU * tick / period);
            Pose { opacity: ramp(tick, 5.0), ..Pose::of(base(tick) * hand.into()) }
        }
    };
    vec![Part::new(plate, motions::lively), Part::new(short, turning(720.0)), Part::new(long, turning(60.0))]
}
