//! GIF films. They have no chunks: all frames share one palette, built from frames across the film, and each frame contains
//! only what differs from the one before.

use std::path::Path;

use rondo_media::{GIF_MAX_FPS, GifWriter, PaletteBuilder};

use crate::error::RenderError;
use crate::format::Recipe;
use crate::frame_painter::FramePainter;
use crate::progress::ProgressTracker;

/// Frames looked at for the palette.
const LOOKS: u32 = 40;

pub(crate) fn render(
    mut painter: FramePainter<'_>,
    fps: u32,
    recipe: &Recipe,
    path: &Path,
    progress: &mut ProgressTracker<'_>,
) -> Result<u64, RenderError> {
    let total = recipe.frames.len() as u32;
    let mut colours = PaletteBuilder::default();
    let returns = painter.returns();
    for frame in recipe.frames.clone().step_by(total.div_ceil(LOOKS).max(1) as usize) {
        let canvas = painter.paint(frame)?;
        if let Some(picture) = canvas.rgba() {
            colours.look_at(&picture);
        }
        // A full channel only means that the buffer is not reused.
        let _ = returns.try_send(canvas);
        progress.add(0)?;
    }
    // Drops frames above the rate that players support.
    let step = fps.div_ceil(GIF_MAX_FPS);
    let last = (total - 1) / step * step..total;
    let mut writer = GifWriter::create(path, recipe.width, recipe.height, fps, last, colours.build())?;
    for first in (0..total).step_by(step as usize) {
        let canvas = painter.paint(recipe.frames.start + first)?;
        let lasts = step.min(total - first);
        if let Some(picture) = canvas.rgba() {
            writer.push(&picture, first)?;
        }
        let _ = returns.try_send(canvas);
        progress.add(lasts)?;
    }
    Ok(writer.finish()?)
}
