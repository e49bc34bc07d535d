//! The few pictures all particles of an effect share, drawn around their origin.

use std::sync::Arc;

use kurbo::{Affine, BezPath, Circle, Point, Rect, Shape as _, Vec2};
use rondo_css::{Color, rotation};

use super::Palette;
use crate::display::*;

/// Degrees rain leans.
pub const SLANT: f64 = 8.0;
/// Diameters in vmin bubbles are drawn at, and the largest diameter each serves.
pub const BUBBLES: [(f64, f64); 3] = [(2.6, 3.2), (4.0, 4.8), (6.0, f64::INFINITY)];

const fn rgb(hex: u32) -> Color {
    Color::new(
        ((hex >> 16) & 255) as f32 / 255.0,
        ((hex >> 8) & 255) as f32 / 255.0,
        (hex & 255) as f32 / 255.0,
        1.0,
    )
}

/// Diameter in vmin, colour and visibility of near and far flakes.
const FLAKES: [(f64, Color, f32); 3] =
    [(1.0, rgb(0xffffff), 0.9), (2.0, rgb(0xe0e7ff), 0.9), (4.0, rgb(0xc7d2fe), 0.3)];

const CONFETTI: [Color; 8] = [
    rgb(0xff6b6b),
    rgb(0xffd93d),
    rgb(0x6bcb77),
    rgb(0x4d96ff),
    rgb(0xc084fc),
    rgb(0xff8fa3),
    rgb(0x36d399),
    rgb(0xfbbd23),
];

/// How light soft discs are from their centre to their edge.
const SOFT: [(f32, f32); 5] = [(0.0, 1.0), (0.3, 0.92), (0.55, 0.6), (0.8, 0.18), (1.0, 0.0)];
/// The light around a firefly.
const GLOW: [(f32, f32); 6] = [(0.0, 0.62), (0.2, 0.5), (0.4, 0.26), (0.6, 0.1), (0.8, 0.025), (1.0, 0.0)];

fn disc(center: Point, radius: f64, paint: Paint) -> Draw {
    let path = Circle::new(center, radius).to_path(1e-3);
    Draw::Fill {
        outline: Outline::Path(Arc::new(path), FillRule::NonZero),
        transform: Affine::IDENTITY,
        paint,
    }
}

/// A disc that fades towards its edge.
fn soft_disc(radius: f64, color: Color, falloff: &[(f32, f32)]) -> Draw {
    let stops = falloff.iter().map(|&(offset, a)| Stop { offset, color: color.faded(a) }).collect();
    let kind = GradientKind::Radial { center: Point::ORIGIN, radii: Vec2::new(radius, radius) };
    disc(Point::ORIGIN, radius, Paint::Gradient(Arc::new(Gradient { kind, stops, repeat: false })))
}

fn content(reach: f64, draws: Vec<Draw>) -> Content {
    Content::new(Rect::ZERO.inset(reach + 1.0), draws)
}

pub fn snow(p: &Palette) -> Vec<Content> {
    let flake = |&(diameter, color, alpha): &(f64, Color, f32)| {
        let radius = diameter / 2.0 * p.unit;
        content(radius, vec![soft_disc(radius, p.color.unwrap_or(color).faded(alpha), &SOFT)])
    };
    FLAKES.iter().map(flake).collect()
}

/// Front and back of a piece of each colour; the back is in shadow.
pub fn confetti(p: &Palette) -> Vec<Content> {
    let colors = match p.color {
        None => CONFETTI.to_vec(),
        // One hue in four shades.
        Some(color) => [-0.1, -0.03, 0.04, 0.1]
            .iter()
            .map(|shade| {
                let oklch = color.to_oklch();
                let l = (oklch.l + shade).clamp(0.0, 1.0);
                Color::from_oklch(rondo_css::Oklch { l, ..oklch }, color.a)
            })
            .collect(),
    };
    let (w, h) = (3.0 * p.unit, 1.8 * p.unit);
    let radius = 0.15 * h;
    let piece = |color: Color| {
        let rect = Rect::from_center_size(Point::ORIGIN, (w, h));
        let outline = Outline::RoundedRect(rect, [Vec2::new(radius, radius); 4]);
        let draw = Draw::Fill { outline, transform: Affine::IDENTITY, paint: Paint::Solid(color) };
        Content::new(rect.inset(1.0), vec![draw])
    };
    let shaded = |c: Color| c.mix_srgb(Color::new(0.0, 0.0, 0.0, c.a), 0.22);
    colors.iter().flat_map(|&color| [piece(color), piece(shaded(color))]).collect()
}

