//! For any text, parsing and resolving end without a panic and with finite numbers.

use kurbo::{Shape, Size};
use rondo_css::*;

const SEEDS: &[&str] = &[
    "linear-gradient(to top right in oklch longer hue, red 10px, 30%, rgb(1 2 3 / .5) 20% calc(50% + 1em))",
    "repeating-radial-gradient(circle farthest-corner at right 5px bottom 10%, hsl(20 30% none), color-mix(in lab, red 20%, currentcolor))",
    "repeating-conic-gradient(from 45deg at 10% 20%, #f00 0 15deg, oklab(0.5 0.1 -0.1) 0 1turn)",
    "conic-gradient(red, blue) center / 20px 10% round space border-box text, color(display-p3 1 0 0)",
    "inset 0 4px 12px -2px rgba(0, 0, 0, 0.5), 1vw 1vh 1em tomato",
    "blur(4px) brightness(120%) drop-shadow(1px 2px 3px red) hue-rotate(90deg) sepia(0.4)",
    "perspective(400px) rotate3d(1, 2, 3, 45deg) translate(10%, -5px) scale(2) skew(10deg, 5deg) matrix(1, 2, 3, 4, 5, 6)",
    "inset(10% 5px round 12px / 50%) border-box",
    "circle(farthest-side at left 10px top 20%)",
    "polygon(evenodd, 0 0, 100% 0, calc(50% - 1px) 100%)",
    "path('M0 0 h10 v10 q5 5 10 0 t1 1 s1 2 3 4 a5 5 30 1 0 10 10 z m1e3 .5-.5')",
    "2px dashed lch(50% 40 30)",
    "clamp(1px, min(2em, 3vw), max(4%, 5rem))",
    "12px 50% 3em / 1px 2px",
    "linear(0, 0.5 20% 80%, 1)",
    "inOut(back(1.7)) spring(1, 100, 10) cubic-bezier(.1, -2, .3, 4) steps(4, jump-both)",
];

const PIECES: &[&str] = &[
    "(",
    ")",
    ",",
    "/",
    " ",
    "-",
    "+",
    "*",
    "%",
    "1e38",
    "-1e38",
    "1e99",
    "0",
    "none",
    "at",
    "in",
    "to",
    "calc(",
    "color-mix(in hsl,",
    "linear-gradient(",
    "é",
    "\\",
    "\"",
    "'",
    "/*",
    "#",
    "url(",
    "deg",
    "px",
    "\u{0}",
    "💥",
    "currentcolor",
];

/// A small generator: the test is the same on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

fn finite(value: f64) {
    assert!(value.is_finite());
}

fn try_everything(value: &str, context: &Context, [width, height]: [f64; 2]) {
    if let Ok(color) = ColorValue::parse(value) {
        let color = color.resolve(context);
        assert!([color.r, color.g, color.b, color.a].iter().all(|channel| (0.0..=1.0).contains(channel)));
    }
    if let Ok(length) = Length::parse_px(value) {
        finite(length.resolve(context, width));
    }
    if let Ok(gradient) = Gradient::parse(value) {
        let stops = gradient.resolve(width, height, context).stops;
        assert!(!stops.is_empty() && stops.iter().all(|stop| stop.offset.is_finite()));
    }
    if let Ok(background) = Background::parse(value) {
        for layer in &background.layers {
            layer
                .tiles(width, height, context)
                .into_iter()
                .for_each(|plan| finite(plan.tile.area() + plan.step.x));
        }
    }
    for parse in [parse_box_shadows, parse_text_shadows] {
        for shadow in parse(value).unwrap_or_default() {
            let shadow = shadow.resolve(context);
            finite(shadow.offset.x + shadow.offset.y + shadow.sigma + shadow.spread);
        }
    }
    if let Ok(filters) = parse_filters(value) {
        resolve_filters(&filters, context);
    }
    if let Ok(transform) = Transform::parse(value) {
        transform.matrix(width, height, context).flatten().into_iter().for_each(finite);
    }
    if let Ok(origin) = TransformOrigin::parse(value) {
        origin.resolve(width, height, context).into_iter().for_each(finite);
    }
    if let Ok(Some(clip)) = ClipPath::parse(value)
        && let ResolvedShape::Path(path, _) = clip.resolve(width, height, context)
    {
        assert!(path.is_finite());
    }
    if let Ok(path) = parse_svg_path(value) {
        finite(path.bounding_box().area());
    }
    if let Ok(border) = Border::parse(value) {
        finite(border.resolve(context).width);
    }
    if let Ok(radius) = BorderRadius::parse(value) {
        radius.resolve(width, height, context).into_iter().for_each(|radius| finite(radius.x + radius.y));
    }
    if let Ok(padding) = Edges::parse_padding(value) {
        finite(padding.resolve(context, width).top);
    }
    if let Ok(position) = Position::parse(value) {
        finite(position.resolve(Size::new(width, height), context).x);
    }
    if let Some(easing) = Easing::parse(value) {
        for t in [f64::NAN, 0.0, 0.3, 1.0] {
            finite(easing.at(t));
        }
    }
}

#[test]
fn mangled_values_never_panic() {
    let mut random = Random(7);
    let context = Context::new(Size::new(1920.0, 1080.0));
    let boxes = [[200.0, 100.0], [0.0, 0.0], [1e5, 1e-9]];
    for round in 0..20_000 {
        let mut value = SEEDS[round % SEEDS.len()].to_owned();
        for _ in 0..random.below(4) {
            let places: Vec<usize> = value.char_indices().map(|(at, _)| at).collect();
            let at = places.get(random.below(places.len())).copied().unwrap_or(0);
            match random.below(3) {
                0 => value.insert_str(at, PIECES[random.below(PIECES.len())]),
                1 => value.truncate(at),
                _ => {
                    let end = places.get(random.below(places.len())).copied().unwrap_or(0);
                    let part = value[at.min(end)..at.max(end)].to_owned();
                    value = value.replacen(&part, PIECES[random.below(PIECES.len())], 1);
                }
            }
        }
        try_everything(&value, &context, boxes[random.below(boxes.len())]);
    }
}

#[test]
fn deep_and_long_values_are_refused_quickly() {
    let context = Context::new(Size::new(1920.0, 1080.0));
    for piece in ["calc(", "color-mix(in lab, red, ", "linear-gradient(", "out(", "((((", "min(1px,"] {
        try_everything(&piece.repeat(5_000), &context, [10.0, 10.0]);
    }
    for piece in ["1px ", "1px 1px red,", "blur(1px)", "scale(2)", "M0 0a1 1 0 0 0 9 9", "red,"] {
        try_everything(&piece.repeat(12_000), &context, [10.0, 10.0]);
    }
}
