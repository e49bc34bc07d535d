//! Paints frames in the encoder's pixel format and reuses their buffers.

use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, bounded};
use rondo_media::{ChunkEncoder, MediaError};
use rondo_paint::Painter;
use rondo_pixels::{Bitmap, BitmapRef, Planes};
use rondo_scene::View;

use crate::error::RenderError;
use crate::media::MediaLibrary;
use crate::timings::{self, Stage, during};
use crate::watchdog::{self, OverlayCosts};

/// Painted frames that may wait for the encoder: about what can be painted while it finishes a chunk.
pub(crate) const FRAMES_AHEAD: usize = 6;

/// Frames before it is shown in which a picture can be decoded.
pub(crate) const PICTURES_AHEAD: u32 = 30;

/// A frame as an encoder takes it; frames that look the same share one.
#[derive(Clone)]
pub(crate) enum Canvas {
    /// For films of eight bits without transparency.
    Planes(Arc<Planes>),
    /// Premultiplied, for everything else.
    Rgba(Arc<Bitmap>),
}

impl Canvas {
    /// The pixels of a frame that was painted as RGBA.
    pub fn rgba(&self) -> Option<BitmapRef<'_>> {
        match self {
            Self::Planes(_) => None,
            Self::Rgba(bitmap) => Some(bitmap.view()),
        }
    }

    /// The planes of a frame that was painted as planes.
    pub fn planes(&self) -> Option<&Planes> {
        match self {
            Self::Planes(planes) => Some(planes),
            Self::Rgba(_) => None,
        }
    }

    /// Encodes a frame, without copying it where the encoder can read it as it is.
    pub fn encode(&self, encoder: &mut ChunkEncoder) -> Result<(), MediaError> {
        match self {
            Self::Planes(planes) => encoder.push_planes(planes.clone()),
            Self::Rgba(bitmap) => encoder.push_rgba(bitmap.view()),
        }
    }

    /// Whether nothing else holds its pixels.
    fn is_free(&self) -> bool {
        match self {
            Self::Planes(planes) => Arc::strong_count(planes) == 1,
            Self::Rgba(bitmap) => Arc::strong_count(bitmap) == 1,
        }
    }

    /// The address of its pixels, which identifies it.
    fn address(&self) -> *const u8 {
        match self {
            Self::Planes(planes) => planes.y.as_ptr(),
            Self::Rgba(bitmap) => bitmap.pixels.as_ptr(),
        }
    }
}

/// A painter with everything it paints from.
pub(crate) struct FramePainter<'a> {
    view: View<'a>,
    library: MediaLibrary,
    painter: Painter,
    planes: bool,
    last: Option<Canvas>,
    returns: Sender<Canvas>,
    used: Receiver<Canvas>,
    /// Frames that came back.
    spare: Vec<Canvas>,
    /// Where painting time is counted, if it is.
    costs: Option<OverlayCosts>,
}

impl<'a> FramePainter<'a> {
    /// Frames come out as planes, or as RGBA.
    pub fn new(view: View<'a>, library: MediaLibrary, planes: bool, costs: Option<&OverlayCosts>) -> Self {
        let (returns, used) = bounded(FRAMES_AHEAD + 2);
        let mut painter = Painter::new(view.width(), view.height());
        painter.watch(timings::watch());
        painter.stop_by(library.stop().clone());
        if costs.is_some() {
            painter.measure(watchdog::clock);
        }
        let (last, spare, costs) = (None, Vec::new(), costs.cloned());
        Self { view, library, painter, planes, last, returns, used, spare, costs }
    }

    /// The media it paints from, for another thread.
    pub fn fork_library(&self) -> MediaLibrary {
        self.library.fork()
    }

    /// The channel for returning canvases that are no longer needed.
    pub fn returns(&self) -> Sender<Canvas> {
        self.returns.clone()
    }

    pub fn paint(&mut self, frame: u32) -> Result<Canvas, RenderError> {
        let scene = during(Stage::Scene);
        let shown = self.view.frame(frame);
        drop(scene);
        let _composite = during(Stage::Composite);
        self.library.open_at(frame, PICTURES_AHEAD);
        let mut canvas = self.empty();
        // Nothing else holds the canvas, so nothing is copied to write to it.
        let painted = match &mut canvas {
            Canvas::Planes(planes) => {
                let last = self.last.as_ref().and_then(Canvas::planes);
                self.painter.paint_film(&shown, &mut self.library, last, Arc::make_mut(planes))
            }
            Canvas::Rgba(bitmap) => self.painter.paint(&shown, &mut self.library).map(|painted| {
                let changed = !painted.dirty.is_empty() || self.last.is_none();
                if changed {
                    Arc::make_mut(bitmap).pixels.copy_from_slice(&painted.bitmap.pixels);
                }
                changed
            }),
        };
        if let Some(costs) = &self.costs {
            for (overlay, cost) in shown.overlays.iter().zip(self.painter.costs()) {
                costs.add(*overlay, *cost);
            }
        }
        let changed = painted.map_err(|error| self.library.explain(error))?;
        if let Some(last) = self.last.as_ref().filter(|_| !changed) {
            self.spare.push(canvas);
            return Ok(last.clone());
        }
        self.last = Some(canvas.clone());
        Ok(canvas)
    }

    /// A canvas to paint on: a free one if there is one.
    fn empty(&mut self) -> Canvas {
        for canvas in self.used.try_iter() {
            // A canvas that was shown for several frames is returned several times.
            if !self.spare.iter().any(|spare| spare.address() == canvas.address()) {
                self.spare.push(canvas);
            }
        }
        if let Some(free) = self.spare.iter().position(Canvas::is_free) {
            return self.spare.swap_remove(free);
        }
        let (width, height) = (self.view.width(), self.view.height());
        match self.planes {
            true => Canvas::Planes(Arc::new(Planes::new(width, height))),
            false => Canvas::Rgba(Arc::new(Bitmap::new(width, height))),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::{Film, FontSettings, Locate, load_fonts};

    struct NoMedia;

    impl Locate for NoMedia {
        fn locate(&self, _: &str) -> Result<std::path::PathBuf, String> {
            Err("there is none".into())
        }
    }

    #[test]
    fn buffers_of_frames_that_stay_for_a_while_are_used_again() {
        let overlays: Vec<_> = (0..40)
            .map(|step| {
                serde_json::json!({"id": step, "type": "shape", "from": step * 3, "durationInFrames": 3, "row": 1,
                    "left": step, "top": 0, "width": 20, "height": 20, "content": "rectangle"})
            })
            .collect();
        let value = serde_json::json!({"width": 64, "height": 64, "fps": 30, "durationInFrames": 120,
            "overlays": overlays});
        let limits = rondo_composition::Limits::WIDEST;
        let read = rondo_composition::read_composition_or_request(&value, limits).unwrap();
        let film = Film::open(read.composition, &NoMedia, load_fonts(&FontSettings::default()).0);
        for planes in [true, false] {
            let mut painter = FramePainter::new(film.scene.view(), MediaLibrary::default(), planes, None);
            let returns = painter.returns();
            let mut pictures = std::collections::HashSet::new();
            for frame in 0..120 {
                let canvas = painter.paint(frame).unwrap();
                pictures.insert(canvas.address());
                let _ = returns.try_send(canvas);
                assert!(
                    painter.spare.len() <= 2,
                    "{} buffers lie idle at frame {frame}",
                    painter.spare.len()
                );
            }
            assert!(pictures.len() > 1, "the film changes");
        }
    }
}
