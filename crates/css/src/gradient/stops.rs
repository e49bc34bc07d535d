//! From colour stops as written to plain stops: positions filled in, hints and colour spaces expanded.

use super::{Gradient, GradientShape, Interpolation, ResolvedStop, StopItem, StopPosition};
use crate::color::Components;
use crate::{Color, ColorSpace, Context, HueDirection};

/// A stop or a hint with its place on the line, if it has one.
#[derive(Clone, Copy)]
struct Placed {
    offset: Option<f64>,
    /// `None` for a hint.
    color: Option<Components>,
}

#[derive(Clone, Copy)]
struct Stop {
    offset: f64,
    color: Components,
}

/// `length` is that of the gradient line in pixels; conic gradients need none.
pub(super) fn resolve_stops(gradient: &Gradient, length: f64, context: &Context) -> Vec<ResolvedStop> {
    let conic = matches!(gradient.shape, GradientShape::Conic { .. });
    let offset = |position: &StopPosition| match position {
        StopPosition::Angle(degrees) => degrees / 360.0,
        StopPosition::Length(position) if conic => position.resolve(context, 1.0),
        StopPosition::Length(position) if length > 0.0 => position.resolve(context, length) / length,
        StopPosition::Length(position) => position.resolve(context, 1.0),
    };
    let mut placed = Vec::with_capacity(gradient.items.len());
    for item in &gradient.items {
        match item {
            StopItem::Hint(position) => placed.push(Placed { offset: Some(offset(position)), color: None }),
            StopItem::Stop { color, position, end } => {
                let color = Some(color.components(context.current_color));
                placed.push(Placed { offset: position.as_ref().map(offset), color });
                if let Some(end) = end {
                    placed.push(Placed { offset: Some(offset(end)), color });
                }
            }
        }
    }
    fill_offsets(&mut placed);
    let method = gradient.interpolation.unwrap_or_else(|| {
        let modern = placed.iter().filter_map(|item| item.color).any(|color| !color.legacy);
        let space = if modern { ColorSpace::Oklab } else { ColorSpace::Srgb };
        Interpolation { space, hue: HueDirection::Shorter }
    });
    expand(&without_hints(&placed, method), method)
}

/// First and last stop at the ends, none before its predecessor, gaps shared evenly.
fn fill_offsets(placed: &mut [Placed]) {
    let Some(last) = placed.len().checked_sub(1) else { return };
    if last == 0 {
        placed[0].offset.get_or_insert(0.5);
    }
    placed[0].offset.get_or_insert(0.0);
    placed[last].offset.get_or_insert(1.0);
    let mut largest = f64::NEG_INFINITY;
    for offset in placed.iter_mut().filter_map(|item| item.offset.as_mut()) {
        largest = offset.max(largest);
        *offset = largest;
    }
    let mut known = 0;
    for index in 1..placed.len() {
        if placed[index].offset.is_none() {
            continue;
        }
        let (from, to) = (placed[known].offset.unwrap_or(0.0), placed[index].offset.unwrap_or(1.0));
        let count = (index - known) as f64;
        for (step, item) in placed[known..index].iter_mut().enumerate().skip(1) {
            item.offset = Some(from + (to - from) * step as f64 / count);
        }
        known = index;
    }
}

/// Hints become nine stops on the curve that CSS defines, placed where browsers place them.
fn without_hints(placed: &[Placed], method: Interpolation) -> Vec<Stop> {
    let mut stops: Vec<Stop> = Vec::with_capacity(placed.len());
    for (index, item) in placed.iter().enumerate() {
        let offset = item.offset.unwrap_or(0.0);
        if let Some(color) = item.color {
            stops.push(Stop { offset, color });
            continue;
        }
        let next = placed.get(index + 1).and_then(|next| next.offset.zip(next.color));
        let (Some(left), Some((right, right_color))) = (stops.last().copied(), next) else { continue };
        let (before, after) = (offset - left.offset, right - offset);
        if (before - after).abs() < 1e-9 {
            continue;
        }
        if before < 1e-9 {
            stops.push(Stop { offset, color: right_color });
            continue;
        }
        if after < 1e-9 {
            stops.push(Stop { offset, color: left.color });
            continue;
        }
        let offsets: [f64; 9] = std::array::from_fn(|step| {
            let step = step as f64;
            if before > after {
                if step < 7.0 {
                    left.offset + before * (7.0 + step) / 13.0
                } else {
                    offset + after * (step - 6.0) / 3.0
                }
            } else if step < 2.0 {
                left.offset + before * (step + 1.0) / 3.0
            } else {
                offset + after * (step - 2.0) / 13.0
            }
        });
        let exponent = libm::log(0.5) / libm::log(before / (before + after));
        for place in offsets {
            let t = libm::pow((place - left.offset) / (right - left.offset), exponent);
            stops.push(Stop {
                offset: place,
                color: left.color.mix(&right_color, t, method.space, method.hue),
            });
        }
    }
    stops
}

