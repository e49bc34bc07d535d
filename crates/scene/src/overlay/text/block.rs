//! The block of a text overlay: a box that shrinks to its text, and the way letters are drawn in it.

use std::sync::Arc;

use kurbo::{Point, Rect, Size, Vec2};
use rondo_css::{Color, Context, ResolvedShadow};
use rondo_text::{Align, TextLayout};

use super::look::Look;
use crate::boxes::{self, BoxStyle, floor64};
use crate::display::*;
use crate::outlines;
use crate::overlay::decoration::DecorationLine;
use crate::overlay::marks::Marks;
use crate::overlay::parts::Part;
use crate::overlay::stroke::Stroke;
use crate::visual::Still;

/// In layer box coordinates, moved by the layer's subpixel offset.
pub(super) struct Block {
    pub rect: Rect,
    /// Where its text begins, and the room for it.
    pub origin: Point,
    pub inside: Size,
    pub ink: Ink,
    /// The layer box, which clips the block.
    pub frame: Rect,
    style: BoxStyle,
    /// Whether the border is drawn on the left and right, and on top and bottom.
    bordered: [bool; 2],
    filters: Vec<Filter>,
    backdrop: Option<Backdrop>,
    css: Context,
}

/// How the letters of one block are drawn.
#[derive(Clone)]
pub(super) struct Ink {
    fill: Color,
    stroke: Option<Stroke>,
    shadows: Vec<ResolvedShadow>,
    /// The background seen through the letters, and its box.
    clipped: Option<(BoxStyle, Rect)>,
    css: Context,
    pub decoration: Vec<DecorationLine>,
}

impl Block {
    /// The block around a text that takes `text` pixels, in a layer of `size` with a subpixel `offset`. `css` holds the text's
    /// size and colour.
    pub fn new(look: &Look, text: Size, size: Size, css: Context, offset: Vec2) -> Self {
        let padding = look.padding.each_ref().map(|l| floor64(l.resolve(&css, size.width)));
        let border = look.border.as_ref().map(|b| b.resolve(&css));
        let edge = look.bordered.map(|drawn| border.as_ref().filter(|_| drawn).map_or(0.0, |b| b.width));
        let across = padding[1] + padding[3] + 2.0 * edge[0];
        let down = padding[0] + padding[2] + 2.0 * edge[1];
        let width = (text.width + across).min(size.width).max(0.0);
        let height = (text.height + down).min(size.height).max(0.0);
        let x = aligned(look.style.align, size.width - width);
        let exact =
            Rect::from_origin_size((x, look.vertical.above(size.height - height)), (width, height)) + offset;
        let rect = boxes::snapped(exact);
        let radii =
            look.radius.as_ref().map_or([Vec2::ZERO; 4], |r| r.resolve(rect.width(), rect.height(), &css));
        let background = BoxStyle {
            background: look.background.clone(),
            color: look.background_color,
            border,
            ..BoxStyle::default()
        };
        let (background, clipped) = if look.clip_background {
            (BoxStyle::default(), Some((BoxStyle { radii, ..background }, rect)))
        } else {
            (background, None)
        };
        let style = BoxStyle {
            border,
            radii,
            shadows: look.shadows.iter().map(|s| s.resolve(&css)).collect(),
            ..background
        };
        let backdrop = (!look.backdrop.is_empty()).then(|| Backdrop {
            // The size is rounded, not the edges.
            outline: outlines::rounded(Rect::from_origin_size(rect.origin(), exact.size().round()), radii),
            filters: boxes::filters(rondo_css::resolve_filters(&look.backdrop, &css)),
        });
        let ink = Ink {
            fill: look.fill.unwrap_or(look.color),
            stroke: look.stroke.as_ref().and_then(|stroke| stroke.resolve(&css)),
            shadows: look.text_shadows.iter().map(|s| s.resolve(&css)).collect(),
            clipped,
            css,
            decoration: look.decoration.clone(),
        };
        Self {
            rect,
            origin: exact.origin() + Vec2::new(edge[0] + padding[3], edge[1] + padding[0]),
            inside: Size::new((width - across).max(0.0), (height - down).max(0.0)),
            ink,
            frame: boxes::snapped(Rect::from_origin_size(Point::ORIGIN, size) + offset),
            style,
            bordered: look.bordered,
            filters: boxes::filters(rondo_css::resolve_filters(&look.filters, &css)),
            backdrop,
            css,
        }
    }

