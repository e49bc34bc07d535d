//! The engine behind the browser's player: frames and sound of a film, from fonts and media that the page supplies. It paints
//! what a render paints, byte for byte.
//!
//! [`Player`] knows nothing of browsers. `exports` makes it callable from JavaScript: plain functions on numbers and on
//! bytes in the module's memory, so that no tool has to generate code for them.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod coded;
mod exports;
mod faces;
mod film_text;
mod fonts;
mod media;
mod mix;
mod player;
mod sound;
mod video_frame;

pub use player::{Opened, Player};
pub use video_frame::FrameInfo;
