//! Colour syntax.

use cssparser::{Parser, Token};

use super::{ColorMix, ColorSpace, ColorValue, Components, HueDirection, Written};
use crate::length::{Length, Unit};
use crate::numeric::{Numeric, numeric, percent};
use crate::parse::{Parsed, fail, keyword};

pub(crate) fn color(input: &mut Parser<'_>) -> Parsed<ColorValue> {
    let name = match input.next()? {
        Token::Hash(digits) | Token::IDHash(digits) => {
            let Ok((r, g, b, a)) = cssparser::color::parse_hash_color(digits.as_bytes()) else {
                return fail("3, 4, 6 or 8 hexadecimal digits after #");
            };
            let [r, g, b] = [r, g, b].map(|channel| f64::from(channel) / 255.0);
            return Ok(fixed(Components::srgb(r, g, b, a.into())));
        }
        Token::Ident(name) => {
            if name.eq_ignore_ascii_case("transparent") {
                return Ok(fixed(Components::srgb(0.0, 0.0, 0.0, 0.0)));
            }
            if name.eq_ignore_ascii_case("currentcolor") {
                return Ok(ColorValue::CURRENT);
            }
            let Ok((r, g, b)) = cssparser::color::parse_named_color(name) else {
                return fail("a known colour name or a colour such as #ff8800");
            };
            let [r, g, b] = [r, g, b].map(|channel| f64::from(channel) / 255.0);
            return Ok(fixed(Components::srgb(r, g, b, 1.0)));
        }
        Token::Function(name) => name.to_ascii_lowercase(),
        _ => return fail("a colour"),
    };
    input.parse_nested_block(|input| match name.as_str() {
        "rgb" | "rgba" => rgb(input).map(fixed),
        "hsl" | "hsla" => hsl(input).map(fixed),
        "hwb" => hwb(input).map(fixed),
        "lab" => lab_like(input, ColorSpace::Lab, [100.0, 125.0, 125.0]).map(fixed),
        "oklab" => lab_like(input, ColorSpace::Oklab, [1.0, 0.4, 0.4]).map(fixed),
        "lch" => lab_like(input, ColorSpace::Lch, [100.0, 150.0, 0.0]).map(fixed),
        "oklch" => lab_like(input, ColorSpace::Oklch, [1.0, 0.4, 0.0]).map(fixed),
        "color" => color_function(input).map(fixed),
        "color-mix" => color_mix(input),
        _ => fail("a colour function: rgb, hsl, hwb, lab, lch, oklab, oklch, color or color-mix"),
    })
}

fn fixed(components: Components) -> ColorValue {
    ColorValue(Written::Fixed(components))
}

#[derive(Clone, Copy, PartialEq)]
enum Channel {
    None,
    Number(f64),
    /// As a fraction.
    Percent(f64),
    /// Degrees.
    Angle(f64),
}

impl Channel {
    /// With the value that 100% stands for.
    fn scaled(self, whole: f64) -> Parsed<Option<f64>> {
        match self {
            Channel::None => Ok(None),
            Channel::Number(value) => Ok(Some(value)),
            Channel::Percent(fraction) => Ok(Some(fraction * whole)),
            Channel::Angle(_) => fail("a number or a percentage, not an angle"),
        }
    }

    fn hue(self) -> Parsed<Option<f64>> {
        match self {
            Channel::None => Ok(None),
            Channel::Number(degrees) | Channel::Angle(degrees) => Ok(Some(degrees.rem_euclid(360.0))),
            Channel::Percent(_) => fail("a hue as a number or an angle"),
        }
    }
}

fn channel(input: &mut Parser<'_>) -> Parsed<Channel> {
    if keyword(input, "none") {
        return Ok(Channel::None);
    }
    match numeric(input)? {
        Numeric::Number(value) => Ok(Channel::Number(value)),
        Numeric::Angle(degrees) => Ok(Channel::Angle(degrees)),
        Numeric::Length(Length::Value(fraction, Unit::Percent)) => Ok(Channel::Percent(fraction)),
        Numeric::Length(_) => fail("a number, a percentage or an angle"),
    }
}

/// Three channels and alpha, separated by commas (old) or by spaces and a slash.
struct Channels {
    channels: [Channel; 3],
    alpha: Option<f64>,
    commas: bool,
}

