//! What stickers are drawn with. Contents are centred on the origin, the middle of the sticker.

use std::sync::Arc;

use kurbo::{Affine, BezPath, Circle, Point, Rect, Shape as _, Size, Vec2};
use rondo_css::Color;
use rondo_text::{LineHeight, TextStyle, WrapMode};

use crate::Homography;
use crate::display::*;
use crate::overlay::marks::Marks;
use crate::prepare::Prepare;
use crate::sprite::Sprite;

/// Where a part is at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pose {
    pub transform: Homography,
    pub opacity: f64,
}

impl Pose {
    pub const REST: Self = Self { transform: Homography::IDENTITY, opacity: 1.0 };

    pub fn of(transform: impl Into<Homography>) -> Self {
        Self { transform: transform.into(), opacity: 1.0 }
    }
}

type Moves = Box<dyn Fn(f64) -> Pose + Send + Sync>;
type Draws = Box<dyn Fn(f64) -> Arc<Content> + Send + Sync>;

/// A piece of a sticker.
pub(super) enum Part {
    /// One content that moves.
    Moved(Arc<Content>, Moves),
    /// A content for each moment.
    Redrawn(Draws),
}

impl Part {
    pub fn new(content: Arc<Content>, pose: impl Fn(f64) -> Pose + Send + Sync + 'static) -> Self {
        Self::Moved(content, Box::new(pose))
    }

    pub fn redrawn(draw: impl Fn(f64) -> Arc<Content> + Send + Sync + 'static) -> Self {
        Self::Redrawn(Box::new(draw))
    }

    /// The part at a tick; `next` is the tick of the frame after.
    pub fn at(&self, tick: f64, next: f64) -> Sprite {
        match self {
            Self::Moved(content, pose) => {
                let now = pose(tick);
                let moving = now.transform != pose(next).transform;
                Sprite { moving, ..Sprite::still(content.clone(), now.transform).faded(now.opacity) }
            }
            Self::Redrawn(draw) => Sprite::still(draw(tick), Homography::IDENTITY),
        }
    }
}

/// A place to draw a sticker.
pub(super) struct Easel<'a, 'p> {
    prepare: &'a mut Prepare<'p>,
    pub size: Size,
    /// The shorter side.
    pub side: f64,
    fill: Option<Color>,
    stroke: Option<Color>,
    stroke_width: Option<f64>,
}

/// How a line of text looks.
#[derive(Clone, Copy)]
pub(super) struct Lettering {
    pub family: &'static str,
    pub weight: u16,
    pub size: f64,
    pub color: Color,
}

impl<'a, 'p> Easel<'a, 'p> {
    pub fn new(
        size: Size,
        fill: Option<Color>,
        stroke: Option<Color>,
        stroke_width: Option<f64>,
        prepare: &'a mut Prepare<'p>,
    ) -> Self {
        Self { prepare, size, side: size.min_side(), fill, stroke, stroke_width }
    }

    /// The main colour, unless the author chose another.
    pub fn main(&self, hex: u32) -> Color {
        self.fill.unwrap_or(rgb(hex))
    }

    /// The second colour: the author's stroke, or a darker shade of the author's fill.
    pub fn second(&self, hex: u32) -> Color {
        self.stroke.or(self.fill.map(|c| shade(c, 0.35))).unwrap_or(rgb(hex))
    }

    /// The author's stroke around a shape.
    pub fn outline(&self, path: &BezPath) -> Option<Draw> {
        let color = self.stroke.filter(|c| !c.is_transparent())?;
        Some(line(path.clone(), self.stroke_width.unwrap_or(2.0), color))
    }

    pub fn content(&self, draws: Vec<Draw>) -> Arc<Content> {
        let reach = Size::new(self.size.width.min(3.0 * self.side), self.size.height.min(3.0 * self.side));
        Arc::new(Content::new(Rect::from_center_size(Point::ORIGIN, reach * 1.25), draws))
    }

    /// Capitals with their middle at a point.
    pub fn text(&mut self, text: &str, at: impl Into<Point>, look: Lettering) -> Vec<Draw> {
        let style = TextStyle {
            families: look.family.into(),
            size: look.size as f32,
            weight: look.weight,
            line_height: LineHeight::Factor(1.0),
            ..TextStyle::default()
        };
        let layout = self.prepare.engine.layout(text, &style, None, WrapMode::NoWrap);
        let baseline = layout.lines.first().map_or(0.0, |l| f64::from(l.baseline));
        // Capitals of most faces are about seven tenths of the size high.
        let at = at.into() + Vec2::new(-f64::from(layout.width) / 2.0, 0.36 * look.size - baseline);
        let marks = Marks { layout: &layout, origin: at, snaps: false, decoration: &[], stroke: None };
        let mut draws = Vec::new();
        marks.draw(&Paint::Solid(look.color), look.color, &mut draws);
        draws
    }

