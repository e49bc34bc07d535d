//! Pixels in memory: bitmaps, YUV planes, shared pictures and whole-pixel rectangles, and the flag that ends work on
//! them. Knows nothing of where they come from or where they go.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]
#![forbid(unsafe_code)]

mod bitmap;
mod orientation;
mod picture;
mod planes;
mod rect;
pub mod simd;
mod stop;
mod yuv;

pub use bitmap::{Bitmap, BitmapRef, premultiply};
pub use orientation::Orientation;
pub use picture::{Picture, PixelSource, copy_part};
pub use planes::{Plane, Planes, PlanesRef};
pub use rect::IRect;
pub use stop::Stop;
pub use yuv::{Colour, Matrix, YuvImage};
