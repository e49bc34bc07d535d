//! The static background of a film: its lowest items, painted once and copied for each frame.

use rondo_pixels::{Bitmap, IRect};

use crate::dirty::Mark;
use crate::warp::Target;

/// Frames in a row that the lowest items must be the same before they are worth a picture of their own.
const STEADY_FRAMES: u32 = 3;
/// A single item is as quickly drawn as copied.
const FEWEST_ITEMS: usize = 2;

/// The lowest items of coming frames, painted.
#[derive(Debug, Default)]
pub struct Ground {
    bitmap: Option<Bitmap>,
    background: [u8; 4],
    /// Identities of the items in the picture.
    items: Vec<u128>,
    /// How many of the lowest items have been the same lately, and for how many frames.
    steady: (usize, u32),
}

impl Ground {
    /// Records a frame whose lowest `unchanged` items equal those of the previous frame. Returns how many items the picture
    /// should hold; if more than it holds now, it must be painted again.
    pub fn observe(&mut self, background: [u8; 4], marks: &[Mark], unchanged: usize) -> usize {
        let fits = self.background == background
            && self.items.len() <= marks.len()
            && self.items.iter().zip(marks).all(|(item, mark)| *item == mark.identity);
        if !fits {
            self.clear();
        }
        let (items, frames) = self.steady;
        let grown = frames >= STEADY_FRAMES && unchanged > items;
        let begin_again = unchanged < items || items < FEWEST_ITEMS || grown;
        self.steady = if begin_again { (unchanged, 0) } else { (items, frames + 1) };
        let due = self.steady.1 >= STEADY_FRAMES && self.steady.0 >= FEWEST_ITEMS;
        if due { self.steady.0.max(self.items.len()) } else { self.items.len() }
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
