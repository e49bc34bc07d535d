//! Borders of even width as Chromium paints them: solid, dashed, dotted, double, and the four 3D styles.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

use kurbo::{BezPath, Line, ParamCurve, ParamCurveArclen, Point, Rect, Shape, Vec2};
use rondo_css::{BorderStyle, Color};

use crate::display::*;
use crate::outlines::{fill_path, inner, outline_path, rounded};

/// Precision of lengths along rounded corners, in pixels.
const ACCURACY: f64 = 0.01;

/// Draws of a border inside the box's edge.
pub(crate) fn border_draws(
    rect: Rect,
    radii: [Vec2; 4],
    width: f64,
    style: BorderStyle,
    color: Color,
) -> Vec<Draw> {
    if width <= 0.0 || color.is_transparent() {
        return Vec::new();
    }
    let ring = |from: f64, to: f64| {
        let mut path = outline_path(&inner(rect, radii, from));
        path.extend(outline_path(&inner(rect, radii, to)));
        path
    };
    let paint = Paint::Solid(color);
    match style {
        BorderStyle::None | BorderStyle::Hidden => Vec::new(),
        BorderStyle::Double if width >= 3.0 => {
            let stripe = (width / 3.0).round();
            let mut path = ring(0.0, stripe);
            path.extend(ring(width - stripe, width));
            vec![fill_path(path, FillRule::EvenOdd, paint)]
        }
        BorderStyle::Dashed | BorderStyle::Dotted => {
            let square = matches!(rounded(rect, radii), Outline::Rect(_));
            let strokes = if square { sides(rect, width, style) } else { around(rect, radii, width, style) };
            vec![fill_path(strokes, FillRule::NonZero, paint)]
        }
        BorderStyle::Groove | BorderStyle::Ridge if width <= 1.0 => {
            vec![fill_path(ring(0.0, width), FillRule::EvenOdd, paint)]
        }
        BorderStyle::Groove | BorderStyle::Ridge | BorderStyle::Inset | BorderStyle::Outset => {
            let half = (width / 2.0).ceil();
            let sunken = matches!(style, BorderStyle::Groove | BorderStyle::Inset);
            if matches!(style, BorderStyle::Inset | BorderStyle::Outset) {
                carved(rect, radii, width, ring(0.0, width), sunken, color)
            } else {
                let mut draws = carved(rect, radii, width, ring(0.0, half), sunken, color);
                draws.extend(carved(rect, radii, width, ring(half, width), !sunken, color));
                draws
            }
        }
        _ => vec![fill_path(ring(0.0, width), FillRule::EvenOdd, paint)],
    }
}

/// A ring whose upper left and lower right halves are lit from the upper left, meeting at the mitres of the corners.
fn carved(rect: Rect, radii: [Vec2; 4], width: f64, ring: BezPath, sunken: bool, color: Color) -> Vec<Draw> {
    let [top_left, top_right, bottom_right, bottom_left] = mitres(rect, radii, width);
    let upper = [
        Point::new(rect.x0, rect.y1),
        rect.origin(),
        Point::new(rect.x1, rect.y0),
        top_right,
        top_left,
        bottom_left,
    ];
    let lower = [
        Point::new(rect.x1, rect.y0),
        Point::new(rect.x1, rect.y1),
        Point::new(rect.x0, rect.y1),
        bottom_left,
        bottom_right,
        top_right,
    ];
    let (shade, light) = shades(color);
    let half = |corners: [Point; 6], dark: bool| {
        let mut path = BezPath::new();
        path.move_to(corners[0]);
        corners[1..].iter().for_each(|c| path.line_to(*c));
        path.close_path();
        let paint = Paint::Solid(if dark { shade } else { light });
        Draw::Group {
            draws: vec![fill_path(ring.clone(), FillRule::EvenOdd, paint)],
            filters: Vec::new(),
            clip: Some(Outline::Path(std::sync::Arc::new(path), FillRule::NonZero)),
            opacity: 1.0,
        }
    };
    vec![half(upper, sunken), half(lower, !sunken)]
}

/// End points of the corner mitres: the inner corner, or further inside if it is rounded.
fn mitres(rect: Rect, radii: [Vec2; 4], width: f64) -> [Point; 4] {
    let inside = rect.inset(-width);
    let corners = [
        (inside.x0, inside.y0, 1.0, 1.0),
        (inside.x1, inside.y0, -1.0, 1.0),
        (inside.x1, inside.y1, -1.0, -1.0),
        (inside.x0, inside.y1, 1.0, -1.0),
    ];
    std::array::from_fn(|i| {
        let (x, y, right, down) = corners[i];
        let (across, along) = ((radii[i].x - width).max(0.0), (radii[i].y - width).max(0.0));
        // On the line between the ends of the rounding.
        let depth = if across > 0.0 && along > 0.0 { across * along / (across + along) } else { 0.0 };
        Point::new(x + right * depth, y + down * depth)
    })
}

/// The dark and the light colour of a 3D border. A colour too dark to shade is lightened first.
fn shades(c: Color) -> (Color, Color) {
    const TOO_DARK: f32 = 0.015;
    let linear = |v: f32| if v <= 0.04045 { v / 12.92 } else { libm::powf((v + 0.055) / 1.055, 2.4) };
    let luminance = 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b);
    if luminance < TOO_DARK { (lighter(c), lighter(lighter(c))) } else { (darker(c), lighter(c)) }
}

fn darker(c: Color) -> Color {
    let most = c.r.max(c.g).max(c.b);
    scaled(c, if most > 0.0 { ((most - 0.33) / most).max(0.0) } else { 0.0 })
}

