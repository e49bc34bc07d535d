//! Text overlays: a block that shrinks to its text, centred vertically in the layer box, which clips it. The text stands
//! still, or its parts move, are typed or count, or it is shown as code.

mod animated;
mod block;
mod counter;
mod glitch;
mod listing;
mod look;
mod states;
mod typed;

use std::sync::Arc;

use kurbo::{Rect, Size, Vec2};
use rondo_composition::{Base, Text};
use rondo_css::Context;
use rondo_text::{Catalog, FitRequest, Length, TextEngine, TextStyle};

use self::block::Block;
use self::look::Look;
use super::cut::Cut;
use super::marks::transformed;
use super::moves::Moves;
use super::parts::{self, Part};
use crate::boxes::{self, floor64};
use crate::display::{Filter, Item};
use crate::prepare::Prepare;
use crate::stage::{Motion, Placed, Stage};
use crate::visual::{Body, Show, Visual};

/// A text whose parts change over time.
pub(crate) struct Acted {
    /// The layer box.
    frame: Rect,
    /// Those of the whole text.
    filters: Vec<Filter>,
    act: Act,
}

enum Act {
    Units(Box<animated::Units>),
    Typed(Box<typed::Typed>),
    Counter(Box<counter::Counting>),
    Listing(Box<listing::Listing>),
}

impl Show for Acted {
    fn show(&self, frame: u32, placed: Placed, _: &Stage, items: &mut Vec<Item>) {
        let parts: Vec<Part> = match &self.act {
            Act::Units(units) => units.parts(frame),
            Act::Typed(typed) => typed.parts(frame),
            Act::Counter(counting) => counting.parts(frame),
            Act::Listing(listing) => listing.parts(frame),
        };
        items.extend(parts::items(parts, self.frame, &self.filters, &placed));
    }
}

impl Visual for Text {
    fn motion(&self) -> Motion<'_> {
        let s = &self.styles;
        let motion = Motion::new(s.animation.as_ref(), s.transform.as_deref(), s.opacity);
        Motion { blend: s.mix_blend_mode.as_deref(), ..motion }
    }

    /// Lays the text out and draws its contents. Of several modes the first in this order counts: code block, typewriter,
    /// counter, animated text, staggered motion, the `typing` entrance.
    fn prepare(&self, base: &Base, stage: &Stage, p: &mut Prepare<'_>) -> Option<Body> {
        let size = Size::new(base.width, base.height);
        let s = &self.styles;
        let mut look = Look::read(self, p);
        look.keep_room(s.font_size_fixed, size, p);
        let css = p.css;
        let mut desk = Desk { text: self, look, size, css, p };
        let content = desk.transformed(&self.content);
        let act = if let Some(mode) = s.code_block.as_ref().filter(|c| c.enabled) {
            let listing = listing::Listing::new(mode, &mut desk);
            if mode.line_stagger <= 0.0 && desk.look.filters.is_empty() {
                return Some(Box::new(listing.still()));
            }
            Act::Listing(Box::new(listing))
        } else if let Some(habits) = s.type_writer.as_ref().filter(|t| t.enabled) {
            Act::Typed(Box::new(typed::Typed::by_machine(habits, &content, &mut desk)))
        } else if let Some(mode) = s.counter_mode.as_ref().filter(|c| c.enabled) {
            Act::Counter(Box::new(counter::Counting::new(mode, &mut desk)))
        } else if let Some(animated) = s.animated_text.as_ref().filter(|a| a.enabled) {
            Act::Units(Box::new(animated::Units::animated(animated, &content, &mut desk)))
        } else if let Some(moves) = Moves::of_motion(s.staggered_motion.as_ref(), desk.p) {
            let direction = s.staggered_motion.as_ref().map(|m| m.stagger_direction).unwrap_or_default();
            Act::Units(Box::new(animated::Units::staggered(moves, direction, &content, &mut desk)))
        } else if let Some(typing) = stage.typing() {
            Act::Typed(Box::new(typed::Typed::entering(typing, &content, &mut desk)))
        } else {
            let set = desk.set(&content, false);
            return Some(Box::new(desk.block(&set, set.room()).still(&set.layout)));
        };
        let filters = boxes::filters(rondo_css::resolve_filters(&desk.look.filters, &desk.css));
        let frame = boxes::snapped(size.to_rect() + p.offset);
        Some(Box::new(Acted { frame, filters, act }))
    }
}

/// The context in which one text overlay is prepared.
struct Desk<'a, 'b> {
    text: &'a Text,
    look: Look,
    size: Size,
    /// Holds the size of the text once it is set.
    css: Context,
    p: &'a mut Prepare<'b>,
}

/// A text laid out at the size that fits.
struct Set {
    layout: rondo_text::TextLayout,
    style: TextStyle,
    css: Context,
}

