//! What stickers are drawn with. Contents are centred on the origin, the middle of the sticker.

use std::sync::Arc;

use kurbo::{BezPath, Point, Rect, Size, Vec2};
use rondo_css::Color;
use rondo_text::{LineHeight, TextStyle, WrapMode};

use super::forms::{line, rgb, shade};
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
    /// A content for each moment, which may also move.
    Redrawn(Draws, Moves),
}

impl Part {
    pub fn new(content: Arc<Content>, pose: impl Fn(f64) -> Pose + Send + Sync + 'static) -> Self {
        Self::Moved(content, Box::new(pose))
    }

    pub fn redrawn(draw: impl Fn(f64) -> Arc<Content> + Send + Sync + 'static) -> Self {
        Self::played(draw, |_| Pose::REST)
    }

    pub fn played(
        draw: impl Fn(f64) -> Arc<Content> + Send + Sync + 'static,
        pose: impl Fn(f64) -> Pose + Send + Sync + 'static,
    ) -> Self {
        Self::Redrawn(Box::new(draw), Box::new(pose))
    }

    /// The part at a tick; `next` is the tick of the frame after.
    pub fn at(&self, tick: f64, next: f64) -> Sprite {
        let (content, pose) = match self {
            Self::Moved(content, pose) => (content.clone(), pose),
            Self::Redrawn(draw, pose) => (draw(tick), pose),
        };
        let now = pose(tick);
        let moving = now.transform != pose(next).transform;
        Sprite { moving, ..Sprite::still(content, now.transform).faded(now.opacity) }
    }
}

/// A place to draw a sticker.
pub(super) struct Easel<'a, 'p> {
    prepare: &'a mut Prepare<'p>,
    pub size: Size,
    /// The shorter side.
    pub side: f64,
    /// Ticks the overlay lasts.
    pub length: f64,
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
        length: f64,
        fill: Option<Color>,
        stroke: Option<Color>,
        stroke_width: Option<f64>,
        prepare: &'a mut Prepare<'p>,
    ) -> Self {
        Self { prepare, size, side: size.min_side(), length, fill, stroke, stroke_width }
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

    /// The room of a part: a quarter more than the sticker's box.
    pub fn room(&self) -> Rect {
        let reach = Size::new(self.size.width.min(3.0 * self.side), self.size.height.min(3.0 * self.side));
        Rect::from_center_size(Point::ORIGIN, reach * 1.25)
    }

    pub fn content(&self, draws: Vec<Draw>) -> Arc<Content> {
        Arc::new(Content::new(self.room(), draws))
    }

    /// Capitals with their middle at a point.
    pub fn text(&mut self, text: &str, at: impl Into<Point>, look: Lettering) -> Vec<Draw> {
        self.write(text, at.into(), 0.5, look)
    }

    /// Capitals that start at a point, which is half-way up.
    pub fn text_from(&mut self, text: &str, at: impl Into<Point>, look: Lettering) -> Vec<Draw> {
        self.write(text, at.into(), 0.0, look)
    }

    /// Capitals with the point `part` of the way along the line, half-way up.
    fn write(&mut self, text: &str, at: Point, part: f64, look: Lettering) -> Vec<Draw> {
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
        let at = at + Vec2::new(-part * f64::from(layout.width), 0.36 * look.size - baseline);
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
