//! Scaling pictures along their axes with the right filter: the mean of the covered area when it shrinks, bilinear when
//! it grows, a plain copy when it does neither.

use std::collections::VecDeque;

use kurbo::Rect;
use rondo_pixels::{Bitmap, BitmapRef, Picture};

use crate::simd::widest;

const ONE: u32 = 1 << 14;
/// Up to this many rows, truncating each product costs less than a tenth of a level.
const FEW: usize = 12;

/// Which source pixels make one target pixel; the weights sum to `ONE`.
struct Taps {
    first: usize,
    weights: Vec<u32>,
}

/// Scales a whole bitmap to another size.
pub fn scale_bitmap(bitmap: BitmapRef<'_>, width: u32, height: u32) -> Bitmap {
    let whole = Rect::new(0.0, 0.0, f64::from(bitmap.width), f64::from(bitmap.height));
    resize(bitmap, whole, width, height)
}

/// Stretches `source` (in pixels of the view) over a picture of the given size.
pub fn resize(view: BitmapRef<'_>, source: Rect, width: u32, height: u32) -> Bitmap {
    widest(
        #[inline(always)]
        || scaled(view, source, width, height),
    )
}

/// Most halvings whose sums of pixels fit into sixteen bits.
const MOST_HALVINGS: u32 = 4;

/// Whether a picture can be halved so often without a rest.
pub fn halves_evenly((width, height): (u32, u32), halvings: u32) -> bool {
    halvings <= MOST_HALVINGS && (width | height).trailing_zeros() >= halvings
}

/// Rows of the source that are made at once.
const STRIP: usize = 64;

/// Means of as many pixels across and down as the halvings leave as one, for pictures that halve evenly.
pub fn halve(picture: &Picture, halvings: u32, out: &mut Bitmap) {
    let (width, height) = (picture.width as usize, picture.height as usize);
    let (stride, count) = (width * 4, 1 << halvings);
    let mut room = vec![0; stride * STRIP];
    let mut sums = vec![0; stride];
    let targets = out.pixels.chunks_mut((stride / count * (STRIP / count)).max(1));
    for (first, target) in (0..height).step_by(STRIP).zip(targets) {
        let end = (first + STRIP).min(height);
        let strip = picture.pixels.rows(width, first..end, &mut room[..(end - first) * stride]);
        widest(
            #[inline(always)]
            || {
                let target = target.chunks_exact_mut(stride / count);
                for (target, rows) in target.zip(strip.chunks_exact(stride * count)) {
                    halve_rows(rows, halvings, &mut sums, target);
                }
            },
        );
    }
}

/// One row of means. `sums` is as long as a row of the source.
#[inline(always)]
fn halve_rows(rows: &[u8], halvings: u32, sums: &mut [u16], target: &mut [u8]) {
    let (first, others) = rows.split_at(sums.len());
    if halvings == 1 {
        return halve_once(first, others, target);
    }
    sums.iter_mut().zip(first).for_each(|(sum, v)| *sum = u16::from(*v));
    for row in others.chunks_exact(sums.len()) {
        sums.iter_mut().zip(row).for_each(|(sum, v)| *sum += u16::from(*v));
    }
    let mut length = sums.len();
    for _ in 1..halvings {
        length /= 2;
        for i in 0..length / 4 {
            let pair: [u16; 8] = std::array::from_fn(|j| sums[i * 8 + j]);
            for c in 0..4 {
                sums[i * 4 + c] = pair[c] + pair[c + 4];
            }
        }
    }
    let half = 1 << (2 * halvings - 1);
    for (target, pair) in target.as_chunks_mut::<4>().0.iter_mut().zip(sums.as_chunks::<8>().0) {
        for c in 0..4 {
            target[c] = ((pair[c] + pair[c + 4] + half) >> (2 * halvings)) as u8;
        }
    }
}

