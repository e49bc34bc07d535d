//! Gaussian blur as the browser draws it: three box passes, on a reduced picture when they are wide.

use crate::filter::scale::{enlarge, reduce};
use crate::simd::{nearest, widest};

/// Treatment of pixels beyond the edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    Transparent,
    /// The picture, reflected.
    Mirror,
}

/// Narrower blurs than this run on the picture itself.
const REDUCE_FROM: f64 = 14.0;
/// Minimum blur of reduced pictures: wide enough that linear interpolation restores the full size without visible loss.
const LEAST_REDUCED: f64 = 3.5;
/// Width of the three boxes for a deviation of one.
const BOX_WIDTH: f64 = 1.879_971_205_973_250_3;
/// Values blurred side by side.
const LANES: usize = 32;

/// How much smaller, as a power of two, a picture may be that is blurred so wide.
pub fn reduction(sigma: f64) -> u32 {
    if sigma < REDUCE_FROM { 0 } else { libm::log2(sigma / LEAST_REDUCED) as u32 }
}

/// The one width that stands for all that blur alike: boxes have whole widths.
pub fn settled(sigma: f64) -> f64 {
    if sigma <= 0.0 || sigma >= REDUCE_FROM { sigma } else { Boxes::of_sigma(sigma).0[0] as f64 / BOX_WIDTH }
}

/// Blurs `N` interleaved channels in place.
pub fn blur<const N: usize>(data: &mut [u8], width: usize, height: usize, sigma: (f64, f64), edge: Edge) {
    if width == 0 || height == 0 {
        return;
    }
    let (across, down) = (Axis::new(sigma.0, width), Axis::new(sigma.1, height));
    if across.by == 1 && down.by == 1 {
        passes::<N>(data, (width, height), (&across.boxes, &down.boxes), edge);
        return;
    }
    let by = (across.by, down.by);
    let small = (width.div_ceil(by.0), height.div_ceil(by.1));
    let mut reduced = reduce::<N>(data, width, height, by);
    passes::<N>(&mut reduced, small, (&across.boxes, &down.boxes), edge);
    enlarge::<N>(&reduced, small, data, width, by, edge);
}

fn passes<const N: usize>(data: &mut [u8], size: (usize, usize), boxes: (&Boxes, &Boxes), edge: Edge) {
    widest(
        #[inline(always)]
        || {
            rows::<N>(data, size.0, boxes.0, edge);
            columns(data, size.0 * N, size.1, boxes.1, edge);
        },
    );
}

/// How one direction is blurred.
struct Axis {
    /// Pixels that are taken as one.
    by: usize,
    boxes: Boxes,
}

impl Axis {
    fn new(sigma: f64, length: usize) -> Self {
        let boxes = Boxes::of_sigma(sigma);
        let by = 1 << reduction(sigma).min(length.max(8).ilog2() - 3);
        if by == 1 {
            return Self { by, boxes };
        }
        // Taking means and drawing straight lines between them blurs already.
        let rest = boxes.variance() / (by * by) as f64 - 0.25;
        Self { by, boxes: Boxes::of_variance(rest) }
    }
}

/// Blurs along rows, as many at once as there are lanes.
#[inline(always)]
fn rows<const N: usize>(data: &mut [u8], width: usize, boxes: &Boxes, edge: Edge) {
    if boxes.idle() {
        return;
    }
    let mut strip = Strip::new(width, boxes);
    for band in data.chunks_mut(LANES / N * width * N) {
        if N == 1 {
            turn_in(band, width, strip.inside());
        } else {
            for (i, row) in band.chunks_exact(width * N).enumerate() {
                for (to, from) in strip.inside().iter_mut().zip(row.as_chunks::<N>().0) {
                    to[i * N..(i + 1) * N].copy_from_slice(from);
                }
            }
        }
        strip.run(boxes, edge);
        if N == 1 {
            turn_out(&strip.blurred, band, width);
        } else {
            for (i, row) in band.chunks_exact_mut(width * N).enumerate() {
                for (to, from) in row.as_chunks_mut::<N>().0.iter_mut().zip(&strip.blurred) {
                    to.copy_from_slice(&from[i * N..(i + 1) * N]);
                }
            }
        }
    }
}

