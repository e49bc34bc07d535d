//! `filter` lists, their reduction to three kinds, and the filter presets.

use cssparser::{Parser, Token};
use kurbo::Vec2;

use crate::numeric::{angle, number_or_percent, positive_length};
use crate::parse::{Parsed, fail, only_none, parse_whole};
use crate::shadow::shadow;
use crate::{Color, Context, CssError, Length, Shadow};

#[derive(Clone, Debug, PartialEq)]
pub enum FilterFunction {
    Blur(Length),
    Brightness(f64),
    Contrast(f64),
    DropShadow(Shadow),
    Grayscale(f64),
    /// Degrees.
    HueRotate(f64),
    Invert(f64),
    Opacity(f64),
    Saturate(f64),
    Sepia(f64),
}

/// What every filter function comes down to.
#[derive(Clone, Debug, PartialEq)]
pub enum ResolvedFilter {
    /// Gaussian, same deviation both ways, in pixels.
    Blur {
        sigma: f64,
    },
    /// Rows for r, g, b, a; columns r, g, b, a, constant; on unpremultiplied sRGB in 0..1, clamped after.
    Matrix(Box<[f32; 20]>),
    DropShadow {
        offset: Vec2,
        sigma: f64,
        color: Color,
    },
}

/// A named look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FilterPreset {
    pub id: &'static str,
    pub css: &'static str,
}

const fn preset(id: &'static str, css: &'static str) -> FilterPreset {
    FilterPreset { id, css }
}

pub const FILTER_PRESETS: &[FilterPreset] = &[
    preset("none", "none"),
    preset("retro", "sepia(0.35) contrast(1.15) saturate(1.4) brightness(0.98)"),
    preset("vintage", "sepia(0.4) contrast(0.9) brightness(1.05) saturate(0.85)"),
    preset("wesAnderson", "sepia(0.2) saturate(1.45) hue-rotate(-8deg) brightness(1.08) contrast(0.95)"),
    preset("noir", "grayscale(1) contrast(1.4) brightness(0.9)"),
    preset("polaroid", "sepia(0.18) contrast(0.92) brightness(1.12) saturate(1.15)"),
    preset("cinematic", "contrast(1.2) saturate(0.85) brightness(0.92) hue-rotate(-5deg)"),
    preset("cool", "saturate(0.95) hue-rotate(12deg) brightness(1.02) contrast(1.05)"),
    preset("warm", "sepia(0.22) saturate(1.25) hue-rotate(-6deg) brightness(1.03)"),
    preset("expired", "sepia(0.3) hue-rotate(18deg) saturate(0.75) contrast(0.85) brightness(1.1)"),
    preset("kodak", "sepia(0.12) saturate(1.3) contrast(1.1) brightness(1.04)"),
    preset("super8", "sepia(0.3) contrast(1.25) saturate(1.2) brightness(0.95) blur(0.4px)"),
];

const EXPECTED: &str = "filter functions such as blur(4px) brightness(1.2), or the id of a filter preset";

/// A CSS filter list or the id of a preset (in any case); `none` is an empty list.
pub fn parse_filters(value: &str) -> Result<Vec<FilterFunction>, CssError> {
    let named = FILTER_PRESETS.iter().find(|preset| preset.id.eq_ignore_ascii_case(value.trim()));
    parse_whole(named.map_or(value, |preset| preset.css), "filter", EXPECTED, filters)
}

/// Longer lists are refused.
const MOST_FILTERS: usize = 64;

fn filters(input: &mut Parser<'_>) -> Parsed<Vec<FilterFunction>> {
    if only_none(input) {
        return Ok(Vec::new());
    }
    let mut found = vec![filter(input)?];
    while !input.is_exhausted() {
        if found.len() == MOST_FILTERS {
            return fail("a shorter list");
        }
        found.push(filter(input)?);
    }
    Ok(found)
}

fn filter(input: &mut Parser<'_>) -> Parsed<FilterFunction> {
    let name = match input.next()? {
        Token::Function(name) => name.to_ascii_lowercase(),
        _ => return fail(EXPECTED),
    };
    input.parse_nested_block(|input| {
        Ok(match name.as_str() {
            "blur" if input.is_exhausted() => FilterFunction::Blur(Length::ZERO),
            "blur" => FilterFunction::Blur(positive_length(input)?),
            "brightness" => FilterFunction::Brightness(amount(input, f64::INFINITY)?),
            "contrast" => FilterFunction::Contrast(amount(input, f64::INFINITY)?),
            "drop-shadow" => FilterFunction::DropShadow(shadow(input, false)?),
            "grayscale" => FilterFunction::Grayscale(amount(input, 1.0)?),
            "hue-rotate" if input.is_exhausted() => FilterFunction::HueRotate(0.0),
            "hue-rotate" => FilterFunction::HueRotate(angle(input)?),
            "invert" => FilterFunction::Invert(amount(input, 1.0)?),
            "opacity" => FilterFunction::Opacity(amount(input, 1.0)?),
            "saturate" => FilterFunction::Saturate(amount(input, f64::INFINITY)?),
            "sepia" => FilterFunction::Sepia(amount(input, 1.0)?),
            _ => return fail(EXPECTED),
        })
    })
}