/// The same for one halving, which playing at half size needs: the channels of two pixels at a time, two in each half of a word.
#[inline(always)]
fn halve_once(first: &[u8], second: &[u8], target: &mut [u8]) {
    const EVEN: u64 = 0x00ff_00ff_00ff_00ff;
    let mean = |sums: u64| ((sums as u32 + (sums >> 32) as u32 + 0x0002_0002) >> 2) & EVEN as u32;
    let pairs = first.as_chunks::<8>().0.iter().zip(second.as_chunks::<8>().0);
    for (target, (above, below)) in target.as_chunks_mut::<4>().0.iter_mut().zip(pairs) {
        let (above, below) = (u64::from_le_bytes(*above), u64::from_le_bytes(*below));
        let even = (above & EVEN) + (below & EVEN);
        let odd = ((above >> 8) & EVEN) + ((below >> 8) & EVEN);
        *target = (mean(even) | mean(odd) << 8).to_le_bytes();
    }
}

#[inline(always)]
fn scaled(view: BitmapRef<'_>, source: Rect, width: u32, height: u32) -> Bitmap {
    let mut out = Bitmap::new(width, height);
    if view.width == 0 || view.height == 0 || width == 0 || height == 0 {
        return out;
    }
    let rows = taps(source.y0, source.y1, height, view.height);
    let mut across = Across::new(taps(source.x0, source.x1, width, view.width));
    for (y, taps) in rows.iter().enumerate() {
        across.scale(taps, |row| view.row(row), out.span_mut(y as i32, 0, width as i32));
    }
    out
}

/// Makes one target row at a time from the source rows that it covers.
struct Across {
    columns: Vec<Taps>,
    /// Source columns that are used.
    x0: usize,
    x1: usize,
    copies: bool,
    sums: Vec<u32>,
    line: Vec<u16>,
}

impl Across {
    #[inline(always)]
    fn new(columns: Vec<Taps>) -> Self {
        let x0 = columns.iter().map(|t| t.first).min().unwrap_or(0);
        let x1 = columns.iter().map(|t| t.first + t.weights.len()).max().unwrap_or(0);
        let copies = columns.iter().enumerate().all(|(i, t)| t.weights.len() == 1 && t.first == x0 + i);
        Self { columns, x0, x1, copies, sums: vec![0; (x1 - x0) * 4], line: vec![0; (x1 - x0) * 4] }
    }

    #[inline(always)]
    fn scale<'a>(&mut self, taps: &Taps, row: impl Fn(usize) -> &'a [u8], target: &mut [u8]) {
        let Self { columns, x0, x1, copies, sums, line } = self;
        let (x0, x1) = (*x0, *x1);
        if *copies && taps.weights.len() == 1 {
            target.copy_from_slice(&row(taps.first)[x0 * 4..x1 * 4]);
            return;
        }
        // Seven bits of fraction are kept between the passes.
        if taps.weights.len() <= FEW {
            // Only the high halves of 16-bit products are needed here, which every processor has vectors for.
            line.fill(0);
            for (i, weight) in taps.weights.iter().enumerate() {
                let weight = (weight * 2) as u16;
                for (l, v) in line.iter_mut().zip(&row(taps.first + i)[x0 * 4..x1 * 4]) {
                    *l += ((u32::from(u16::from(*v) << 8) * u32::from(weight)) >> 16) as u16;
                }
            }
        } else {
            sums.fill(ONE >> 8);
            for (i, weight) in taps.weights.iter().enumerate() {
                for (s, v) in sums.iter_mut().zip(&row(taps.first + i)[x0 * 4..x1 * 4]) {
                    *s += u32::from(*v) * weight;
                }
            }
            for (l, s) in line.iter_mut().zip(&*sums) {
                *l = (s >> 7) as u16;
            }
        }
        let line = line.as_chunks::<4>().0;
        for (t, taps) in target.as_chunks_mut::<4>().0.iter_mut().zip(&*columns) {
            let mut sum = [0u32; 4];
            for (p, weight) in line[taps.first - x0..].iter().zip(&taps.weights) {
                for c in 0..4 {
                    sum[c] += u32::from(p[c]) * weight;
                }
            }
            for c in 0..4 {
                t[c] = ((sum[c] + (ONE << 6)) >> 21).min(255) as u8;
            }
        }
    }
}

