//! Pictures to indexed colour: a palette for a whole GIF film, and ordered dithering.

mod dither;
mod palette;

pub(crate) use dither::Dither;
pub use palette::{Palette, PaletteBuilder};

/// Index of the transparent colour. Pixels that are as in the frame before have it too.
const TRANSPARENT: u8 = 255;

/// Alpha from which on a pixel can be seen.
const VISIBLE: u8 = 128;
