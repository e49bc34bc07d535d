//! Photos as cameras and editors write them: JPEG in one scan, Huffman coded, eight bits per channel. They are decoded here
//! to the very pixels that browsers show, in two thirds of the time of a decoder for every kind; other kinds and damaged
//! files are left to such a one.
//!
//! A photo is decoded in strips as high as one row of its units. The coefficients of a strip are laid out so that those of
//! sixteen neighbouring blocks with the same frequency lie side by side, and all that follows is done to sixteen
//! blocks, or many pixels, at once.

mod bits;
mod header;
mod strip;
mod transform;

use bits::Bits;
use fearless_simd::{Level, dispatch};
use header::Photo;
use strip::Strip;

/// Pixels of a side of a block.
const SIDE: usize = 8;
/// Coefficients of a block.
const COEFFICIENTS: usize = SIDE * SIDE;
/// Blocks that are transformed at once.
const LANES: usize = 16;

/// The coefficients of as many blocks, those of one frequency side by side, and behind them what is of no use.
type Group = [i16; (COEFFICIENTS + 1) * LANES];

/// The opaque pixels of a photo of this size, as four bytes each; `None` when it is not of the kind, or damaged.
pub fn decode(file: &[u8], size: (u32, u32)) -> Option<Vec<u8>> {
    decode_with(Level::try_detect().unwrap_or(Level::baseline()), file, size)
}

/// The same with the vectors that a processor has.
fn decode_with(level: Level, file: &[u8], (width, height): (u32, u32)) -> Option<Vec<u8>> {
    let photo = Photo::read(file)?;
    if (photo.width, photo.height) != (width as usize, height as usize) {
        return None;
    }
    let mut pixels = vec![0; photo.width * photo.height * 4];
    dispatch!(level, _ => decode_into(&photo, &mut pixels))?;
    Some(pixels)
}

#[inline(always)]
fn decode_into(photo: &Photo<'_>, pixels: &mut [u8]) -> Option<()> {
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
        strip.finish(photo, row, row + 1 == down, pixels);
    }
    Some(())
}

#[cfg(test)]
mod tests;
