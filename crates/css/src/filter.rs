//! `filter` lists, their reduction to three kinds, and the filter presets.

use kurbo::Vec2;

use crate::{Color, Context, CssError, Length, Shadow};

#[derive(Clone, Debug, PartialEq)]
pub enum FilterFunction {
    Blur(Length),
    Brightness(f64),
    Contrast(f64),
    DropShadow(Shadow),
    Grayscale(f64),
    /// Degrees.
    HueRotate(f64),
    Invert(f64),
    Opacity(f64),
    Saturate(f64),
    Sepia(f64),
}

/// What every filter function comes down to.
#[derive(Clone, Debug, PartialEq)]
pub enum ResolvedFilter {
    /// Gaussian, same deviation both ways, in pixels.
    Blur { sigma: f64 },
    /// Rows for r, g, b, a; columns r, g, b, a, constant; on unpremultiplied sRGB in 0..1, clamped after.
    Matrix(Box<[f32; 20]>),
    DropShadow { offset: Vec2, sigma: f64, color: Color },
}

/// A named look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FilterPreset {
    pub id: &'static str,
    pub css: &'static str,
}

pub const FILTER_PRESETS: &[FilterPreset] = &[FilterPreset { id: "none", css: "none" }];

/// A CSS filter list or the id of a preset; `none` is an empty list.
pub fn parse_filters(value: &str) -> Result<Vec<FilterFunction>, CssError> {
    todo!()
}

/// In order; functions that change nothing are left out.
pub fn resolve_filters(filters: &[FilterFunction], context: &Context) -> Vec<ResolvedFilter> {
    todo!()
}
