//! Easing curves: one registry of names, and the functions that take parameters.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use cssparser::{Parser, Token};

use crate::numeric::{Numeric, number, numeric};
use crate::parse::{Parsed, fail, list, parse_whole};
use crate::{Length, Unit};

/// A named curve.
#[derive(Clone, Copy, Debug)]
pub struct EasingEntry {
    pub name: &'static str,
    curve: fn(f64) -> f64,
}

const fn entry(name: &'static str, curve: fn(f64) -> f64) -> EasingEntry {
    EasingEntry { name, curve }
}

/// Every name. Names are matched without regard to case, `-` and `_`, except that the four CSS keywords with
/// their dashes come first: `ease-in` is the CSS curve, `easeIn` the quadratic one.
pub const EASINGS: &[EasingEntry] = &[
    entry("linear", |t| t),
    entry("ease", |t| bezier([0.25, 0.1, 0.25, 1.0], t)),
    entry("ease-in", |t| bezier([0.42, 0.0, 1.0, 1.0], t)),
    entry("ease-out", |t| bezier([0.0, 0.0, 0.58, 1.0], t)),
    entry("ease-in-out", |t| bezier([0.42, 0.0, 0.58, 1.0], t)),
    entry("easeIn", |t| t * t),
    entry("easeOut", |t| out(|t| t * t, t)),
    entry("easeInOut", |t| in_out(|t| t * t, t)),
    entry("easeInQuad", |t| t * t),
    entry("easeOutQuad", |t| out(|t| t * t, t)),
    entry("easeInOutQuad", |t| in_out(|t| t * t, t)),
    entry("easeInCubic", |t| t * t * t),
    entry("easeOutCubic", |t| out(|t| t * t * t, t)),
    entry("easeInOutCubic", |t| in_out(|t| t * t * t, t)),
    entry("easeInQuart", |t| t * t * t * t),
    entry("easeOutQuart", |t| out(|t| t * t * t * t, t)),
    entry("easeInOutQuart", |t| in_out(|t| t * t * t * t, t)),
    entry("easeInQuint", |t| t * t * t * t * t),
    entry("easeOutQuint", |t| out(|t| t * t * t * t * t, t)),
    entry("easeInOutQuint", |t| in_out(|t| t * t * t * t * t, t)),
    entry("easeInSine", sine),
    entry("easeOutSine", |t| out(sine, t)),
    entry("easeInOutSine", |t| in_out(sine, t)),
    entry("easeInExpo", expo),
    entry("easeOutExpo", |t| out(expo, t)),
    entry("easeInOutExpo", |t| in_out(expo, t)),
    entry("easeInCirc", circle),
    entry("easeOutCirc", |t| out(circle, t)),
    entry("easeInOutCirc", |t| in_out(circle, t)),
    entry("easeInBack", |t| back(BACK, t)),
    entry("easeOutBack", |t| out(|t| back(BACK, t), t)),
    entry("easeInOutBack", |t| in_out(|t| back(BACK * 1.525, t), t)),
    entry("easeInElastic", |t| out(elastic_out, t)),
    entry("easeOutElastic", elastic_out),
    entry("easeInOutElastic", elastic_in_out),
    entry("easeInBounce", |t| out(bounce, t)),
    entry("easeOutBounce", bounce),
    entry("easeInOutBounce", |t| in_out(|t| out(bounce, t), t)),
    entry("spring", |t| spring(1.0, 100.0, 10.0, t)),
    entry("step0", |t| if t > 0.0 { 1.0 } else { 0.0 }),
    entry("step1", |t| if t >= 1.0 { 1.0 } else { 0.0 }),
    entry("step-start", |t| if t >= 0.0 { 1.0 } else { 0.0 }),
    entry("step-end", |t| if t >= 1.0 { 1.0 } else { 0.0 }),
    entry("quad", |t| t * t),
    entry("cubic", |t| t * t * t),
    entry("sin", sine),
    entry("circle", circle),
    entry("exp", expo),
    entry("elastic", |t| elastic(1.0, t)),
    entry("back", |t| back(BACK, t)),
    entry("bounce", bounce),
];

/// CSS keywords that keep their dashes.
const DASHED: [&str; 6] = ["ease-in", "ease-out", "ease-in-out", "step-start", "step-end", "ease"];

