//! The display list: what a frame shows, with every unit, default, CSS string and preset name resolved.
//!
//! A frame is a background and a list of items, back to front. A layer is a content and a placement. Content is drawn in
//! its own pixel space and has a hash: equal hash, equal pixels, so the painter rasterises it once. Placement is what
//! motion changes: a fade, a slide, a zoom and a tilt cost no rasterisation.

use std::sync::Arc;

use kurbo::{Affine, BezPath, Point, Rect, Vec2};
pub use rondo_css::BlendMode;
use rondo_css::Color;
use rondo_text::GlyphRun;

use crate::hash::Digest;
use crate::homography::Homography;

/// Everything one frame shows.
#[derive(Clone, Debug)]
pub struct Frame {
    pub width: u32,
    pub height: u32,
    /// Opaque, unless the frame is of a transparent view.
    pub background: Color,
    /// Back to front.
    pub items: Vec<Item>,
    /// The overlay of each item, by its index in the composition. Tells what takes long, not what is painted.
    pub overlays: Vec<u32>,
}

impl Frame {
    /// Every picture that the frame shows or that is hidden behind others in it.
    pub fn pictures(&self) -> Vec<PictureRef> {
        let mut found = Vec::new();
        pictures_of_items(&self.items, &mut found);
        found
    }
}

fn pictures_of_items(items: &[Item], found: &mut Vec<PictureRef>) {
    for item in items {
        match item {
            Item::Layer(layer) => pictures_of_draws(&layer.content.draws, found),
            Item::Group(group) => pictures_of_items(&group.items, found),
        }
    }
}

fn pictures_of_draws(draws: &[Draw], found: &mut Vec<PictureRef>) {
    for draw in draws {
        match draw {
            Draw::Picture(draw) => found.push(draw.picture),
            Draw::Group { draws, .. } => pictures_of_draws(draws, found),
            Draw::Masked { draws, mask } => {
                pictures_of_draws(draws, found);
                pictures_of_draws(mask, found);
            }
            Draw::Fill { .. }
            | Draw::Stroke { .. }
            | Draw::Glyphs { .. }
            | Draw::GlyphStroke { .. }
            | Draw::BoxShadow { .. } => {}
        }
    }
}

#[derive(Clone, Debug)]
pub enum Item {
    Layer(Layer),
    Group(Group),
}

/// Items composited together first, then clipped, filtered, faded and blended with what is beneath as one picture.
#[derive(Clone, Debug)]
pub struct Group {
    pub items: Vec<Item>,
    pub opacity: f32,
    pub clips: Vec<Clip>,
    pub filters: Vec<Filter>,
    pub blend: BlendMode,
}

impl Group {
    /// Items to which nothing is done together but blending.
    pub fn blended(items: Vec<Item>, blend: BlendMode) -> Self {
        Self { items, opacity: 1.0, clips: Vec::new(), filters: Vec::new(), blend }
    }
}

#[derive(Clone, Debug)]
pub struct Layer {
    pub content: Arc<Content>,
    pub placement: Placement,
}

/// Where and how a content appears on the canvas.
#[derive(Clone, Debug)]
pub struct Placement {
    /// Content pixels to canvas pixels.
    pub transform: Homography,
    /// Whether motion is acting on the transform at this frame. A still layer is rasterised exactly through its
    /// transform, as a browser would; a moving one at a bucketed scale, and resampled into place.
    pub moving: bool,
    /// 0 to 1.
    pub opacity: f32,
    /// All of them apply.
    pub clips: Vec<Clip>,
    /// Applied to the content's picture in content space before it is placed, in order (animated blur).
    pub filters: Vec<Filter>,
    pub backdrop: Option<Backdrop>,
}

/// Filters the backdrop of the outline, before the layer is drawn. Opacity of the placement applies to the result.
#[derive(Clone, Debug)]
pub struct Backdrop {
    /// In content space.
    pub outline: Outline,
    pub filters: Vec<Filter>,
}

/// A region in its own space and its transform to the canvas; everything outside is clipped, antialiased.
#[derive(Clone, Debug)]
pub struct Clip {
    pub outline: Outline,
    pub transform: Homography,
}

