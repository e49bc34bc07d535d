//! Ordered dithering: any colour becomes the nearest palette colour or a fixed pattern of two, so that static content stays
//! static in the file.

use super::palette::{Palette, distance};
use super::{TRANSPARENT, VISIBLE};
use crate::encode::rgba::straight_pixel;

/// Bits of a channel by which colours are distinguished.
const BITS: u32 = 6;

/// A colour so near to the palette's needs no other mixed in.
const NEAR: f32 = 3.0 * 3.0 * 9.0;

/// Ordered thresholds, 8 × 8, from 0 to 63.
const ORDER: [[u8; 8]; 8] = [
    [0, 32, 8, 40, 2, 34, 10, 42],
    [48, 16, 56, 24, 50, 18, 58, 26],
    [12, 44, 4, 36, 14, 46, 6, 38],
    [60, 28, 52, 20, 62, 30, 54, 22],
    [3, 35, 11, 43, 1, 33, 9, 41],
    [51, 19, 59, 27, 49, 17, 57, 25],
    [15, 47, 7, 39, 13, 45, 5, 37],
    [63, 31, 55, 23, 61, 29, 53, 21],
];

/// Two colours, and in how many of 64 places the second one stands.
#[derive(Clone, Copy)]
struct Mix {
    first: u8,
    second: u8,
    share: u8,
}

pub struct Dither {
    palette: Palette,
    /// Worked out when first met.
    mixes: Vec<Option<Mix>>,
}

impl Dither {
    pub fn new(palette: Palette) -> Self {
        Self { palette, mixes: vec![None; 1 << (3 * BITS)] }
    }

    pub fn palette(&self) -> &Palette {
        &self.palette
    }

    /// The palette's index for a premultiplied pixel at a place.
    pub fn index(&mut self, pixel: [u8; 4], x: usize, y: usize) -> u8 {
        let [r, g, b, a] = straight_pixel(pixel);
        if a < VISIBLE {
            return TRANSPARENT;
        }
        let part = |c: u8| usize::from(c >> (8 - BITS));
        let at = (part(r) << (2 * BITS)) | (part(g) << BITS) | part(b);
        let mix = match self.mixes[at] {
            Some(mix) => mix,
            None => {
                let middle = |c: u8| f32::from(c >> (8 - BITS) << (8 - BITS)) + 1.5;
                let mix = mix(&self.palette, [r, g, b].map(middle));
                self.mixes[at] = Some(mix);
                mix
            }
        };
        if ORDER[y % 8][x % 8] < mix.share { mix.second } else { mix.first }
    }
}

fn mix(palette: &Palette, wanted: [f32; 3]) -> Mix {
    let Some(first) = palette.nearest(wanted, None) else { return Mix { first: 0, second: 0, share: 0 } };
    let alone = Mix { first: first as u8, second: first as u8, share: 0 };
    let from = palette.colour(first);
    let error = distance(from, wanted);
    if error <= NEAR {
        return alone;
    }
    // What is on the other side of the wanted colour, as far away.
    let beyond = [0, 1, 2].map(|c| 2.0 * wanted[c] - from[c]);
    let Some(second) = palette.nearest(beyond, Some(first)) else { return alone };
    let to = palette.colour(second);
    let length = distance(from, to);
    if length == 0.0 {
        return alone;
    }
    // Distances are squares: this is the foot of the perpendicular on the way from one to the other.
    let share = ((error + length - distance(to, wanted)) / (2.0 * length)).clamp(0.0, 0.5);
    let mixed = [0, 1, 2].map(|c| from[c] + (to[c] - from[c]) * share);
    if distance(mixed, wanted) > error * 0.8 {
        return alone;
    }
    Mix { first: first as u8, second: second as u8, share: (share * 64.0).round() as u8 }
}

#[cfg(test)]
mod tests {
    use super::super::PaletteBuilder;
    use super::*;
    use rondo_pixels::BitmapRef;

    fn black_and_white() -> Dither {
        let mut builder = PaletteBuilder::default();
        builder.look_at(&BitmapRef { width: 2, height: 1, pixels: &[0, 0, 0, 255, 255, 255, 255, 255] });
        Dither::new(builder.build())
    }

    #[test]
    fn grey_dithers_to_the_right_share_of_black_and_white() {
        let mut dither = black_and_white();
        let white = dither.palette().nearest([255.0; 3], None).expect("a colour") as u8;
        for grey in [64u8, 128, 200] {
            let count =
                (0..64).filter(|i| dither.index([grey, grey, grey, 255], i % 8, i / 8) == white).count();
            assert!(count.abs_diff(usize::from(grey) / 4) <= 2, "{count} of 64 places are white for {grey}");
        }
    }

    #[test]
    fn colours_of_the_palette_stay_plain_and_invisible_pixels_transparent() {
        let mut dither = black_and_white();
        let black = dither.palette().nearest([0.0; 3], None).expect("a colour") as u8;
        assert!((0..64).all(|i| dither.index([0, 0, 0, 255], i % 8, i / 8) == black));
        assert_eq!(dither.index([0, 0, 0, 100], 0, 0), TRANSPARENT);
    }
}
