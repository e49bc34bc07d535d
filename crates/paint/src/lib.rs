//! Display list to pixels: layer cache, rasteriser, filters, compositor, colour conversion. Knows nothing of where
//! frames go.

mod bitmap;
mod cache;
mod clip;
mod composite;
mod convert;
mod dirty;
mod filter;
mod footprint;
mod glyph;
mod gradient;
mod ground;
mod identity;
mod key;
mod painter;
mod pass;
mod picture;
mod place;
mod raster;
mod resample;
mod simd;
mod warp;
mod watch;

pub use bitmap::{Bitmap, IRect};
pub use convert::Yuv420;
pub use painter::{PaintError, Painted, Painter};
pub use watch::{Watch, Work};
