//! Numbers of every kind: plain, angles, percentages and lengths, with the `calc()` family.

use cssparser::{Parser, Token};

use crate::CssError;
use crate::length::{Length, Math, Unit};
use crate::parse::{LARGEST_NUMBER, Parsed, fail, keyword, list, parse_whole};

impl Length {
    pub fn parse(value: &str) -> Result<Self, CssError> {
        parse_whole(value, "length", "a length such as 10px, 2em or 50%", length_percent)
    }

    /// As [`Length::parse`], and a number without a unit is pixels.
    pub fn parse_px(value: &str) -> Result<Self, CssError> {
        parse_whole(value, "length", "a length such as 10px, 2em or 50%", |input| match numeric(input)? {
            Numeric::Length(length) => Ok(length),
            Numeric::Number(px) => Ok(Length::px(px)),
            Numeric::Angle(_) => fail("a length, not an angle"),
        })
    }
}

/// A number with its type; percentages count as lengths.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Numeric {
    Number(f64),
    /// Degrees.
    Angle(f64),
    Length(Length),
}

pub(crate) fn number(input: &mut Parser<'_>) -> Parsed<f64> {
    match numeric(input)? {
        Numeric::Number(value) => Ok(value),
        _ => fail("a number"),
    }
}

/// A number, or a percentage as a fraction.
pub(crate) fn number_or_percent(input: &mut Parser<'_>) -> Parsed<f64> {
    match numeric(input)? {
        Numeric::Number(value) | Numeric::Length(Length::Value(value, Unit::Percent)) => Ok(value),
        _ => fail("a number or a percentage"),
    }
}

/// As a fraction.
pub(crate) fn percent(input: &mut Parser<'_>) -> Parsed<f64> {
    match numeric(input)? {
        Numeric::Length(Length::Value(value, Unit::Percent)) => Ok(value),
        _ => fail("a percentage"),
    }
}

/// In degrees; a bare 0 is an angle too.
pub(crate) fn angle(input: &mut Parser<'_>) -> Parsed<f64> {
    match numeric(input)? {
        Numeric::Angle(degrees) => Ok(degrees),
        Numeric::Number(0.0) => Ok(0.0),
        _ => fail("an angle such as 45deg"),
    }
}

pub(crate) fn length_percent(input: &mut Parser<'_>) -> Parsed<Length> {
    match numeric(input)? {
        Numeric::Length(length) => Ok(length),
        Numeric::Number(0.0) => Ok(Length::ZERO),
        _ => fail("a length with a unit, such as 10px"),
    }
}

/// A length or percentage that is not below 0 where that is known without a context.
pub(crate) fn positive_length_percent(input: &mut Parser<'_>) -> Parsed<Length> {
    match length_percent(input)? {
        Length::Value(value, _) if value < 0.0 => fail("a length that is not negative"),
        length => Ok(length),
    }
}

pub(crate) fn length(input: &mut Parser<'_>) -> Parsed<Length> {
    let length = length_percent(input)?;
    if length.has_percent() { fail("a length, not a percentage") } else { Ok(length) }
}

pub(crate) fn positive_length(input: &mut Parser<'_>) -> Parsed<Length> {
    match length(input)? {
        Length::Value(value, _) if value < 0.0 => fail("a length that is not negative"),
        length => Ok(length),
    }
}

pub(crate) fn numeric(input: &mut Parser<'_>) -> Parsed<Numeric> {
    let name = match input.next()? {
        Token::Number { value, .. } => return Ok(Numeric::Number(bounded(f64::from(*value))?)),
        Token::Percentage { unit_value, .. } => {
            return Ok(Numeric::Length(Length::percent(bounded(f64::from(*unit_value))?)));
        }
        Token::Dimension { value, unit, .. } => return dimension(bounded(f64::from(*value))?, unit),
        Token::Function(name) => name.to_ascii_lowercase(),
        _ => return fail("a number"),
    };
    input.parse_nested_block(|input| math_function(&name, input))
}

fn bounded(value: f64) -> Parsed<f64> {
    if value.is_finite() { Ok(value.clamp(-LARGEST_NUMBER, LARGEST_NUMBER)) } else { fail("a finite number") }
}

fn dimension(value: f64, unit: &str) -> Parsed<Numeric> {
    let (factor, unit) = match unit.to_ascii_lowercase().as_str() {
        "deg" => return Ok(Numeric::Angle(value)),
        "grad" => return Ok(Numeric::Angle(value * 0.9)),
        "rad" => return Ok(Numeric::Angle(value.to_degrees())),
        "turn" => return Ok(Numeric::Angle(value * 360.0)),
        "px" => (1.0, Unit::Px),
        "in" => (96.0, Unit::Px),
        "cm" => (96.0 / 2.54, Unit::Px),
        "mm" => (96.0 / 25.4, Unit::Px),
        "q" => (96.0 / 101.6, Unit::Px),
        "pt" => (96.0 / 72.0, Unit::Px),
        "pc" => (16.0, Unit::Px),
        "em" => (1.0, Unit::Em),
        "rem" => (1.0, Unit::Rem),
        "ch" => (1.0, Unit::Ch),
        "ex" => (1.0, Unit::Ex),
        "vw" | "svw" | "lvw" | "dvw" => (1.0, Unit::Vw),
        "vh" | "svh" | "lvh" | "dvh" => (1.0, Unit::Vh),
        "vmin" | "svmin" | "lvmin" | "dvmin" => (1.0, Unit::Vmin),
        "vmax" | "svmax" | "lvmax" | "dvmax" => (1.0, Unit::Vmax),
        _ => {
            return fail(
                "a known unit: px, %, em, rem, ch, ex, vw, vh, vmin, vmax, pt, pc, in, cm, mm, q, deg, rad, grad or turn",
            );
        }
    };
    Ok(Numeric::Length(Length::Value(value * factor, unit)))
}