#[derive(Clone, Debug, Default, PartialEq)]
pub enum Easing {
    #[default]
    Linear,
    /// A row of [`EASINGS`].
    Named(usize),
    CubicBezier([f64; 4]),
    Steps(u32, StepPosition),
    Spring {
        mass: f64,
        stiffness: f64,
        damping: f64,
    },
    /// CSS `linear()`: (input, output) knots, inputs not decreasing.
    Knots(Vec<(f64, f64)>),
    Elastic(f64),
    Back(f64),
    /// The curve run from its end.
    Out(Box<Easing>),
    /// The curve, then the same from its end.
    InOut(Box<Easing>),
}

/// Where the jumps of `steps()` lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepPosition {
    Start,
    End,
    None,
    Both,
}

impl Easing {
    /// `None` for an unknown name; callers then use [`Easing::Linear`].
    pub fn parse(value: &str) -> Option<Self> {
        let value = value.trim();
        named(value).or_else(|| parse_whole(value, "easing", "the name of a curve", easing).ok())
    }

    /// Progress at `t`, which is clamped to 0 to 1. The result may leave that range.
    pub fn at(&self, t: f64) -> f64 {
        let t = if t.is_nan() { 0.0 } else { t.clamp(0.0, 1.0) };
        match self {
            Easing::Linear => t,
            Easing::Named(row) => EASINGS.get(*row).map_or(t, |entry| (entry.curve)(t)),
            Easing::CubicBezier(points) => bezier(*points, t),
            Easing::Steps(count, position) => steps(f64::from(*count), *position, t),
            Easing::Spring { mass, stiffness, damping } => spring(*mass, *stiffness, *damping, t),
            Easing::Knots(knots) => piecewise(knots, t),
            Easing::Elastic(bounciness) => elastic(*bounciness, t),
            Easing::Back(overshoot) => back(*overshoot, t),
            Easing::Out(curve) => 1.0 - curve.at(1.0 - t),
            Easing::InOut(curve) if t < 0.5 => curve.at(2.0 * t) / 2.0,
            Easing::InOut(curve) => 1.0 - curve.at(2.0 - 2.0 * t) / 2.0,
        }
    }
}

fn plain(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '-' | '_')).map(|c| c.to_ascii_lowercase()).collect()
}

fn named(name: &str) -> Option<Easing> {
    let row = |wanted: &str| EASINGS.iter().position(|entry| entry.name.eq_ignore_ascii_case(wanted));
    if DASHED.iter().any(|keyword| keyword.eq_ignore_ascii_case(name)) {
        return row(name).map(Easing::Named);
    }
    let wanted = plain(name);
    if wanted == "linear" {
        return Some(Easing::Linear);
    }
    let matches = |entry: &EasingEntry| !DASHED.contains(&entry.name) && plain(entry.name) == wanted;
    EASINGS.iter().position(matches).map(Easing::Named)
}

fn easing(input: &mut Parser<'_>) -> Parsed<Easing> {
    let name = match input.next()? {
        Token::Ident(name) => return named(name).map_or_else(|| fail("the name of a curve"), Ok),
        Token::Function(name) => plain(name),
        _ => return fail("the name of a curve"),
    };
    input.parse_nested_block(|input| match name.as_str() {
        "cubicbezier" => {
            let points = numbers(input)?;
            let [x1, y1, x2, y2] = points[..] else { return fail("four numbers") };
            if !(0.0..=1.0).contains(&x1) || !(0.0..=1.0).contains(&x2) {
                return fail("first and third number between 0 and 1");
            }
            Ok(Easing::CubicBezier([x1, y1, x2, y2]))
        }
        "spring" => {
            let values = numbers(input)?;
            let mut parameters = [1.0, 100.0, 10.0];
            for (parameter, value) in parameters.iter_mut().zip(&values) {
                *parameter = *value;
            }
            let [mass, stiffness, damping] = parameters;
            if values.len() > 3 || mass <= 0.0 || stiffness <= 0.0 || damping < 0.0 {
                return fail("mass and stiffness above 0 and damping not below 0");
            }
            Ok(Easing::Spring { mass, stiffness, damping })
        }
        "steps" => step_function(input),
        "linear" => linear_function(input),
        "elastic" => Ok(Easing::Elastic(number(input)?)),
        "back" => Ok(Easing::Back(number(input)?)),
        "in" => easing(input),
        "out" => Ok(Easing::Out(Box::new(easing(input)?))),
        "inout" => Ok(Easing::InOut(Box::new(easing(input)?))),
        _ => fail("cubic-bezier(), steps(), spring(), linear(), elastic(), back(), in(), out() or inOut()"),
    })
}