#[derive(Clone, Debug)]
pub enum Outline {
    Rect(Rect),
    /// Corner radii (horizontal, vertical), clockwise from the top left, already reduced to fit the rectangle.
    RoundedRect(Rect, [Vec2; 4]),
    Path(Arc<BezPath>, FillRule),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FillRule {
    NonZero,
    EvenOdd,
}

/// Identity of a content's pixels, stable across processes and machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContentHash(pub Digest);

impl ContentHash {
    /// Half of it, for caches within a process.
    pub fn short(&self) -> u128 {
        let (first, _) = self.0.split_at(16);
        first.iter().fold(0, |hash, byte| hash << 8 | u128::from(*byte))
    }
}

/// Cacheable pixels: drawn once per hash and raster scale.
#[derive(Clone, Debug)]
pub struct Content {
    pub hash: ContentHash,
    /// Everything the content may touch (shadows and blurs included), in content space, on whole pixels.
    pub bounds: Rect,
    pub draws: Vec<Draw>,
}

#[derive(Clone, Debug)]
pub enum Draw {
    Fill {
        outline: Outline,
        transform: Affine,
        paint: Paint,
    },
    /// Centred on the path; `transform` moves the path, the width is not scaled by it.
    Stroke {
        path: Arc<BezPath>,
        transform: Affine,
        width: f64,
        paint: Paint,
    },
    /// Glyph positions are relative to `origin`.
    Glyphs {
        run: Arc<GlyphRun>,
        origin: Point,
        paint: Paint,
    },
    /// A line centred on the outline of each glyph, glyph by glyph: where two of them overlap, translucent lines add up.
    GlyphStroke {
        run: Arc<GlyphRun>,
        origin: Point,
        width: f64,
        paint: Paint,
    },
    Picture(PictureDraw),
    /// A CSS box shadow: the outline's shape moved, grown by `spread` and blurred. The part under the outline itself is
    /// left out for outer shadows, the part outside it for inset ones.
    BoxShadow {
        outline: Outline,
        offset: Vec2,
        sigma: f64,
        spread: f64,
        color: Color,
        inset: bool,
    },
    /// Draws composited apart, then filtered in order, clipped and faded.
    Group {
        draws: Vec<Draw>,
        filters: Vec<Filter>,
        clip: Option<Outline>,
        opacity: f32,
    },
    /// Draws composited apart, and shown as far as `mask` is opaque.
    Masked {
        draws: Vec<Draw>,
        mask: Vec<Draw>,
    },
}

/// Part of a picture stretched over a rectangle.
#[derive(Clone, Debug)]
pub struct PictureDraw {
    pub picture: PictureRef,
    /// In picture pixels.
    pub source: Rect,
    /// In content pixels.
    pub dest: Rect,
    pub key: Option<ChromaKey>,
}

/// Greenscreen removal; `channel` 1 keys green, 2 keys blue.
#[derive(Clone, Debug, PartialEq)]
pub struct ChromaKey {
    pub sensitivity: f32,
    pub threshold: [f32; 3],
    pub smoothing: u32,
    pub spill: f32,
    pub channel: usize,
}

/// Names a picture the world can produce: a still, or the frame of a clip shown at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PictureRef {
    /// Number of the source in its world.
    pub source: u32,
    /// Identity of the source's bytes, for hashes.
    pub source_key: Digest,
    /// Source time in microseconds; 0 for stills.
    pub time_us: i64,
}

#[derive(Clone, Debug)]
pub enum Paint {
    Solid(Color),
    Gradient(Arc<Gradient>),
    Tiles(Arc<Tiles>),
}

/// A gradient that is shown inside a rectangle and its copies, and nothing elsewhere.
#[derive(Clone, Debug)]
pub struct Tiles {
    pub gradient: Gradient,
    /// One of them, in content space.
    pub tile: Rect,
    /// Distance to the next on each axis; 0 where there is none.
    pub step: Vec2,
}

/// A gradient in content space. Between stops colours interpolate premultiplied in sRGB; other interpolation spaces and
/// colour hints were expanded into stops. Offsets are not decreasing; outside them the end colours continue.
#[derive(Clone, Debug)]
pub struct Gradient {
    pub kind: GradientKind,
    pub stops: Vec<Stop>,
    /// Repeats from the last stop on (repeating-* gradients).
    pub repeat: bool,
}

#[derive(Clone, Copy, Debug)]
pub enum GradientKind {
    Linear {
        start: Point,
        end: Point,
    },
    /// Offset 1 is on the ellipse with these radii.
    Radial {
        center: Point,
        radii: Vec2,
    },
    /// Offset 0 at `angle` radians clockwise from straight up, offset 1 after one full turn.
    Conic {
        center: Point,
        angle: f64,
    },
}

#[derive(Clone, Copy, Debug)]
pub struct Stop {
    pub offset: f32,
    pub color: Color,
}

/// CSS filter functions reduced to three kinds, applied one after the other.
#[derive(Clone, Debug, PartialEq)]
pub enum Filter {
    /// Gaussian, same deviation both ways, in content pixels.
    Blur {
        sigma: f64,
    },
    /// Rows for r, g, b, a; columns r, g, b, a, constant; on unpremultiplied sRGB in 0..1, clamped after.
    Matrix(Box<[f32; 20]>),
    DropShadow {
        offset: Vec2,
        sigma: f64,
        color: Color,
    },
}
