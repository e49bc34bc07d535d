//! Gaussian blur: the kernel itself for small deviations, three box passes above, on a reduced picture when it is wide.

/// What lies beyond the edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    Transparent,
    /// The picture, reflected.
    Mirror,
}

/// Deviations under this change no 8-bit picture visibly.
const NEGLIGIBLE: f64 = 0.03;
/// From here on three boxes are as good as the kernel.
const BOXES_FROM: f64 = 2.0;
/// Above this the picture is halved first.
const HALVE_ABOVE: f64 = 12.0;

/// Blurs `N` interleaved channels in place.
pub fn blur<const N: usize>(data: &mut Vec<u8>, width: usize, height: usize, sigma: (f64, f64), edge: Edge) {
    if width == 0 || height == 0 {
        return;
    }
    let mut columns = data.as_chunks_mut::<N>().0.to_vec();
    along_rows(&mut columns, width, height, sigma.0, edge);
    if sigma.1 > NEGLIGIBLE {
        let mut turned = transpose(&columns, width, height);
        along_rows(&mut turned, height, width, sigma.1, edge);
        columns = transpose(&turned, height, width);
    }
    data.clear();
    data.extend(columns.into_iter().flatten());
}

fn along_rows<const N: usize>(data: &mut Vec<[u8; N]>, width: usize, height: usize, sigma: f64, edge: Edge) {
    if sigma.is_nan() || sigma <= NEGLIGIBLE {
        return;
    }
    if sigma > HALVE_ABOVE && width > 8 {
        let (half, n) = halve(data, width, height);
        let mut half = half;
        // Averaging pairs and interpolating between them blurs a little already.
        let left = (sigma * sigma - 0.75).sqrt();
        along_rows(&mut half, n, height, left / 2.0, edge);
        double(&half, n, data, width, height, edge);
        return;
    }
    let line_blur = Line::new(sigma);
    let margin = line_blur.reach();
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
        line_blur.run(&padded, &mut passes, row);
    }
}

/// Index inside `0..n` of a position reflected at the edges.
fn reflect(i: isize, n: usize) -> usize {
    let period = 2 * n as isize;
    let i = i.rem_euclid(period);
    if i < n as isize { i as usize } else { (period - 1 - i) as usize }
}

/// A one-dimensional blur. `run` reads a row with `reach` pixels of margin on both sides.
enum Line {
    /// Weights in 1/65536, from the centre outward.
    Kernel(Vec<u32>),
    /// Widths of three boxes and the way each leans left.
    Boxes { widths: [usize; 3], lefts: [usize; 3] },
}

impl Line {
    fn new(sigma: f64) -> Self {
        if sigma < BOXES_FROM {
            let reach = (3.0 * sigma).ceil() as usize;
            let bell = |i: usize| (-((i * i) as f64) / (2.0 * sigma * sigma)).exp();
            let total: f64 = bell(0) + 2.0 * (1..=reach).map(bell).sum::<f64>();
            let mut weights: Vec<u32> =
                (0..=reach).map(|i| (bell(i) / total * 65536.0).round() as u32).collect();
            let sides: u32 = weights[1..].iter().sum();
            weights[0] = 65536 - 2 * sides;
            return Self::Kernel(weights);
        }
        let d = (sigma * 3.0 * (std::f64::consts::TAU).sqrt() / 4.0 + 0.5).floor() as usize;
        if d % 2 == 1 {
            Self::Boxes { widths: [d; 3], lefts: [d / 2; 3] }
        } else {
            Self::Boxes { widths: [d, d, d + 1], lefts: [d / 2, d / 2 - 1, d / 2] }
        }
    }

    fn reach(&self) -> usize {
        match self {
            Self::Kernel(weights) => weights.len() - 1,
            Self::Boxes { widths, .. } => widths.iter().map(|w| w / 2).sum::<usize>() + 1,
        }
    }

