//! Pixels in memory: bitmaps, YUV planes, shared pictures and whole-pixel rectangles. Knows nothing of where they come
//! from or where they go.

#![forbid(unsafe_code)]

mod bitmap;
mod picture;
mod planes;
mod rect;

pub use bitmap::{Bitmap, BitmapRef, premultiply};
pub use picture::{Picture, PixelSource, copy_part};
pub use planes::{Plane, Planes, PlanesRef};
pub use rect::IRect;
