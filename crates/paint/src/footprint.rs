//! The non-empty cells of a picture, so that drawing a rotated layer skips empty regions.

use rondo_pixels::BitmapRef;

/// Pixels a side of a cell.
const CELL: usize = 8;

/// Summed-area table of the non-empty cells of a picture: entry (x, y) counts those to the left of and above it, so that
/// four entries give the count in any rectangle.
#[derive(Debug)]
pub struct Footprint {
    /// Entries per row.
    columns: usize,
    counts: Vec<u32>,
}

impl Footprint {
    pub fn of(view: &BitmapRef<'_>) -> Self {
        let (width, height) = (view.width as usize, view.height as usize);
        let (columns, rows) = (width.div_ceil(CELL) + 1, height.div_ceil(CELL) + 1);
        let mut counts = vec![0; columns * rows];
        let mut seen = vec![0u8; width * 4];
        for row in 1..rows {
            seen.fill(0);
            for y in (row - 1) * CELL..(row * CELL).min(height) {
                for (seen, byte) in seen.iter_mut().zip(view.row(y)) {
                    *seen |= byte;
                }
            }
            let (above, below) = counts[(row - 1) * columns..].split_at_mut(columns);
            let mut sum = 0;
            for (x, cell) in seen.chunks(CELL * 4).enumerate() {
                sum += u32::from(cell.iter().fold(0, |any, byte| any | byte) != 0);
                below[x + 1] = above[x + 1] + sum;
            }
        }
        Self { columns, counts }
    }

    /// Whether nothing shows between these pixels, both included, as far as cells can tell.
    #[inline(always)]
    pub fn is_empty(&self, from: (usize, usize), to: (usize, usize)) -> bool {
        let rows = self.counts.len() / self.columns;
        let (left, right) = (from.0 / CELL, (to.0 / CELL + 1).min(self.columns - 1));
        let (top, bottom) = (from.1 / CELL * self.columns, (to.1 / CELL + 1).min(rows - 1) * self.columns);
        let at = |entry: usize| self.counts[entry];
        at(bottom + right) + at(top + left) == at(bottom + left) + at(top + right)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn visible_pixels_are_never_reported_empty(
            (width, height) in (1u32..60, 1u32..60),
            dots in proptest::collection::vec((0u32..60, 0u32..60, 0usize..4), 0..5),
            (x0, y0, w, h) in (0usize..60, 0usize..60, 0usize..40, 0usize..40),
        ) {
            let mut pixels = vec![0; (width * height * 4) as usize];
            let dots: Vec<_> = dots.iter().filter(|(x, y, _)| *x < width && *y < height).collect();
            for (x, y, channel) in &dots {
                pixels[(y * width + x) as usize * 4 + channel] = 1;
            }
            let footprint = Footprint::of(&BitmapRef { width, height, pixels: &pixels });
            let (x0, y0) = (x0.min(width as usize - 1), y0.min(height as usize - 1));
            let (x1, y1) = (x0 + w, y0 + h);
            let near = |by: usize| dots.iter().any(|(x, y, _)| {
                let (x, y) = (*x as usize, *y as usize);
                x + by >= x0 && x <= x1 + by && y + by >= y0 && y <= y1 + by
            });
            if near(0) {
                prop_assert!(!footprint.is_empty((x0, y0), (x1, y1)));
            }
            if !near(CELL) {
                prop_assert!(footprint.is_empty((x0, y0), (x1, y1)));
            }
        }
    }
}
