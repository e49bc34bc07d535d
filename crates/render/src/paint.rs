//! Frames painted in order, as an encoder takes them, in buffers that are used again.

use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, bounded};
use rondo_media::{I420, Picture, Rgba};
use rondo_paint::{Bitmap, Painter, Yuv420};
use rondo_scene::View;

use crate::error::RenderError;
use crate::library::Library;
use crate::timings::{self, Stage, during};

/// Painted frames that may wait for the encoder: about what can be painted while it finishes a chunk.
pub(crate) const FRAMES_AHEAD: usize = 6;

/// A frame as an encoder takes it; frames that look the same share one.
pub(crate) type Canvas = Arc<Pixels>;

/// The pixels of a frame.
#[derive(Clone)]
pub(crate) enum Pixels {
    /// For films of eight bits without transparency.
    Planes(Yuv420),
    /// Premultiplied, for everything else.
    Rgba(Bitmap),
}

impl Pixels {
    pub fn picture(&self) -> Picture<'_> {
        match self {
            Self::Planes(planes) => Picture::I420(I420 {
                y: &planes.y,
                u: &planes.u,
                v: &planes.v,
                y_stride: planes.width as usize,
                uv_stride: planes.width as usize / 2,
            }),
            Self::Rgba(bitmap) => {
                Picture::Rgba(Rgba { width: bitmap.width, height: bitmap.height, pixels: &bitmap.pixels })
            }
        }
    }

    /// Takes the pixels of another frame of the same film over.
    fn copy(&mut self, from: &Self) -> bool {
        match (self, from) {
            (Self::Planes(to), Self::Planes(from)) => {
                to.y.copy_from_slice(&from.y);
                to.u.copy_from_slice(&from.u);
                to.v.copy_from_slice(&from.v);
                true
            }
            (Self::Rgba(to), Self::Rgba(from)) => {
                to.pixels.copy_from_slice(&from.pixels);
                true
            }
            _ => false,
        }
    }
}

/// A painter with everything it paints from.
pub(crate) struct Easel<'a> {
    view: View<'a>,
    library: Library,
    painter: Painter,
    canvas: Pixels,
    last: Option<Canvas>,
    returns: Sender<Canvas>,
    used: Receiver<Canvas>,
}

impl<'a> Easel<'a> {
    /// Frames come out as planes, or as RGBA.
    pub fn new(view: View<'a>, library: Library, planes: bool) -> Self {
        let (width, height) = (view.width(), view.height());
        let canvas = match planes {
            true => Pixels::Planes(Yuv420::new(width, height)),
            false => Pixels::Rgba(Bitmap::new(width, height)),
        };
        let (returns, used) = bounded(FRAMES_AHEAD + 2);
        let mut painter = Painter::new(width, height);
        painter.watch(timings::watch());
        Self { view, library, painter, canvas, last: None, returns, used }
    }

    /// Takes frames back that nobody needs any more.
    pub fn returns(&self) -> Sender<Canvas> {
        self.returns.clone()
    }

    /// Brings the canvas to a frame and tells whether that changed it.
    fn turn_to(&mut self, frame: u32) -> Result<bool, RenderError> {
        let scene = during(Stage::Scene);
        let shown = self.view.frame(frame);
        drop(scene);
        let _composite = during(Stage::Composite);
        Ok(match &mut self.canvas {
            Pixels::Planes(planes) => self.painter.paint_film(&shown, &mut self.library, planes)?,
            Pixels::Rgba(bitmap) => {
                let painted = self.painter.paint(&shown, &mut self.library)?;
                for rect in painted.dirty {
                    for y in rect.y0..rect.y1 {
                        let from = painted.bitmap.span(y, rect.x0, rect.x1);
                        bitmap.span_mut(y, rect.x0, rect.x1).copy_from_slice(from);
                    }
                }
                !painted.dirty.is_empty()
            }
        })
    }

    pub fn paint(&mut self, frame: u32) -> Result<Canvas, RenderError> {
        let changed = self.turn_to(frame)?;
        let picture = match self.last.take() {
            Some(same) if !changed => same,
            _ => snapshot(&self.canvas, &self.used),
        };
        self.last = Some(picture.clone());
        Ok(picture)
    }

    /// Paints a frame where only a look at it is wanted.
    pub fn look(&mut self, frame: u32) -> Result<&Pixels, RenderError> {
        if self.turn_to(frame)? {
            self.last = None;
        }
        Ok(&self.canvas)
    }
}

/// A copy of the canvas for the encoder, in a buffer it has given back where there is one.
fn snapshot(canvas: &Pixels, used: &Receiver<Canvas>) -> Canvas {
    for mut old in used.try_iter() {
        if Arc::get_mut(&mut old).is_some_and(|buffer| buffer.copy(canvas)) {
            return old;
        }
    }
    Arc::new(canvas.clone())
}
