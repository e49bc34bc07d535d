//! Laid-out text as draws: glyphs, decoration lines and text shadows, and the lengths that set text.

use std::sync::Arc;

use kurbo::{BezPath, Point, Rect, Shape};
use rondo_css::{Color, Context, Length, ResolvedShadow};
use rondo_text::{Decorations, Line, TextLayout};
use unicode_segmentation::UnicodeSegmentation;

use super::apart::apart;
use super::decoration::{DecorationLine, LineKind};
use super::stroke::Stroke;
use crate::boxes::{BoxStyle, shadow_reach};
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
    pub stroke: Option<Stroke>,
}

/// What is painted of a line of text at once.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    /// Underline and overline.
    LinesBelow,
    Fill,
    Stroke,
    LineThrough,
}

/// The paints of the passes.
struct Paints<'a> {
    fill: &'a Paint,
    stroke: &'a Paint,
    /// Of a decoration line, by its own colour.
    line: &'a dyn Fn(Option<Color>) -> Paint,
}

impl Marks<'_> {
    /// Glyphs in `paint`, their stroke, and decoration lines in their own colour or, where they have none, in
    /// `line_color`.
    pub fn draw(&self, paint: &Paint, line_color: Color, draws: &mut Vec<Draw>) {
        self.draw_shadowed(&[], paint, line_color, draws);
    }

    /// As [`Marks::draw`], over shadows. Line by line, and of each line pass by pass, every pass covers what was painted
    /// before it, its own shadows first: the shadow of a line falls on the letters of the line before. Strokes cast none.
    pub fn draw_shadowed(
        &self,
        shadows: &[ResolvedShadow],
        paint: &Paint,
        line_color: Color,
        draws: &mut Vec<Draw>,
    ) {
        let stroke = Paint::Solid(self.stroke.map_or(Color::TRANSPARENT, |stroke| stroke.color));
        let line_paint = |own: Option<Color>| Paint::Solid(own.unwrap_or(line_color));
        let paints = Paints { fill: paint, stroke: &stroke, line: &line_paint };
        for line in &self.layout.lines {
            for pass in self.passes() {
                let area = (pass == Pass::Fill).then(|| self.ink(line));
                for shadow in shadows.iter().rev().filter(|_| pass != Pass::Stroke) {
                    draws.extend(self.shadow_of(shadow, area, |moved, paints, draws| {
                        moved.pass(line, pass, paints, draws);
                    }));
                }
                self.pass(line, pass, &paints, draws);
            }
        }
    }

    fn passes(&self) -> [Pass; 4] {
        match self.stroke {
            Some(Stroke { below: true, .. }) => {
                [Pass::LinesBelow, Pass::Stroke, Pass::Fill, Pass::LineThrough]
            }
            _ => [Pass::LinesBelow, Pass::Fill, Pass::Stroke, Pass::LineThrough],
        }
    }

    fn pass(&self, line: &Line, pass: Pass, paints: &Paints<'_>, draws: &mut Vec<Draw>) {
        let visible = |p: &Paint| !matches!(p, Paint::Solid(c) if c.is_transparent());
        let runs = |line: &Line| {
            let baseline = self.baseline(line);
            line.runs
                .iter()
                .map(move |run| (run.glyphs.clone(), Point::new(self.origin.x + f64::from(run.x), baseline)))
                .collect::<Vec<_>>()
        };
        match (pass, self.stroke) {
            (Pass::Fill, _) if visible(paints.fill) => {
                let paint = paints.fill;
                draws.extend(runs(line).into_iter().map(|(run, origin)| Draw::Glyphs {
                    run,
                    origin,
                    paint: paint.clone(),
                }));
            }
            (Pass::Stroke, Some(stroke)) if visible(paints.stroke) => {
                let (width, paint) = (stroke.width, paints.stroke);
                draws.extend(runs(line).into_iter().map(|(run, origin)| Draw::GlyphStroke {
                    run,
                    origin,
                    width,
                    paint: paint.clone(),
                }));
            }
            (Pass::LinesBelow | Pass::LineThrough, _) => {
                let through = pass == Pass::LineThrough;
                for kind in self.decoration.iter().filter(|d| (d.kind == LineKind::LineThrough) == through) {
                    let paint = (paints.line)(kind.color);
                    if visible(&paint) {
                        draws.extend(self.decoration_line(line, kind, &paint));
                    }
                }
            }
            _ => {}
        }
    }

    fn baseline(&self, line: &Line) -> f64 {
        let exact = self.origin.y + f64::from(line.baseline);
        if self.snaps { exact.round() } else { exact }
    }

    /// What the glyphs of a line may touch, generously.
    fn ink(&self, line: &Line) -> Rect {
        let (x, y) = (self.origin.x + f64::from(line.left), self.baseline(line));
        let (ascent, descent) =
            (f64::from(self.layout.metrics.ascent), f64::from(self.layout.metrics.descent));
        let right = self.origin.x + f64::from(line.right());
        Rect::new(x, y - ascent, right, y + descent).inset(f64::from(self.layout.size))
    }

    /// A decoration under, over or through a line and the spaces at its end; underlines leave room for what hangs below the
    /// baseline.
    fn decoration_line(&self, line: &Line, decoration: &DecorationLine, paint: &Paint) -> Option<Draw> {
        if line.right() <= line.left {
            return None;
        }
        let size = f64::from(self.layout.size);
        let at = Decorations::new(self.layout.metrics, self.layout.size);
        let thickness = decoration.thickness(size, f64::from(at.thickness));
        let top = match decoration.kind {
            LineKind::Underline if decoration.is_given() => (thickness / 2.0).ceil(),
            LineKind::Underline => f64::from(at.underline),
            LineKind::Overline => f64::from(at.overline) + f64::from(at.thickness) - thickness,
            LineKind::LineThrough => {
                f64::from(at.line_through) + (f64::from(at.thickness) / 2.0).floor()
                    - (thickness / 2.0).floor()
            }
        };
        let x = self.origin.x + f64::from(line.left);
        let y = self.baseline(line) + top;
        let rect = Rect::new(x, y, self.origin.x + f64::from(line.right()), y + thickness);
        let draw = fill_path(decoration.path(rect, size), FillRule::NonZero, paint.clone());
        // Waves and second lines reach further than the line itself.
        let reach = rect.inset((decoration.beside(), 4.0 * thickness.max(2.0)));
        let shown = self.beside_ink(line, decoration.kind, top as f32, rect, reach);
        Some(Draw::Group { draws: vec![draw], filters: Vec::new(), clip: Some(shown), opacity: 1.0 })
    }

    /// `area` less what the glyphs crossing an underline take up, and as much again beside them as the line is high.
    fn beside_ink(&self, line: &Line, kind: LineKind, top: f32, rect: Rect, area: Rect) -> Outline {
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
    pub fn shadow(&self, shadow: &ResolvedShadow) -> Vec<Draw> {
        self.shadow_of(shadow, None, |moved, paints, draws| {
            for line in &moved.layout.lines {
                for pass in [Pass::LinesBelow, Pass::Fill, Pass::LineThrough] {
                    moved.pass(line, pass, paints, draws);
                }
            }
        })
    }

    /// What `draw` draws, moved and blurred. What it draws is inside `area`, if that is given.
    fn shadow_of(
        &self,
        shadow: &ResolvedShadow,
        area: Option<Rect>,
        draw: impl Fn(&Marks<'_>, &Paints<'_>, &mut Vec<Draw>),
    ) -> Vec<Draw> {
        if shadow.color.is_transparent() {
            return Vec::new();
        }
        let moved = Marks { origin: self.origin + shadow.offset, ..*self };
        let paint = Paint::Solid(shadow.color);
        let mut draws = Vec::new();
        draw(&moved, &Paints { fill: &paint, stroke: &paint, line: &|_| paint.clone() }, &mut draws);
        if draws.is_empty() {
            return Vec::new();
        }
        let clip = area.map(|area| Outline::Rect(area.inset(shadow_reach(shadow)).expand()));
        let group = |draws, filters| Draw::Group { draws, filters, clip: clip.clone(), opacity: 1.0 };
        if shadow.sigma <= 0.0 {
            return vec![group(draws, Vec::new())];
        }
        let blur = || vec![Filter::Blur { sigma: shadow.sigma }];
        apart(draws, shadow.sigma).into_iter().map(|draws| group(draws, blur())).collect()
    }

    /// The background as seen through glyphs, their stroke and decoration lines.
    pub fn draw_clipped(&self, under: &BoxStyle, rect: Rect, css: &Context, draws: &mut Vec<Draw>) {
        let mut fills = Vec::new();
        under.draw_under(rect, css, &mut fills);
        let see = |paint: &Paint, seen: &mut Vec<Draw>| {
            let paints = Paints { fill: paint, stroke: paint, line: &|_| paint.clone() };
            for line in &self.layout.lines {
                self.passes().into_iter().for_each(|pass| self.pass(line, pass, &paints, seen));
            }
        };
        let mut seen = Vec::new();
        match fills.as_slice() {
            [] => {}
            // One colour or gradient over the whole box is the paint of the letters.
            [Draw::Fill { paint, .. }] => see(paint, &mut seen),
            _ => {
                let mut mask = Vec::new();
                see(&Paint::Solid(Color::BLACK), &mut mask);
                seen.push(Draw::Masked { draws: fills, mask });
            }
        }
        if self.stroke.is_some() {
            // Wide strokes reach out of the box that has the background.
            let clip = Some(Outline::Rect(rect));
            seen = vec![Draw::Group { draws: seen, filters: Vec::new(), clip, opacity: 1.0 }];
        }
        draws.append(&mut seen);
    }
}

