//! A palette of 255 colours: boxes of similar colours are split where they vary most (median cut), then every colour moves to
//! the mean of the colours it represents.

use rondo_pixels::BitmapRef;

use super::{TRANSPARENT, VISIBLE};
use crate::encode::rgba::straight_pixel;

/// Bits of a channel by which colours are distinguished while they are counted.
const BITS: u32 = 5;

/// k-means iterations.
const ROUNDS: usize = 4;

/// How much the eye minds a difference in each channel.
const WEIGHTS: [f32; 3] = [3.0, 4.0, 2.0];

/// Small things count for more than their area: a colour weighs its pixels to this power.
const POPULARITY: f32 = 0.6;

/// Colours of a film.
#[derive(Debug, Clone, PartialEq)]
pub struct Palette {
    colours: Vec<[f32; 3]>,
}

/// Looks at frames, then decides on their colours.
pub struct PaletteBuilder {
    bins: Vec<Bin>,
}

#[derive(Clone, Copy, Default)]
struct Bin {
    sum: [u64; 3],
    count: u64,
}

/// A colour of the film and how much it matters.
#[derive(Clone, Copy)]
struct Point {
    colour: [f32; 3],
    weight: f32,
    count: u64,
}

impl Default for PaletteBuilder {
    fn default() -> Self {
        Self { bins: vec![Bin::default(); 1 << (3 * BITS)] }
    }
}

impl PaletteBuilder {
    pub fn look_at(&mut self, picture: &BitmapRef<'_>) {
        for pixel in picture.pixels.as_chunks::<4>().0 {
            let [r, g, b, a] = straight_pixel(*pixel);
            if a >= VISIBLE {
                let part = |c: u8| usize::from(c >> (8 - BITS));
                let bin = &mut self.bins[(part(r) << (2 * BITS)) | (part(g) << BITS) | part(b)];
                bin.count += 1;
                [r, g, b].iter().zip(&mut bin.sum).for_each(|(c, sum)| *sum += u64::from(*c));
            }
        }
    }

    pub fn build(&self) -> Palette {
        let mut points: Vec<Point> = self
            .bins
            .iter()
            .filter(|bin| bin.count > 0)
            .map(|bin| Point {
                colour: bin.sum.map(|sum| sum as f32 / bin.count as f32),
                weight: (bin.count as f32).powf(POPULARITY),
                count: bin.count,
            })
            .collect();
        let mut colours = cut(&mut points);
        for _ in 0..ROUNDS {
            settle(&mut colours, &points);
        }
        prefer_flat(&mut colours, &points);
        for colour in &mut colours {
            *colour = colour.map(f32::round);
        }
        Palette { colours }
    }
}

/// Means of at most as many boxes as there are colours.
fn cut(points: &mut [Point]) -> Vec<[f32; 3]> {
    if points.is_empty() {
        return vec![[0.0; 3]];
    }
    let mut boxes = vec![(0..points.len(), spread(points))];
    while boxes.len() < usize::from(TRANSPARENT) {
        let Some(widest) =
            (0..boxes.len()).max_by(|a, b| boxes[*a].1.total.total_cmp(&boxes[*b].1.total).then(b.cmp(a)))
        else {
            break;
        };
        let (range, Spread { total, mean, axis }) = boxes[widest].clone();
        if total <= 0.0 {
            break;
        }
        let part = &mut points[range.clone()];
        part.sort_by(|a, b| a.colour[axis].total_cmp(&b.colour[axis]));
        let middle = part.partition_point(|point| point.colour[axis] < mean[axis]).clamp(1, part.len() - 1);
        let (low, high) = (range.start..range.start + middle, range.start + middle..range.end);
        boxes[widest] = (low.clone(), spread(&points[low]));
        boxes.push((high.clone(), spread(&points[high])));
    }
    boxes.into_iter().map(|(_, spread)| spread.mean).collect()
}

/// How much the colours of a box differ.
#[derive(Clone)]
struct Spread {
    total: f32,
    mean: [f32; 3],
    /// The channel that differs most.
    axis: usize,
}

fn spread(points: &[Point]) -> Spread {
    let weight: f64 = points.iter().map(|point| f64::from(point.weight)).sum();
    let mut mean = [0.0; 3];
    let mut variance = [0.0; 3];
    for c in 0..3 {
        let sum: f64 = points.iter().map(|p| f64::from(p.weight) * f64::from(p.colour[c])).sum();
        mean[c] = (sum / weight) as f32;
        let squares = points.iter().map(|p| f64::from(p.weight) * f64::from(p.colour[c] - mean[c]).powi(2));
        variance[c] = squares.sum::<f64>() as f32 * WEIGHTS[c];
    }
    let axis = (0..3).max_by(|a, b| variance[*a].total_cmp(&variance[*b])).unwrap_or(0);
    let total = if points.len() > 1 { variance.iter().sum() } else { 0.0 };
    Spread { total, mean, axis }
}

