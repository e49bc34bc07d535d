//! Gradients on the way from one to another.

use super::{Direction, Extent, Gradient, GradientShape, RadialSize, StopItem, StopPosition};
use crate::{AxisPosition, Color, Context, Length, Position, Unit};

/// A gradient reduced to what can be interpolated.
struct Plain {
    kind: Kind,
    /// Degrees clockwise from straight up.
    angle: f64,
    circle: bool,
    /// In fractions of the box.
    center: [f64; 2],
    /// Never empty; offsets in fractions of the gradient line.
    stops: Vec<(f64, Color)>,
}

#[derive(Clone, Copy)]
enum Kind {
    Linear,
    Radial,
    Conic,
}

fn lerp(a: f64, b: f64, t: f64) -> f64 {
    a + (b - a) * t
}

impl Gradient {
    /// The gradient at `t` between the two: angles along the shorter arc, colours in OKLCH, the kind changing half way.
    /// `None` where one of them repeats, has hints or a colour space, places stops other than by one percentage, or has
    /// a radius or a centre in pixels: such pairs can only be cross-faded.
    pub fn between(&self, other: &Gradient, t: f64, context: &Context) -> Option<Gradient> {
        let (a, b) = (Plain::of(self, context)?, Plain::of(other, context)?);
        let pick = if t < 0.5 { &a } else { &b };
        let turn = (b.angle - a.angle + 180.0).rem_euclid(360.0) - 180.0;
        let turn = if turn == -180.0 { 180.0 } else { turn };
        let angle = a.angle + turn * t;
        let axis = |i: usize| AxisPosition::start(Length::percent(lerp(a.center[i], b.center[i], t)));
        let position = Position { x: axis(0), y: axis(1) };
        let shape = match pick.kind {
            Kind::Linear => GradientShape::Linear(Direction::Angle(angle)),
            Kind::Radial => GradientShape::Radial {
                size: RadialSize::Extent { circle: pick.circle, extent: Extent::FarthestCorner },
                position,
            },
            Kind::Conic => GradientShape::Conic { from: angle, position },
        };
        let stop = |plain: &Plain, i: usize| plain.stops[i.min(plain.stops.len() - 1)];
        let items = (0..a.stops.len().max(b.stops.len()))
            .map(|i| {
                let ((from, color), (to, other)) = (stop(&a, i), stop(&b, i));
                StopItem::Stop {
                    color: color.mix_oklch(other, t).into(),
                    position: Some(StopPosition::Length(Length::percent(lerp(from, to, t)))),
                    end: None,
                }
            })
            .collect();
        Some(Gradient { shape, items, repeating: false, interpolation: None })
    }
}

impl Plain {
    fn of(gradient: &Gradient, context: &Context) -> Option<Self> {
        if gradient.repeating || gradient.interpolation.is_some() {
            return None;
        }
        let mut plain =
            Self { kind: Kind::Linear, angle: 0.0, circle: false, center: [0.5; 2], stops: Vec::new() };
        match &gradient.shape {
            GradientShape::Linear(direction) => plain.angle = degrees(*direction),
            GradientShape::Radial { size, position } => {
                let RadialSize::Extent { circle, extent: Extent::FarthestCorner } = size else { return None };
                plain.kind = Kind::Radial;
                plain.circle = *circle;
                plain.center = [fraction(&position.x)?, fraction(&position.y)?];
            }
            GradientShape::Conic { from, position } => {
                plain.kind = Kind::Conic;
                plain.angle = *from;
                plain.center = [fraction(&position.x)?, fraction(&position.y)?];
            }
        }
        plain.stops = placed(&gradient.items, context)?;
        Some(plain)
    }
}

/// Stops with missing places filled in: the ends at 0 and 1, a lone one in the middle, the others spread evenly.
fn placed(items: &[StopItem], context: &Context) -> Option<Vec<(f64, Color)>> {
    let mut stops: Vec<(Option<f64>, Color)> = Vec::with_capacity(items.len());
    for item in items {
        let StopItem::Stop { color, position, end: None } = item else { return None };
        let place = match position {
            None => None,
            Some(StopPosition::Length(Length::Value(fraction, Unit::Percent))) => Some(*fraction),
            Some(StopPosition::Length(Length::Value(0.0, _))) => Some(0.0),
            Some(_) => return None,
        };
        stops.push((place, color.resolve(context)));
    }
    let last = stops.len().checked_sub(1)?;
    if last == 0 {
        stops[0].0.get_or_insert(0.5);
    }
    stops[0].0.get_or_insert(0.0);
    stops[last].0.get_or_insert(1.0);
    let mut filled: Vec<(f64, Color)> = Vec::with_capacity(stops.len());
    for (i, &(place, color)) in stops.iter().enumerate() {
        let before = filled.last().map_or(0.0, |stop| stop.0);
        let place = place.unwrap_or_else(|| {
            let next = stops[i..].iter().enumerate().find_map(|(steps, stop)| Some((steps, stop.0?)));
            next.map_or(before, |(steps, next)| before + (next - before) / (steps + 1) as f64)
        });
        filled.push((place, color));
    }
    Some(filled)
}

fn degrees(direction: Direction) -> f64 {
    match direction {
        Direction::Angle(degrees) => degrees,
        Direction::To { x, y } => libm::atan2(f64::from(x), -f64::from(y)).to_degrees().rem_euclid(360.0),
    }
}

/// An offset given as a percentage only.
fn fraction(axis: &AxisPosition) -> Option<f64> {
    let fraction = match axis.offset {
        Length::Value(fraction, Unit::Percent) => fraction,
        Length::Value(0.0, _) => 0.0,
        _ => return None,
    };
    Some(if axis.from_end { 1.0 - fraction } else { fraction })
}
