//! Composition and frame number to display list: layout, stacking, every animation. Knows nothing of how pixels are made.

pub mod display;
mod homography;
pub mod motion;
pub mod nearest;
pub mod shape;
mod world;

pub use homography::Homography;
pub use world::{ClipInfo, MediaInfo, Picture, PictureError, Pictures, World};
