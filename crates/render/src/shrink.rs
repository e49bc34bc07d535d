//! Smaller pictures of the same film: planes are averaged over the area each pixel covers.

use rondo_paint::Yuv420;

/// Weights of one pixel sum up to this.
const WHOLE: u32 = 1 << 12;

/// Makes pictures of one size out of pictures of another.
pub(crate) struct Shrink {
    to: (u32, u32),
    luma: [Axis; 2],
    chroma: [Axis; 2],
}

/// For each pixel along one side: the first one it covers, and how much of it and the next ones.
type Axis = Vec<(usize, Vec<u32>)>;

impl Shrink {
    /// Both sizes have even sides.
    pub fn new(from: (u32, u32), to: (u32, u32)) -> Self {
        Self {
            to,
            luma: [axis(from.0, to.0), axis(from.1, to.1)],
            chroma: [axis(from.0 / 2, to.0 / 2), axis(from.1 / 2, to.1 / 2)],
        }
    }

    pub fn apply(&self, picture: &Yuv420) -> Yuv420 {
        let mut small = Yuv420::new(self.to.0, self.to.1);
        shrink::<1>(&picture.y, &self.luma, &mut small.y);
        shrink::<1>(&picture.u, &self.chroma, &mut small.u);
        shrink::<1>(&picture.v, &self.chroma, &mut small.v);
        small
    }
}

/// RGBA pixels of one size as RGBA pixels of another. The sizes are not empty.
pub(crate) fn shrink_rgba(pixels: &[u8], from: (u32, u32), to: (u32, u32)) -> Vec<u8> {
    if from == to {
        return pixels.to_vec();
    }
    let mut small = vec![0; to.0 as usize * to.1 as usize * 4];
    shrink::<4>(pixels, &[axis(from.0, to.0), axis(from.1, to.1)], &mut small);
    small
}

fn axis(from: u32, to: u32) -> Axis {
    let (from, to) = (f64::from(from.max(1)), f64::from(to.max(1)));
    (0..to as u32)
        .map(|pixel| {
            let (start, end) = (f64::from(pixel) * from / to, (f64::from(pixel) + 1.0) * from / to);
            let first = start.floor();
            let count = (end.min(from).ceil() - first).max(1.0) as u32;
            let covered = |i: u32| ((first + f64::from(i)).clamp(start, end) - start) / (end - start);
            let steps: Vec<u32> =
                (0..=count).map(|i| (covered(i) * f64::from(WHOLE)).round() as u32).collect();
            let mut weights: Vec<u32> = steps.windows(2).map(|pair| pair[1] - pair[0]).collect();
            // What rounding left over belongs to the last one.
            if let Some(last) = weights.last_mut() {
                *last += WHOLE - steps.last().copied().unwrap_or(WHOLE);
            }
            (first as usize, weights)
        })
        .collect()
}

/// `N` bytes a pixel.
fn shrink<const N: usize>(source: &[u8], [columns, rows]: &[Axis; 2], target: &mut [u8]) {
    let width = columns.last().map_or(0, |(first, weights)| first + weights.len());
    let mut line = vec![0u32; width * N];
    for ((first, weights), out) in rows.iter().zip(target.chunks_exact_mut(columns.len() * N)) {
        line.fill(0);
        for (row, weight) in source.chunks_exact(width * N).skip(*first).zip(weights) {
            line.iter_mut().zip(row).for_each(|(sum, value)| *sum += weight * u32::from(*value));
        }
        for ((first, weights), out) in columns.iter().zip(out.chunks_exact_mut(N)) {
            let mut sums = [0u32; N];
            for (pixel, weight) in line[first * N..].chunks_exact(N).zip(weights) {
                sums.iter_mut().zip(pixel).for_each(|(sum, value)| *sum += value * weight);
            }
            out.iter_mut()
                .zip(sums)
                .for_each(|(out, sum)| *out = ((sum + WHOLE * WHOLE / 2) / (WHOLE * WHOLE)) as u8);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_picture_stays_plain_at_any_size() {
        for (from, to) in
            [((64, 36), (42, 24)), ((1920, 1080), (1280, 720)), ((10, 4), (2, 2)), ((8, 8), (8, 8))]
        {
            let mut picture = Yuv420::new(from.0, from.1);
            picture.y.fill(255);
            picture.u.fill(1);
            let small = Shrink::new(from, to).apply(&picture);
            assert_eq!((small.width, small.height, small.y.len()), (to.0, to.1, (to.0 * to.1) as usize));
            assert!(small.y.iter().all(|value| *value == 255) && small.u.iter().all(|value| *value == 1));
        }
    }

    #[test]
    fn a_pixel_is_the_mean_of_what_it_covers() {
        let mut picture = Yuv420::new(6, 2);
        picture.y.copy_from_slice(&[0, 90, 240, 30, 60, 90, 0, 90, 240, 30, 60, 90]);
        let small = Shrink::new((6, 2), (4, 2)).apply(&picture);
        assert_eq!(small.y[..4], [30, 190, 40, 80]);
    }

    #[test]
    fn channels_do_not_mix() {
        let pixels = [[0, 10, 255, 255], [90, 20, 255, 255], [30, 30, 0, 255]].concat();
        assert_eq!(shrink_rgba(&pixels, (3, 1), (1, 1)), [40, 20, 170, 255]);
    }
}
