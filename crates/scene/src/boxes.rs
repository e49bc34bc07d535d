//! CSS boxes as draws: shadows, backgrounds and borders of any rectangle with corners.

use std::sync::Arc;

use kurbo::{Affine, Rect, Vec2};
use rondo_css::{
    Background, Color, Context, ResolvedBorder, ResolvedFilter, ResolvedGradient, ResolvedKind,
    ResolvedShadow, ResolvedShape,
};

use crate::border::border_draws;
use crate::display::*;
use crate::outlines::{inner, rounded};

/// The resolved style of one box; absent values draw nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct BoxStyle {
    pub background: Option<Background>,
    /// Under `background`.
    pub color: Option<Color>,
    pub border: Option<ResolvedBorder>,
    /// Corner radii of the border box, already reduced.
    pub radii: [Vec2; 4],
    pub shadows: Vec<ResolvedShadow>,
}

impl BoxStyle {
    pub fn border_width(&self) -> f64 {
        self.border.as_ref().map_or(0.0, |b| b.width)
    }

    /// How far outer shadows reach beyond the box.
    pub fn reach(&self) -> f64 {
        self.shadows.iter().filter(|s| !s.inset).map(shadow_reach).fold(0.0, f64::max)
    }

    /// Outer shadows and backgrounds: everything beneath the content.
    pub fn draw_under(&self, rect: Rect, context: &Context, draws: &mut Vec<Draw>) {
        let outline = rounded(rect, self.radii);
        // The first shadow is on top.
        for s in self.shadows.iter().rev().filter(|s| !s.inset) {
            draws.push(shadow(&outline, s));
        }
        let fill = |paint| Draw::Fill { outline: outline.clone(), transform: Affine::IDENTITY, paint };
        let background_color =
            self.background.as_ref().and_then(|b| b.color.as_ref()).map(|c| c.resolve(context));
        for color in [self.color, background_color].into_iter().flatten().filter(|c| !c.is_transparent()) {
            draws.push(fill(Paint::Solid(color)));
        }
        if let Some(background) = &self.background {
            let area = rect.inset(-self.border_width());
            for layer in background.layers.iter().rev() {
                draws.extend(background_layer(layer, rect, area, &outline, context));
            }
        }
        for s in self.shadows.iter().rev().filter(|s| s.inset) {
            draws.push(shadow(&inner(rect, self.radii, self.border_width()), s));
        }
    }

    /// The border, painted over backgrounds and inset shadows but beneath content.
    pub fn draw_border(&self, rect: Rect, draws: &mut Vec<Draw>) {
        if let Some(border) = &self.border {
            draws.extend(border_draws(rect, self.radii, border.width, border.style, border.color));
        }
    }
}

/// One gradient layer, tiled by its position, size and repeat.
fn background_layer(
    layer: &rondo_css::BackgroundLayer,
    rect: Rect,
    area: Rect,
    outline: &Outline,
    context: &Context,
) -> Option<Draw> {
    let plan = layer.tiles(area.width(), area.height(), context)?;
    let resolved = layer.gradient.resolve(plan.tile.width(), plan.tile.height(), context);
    // Neighbouring tiles are visible under a border.
    let whole = plan.tile.width() >= rect.width() - 0.01 && plan.tile.height() >= rect.height() - 0.01;
    if whole {
        let paint = gradient(&resolved, area.origin().to_vec2() + plan.tile.origin().to_vec2());
        return Some(Draw::Fill { outline: outline.clone(), transform: Affine::IDENTITY, paint });
    }
    let tile = plan.tile + area.origin().to_vec2();
    let gradient = moved_gradient(&resolved, tile.origin().to_vec2());
    let paint = Paint::Tiles(Arc::new(Tiles { gradient, tile, step: plan.step }));
    Some(Draw::Fill { outline: outline.clone(), transform: Affine::IDENTITY, paint })
}

pub(crate) fn shadow(outline: &Outline, s: &ResolvedShadow) -> Draw {
    Draw::BoxShadow {
        outline: outline.clone(),
        offset: s.offset,
        sigma: s.sigma,
        spread: s.spread,
        color: s.color,
        inset: s.inset,
    }
}

/// Lengths are multiples of 1/64 px, as in browsers.
pub(crate) fn floor64(value: f64) -> f64 {
    (value * 64.0).floor() / 64.0
}

/// How far a shadow may darken pixels beyond the outline that casts it.
pub(crate) fn shadow_reach(s: &ResolvedShadow) -> f64 {
    s.offset.x.abs().max(s.offset.y.abs()) + 3.0 * s.sigma + s.spread.max(0.0) + 1.0
}

/// A resolved CSS gradient moved to its box.
pub(crate) fn gradient(g: &ResolvedGradient, offset: Vec2) -> Paint {
    Paint::Gradient(Arc::new(moved_gradient(g, offset)))
}

fn moved_gradient(g: &ResolvedGradient, offset: Vec2) -> Gradient {
    let kind = match g.kind {
        ResolvedKind::Linear { start, end } => {
            GradientKind::Linear { start: start + offset, end: end + offset }
        }
        ResolvedKind::Radial { center, radii } => GradientKind::Radial { center: center + offset, radii },
        ResolvedKind::Conic { center, angle } => GradientKind::Conic { center: center + offset, angle },
    };
    let stops = g.stops.iter().map(|s| Stop { offset: s.offset, color: s.color }).collect();
    Gradient { kind, stops, repeat: g.repeat }
}

pub(crate) fn filters(resolved: Vec<ResolvedFilter>) -> Vec<Filter> {
    resolved
        .into_iter()
        .map(|f| match f {
            ResolvedFilter::Blur { sigma } => Filter::Blur { sigma },
            ResolvedFilter::Matrix(m) => Filter::Matrix(m),
            ResolvedFilter::DropShadow { offset, sigma, color } => {
                Filter::DropShadow { offset, sigma, color }
            }
        })
        .collect()
}

/// Distance by which a chain of filters extends beyond its input.
pub(crate) fn filters_reach(filters: &[Filter]) -> f64 {
    filters
        .iter()
        .map(|f| match f {
            Filter::Blur { sigma } => (3.0 * sigma).ceil(),
            Filter::Matrix(_) => 0.0,
            Filter::DropShadow { offset, sigma, .. } => {
                offset.x.abs().max(offset.y.abs()) + (3.0 * sigma).ceil()
            }
        })
        .sum()
}

/// A resolved clip-path moved to its reference box.
pub(crate) fn clip_outline(shape: ResolvedShape, offset: Vec2) -> Outline {
    match shape {
        ResolvedShape::Rect(r) => Outline::Rect(r + offset),
        ResolvedShape::RoundedRect(r, radii) => rounded(r + offset, radii),
        ResolvedShape::Path(mut p, rule) => {
            p.apply_affine(Affine::translate(offset));
            let rule = match rule {
                rondo_css::FillRule::NonZero => FillRule::NonZero,
                rondo_css::FillRule::EvenOdd => FillRule::EvenOdd,
            };
            Outline::Path(Arc::new(p), rule)
        }
    }
}

/// Rounds each edge to the nearest whole pixel in layer space, halves to the right and down, as browsers do for boxes and
/// pictures before any transform.
pub(crate) fn snapped(r: Rect) -> Rect {
    let near = |v: f64| (v + 0.5).floor();
    Rect::new(near(r.x0), near(r.y0), near(r.x1), near(r.y1))
}