    fn run<const N: usize>(&self, padded: &[[u32; N]], passes: &mut [Vec<[u32; N]>; 2], out: &mut [[u8; N]]) {
        let margin = self.reach();
        match self {
            Self::Kernel(weights) => {
                for (i, o) in out.iter_mut().enumerate() {
                    let at = margin + i;
                    let mut sum = padded[at].map(|v| v * weights[0] + 0x8000);
                    for (k, weight) in weights.iter().enumerate().skip(1) {
                        for c in 0..N {
                            sum[c] += (padded[at - k][c] + padded[at + k][c]) * weight;
                        }
                    }
                    *o = sum.map(|v| (v >> 16).min(255) as u8);
                }
            }
            Self::Boxes { widths, lefts } => {
                let [a, b] = passes;
                box_sums(padded, a, widths[0], lefts[0]);
                box_sums(a, b, widths[1], lefts[1]);
                box_sums(b, a, widths[2], lefts[2]);
                let scale = 1.0 / (widths[0] * widths[1] * widths[2]) as f32;
                for (o, v) in out.iter_mut().zip(&a[margin..]) {
                    *o = v.map(|v| (v as f32 * scale + 0.5) as u8);
                }
            }
        }
    }
}

/// Sums over a sliding window that starts `left` before each position.
fn box_sums<const N: usize>(from: &[[u32; N]], to: &mut [[u32; N]], width: usize, left: usize) {
    let mut sum = [0u32; N];
    let lead = width - 1 - left;
    let n = from.len();
    for v in &from[..lead.min(n)] {
        for c in 0..N {
            sum[c] += v[c];
        }
    }
    for i in 0..n {
        if let Some(enters) = from.get(i + lead) {
            for c in 0..N {
                sum[c] += enters[c];
            }
        }
        if i > left {
            let leaves = &from[i - left - 1];
            for c in 0..N {
                sum[c] -= leaves[c];
            }
        }
        to[i] = sum;
    }
}

/// Means of neighbouring pairs along rows; an odd last pixel pairs with nothing beside it, as the edges are.
fn halve<const N: usize>(data: &[[u8; N]], width: usize, height: usize) -> (Vec<[u8; N]>, usize) {
    let n = width.div_ceil(2);
    let mut out = Vec::with_capacity(n * height);
    for row in data.chunks_exact(width) {
        for pair in row.chunks(2) {
            let (a, b) = (pair[0], pair[pair.len() - 1]);
            out.push(std::array::from_fn(|c| (u16::from(a[c]) + u16::from(b[c])).div_ceil(2) as u8));
        }
    }
    (out, n)
}

/// Interpolates between the means again.
fn double<const N: usize>(
    half: &[[u8; N]],
    n: usize,
    out: &mut [[u8; N]],
    width: usize,
    height: usize,
    edge: Edge,
) {
    for (from, to) in half.chunks_exact(n).zip(out.chunks_exact_mut(width)).take(height) {
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

    /// The bell itself, in floating point.
    fn reference(data: &[u8], width: usize, height: usize, sigma: f64) -> Vec<f64> {
        let reach = (4.0 * sigma).ceil() as isize;
        let bell: Vec<f64> =
            (-reach..=reach).map(|i| (-((i * i) as f64) / (2.0 * sigma * sigma)).exp()).collect();
        let total: f64 = bell.iter().sum();
        let pass = |src: &[f64], dx: isize, dy: isize| -> Vec<f64> {
            (0..width * height)
                .map(|at| {
                    let (x, y) = ((at % width) as isize, (at / width) as isize);
                    bell.iter()
                        .enumerate()
                        .map(|(k, w)| {
                            let k = k as isize - reach;
                            let (x, y) = (x + dx * k, y + dy * k);
                            let inside = x >= 0 && y >= 0 && x < width as isize && y < height as isize;
                            if inside { w / total * src[y as usize * width + x as usize] } else { 0.0 }
                        })
                        .sum()
                })
                .collect()
        };
        let src: Vec<f64> = data.iter().map(|v| f64::from(*v)).collect();
        pass(&pass(&src, 1, 0), 0, 1)
    }

    #[test]
    fn blurred_square_follows_the_bell() {
        for (sigma, tolerance) in [(0.5, 1.1), (1.7, 1.1), (3.0, 5.0), (7.5, 5.0), (20.0, 5.0)] {
            let (w, h) = (150, 140);
            let mut data = vec![0u8; w * h];
            for y in 40..100 {
                for x in 45..107 {
                    data[y * w + x] = 255;
                }
            }
            let expected = reference(&data, w, h, sigma);
            blur::<1>(&mut data, w, h, (sigma, sigma), Edge::Transparent);
            let worst =
                data.iter().zip(&expected).map(|(a, b)| (f64::from(*a) - b).abs()).fold(0.0, f64::max);
            assert!(worst < tolerance, "sigma {sigma}: {worst}");
        }
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
