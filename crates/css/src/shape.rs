//! `clip-path` shapes.

use kurbo::{BezPath, Rect, Vec2};

use crate::{BorderRadius, Context, CssError, Edges, Extent, Length, Position};

#[derive(Clone, Debug, PartialEq)]
pub enum ClipPath {
    Inset { edges: Edges<Length>, round: Option<BorderRadius> },
    Circle { radius: Result<Length, Extent>, position: Position },
    Ellipse { radii: [Result<Length, Extent>; 2], position: Position },
    Polygon { fill_rule: FillRule, points: Vec<(Length, Length)> },
    Path { fill_rule: FillRule, path: BezPath },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FillRule {
    NonZero,
    EvenOdd,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ResolvedShape {
    Rect(Rect),
    /// Corner radii (horizontal, vertical), clockwise from the top left, reduced to fit.
    RoundedRect(Rect, [Vec2; 4]),
    Path(BezPath, FillRule),
}

impl ClipPath {
    /// `None` for `none`.
    pub fn parse(value: &str) -> Result<Option<Self>, CssError> {
        todo!()
    }

    /// For a reference box of this size whose top left corner is the origin.
    pub fn resolve(&self, width: f64, height: f64, context: &Context) -> ResolvedShape {
        todo!()
    }
}

