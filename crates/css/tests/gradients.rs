//! Resolved gradients against the pixels Chromium paints for a box of 200 by 100 on white.

use kurbo::{Point, Size, Vec2};
use rondo_css::{Color, Context, Gradient, ResolvedGradient, ResolvedKind};

const POINTS: [(f64, f64); 7] =
    [(10.0, 50.0), (37.0, 21.0), (100.0, 50.0), (60.0, 80.0), (133.0, 66.0), (190.0, 7.0), (171.0, 90.0)];

#[rustfmt::skip]
const CHROMIUM: &[(&str, [[u8; 3]; 7])] = &[
    ("linear-gradient(red, blue)", [[126, 0, 128], [200, 0, 55], [126, 0, 128], [49, 0, 205], [86, 0, 170], [236, 0, 19], [25, 0, 231]]),
    ("linear-gradient(45deg, red, blue)", [[204, 0, 51], [156, 0, 98], [127, 0, 127], [187, 0, 68], [113, 0, 142], [15, 0, 241], [102, 0, 154]]),
    ("linear-gradient(to top right, red, lime 30%, blue)", [[22, 232, 0], [0, 187, 68], [0, 182, 72], [43, 211, 0], [0, 182, 74], [0, 22, 233], [0, 191, 65]]),
    ("linear-gradient(0.3turn, red 20px, yellow 20px 60px, blue)", [[255, 255, 0], [255, 255, 0], [174, 174, 81], [219, 219, 35], [117, 117, 139], [60, 60, 196], [48, 48, 208]]),
    ("linear-gradient(90deg, red, 20%, blue)", [[192, 0, 62], [131, 0, 124], [65, 0, 189], [103, 0, 152], [43, 0, 213], [6, 0, 249], [19, 0, 237]]),
    ("linear-gradient(90deg, red, 80%, blue)", [[252, 0, 2], [247, 0, 8], [224, 0, 30], [241, 0, 13], [182, 0, 73], [35, 0, 220], [97, 0, 159]]),
    ("linear-gradient(90deg in oklch, red, blue)", [[252, 0, 49], [240, 0, 103], [185, 0, 194], [224, 0, 139], [146, 0, 231], [48, 0, 255], [89, 0, 255]]),
    ("linear-gradient(90deg in oklch longer hue, red, blue)", [[249, 24, 0], [215, 79, 0], [0, 147, 0], [161, 114, 0], [0, 145, 128], [0, 52, 252], [0, 99, 228]]),
    ("linear-gradient(in hsl to right, white, red)", [[248, 248, 248], [235, 226, 226], [223, 158, 158], [228, 204, 204], [227, 113, 113], [249, 18, 18], [240, 52, 52]]),
    ("linear-gradient(90deg in oklab, red, transparent, lime)", [[255, 27, 27], [255, 96, 96], [254, 255, 254], [255, 154, 154], [170, 255, 170], [24, 255, 24], [73, 255, 73]]),
    ("linear-gradient(90deg, oklch(0.7 0.2 30), blue)", [[245, 100, 93], [213, 105, 125], [136, 100, 182], [185, 105, 148], [97, 88, 208], [19, 35, 249], [48, 62, 236]]),
    ("linear-gradient(90deg, rgba(255,0,0,.2), blue 50%, lime 40%)", [[228, 183, 209], [159, 128, 223], [0, 255, 0], [100, 81, 234], [0, 255, 0], [0, 255, 0], [0, 255, 0]]),
    ("repeating-linear-gradient(45deg, red 0 10px, blue 10px 20px)", [[255, 0, 0], [255, 0, 0], [255, 0, 0], [0, 0, 255], [0, 0, 255], [255, 0, 0], [255, 0, 0]]),
    ("repeating-linear-gradient(90deg, red 10%, blue 35%)", [[48, 0, 206], [166, 0, 89], [99, 0, 155], [48, 0, 206], [186, 0, 69], [151, 0, 105], [248, 0, 8]]),
    ("radial-gradient(red, blue)", [[93, 0, 161], [102, 0, 153], [253, 0, 2], [124, 0, 131], [171, 0, 85], [31, 0, 224], [60, 0, 195]]),
    ("radial-gradient(circle, red, blue)", [[51, 0, 204], [98, 0, 157], [253, 0, 1], [141, 0, 113], [170, 0, 85], [27, 0, 228], [68, 0, 188]]),
    ("radial-gradient(circle closest-side at 30% 40%, red, yellow 50%, blue)", [[0, 0, 255], [139, 139, 116], [0, 0, 255], [0, 0, 255], [0, 0, 255], [0, 0, 255], [0, 0, 255]]),
    ("radial-gradient(closest-corner at 20px 30px, red, blue)", [[104, 0, 150], [89, 0, 166], [0, 0, 255], [0, 0, 255], [0, 0, 255], [0, 0, 255], [0, 0, 255]]),
    ("radial-gradient(farthest-side at 70% 20%, red, blue)", [[0, 0, 255], [68, 0, 187], [134, 0, 120], [14, 0, 241], [107, 0, 149], [155, 0, 100], [23, 0, 232]]),
    ("radial-gradient(40px 20px at right 50px bottom 30px, red, blue)", [[0, 0, 255], [0, 0, 255], [0, 0, 255], [0, 0, 255], [141, 0, 115], [0, 0, 255], [0, 0, 255]]),
    ("repeating-radial-gradient(circle at 0 0, red 0, blue 20px)", [[107, 0, 147], [214, 0, 41], [95, 0, 159], [246, 0, 9], [139, 0, 117], [119, 0, 136], [78, 0, 178]]),
    ("radial-gradient(circle 50px at 25% 50%, red 10px, blue 120%)", [[104, 0, 150], [147, 0, 108], [48, 0, 206], [141, 0, 113], [0, 0, 255], [0, 0, 255], [0, 0, 255]]),
    ("conic-gradient(red, blue)", [[64, 0, 191], [46, 0, 208], [159, 0, 95], [90, 0, 164], [173, 0, 83], [209, 0, 46], [171, 0, 85]]),
    ("conic-gradient(from 45deg at 25% 50%, red, yellow 90deg, lime 50%, blue)", [[0, 192, 62], [0, 97, 158], [255, 129, 0], [181, 255, 0], [255, 159, 0], [255, 80, 0], [255, 180, 0]]),
    ("repeating-conic-gradient(from 10deg, red 0 15deg, blue 0 30deg)", [[0, 0, 255], [255, 0, 0], [255, 0, 0], [255, 0, 0], [0, 0, 255], [0, 0, 255], [0, 0, 255]]),
    ("conic-gradient(in oklch longer hue, red, red)", [[162, 79, 255], [206, 53, 222], [0, 179, 91], [28, 120, 255], [0, 173, 0], [188, 124, 0], [0, 174, 0]]),
    ("linear-gradient(red)", [[255, 0, 0], [255, 0, 0], [255, 0, 0], [255, 0, 0], [255, 0, 0], [255, 0, 0], [255, 0, 0]]),
    ("radial-gradient(circle 0px, red, blue)", [[0, 0, 255], [0, 0, 255], [0, 0, 255], [0, 0, 255], [0, 0, 255], [0, 0, 255], [0, 0, 255]]),
    ("repeating-linear-gradient(red 50%, blue 50%)", [[0, 0, 255], [0, 0, 255], [0, 0, 255], [0, 0, 255], [0, 0, 255], [0, 0, 255], [0, 0, 255]]),
];