fn channels(input: &mut Parser<'_>, commas_allowed: bool) -> Parsed<Channels> {
    let first = channel(input)?;
    let commas = commas_allowed && input.try_parse(Parser::expect_comma).is_ok();
    let second = channel(input)?;
    if commas {
        input.expect_comma()?;
    }
    let third = channel(input)?;
    let channels = [first, second, third];
    if commas && channels.contains(&Channel::None) {
        return fail("no `none` between commas");
    }
    let alpha = if input.is_exhausted() {
        Some(1.0)
    } else {
        if commas {
            input.expect_comma()?
        } else {
            input.expect_delim('/')?
        }
        match channel(input)? {
            Channel::None if commas => return fail("an alpha between 0 and 1"),
            alpha => alpha.scaled(1.0)?.map(|alpha| alpha.clamp(0.0, 1.0)),
        }
    };
    Ok(Channels { channels, alpha, commas })
}

/// An sRGB colour of the old kind unless something is missing.
fn components(space: ColorSpace, channels: [Option<f64>; 3], alpha: Option<f64>) -> Components {
    if let ([Some(x), Some(y), Some(z)], Some(alpha)) = (channels, alpha) {
        let [r, g, b] = match space {
            ColorSpace::Hsl => super::space::hsl_to_srgb([x, y, z]),
            ColorSpace::Hwb => super::space::hwb_to_srgb([x, y, z]),
            _ => [x, y, z],
        };
        return Components::srgb(r, g, b, alpha);
    }
    Components { space, channels, alpha, legacy: false }
}

fn rgb(input: &mut Parser<'_>) -> Parsed<Components> {
    let Channels { channels, alpha, commas } = channels(input, true)?;
    let percents = channels.iter().filter(|channel| matches!(channel, Channel::Percent(_))).count();
    if commas && percents != 0 && percents != 3 {
        return fail("either numbers or percentages, not both");
    }
    let mut values = [None; 3];
    for (value, channel) in values.iter_mut().zip(channels) {
        *value = channel.scaled(255.0)?.map(|value| (value / 255.0).clamp(0.0, 1.0));
    }
    Ok(components(ColorSpace::Srgb, values, alpha))
}

/// A hue and two percentages (or numbers up to 100 in the newer syntax).
fn hue_and_shares(input: &mut Parser<'_>, commas_allowed: bool) -> Parsed<([Option<f64>; 3], Option<f64>)> {
    let Channels { channels: [hue, first, second], alpha, commas } = channels(input, commas_allowed)?;
    let share = |channel: Channel| match channel {
        Channel::Number(_) if commas => fail("percentages after the hue"),
        channel => Ok(channel.scaled(100.0)?.map(|value| value / 100.0)),
    };
    Ok(([hue.hue()?, share(first)?, share(second)?], alpha))
}

fn hsl(input: &mut Parser<'_>) -> Parsed<Components> {
    let ([hue, saturation, lightness], alpha) = hue_and_shares(input, true)?;
    let unit = |share: Option<f64>| share.map(|share| share.clamp(0.0, 1.0));
    Ok(components(ColorSpace::Hsl, [hue, unit(saturation), unit(lightness)], alpha))
}

fn hwb(input: &mut Parser<'_>) -> Parsed<Components> {
    let ([hue, white, black], alpha) = hue_and_shares(input, false)?;
    let unit = |share: Option<f64>| share.map(|share| share.clamp(0.0, 1.0));
    Ok(components(ColorSpace::Hwb, [hue, unit(white), unit(black)], alpha))
}

/// `wholes` are what 100% of each channel stands for.
fn lab_like(input: &mut Parser<'_>, space: ColorSpace, wholes: [f64; 3]) -> Parsed<Components> {
    let Channels { channels: [first, second, third], alpha, .. } = channels(input, false)?;
    let lightness = first.scaled(wholes[0])?.map(|lightness| lightness.clamp(0.0, wholes[0]));
    let second = second.scaled(wholes[1])?;
    let channels = if space.hue().is_some() {
        [lightness, second.map(|chroma| chroma.max(0.0)), third.hue()?]
    } else {
        [lightness, second, third.scaled(wholes[2])?]
    };
    Ok(Components { space, channels, alpha, legacy: false })
}