/// Pieces a curved colour path is cut into before looking closer.
const COARSE_PIECES: usize = 16;
/// How often a piece is halved at most.
const FINEST: u32 = 4;
/// Difference of a premultiplied channel that cannot be seen: half a step of 8 bits.
const INVISIBLE: f32 = 0.5 / 255.0;

/// Enough plain stops that straight lines in sRGB follow the path in the space asked for.
fn expand(stops: &[Stop], method: Interpolation) -> Vec<ResolvedStop> {
    let plain = |stop: &Stop| ResolvedStop { offset: stop.offset as f32, color: stop.color.to_color() };
    if method.space == ColorSpace::Srgb {
        return stops.iter().map(plain).collect();
    }
    let mut expanded = Vec::with_capacity(stops.len() * 4);
    for pair in stops.windows(2) {
        let [from, to] = pair else { continue };
        // The mix at both ends, not the colours themselves: a missing component takes its value from the neighbour.
        let at = |t: f64| ResolvedStop {
            offset: (from.offset + (to.offset - from.offset) * t) as f32,
            color: from.color.mix(&to.color, t, method.space, method.hue).to_color(),
        };
        expanded.push(at(0.0));
        if to.offset > from.offset {
            for piece in 0..COARSE_PIECES {
                let bounds = [piece, piece + 1].map(|step| step as f64 / COARSE_PIECES as f64);
                refine(&at, bounds, FINEST, &mut expanded);
            }
        } else {
            expanded.push(at(1.0));
        }
    }
    if let [only] = stops {
        expanded.push(plain(only));
    }
    thinned(expanded)
}

/// Pushes what is needed after `from` up to and including `to`.
fn refine(
    at: &impl Fn(f64) -> ResolvedStop,
    [from, to]: [f64; 2],
    depth: u32,
    stops: &mut Vec<ResolvedStop>,
) {
    let place = |part: f64| from + (to - from) * part;
    let middle = place(0.5);
    let straight = || [0.25, 0.5, 0.75].iter().all(|part| on_line(at(from), at(place(*part)), at(to)));
    if depth > 0 && !straight() {
        refine(at, [from, middle], depth - 1, stops);
        refine(at, [middle, to], depth - 1, stops);
    } else {
        stops.push(at(to));
    }
}

/// Drops stops that lie on the straight line between their neighbours.
fn thinned(stops: Vec<ResolvedStop>) -> Vec<ResolvedStop> {
    let mut kept: Vec<ResolvedStop> = Vec::with_capacity(stops.len());
    for (index, stop) in stops.iter().enumerate() {
        let needless = match (kept.last(), stops.get(index + 1)) {
            (Some(before), Some(after)) => {
                before.offset < stop.offset
                    && stop.offset < after.offset
                    && exactly_on_line(*before, *stop, *after)
            }
            _ => false,
        };
        if !needless && kept.last() != Some(stop) {
            kept.push(*stop);
        }
    }
    kept
}

fn premultiplied(color: Color) -> [f32; 4] {
    [color.r * color.a, color.g * color.a, color.b * color.a, color.a]
}

fn deviation(from: ResolvedStop, middle: ResolvedStop, to: ResolvedStop) -> f32 {
    let t =
        if to.offset > from.offset { (middle.offset - from.offset) / (to.offset - from.offset) } else { 0.5 };
    let [a, m, b] = [from, middle, to].map(|stop| premultiplied(stop.color));
    (0..4).map(|channel| (a[channel] + (b[channel] - a[channel]) * t - m[channel]).abs()).fold(0.0, f32::max)
}

fn on_line(from: ResolvedStop, middle: ResolvedStop, to: ResolvedStop) -> bool {
    deviation(from, middle, to) < INVISIBLE
}

/// Much stricter, since dropping many stops in a row adds up.
fn exactly_on_line(from: ResolvedStop, middle: ResolvedStop, to: ResolvedStop) -> bool {
    deviation(from, middle, to) < INVISIBLE / 50.0
}