/// Rows of single values into lanes, eight by eight.
#[inline(always)]
fn turn_in(band: &[u8], width: usize, lines: &mut [[u8; LANES]]) {
    for (i, rows) in band.chunks(8 * width).enumerate() {
        let squares = if rows.len() == 8 * width { width / 8 } else { 0 };
        for (x, lines) in lines.as_chunks_mut::<8>().0.iter_mut().take(squares).enumerate() {
            let square = std::array::from_fn(|y| eight(&rows[y * width + x * 8..]));
            for (line, values) in lines.iter_mut().zip(turned(square)) {
                line.as_chunks_mut::<8>().0[i] = values.to_le_bytes();
            }
        }
        for (y, row) in rows.chunks_exact(width).enumerate() {
            for (line, value) in lines.iter_mut().zip(row).skip(squares * 8) {
                line[i * 8 + y] = *value;
            }
        }
    }
}

/// Lanes back into rows.
#[inline(always)]
fn turn_out(lines: &[[u8; LANES]], band: &mut [u8], width: usize) {
    for (i, rows) in band.chunks_mut(8 * width).enumerate() {
        let squares = if rows.len() == 8 * width { width / 8 } else { 0 };
        for (x, lines) in lines.as_chunks::<8>().0.iter().take(squares).enumerate() {
            let square = turned(lines.map(|line| eight(&line[i * 8..])));
            for (y, values) in square.into_iter().enumerate() {
                let at = y * width + x * 8;
                rows[at..at + 8].copy_from_slice(&values.to_le_bytes());
            }
        }
        for (y, row) in rows.chunks_exact_mut(width).enumerate() {
            for (line, value) in lines.iter().zip(row).skip(squares * 8) {
                *value = line[i * 8 + y];
            }
        }
    }
}