/// A number or percentage, 1 when left out.
fn amount(input: &mut Parser<'_>, largest: f64) -> Parsed<f64> {
    if input.is_exhausted() {
        return Ok(1.0);
    }
    match number_or_percent(input)? {
        amount if amount < 0.0 => fail("an amount that is not negative"),
        amount => Ok(amount.min(largest)),
    }
}

/// In order; functions that change nothing are left out.
pub fn resolve_filters(filters: &[FilterFunction], context: &Context) -> Vec<ResolvedFilter> {
    filters.iter().filter_map(|filter| resolve(filter, context)).collect()
}

fn resolve(filter: &FilterFunction, context: &Context) -> Option<ResolvedFilter> {
    let matrix = |rgb: [[f64; 3]; 3], constant: f64, alpha: f64| {
        let mut cells = [0.0_f32; 20];
        for (row, values) in rgb.iter().enumerate() {
            for (column, value) in values.iter().enumerate() {
                cells[row * 5 + column] = *value as f32;
            }
            cells[row * 5 + 4] = constant as f32;
        }
        cells[18] = alpha as f32;
        (cells != IDENTITY).then(|| ResolvedFilter::Matrix(Box::new(cells)))
    };
    let diagonal = |value: f64| [[value, 0.0, 0.0], [0.0, value, 0.0], [0.0, 0.0, value]];
    match filter {
        FilterFunction::Blur(radius) => {
            let sigma = radius.resolve(context, 0.0);
            (sigma > 0.0).then_some(ResolvedFilter::Blur { sigma })
        }
        FilterFunction::DropShadow(shadow) => {
            let resolved = shadow.resolve(context);
            let visible = !resolved.color.is_transparent();
            visible.then_some(ResolvedFilter::DropShadow {
                offset: resolved.offset,
                // Unlike in box-shadow the length is the deviation itself.
                sigma: resolved.sigma * 2.0,
                color: resolved.color,
            })
        }
        FilterFunction::Brightness(amount) => matrix(diagonal(*amount), 0.0, 1.0),
        FilterFunction::Contrast(amount) => matrix(diagonal(*amount), 0.5 - 0.5 * amount, 1.0),
        FilterFunction::Invert(amount) => matrix(diagonal(1.0 - 2.0 * amount), *amount, 1.0),
        FilterFunction::Opacity(amount) => matrix(diagonal(1.0), 0.0, *amount),
        FilterFunction::Grayscale(amount) => matrix(between(&LUMINANCE, 1.0 - amount), 0.0, 1.0),
        FilterFunction::Sepia(amount) => matrix(between(&SEPIA, 1.0 - amount), 0.0, 1.0),
        FilterFunction::Saturate(amount) => matrix(between(&SATURATION_BASE, *amount), 0.0, 1.0),
        FilterFunction::HueRotate(degrees) => matrix(hue_rotation(*degrees), 0.0, 1.0),
    }
}

const IDENTITY: [f32; 20] = [
    1.0, 0.0, 0.0, 0.0, 0.0, //
    0.0, 1.0, 0.0, 0.0, 0.0, //
    0.0, 0.0, 1.0, 0.0, 0.0, //
    0.0, 0.0, 0.0, 1.0, 0.0,
];

// The coefficients of the Filter Effects specification.
const LUMINANCE: [[f64; 3]; 3] = [[0.2126, 0.7152, 0.0722]; 3];
const SATURATION_BASE: [[f64; 3]; 3] = [[0.213, 0.715, 0.072]; 3];
const SEPIA: [[f64; 3]; 3] = [[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]];

/// From `base` (0) to the identity (1), and beyond.
fn between(base: &[[f64; 3]; 3], t: f64) -> [[f64; 3]; 3] {
    std::array::from_fn(|row| {
        std::array::from_fn(|column| {
            let identity = if row == column { 1.0 } else { 0.0 };
            base[row][column] * (1.0 - t) + identity * t
        })
    })
}