fn resolve(value: &str) -> ResolvedGradient {
    let gradient = Gradient::parse(value).expect("a gradient that Chromium accepts");
    gradient.resolve(200.0, 100.0, &Context::new(Size::new(200.0, 100.0)))
}

/// The offset of a point on the gradient line, as the contract of [`ResolvedKind`] has it.
fn offset(kind: ResolvedKind, point: Point) -> f64 {
    match kind {
        ResolvedKind::Linear { start, end } => (point - start).dot(end - start) / (end - start).hypot2(),
        ResolvedKind::Radial { center, radii } => {
            Vec2::new((point.x - center.x) / radii.x, (point.y - center.y) / radii.y).hypot()
        }
        ResolvedKind::Conic { center, angle } => {
            let around = (point.x - center.x).atan2(center.y - point.y) - angle;
            (around / std::f64::consts::TAU).rem_euclid(1.0)
        }
    }
}

/// The pixel on white, in 0..255.
fn paint(gradient: &ResolvedGradient, point: Point) -> [f64; 3] {
    let stops = &gradient.stops;
    let (first, last) = (stops[0], stops[stops.len() - 1]);
    let mut t = offset(gradient.kind, point) as f32;
    if gradient.repeat {
        t = first.offset + (t - first.offset).rem_euclid(last.offset - first.offset);
    }
    let premultiplied = |c: Color| [c.r * c.a, c.g * c.a, c.b * c.a, c.a];
    let [r, g, b, a] = match stops.iter().position(|stop| stop.offset > t) {
        None => premultiplied(last.color),
        Some(0) => premultiplied(first.color),
        Some(next) => {
            let (from, to) = (stops[next - 1], stops[next]);
            let part = (t - from.offset) / (to.offset - from.offset);
            let (x, y) = (premultiplied(from.color), premultiplied(to.color));
            std::array::from_fn(|channel| x[channel] + (y[channel] - x[channel]) * part)
        }
    };
    [r, g, b].map(|channel| f64::from(channel + 1.0 - a) * 255.0)
}