fn lighter(c: Color) -> Color {
    let most = c.r.max(c.g).max(c.b);
    if most == 0.0 {
        return Color { r: 0.33, g: 0.33, b: 0.33, a: c.a };
    }
    scaled(c, (most + 0.33).min(1.0) / most)
}

fn scaled(c: Color, k: f32) -> Color {
    Color { r: (c.r * k).min(1.0), g: (c.g * k).min(1.0), b: (c.b * k).min(1.0), a: c.a }
}

/// Each side of a square-cornered box as a separate line.
fn sides(rect: Rect, width: f64, style: BorderStyle) -> BezPath {
    let mid = rect.inset(-width / 2.0);
    let lines = [
        Line::new((rect.x0, mid.y0), (rect.x1, mid.y0)),
        Line::new((mid.x1, rect.y0), (mid.x1, rect.y1)),
        Line::new((rect.x0, mid.y1), (rect.x1, mid.y1)),
        Line::new((mid.x0, rect.y0), (mid.x0, rect.y1)),
    ];
    let mut strokes = BezPath::new();
    lines.iter().for_each(|side| strokes.extend(line(side.p0, side.p1, width, style)));
    strokes
}

/// A separate dashed or dotted line.
pub(crate) fn line(from: Point, to: Point, width: f64, style: BorderStyle) -> BezPath {
    let line = Line::new(from, to);
    let length = line.arclen(ACCURACY);
    if style == BorderStyle::Dotted && width > 3.0 {
        // Round caps reach beyond the ends of the line.
        let t = (width / 2.0 / length.max(width)).min(0.5);
        dots(&line.subsegment(t..1.0 - t).to_path(ACCURACY), width, length, false)
    } else {
        dashed(&line.to_path(ACCURACY), width, dashes(length, width, style, false))
    }
}

/// One run around a box with corners, on the middle of the border.
fn around(rect: Rect, radii: [Vec2; 4], width: f64, style: BorderStyle) -> BezPath {
    let outline = inner(rect, radii, width / 2.0);
    let middle = outline_path(&outline);
    let length = middle.perimeter(ACCURACY);
    if style == BorderStyle::Dotted && width > 3.0 {
        return dots(&middle, width, length, true);
    }
    dashed(&middle, width, dashes(measured(length, &outline), width, style, true))
}

/// The length dashes are spaced for: corners as long as the chords Skia cuts them into, and the whole in full pixels.
fn measured(length: f64, outline: &Outline) -> f64 {
    let Outline::RoundedRect(_, radii) = outline else { return length };
    let short = radii.map(|r| {
        let r = (r.x + r.y) / 2.0;
        let chords = match r {
            ..2.4 => 1.0,
            ..7.1 => 2.0,
            ..28.0 => 4.0,
            ..112.0 => 8.0,
            _ => 16.0,
        };
        r * (FRAC_PI_2 - 2.0 * chords * libm::sin(FRAC_PI_4 / chords))
    });
    (length - short.iter().sum::<f64>()).floor()
}

/// Dash and gap; `None` if two dashes do not fit.
fn dashes(length: f64, width: f64, style: BorderStyle, closed: bool) -> Option<[f64; 2]> {
    let (dash, gap) = match style {
        BorderStyle::Dotted => (width, width),
        _ if width >= 3.0 => (2.0 * width, width),
        _ => (3.0 * width, 2.0 * width),
    };
    if length <= 2.0 * dash {
        return None;
    }
    if length <= 2.0 * dash + gap {
        let shrink = length / (2.0 * dash + gap);
        return Some([dash * shrink, gap * shrink]);
    }
    Some([dash, even_gap(length, dash, gap, closed)])
}

/// The gap nearest to `gap` with which a whole number of dashes fills the length.
fn even_gap(length: f64, dash: f64, gap: f64, closed: bool) -> f64 {
    let available = if closed { length } else { length + gap };
    let few = (available / (dash + gap)).floor();
    let with = |count: f64| (length - count * dash) / if closed { count } else { count - 1.0 };
    let (wide, narrow) = (with(few), with(few + 1.0));
    if narrow <= 0.0 || (wide - gap).abs() < (narrow - gap).abs() { wide } else { narrow }
}

/// Dots along a line; `length` counts the reach of the first and last one.
fn dots(line: &BezPath, width: f64, length: f64, closed: bool) -> BezPath {
    // Slightly less than even, so that rounding does not drop the last dot.
    let step = if length < 2.0 * width {
        2.0 * width
    } else {
        even_gap(length, width, width, closed) + width - 0.01
    };
    let mut dots = BezPath::new();
    for at in kurbo::dash(line.iter(), 0.0, &[0.001, step.max(0.1)]).filter_map(|el| match el {
        kurbo::PathEl::MoveTo(p) => Some(p),
        _ => None,
    }) {
        dots.extend(dot(at, width));
    }
    dots
}

fn dot(at: Point, width: f64) -> BezPath {
    kurbo::Circle::new(at, width / 2.0).to_path(ACCURACY)
}

fn dashed(line: &BezPath, width: f64, pattern: Option<[f64; 2]>) -> BezPath {
    let line: BezPath = match pattern {
        Some(pattern) => kurbo::dash(line.iter(), 0.0, &pattern).collect(),
        None => line.clone(),
    };
    let stroke = kurbo::Stroke::new(width).with_caps(kurbo::Cap::Butt);
    kurbo::stroke(line.iter(), &stroke, &kurbo::StrokeOpts::default(), 0.05)
}
