//! The static background of a film: its lowest items, painted once and copied for each frame.

use rondo_pixels::{Bitmap, IRect};

use crate::dirty::Mark;
use crate::warp::Target;

/// Canvases to repaint, in as many frames at least, while the lowest items stay the same, before those are worth a picture of
/// their own, which costs a whole canvas.
const STEADY: u32 = 3;
/// A single item is as quickly drawn as copied.
const FEWEST_ITEMS: usize = 2;

/// The lowest items of coming frames, painted.
#[derive(Debug, Default)]
pub struct Ground {
    bitmap: Option<Bitmap>,
    background: [u8; 4],
    /// Identities of the items in the picture.
    items: Vec<u128>,
    steady: Steady,
}

/// How many of the lowest items have been the same lately, and what was repainted meanwhile.
#[derive(Debug, Default)]
struct Steady {
    items: usize,
    frames: u32,
    pixels: i64,
}

impl Steady {
    fn is_due(&self, canvas: IRect) -> bool {
        self.items >= FEWEST_ITEMS
            && self.frames >= STEADY
            && self.pixels >= i64::from(STEADY) * canvas.area()
    }
}

impl Ground {
    /// Records a frame whose lowest `unchanged` items equal those of the previous frame and which repaints `dirty` of `canvas`.
    /// Returns how many items the picture should hold; if more than it holds now, it must be painted again.
    pub fn observe(
        &mut self,
        background: [u8; 4],
        marks: &[Mark],
        unchanged: usize,
        dirty: &[IRect],
        canvas: IRect,
    ) -> usize {
        let fits = self.background == background
            && self.items.len() <= marks.len()
            && self.items.iter().zip(marks).all(|(item, mark)| *item == mark.identity);
        if !fits {
            self.clear();
        }
        let steady = &mut self.steady;
        let grown = steady.is_due(canvas) && unchanged > steady.items;
        if unchanged < steady.items || steady.items < FEWEST_ITEMS || grown {
            *steady = Steady { items: unchanged, ..Steady::default() };
        } else {
            steady.frames += 1;
            steady.pixels += dirty.iter().map(IRect::area).sum::<i64>();
        }
        if steady.is_due(canvas) { steady.items.max(self.items.len()) } else { self.items.len() }
    }

    /// Items in the picture.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Keeps a picture of the lowest items.
    pub fn keep(&mut self, bitmap: Bitmap, background: [u8; 4], marks: &[Mark]) {
        self.background = background;
        self.items = marks.iter().map(|mark| mark.identity).collect();
        self.bitmap = Some(bitmap);
    }

    /// Forgets the picture.
    pub fn clear(&mut self) {
        self.items.clear();
        self.bitmap = None;
    }

    /// Copies a part of the picture; `false` when there is none.
    pub fn copy(&self, target: &mut Target<'_>, rect: IRect) -> bool {
        let Some(bitmap) = &self.bitmap else { return false };
        for y in rect.y0..rect.y1 {
            target.span(y, rect.x0, rect.x1).copy_from_slice(bitmap.span(y, rect.x0, rect.x1));
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CANVAS: IRect = IRect { x0: 0, y0: 0, x1: 100, y1: 100 };

    /// Frames until the picture is due, of `unchanged` items in turn, with a part of the canvas repainted in each frame.
    fn due_after(unchanged: &[usize], dirty: IRect) -> Option<usize> {
        let mut ground = Ground::default();
        (0..100).find(|frame| {
            let unchanged = unchanged[frame % unchanged.len()];
            ground.observe([0; 4], &[], unchanged, &[dirty], CANVAS) > ground.len()
        })
    }

    #[test]
    fn a_picture_is_worth_its_cost_once_three_canvases_were_repainted() {
        assert_eq!(due_after(&[2], CANVAS), Some(3));
        assert_eq!(due_after(&[2], IRect::new(0, 0, 100, 50)), Some(6));
        assert_eq!(due_after(&[2], IRect::new(0, 0, 10, 10)), None);
        assert_eq!(due_after(&[1], CANVAS), None);
    }

    #[test]
    fn items_that_stay_every_other_frame_do_not_keep_it_from_those_beneath() {
        assert_eq!(due_after(&[2, 3], IRect::new(0, 0, 100, 50)), Some(6));
    }
}
