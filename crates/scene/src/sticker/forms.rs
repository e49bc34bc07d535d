//! What stickers are made of: colours, paths, paints and shadows. Sizes are in pixels around the middle of the sticker.

use std::f64::consts::{FRAC_PI_2, TAU};
use std::sync::Arc;

use kurbo::{Affine, BezPath, Circle, Point, Rect, Shape as _, Size, Vec2};
use rondo_css::Color;

use crate::display::*;

pub(super) const fn rgb(hex: u32) -> Color {
    Color::new(
        ((hex >> 16) & 255) as f32 / 255.0,
        ((hex >> 8) & 255) as f32 / 255.0,
        (hex & 255) as f32 / 255.0,
        1.0,
    )
}

/// A colour mixed with black.
pub(super) fn shade(color: Color, part: f64) -> Color {
    color.mix_srgb(Color::new(0.0, 0.0, 0.0, color.a), part)
}

/// A colour mixed with white.
pub(super) fn tint(color: Color, part: f64) -> Color {
    color.mix_srgb(Color::new(1.0, 1.0, 1.0, color.a), part)
}

pub(super) fn fill(path: BezPath, color: Color) -> Draw {
    fill_with(path, Paint::Solid(color))
}

pub(super) fn fill_with(path: BezPath, paint: Paint) -> Draw {
    crate::outlines::fill_path(path, FillRule::NonZero, paint)
}

pub(super) fn line(path: BezPath, width: f64, color: Color) -> Draw {
    Draw::Stroke { path: Arc::new(path), transform: Affine::IDENTITY, width, paint: Paint::Solid(color) }
}

/// The outline of a line with round ends and corners.
pub(super) fn round_line(path: &BezPath, width: f64) -> BezPath {
    let stroke = kurbo::Stroke::new(width).with_caps(kurbo::Cap::Round).with_join(kurbo::Join::Round);
    kurbo::stroke(path.iter(), &stroke, &kurbo::StrokeOpts::default(), 0.05)
}

/// A shape with a round outline around it.
pub(super) fn grown(path: &BezPath, width: f64) -> BezPath {
    // The outline runs clockwise around a clockwise shape, so that the two add up.
    let path = if path.area() < 0.0 { path.reverse_subpaths() } else { path.clone() };
    let mut grown = round_line(&path, width);
    grown.extend(path.iter());
    grown
}

/// A line through points, up to a part of its length.
pub(super) fn polyline(points: &[Point], part: f64) -> BezPath {
    let mut path = BezPath::new();
    let legs = || points.windows(2).map(|leg| (leg[0], leg[1]));
    let mut left = part.clamp(0.0, 1.0) * legs().map(|(from, to)| from.distance(to)).sum::<f64>();
    path.extend(points.first().map(|first| kurbo::PathEl::MoveTo(*first)));
    for (from, to) in legs() {
        let length = from.distance(to);
        if left <= 0.0 || length <= 0.0 {
            break;
        }
        path.line_to(from.lerp(to, (left / length).min(1.0)));
        left -= length;
    }
    path
}

/// A shape from SVG path data, whose unit is enlarged by `scale`.
pub(super) fn drawing(data: &str, scale: f64) -> BezPath {
    Affine::scale(scale) * rondo_css::parse_svg_path(data).unwrap_or_default()
}

/// Letters, moved.
pub(super) fn shifted(draws: &[Draw], by: Vec2) -> Vec<Draw> {
    let moved = |draw: &Draw| match draw.clone() {
        Draw::Glyphs { run, origin, paint } => Draw::Glyphs { run, origin: origin + by, paint },
        other => other,
    };
    draws.iter().map(moved).collect()
}

/// What is drawn, cut by an outline.
pub(super) fn clipped(draws: Vec<Draw>, by: BezPath) -> Draw {
    let clip = Outline::Path(Arc::new(by), FillRule::NonZero);
    Draw::Group { draws, filters: Vec::new(), clip: Some(clip), opacity: 1.0 }
}

/// A gradient from the left to the right of a width around the middle.
pub(super) fn rightwards(left: Color, right: Color, width: f64) -> Paint {
    Paint::Gradient(Arc::new(Gradient {
        kind: GradientKind::Linear {
            start: Point::new(-width / 2.0, 0.0),
            end: Point::new(width / 2.0, 0.0),
        },
        stops: vec![Stop { offset: 0.0, color: left }, Stop { offset: 1.0, color: right }],
        repeat: false,
    }))
}

/// A gradient once around the middle, clockwise from the top.
pub(super) fn around(stops: &[(f32, Color)]) -> Paint {
    Paint::Gradient(Arc::new(Gradient {
        kind: GradientKind::Conic { center: Point::ORIGIN, angle: 0.0 },
        stops: stops.iter().map(|&(offset, color)| Stop { offset, color }).collect(),
        repeat: false,
    }))
}

/// A gradient from top to bottom of a height around the middle.
pub(super) fn downwards(top: Color, bottom: Color, height: f64) -> Paint {
    Paint::Gradient(Arc::new(Gradient {
        kind: GradientKind::Linear {
            start: Point::new(0.0, -height / 2.0),
            end: Point::new(0.0, height / 2.0),
        },
        stops: vec![Stop { offset: 0.0, color: top }, Stop { offset: 1.0, color: bottom }],
        repeat: false,
    }))
}

pub(super) fn circle(at: impl Into<Point>, radius: f64) -> BezPath {
    Circle::new(at, radius).to_path(1e-3)
}

/// A box with round corners around its middle.
pub(super) fn card(at: impl Into<Point>, size: impl Into<Size>, radius: f64) -> BezPath {
    Rect::from_center_size(at, size).to_rounded_rect(radius).to_path(1e-3)
}

pub(super) fn polygon(points: impl IntoIterator<Item = (f64, f64)>) -> BezPath {
    let mut path = BezPath::new();
    for (i, point) in points.into_iter().enumerate() {
        if i == 0 { path.move_to(point) } else { path.line_to(point) }
    }
    path.close_path();
    path
}

/// A star whose first point is up.
pub(super) fn star(at: impl Into<Point>, points: usize, outer: f64, inner: f64) -> BezPath {
    let at = at.into();
    polygon((0..2 * points).map(|i| {
        let radius = if i.is_multiple_of(2) { outer } else { inner };
        let (sin, cos) = libm::sincos(std::f64::consts::PI * i as f64 / points as f64);
        (at.x + radius * sin, at.y - radius * cos)
    }))
}

/// An arc around the middle, clockwise from the top, as a line with round ends.
pub(super) fn ring(radius: f64, width: f64, turns: f64) -> BezPath {
    let arc = kurbo::Arc::new(Point::ORIGIN, (radius, radius), -FRAC_PI_2, TAU * turns, 0.0);
    round_line(&arc.to_path(1e-3), width)
}

/// A soft shadow of what is drawn.
pub(super) fn with_shadow(draws: Vec<Draw>, side: f64) -> Vec<Draw> {
    let shadow = Filter::DropShadow {
        offset: Vec2::new(0.0, 0.02 * side),
        sigma: 0.018 * side,
        color: Color::new(0.0, 0.0, 0.0, 0.28),
    };
    vec![Draw::Group { draws, filters: vec![shadow], clip: None, opacity: 1.0 }]
}