fn math_function(name: &str, input: &mut Parser<'_>) -> Parsed<Numeric> {
    match name {
        "calc" | "" => sum(input),
        "min" | "max" => {
            let values = list(input, 32, sum)?;
            let pick = if name == "min" { f64::min } else { f64::max };
            if let Some(number) = fold(&values, plain_number, pick) {
                return Ok(Numeric::Number(number));
            }
            if let Some(angle) = fold(&values, plain_angle, pick) {
                return Ok(Numeric::Angle(angle));
            }
            let lengths = values.into_iter().map(as_length).collect::<Parsed<Vec<_>>>()?;
            let math = if name == "min" { Math::Min(lengths) } else { Math::Max(lengths) };
            Ok(Numeric::Length(Length::Math(Box::new(math))))
        }
        "clamp" => {
            let low = sum(input)?;
            input.expect_comma()?;
            let middle = sum(input)?;
            input.expect_comma()?;
            let high = sum(input)?;
            Ok(match (low, middle, high) {
                (Numeric::Number(l), Numeric::Number(m), Numeric::Number(h)) => {
                    Numeric::Number(m.min(h).max(l))
                }
                (Numeric::Angle(l), Numeric::Angle(m), Numeric::Angle(h)) => Numeric::Angle(m.min(h).max(l)),
                (low, middle, high) => {
                    let math = Math::Clamp(as_length(low)?, as_length(middle)?, as_length(high)?);
                    Numeric::Length(Length::Math(Box::new(math)))
                }
            })
        }
        _ => fail("a number, calc(), min(), max() or clamp()"),
    }
}

fn plain_number(value: &Numeric) -> Option<f64> {
    if let Numeric::Number(value) = value { Some(*value) } else { None }
}

fn plain_angle(value: &Numeric) -> Option<f64> {
    if let Numeric::Angle(value) = value { Some(*value) } else { None }
}

fn fold(values: &[Numeric], plain: fn(&Numeric) -> Option<f64>, pick: fn(f64, f64) -> f64) -> Option<f64> {
    let mut plains = values.iter().map(plain);
    let first = plains.next()??;
    plains.try_fold(first, |best, value| Some(pick(best, value?)))
}

fn as_length(value: Numeric) -> Parsed<Length> {
    match value {
        Numeric::Length(length) => Ok(length),
        _ => fail("lengths throughout the calculation"),
    }
}

/// Operands of a sum; more are refused.
const MOST_OPERANDS: usize = 64;

fn sum(input: &mut Parser<'_>) -> Parsed<Numeric> {
    let mut total = product(input)?;
    for _ in 0..MOST_OPERANDS {
        let Ok(sign) = input.try_parse(|input| match input.next()? {
            Token::Delim('+') => Ok(1.0),
            Token::Delim('-') => Ok(-1.0),
            _ => fail("+ or -"),
        }) else {
            return Ok(total);
        };
        total = match (total, product(input)?) {
            (Numeric::Number(a), Numeric::Number(b)) => Numeric::Number(bounded(a + sign * b)?),
            (Numeric::Angle(a), Numeric::Angle(b)) => Numeric::Angle(bounded(a + sign * b)?),
            (Numeric::Length(a), Numeric::Length(b)) => Numeric::Length(a.plus(b.times(sign))),
            _ => return fail("terms of one kind on both sides of + and -"),
        };
    }
    fail("a shorter calculation")
}

fn product(input: &mut Parser<'_>) -> Parsed<Numeric> {
    let mut total = operand(input)?;
    for _ in 0..MOST_OPERANDS {
        let Ok(divides) = input.try_parse(|input| match input.next()? {
            Token::Delim('*') => Ok(false),
            Token::Delim('/') => Ok(true),
            _ => fail("* or /"),
        }) else {
            return Ok(total);
        };
        let right = operand(input)?;
        total = match (total, right, divides) {
            (value, Numeric::Number(factor), false) | (Numeric::Number(factor), value, false) => {
                scale(value, factor)?
            }
            (value, Numeric::Number(divisor), true) => scale(value, bounded(1.0 / divisor)?)?,
            _ => return fail("a plain number on one side of * and to the right of /"),
        };
    }
    fail("a shorter calculation")
}

fn scale(value: Numeric, factor: f64) -> Parsed<Numeric> {
    Ok(match value {
        Numeric::Number(value) => Numeric::Number(bounded(value * factor)?),
        Numeric::Angle(value) => Numeric::Angle(bounded(value * factor)?),
        Numeric::Length(length) => Numeric::Length(length.times(factor)),
    })
}

fn operand(input: &mut Parser<'_>) -> Parsed<Numeric> {
    if input.try_parse(Parser::expect_parenthesis_block).is_ok() {
        return input.parse_nested_block(sum);
    }
    if keyword(input, "pi") {
        return Ok(Numeric::Number(std::f64::consts::PI));
    }
    if keyword(input, "e") {
        return Ok(Numeric::Number(std::f64::consts::E));
    }
    numeric(input)
}
