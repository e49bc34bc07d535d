//! Frames painted in order, as planes for an encoder, in buffers that are used again.

use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, bounded};
use rondo_paint::{Painter, Yuv420};
use rondo_scene::Scene;

use crate::error::RenderError;
use crate::library::Library;

/// Painted frames that may wait for the encoder.
pub(crate) const FRAMES_AHEAD: usize = 4;

/// A frame as the encoder takes it; frames that look the same share one.
pub(crate) type Picture = Arc<Yuv420>;

/// A painter with everything it paints from.
pub(crate) struct Easel<'a> {
    scene: &'a Scene,
    library: Library,
    painter: Painter,
    canvas: Yuv420,
    last: Option<Picture>,
    returns: Sender<Picture>,
    used: Receiver<Picture>,
}

impl<'a> Easel<'a> {
    pub fn new(scene: &'a Scene, library: Library) -> Self {
        let (width, height) = (scene.width(), scene.height());
        // Two encoders may be at work for one easel: one finishes its chunk while the next begins.
        let (returns, used) = bounded(2 * FRAMES_AHEAD);
        Self {
            scene,
            library,
            painter: Painter::new(width, height),
            canvas: Yuv420::new(width, height),
            last: None,
            returns,
            used,
        }
    }

    /// Takes pictures back that nobody needs any more.
    pub fn returns(&self) -> Sender<Picture> {
        self.returns.clone()
    }

    pub fn paint(&mut self, frame: u32) -> Result<Picture, RenderError> {
        let painted = self.painter.paint(&self.scene.frame(frame), &mut self.library)?;
        let picture = match self.last.take() {
            Some(same) if painted.dirty.is_empty() => same,
            _ => {
                self.canvas.update(painted.bitmap, painted.dirty);
                snapshot(&self.canvas, &self.used)
            }
        };
        self.last = Some(picture.clone());
        Ok(picture)
    }
}

/// A copy of the canvas for the encoder, in a buffer it has given back where there is one.
fn snapshot(canvas: &Yuv420, used: &Receiver<Picture>) -> Picture {
    for mut old in used.try_iter() {
        if let Some(buffer) = Arc::get_mut(&mut old) {
            buffer.y.copy_from_slice(&canvas.y);
            buffer.u.copy_from_slice(&canvas.u);
            buffer.v.copy_from_slice(&canvas.v);
            return old;
        }
    }
    Arc::new(canvas.clone())
}