    /// How far the letters reach beyond where they are shown: left, top, right and bottom.
    pub fn ink_beyond(&self, layout: &TextLayout) -> [f64; 4] {
        // A background seen through the letters ends with the block.
        let shown = self.ink.clipped.as_ref().map_or(self.frame, |(_, rect)| rect.intersect(self.frame));
        let room = shown - self.origin.to_vec2();
        layout.ink_beyond([room.x0, room.y0, room.x1, room.y1].map(|edge| edge as f32)).map(f64::from)
    }

    fn under(&self) -> Vec<Draw> {
        let mut draws = Vec::new();
        self.style.draw_under(self.rect, &self.css, &mut draws);
        if self.bordered == [true; 2] {
            self.style.draw_border(self.rect, &mut draws);
        } else {
            draws.extend(self.partial_border());
        }
        draws
    }

    /// The border where some of its sides are left out: they lie outside the block, which cuts them off.
    fn partial_border(&self) -> Option<Draw> {
        let beyond = self.bordered.map(|drawn| if drawn { 0.0 } else { self.style.border_width() });
        let mut draws = Vec::new();
        self.style.draw_border(self.rect.inset((beyond[0], beyond[1])), &mut draws);
        let clip = Some(outlines::rounded(self.rect, self.style.radii));
        let shown = self.bordered != [false; 2] && !draws.is_empty();
        shown.then_some(Draw::Group { draws, filters: Vec::new(), clip, opacity: 1.0 })
    }

    /// Block and text as one content, for text that never changes.
    pub fn still(&self, layout: &TextLayout) -> Still {
        let mut draws = self.under();
        self.ink.draw(&[(layout, self.origin)], &mut draws);
        if !self.filters.is_empty() && !draws.is_empty() {
            draws = vec![Draw::Group { draws, filters: self.filters.clone(), clip: None, opacity: 1.0 }];
        }
        let spills = !self.filters.is_empty()
            || !self.ink.shadows.is_empty()
            || self.ink.stroke.is_some()
            || self.style.reach() > 0.0
            || f64::from(layout.height) > self.rect.height()
            || f64::from(layout.width) > self.rect.width()
            || line_is_tight(layout)
            // Lines under spaces that have no room.
            || (!self.ink.decoration.is_empty() && layout.lines.iter().any(|l| l.right() > layout.width));
        if spills {
            draws = vec![self.cut(draws)];
        }
        let empty = draws.is_empty() && self.backdrop.is_none();
        let bounds = if empty { Rect::ZERO } else { self.frame };
        Still {
            content: Arc::new(Content::new(bounds, draws)),
            backdrop: self.backdrop.clone(),
            cuts: Vec::new(),
        }
    }

    /// The block without its text.
    pub fn empty(&self) -> Still {
        let mut draws = self.under();
        let reach = self.rect.inset(self.style.reach());
        if self.style.reach() > 0.0 {
            draws = vec![self.cut(draws)];
        }
        let bounds = if draws.is_empty() { Rect::ZERO } else { reach.intersect(self.frame) };
        Still {
            content: Arc::new(Content::new(bounds, draws)),
            backdrop: self.backdrop.clone(),
            cuts: Vec::new(),
        }
    }

    fn cut(&self, draws: Vec<Draw>) -> Draw {
        let clip = Some(Outline::Rect(self.frame));
        Draw::Group { draws, filters: Vec::new(), clip, opacity: 1.0 }
    }
}

