//! The table of shapes, one row each.

/// How a shape is drawn.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// The whole box, or the largest centred square in it; the corner radius is a part of its shorter side.
    Box {
        square: bool,
        radius: f64,
        styled: bool,
    },
    Ellipse,
    /// An ellipse with a hole of this part of its size.
    Ring(f64),
    /// Corners in a 0..100 box.
    Polygon(&'static [(f64, f64)]),
    /// Points outside and, nearer to the centre by `inner`, between them; stretched to the box. 1 is a regular polygon.
    Star {
        points: usize,
        inner: f64,
    },
    /// SVG path data of any size; stretched to the box.
    Drawing(&'static str),
    /// From and to these parts of the box, as thick as the stroke; without a stroke the box is filled.
    Line((f64, f64), (f64, f64)),
}
use Form::*;

/// One row of the registry.
#[derive(Debug)]
pub struct Shape {
    pub name: &'static str,
    pub aliases: &'static [&'static str],
    pub form: Form,
}

const fn row(name: &'static str, aliases: &'static [&'static str], form: Form) -> Shape {
    Shape { name, aliases, form }
}

#[rustfmt::skip]
pub const SHAPES: &[Shape] = &[
    row("rectangle", &["rect"], Box { square: false, radius: 0.0, styled: true }),
    row("square", &[], Box { square: true, radius: 0.0, styled: true }),
    row("rounded-rectangle", &["rounded-rect"], Box { square: false, radius: 0.12, styled: true }),
    row("pill", &["capsule"], Box { square: false, radius: 0.5, styled: false }),
    row("circle", &[], Box { square: true, radius: 0.5, styled: false }),
    row("ellipse", &["oval"], Ellipse),
    row("triangle", &[], Polygon(&[(50.0, 0.0), (100.0, 100.0), (0.0, 100.0)])),
    row("right-triangle", &[], Polygon(&[(0.0, 0.0), (100.0, 100.0), (0.0, 100.0)])),
    row("diamond", &["rhombus"], Polygon(&[(50.0, 0.0), (100.0, 50.0), (50.0, 100.0), (0.0, 50.0)])),
    row("pentagon", &[], Polygon(&[(50.0, 0.0), (100.0, 38.2), (80.9, 100.0), (19.1, 100.0), (0.0, 38.2)])),
    row("hexagon", &[], Polygon(&[(25.0, 0.0), (75.0, 0.0), (100.0, 50.0), (75.0, 100.0), (25.0, 100.0), (0.0, 50.0)])),
    row("heptagon", &[], Star { points: 7, inner: 1.0 }),
    row("octagon", &[], Polygon(&[(30.0, 0.0), (70.0, 0.0), (100.0, 30.0), (100.0, 70.0), (70.0, 100.0), (30.0, 100.0), (0.0, 70.0), (0.0, 30.0)])),
    row("star", &["star-5"], Polygon(&[(50.0, 0.0), (61.0, 35.0), (98.0, 35.0), (68.0, 57.0), (79.0, 91.0), (50.0, 70.0), (21.0, 91.0), (32.0, 57.0), (2.0, 35.0), (39.0, 35.0)])),
    row("star-4", &[], Star { points: 4, inner: 0.382 }),
    row("star-6", &[], Star { points: 6, inner: 0.577 }),
    row("star-8", &[], Star { points: 8, inner: 0.6 }),
    row("burst", &[], Star { points: 16, inner: 0.78 }),
    row("heart", &[], Drawing("M50 100C20 76 0 56 0 29C0 12 12 0 27 0C37 0 46 6 50 16C54 6 63 0 73 0C88 0 100 12 100 29C100 56 80 76 50 100Z")),
    row("cross", &["plus"], Polygon(&[(33.0, 0.0), (67.0, 0.0), (67.0, 33.0), (100.0, 33.0), (100.0, 67.0), (67.0, 67.0), (67.0, 100.0), (33.0, 100.0), (33.0, 67.0), (0.0, 67.0), (0.0, 33.0), (33.0, 33.0)])),
    row("arrow", &["arrow-right"], Polygon(&[(0.0, 30.0), (60.0, 30.0), (60.0, 0.0), (100.0, 50.0), (60.0, 100.0), (60.0, 70.0), (0.0, 70.0)])),
    row("arrow-left", &[], Polygon(&[(100.0, 30.0), (40.0, 30.0), (40.0, 0.0), (0.0, 50.0), (40.0, 100.0), (40.0, 70.0), (100.0, 70.0)])),
    row("arrow-up", &[], Polygon(&[(30.0, 100.0), (30.0, 40.0), (0.0, 40.0), (50.0, 0.0), (100.0, 40.0), (70.0, 40.0), (70.0, 100.0)])),
    row("arrow-down", &[], Polygon(&[(30.0, 0.0), (30.0, 60.0), (0.0, 60.0), (50.0, 100.0), (100.0, 60.0), (70.0, 60.0), (70.0, 0.0)])),
    row("double-arrow", &[], Polygon(&[(0.0, 50.0), (30.0, 0.0), (30.0, 30.0), (70.0, 30.0), (70.0, 0.0), (100.0, 50.0), (70.0, 100.0), (70.0, 70.0), (30.0, 70.0), (30.0, 100.0)])),
    row("chevron", &[], Polygon(&[(0.0, 0.0), (60.0, 0.0), (100.0, 50.0), (60.0, 100.0), (0.0, 100.0), (40.0, 50.0)])),
    row("line", &[], Line((0.0, 0.5), (1.0, 0.5))),
    row("line-vertical", &[], Line((0.5, 0.0), (0.5, 1.0))),
    row("arc", &[], Drawing("M0 100A100 100 0 0 1 200 100L160 100A60 60 0 0 0 40 100Z")),
    row("ring", &["donut"], Ring(0.6)),
    row("pie", &[], Drawing("M50 50L50 0A50 50 0 1 1 0 50Z")),
    row("semicircle", &[], Drawing("M0 50A50 50 0 0 1 100 50Z")),
    row("speech-bubble", &["callout"], Drawing("M12 0L88 0Q100 0 100 12L100 64Q100 76 88 76L46 76L22 100L26 76L12 76Q0 76 0 64L0 12Q0 0 12 0Z")),
    row("spark", &[], Drawing("M50 0Q56 44 100 50Q56 56 50 100Q44 56 0 50Q44 44 50 0Z")),
    row("wave", &[], Drawing("M0 25C17 -5 33 -5 50 25C67 55 83 55 100 25L100 75C83 105 67 105 50 75C33 45 17 45 0 75Z")),
    row("blob", &[], Drawing("M55 2C75 -2 96 14 98 38C100 58 90 66 84 80C77 96 58 102 40 97C24 93 8 88 3 68C-2 48 10 40 18 25C26 10 38 6 55 2Z")),
    row("parallelogram", &[], Polygon(&[(25.0, 0.0), (100.0, 0.0), (75.0, 100.0), (0.0, 100.0)])),
    row("trapezoid", &[], Polygon(&[(20.0, 0.0), (80.0, 0.0), (100.0, 100.0), (0.0, 100.0)])),
];
