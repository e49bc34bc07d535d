//! Rotations of the plane with sines that are the same on every platform; `kurbo` takes those of the platform.

use kurbo::{Affine, Point};

/// A rotation by an angle in radians about the origin, clockwise on a screen.
pub fn rotation(angle: f64) -> Affine {
    let (sin, cos) = libm::sincos(angle);
    Affine::new([cos, sin, -sin, cos, 0.0, 0.0])
}

/// [`rotation`] about a point.
pub fn rotation_about(angle: f64, center: impl Into<Point>) -> Affine {
    let center = center.into().to_vec2();
    Affine::translate(center) * rotation(angle) * Affine::translate(-center)
}
