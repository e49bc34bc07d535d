//! Gaussian blur as the browser draws it: three box passes, on a reduced picture when they are wide.

use crate::simd::widest;

/// What lies beyond the edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    Transparent,
    /// The picture, reflected.
    Mirror,
}

/// Boxes wider than this run on a picture of half the width.
const HALVE_ABOVE: usize = 30;

/// Blurs `N` interleaved channels in place.
pub fn blur<const N: usize>(data: &mut Vec<u8>, width: usize, height: usize, sigma: (f64, f64), edge: Edge) {
    if width == 0 || height == 0 {
        return;
    }
    let mut columns = data.as_chunks_mut::<N>().0.to_vec();
    let (across, down) = (Boxes::of_sigma(sigma.0), Boxes::of_sigma(sigma.1));
    along_rows(&mut columns, width, &across, edge);
    if down.reach() > 0 {
        let mut turned = transpose(&columns, width, height);
        along_rows(&mut turned, height, &down, edge);
        columns = transpose(&turned, height, width);
    }
    data.clear();
    data.extend(columns.into_iter().flatten());
}

fn along_rows<const N: usize>(data: &mut [[u8; N]], width: usize, boxes: &Boxes, edge: Edge) {
    let margin = boxes.reach();
    if margin == 0 {
        return;
    }
    if boxes.0[0] > HALVE_ABOVE && width > 8 {
        let (mut half, n) = halve(data, width);
        // Averaging pairs and interpolating between them blurs a little already.
        let rest = Boxes::of_variance((boxes.variance() - 0.75) / 4.0);
        along_rows(&mut half, n, &rest, edge);
        double(&half, n, data, width, edge);
        return;
    }
    widest(
        #[inline(always)]
        || passes(data, width, boxes, edge),
    );
}

#[inline(always)]
fn passes<const N: usize>(data: &mut [[u8; N]], width: usize, boxes: &Boxes, edge: Edge) {
    let margin = boxes.reach();
    let mut padded = vec![[0u32; N]; width + 2 * margin];
    let mut passes = [vec![[0u32; N]; padded.len()], vec![[0u32; N]; padded.len()]];
    for row in data.chunks_exact_mut(width) {
        for (p, v) in padded[margin..].iter_mut().zip(row.iter()) {
            *p = v.map(u32::from);
        }
        if edge == Edge::Mirror {
            for i in 0..margin {
                padded[margin - 1 - i] = row[reflect(-(i as isize) - 1, width)].map(u32::from);
                padded[margin + width + i] = row[reflect((width + i) as isize, width)].map(u32::from);
            }
        }
        boxes.run(&padded, &mut passes, row);
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
        let d = (sigma.clamp(0.0, 1e4) * 3.0 * std::f64::consts::TAU.sqrt() / 4.0 + 0.5).floor() as usize;
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

    fn reach(&self) -> usize {
        if self.0 == [1; 3] { 0 } else { self.0.iter().map(|w| w / 2).sum::<usize>() + 1 }
    }

    /// Reads a row with `reach` pixels of margin on both sides.
    #[inline(always)]
    fn run<const N: usize>(&self, padded: &[[u32; N]], passes: &mut [Vec<[u32; N]>; 2], out: &mut [[u8; N]]) {
        let [a, b] = passes;
        let [first, second, third] = self.0;
        box_sums(padded, a, first, first / 2);
        box_sums(a, b, second, (second - 1) / 2);
        box_sums(b, a, third, third / 2);
        let scale = 1.0 / (first * second * third) as f32;
        for (o, v) in out.iter_mut().zip(&a[self.reach()..]) {
            *o = v.map(|v| (v as f32 * scale + 0.5) as u8);
        }
    }
}

/// Sums over a sliding window that starts `left` before each position. Where the window lies inside the row, which is
/// nearly everywhere, nothing is checked.
#[inline(always)]
fn box_sums<const N: usize>(from: &[[u32; N]], to: &mut [[u32; N]], width: usize, left: usize) {
    let n = from.len();
    let lead = (width - 1 - left).min(n);
    let mut sum = [0u32; N];
    for v in &from[..lead] {
        for c in 0..N {
            sum[c] += v[c];
        }
    }
    let enters = &from[lead..];
    let head = (left + 1).min(enters.len());
    for (t, enters) in to.iter_mut().zip(&enters[..head]) {
        for c in 0..N {
            sum[c] += enters[c];
        }
        *t = sum;
    }
    for ((t, enters), leaves) in to[head..].iter_mut().zip(&enters[head..]).zip(from) {
        for c in 0..N {
            sum[c] = sum[c] + enters[c] - leaves[c];
        }
        *t = sum;
    }
    for (i, t) in to.iter_mut().enumerate().skip(enters.len()) {
        if i > left {
            let leaves = &from[i - left - 1];
            for c in 0..N {
                sum[c] -= leaves[c];
            }
        }
        *t = sum;
    }
}

/// Means of neighbouring pairs along rows; an odd last pixel pairs with nothing beside it, as the edges are.
fn halve<const N: usize>(data: &[[u8; N]], width: usize) -> (Vec<[u8; N]>, usize) {
    let n = width.div_ceil(2);
    let mut out = Vec::with_capacity(data.len().div_ceil(2));
    for row in data.chunks_exact(width) {
        for pair in row.chunks(2) {
            let (a, b) = (pair[0], pair[pair.len() - 1]);
            out.push(std::array::from_fn(|c| (u16::from(a[c]) + u16::from(b[c])).div_ceil(2) as u8));
        }
    }
    (out, n)
}

/// Interpolates between the means again.
fn double<const N: usize>(half: &[[u8; N]], n: usize, out: &mut [[u8; N]], width: usize, edge: Edge) {
    for (from, to) in half.chunks_exact(n).zip(out.chunks_exact_mut(width)) {
        for (i, o) in to.iter_mut().enumerate() {
            let near = from[i / 2];
            let other = if i % 2 == 0 { (i / 2).checked_sub(1) } else { Some(i / 2 + 1).filter(|j| *j < n) };
            let far = match (other, edge) {
                (Some(j), _) => from[j],
                (None, Edge::Transparent) => near.map(|v| v / 2),
                (None, Edge::Mirror) => near,
            };
            *o = std::array::from_fn(|c| ((u16::from(near[c]) * 3 + u16::from(far[c]) + 2) / 4) as u8);
        }
    }
}

fn transpose<const N: usize>(data: &[[u8; N]], width: usize, height: usize) -> Vec<[u8; N]> {
    const TILE: usize = 16;
    let mut out = vec![[0; N]; data.len()];
    for y0 in (0..height).step_by(TILE) {
        for x0 in (0..width).step_by(TILE) {
            for x in x0..(x0 + TILE).min(width) {
                for y in y0..(y0 + TILE).min(height) {
                    out[x * height + y] = data[y * width + x];
                }
            }
        }
    }
    out
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
        for sigma in [14.0, 17.3, 40.0, 80.0] {
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
    fn mirrored_edges_keep_a_flat_picture_flat() {
        for sigma in [0.8, 4.0, 30.0] {
            let mut data = [10u8, 90, 200, 255].repeat(37 * 23);
            blur::<4>(&mut data, 37, 23, (sigma, sigma), Edge::Mirror);
            assert!(data.as_chunks::<4>().0.iter().all(|p| *p == [10, 90, 200, 255]), "sigma {sigma}");
        }
    }
}