/// Scales a picture whose rows come one after another, from the top, to the pixels of `scale_bitmap`. Only the rows that the
/// next target row covers are kept.
pub struct RowScaler {
    across: Across,
    rows: Vec<Taps>,
    /// Rows that were kept, and the number of the first one.
    kept: VecDeque<Vec<u8>>,
    first: usize,
    /// Target rows that are made.
    made: usize,
    out: Bitmap,
}

impl RowScaler {
    pub fn new((from_width, from_height): (u32, u32), (width, height): (u32, u32)) -> Self {
        let taps = |from: u32, to: u32| {
            if from == 0 || to == 0 { Vec::new() } else { taps(0.0, f64::from(from), to, from) }
        };
        Self {
            across: Across::new(taps(from_width, width)),
            rows: taps(from_height, height),
            kept: VecDeque::new(),
            first: 0,
            made: 0,
            out: Bitmap::new(width, height),
        }
    }

    /// Takes the next row.
    pub fn push(&mut self, row: &[u8]) {
        let Self { across, rows, kept, first, made, out } = self;
        // The memory of a row that is no longer needed.
        let mut memory = Vec::new();
        let needed_from = rows.get(*made).map_or(usize::MAX, |taps| taps.first);
        while *first < needed_from
            && let Some(done) = kept.pop_front()
        {
            (memory, *first) = (done, *first + 1);
        }
        memory.clear();
        memory.extend_from_slice(row);
        kept.push_back(memory);
        while let Some(taps) = rows.get(*made)
            && taps.first + taps.weights.len() <= *first + kept.len()
        {
            let (start, width) = (*first, out.width as i32);
            let target = out.span_mut(*made as i32, 0, width);
            widest(
                #[inline(always)]
                || across.scale(taps, |row| kept[row - start].as_slice(), target),
            );
            *made += 1;
        }
    }

    /// The picture, if all of its rows came.
    pub fn finish(self) -> Option<Bitmap> {
        (self.made == self.rows.len()).then_some(self.out)
    }
}

fn taps(from: f64, to: f64, count: u32, limit: u32) -> Vec<Taps> {
    let step = (to - from) / f64::from(count);
    let last = limit as usize - 1;
    (0..count)
        .map(|i| {
            let a = from + step * f64::from(i);
            if step > 1.0 + 1e-9 { area(a, a + step, last) } else { between(a + step / 2.0 - 0.5, last) }
        })
        .collect()
}

/// Mean over an interval.
fn area(a: f64, b: f64, last: usize) -> Taps {
    let a = a.clamp(0.0, last as f64 + 1.0 - 1e-6);
    let b = b.clamp(a + 1e-6, last as f64 + 1.0);
    let first = (a + 1e-7).floor() as usize;
    let end = ((b - 1e-7).ceil() as usize).clamp(first + 1, last + 1);
    let mut weights = Vec::with_capacity(end - first);
    let mut given = 0;
    for i in first..end {
        // Rounding the running total makes the weights sum to one exactly.
        let upto = ((i as f64 + 1.0).min(b) - a) / (b - a);
        let total = if i + 1 == end { ONE } else { (upto.clamp(0.0, 1.0) * f64::from(ONE)).round() as u32 };
        weights.push(total - given);
        given = total;
    }
    Taps { first, weights }
}