impl Still {
    pub(super) fn part(&self) -> Part {
        Part { backdrop: self.backdrop.clone(), ..Part::still(self.content.clone()) }
    }
}

impl Ink {
    /// The backgrounds seen through the layouts, then their letters, each over its shadows.
    fn draw(&self, layouts: &[(&TextLayout, Point)], draws: &mut Vec<Draw>) {
        let stroke = self.stroke;
        let decoration = &self.decoration;
        let marks = |&(layout, origin): &(_, _)| Marks { layout, origin, snaps: true, decoration, stroke };
        if let Some((under, rect)) = &self.clipped {
            let mut seen = Vec::new();
            layouts.iter().for_each(|l| marks(l).draw_clipped(under, *rect, &self.css, &mut seen));
            // Letters that reach out of the block have no background there.
            let reaches_out = under.radii.iter().any(|radius| *radius != Vec2::ZERO)
                || layouts.iter().any(|(layout, _)| line_is_tight(layout));
            if reaches_out && !seen.is_empty() {
                let clip = Some(outlines::rounded(*rect, under.radii));
                seen = vec![Draw::Group { draws: seen, filters: Vec::new(), clip, opacity: 1.0 }];
            }
            draws.append(&mut seen);
        }
        let line_color = Stroke::line_color(stroke.as_ref(), self.fill);
        for layout in layouts {
            marks(layout).draw_shadowed(&self.shadows, &Paint::Solid(self.fill), line_color, draws);
        }
    }

    /// Whether the background is seen through the letters.
    pub fn has_background(&self) -> bool {
        self.clipped.is_some()
    }

    /// For letters that are not part of the text, through which its background is not seen.
    pub fn without_background(&self) -> Self {
        Self { clipped: None, ..self.clone() }
    }

    /// A point on a baseline as it is painted.
    pub fn on_baseline(&self, p: Point) -> Point {
        Point::new(p.x, p.y.round())
    }

    /// Texts at their places as one content.
    pub fn content(&self, layouts: &[(&TextLayout, Point)]) -> Content {
        let mut draws = Vec::new();
        self.draw(layouts, &mut draws);
        let reach = self.shadows.iter().map(boxes::shadow_reach).fold(0.0, f64::max);
        let reach = reach.max(self.stroke.map_or(0.0, |stroke| stroke.reach()));
        let ink =
            layouts.iter().filter_map(|(layout, origin)| ink(layout, *origin)).reduce(|a, b| a.union(b));
        match ink {
            Some(ink) if !draws.is_empty() => Content::new(ink.inset(reach), draws),
            _ => Content::new(Rect::ZERO, Vec::new()),
        }
    }
}

/// What the glyphs of a layout may touch; `None` when it has no lines.
pub(super) fn ink(layout: &TextLayout, origin: Point) -> Option<Rect> {
    let (ascent, descent) = (f64::from(layout.metrics.ascent), f64::from(layout.metrics.descent));
    let slack = 0.5 * f64::from(layout.size) + 1.0;
    let boxes = layout.lines.iter().map(|line| {
        let y = origin.y + f64::from(line.baseline);
        let (left, right) = (origin.x + f64::from(line.left), origin.x + f64::from(line.right()));
        Rect::new(left, y - ascent, right, y + descent).inset(slack)
    });
    boxes.reduce(|a, b| a.union(b))
}

/// Space left of a text with `free` room beside it.
pub(super) fn aligned(align: Align, free: f64) -> f64 {
    match align {
        Align::Left => 0.0,
        Align::Center => free / 2.0,
        Align::Right => free,
    }
}

/// Whether glyphs may reach out of their line box.
fn line_is_tight(layout: &TextLayout) -> bool {
    let line = layout.lines.first().map_or(0.0, |l| l.height);
    line < layout.metrics.ascent + layout.metrics.descent
}
