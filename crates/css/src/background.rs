//! The `background` shorthand: layers of gradients over a colour.

use kurbo::{Rect, Vec2};

use crate::{ColorValue, Context, CssError, Gradient, Length, Position};

#[derive(Clone, Debug, PartialEq)]
pub struct Background {
    /// Front to back.
    pub layers: Vec<BackgroundLayer>,
    /// Beneath all layers.
    pub color: Option<ColorValue>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct BackgroundLayer {
    pub gradient: Gradient,
    pub position: Position,
    pub size: BackgroundSize,
    /// Horizontally and vertically.
    pub repeat: [Repeat; 2],
    pub origin: BackgroundBox,
    pub clip: BackgroundBox,
}

#[derive(Clone, Debug, PartialEq)]
pub enum BackgroundSize {
    /// `cover` and `contain` mean the same for gradients.
    Auto,
    /// `None` is `auto`.
    Lengths([Option<Length>; 2]),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeat {
    Repeat,
    NoRepeat,
    Space,
    Round,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BackgroundBox {
    Border,
    Padding,
    Content,
    Text,
}

/// Where a layer's picture lies in its box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TilePlan {
    /// One tile; the gradient is resolved for its size.
    pub tile: Rect,
    /// Distance to the next tile on each axis; 0 where the tile is not repeated.
    pub step: Vec2,
}

impl Background {
    pub fn parse(value: &str) -> Result<Self, CssError> {
        todo!()
    }
}

impl BackgroundLayer {
    /// For a box of this size whose top left corner is the origin; `None` when nothing of the layer shows.
    pub fn tiles(&self, width: f64, height: f64, context: &Context) -> Option<TilePlan> {
        todo!()
    }
}
