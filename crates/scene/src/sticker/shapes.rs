//! Stickers that are one moving shape.

use kurbo::{Affine, BezPath, Rect, Shape as _};
use rondo_css::rotation;

use super::easel::{Easel, Part, Pose};
use super::forms::{card, circle, fill, line, polygon, star};
use super::motions;

/// One row of the registry.
pub(super) struct Shape {
    pub name: &'static str,
    color: u32,
    /// In a box from −1 to 1.
    path: fn() -> BezPath,
    /// Drawn as a frame this many pixels wide instead of filled.
    border: Option<f64>,
    motion: fn(f64) -> Pose,
}

/// The part of the shorter side a shape takes, so that it stays inside its box when it grows.
const ROOM: f64 = 0.8;

const fn row(name: &'static str, color: u32, path: fn() -> BezPath, motion: fn(f64) -> Pose) -> Shape {
    Shape { name, color, path, border: None, motion }
}

fn regular(sides: usize) -> BezPath {
    let turn = std::f64::consts::TAU / sides as f64;
    let tilt = if sides.is_multiple_of(2) { turn / 2.0 } else { 0.0 };
    polygon((0..sides).map(|i| {
        let (sin, cos) = libm::sincos(tilt + turn * i as f64);
        (sin, -cos)
    }))
}

#[rustfmt::skip]
pub(super) const SHAPES: &[Shape] = &[
    row("pulsing-circle", 0xff4081, || circle((0.0, 0.0), 1.0), motions::pulsing),
    Shape { border: Some(10.0), ..row("spinning-square", 0x2196f3, || card((0.0, 0.0), (1.4, 1.4), 0.0), motions::spinning) },
    row("bouncing-triangle", 0x4caf50, || polygon([(0.0, -0.87), (1.0, 0.87), (-1.0, 0.87)]), motions::bouncing),
    row("expanding-hexagon", 0x9c27b0, || rotation(std::f64::consts::FRAC_PI_6) * regular(6), motions::expanding),
    row("morphing-star", 0xffc107, || star((0.0, 0.05), 5, 1.0, 0.4), motions::rest),
    row("rotating-octagon", 0x009688, || regular(8), motions::rotating),
    row("zigzag-diamond", 0x673ab7, || polygon([(0.0, -1.0), (0.8, 0.0), (0.0, 1.0), (-0.8, 0.0)]), motions::zigzag),
    row("flashing-pentagon", 0xe91e63, || regular(5), motions::flashing),
];

pub(super) fn parts(shape: &Shape, easel: &mut Easel<'_, '_>) -> Vec<Part> {
    let path = Affine::scale(ROOM / 2.0 * easel.side) * (shape.path)();
    let color = easel.main(shape.color);
    let mut draws = match shape.border {
        None => vec![fill(path.clone(), color)],
        Some(width) => {
            let inside: Rect = path.bounding_box().inset(-width / 2.0);
            vec![line(inside.to_path(1e-3), width, color)]
        }
    };
    draws.extend(easel.outline(&path));
    vec![Part::new(easel.content(draws), shape.motion)]
}
