//! Pixels in memory: bitmaps, YUV planes, shared pictures and whole-pixel rectangles, and the flag that ends work on
//! them. Knows nothing of where they come from or where they go.

#![forbid(unsafe_code)]

mod bitmap;
mod picture;
mod planes;
mod rect;
mod stop;

pub use bitmap::{Bitmap, BitmapRef, premultiply};
pub use picture::{Picture, PixelSource, copy_part};
pub use planes::{Plane, Planes, PlanesRef};
pub use rect::IRect;
pub use stop::Stop;