#[inline(always)]
fn eight(bytes: &[u8]) -> u64 {
    bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// A square of bytes with rows and columns exchanged: first single bytes, then blocks of two and of four.
#[inline(always)]
fn turned(mut rows: [u64; 8]) -> [u64; 8] {
    for (side, mask) in [(1, 0x00ff_00ff_00ff_00ff), (2, 0x0000_ffff_0000_ffff), (4, 0x0000_0000_ffff_ffff)] {
        for i in (0..8).filter(|i| i & side == 0) {
            let moved = ((rows[i] >> (8 * side)) ^ rows[i + side]) & mask;
            rows[i] ^= moved << (8 * side);
            rows[i + side] ^= moved;
        }
    }
    rows
}

/// Blurs along columns; neighbouring values of a row lie side by side already.
#[inline(always)]
fn columns(data: &mut [u8], stride: usize, height: usize, boxes: &Boxes, edge: Edge) {
    if boxes.idle() {
        return;
    }
    let mut strip = Strip::new(height, boxes);
    for at in (0..stride).step_by(LANES) {
        let count = LANES.min(stride - at);
        for (to, row) in strip.inside().iter_mut().zip(data.chunks_exact(stride)) {
            match row[at..].first_chunk::<LANES>() {
                Some(whole) => *to = *whole,
                None => to[..count].copy_from_slice(&row[at..]),
            }
        }
        strip.run(boxes, edge);
        for (row, from) in data.chunks_exact_mut(stride).zip(&strip.blurred) {
            match row[at..].first_chunk_mut::<LANES>() {
                Some(whole) => *whole = *from,
                None => row[at..].copy_from_slice(&from[..count]),
            }
        }
    }
}

/// Lines of one direction on their way through the boxes.
struct Strip {
    /// The lines with what is beyond their ends, after as many zeros as the first box is wide.
    source: Vec<[u8; LANES]>,
    begin: usize,
    blurred: Vec<[u8; LANES]>,
    /// The sums that the second and the third box still hold.
    held: [Vec<[i32; LANES]>; 2],
}

impl Strip {
    fn new(length: usize, boxes: &Boxes) -> Self {
        let [first, second, third] = boxes.0;
        let (left, right) = boxes.reach();
        Self {
            source: vec![[0; LANES]; first + left + length + right],
            begin: first + left,
            blurred: vec![[0; LANES]; length],
            held: [vec![[0; LANES]; second], vec![[0; LANES]; third]],
        }
    }

    #[inline(always)]
    fn inside(&mut self) -> &mut [[u8; LANES]] {
        &mut self.source[self.begin..self.begin + self.blurred.len()]
    }

    #[inline(always)]
    fn run(&mut self, boxes: &Boxes, edge: Edge) {
        let length = self.blurred.len();
        if edge == Edge::Mirror {
            let (left, right) = boxes.reach();
            for i in 1..=left {
                self.source[self.begin - i] = self.source[self.begin + reflect(-(i as isize), length)];
            }
            for i in length..length + right {
                self.source[self.begin + i] = self.source[self.begin + reflect(i as isize, length)];
            }
        }
        let [first, second, third] = boxes.0;
        let scale = 1.0 / (first * second * third) as f32;
        let [held_second, held_third] = &mut self.held;
        held_second.fill([0; LANES]);
        held_third.fill([0; LANES]);
        let mut sums = [[0i32; LANES]; 3];
        let (mut at_second, mut at_third) = (0, 0);
        let wait = first + second + third - 3;
        for (i, (enters, leaves)) in self.source[first..].iter().zip(&self.source).enumerate() {
            let (second_slot, third_slot) = (&mut held_second[at_second], &mut held_third[at_third]);
            for l in 0..LANES {
                let one = sums[0][l] + i32::from(enters[l]) - i32::from(leaves[l]);
                let two = sums[1][l] + one - second_slot[l];
                sums[2][l] += two - third_slot[l];
                (sums[0][l], sums[1][l]) = (one, two);
                (second_slot[l], third_slot[l]) = (one, two);
            }
            at_second = if at_second + 1 == second { 0 } else { at_second + 1 };
            at_third = if at_third + 1 == third { 0 } else { at_third + 1 };
            if i >= wait {
                let out = &mut self.blurred[i - wait];
                for l in 0..LANES {
                    out[l] = nearest(sums[2][l] as f32 * scale);
                }
            }
        }
    }
}

/// Index inside `0..n` of a position reflected at the edges.
fn reflect(i: isize, n: usize) -> usize {
    let period = 2 * n as isize;
    let i = i.rem_euclid(period);
    if i < n as isize { i as usize } else { (period - 1 - i) as usize }
}

/// Widths of three boxes; of even ones there are none or two, leaning opposite ways.
#[derive(Debug, PartialEq)]
struct Boxes([usize; 3]);

impl Boxes {
    fn of_sigma(sigma: f64) -> Self {
        let d = (sigma.clamp(0.0, 1e4) * BOX_WIDTH + 0.5).floor() as usize;
        let d = d.max(1);
        Self([d, d, if d % 2 == 1 { d } else { d + 1 }])
    }

    fn variance(&self) -> f64 {
        self.0.iter().map(|w| (w * w - 1) as f64 / 12.0).sum()
    }

    /// The boxes that come nearest.
    fn of_variance(variance: f64) -> Self {
        let d = (variance.max(0.0) * 4.0 + 1.0).sqrt().floor() as usize;
        let mut best = Self([d.max(1); 3]);
        if best.0[0].is_multiple_of(2) {
            best.0[2] += 1;
        }
        for a in d.saturating_sub(1).max(1)..d + 3 {
            for b in d.saturating_sub(1).max(1)..d + 3 {
                let boxes = Self([a, a, b]);
                if b % 2 == 1 && (boxes.variance() - variance).abs() < (best.variance() - variance).abs() {
                    best = boxes;
                }
            }
        }
        best
    }

    fn idle(&self) -> bool {
        self.0 == [1; 3]
    }

    /// How far the boxes together look back and ahead.
    fn reach(&self) -> (usize, usize) {
        let [first, second, third] = self.0;
        let left = first / 2 + (second - 1) / 2 + third / 2;
        (left, first + second + third - 3 - left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(sigma: f64) -> Vec<u8> {
        let mut row = vec![0u8; 400];
        row[100..200].fill(255);
        blur::<1>(&mut row, 400, 1, (sigma, 0.0), Edge::Transparent);
        row
    }

    #[test]
    fn edges_soften_as_in_the_browser() {
        // Read off Chromium's `filter: blur()` of a white box on black.
        assert_eq!(step(1.0)[96..104], [0, 0, 21, 85, 170, 234, 255, 255]);
        assert_eq!(step(2.5)[94..106], [2, 8, 20, 41, 71, 108, 147, 184, 214, 235, 247, 253]);
        assert_eq!(step(3.0)[94..106], [10, 20, 35, 57, 83, 112, 143, 172, 198, 220, 235, 245]);
        assert_eq!(step(10.0)[94..104], [74, 83, 93, 102, 112, 122, 133, 143, 153, 162]);
    }

    #[test]
    fn wide_blurs_follow_the_bell() {
        for sigma in [14.0, 17.3, 28.0, 40.0, 80.0] {
            let mut row = vec![0u8; 1200];
            row[600..].fill(255);
            blur::<1>(&mut row, 1200, 1, (sigma, 0.0), Edge::Transparent);
            let total: f64 = (-400..=400).map(|i| bell(i, sigma)).sum();
            for at in 300..900i32 {
                let expected: f64 =
                    (-400..=400).filter(|k| at + k >= 600).map(|k| bell(k, sigma)).sum::<f64>();
                let (got, expected) = (f64::from(row[at as usize]), expected / total * 255.0);
                if at < 1200 - 3 * sigma as i32 - 2 {
                    assert!((got - expected).abs() < 5.0, "sigma {sigma} at {at}: {got}, {expected}");
                }
            }
        }
    }

    fn bell(i: i32, sigma: f64) -> f64 {
        (-f64::from(i * i) / (2.0 * sigma * sigma)).exp()
    }

    #[test]
    fn single_values_blur_as_four_channels_do() {
        for (width, height) in [(45, 19), (64, 64), (7, 33), (8, 8)] {
            let values = noise(width * height);
            let mut four: Vec<u8> = values.iter().flat_map(|v| [*v; 4]).collect();
            let mut one = values;
            blur::<1>(&mut one, width, height, (2.7, 4.1), Edge::Transparent);
            blur::<4>(&mut four, width, height, (2.7, 4.1), Edge::Transparent);
            assert!(one.iter().zip(four.as_chunks::<4>().0).all(|(a, b)| [*a; 4] == *b), "{width} {height}");
        }
    }

    #[test]
    fn settled_widths_blur_as_those_they_stand_for() {
        for step in 1..1600 {
            let sigma = f64::from(step) * 0.01;
            let (own, settled) = (Axis::new(sigma, 500), Axis::new(settled(sigma), 500));
            assert_eq!((own.by, own.boxes), (settled.by, settled.boxes), "sigma {sigma}");
        }
        assert_eq!(settled(0.0), 0.0);
    }

    #[test]
    fn mirrored_edges_keep_a_flat_picture_flat() {
        for sigma in [0.8, 4.0, 30.0] {
            let mut data = [10u8, 90, 200, 255].repeat(37 * 23);
            blur::<4>(&mut data, 37, 23, (sigma, sigma), Edge::Mirror);
            assert!(data.as_chunks::<4>().0.iter().all(|p| *p == [10, 90, 200, 255]), "sigma {sigma}");
        }
    }

    fn noise(length: usize) -> Vec<u8> {
        let mut state = 5u32;
        let mut next = || {
            state = state.wrapping_mul(1664525).wrapping_add(1013904223);
            (state >> 24) as u8
        };
        (0..length).map(|_| next()).collect()
    }

    /// One value of a row through three boxes, summed up as defined.
    fn plain(row: &[u8], at: usize, boxes: &Boxes, edge: Edge) -> u8 {
        let [first, second, third] = boxes.0;
        let (left, _) = boxes.reach();
        let mut sum = 0.0;
        for i in 0..first {
            for j in 0..second {
                for k in 0..third {
                    let p = at as isize - left as isize + (i + j + k) as isize;
                    let inside = (0..row.len() as isize).contains(&p);
                    if inside || edge == Edge::Mirror {
                        sum += f64::from(row[reflect(p, row.len())]);
                    }
                }
            }
        }
        (sum / (first * second * third) as f64 + 0.5 + 1e-9) as u8
    }

    #[test]
    fn lanes_blur_as_single_values_do_in_both_directions() {
        let (width, height) = (45, 19);
        for (sigma, edge) in [(1.3, Edge::Mirror), (3.0, Edge::Transparent), (6.2, Edge::Mirror)] {
            let boxes = Boxes::of_sigma(sigma);
            let data = noise(width * height * 4);
            let (mut across, mut down) = (data.clone(), data.clone());
            blur::<4>(&mut across, width, height, (sigma, 0.0), edge);
            blur::<4>(&mut down, width, height, (0.0, sigma), edge);
            let value = |x: usize, y: usize, c: usize| data[(y * width + x) * 4 + c];
            for (i, (a, d)) in across.iter().zip(&down).enumerate() {
                let (x, y, c) = (i / 4 % width, i / 4 / width, i % 4);
                let row: Vec<u8> = (0..width).map(|x| value(x, y, c)).collect();
                let column: Vec<u8> = (0..height).map(|y| value(x, y, c)).collect();
                let expected = (plain(&row, x, &boxes, edge), plain(&column, y, &boxes, edge));
                assert!(a.abs_diff(expected.0) <= 1 && d.abs_diff(expected.1) <= 1, "{x} {y} {expected:?}");
            }
        }
    }
}
