//! Frames painted in order, as an encoder takes them, in buffers that are used again.

use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, bounded};
use rondo_media::{ChunkEncoder, I420, MediaError, Picture, Rgba, SharedPlanes};
use rondo_paint::{Bitmap, Painter, Yuv420};
use rondo_scene::View;

use crate::error::RenderError;
use crate::library::Library;
use crate::timings::{self, Stage, during};

/// Painted frames that may wait for the encoder: about what can be painted while it finishes a chunk.
pub(crate) const FRAMES_AHEAD: usize = 6;

/// Frames before it is shown in which a picture can be decoded.
const PICTURES_AHEAD: u32 = 30;

/// A frame as an encoder takes it; frames that look the same share one.
pub(crate) type Canvas = Arc<Pixels>;

/// The pixels of a frame.
pub(crate) enum Pixels {
    /// For films of eight bits without transparency.
    Planes(Yuv420),
    /// Premultiplied, for everything else.
    Rgba(Bitmap),
}

impl Pixels {
    pub fn picture(&self) -> Picture<'_> {
        match self {
            Self::Planes(_) => Picture::I420(self.planes()),
            Self::Rgba(bitmap) => {
                Picture::Rgba(Rgba { width: bitmap.width, height: bitmap.height, pixels: &bitmap.pixels })
            }
        }
    }

    fn yuv(&self) -> Option<&Yuv420> {
        match self {
            Self::Planes(planes) => Some(planes),
            Self::Rgba(_) => None,
        }
    }

    /// Encodes a frame, without copying it where the encoder can read it as it is.
    pub fn encode(canvas: &Canvas, encoder: &mut ChunkEncoder) -> Result<(), MediaError> {
        match &**canvas {
            Self::Planes(_) => encoder.push_shared(canvas.clone()),
            Self::Rgba(_) => encoder.push(&canvas.picture()),
        }
    }
}

// SAFETY: a frame is never written to while it is shared.
unsafe impl SharedPlanes for Pixels {
    fn planes(&self) -> I420<'_> {
        match self {
            Self::Planes(Yuv420 { width, y, u, v, .. }) => {
                I420 { y, u, v, y_stride: *width as usize, uv_stride: *width as usize / 2 }
            }
            Self::Rgba(_) => I420 { y: &[], u: &[], v: &[], y_stride: 0, uv_stride: 0 },
        }
    }
}

/// A painter with everything it paints from.
pub(crate) struct Easel<'a> {
    view: View<'a>,
    library: Library,
    painter: Painter,
    planes: bool,
    last: Option<Canvas>,
    returns: Sender<Canvas>,
    used: Receiver<Canvas>,
    /// Frames that came back.
    spare: Vec<Canvas>,
}

impl<'a> Easel<'a> {
    /// Frames come out as planes, or as RGBA.
    pub fn new(view: View<'a>, library: Library, planes: bool) -> Self {
        let (returns, used) = bounded(FRAMES_AHEAD + 2);
        let mut painter = Painter::new(view.width(), view.height());
        painter.watch(timings::watch());
        Self { view, library, painter, planes, last: None, returns, used, spare: Vec::new() }
    }

    /// Takes frames back that nobody needs any more.
    pub fn returns(&self) -> Sender<Canvas> {
        self.returns.clone()
    }

    pub fn paint(&mut self, frame: u32) -> Result<Canvas, RenderError> {
        let scene = during(Stage::Scene);
        let shown = self.view.frame(frame);
        drop(scene);
        let _composite = during(Stage::Composite);
        self.library.open_at(frame, PICTURES_AHEAD);
        let mut pixels = self.empty();
        let painted = match &mut pixels {
            Pixels::Planes(planes) => {
                let last = self.last.as_ref().and_then(|last| last.yuv());
                self.painter.paint_film(&shown, &mut self.library, last, planes)
            }
            Pixels::Rgba(bitmap) => self.painter.paint(&shown, &mut self.library).map(|painted| {
                let changed = !painted.dirty.is_empty() || self.last.is_none();
                if changed {
                    bitmap.pixels.copy_from_slice(&painted.bitmap.pixels);
                }
                changed
            }),
        };
        let changed = painted.map_err(|error| self.library.explain(error))?;
        let painted = Arc::new(pixels);
        if let Some(last) = self.last.as_ref().filter(|_| !changed) {
            self.spare.push(painted);
            return Ok(last.clone());
        }
        self.last = Some(painted.clone());
        Ok(painted)
    }

    /// A buffer to paint into: one that nobody holds any more, where there is one.
    fn empty(&mut self) -> Pixels {
        for canvas in self.used.try_iter() {
            // A frame that was shown for a while comes back as often.
            if !self.spare.iter().any(|spare| Arc::ptr_eq(spare, &canvas)) {
                self.spare.push(canvas);
            }
        }
        while let Some(free) = self.spare.iter().position(|canvas| Arc::strong_count(canvas) == 1) {
            if let Ok(pixels) = Arc::try_unwrap(self.spare.swap_remove(free)) {
                return pixels;
            }
        }
        let (width, height) = (self.view.width(), self.view.height());
        match self.planes {
            true => Pixels::Planes(Yuv420::new(width, height)),
            false => Pixels::Rgba(Bitmap::new(width, height)),
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
        let film = Film::open(read.composition, &NoMedia, load_fonts(&FontSettings { user_folder: None }).0);
        for planes in [true, false] {
            let mut easel = Easel::new(film.scene.view(), Library::default(), planes);
            let returns = easel.returns();
            let mut pictures = std::collections::HashSet::new();
            for frame in 0..120 {
                let canvas = easel.paint(frame).unwrap();
                pictures.insert(Arc::as_ptr(&canvas));
                let _ = returns.try_send(canvas);
                assert!(easel.spare.len() <= 2, "{} buffers lie idle at frame {frame}", easel.spare.len());
            }
            assert!(pictures.len() > 1, "the film changes");
        }
    }
}
