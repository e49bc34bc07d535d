//! The `background` shorthand: layers of gradients over a colour.

mod longhands;

use cssparser::{Parser, Token};
use kurbo::{Rect, Size, Vec2};

pub use self::longhands::BackgroundLonghands;
use crate::color::color;
use crate::gradient::gradient;
use crate::numeric::positive_length_percent;
use crate::parse::{Parsed, fail, keyword, list, parse_whole};
use crate::position::background_position;
use crate::{AxisPosition, ColorValue, Context, CssError, Gradient, Length, Position};

#[derive(Clone, Debug, PartialEq)]
pub struct Background {
    /// Front to back.
    pub layers: Vec<BackgroundLayer>,
    /// Beneath all layers.
    pub color: Option<ColorValue>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct BackgroundLayer {
    pub gradient: Gradient,
    pub position: Position,
    pub size: BackgroundSize,
    /// Horizontally and vertically.
    pub repeat: [Repeat; 2],
    pub origin: BackgroundBox,
    pub clip: BackgroundBox,
}

#[derive(Clone, Debug, PartialEq)]
pub enum BackgroundSize {
    /// `cover` and `contain` mean the same for gradients.
    Auto,
    /// `None` is `auto`.
    Lengths([Option<Length>; 2]),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeat {
    Repeat,
    NoRepeat,
    Space,
    Round,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BackgroundBox {
    Border,
    Padding,
    Content,
    /// Clips to the glyphs.
    Text,
}

/// The position of a layer's picture in its box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TilePlan {
    /// One tile; the gradient is resolved for its size.
    pub tile: Rect,
    /// Distance to the next tile on each axis; 0 where the tile is not repeated.
    pub step: Vec2,
}

/// More layers are refused.
const MOST_LAYERS: usize = 64;
/// Narrower tiles cannot be distinguished.
const SMALLEST_TILE: f64 = 1e-3;

impl Background {
    pub fn parse(value: &str) -> Result<Self, CssError> {
        let expected = "colours and gradients; pictures by url() are not supported";
        parse_whole(value, "background", expected, |input| {
            let mut parsed = list(input, MOST_LAYERS, layer)?;
            let last_color = parsed.last_mut().and_then(|layer| layer.color.take());
            if parsed.iter().any(|layer| layer.color.is_some()) {
                return fail("a colour in the last layer only");
            }
            let layers = parsed.into_iter().filter_map(|layer| layer.layer).collect();
            Ok(Background { layers, color: last_color })
        })
    }
}

struct ParsedLayer {
    layer: Option<BackgroundLayer>,
    color: Option<ColorValue>,
}

fn layer(input: &mut Parser<'_>) -> Parsed<ParsedLayer> {
    let (mut image, mut place, mut repeat, mut fill) = (None, None, None, None);
    let mut boxes: Vec<BackgroundBox> = Vec::new();
    let mut attachment = false;
    let start = input.state();
    while !input.is_exhausted() {
        if image.is_none() && keyword(input, "none") {
            image = Some(None);
        } else if image.is_none() && next_is_gradient(input) {
            image = Some(Some(gradient(input)?));
        } else if place.is_none()
            && let Ok(found) = input.try_parse(background_position)
        {
            let slash = input.try_parse(|input| input.expect_delim('/')).is_ok();
            place = Some((found, if slash { background_size(input)? } else { BackgroundSize::Auto }));
        } else if repeat.is_none()
            && let Ok(found) = input.try_parse(repeat_style)
        {
            repeat = Some(found);
        } else if boxes.len() < 2
            && let Ok(found) = input.try_parse(box_keyword)
        {
            boxes.push(found);
        } else if !attachment && ["scroll", "fixed", "local"].iter().any(|word| keyword(input, word)) {
            attachment = true;
        } else if fill.is_none() {
            fill = Some(color(input)?);
        } else {
            return fail("one picture, position, size, repetition, box and colour in each layer");
        }
    }
    if input.state().position() == start.position() {
        return fail("a colour or a gradient");
    }
    let (position, size) = place.unwrap_or((
        Position {
            x: AxisPosition::start(Length::percent(0.0)),
            y: AxisPosition::start(Length::percent(0.0)),
        },
        BackgroundSize::Auto,
    ));
    let layer = image.flatten().map(|gradient| BackgroundLayer {
        gradient,
        position,
        size,
        repeat: repeat.unwrap_or([Repeat::Repeat; 2]),
        origin: boxes
            .iter()
            .copied()
            .find(|found| *found != BackgroundBox::Text)
            .unwrap_or(BackgroundBox::Padding),
        clip: boxes.last().copied().unwrap_or(BackgroundBox::Border),
    });
    Ok(ParsedLayer { layer, color: fill })
}

fn next_is_gradient(input: &mut Parser<'_>) -> bool {
    let start = input.state();
    let found =
        matches!(input.next(), Ok(Token::Function(name)) if name.to_ascii_lowercase().ends_with("-gradient"));
    input.reset(&start);
    found
}

fn background_size(input: &mut Parser<'_>) -> Parsed<BackgroundSize> {
    if keyword(input, "cover") || keyword(input, "contain") {
        return Ok(BackgroundSize::Auto);
    }
    let side = |input: &mut Parser<'_>| {
        if keyword(input, "auto") { Ok(None) } else { positive_length_percent(input).map(Some) }
    };
    let width = side(input)?;
    let height = input.try_parse(side).unwrap_or(None);
    Ok(if width.is_none() && height.is_none() {
        BackgroundSize::Auto
    } else {
        BackgroundSize::Lengths([width, height])
    })
}

fn repeat_style(input: &mut Parser<'_>) -> Parsed<[Repeat; 2]> {
    let word = |input: &mut Parser<'_>| {
        Ok(match input.expect_ident()?.to_ascii_lowercase().as_str() {
            "repeat" => Repeat::Repeat,
            "no-repeat" => Repeat::NoRepeat,
            "space" => Repeat::Space,
            "round" => Repeat::Round,
            _ => return fail("repeat, no-repeat, space or round"),
        })
    };
    if keyword(input, "repeat-x") {
        return Ok([Repeat::Repeat, Repeat::NoRepeat]);
    }
    if keyword(input, "repeat-y") {
        return Ok([Repeat::NoRepeat, Repeat::Repeat]);
    }
    let horizontal = word(input)?;
    Ok([horizontal, input.try_parse(word).unwrap_or(horizontal)])
}