fn numbers(input: &mut Parser<'_>) -> Parsed<Vec<f64>> {
    list(input, 4, number)
}

fn step_function(input: &mut Parser<'_>) -> Parsed<Easing> {
    let count = number(input)?;
    let mut position = StepPosition::End;
    if input.try_parse(Parser::expect_comma).is_ok() {
        position = match plain(input.expect_ident()?).as_str() {
            "start" | "jumpstart" => StepPosition::Start,
            "end" | "jumpend" => StepPosition::End,
            "jumpnone" => StepPosition::None,
            "jumpboth" => StepPosition::Both,
            _ => return fail("jump-start, jump-end, jump-none or jump-both"),
        };
    }
    let fewest = if position == StepPosition::None { 2.0 } else { 1.0 };
    if count.fract() != 0.0 || count < fewest {
        return fail("a whole number of steps, at least 1");
    }
    Ok(Easing::Steps(count as u32, position))
}

/// Longer `linear()` lists are refused.
const MOST_KNOTS: usize = 1024;

fn linear_function(input: &mut Parser<'_>) -> Parsed<Easing> {
    let mut written: Vec<(Option<f64>, f64)> = Vec::new();
    let items = list(input, MOST_KNOTS, |input| {
        let mut output = None;
        let mut inputs = Vec::new();
        while !input.is_exhausted() {
            match numeric(input)? {
                Numeric::Number(value) if output.is_none() => output = Some(value),
                Numeric::Length(Length::Value(fraction, Unit::Percent)) if inputs.len() < 2 => {
                    inputs.push(fraction)
                }
                _ => return fail("one number and at most two percentages"),
            }
        }
        match output {
            Some(output) => Ok((output, inputs)),
            None => fail("a number in each entry"),
        }
    })?;
    for (output, inputs) in items {
        if inputs.is_empty() {
            written.push((None, output));
        }
        written.extend(inputs.into_iter().map(|input| (Some(input), output)));
    }
    if written.len() < 2 {
        return fail("at least two entries");
    }
    let last = written.len() - 1;
    written[0].0.get_or_insert(0.0);
    written[last].0.get_or_insert(1.0);
    let mut largest = f64::NEG_INFINITY;
    for input in written.iter_mut().filter_map(|(input, _)| input.as_mut()) {
        largest = input.max(largest);
        *input = largest;
    }
    // First and last have an input, so every gap is between two that do.
    let mut knots: Vec<(f64, f64)> = Vec::with_capacity(written.len());
    for (index, (input, output)) in written.iter().enumerate() {
        let input = input.unwrap_or_else(|| {
            let before = knots.last().map_or(0.0, |knot| knot.0);
            let ahead = written[index..].iter().position(|(input, _)| input.is_some()).unwrap_or(0);
            let after = written.get(index + ahead).and_then(|(input, _)| *input).unwrap_or(1.0);
            before + (after - before) / (ahead + 1) as f64
        });
        knots.push((input, *output));
    }
    Ok(Easing::Knots(knots))
}

fn piecewise(knots: &[(f64, f64)], t: f64) -> f64 {
    let Some(last) = knots.len().checked_sub(1) else { return t };
    // The last knot at or before t, but never the last of all: ends are extrapolated along their segment.
    let after = knots.partition_point(|knot| knot.0 <= t);
    let from = after.saturating_sub(1).min(last.saturating_sub(1));
    let (a, b) = (knots[from], knots[(from + 1).min(last)]);
    if b.0 == a.0 { b.1 } else { a.1 + (b.1 - a.1) * (t - a.0) / (b.0 - a.0) }
}

fn steps(count: f64, position: StepPosition, t: f64) -> f64 {
    if t >= 1.0 {
        return 1.0;
    }
    let step = (t * count).floor();
    match position {
        StepPosition::End => step / count,
        StepPosition::Start => (step + 1.0) / count,
        StepPosition::None => (step / (count - 1.0)).min(1.0),
        StepPosition::Both => (step + 1.0) / (count + 1.0),
    }
}