/// Streaks far, midway and near, their heads at the origin.
pub fn rain(p: &Palette) -> Vec<Content> {
    const DROP: Color = Color::new(174.0 / 255.0, 194.0 / 255.0, 224.0 / 255.0, 0.55);
    let color = p.color.unwrap_or(DROP);
    let streak = |(size, alpha): (f64, f32)| {
        let (length, half) = (2.2 * p.unit * size, 0.075 * p.unit * size);
        let (sin, cos) = libm::sincos(SLANT.to_radians());
        let tail = Point::new(-length * sin, -length * cos);
        let across = Vec2::new(cos, -sin) * half.max(0.5);
        let mut path = BezPath::new();
        path.move_to(tail + across * 0.4);
        path.line_to(Point::ORIGIN + across);
        path.line_to(Point::ORIGIN - across);
        path.line_to(tail - across * 0.4);
        path.close_path();
        let stop = |offset, a| Stop { offset, color: color.faded(a) };
        let gradient = Gradient {
            kind: GradientKind::Linear { start: tail, end: Point::ORIGIN },
            stops: vec![stop(0.0, 0.05 * alpha), stop(0.75, alpha), stop(1.0, alpha)],
            repeat: false,
        };
        let bounds = path.bounding_box().inset(1.0);
        let paint = Paint::Gradient(Arc::new(gradient));
        let outline = Outline::Path(Arc::new(path), FillRule::NonZero);
        Content::new(bounds, vec![Draw::Fill { outline, transform: Affine::IDENTITY, paint }])
    };
    [(0.8, 0.65), (1.15, 0.9), (1.6, 1.0)].map(streak).into()
}

pub fn fireflies(p: &Palette) -> Vec<Content> {
    let color = p.color.unwrap_or(rgb(0xccff00));
    let (core, glow) = (0.5 * p.unit, 4.0 * p.unit);
    let bright = color.mix_srgb(Color::new(1.0, 1.0, 1.0, color.a), 0.55);
    let draws = vec![
        soft_disc(glow, color, &GLOW),
        disc(Point::ORIGIN, core, Paint::Solid(color)),
        soft_disc(core, bright, &SOFT),
    ];
    vec![content(glow, draws)]
}

/// A star of four thin rays with a light around its middle.
pub fn sparkles(p: &Palette) -> Vec<Content> {
    let color = p.color.unwrap_or(rgb(0xfff6d5));
    let ray = 1.5 * p.unit;
    let waist = 0.04 * ray;
    let mut path = BezPath::new();
    path.move_to((0.0, -ray));
    for (tip, near) in [
        ((ray, 0.0), (waist, -waist)),
        ((0.0, ray), (waist, waist)),
        ((-ray, 0.0), (-waist, waist)),
        ((0.0, -ray), (-waist, -waist)),
    ] {
        path.quad_to(near, tip);
    }
    path.close_path();
    let star = Draw::Fill {
        outline: Outline::Path(Arc::new(path), FillRule::NonZero),
        transform: Affine::IDENTITY,
        paint: Paint::Solid(color),
    };
    let middle = color.mix_srgb(Color::new(1.0, 1.0, 1.0, color.a), 0.6);
    let draws = vec![soft_disc(0.8 * ray, color, &GLOW), star, soft_disc(0.22 * ray, middle, &SOFT)];
    vec![content(ray, draws)]
}

/// A rim, a breath of colour, a light from above and its echo below.
pub fn bubbles(p: &Palette) -> Vec<Content> {
    let color = p.color.unwrap_or(Color::WHITE);
    let bubble = |(diameter, _): (f64, f64)| {
        let radius = diameter / 2.0 * p.unit;
        let rim = 0.2 * p.unit;
        let stops = [(0.0, 0.06), (0.7, 0.12), (1.0, 0.26)];
        let body = soft_disc(radius, color, &stops);
        let ring = Draw::Stroke {
            path: Arc::new(Circle::new(Point::ORIGIN, radius - rim / 2.0).to_path(1e-3)),
            transform: Affine::IDENTITY,
            width: rim,
            paint: Paint::Solid(color.faded(0.55)),
        };
        let shine = |x: f64, y: f64, size: f64, alpha: f32, turn: f64| {
            let at = Affine::translate((x * radius, y * radius))
                * rotation(turn)
                * Affine::scale_non_uniform(1.0, 0.6);
            let dot = Circle::new(Point::ORIGIN, size * radius).to_path(1e-3);
            Draw::Fill {
                outline: Outline::Path(Arc::new(dot), FillRule::NonZero),
                transform: at,
                paint: Paint::Solid(color.faded(alpha)),
            }
        };
        let turn = -std::f64::consts::FRAC_PI_4;
        let draws =
            vec![body, ring, shine(-0.42, -0.45, 0.22, 0.85, turn), shine(0.45, 0.5, 0.12, 0.35, turn)];
        content(radius, draws)
    };
    BUBBLES.map(bubble).into()
}
