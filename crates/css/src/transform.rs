//! `transform` and `transform-origin`.

use kurbo::Point;

use crate::{Context, CssError, Length};

/// Applied right to left, as written in CSS.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transform(pub Vec<TransformFunction>);

/// Angles in degrees.
#[derive(Clone, Debug, PartialEq)]
pub enum TransformFunction {
    Translate { x: Length, y: Length, z: Length },
    Scale { x: f64, y: f64, z: f64 },
    /// About an axis.
    Rotate { axis: [f64; 3], angle: f64 },
    Skew { x: f64, y: f64 },
    /// `None` is `perspective(none)`.
    Perspective(Option<Length>),
    Matrix(Matrix4),
}

/// Row-major, for column vectors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Matrix4(pub [f64; 16]);

#[derive(Clone, Debug, PartialEq)]
pub struct TransformOrigin {
    pub x: Length,
    pub y: Length,
    pub z: Length,
}

impl Transform {
    pub fn parse(value: &str) -> Result<Self, CssError> {
        todo!()
    }

    /// About the origin of coordinates; percentages are of the box.
    pub fn matrix(&self, width: f64, height: f64, context: &Context) -> Matrix4 {
        todo!()
    }
}

impl TransformOrigin {
    pub fn parse(value: &str) -> Result<Self, CssError> {
        todo!()
    }

    pub fn resolve(&self, width: f64, height: f64, context: &Context) -> [f64; 3] {
        todo!()
    }
}

impl Matrix4 {
    pub const IDENTITY: Matrix4 =
        Matrix4([1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0]);

    /// Applies `other` first.
    pub fn multiply(&self, other: &Matrix4) -> Matrix4 {
        todo!()
    }

    /// The same transform about another origin.
    pub fn about(&self, origin: [f64; 3]) -> Matrix4 {
        todo!()
    }

    /// What it does to the plane z = 0: a 3×3 homography, row-major.
    pub fn flatten(&self) -> [f64; 9] {
        todo!()
    }

    /// [`Matrix4::about`] a point of the plane, flattened.
    pub fn homography(&self, origin: Point) -> [f64; 9] {
        todo!()
    }
}