impl Set {
    /// How it is laid out, without the text.
    fn blank(&self) -> Self {
        Self { layout: rondo_text::TextLayout::default(), style: self.style.clone(), css: self.css }
    }

    /// The pixels its lines take.
    fn room(&self) -> Size {
        Size::new(f64::from(self.layout.width), f64::from(self.layout.height))
    }
}

impl Desk<'_, '_> {
    fn transformed(&self, text: &str) -> String {
        transformed(text, self.text.styles.text_transform.as_deref())
    }

    /// What sets more texts of the overlay.
    fn manner(&self) -> Manner {
        Manner {
            look: self.look.clone(),
            size: self.size,
            offset: self.p.offset,
            case: self.text.styles.text_transform.clone(),
            catalog: self.p.engine.catalog().clone(),
        }
    }

    /// Finds the size of the text and lays it out.
    fn set(&mut self, content: &str, tabular_digits: bool) -> Set {
        let (look, size, p) = (&self.look, self.size, &mut *self.p);
        let styles = &self.text.styles;
        let style = TextStyle { tabular_digits, ..look.style.clone() };
        let fit = p.engine.fit(&FitRequest {
            text: content,
            style: &style,
            width: size.width as f32,
            height: size.height as f32,
            padding: look.padding.each_ref().map(|l| Length::new(l.clone(), look.css, size.width)),
            border: look.bordered.map(|drawn| {
                let border = look.border.as_ref().filter(|_| drawn)?;
                Some(Length::new(border.line_width(), look.css, 0.0))
            }),
            font_size: look.font_size,
            fixed: look.font_size.is_some() && styles.font_size_fixed,
            scale: styles.font_size_scale.unwrap_or(1.0) as f32,
        });
        if fit.overflow && styles.font_size_fixed {
            p.notices.warn(
                "TEXT_MAY_CLIP",
                p.at("content"),
                format!(
                    "The text does not fit its {} × {} box at {} px and is clipped.",
                    size.width, size.height, fit.size
                ),
                Some(
                    "Shorten the text, enlarge the box, or leave fontSizeFixed out so that the text shrinks."
                        .into(),
                ),
            );
        }
        let is_told = fit.overflow && styles.font_size_fixed;
        let css = Context { font_size: f64::from(fit.size), ..look.css };
        self.css = css;
        let set = Set { layout: fit.layout, style: TextStyle { size: fit.size, ..style }, css };
        if !is_told {
            let beyond = self.block(&set, set.room()).ink_beyond(&set.layout);
            Cut { beyond, font_size: f64::from(set.layout.size) }.warn("content", self.size, self.p);
        }
        set
    }

    /// The block around `room` pixels of text.
    fn block(&self, set: &Set, room: Size) -> Block {
        Block::new(&self.look, room, self.size, set.css, self.p.offset)
    }
}

/// What sets texts of an overlay, also when it is prepared.
struct Manner {
    look: Look,
    size: Size,
    /// The subpixel offset of the layer box.
    offset: Vec2,
    /// The case the styles ask for.
    case: Option<String>,
    catalog: Arc<Catalog>,
}

impl Manner {
    fn engine(&self) -> TextEngine {
        TextEngine::new(self.catalog.clone())
    }

    fn transformed(&self, text: &str) -> String {
        transformed(text, self.case.as_deref())
    }

    /// A letter amid others in the case the styles ask for.
    fn recased(&self, letter: char) -> String {
        let case = self.case.as_deref();
        transformed(&letter.to_string(), case.filter(|v| !v.trim().eq_ignore_ascii_case("capitalize")))
    }

    /// Another text laid out as `set` is.
    fn like(&self, set: &Set, content: &str, engine: &mut TextEngine) -> Set {
        // As when the size was found.
        let padding = |side: usize| floor64(self.look.padding[side].resolve(&set.css, self.size.width));
        let border = self.look.border.as_ref().filter(|_| self.look.bordered[0]);
        let border = border.map_or(0.0, |b| b.resolve(&set.css).width);
        let room = (self.size.width - padding(1) - padding(3) - 2.0 * border).max(0.0);
        let wrap = rondo_text::WrapMode::Wrap;
        let layout = engine.layout(content, &set.style, Some(room as f32), wrap);
        Set { layout, style: set.style.clone(), css: set.css }
    }

    /// The block around `room` pixels of text.
    fn block(&self, set: &Set, room: Size) -> Block {
        Block::new(&self.look, room, self.size, set.css, self.offset)
    }

    /// Glyphs that are drawn for each letter: its own, and those of its shadows.
    fn glyphs_of_letter(&self) -> usize {
        1 + self.look.text_shadows.len()
    }
}
