//! `box-shadow` and `text-shadow` lists.

use kurbo::Vec2;

use crate::{Color, ColorValue, Context, CssError, Length};

#[derive(Clone, Debug, PartialEq)]
pub struct Shadow {
    pub x: Length,
    pub y: Length,
    pub blur: Length,
    /// Box shadows only.
    pub spread: Length,
    pub color: ColorValue,
    /// Box shadows only.
    pub inset: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResolvedShadow {
    pub offset: Vec2,
    /// Deviation of the Gaussian: half the blur radius.
    pub sigma: f64,
    pub spread: f64,
    pub color: Color,
    pub inset: bool,
}

/// Front to back; `none` is an empty list.
pub fn parse_box_shadows(value: &str) -> Result<Vec<Shadow>, CssError> {
    todo!()
}

/// Front to back; `none` is an empty list.
pub fn parse_text_shadows(value: &str) -> Result<Vec<Shadow>, CssError> {
    todo!()
}

impl Shadow {
    pub fn resolve(&self, context: &Context) -> ResolvedShadow {
        todo!()
    }
}
