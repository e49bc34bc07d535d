//! Chains of CSS transform functions and their flattening into a plane-to-plane map.

use kurbo::{Point, Size};
use rondo_css::Matrix4;

use crate::Homography;

/// A transform function without its argument: lengths are in pixels, percentages of the box, angles in degrees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Property {
    Perspective,
    X,
    Y,
    Z,
    XPercent,
    YPercent,
    Scale,
    ScaleX,
    ScaleY,
    Rotate,
    RotateX,
    RotateY,
    SkewX,
    SkewY,
}

impl Property {
    /// The argument that changes nothing.
    pub(super) fn rest(self) -> f64 {
        matches!(self, Self::Scale | Self::ScaleX | Self::ScaleY).into()
    }

    fn matrix(self, v: f64, size: Size) -> Matrix4 {
        let mut matrix = Matrix4::IDENTITY;
        let m = &mut matrix.0;
        let (sin, cos) = libm::sincos(v.to_radians());
        let turn = |m: &mut [f64; 16], a: usize, b: usize| {
            (m[a * 4 + a], m[a * 4 + b], m[b * 4 + a], m[b * 4 + b]) = (cos, -sin, sin, cos);
        };
        match self {
            Self::Rotate => turn(m, 0, 1),
            Self::RotateX => turn(m, 1, 2),
            Self::RotateY => turn(m, 2, 0),
            Self::Perspective => m[14] = -1.0 / v.max(1.0),
            Self::X => m[3] = v,
            Self::Y => m[7] = v,
            Self::Z => m[11] = v,
            Self::XPercent => m[3] = v / 100.0 * size.width,
            Self::YPercent => m[7] = v / 100.0 * size.height,
            Self::Scale => (m[0], m[5]) = (v, v),
            Self::ScaleX => m[0] = v,
            Self::ScaleY => m[5] = v,
            Self::SkewX => m[1] = libm::tan(v.to_radians()),
            Self::SkewY => m[4] = libm::tan(v.to_radians()),
        }
        matrix
    }
}

/// What a chain of transform functions, written left to right as in CSS, does to the plane of the box. `size` is the
/// box that percentages refer to, `origin` the transform origin in box coordinates.
pub fn flatten(chain: impl IntoIterator<Item = (Property, f64)>, size: Size, origin: Point) -> Homography {
    let matrix = chain
        .into_iter()
        .fold(Matrix4::IDENTITY, |m, (property, value)| m.multiply(&property.matrix(value, size)));
    Homography(matrix.homography(origin))
}
