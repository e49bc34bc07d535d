//! Borders, corner radii and padding.

use kurbo::Vec2;

use crate::{Color, ColorValue, Context, CssError, Length};

/// One line for all four sides.
#[derive(Clone, Debug, PartialEq)]
pub struct Border {
    pub width: Length,
    pub style: BorderStyle,
    pub color: ColorValue,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BorderStyle {
    None,
    Hidden,
    Solid,
    Dashed,
    Dotted,
    Double,
    Groove,
    Ridge,
    Inset,
    Outset,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResolvedBorder {
    /// Whole pixels, as browsers draw them: a fraction is dropped, but a border that exists is at least 1 px.
    pub width: f64,
    pub style: BorderStyle,
    pub color: Color,
}

/// Corner radii (horizontal, vertical), clockwise from the top left.
#[derive(Clone, Debug, PartialEq)]
pub struct BorderRadius(pub [(Length, Length); 4]);

/// A value for each side: padding, insets.
#[derive(Clone, Debug, PartialEq)]
pub struct Edges<T> {
    pub top: T,
    pub right: T,
    pub bottom: T,
    pub left: T,
}

impl Border {
    pub fn parse(value: &str) -> Result<Self, CssError> {
        todo!()
    }

    pub fn resolve(&self, context: &Context) -> ResolvedBorder {
        todo!()
    }
}

impl BorderRadius {
    pub fn parse(value: &str) -> Result<Self, CssError> {
        todo!()
    }

    /// Radii for a box of this size, reduced together so that neighbours do not overlap.
    pub fn resolve(&self, width: f64, height: f64, context: &Context) -> [Vec2; 4] {
        todo!()
    }
}

impl Edges<Length> {
    /// `padding`: one to four lengths, none below 0.
    pub fn parse_padding(value: &str) -> Result<Self, CssError> {
        todo!()
    }

    /// Percentages are of the containing box's width on all sides.
    pub fn resolve(&self, context: &Context, width: f64) -> Edges<f64> {
        todo!()
    }
}