    /// An emoji as large as fits the shorter side.
    pub fn emoji(&mut self, emoji: &str) -> Vec<Draw> {
        let mut style = TextStyle {
            families: "Noto Color Emoji".into(),
            size: self.side as f32,
            line_height: LineHeight::Factor(1.0),
            ..TextStyle::default()
        };
        let wide = self.prepare.engine.layout(emoji, &style, None, WrapMode::NoWrap).width;
        if f64::from(wide) > self.side {
            style.size *= self.side as f32 / wide;
        }
        let layout = self.prepare.engine.layout(emoji, &style, None, WrapMode::NoWrap);
        let line = layout.lines.first().map_or(0.0, |l| f64::from(l.baseline));
        let (up, down) = (f64::from(layout.metrics.ascent), f64::from(layout.metrics.descent));
        let origin = Point::new(-f64::from(layout.width) / 2.0, (up - down) / 2.0 - line);
        let marks = Marks { layout: &layout, origin, snaps: false, decoration: &[], stroke: None };
        let mut draws = Vec::new();
        marks.draw(&Paint::Solid(Color::BLACK), Color::BLACK, &mut draws);
        draws
    }
}

pub(super) const fn rgb(hex: u32) -> Color {
    Color::new(
        ((hex >> 16) & 255) as f32 / 255.0,
        ((hex >> 8) & 255) as f32 / 255.0,
        (hex & 255) as f32 / 255.0,
        1.0,
    )
}

/// A colour mixed with black.
pub(super) fn shade(color: Color, part: f64) -> Color {
    color.mix_srgb(Color::new(0.0, 0.0, 0.0, color.a), part)
}

/// A colour mixed with white.
pub(super) fn tint(color: Color, part: f64) -> Color {
    color.mix_srgb(Color::new(1.0, 1.0, 1.0, color.a), part)
}

pub(super) fn fill(path: BezPath, color: Color) -> Draw {
    fill_with(path, Paint::Solid(color))
}

pub(super) fn fill_with(path: BezPath, paint: Paint) -> Draw {
    crate::outlines::fill_path(path, FillRule::NonZero, paint)
}

pub(super) fn line(path: BezPath, width: f64, color: Color) -> Draw {
    Draw::Stroke { path: Arc::new(path), transform: Affine::IDENTITY, width, paint: Paint::Solid(color) }
}

/// A gradient from top to bottom of a height around the middle.
pub(super) fn downwards(top: Color, bottom: Color, height: f64) -> Paint {
    Paint::Gradient(Arc::new(Gradient {
        kind: GradientKind::Linear {
            start: Point::new(0.0, -height / 2.0),
            end: Point::new(0.0, height / 2.0),
        },
        stops: vec![Stop { offset: 0.0, color: top }, Stop { offset: 1.0, color: bottom }],
        repeat: false,
    }))
}

pub(super) fn circle(at: impl Into<Point>, radius: f64) -> BezPath {
    Circle::new(at, radius).to_path(1e-3)
}

/// A box with round corners around its middle.
pub(super) fn card(at: impl Into<Point>, size: impl Into<Size>, radius: f64) -> BezPath {
    Rect::from_center_size(at, size).to_rounded_rect(radius).to_path(1e-3)
}

pub(super) fn polygon(points: impl IntoIterator<Item = (f64, f64)>) -> BezPath {
    let mut path = BezPath::new();
    for (i, point) in points.into_iter().enumerate() {
        if i == 0 { path.move_to(point) } else { path.line_to(point) }
    }
    path.close_path();
    path
}

/// A star whose first point is up.
pub(super) fn star(at: impl Into<Point>, points: usize, outer: f64, inner: f64) -> BezPath {
    let at = at.into();
    polygon((0..2 * points).map(|i| {
        let radius = if i.is_multiple_of(2) { outer } else { inner };
        let (sin, cos) = (std::f64::consts::PI * i as f64 / points as f64).sin_cos();
        (at.x + radius * sin, at.y - radius * cos)
    }))
}

/// A soft shadow of what is drawn.
pub(super) fn with_shadow(draws: Vec<Draw>, side: f64) -> Vec<Draw> {
    let shadow = Filter::DropShadow {
        offset: Vec2::new(0.0, 0.02 * side),
        sigma: 0.018 * side,
        color: Color::new(0.0, 0.0, 0.0, 0.28),
    };
    vec![Draw::Group { draws, filters: vec![shadow], clip: None, opacity: 1.0 }]
}
