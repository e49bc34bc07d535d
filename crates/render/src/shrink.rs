//! Smaller pictures: each pixel is the mean of the area it covers.

/// Weights of one pixel sum up to this.
const WHOLE: u32 = 1 << 12;

/// For each pixel along one side: the first one it covers, and how much of it and the next ones.
type Axis = Vec<(usize, Vec<u32>)>;

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
        for (from, to) in [((64, 36), (42, 24)), ((192, 108), (128, 72)), ((10, 4), (2, 2)), ((8, 8), (8, 8))]
        {
            let plain = [255, 1, 128, 255];
            let small = shrink_rgba(&plain.repeat(from.0 as usize * from.1 as usize), from, to);
            assert_eq!(small, plain.repeat(to.0 as usize * to.1 as usize));
        }
    }

    #[test]
    fn a_pixel_is_the_mean_of_what_it_covers() {
        let row: Vec<u8> = [0, 90, 240, 30, 60, 90].iter().flat_map(|value| [*value; 4]).collect();
        let small = shrink_rgba(&row.repeat(2), (6, 2), (4, 2));
        assert_eq!([0, 4, 8, 12].map(|at| small[at]), [30, 190, 40, 80]);
    }

    #[test]
    fn channels_do_not_mix() {
        let pixels = [[0, 10, 255, 255], [90, 20, 255, 255], [30, 30, 0, 255]].concat();
        assert_eq!(shrink_rgba(&pixels, (3, 1), (1, 1)), [40, 20, 170, 255]);
    }
}
