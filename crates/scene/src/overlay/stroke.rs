//! The line along the outlines of letters: what `WebkitTextStroke` and `paintOrder` ask for.

use rondo_css::{Color, ColorValue, Context, Length, TextStroke, stroke_below_fill};

use crate::prepare::Prepare;

/// The fields of an overlay's styles that describe the line.
#[derive(Clone, Copy, Default)]
pub(crate) struct StrokeFields<'a> {
    pub shorthand: Option<&'a str>,
    pub width: Option<&'a str>,
    pub color: Option<&'a str>,
    pub paint_order: Option<&'a str>,
}

/// The line before the font size is known.
#[derive(Clone, Debug)]
pub(crate) struct StrokeStyle {
    width: Length,
    color: ColorValue,
    below: bool,
}

/// The line in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stroke {
    pub width: f64,
    pub color: Color,
    /// Below the fill of the letters instead of over it.
    pub below: bool,
}

/// Wider lines than any canvas are not worth their outlines.
const WIDEST: f64 = 4096.0;

impl StrokeStyle {
    /// `None` without a width.
    pub fn read(fields: StrokeFields<'_>, p: &mut Prepare<'_>) -> Option<Self> {
        let both = p.read("styles.WebkitTextStroke", fields.shorthand, TextStroke::parse).unwrap_or_default();
        let width = p.read("styles.WebkitTextStrokeWidth", fields.width, TextStroke::parse_width);
        let color = p.read("styles.WebkitTextStrokeColor", fields.color, ColorValue::parse);
        let below = p.read("styles.paintOrder", fields.paint_order, stroke_below_fill).unwrap_or(false);
        let width = width.or(both.width)?;
        Some(Self { width, color: color.or(both.color).unwrap_or(ColorValue::CURRENT), below })
    }

    /// `css` holds the size and colour of the text. `None` where the line has no width.
    pub fn resolve(&self, css: &Context) -> Option<Stroke> {
        let width = self.width.resolve(css, 0.0).min(WIDEST);
        (width > 0.0).then(|| Stroke { width, color: self.color.resolve(css), below: self.below })
    }
}

impl Stroke {
    /// How far the line may reach beyond the outlines: its corners are cut off at four times its width.
    pub fn reach(&self) -> f64 {
        2.0 * self.width + 1.0
    }

    /// The colour of decoration lines that have none of their own, on text filled with `fill`.
    pub fn line_color(stroke: Option<&Self>, fill: Color) -> Color {
        stroke.map(|stroke| stroke.color).filter(|color| !color.is_transparent()).unwrap_or(fill)
    }
}