fn out(curve: impl Fn(f64) -> f64, t: f64) -> f64 {
    1.0 - curve(1.0 - t)
}

fn in_out(curve: impl Fn(f64) -> f64, t: f64) -> f64 {
    if t < 0.5 { curve(2.0 * t) / 2.0 } else { 1.0 - curve(2.0 - 2.0 * t) / 2.0 }
}

fn bezier([x1, y1, x2, y2]: [f64; 4], t: f64) -> f64 {
    if t <= 0.0 || t >= 1.0 {
        return t.clamp(0.0, 1.0);
    }
    let curve = |a: f64, b: f64, s: f64| {
        3.0 * a * s * (1.0 - s) * (1.0 - s) + 3.0 * b * s * s * (1.0 - s) + s * s * s
    };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..52 {
        let middle = (low + high) / 2.0;
        if curve(x1, x2, middle) < t { low = middle } else { high = middle }
    }
    curve(y1, y2, (low + high) / 2.0)
}

const BACK: f64 = 1.70158;

fn back(overshoot: f64, t: f64) -> f64 {
    t * t * ((overshoot + 1.0) * t - overshoot)
}

fn sine(t: f64) -> f64 {
    if t >= 1.0 { 1.0 } else { 1.0 - libm::cos(t * FRAC_PI_2) }
}

fn expo(t: f64) -> f64 {
    if t <= 0.0 { 0.0 } else { libm::exp2(10.0 * (t - 1.0)) }
}

fn circle(t: f64) -> f64 {
    1.0 - (1.0 - t * t).max(0.0).sqrt()
}

fn elastic(bounciness: f64, t: f64) -> f64 {
    1.0 - libm::pow(libm::cos(t * FRAC_PI_2), 3.0) * libm::cos(t * bounciness * PI)
}

fn elastic_out(t: f64) -> f64 {
    if t <= 0.0 || t >= 1.0 {
        return t.clamp(0.0, 1.0);
    }
    libm::exp2(-10.0 * t) * libm::sin((t * 10.0 - 0.75) * TAU / 3.0) + 1.0
}

fn elastic_in_out(t: f64) -> f64 {
    if t <= 0.0 || t >= 1.0 {
        return t.clamp(0.0, 1.0);
    }
    let wave = libm::sin((20.0 * t - 11.125) * TAU / 4.5);
    if t < 0.5 {
        -libm::exp2(20.0 * t - 10.0) * wave / 2.0
    } else {
        libm::exp2(10.0 - 20.0 * t) * wave / 2.0 + 1.0
    }
}

fn bounce(t: f64) -> f64 {
    const HEIGHT: f64 = 7.5625;
    const WIDTH: f64 = 2.75;
    let arc = |center: f64, base: f64| {
        let off = t - center / WIDTH;
        HEIGHT * (off * off) + base
    };
    if t < 1.0 / WIDTH {
        arc(0.0, 0.0)
    } else if t < 2.0 / WIDTH {
        arc(1.5, 0.75)
    } else if t < 2.5 / WIDTH {
        arc(2.25, 0.9375)
    } else {
        arc(2.625, 0.984375)
    }
}

/// A damped oscillator over one second, its ends forced to 0 and 1.
fn spring(mass: f64, stiffness: f64, damping: f64, t: f64) -> f64 {
    if t <= 0.0 || t >= 1.0 {
        return t.clamp(0.0, 1.0);
    }
    let frequency = (stiffness / mass).sqrt();
    let ratio = damping / (2.0 * (stiffness * mass).sqrt());
    let decay = ratio * frequency;
    if ratio < 1.0 {
        let damped = frequency * (1.0 - ratio * ratio).sqrt();
        1.0 - libm::exp(-decay * t) * (libm::cos(damped * t) + decay / damped * libm::sin(damped * t))
    } else if ratio == 1.0 {
        1.0 - libm::exp(-frequency * t) * (1.0 + frequency * t)
    } else {
        let spread = frequency * (ratio * ratio - 1.0).sqrt();
        let (slow, fast) = (spread - decay, -spread - decay);
        1.0 - (fast * libm::exp(slow * t) - slow * libm::exp(fast * t)) / (fast - slow)
    }
}
