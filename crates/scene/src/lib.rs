//! Composition and frame number to display list: layout, stacking, every animation. Does not rasterize.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]
#![forbid(unsafe_code)]

mod actor;
mod area;
mod border;
mod boxes;
mod budget;
mod code;
pub mod display;
mod effect;
mod hash;
mod homography;
pub mod motion;
pub mod nearest;
mod notice;
mod outlines;
mod overlay;
mod prepare;
mod reading;
pub mod registry;
mod scene;
mod segments;
pub mod shapes;
mod sprite;
mod stage;
mod sticker;
mod view;
mod visual;
mod world;

pub use area::{Area, hit};
pub use hash::Digest;
pub use homography::Homography;
pub use notice::{Notice, Severity};
pub use reading::reading_notices;
pub use scene::Scene;
pub use segments::{Segment, Segments};
pub use view::View;
pub use world::{ClipInfo, MediaInfo, PictureError, Pictures, Timetable, World};
