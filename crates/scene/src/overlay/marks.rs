//! Laid-out text as draws: glyphs, decoration lines and text shadows, and the lengths that set text.

use std::sync::Arc;

use kurbo::{BezPath, Point, Rect, Shape};
use rondo_css::{Color, Context, Length, ResolvedShadow};
use rondo_text::{Decorations, TextLayout};

use super::decoration::{DecorationLine, LineKind};
use crate::boxes::BoxStyle;
use crate::display::*;
use crate::outlines::fill_path;
use crate::prepare::Prepare;

/// Glyphs and decoration lines of a layout at a place.
pub(crate) struct Marks<'a> {
    pub layout: &'a TextLayout,
    pub origin: Point,
    /// Whether baselines lie on whole pixels of the layer's own space, as Chromium sets text before any transform.
    pub snaps: bool,
    pub decoration: &'a [DecorationLine],
}

impl Marks<'_> {
    /// Glyphs in `paint`, decoration lines in their own colour or, where they have none, in `line_color`.
    pub fn draw(&self, paint: &Paint, line_color: Color, draws: &mut Vec<Draw>) {
        self.draw_in(paint, |own| Paint::Solid(own.unwrap_or(line_color)), draws);
    }

    fn draw_in(&self, paint: &Paint, line_paint: impl Fn(Option<Color>) -> Paint, draws: &mut Vec<Draw>) {
        let visible = |p: &Paint| !matches!(p, Paint::Solid(c) if c.is_transparent());
        let lines = |over: bool, draws: &mut Vec<Draw>| {
            for kind in self.decoration.iter().filter(|d| (d.kind == LineKind::LineThrough) == over) {
                let paint = line_paint(kind.color);
                if visible(&paint) {
                    draws.extend(self.decoration_line(kind, &paint));
                }
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

    /// A decoration under, over or through every line; underlines leave room for what hangs below the baseline.
    fn decoration_line(&self, decoration: &DecorationLine, paint: &Paint) -> Vec<Draw> {
        let size = f64::from(self.layout.size);
        let at = Decorations::new(self.layout.metrics, self.layout.size);
        let thickness = decoration.thickness(size, f64::from(at.thickness));
        let top = match decoration.kind {
            LineKind::Underline => f64::from(at.underline),
            LineKind::Overline => f64::from(at.overline) + f64::from(at.thickness) - thickness,
            LineKind::LineThrough => {
                f64::from(at.line_through) + (f64::from(at.thickness) / 2.0).floor()
                    - (thickness / 2.0).floor()
            }
        };
        let mut draws = Vec::new();
        for line in self.layout.lines.iter().filter(|line| line.width > 0.0) {
            let x = self.origin.x + f64::from(line.left);
            let y = self.baseline(line) + top;
            let rect = Rect::new(x, y, x + f64::from(line.width), y + thickness);
            let draw = fill_path(decoration.path(rect), FillRule::NonZero, paint.clone());
            // Waves and second lines reach further than the line itself.
            let reach = rect.inset((0.0, 4.0 * thickness.max(2.0)));
            let shown = self.beside_ink(line, decoration.kind, top as f32, rect, reach);
            draws.push(Draw::Group {
                draws: vec![draw],
                filters: Vec::new(),
                clip: Some(shown),
                opacity: 1.0,
            });
        }
        draws
    }

    /// `area` less what the glyphs crossing an underline take up, and as much again beside them as the line is high.
    fn beside_ink(
        &self,
        line: &rondo_text::Line,
        kind: LineKind,
        top: f32,
        rect: Rect,
        area: Rect,
    ) -> Outline {
        let beside = rect.height().min(MOST_ROOM_BESIDE_INK);
        let mut free = vec![(area.x0, area.x1)];
        let crossing = line.runs.iter().filter(|_| kind != LineKind::LineThrough).flat_map(|run| {
            let x = self.origin.x + f64::from(run.x);
            let ink = run.glyphs.ink_between(top, top + rect.height() as f32);
            ink.into_iter().map(move |[a, b]| (x + f64::from(a) - beside, x + f64::from(b) + beside))
        });
        for (from, to) in crossing {
            free = free
                .into_iter()
                .flat_map(|(a, b)| [(a, b.min(from)), (a.max(to), b)])
                .filter(|(a, b)| b > a)
                .collect();
        }
        let mut path = BezPath::new();
        for (a, b) in free {
            path.extend(Rect::new(a, area.y0, b, area.y1).to_path(0.1));
        }
        Outline::Path(Arc::new(path), FillRule::NonZero)
    }

    /// The marks in one colour, moved and blurred.
    pub fn shadow(&self, shadow: &ResolvedShadow) -> Option<Draw> {
        if shadow.color.is_transparent() {
            return None;
        }
        let moved = Marks { origin: self.origin + shadow.offset, ..*self };
        let mut draws = Vec::new();
        let paint = Paint::Solid(shadow.color);
        moved.draw_in(&paint, |_| paint.clone(), &mut draws);
        let filters =
            if shadow.sigma > 0.0 { vec![Filter::Blur { sigma: shadow.sigma }] } else { Vec::new() };
        Some(Draw::Group { draws, filters, clip: None, opacity: 1.0 })
    }

    /// The background as seen through glyphs and decoration lines.
    pub fn draw_clipped(&self, under: &BoxStyle, rect: Rect, css: &Context, draws: &mut Vec<Draw>) {
        let mut fills = Vec::new();
        under.draw_under(rect, css, &mut fills);
        for fill in fills {
            if let Draw::Fill { paint, .. } = fill {
                self.draw_in(&paint, |_| paint.clone(), draws);
            }
        }
    }
}

/// However thick an underline is, glyphs keep no more than this free beside them.
const MOST_ROOM_BESIDE_INK: f64 = 13.0;

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
