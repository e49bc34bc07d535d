//! `background-size`, `background-position` and `background-repeat`, which replace those parts of the shorthand.

use super::{Background, BackgroundSize, MOST_LAYERS, Repeat, background_size, repeat_style};
use crate::parse::{list, parse_whole};
use crate::position::background_position;
use crate::{CssError, Position};

/// Lists of values; a layer takes the value of its number, and lists start again at their end. Empty ones change nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BackgroundLonghands {
    pub sizes: Vec<BackgroundSize>,
    pub positions: Vec<Position>,
    /// Horizontally and vertically.
    pub repeats: Vec<[Repeat; 2]>,
}

impl BackgroundLonghands {
    pub fn parse_sizes(value: &str) -> Result<Vec<BackgroundSize>, CssError> {
        let expected = "sizes such as 40px 20px, 50% or cover";
        parse_whole(value, "background size", expected, |input| list(input, MOST_LAYERS, background_size))
    }

    pub fn parse_positions(value: &str) -> Result<Vec<Position>, CssError> {
        let expected = "positions such as center, left 20% or right 10px bottom 5px";
        parse_whole(value, "background position", expected, |input| {
            list(input, MOST_LAYERS, background_position)
        })
    }

    pub fn parse_repeats(value: &str) -> Result<Vec<[Repeat; 2]>, CssError> {
        let expected = "repeat, repeat-x, repeat-y, no-repeat, space or round";
        parse_whole(value, "background repetition", expected, |input| list(input, MOST_LAYERS, repeat_style))
    }
}

impl Background {
    /// The background with these parts of its layers replaced.
    pub fn with(mut self, longhands: &BackgroundLonghands) -> Self {
        let BackgroundLonghands { sizes, positions, repeats } = longhands;
        for (layer, size) in self.layers.iter_mut().zip(sizes.iter().cycle()) {
            layer.size = size.clone();
        }
        for (layer, position) in self.layers.iter_mut().zip(positions.iter().cycle()) {
            layer.position = position.clone();
        }
        for (layer, repeat) in self.layers.iter_mut().zip(repeats.iter().cycle()) {
            layer.repeat = *repeat;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use kurbo::{Rect, Size, Vec2};

    use super::*;
    use crate::{Context, TilePlan};

    #[test]
    fn longhands_replace_the_parts_of_every_layer_in_turn() {
        let value = "linear-gradient(red, blue), linear-gradient(red, blue), linear-gradient(red, blue)";
        let longhands = BackgroundLonghands {
            sizes: BackgroundLonghands::parse_sizes("50px 20px, 100px").unwrap(),
            positions: BackgroundLonghands::parse_positions("right bottom").unwrap(),
            repeats: BackgroundLonghands::parse_repeats("no-repeat, repeat-x, no-repeat").unwrap(),
        };
        let background = Background::parse(value).unwrap().with(&longhands);
        let context = Context::new(Size::new(1000.0, 500.0));
        let plans: Vec<TilePlan> =
            background.layers.iter().map(|layer| layer.tiles(200.0, 100.0, &context).unwrap()).collect();
        let small = TilePlan { tile: Rect::new(150.0, 80.0, 200.0, 100.0), step: Vec2::ZERO };
        let wide = TilePlan { tile: Rect::new(100.0, 0.0, 200.0, 100.0), step: Vec2::new(100.0, 0.0) };
        assert_eq!(plans, [small, wide, small]);
        let plain = Background::parse(value).unwrap();
        assert_eq!(plain.clone().with(&BackgroundLonghands::default()), plain);
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(BackgroundLonghands::parse_sizes("-3px").is_err());
        assert!(BackgroundLonghands::parse_positions("left left").is_err());
        assert!(BackgroundLonghands::parse_repeats("sometimes").is_err());
    }
}
