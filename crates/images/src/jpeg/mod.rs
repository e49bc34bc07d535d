//! Baseline JPEG as cameras and editors write it: one scan, Huffman coded, eight bits per channel. The pixels are identical
//! to those in browsers and take two thirds of the time of the general decoder, which decodes all other and damaged files.
//!
//! An image is decoded in strips of one row of MCUs. Coefficients of the same frequency of sixteen neighbouring blocks are
//! adjacent in memory, so that the compiler can vectorize the transform over blocks.

mod bits;
mod header;
mod strip;
mod transform;

use bits::Bits;
use fearless_simd::{Level, dispatch};
use header::Photo;
use strip::Strip;

/// Side of a block in pixels.
const SIDE: usize = 8;
/// Coefficients per block.
const COEFFICIENTS: usize = SIDE * SIDE;
/// Blocks transformed at once.
const LANES: usize = 16;

/// The coefficients of `LANES` blocks, ordered by frequency, then block. The last row receives invalid coefficients and
/// is ignored.
type Group = [i16; (COEFFICIENTS + 1) * LANES];

/// Where the rows of an image are written, from the top.
trait Rows {
    /// Has `paint` write the row with this number.
    fn row(&mut self, number: usize, paint: impl FnOnce(&mut [u8]));
}

/// All rows, one after another.
struct Whole {
    pixels: Vec<u8>,
    stride: usize,
}

impl Rows for Whole {
    #[inline(always)]
    fn row(&mut self, number: usize, paint: impl FnOnce(&mut [u8])) {
        paint(&mut self.pixels[number * self.stride..][..self.stride]);
    }
}

/// One row at a time.
struct Each<F> {
    row: Vec<u8>,
    then: F,
}

impl<F: FnMut(&[u8])> Rows for Each<F> {
    #[inline(always)]
    fn row(&mut self, _: usize, paint: impl FnOnce(&mut [u8])) {
        paint(&mut self.row);
        (self.then)(&self.row);
    }
}

/// Decodes an image of this size to opaque RGBA; `None` if the file is of another kind or damaged.
pub fn decode(file: &[u8], size: (u32, u32)) -> Option<Vec<u8>> {
    decode_with(Level::try_detect().unwrap_or(Level::baseline()), file, size)
}

/// The same row by row, from the top. Some rows may have been given before a file turns out to be damaged.
pub fn decode_rows(file: &[u8], size: (u32, u32), each: impl FnMut(&[u8])) -> Option<()> {
    let photo = read(file, size)?;
    let mut rows = Each { row: vec![0; photo.width * 4], then: each };
    dispatch!(Level::try_detect().unwrap_or(Level::baseline()), _ => decode_into(&photo, &mut rows))
}

/// The whole image at a SIMD level.
fn decode_with(level: Level, file: &[u8], size: (u32, u32)) -> Option<Vec<u8>> {
    let photo = read(file, size)?;
    let stride = photo.width * 4;
    let mut whole = Whole { pixels: vec![0; stride * photo.height], stride };
    dispatch!(level, _ => decode_into(&photo, &mut whole))?;
    Some(whole.pixels)
}

fn read(file: &[u8], (width, height): (u32, u32)) -> Option<Photo<'_>> {
    Photo::read(file).filter(|photo| (photo.width, photo.height) == (width as usize, height as usize))
}

#[inline(always)]
fn decode_into(photo: &Photo<'_>, rows: &mut impl Rows) -> Option<()> {
    let mut bits = Bits::new(photo.scan);
    let mut strip = Strip::new(photo);
    let (across, down) = photo.units();
    let mut until_restart = photo.restart_interval;
    let mut last = [0; 3];
    for row in 0..down {
        strip.clear();
        for unit in 0..across {
            if photo.restart_interval > 0 {
                if until_restart == 0 {
                    bits.restart()?;
                    (until_restart, last) = (photo.restart_interval, [0; 3]);
                }
                until_restart -= 1;
            }
            bits.top_up();
            for (component, last) in photo.components.iter().zip(&mut last) {
                for y in 0..component.down {
                    for x in 0..component.across {
                        let (block, lane) = strip.block(component.index, unit * component.across + x, y);
                        bits.block(&component.dc, &component.ac, last, block, lane)?;
                    }
                }
            }
        }
        if bits.ran_out() {
            return None;
        }
        strip.finish(photo, row, row + 1 == down, rows);
    }
    Some(())
}

#[cfg(test)]
mod tests;