/// Bilinear at a position in pixel centres.
fn between(at: f64, last: usize) -> Taps {
    let at = at.clamp(0.0, last as f64);
    let first = (at + 1e-7).floor();
    let f = ((at - first).max(0.0) * f64::from(ONE)).round() as u32;
    let first = first as usize;
    if f == 0 || first == last {
        Taps { first, weights: vec![ONE] }
    } else {
        Taps { first, weights: vec![ONE - f, f] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(width: u32, height: u32) -> Bitmap {
        let mut b = Bitmap::new(width, height);
        let mut s = 7u32;
        for p in &mut b.pixels {
            s = s.wrapping_mul(1664525).wrapping_add(1013904223);
            *p = (s >> 24) as u8;
        }
        b
    }

    #[test]
    fn same_size_is_an_exact_copy() {
        let b = noise(13, 7);
        assert_eq!(resize(b.view(), Rect::new(0.0, 0.0, 13.0, 7.0), 13, 7), b);
        let part = resize(b.view(), Rect::new(2.0, 1.0, 7.0, 5.0), 5, 4);
        assert_eq!(part.pixel(0, 0), b.pixel(2, 1));
        assert_eq!(part.pixel(4, 3), b.pixel(6, 4));
    }

    #[test]
    fn shrinking_takes_the_mean_of_the_covered_area() {
        let b = noise(12, 9);
        let out = resize(b.view(), Rect::new(0.0, 0.0, 12.0, 9.0), 4, 3);
        for y in 0..3 {
            for x in 0..4 {
                for c in 0..4 {
                    let mut sum = 0.0;
                    for j in 0..3 {
                        for i in 0..3 {
                            sum += f64::from(b.pixel(x * 3 + i, y * 3 + j)[c]);
                        }
                    }
                    let got = f64::from(out.pixel(x, y)[c]);
                    assert!((got - sum / 9.0).abs() <= 0.52, "{got} {}", sum / 9.0);
                }
            }
        }
    }

    #[test]
    fn halving_is_the_mean_as_resizing_takes_it() {
        for (width, height, halvings) in
            [(96, 160, 1), (96, 160, 2), (8, 72, 3), (64, 64, 3), (16, 32, 4), (2, 2, 1)]
        {
            assert!(halves_evenly((width, height), halvings));
            let b = noise(width, height);
            let mut halved = noise(width >> halvings, height >> halvings);
            let picture = Picture::new(b.clone(), false);
            halve(&picture, halvings, &mut halved);
            let full = Rect::new(0.0, 0.0, f64::from(width), f64::from(height));
            let resized = resize(b.view(), full, width >> halvings, height >> halvings);
            let worst = halved.pixels.iter().zip(&resized.pixels).map(|(a, b)| a.abs_diff(*b)).max();
            // Up to eight rows both are exact.
            assert!(
                worst <= Some(u8::from(halvings > 3)),
                "{width}×{height}, {halvings} halvings: {worst:?}"
            );
        }
        assert!(!halves_evenly((96, 54), 2) && !halves_evenly((1 << 9, 1 << 9), 5));
    }

    /// A bitmap of `pixels`, `width` pixels wide.
    fn bitmap(width: u32, pixels: Vec<u8>) -> Bitmap {
        Bitmap { width, height: pixels.len() as u32 / 4 / width, pixels }
    }

    #[test]
    fn a_pixel_that_covers_parts_of_others_weighs_them_by_area() {
        let row: Vec<u8> = [0, 90, 240, 30, 60, 90].iter().flat_map(|value| [*value; 4]).collect();
        let small = scale_bitmap(bitmap(6, row.repeat(2)).view(), 4, 2);
        assert_eq!([0, 1, 2, 3].map(|x| small.pixel(x, 0)[0]), [30, 190, 40, 80]);
    }

    #[test]
    fn channels_do_not_mix() {
        let pixels = [[0, 10, 255, 255], [90, 20, 255, 255], [30, 30, 0, 255]].concat();
        assert_eq!(scale_bitmap(bitmap(3, pixels).view(), 1, 1).pixels, [40, 20, 170, 255]);
    }

    #[test]
    fn a_plain_picture_stays_plain_at_any_size() {
        for ((width, height), (w, h)) in
            [((64, 36), (42, 24)), ((192, 108), (128, 72)), ((10, 4), (2, 2)), ((8, 8), (8, 8))]
        {
            let plain = [255, 1, 128, 255];
            let small = scale_bitmap(bitmap(width, plain.repeat((width * height) as usize)).view(), w, h);
            assert_eq!(small.pixels, plain.repeat((w * h) as usize));
        }
    }

    #[test]
    fn flat_pictures_stay_flat_at_any_scale() {
        let mut b = Bitmap::new(31, 17);
        crate::composite::fill(&mut b.pixels, [200, 100, 50, 255]);
        for (w, h) in [(7, 40), (62, 3), (30, 16), (1, 1)] {
            let out = resize(b.view(), Rect::new(0.3, 0.2, 30.1, 16.4), w, h);
            assert!(out.pixels.as_chunks::<4>().0.iter().all(|p| *p == [200, 100, 50, 255]));
        }
    }
}
