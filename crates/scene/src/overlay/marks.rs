//! Laid-out text as draws: glyphs, decoration lines and text shadows, and the lengths that set text.

use kurbo::{Affine, Point, Rect};
use rondo_css::{Color, Context, Length, ResolvedShadow};
use rondo_text::{Decorations, TextLayout};

use super::Prepare;
use crate::boxes::BoxStyle;
use crate::display::*;

/// Glyphs and decoration lines of a layout at a place.
pub(crate) struct Marks<'a> {
    pub layout: &'a TextLayout,
    pub origin: Point,
    pub snaps: bool,
    pub decoration: &'a [DecorationLine],
}

impl Marks<'_> {
    /// Glyphs in `paint`, decoration lines in `line_color`.
    pub fn draw(&self, paint: &Paint, line_color: Color, draws: &mut Vec<Draw>) {
        let visible = |p: &Paint| !matches!(p, Paint::Solid(c) if c.is_transparent());
        let lines = |over: bool, draws: &mut Vec<Draw>| {
            for kind in self.decoration.iter().filter(|d| (**d == DecorationLine::LineThrough) == over) {
                draws.extend(self.decoration_line(*kind, &Paint::Solid(line_color)));
            }
        };
        lines(false, draws);
        if visible(paint) {
            for line in &self.layout.lines {
                let baseline = self.baseline(line);
                for run in &line.runs {
                    let origin = Point::new(self.origin.x + f64::from(run.x), baseline);
                    draws.push(Draw::Glyphs { run: run.glyphs.clone(), origin, paint: paint.clone() });
                }
            }
        }
        lines(true, draws);
    }

    fn baseline(&self, line: &rondo_text::Line) -> f64 {
        let exact = self.origin.y + f64::from(line.baseline);
        if self.snaps { exact.round() } else { exact }
    }

    fn decoration_line(&self, kind: DecorationLine, paint: &Paint) -> Vec<Draw> {
        let at = Decorations::new(self.layout.metrics, self.layout.size);
        let top = f64::from(match kind {
            DecorationLine::Underline => at.underline,
            DecorationLine::Overline => at.overline,
            DecorationLine::LineThrough => at.line_through,
        });
        self.layout
            .lines
            .iter()
            .filter(|line| line.width > 0.0)
            .map(|line| {
                let x = self.origin.x + f64::from(line.left);
                let y = self.baseline(line) + top;
                let rect = Rect::new(x, y, x + f64::from(line.width), y + f64::from(at.thickness));
                Draw::Fill { outline: Outline::Rect(rect), transform: Affine::IDENTITY, paint: paint.clone() }
            })
            .collect()
    }

    /// The marks in one colour, moved and blurred.
    pub fn shadow(&self, shadow: &ResolvedShadow) -> Option<Draw> {
        if shadow.color.is_transparent() {
            return None;
        }
        let moved = Marks { origin: self.origin + shadow.offset, ..*self };
        let mut draws = Vec::new();
        moved.draw(&Paint::Solid(shadow.color), shadow.color, &mut draws);
        let filters =
            if shadow.sigma > 0.0 { vec![Filter::Blur { sigma: shadow.sigma }] } else { Vec::new() };
        Some(Draw::Group { draws, filters, clip: None, opacity: 1.0 })
    }

    /// The background as seen through the glyphs.
    pub fn draw_clipped(&self, under: &BoxStyle, rect: Rect, css: &Context, draws: &mut Vec<Draw>) {
        let mut fills = Vec::new();
        under.draw_under(rect, css, &mut fills);
        for fill in fills {
            if let Draw::Fill { paint, .. } = fill {
                self.draw(&paint, Color::TRANSPARENT, draws);
            }
        }
    }
}

/// The lines of a `text-decoration` value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DecorationLine {
    Underline,
    Overline,
    LineThrough,
}

pub(crate) fn decoration_lines(value: &str) -> Vec<DecorationLine> {
    value
        .split_whitespace()
        .filter_map(|word| match word.to_ascii_lowercase().as_str() {
            "underline" => Some(DecorationLine::Underline),
            "overline" => Some(DecorationLine::Overline),
            "line-through" => Some(DecorationLine::LineThrough),
            _ => None,
        })
        .collect()
}

/// `letterSpacing` of an overlay's styles; none when absent.
pub(crate) fn letter_spacing(value: Option<&str>, css: Context, p: &mut Prepare<'_>) -> rondo_text::Length {
    value
        .filter(|v| v.trim() != "normal")
        .and_then(|v| p.read("styles.letterSpacing", Some(v), Length::parse_px))
        .map_or(rondo_text::Length::ZERO, |l| two_part(&l, css, 0.0))
}

/// A CSS length as pixels plus ems, found by resolving it at two font sizes: lengths are linear in it.
pub(crate) fn two_part(length: &Length, css: Context, percent_base: f64) -> rondo_text::Length {
    let at = |font_size: f64| length.resolve(&Context { font_size, ..css }, percent_base);
    let px = at(0.0);
    rondo_text::Length { px: px as f32, em: (at(1.0) - px) as f32 }
}
