//! Frames painted in order, as planes for an encoder, in buffers that are used again.

use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, bounded};
use rondo_paint::{Painter, Yuv420};
use rondo_scene::Scene;

use crate::error::RenderError;
use crate::library::Library;
use crate::shrink::Shrink;

/// Painted frames that may wait for the encoder: about what can be painted while it finishes a chunk.
pub(crate) const FRAMES_AHEAD: usize = 6;

/// A frame as the encoder takes it; frames that look the same share one.
pub(crate) type Picture = Arc<Yuv420>;

/// A painter with everything it paints from.
pub(crate) struct Easel<'a> {
    scene: &'a Scene,
    library: Library,
    painter: Painter,
    canvas: Yuv420,
    /// Present where the film is smaller than the canvas.
    shrink: Option<Shrink>,
    last: Option<Picture>,
    returns: Sender<Picture>,
    used: Receiver<Picture>,
}

impl<'a> Easel<'a> {
    /// Pictures come out at `size`, which has even sides.
    pub fn new(scene: &'a Scene, library: Library, size: (u32, u32)) -> Self {
        let (width, height) = (scene.width(), scene.height());
        let canvas = Yuv420::new(width, height);
        let whole = (canvas.width, canvas.height);
        let (returns, used) = bounded(FRAMES_AHEAD + 2);
        Self {
            scene,
            library,
            painter: Painter::new(width, height),
            canvas,
            shrink: (size != whole).then(|| Shrink::new(whole, size)),
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
        let changed =
            self.painter.paint_film(&self.scene.frame(frame), &mut self.library, &mut self.canvas)?;
        let picture = match (self.last.take(), &self.shrink) {
            (Some(same), _) if !changed => same,
            (_, Some(shrink)) => Arc::new(shrink.apply(&self.canvas)),
            _ => snapshot(&self.canvas, &self.used),
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
