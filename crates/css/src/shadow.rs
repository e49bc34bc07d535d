//! `box-shadow` and `text-shadow` lists.

use cssparser::Parser;
use kurbo::Vec2;

use crate::color::color;
use crate::numeric::length;
use crate::parse::{Parsed, fail, keyword, list, only_none, parse_whole};
use crate::{Color, ColorValue, Context, CssError, Length};

#[derive(Clone, Debug, PartialEq)]
pub struct Shadow {
    pub x: Length,
    pub y: Length,
    pub blur: Length,
    /// Box shadows only.
    pub spread: Length,
    pub color: ColorValue,
    /// Box shadows only.
    pub inset: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResolvedShadow {
    pub offset: Vec2,
    /// Deviation of the Gaussian: half the blur radius.
    pub sigma: f64,
    pub spread: f64,
    pub color: Color,
    pub inset: bool,
}

/// Longer lists are refused.
const MOST_SHADOWS: usize = 256;

/// Front to back; `none` is an empty list.
pub fn parse_box_shadows(value: &str) -> Result<Vec<Shadow>, CssError> {
    parse_whole(value, "box shadow", "shadows such as 0 4px 12px rgba(0,0,0,0.5)", |input| {
        shadows(input, true)
    })
}

/// Front to back; `none` is an empty list.
pub fn parse_text_shadows(value: &str) -> Result<Vec<Shadow>, CssError> {
    parse_whole(value, "text shadow", "shadows such as 2px 2px 4px black", |input| shadows(input, false))
}

fn shadows(input: &mut Parser<'_>, of_box: bool) -> Parsed<Vec<Shadow>> {
    if only_none(input) {
        return Ok(Vec::new());
    }
    list(input, MOST_SHADOWS, |input| shadow(input, of_box))
}

/// Colour and `inset` may stand before or after the lengths; spread and `inset` are for boxes.
pub(crate) fn shadow(input: &mut Parser<'_>, of_box: bool) -> Parsed<Shadow> {
    let (mut lengths, mut shadow_color, mut inset) = (None, None, false);
    while !input.is_exhausted() {
        if of_box && !inset && keyword(input, "inset") {
            inset = true;
        } else if lengths.is_none()
            && let Ok(x) = input.try_parse(length)
        {
            let y = length(input)?;
            let blur = match input.try_parse(length) {
                Ok(Length::Value(value, _)) if value < 0.0 => {
                    return fail("a blur radius that is not negative");
                }
                Ok(blur) => blur,
                Err(_) => Length::ZERO,
            };
            let spread = if of_box { input.try_parse(length).unwrap_or(Length::ZERO) } else { Length::ZERO };
            lengths = Some((x, y, blur, spread));
        } else if shadow_color.is_none() {
            shadow_color = Some(color(input)?);
        } else {
            return fail("two to four lengths and one colour");
        }
    }
    let Some((x, y, blur, spread)) = lengths else { return fail("at least two lengths") };
    Ok(Shadow { x, y, blur, spread, color: shadow_color.unwrap_or(ColorValue::CURRENT), inset })
}

impl Shadow {
    pub fn resolve(&self, context: &Context) -> ResolvedShadow {
        let pixels = |length: &Length| length.resolve(context, 0.0);
        ResolvedShadow {
            offset: Vec2::new(pixels(&self.x), pixels(&self.y)),
            sigma: pixels(&self.blur).max(0.0) / 2.0,
            spread: pixels(&self.spread),
            color: self.color.resolve(context),
            inset: self.inset,
        }
    }
}

#[cfg(test)]
mod tests {
    use kurbo::Size;

    use super::*;

    fn context() -> Context {
        Context { current_color: Color::WHITE, font_size: 10.0, ..Context::new(Size::new(100.0, 100.0)) }
    }

    #[test]
    fn colour_and_inset_may_come_first_or_last() {
        let first = parse_box_shadows("inset red 1px 2px 6px 4px").unwrap();
        let last = parse_box_shadows("1px 2px 6px 4px red inset").unwrap();
        assert_eq!(first, last);
        let shadow = first[0].resolve(&context());
        assert_eq!((shadow.offset, shadow.sigma, shadow.spread), (Vec2::new(1.0, 2.0), 3.0, 4.0));
        assert!(shadow.inset);
        assert_eq!(shadow.color.rgba8(), [255, 0, 0, 255]);
    }

    #[test]
    fn a_shadow_without_colour_has_the_colour_of_the_text() {
        let shadows = parse_text_shadows("0 0 1em, 2px 2px 0 rgba(0, 0, 0, .5)").unwrap();
        assert_eq!(shadows.len(), 2);
        let front = shadows[0].resolve(&context());
        assert_eq!((front.color, front.sigma), (Color::WHITE, 5.0));
    }

    #[test]
    fn none_means_no_shadow() {
        assert_eq!(parse_box_shadows("none").unwrap(), []);
        assert_eq!(parse_text_shadows(" none ").unwrap(), []);
    }

    #[test]
    fn what_a_browser_refuses_is_refused() {
        for value in [
            "",
            "1px",
            "1px 1px -1px red",
            "1px 1px red blue",
            "1px 1px,",
            "none, 1px 1px",
            "1 1",
            "10% 1px",
            "1px red 1px",
        ] {
            assert!(parse_box_shadows(value).is_err(), "{value} was accepted");
        }
        for value in ["1px 1px 1px 1px red", "inset 1px 1px red"] {
            assert!(parse_text_shadows(value).is_err(), "{value} was accepted");
        }
    }
}
