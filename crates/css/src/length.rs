//! Lengths and the `calc()` family.

use kurbo::Size;

use crate::Color;
use crate::parse::LARGEST_NUMBER;

/// What relative values refer to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Context {
    /// Pixels; base of `em`.
    pub font_size: f64,
    /// Pixels; base of `rem`.
    pub root_font_size: f64,
    /// Advance of the digit 0, in em; base of `ch`.
    pub zero_width: f64,
    /// Height of the letter x, in em; base of `ex`.
    pub x_height: f64,
    /// Base of `vw`, `vh`, `vmin` and `vmax`: the canvas.
    pub viewport: Size,
    /// What `currentcolor` means.
    pub current_color: Color,
}

impl Context {
    /// Font sizes 16 px, digits and letters half an em, black text.
    pub fn new(viewport: Size) -> Self {
        Self {
            font_size: 16.0,
            root_font_size: 16.0,
            zero_width: 0.5,
            x_height: 0.5,
            viewport,
            current_color: Color::BLACK,
        }
    }
}

/// A `<length-percentage>`.
#[derive(Clone, Debug, PartialEq)]
pub enum Length {
    Value(f64, Unit),
    Math(Box<Math>),
}

/// `calc()`, `min()`, `max()` and `clamp()`; plain numbers were folded away.
#[derive(Clone, Debug, PartialEq)]
pub enum Math {
    Sum(Vec<Length>),
    Scale(f64, Length),
    Min(Vec<Length>),
    Max(Vec<Length>),
    Clamp(Length, Length, Length),
}

/// Absolute units were converted to pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Px,
    /// The value is a fraction: 50% is 0.5.
    Percent,
    Em,
    Rem,
    Ch,
    Ex,
    Vw,
    Vh,
    Vmin,
    Vmax,
}

impl Length {
    pub const ZERO: Length = Length::Value(0.0, Unit::Px);

    pub fn px(value: f64) -> Self {
        Length::Value(value, Unit::Px)
    }

    /// 1 is 100%.
    pub fn percent(fraction: f64) -> Self {
        Length::Value(fraction, Unit::Percent)
    }

    /// In pixels; percentages are of `percent_base`.
    pub fn resolve(&self, context: &Context, percent_base: f64) -> f64 {
        let pixels = match self {
            Length::Value(value, unit) => value * unit.pixels(context, percent_base),
            Length::Math(math) => math.resolve(context, percent_base),
        };
        // NaN cannot come out of finite operands; an overflow is clamped.
        pixels.clamp(-LARGEST_NUMBER, LARGEST_NUMBER)
    }

    pub fn has_percent(&self) -> bool {
        match self {
            Length::Value(_, unit) => *unit == Unit::Percent,
            Length::Math(math) => match math.as_ref() {
                Math::Sum(lengths) | Math::Min(lengths) | Math::Max(lengths) => {
                    lengths.iter().any(Length::has_percent)
                }
                Math::Scale(_, length) => length.has_percent(),
                Math::Clamp(low, middle, high) => [low, middle, high].into_iter().any(Length::has_percent),
            },
        }
    }

    /// The sum, with terms of one unit added up.
    pub(crate) fn plus(self, other: Length) -> Length {
        let mut terms = self.into_terms();
        for term in other.into_terms() {
            let same_unit = terms.iter_mut().find_map(|existing| match (existing, &term) {
                (Length::Value(value, unit), Length::Value(_, other)) if unit == other => Some(value),
                _ => None,
            });
            match (same_unit, term) {
                (Some(value), Length::Value(more, _)) => *value += more,
                (_, term) => terms.push(term),
            }
        }
        if terms.len() == 1 { terms.remove(0) } else { Length::Math(Box::new(Math::Sum(terms))) }
    }

    fn into_terms(self) -> Vec<Length> {
        match self {
            Length::Math(math) => match *math {
                Math::Sum(terms) => terms,
                other => vec![Length::Math(Box::new(other))],
            },
            value => vec![value],
        }
    }

    pub(crate) fn times(self, factor: f64) -> Length {
        match self {
            Length::Value(value, unit) => {
                Length::Value((value * factor).clamp(-LARGEST_NUMBER, LARGEST_NUMBER), unit)
            }
            Length::Math(math) => match *math {
                Math::Sum(terms) => Length::Math(Box::new(Math::Sum(
                    terms.into_iter().map(|term| term.times(factor)).collect(),
                ))),
                other => Length::Math(Box::new(Math::Scale(factor, Length::Math(Box::new(other))))),
            },
        }
    }
}