#[test]
fn gradients_paint_the_pixels_of_chromium() {
    let mut wrong = Vec::new();
    for (value, expected) in CHROMIUM {
        let gradient = resolve(value);
        for ((x, y), expected) in POINTS.into_iter().zip(expected) {
            let got = paint(&gradient, Point::new(x + 0.5, y + 0.5));
            if got.iter().zip(expected).any(|(a, b)| (a - f64::from(*b)).abs() > 2.5) {
                wrong.push(format!("{value} at {x} {y}: {got:.1?}, Chromium {expected:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn stops_never_go_back() {
    for (value, _) in CHROMIUM {
        let stops = resolve(value).stops;
        assert!(!stops.is_empty());
        assert!(stops.windows(2).all(|pair| pair[0].offset <= pair[1].offset), "{value}");
    }
}

#[test]
fn plain_gradients_keep_their_stops_and_others_get_few() {
    assert_eq!(resolve("linear-gradient(red, lime, blue)").stops.len(), 3);
    let expanded = resolve("linear-gradient(in oklch, red, blue)").stops.len();
    assert!((8..=130).contains(&expanded), "{expanded} stops");
}

#[test]
fn a_box_without_size_still_resolves() {
    let context = Context::new(Size::ZERO);
    for (value, _) in CHROMIUM {
        let gradient = Gradient::parse(value).unwrap().resolve(0.0, 0.0, &context);
        assert!(gradient.stops.iter().all(|stop| stop.offset.is_finite()), "{value}");
    }
}

#[test]
fn what_a_browser_refuses_is_refused() {
    for value in [
        "",
        "red",
        "linear-gradient()",
        "linear-gradient(red, 30%, 40%, blue)",
        "linear-gradient(20%, blue)",
        "linear-gradient(10% red, blue)",
        "linear-gradient(to left right, red, blue)",
        "linear-gradient(45, red, blue)",
        "linear-gradient(to right in srgb longer hue, red, blue)",
        "linear-gradient(red, blue 20deg)",
        "linear-gradient(red, blue) 5px",
        "radial-gradient(50%, red, blue)",
        "radial-gradient(circle 10px 10px, red, blue)",
        "radial-gradient(ellipse 10px, red, blue)",
        "conic-gradient(red 0, blue 10px)",
        "diamond-gradient(red, blue)",
    ] {
        assert!(Gradient::parse(value).is_err(), "{value} was accepted");
    }
    let long = format!("linear-gradient({}red)", "red,".repeat(5000));
    assert!(Gradient::parse(&long).is_err());
}
