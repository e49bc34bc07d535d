//! Previews: a film's variables, price and warnings before it is rendered.

mod check_composition;
mod create_preview;
mod draw_frames;
mod outlook;

pub use check_composition::{CheckComposition, Checked};
pub use create_preview::{CreatePreview, PreviewAnswer};
pub use draw_frames::{DrawFrames, DrawnFrames};