impl Unit {
    fn pixels(self, context: &Context, percent_base: f64) -> f64 {
        let viewport = context.viewport;
        match self {
            Unit::Px => 1.0,
            Unit::Percent => percent_base,
            Unit::Em => context.font_size,
            Unit::Rem => context.root_font_size,
            Unit::Ch => context.zero_width * context.font_size,
            Unit::Ex => context.x_height * context.font_size,
            Unit::Vw => viewport.width / 100.0,
            Unit::Vh => viewport.height / 100.0,
            Unit::Vmin => viewport.width.min(viewport.height) / 100.0,
            Unit::Vmax => viewport.width.max(viewport.height) / 100.0,
        }
    }
}

impl Math {
    fn resolve(&self, context: &Context, percent_base: f64) -> f64 {
        let pixels = |length: &Length| length.resolve(context, percent_base);
        match self {
            Math::Sum(terms) => terms.iter().map(pixels).sum(),
            Math::Scale(factor, length) => factor * pixels(length),
            Math::Min(lengths) => lengths.iter().map(pixels).fold(f64::INFINITY, f64::min),
            Math::Max(lengths) => lengths.iter().map(pixels).fold(f64::NEG_INFINITY, f64::max),
            Math::Clamp(low, middle, high) => pixels(middle).min(pixels(high)).max(pixels(low)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn context() -> Context {
        Context { font_size: 20.0, zero_width: 0.6, ..Context::new(Size::new(1000.0, 500.0)) }
    }

    fn pixels(value: &str) -> f64 {
        Length::parse(value).unwrap().resolve(&context(), 200.0)
    }

    #[test]
    fn each_unit_resolves_to_pixels() {
        for (value, expected) in [
            ("12px", 12.0),
            ("0", 0.0),
            ("-3.5px", -3.5),
            ("50%", 100.0),
            ("2em", 40.0),
            ("1.5REM", 24.0),
            ("2ch", 24.0),
            ("1ex", 10.0),
            ("10vw", 100.0),
            ("10vh", 50.0),
            ("1vmin", 5.0),
            ("1vmax", 10.0),
            ("72pt", 96.0),
            ("1in", 96.0),
            ("2.54cm", 96.0),
            ("25.4mm", 96.0),
            ("1pc", 16.0),
            ("101.6q", 96.0),
        ] {
            assert!((pixels(value) - expected).abs() < 1e-4, "{value} gave {}", pixels(value));
        }
    }

    #[test]
    fn calculations_mix_units() {
        for (value, expected) in [
            ("calc(100% - 20px)", 180.0),
            ("calc((1em + 4px) * 2 / 4)", 12.0),
            ("calc(2 * -5px + 10%)", 10.0),
            ("min(50%, 30px)", 30.0),
            ("max(10vw, 3em, 1px)", 100.0),
            ("clamp(10px, 50%, 60px)", 60.0),
            ("calc(min(10px, 1em) * 2 - 1px)", 19.0),
            ("calc(1px * pi)", std::f64::consts::PI),
        ] {
            assert!((pixels(value) - expected).abs() < 1e-4, "{value} gave {}", pixels(value));
        }
    }

    #[test]
    fn what_a_browser_refuses_is_refused() {
        for value in [
            "",
            "10",
            "px",
            "10 px",
            "1px 2px",
            "10foo",
            "calc(1px + 2)",
            "calc(1px * 1px)",
            "calc(1px / 0)",
            "1e99px",
        ] {
            assert!(Length::parse(value).is_err(), "{value} was accepted");
        }
        let nested = format!("{}1px{}", "calc(".repeat(5000), ")".repeat(5000));
        assert!(Length::parse(&nested).is_err());
    }

    #[test]
    fn numbers_without_unit_are_pixels_where_asked_for() {
        assert_eq!(Length::parse_px("24").unwrap(), Length::px(24.0));
        assert_eq!(Length::parse_px("2em").unwrap().resolve(&context(), 0.0), 40.0);
    }

    #[test]
    fn absurd_lengths_are_clamped() {
        assert_eq!(pixels("9e20px"), LARGEST_NUMBER);
        assert_eq!(pixels("calc(-9e6em * 1000)"), -LARGEST_NUMBER);
    }

    #[test]
    fn the_error_is_a_sentence_with_the_value() {
        let error = Length::parse("10").unwrap_err().to_string();
        assert_eq!(error, "\"10\" is not a valid length: expected a length with a unit, such as 10px.");
    }
}