fn hue_rotation(degrees: f64) -> [[f64; 3]; 3] {
    const COS: [[f64; 3]; 3] = [[0.787, -0.715, -0.072], [-0.213, 0.285, -0.072], [-0.213, -0.715, 0.928]];
    const SIN: [[f64; 3]; 3] = [[-0.213, -0.715, 0.928], [0.143, 0.140, -0.283], [-0.787, 0.715, 0.072]];
    let (sin, cos) = libm::sincos(degrees.rem_euclid(360.0).to_radians());
    std::array::from_fn(|row| {
        std::array::from_fn(|column| {
            SATURATION_BASE[row][column] + cos * COS[row][column] + sin * SIN[row][column]
        })
    })
}

#[cfg(test)]
mod tests {
    use kurbo::Size;

    use super::*;

    fn resolved(value: &str) -> Vec<ResolvedFilter> {
        resolve_filters(&parse_filters(value).unwrap(), &Context::new(Size::new(100.0, 100.0)))
    }

    /// The colour after one matrix, in 0..255.
    fn after(value: &str, rgba: [u8; 4]) -> [u8; 4] {
        let filters = resolved(value);
        let mut color = rgba.map(|channel| f32::from(channel) / 255.0);
        for filter in &filters {
            let ResolvedFilter::Matrix(m) = filter else { panic!("{filter:?} is not a matrix") };
            color = std::array::from_fn(|row| {
                let sum: f32 = (0..4).map(|column| m[row * 5 + column] * color[column]).sum();
                (sum + m[row * 5 + 4]).clamp(0.0, 1.0)
            });
        }
        color.map(|channel| (channel * 255.0).round() as u8)
    }

    #[test]
    fn colour_functions_match_chromium() {
        let orange = [230, 120, 40, 255];
        for (value, expected) in CHROMIUM {
            let got = after(value, orange);
            let close = got.iter().zip(expected).all(|(a, b)| a.abs_diff(*b) <= 1);
            assert!(close, "{value} gave {got:?}, Chromium {expected:?}");
        }
    }

    const CHROMIUM: &[(&str, [u8; 4])] = &[
        ("brightness(0.5)", [115, 60, 20, 255]),
        ("brightness(150%)", [255, 180, 60, 255]),
        ("contrast(1.4)", [255, 117, 5, 255]),
        ("contrast(0.3)", [158, 125, 101, 255]),
        ("grayscale(1)", [138, 138, 138, 255]),
        ("grayscale(60%)", [175, 131, 99, 255]),
        ("sepia(1)", [190, 169, 132, 255]),
        ("sepia(.4)", [214, 140, 77, 255]),
        ("saturate(2)", [255, 102, 0, 255]),
        ("saturate(.3)", [165, 132, 108, 255]),
        ("hue-rotate(90deg)", [40, 176, 45, 255]),
        ("hue-rotate(-30deg)", [255, 103, 99, 255]),
        ("invert()", [24, 135, 215, 255]),
        ("invert(.3)", [168, 124, 92, 255]),
        ("opacity(.5)", [231, 120, 40, 127]),
        ("sepia(.5) contrast(1.2)", [226, 148, 77, 255]),
    ];

    #[test]
    fn blur_is_a_deviation_and_so_is_the_third_length_of_a_drop_shadow() {
        assert_eq!(resolved("blur(6px)"), [ResolvedFilter::Blur { sigma: 6.0 }]);
        let shadow = &resolved("drop-shadow(red 1px 2px 4px)")[0];
        let expected = ResolvedFilter::DropShadow {
            offset: Vec2::new(1.0, 2.0),
            sigma: 4.0,
            color: Color::new(1.0, 0.0, 0.0, 1.0),
        };
        assert_eq!(*shadow, expected);
    }

    #[test]
    fn functions_that_change_nothing_are_left_out() {
        assert_eq!(resolved("none"), []);
        assert_eq!(
            resolved("blur(0) brightness(1) contrast(100%) opacity(1) saturate(1) grayscale(0) sepia(0)"),
            []
        );
    }

    #[test]
    fn presets_stand_for_their_css() {
        assert_eq!(FILTER_PRESETS.len(), 12);
        for preset in FILTER_PRESETS {
            assert_eq!(
                parse_filters(preset.id).unwrap(),
                parse_filters(preset.css).unwrap(),
                "{}",
                preset.id
            );
        }
        assert_eq!(parse_filters("WESANDERSON").unwrap(), parse_filters("wesAnderson").unwrap());
    }

    #[test]
    fn what_a_browser_refuses_is_refused() {
        for value in [
            "",
            "blur",
            "blur(-1px)",
            "blur(5)",
            "blur(5%)",
            "brightness(-1)",
            "url(#x)",
            "foo(1)",
            "none blur(1px)",
            "blur(1px), blur(2px)",
            "drop-shadow(1px)",
            "drop-shadow(1px 1px 1px 1px)",
            "hue-rotate(90)",
        ] {
            assert!(parse_filters(value).is_err(), "{value} was accepted");
        }
    }
}