fn color_function(input: &mut Parser<'_>) -> Parsed<Components> {
    let space = match space_name(input)? {
        space @ (ColorSpace::Lab
        | ColorSpace::Oklab
        | ColorSpace::Lch
        | ColorSpace::Oklch
        | ColorSpace::Hsl
        | ColorSpace::Hwb) => {
            return fail(match space.hue() {
                Some(_) => "an RGB or XYZ space; write hsl(), hwb(), lch() or oklch() for this one",
                None => "an RGB or XYZ space; write lab() or oklab() for this one",
            });
        }
        space => space,
    };
    let Channels { channels, alpha, .. } = channels(input, false)?;
    let mut values = [None; 3];
    for (value, channel) in values.iter_mut().zip(channels) {
        *value = channel.scaled(1.0)?;
    }
    Ok(Components { space, channels: values, alpha, legacy: false })
}

fn space_name(input: &mut Parser<'_>) -> Parsed<ColorSpace> {
    Ok(match input.expect_ident()?.to_ascii_lowercase().as_str() {
        "srgb" => ColorSpace::Srgb,
        "srgb-linear" => ColorSpace::SrgbLinear,
        "display-p3" => ColorSpace::DisplayP3,
        "display-p3-linear" => ColorSpace::DisplayP3Linear,
        "a98-rgb" => ColorSpace::A98Rgb,
        "prophoto-rgb" => ColorSpace::ProphotoRgb,
        "rec2020" => ColorSpace::Rec2020,
        "xyz-d50" => ColorSpace::XyzD50,
        "xyz" | "xyz-d65" => ColorSpace::XyzD65,
        "lab" => ColorSpace::Lab,
        "oklab" => ColorSpace::Oklab,
        "lch" => ColorSpace::Lch,
        "oklch" => ColorSpace::Oklch,
        "hsl" => ColorSpace::Hsl,
        "hwb" => ColorSpace::Hwb,
        _ => return fail("a colour space such as srgb, display-p3 or oklch"),
    })
}

/// `in <space> [<direction> hue]`.
pub(crate) fn interpolation(input: &mut Parser<'_>) -> Parsed<(ColorSpace, HueDirection)> {
    input.expect_ident_matching("in")?;
    let space = space_name(input)?;
    let mut hue = HueDirection::Shorter;
    if space.hue().is_some() {
        let direction = input.try_parse(|input| {
            let direction = match input.expect_ident()?.to_ascii_lowercase().as_str() {
                "shorter" => HueDirection::Shorter,
                "longer" => HueDirection::Longer,
                "increasing" => HueDirection::Increasing,
                "decreasing" => HueDirection::Decreasing,
                _ => return fail("shorter, longer, increasing or decreasing"),
            };
            input.expect_ident_matching("hue")?;
            Ok(direction)
        });
        hue = direction.unwrap_or(hue);
    }
    Ok((space, hue))
}

fn color_mix(input: &mut Parser<'_>) -> Parsed<ColorValue> {
    let (space, hue) = match input.try_parse(|input| {
        let method = interpolation(input)?;
        input.expect_comma()?;
        Ok::<_, cssparser::ParseError<&'static str>>(method)
    }) {
        Ok(method) => method,
        Err(_) => (ColorSpace::Oklab, HueDirection::Shorter),
    };
    let (from, from_share) = color_and_share(input)?;
    input.expect_comma()?;
    let (to, to_share) = color_and_share(input)?;
    let (from_share, to_share) = match (from_share, to_share) {
        (None, None) => (0.5, 0.5),
        (Some(from), None) => (from, 1.0 - from),
        (None, Some(to)) => (1.0 - to, to),
        (Some(from), Some(to)) => (from, to),
    };
    let total = from_share + to_share;
    let t = if total > 0.0 { to_share / total } else { 0.5 };
    let mix = ColorMix { space, hue, from, to, t, alpha: total.min(1.0) };
    Ok(ColorValue(Written::Mix(Box::new(mix))))
}

fn color_and_share(input: &mut Parser<'_>) -> Parsed<(ColorValue, Option<f64>)> {
    let before = input.try_parse(percent).ok();
    let color = color(input)?;
    let share = before.or_else(|| input.try_parse(percent).ok());
    match share {
        Some(share) if !(0.0..=1.0).contains(&share) => fail("a percentage from 0% to 100%"),
        share => Ok((color, share)),
    }
}
