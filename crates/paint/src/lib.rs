//! Display list to pixels: layer cache, rasteriser, filters, compositor, colour conversion. Knows nothing of where
//! frames go.

mod bitmap;
mod convert;
mod painter;

pub use bitmap::{Bitmap, IRect};
pub use convert::Yuv420;
pub use painter::{PaintError, Painted, Painter};