fn box_keyword(input: &mut Parser<'_>) -> Parsed<BackgroundBox> {
    Ok(match input.expect_ident()?.to_ascii_lowercase().as_str() {
        "border-box" => BackgroundBox::Border,
        "padding-box" => BackgroundBox::Padding,
        "content-box" => BackgroundBox::Content,
        "text" => BackgroundBox::Text,
        _ => return fail("border-box, padding-box, content-box or text"),
    })
}

impl BackgroundLayer {
    /// For a box of this size whose top left corner is the origin; `None` when nothing of the layer shows.
    pub fn tiles(&self, width: f64, height: f64, context: &Context) -> Option<TilePlan> {
        let mut size = match &self.size {
            BackgroundSize::Auto => Size::new(width, height),
            // Gradients have no proportions of their own: `auto` is the whole side.
            BackgroundSize::Lengths([x, y]) => Size::new(
                x.as_ref().map_or(width, |length| length.resolve(context, width)),
                y.as_ref().map_or(height, |length| length.resolve(context, height)),
            ),
        };
        if size.width < SMALLEST_TILE || size.height < SMALLEST_TILE {
            return None;
        }
        let rounded = |repeat: Repeat, tile: f64, room: f64| match repeat {
            Repeat::Round if room > 0.0 => room / (room / tile).round().max(1.0),
            _ => tile,
        };
        size = Size::new(
            rounded(self.repeat[0], size.width, width),
            rounded(self.repeat[1], size.height, height),
        );
        let place = self.position.resolve(Size::new(width - size.width, height - size.height), context);
        let (x, step_x) = along(self.repeat[0], place.x, size.width, width);
        let (y, step_y) = along(self.repeat[1], place.y, size.height, height);
        Some(TilePlan { tile: Rect::from_origin_size((x, y), size), step: Vec2::new(step_x, step_y) })
    }
}

/// Start of a tile and distance to the next on one axis.
fn along(repeat: Repeat, place: f64, tile: f64, room: f64) -> (f64, f64) {
    match repeat {
        Repeat::NoRepeat => (place, 0.0),
        Repeat::Repeat | Repeat::Round => (place, tile),
        Repeat::Space => {
            let count = (room / tile).floor();
            if count >= 2.0 { (0.0, (room - tile) / (count - 1.0)) } else { (place, 0.0) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn context() -> Context {
        Context::new(Size::new(1000.0, 500.0))
    }

    fn tiles(value: &str) -> TilePlan {
        Background::parse(value).unwrap().layers[0].tiles(200.0, 100.0, &context()).unwrap()
    }

    #[test]
    fn layers_lie_over_the_colour_of_the_last() {
        let background =
            Background::parse("linear-gradient(red, blue), radial-gradient(lime, transparent) white")
                .unwrap();
        assert_eq!(background.layers.len(), 2);
        assert_eq!(background.color.unwrap().resolve(&context()).rgba8(), [255; 4]);
        let plain = Background::parse("rgba(0, 0, 0, 0.5)").unwrap();
        assert!(plain.layers.is_empty() && plain.color.is_some());
        let none = Background::parse("none").unwrap();
        assert!(none.layers.is_empty() && none.color.is_none());
    }

    #[test]
    fn without_size_a_gradient_fills_the_box() {
        assert_eq!(tiles("linear-gradient(red, blue)").tile, Rect::new(0.0, 0.0, 200.0, 100.0));
        assert_eq!(
            tiles("linear-gradient(red, blue) center / cover").tile,
            Rect::new(0.0, 0.0, 200.0, 100.0)
        );
    }

    #[test]
    fn position_size_and_repetition_place_the_tiles() {
        let plan = tiles("linear-gradient(red, blue) right 10px bottom 5px / 50px 20px no-repeat");
        assert_eq!(plan, TilePlan { tile: Rect::new(140.0, 75.0, 190.0, 95.0), step: Vec2::ZERO });
        let plan = tiles("repeat-x linear-gradient(red, blue) center / 50px");
        assert_eq!(plan, TilePlan { tile: Rect::new(75.0, 0.0, 125.0, 100.0), step: Vec2::new(50.0, 0.0) });
        let plan = tiles("linear-gradient(red, blue) 0 0 / 60px 60px round");
        assert_eq!(plan.step, Vec2::new(200.0 / 3.0, 50.0));
        let plan = tiles("linear-gradient(red, blue) 0 0 / 60px 60px space");
        assert_eq!(plan.step, Vec2::new(70.0, 0.0));
    }

    #[test]
    fn a_clip_to_the_glyphs_is_kept() {
        let background = Background::parse("linear-gradient(red, blue) text").unwrap();
        assert_eq!(background.layers[0].clip, BackgroundBox::Text);
    }

    #[test]
    fn pictures_and_misplaced_colours_are_refused() {
        for value in [
            "",
            "url(a.png)",
            "red, blue",
            "red blue",
            "linear-gradient(red, blue),",
            "red / 10px",
            "linear-gradient(red, blue) linear-gradient(red, blue)",
        ] {
            assert!(Background::parse(value).is_err(), "{value} was accepted");
        }
    }
}