/// However thick an underline is, glyphs keep no more than this free beside them.
const MOST_ROOM_BESIDE_INK: f64 = 13.0;

/// `letterSpacing` of an overlay's styles; none when absent.
pub(crate) fn letter_spacing(value: Option<&str>, css: Context, p: &mut Prepare<'_>) -> rondo_text::Length {
    spacing("styles.letterSpacing", value, css, p)
}

/// Room between letters or words, none when absent. Percentages are of the font size.
pub(crate) fn spacing(
    field: &str,
    value: Option<&str>,
    css: Context,
    p: &mut Prepare<'_>,
) -> rondo_text::Length {
    value
        .filter(|v| !v.trim().eq_ignore_ascii_case("normal"))
        .and_then(|v| p.read(field, Some(v), Length::parse_px))
        .map_or_else(rondo_text::Length::default, |length| rondo_text::Length::of_size(length, css))
}

/// CSS `text-transform`.
pub(crate) fn transformed(text: &str, value: Option<&str>) -> String {
    match value.map(|v| v.trim().to_ascii_lowercase()).as_deref() {
        Some("uppercase") => text.to_uppercase(),
        Some("lowercase") => text.to_lowercase(),
        Some("capitalize") => text
            .split_word_bounds()
            .map(|word| {
                let mut chars = word.chars();
                chars.next().map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
            })
            .collect(),
        _ => text.to_owned(),
    }
}
