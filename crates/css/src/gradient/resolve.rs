//! The geometry of a gradient in a box.

use kurbo::{Point, Size, Vec2};

use super::stops::resolve_stops;
use super::{
    Direction, Extent, Gradient, GradientShape, RadialSize, ResolvedGradient, ResolvedKind, ResolvedStop,
};
use crate::{Context, Position};

/// Smaller radii and lines are drawn as if the gradient had ended.
const SMALLEST: f64 = 1e-6;

pub(super) fn resolve(gradient: &Gradient, width: f64, height: f64, context: &Context) -> ResolvedGradient {
    let (kind, length) = match &gradient.shape {
        GradientShape::Linear(direction) => {
            let (start, end) = line(*direction, width, height);
            (ResolvedKind::Linear { start, end }, start.distance(end))
        }
        GradientShape::Radial { size, position } => {
            let center = place(position, width, height, context);
            let radii = radii(size, center, width, height, context);
            (ResolvedKind::Radial { center, radii }, radii.x)
        }
        GradientShape::Conic { from, position } => {
            let center = place(position, width, height, context);
            (ResolvedKind::Conic { center, angle: from.to_radians() }, 0.0)
        }
    };
    let stops = resolve_stops(gradient, length, context);
    let degenerate = match kind {
        ResolvedKind::Linear { .. } => length < SMALLEST,
        ResolvedKind::Radial { radii, .. } => radii.x < SMALLEST || radii.y < SMALLEST,
        ResolvedKind::Conic { .. } => false,
    };
    if degenerate {
        return solid(kind, stops);
    }
    let period = match (stops.first(), stops.last()) {
        (Some(first), Some(last)) => last.offset - first.offset,
        _ => 0.0,
    };
    if gradient.repeating && period <= f32::EPSILON {
        return solid(kind, stops);
    }
    ResolvedGradient { kind, stops, repeat: gradient.repeating }
}

/// The last colour everywhere, with geometry that painters can work with.
fn solid(kind: ResolvedKind, stops: Vec<ResolvedStop>) -> ResolvedGradient {
    let kind = match kind {
        ResolvedKind::Linear { start, .. } => {
            ResolvedKind::Linear { start, end: start + Vec2::new(0.0, 1.0) }
        }
        ResolvedKind::Radial { center, .. } => ResolvedKind::Radial { center, radii: Vec2::new(1.0, 1.0) },
        conic => conic,
    };
    let stops =
        stops.last().map(|last| ResolvedStop { offset: 0.0, color: last.color }).into_iter().collect();
    ResolvedGradient { kind, stops, repeat: false }
}

fn place(position: &Position, width: f64, height: f64, context: &Context) -> Point {
    position.resolve(Size::new(width, height), context)
}

/// Start and end of the line, so that the corners it points to and from get exactly the end colours.
fn line(direction: Direction, width: f64, height: f64) -> (Point, Point) {
    let towards = match direction {
        Direction::Angle(degrees) => {
            // Exact along the axes.
            let degrees = degrees.rem_euclid(360.0);
            if degrees % 90.0 == 0.0 {
                [Vec2::new(0.0, -1.0), Vec2::new(1.0, 0.0), Vec2::new(0.0, 1.0), Vec2::new(-1.0, 0.0)]
                    [(degrees / 90.0) as usize % 4]
            } else {
                let (sin, cos) = libm::sincos(degrees.to_radians());
                Vec2::new(sin, -cos)
            }
        }
        Direction::To { x, y } if x == 0 || y == 0 => Vec2::new(f64::from(x), f64::from(y)),
        // Perpendicular to the other diagonal, so that it shows one colour: the middle one.
        Direction::To { x, y } => {
            let diagonal = Vec2::new(f64::from(x) * height, f64::from(y) * width);
            if diagonal.hypot() > 0.0 { diagonal.normalize() } else { Vec2::new(0.0, 1.0) }
        }
    };
    let half = towards * (width * towards.x.abs() + height * towards.y.abs()) / 2.0;
    let center = Point::new(width / 2.0, height / 2.0);
    (center - half, center + half)
}

fn radii(size: &RadialSize, center: Point, width: f64, height: f64, context: &Context) -> Vec2 {
    let (left, right) = (center.x.abs(), (width - center.x).abs());
    let (top, bottom) = (center.y.abs(), (height - center.y).abs());
    let closest = Vec2::new(left.min(right), top.min(bottom));
    let farthest = Vec2::new(left.max(right), top.max(bottom));
    match size {
        RadialSize::Circle(radius) => {
            let radius = radius.resolve(context, 0.0).max(0.0);
            Vec2::new(radius, radius)
        }
        RadialSize::Ellipse(x, y) => {
            Vec2::new(x.resolve(context, width).max(0.0), y.resolve(context, height).max(0.0))
        }
        RadialSize::Extent { circle: true, extent } => {
            let radius = match extent {
                Extent::ClosestSide => closest.x.min(closest.y),
                Extent::FarthestSide => farthest.x.max(farthest.y),
                Extent::ClosestCorner => closest.hypot(),
                Extent::FarthestCorner => farthest.hypot(),
            };
            Vec2::new(radius, radius)
        }
        // The corner ellipse has the proportions of the side ellipse, and the corner's distances are its radii.
        RadialSize::Extent { circle: false, extent } => match extent {
            Extent::ClosestSide => closest,
            Extent::FarthestSide => farthest,
            Extent::ClosestCorner => closest * std::f64::consts::SQRT_2,
            Extent::FarthestCorner => farthest * std::f64::consts::SQRT_2,
        },
    }
}