/// Moves every colour to the middle of the points it is nearest to.
fn settle(colours: &mut [[f32; 3]], points: &[Point]) {
    let mut sums = vec![([0.0f64; 3], 0.0f64); colours.len()];
    for point in points {
        let (sum, weight) = &mut sums[nearest(colours, point.colour)];
        *weight += f64::from(point.weight);
        (0..3).for_each(|c| sum[c] += f64::from(point.weight) * f64::from(point.colour[c]));
    }
    for (colour, (sum, weight)) in colours.iter_mut().zip(&sums) {
        if *weight > 0.0 {
            *colour = sum.map(|sum| (sum / weight) as f32);
        }
    }
}

/// A colour that stands mostly for one flat area becomes that area's colour.
fn prefer_flat(colours: &mut [[f32; 3]], points: &[Point]) {
    let mut totals = vec![0u64; colours.len()];
    let mut largest: Vec<Option<Point>> = vec![None; colours.len()];
    for point in points {
        let at = nearest(colours, point.colour);
        totals[at] += point.count;
        if largest[at].is_none_or(|known| known.count < point.count) {
            largest[at] = Some(*point);
        }
    }
    for ((colour, total), largest) in colours.iter_mut().zip(totals).zip(largest) {
        if let Some(point) = largest.filter(|point| point.count * 2 > total) {
            *colour = point.colour;
        }
    }
}

/// How different two colours look.
pub(super) fn distance(a: [f32; 3], b: [f32; 3]) -> f32 {
    (0..3).map(|c| WEIGHTS[c] * (a[c] - b[c]) * (a[c] - b[c])).sum()
}

fn nearest(colours: &[[f32; 3]], to: [f32; 3]) -> usize {
    let mut best = (0, f32::INFINITY);
    for (i, colour) in colours.iter().enumerate() {
        let distance = distance(*colour, to);
        if distance < best.1 {
            best = (i, distance);
        }
    }
    best.0
}

impl Palette {
    pub(crate) fn colour(&self, index: usize) -> [f32; 3] {
        self.colours[index]
    }

    /// The colour most like another, one of them left out; `None` when there is no other.
    pub(crate) fn nearest(&self, to: [f32; 3], without: Option<usize>) -> Option<usize> {
        let mut best = None;
        for (i, colour) in self.colours.iter().enumerate() {
            let distance = distance(*colour, to);
            if Some(i) != without && best.is_none_or(|(_, least)| distance < least) {
                best = Some((i, distance));
            }
        }
        best.map(|(i, _)| i)
    }

    /// As FFmpeg takes it: alpha, red, green and blue, the last one transparent.
    pub(crate) fn entries(&self) -> [u32; 256] {
        let mut entries = [0xff00_0000; 256];
        for (entry, [r, g, b]) in entries.iter_mut().zip(&self.colours) {
            *entry = 0xff00_0000 | (*r as u32) << 16 | (*g as u32) << 8 | *b as u32;
        }
        entries[usize::from(TRANSPARENT)] = 0x00ff_ffff;
        entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn palette(pixels: &[[u8; 4]]) -> Palette {
        let mut builder = PaletteBuilder::default();
        let bytes = pixels.concat();
        builder.look_at(&BitmapRef { width: pixels.len() as u32, height: 1, pixels: &bytes });
        builder.build()
    }

    #[test]
    fn few_colours_are_kept_exactly_and_transparent_pixels_are_ignored() {
        let flat = palette(&[[15, 23, 42, 255], [250, 204, 21, 255], [250, 204, 21, 255], [1, 2, 3, 20]]);
        let mut colours = flat.colours.clone();
        colours.sort_by(|a, b| a[0].total_cmp(&b[0]));
        assert_eq!(colours, [[15.0, 23.0, 42.0], [250.0, 204.0, 21.0]]);
    }

    #[test]
    fn a_wide_range_of_colours_is_covered_evenly() {
        let pixels: Vec<[u8; 4]> =
            (0..64 * 64).map(|i| [(i % 64 * 4) as u8, (i / 64 * 4) as u8, 128, 255]).collect();
        let palette = palette(&pixels);
        assert_eq!(palette.colours.len(), 255);
        for pixel in &pixels {
            let colour = [pixel[0], pixel[1], pixel[2]].map(f32::from);
            let error =
                distance(palette.colour(palette.nearest(colour, None).expect("a colour")), colour).sqrt();
            assert!(error < 40.0, "{pixel:?} is {error} away");
        }
    }

    #[test]
    fn a_film_that_shows_nothing_still_has_a_palette() {
        assert_eq!(palette(&[[0; 4]]).entries()[usize::from(TRANSPARENT)] >> 24, 0);
    }
}
