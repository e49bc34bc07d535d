//! Where underline, overline and line-through go.

use crate::layout::FaceMetrics;

/// Decoration lines relative to the baseline of a line, y down; each is `thickness` high.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decorations {
    pub thickness: f32,
    /// Tops.
    pub underline: f32,
    pub line_through: f32,
    pub overline: f32,
}

impl Decorations {
    pub fn new(metrics: FaceMetrics, size: f32) -> Self {
        let thickness = (size / 10.0).floor().max(1.0);
        let ascent = metrics.ascent;
        Self {
            thickness,
            underline: (size / 20.0).ceil(),
            line_through: (-ascent + 2.0 * ascent / 3.0 - (thickness / 2.0).floor()).round(),
            overline: -ascent - thickness,
        }
    }
}
