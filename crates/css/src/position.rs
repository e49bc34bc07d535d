//! `object-position`, `background-position` and the `at` of gradients and shapes.

use kurbo::{Point, Size};

use crate::{Context, CssError, Length};

#[derive(Clone, Debug, PartialEq)]
pub struct Position {
    pub x: AxisPosition,
    pub y: AxisPosition,
}

/// An offset from one of the two edges.
#[derive(Clone, Debug, PartialEq)]
pub struct AxisPosition {
    /// Measured from the right or bottom edge instead of the left or top.
    pub from_end: bool,
    pub offset: Length,
}

impl Position {
    pub fn parse(value: &str) -> Result<Self, CssError> {
        todo!()
    }

    /// `free` is what percentages refer to: the box for a point in it, the box less the object for an object in it.
    pub fn resolve(&self, free: Size, context: &Context) -> Point {
        todo!()
    }
}
