//! Display list to pixels: layer cache, rasteriser, filters, compositor, colour conversion. Knows nothing of where
//! frames go.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod blend;
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
mod rect;
mod resample;
mod simd;
mod warp;
mod watch;

pub use convert::{follow_planes, update_planes};
pub use painter::{PaintError, Painted, Painter};
pub use resample::{RowScaler, scale_bitmap};
pub use watch::{Watch, Work};
