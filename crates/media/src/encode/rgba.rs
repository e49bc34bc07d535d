//! Premultiplied RGBA to straight colour and alpha, for encoders of transparent or 10-bit video.
//!
//! Transparent pixels take the colour of visible ones around them, so that edges keep their colour after lossy encoding.

use rondo_pixels::BitmapRef;

/// Side of the squares in which invisible pixels take the colour of the visible ones.
const CELL: usize = 16;

/// BT.709.
const RED: f32 = 0.2126;
const BLUE: f32 = 0.0722;

/// Colours no longer multiplied by alpha.
pub fn straight(premultiplied: &[u8]) -> Vec<u8> {
    let mut out = premultiplied.to_vec();
    for pixel in out.as_chunks_mut::<4>().0 {
        *pixel = straight_pixel(*pixel);
    }
    out
}

pub(crate) fn straight_pixel([r, g, b, a]: [u8; 4]) -> [u8; 4] {
    match a {
        255 => [r, g, b, a],
        0 => [0; 4],
        _ => {
            let whole = u32::from(a);
            let part = |c: u8| ((u32::from(c) * 255 + whole / 2) / whole).min(255) as u8;
            [part(r), part(g), part(b), a]
        }
    }
}

/// A picture with even sides, colours not multiplied, and invisible pixels in the colours around them.
pub(crate) struct Spread {
    pub width: usize,
    pub pixels: Vec<[u8; 4]>,
}

impl Spread {
    /// Widened to `width` × `height` by repeating the last column and row.
    pub fn new(picture: &BitmapRef<'_>, width: usize, height: usize) -> Self {
        let own = picture.width as usize;
        let rows = picture.pixels.as_chunks::<4>().0;
        let mut pixels = Vec::with_capacity(width * height);
        for y in 0..height {
            let row = &rows[y.min(picture.height as usize - 1) * own..][..own];
            pixels.extend_from_slice(row);
            pixels.extend((own..width).map(|_| row[own - 1]));
        }
        let mut spread = Self { width, pixels };
        if spread.pixels.iter().any(|pixel| pixel[3] != 255) {
            let colours = spread.cell_colours(height);
            let across = width.div_ceil(CELL);
            for (i, pixel) in spread.pixels.iter_mut().enumerate() {
                *pixel = match pixel[3] {
                    0 => {
                        let [r, g, b] = colours[i / width / CELL * across + i % width / CELL];
                        [r, g, b, 0]
                    }
                    _ => straight_pixel(*pixel),
                };
            }
        }
        spread
    }

    /// The mean of what can be seen in each cell, or around it where it is empty.
    fn cell_colours(&self, height: usize) -> Vec<[u8; 3]> {
        let (across, down) = (self.width.div_ceil(CELL), height.div_ceil(CELL));
        let mut sums = vec![[0u32; 4]; across * down];
        for (y, row) in self.pixels.chunks_exact(self.width).enumerate() {
            for (cell, part) in sums[y / CELL * across..].iter_mut().zip(row.chunks(CELL)) {
                for pixel in part {
                    (0..4).for_each(|c| cell[c] += u32::from(pixel[c]));
                }
            }
        }
        let around = |i: usize| {
            let (x, y) = (i % across, i / across);
            let mut sum = [0; 4];
            for cell in (y.saturating_sub(1)..(y + 2).min(down))
                .flat_map(|y| &sums[y * across + x.saturating_sub(1)..y * across + (x + 2).min(across)])
            {
                (0..4).for_each(|c| sum[c] += cell[c]);
            }
            sum
        };
        (0..sums.len())
            .map(|i| {
                let [r, g, b, a] = if sums[i][3] > 0 { sums[i] } else { around(i) };
                [r, g, b].map(|c| (c * 255).checked_div(a).unwrap_or(0).min(255) as u8)
            })
            .collect()
    }

    /// Luma of every pixel, limited range; `depth` is 1 for eight bits, 4 for ten.
    pub fn luma(&self, pixel: [u8; 4], depth: f32) -> f32 {
        (16.0 + 219.0 / 255.0 * brightness(pixel.map(f32::from))) * depth
    }
}

fn brightness([r, g, b, _]: [f32; 4]) -> f32 {
    RED * r + (1.0 - RED - BLUE) * g + BLUE * b
}

/// Both chroma values, limited range.
pub(crate) fn chroma(pixel: [f32; 4], depth: f32) -> [f32; 2] {
    let y = brightness(pixel);
    let scaled = |difference: f32, most: f32| (128.0 + 224.0 / 255.0 * difference / most) * depth;
    [scaled(pixel[2] - y, 2.0 * (1.0 - BLUE)), scaled(pixel[0] - y, 2.0 * (1.0 - RED))]
}

/// The colour of four pixels, those that can be seen counting for more.
pub(crate) fn mean(four: [[u8; 4]; 4]) -> [f32; 4] {
    let mut sum = [0.0; 4];
    let mut weights = 0.0;
    for pixel in four {
        let weight = f32::from(pixel[3]) + 1.0;
        weights += weight;
        (0..3).for_each(|c| sum[c] += f32::from(pixel[c]) * weight);
    }
    sum.map(|c| c / weights)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unpremultiplying_restores_colours_and_keeps_transparent_pixels_empty() {
        let straight = straight(&[64, 32, 0, 128, 9, 8, 7, 255, 0, 0, 0, 0]);
        assert_eq!(straight, [128, 64, 0, 128, 9, 8, 7, 255, 0, 0, 0, 0]);
    }

    #[test]
    fn invisible_pixels_take_the_colour_of_their_neighbours_and_stay_invisible() {
        let mut pixels = vec![0; 64 * 4 * 4];
        pixels[..4].copy_from_slice(&[100, 50, 0, 128]);
        let spread = Spread::new(&BitmapRef { width: 64, height: 4, pixels: &pixels }, 64, 4);
        assert_eq!(spread.pixels[0], [199, 100, 0, 128]);
        for near in [1, 15, 16, 31, 64] {
            assert_eq!(spread.pixels[near], [199, 99, 0, 0], "pixel {near}");
        }
        assert_eq!(spread.pixels[40], [0; 4], "far away there is nothing to take");
    }

    #[test]
    fn an_odd_picture_repeats_its_last_column_and_row() {
        let spread = Spread::new(&BitmapRef { width: 1, height: 1, pixels: &[1, 2, 3, 255] }, 2, 2);
        assert_eq!(spread.pixels, [[1, 2, 3, 255]; 4]);
    }
}
