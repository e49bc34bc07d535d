//! Poses of a picture in space.

use kurbo::Size;

use super::{Property, Property::*, flatten};
use crate::Homography;

/// A pose: transform functions in CSS order. All but the perspective fade away when the pose settles.
struct Layout {
    name: &'static str,
    chain: &'static [(Property, f64)],
}

const fn row(name: &'static str, chain: &'static [(Property, f64)]) -> Layout {
    Layout { name, chain }
}

#[rustfmt::skip]
const LAYOUTS: &[Layout] = &[
    row("tilt-up", &[(Perspective, 1000.0), (RotateX, -20.0)]),
    row("tilt-down", &[(Perspective, 1000.0), (RotateX, 20.0)]),
    row("card-left", &[(Perspective, 800.0), (RotateY, -25.0), (RotateX, 10.0), (Z, 20.0), (Scale, 1.01)]),
    row("card-right", &[(Perspective, 800.0), (RotateY, 25.0), (RotateX, 10.0), (Z, 20.0), (Scale, 1.01)]),
    row("book", &[(Perspective, 1200.0), (RotateY, -45.0), (RotateX, 15.0), (Z, 30.0), (Scale, 1.01)]),
    row("floating", &[(Perspective, 1000.0), (Z, 50.0), (RotateX, -5.0), (RotateY, 10.0), (Scale, 1.02)]),
    row("billboard", &[(Perspective, 1500.0), (RotateX, -30.0), (Z, 40.0), (Scale, 1.02)]),
    row("skewed", &[(Perspective, 600.0), (RotateY, -35.0), (RotateX, 25.0), (SkewX, -5.0)]),
];

/// Names of the poses.
pub fn names() -> impl Iterator<Item = &'static str> {
    LAYOUTS.iter().map(|l| l.name)
}

/// The pose called `name` about the centre of the box; `None` for `none` and for names that do not exist.
/// `entered` is the progress of the entrance for a pose that settles, 0 for one that stays.
pub fn layout(name: &str, entered: f64, size: Size) -> Option<Homography> {
    let layout = LAYOUTS.iter().find(|l| l.name == name)?;
    let left = (1.0 - entered) * (1.0 - entered) * (1.0 - entered);
    let chain = layout.chain.iter().map(|&(property, value)| match property {
        Perspective => (property, value),
        _ => (property, property.rest() + (value - property.rest()) * left),
    });
    Some(flatten(chain, size, size.to_rect().center()))
}
