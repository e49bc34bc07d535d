//! Caption overlays: the words of the current caption in a block, the one being spoken lit.

mod look;
mod paging;
mod rows;
pub(crate) mod templates;
mod timing;

use std::sync::Arc;

use kurbo::{Affine, Point, Rect, Size, Vec2};
use rondo_composition::{Base, CaptionMode, CaptionRoom, Captions};
use rondo_css::Color;
use rondo_text::TextLayout;

use self::look::Look;
use self::rows::{Rows, Shaper, Word};
use self::timing::{Page, Span};
use super::cut::Cut;
use super::marks::{Marks, transformed};
use crate::Homography;
use crate::boxes::{self, BoxStyle, floor64};
use crate::display::*;
use crate::outlines;
use crate::prepare::Prepare;
use crate::stage::{Motion, Placed, Stage};
use crate::visual::{Body, Show, Visual};

/// How visible a word is that is not being spoken.
const UNLIT: f32 = 0.85;

/// The captions of an overlay, laid out. Every word is a content of its own, in its own space: lighting one leaves
/// the pixels of the others as they are.
pub(crate) struct Speech {
    look: Look,
    mode: CaptionMode,
    fps: f64,
    snaps: bool,
    /// The layer box, which clips.
    frame: Rect,
    cues: Vec<Cue>,
}

/// One caption.
struct Cue {
    span: Span,
    block: Option<Patch>,
    backdrop: Option<Backdrop>,
    words: Vec<Said>,
}

/// One word of a caption.
struct Said {
    span: Span,
    /// With padding and border, exact.
    rect: Rect,
    word: Arc<Word>,
    unlit: Patch,
    /// The padded block, whose background may show in the letters.
    block: Rect,
}

/// A content and where its space begins in the overlay's.
struct Patch {
    content: Arc<Content>,
    origin: Vec2,
}

/// How a word is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    Hidden,
    Unlit,
    /// With the progress of the highlight.
    Lit(f64),
    /// Lit from its left edge up to this part.
    Filled(f64),
}

impl Visual for Captions {
    fn motion(&self) -> Motion<'_> {
        let Some(s) = &self.styles else { return Motion { during: false, ..Motion::new(None, None, 1.0) } };
        let motion = Motion::new(s.animation.as_ref(), s.transform.as_deref(), s.opacity);
        Motion { blend: s.mix_blend_mode.as_deref(), during: false, ..motion }
    }

    fn prepare(&self, base: &Base, _: &Stage, p: &mut Prepare<'_>) -> Option<Body> {
        let size = Size::new(floor64(base.width), floor64(base.height));
        let offset = Vec2::new(floor64(p.offset.x), floor64(p.offset.y));
        let look = Look::read(self, size.width, p);
        let mode = self.styles.as_ref().map(|s| s.mode).unwrap_or_default();
        let frame = size.to_rect() + offset;
        let mut speech = Speech {
            look,
            mode,
            fps: p.fps,
            snaps: p.snaps,
            frame: if p.snaps { boxes::snapped(frame) } else { frame },
            cues: Vec::new(),
        };
        let room = CaptionRoom::on_canvas(p.css.viewport.width, p.css.viewport.height);
        let mut shaper = Shaper::new(&speech.look, p.engine);
        let mut set = |page: &Page| shaper.set(page.words.iter().map(|w| w.text.as_str()), size);
        // Each with the number of its caption.
        let mut pages: Vec<(usize, Page, Rows)> = Vec::new();
        let case = self.styles.as_ref().and_then(|s| s.text_transform.as_deref());
        let numbered = self.captions.iter().enumerate();
        for (number, mut page) in
            numbered.flat_map(|(n, c)| timing::pages(c, mode).into_iter().map(move |p| (n, p)))
        {
            page.words.iter_mut().for_each(|word| word.text = transformed(&word.text, case));
            let rows = set(&page);
            let turned = paging::turned(page, &rows, size, room);
            if turned.len() == 1 {
                pages.extend(turned.into_iter().zip([rows]).map(|(page, rows)| (number, page, rows)));
            } else {
                pages.extend(turned.into_iter().map(|page| {
                    let rows = set(&page);
                    (number, page, rows)
                }));
            }
        }
        let cuts = pages.iter().map(|(number, _, rows)| (*number, speech.cut(rows, offset)));
        if let Some((number, cut)) = cuts.max_by(|(_, a), (_, b)| a.pixels().total_cmp(&b.pixels())) {
            cut.warn(&format!("captions[{number}].text"), size, p);
        }
        speech.cues = pages
            .into_iter()
            .map(|(_, page, rows)| {
                let spans = page.words.iter().map(|w| w.span);
                let block = rows.block + offset;
                let words = spans
                    .zip(rows.words)
                    .map(|(span, (word, rect))| speech.said(span, word, rect + offset, block))
                    .collect();
                speech.cue(page.span, block, words)
            })
            .collect();
        Some(Box::new(speech))
    }
}

impl Show for Speech {
    fn show(&self, frame: u32, placed: Placed, _: &Stage, items: &mut Vec<Item>) {
        let ms = f64::from(frame) / self.fps * 1000.0;
        let Some(cue) = timing::shown(self.cues.iter().map(|c| c.span), ms) else { return };
        let cue = &self.cues[cue];
        let grouped = placed.opacity < 1.0 || !placed.filters.is_empty();
        let mut shot =
            Shot { speech: self, placed: &placed, grouped, behind: Vec::new(), layers: Vec::new() };
        let block = cue.block.as_ref().map(|patch| patch.content.clone());
        if block.is_some() || cue.backdrop.is_some() {
            let content = block.unwrap_or_else(|| Arc::new(Content::new(Rect::ZERO, Vec::new())));
            shot.add(content, Homography::IDENTITY, 1.0, None, cue.backdrop.clone());
        }
        let spoken = timing::spoken(cue.words.iter().map(|w| w.span), ms);
        for (index, said) in cue.words.iter().enumerate() {
            let state = self.state(said.span, spoken == Some(index), ms);
            if matches!(state, State::Unlit | State::Filled(_)) {
                let at = Homography::translate(said.unlit.origin.x, said.unlit.origin.y);
                shot.add(said.unlit.content.clone(), at, UNLIT, None, None);
            }
            let (progress, spot, part) = match state {
                State::Lit(progress) => {
                    let turn = self.look.transform_of(said.rect);
                    (progress, Spot::posed(said.rect, self.look.scale_at(progress), turn), None)
                }
                State::Filled(part) => (1.0, Spot::plain(said.rect), Some(part)),
                State::Hidden | State::Unlit => continue,
            };
            let (content, backdrop) = self.lit(said, progress, &spot);
            let part = part.map(|part| {
                let ink = content.bounds;
                Rect { x1: said_edge(spot.rect, ink, part), ..ink }
            });
            shot.add(Arc::new(content), spot.transform(), 1.0, part, backdrop);
        }
        items.extend(shot.finish());
    }

    fn said_at(&self, frame: u32, point: Point) -> Option<f64> {
        let ms = f64::from(frame) / self.fps * 1000.0;
        let cue = &self.cues[timing::shown(self.cues.iter().map(|c| c.span), ms)?];
        let is_seen = |said: &&Said| self.state(said.span, false, ms) != State::Hidden;
        let distance = |rect: Rect| {
            let nearest = Point::new(point.x.clamp(rect.x0, rect.x1), point.y.clamp(rect.y0, rect.y1));
            nearest.distance_squared(point)
        };
        let words = cue.words.iter().filter(is_seen);
        let nearest = words.min_by(|a, b| distance(a.rect).total_cmp(&distance(b.rect)))?;
        Some(nearest.span.start)
    }
}

impl Speech {
    /// What the layer box cuts off the letters of one caption.
    fn cut(&self, rows: &Rows, offset: Vec2) -> Cut {
        let mut cut = Cut { beyond: [0.0; 4], font_size: 0.0 };
        for (word, rect) in &rows.words {
            for layout in [&word.normal, &word.lit] {
                let room = self.frame - self.start(word, layout, *rect + offset).to_vec2();
                let beyond = layout.ink_beyond([room.x0, room.y0, room.x1, room.y1].map(|edge| edge as f32));
                cut.beyond = std::array::from_fn(|side| cut.beyond[side].max(f64::from(beyond[side])));
                cut.font_size = cut.font_size.max(f64::from(layout.size));
            }
        }
        cut
    }

    /// Where the letters of a word begin in its box.
    fn start(&self, word: &Word, layout: &TextLayout, rect: Rect) -> Point {
        let frame = &self.look.word;
        let inset = Vec2::new(frame.padding[3] + word.inset(layout), frame.padding[0]);
        rect.origin() + inset + Vec2::new(frame.edge(), frame.edge())
    }

    fn cue(&self, span: Span, block: Rect, words: Vec<Said>) -> Cue {
        let rect = if self.snaps { boxes::snapped(block) } else { block };
        let frame = &self.look.block;
        let style = frame.style(rect);
        let mut draws = Vec::new();
        style.draw_under(rect, &frame.css, &mut draws);
        style.draw_border(rect, &mut draws);
        let content = (!draws.is_empty()).then(|| Arc::new(Content::new(rect, draws)));
        let backdrop = (!frame.backdrop.is_empty()).then(|| Backdrop {
            outline: outlines::rounded(rect, style.radii),
            filters: frame.backdrop.clone(),
        });
        Cue { span, block: content.map(|content| Patch { content, origin: Vec2::ZERO }), backdrop, words }
    }

    fn said(&self, span: Span, word: Arc<Word>, rect: Rect, block: Rect) -> Said {
        let at = Spot::plain(rect);
        let block = block.inset(-self.look.block.edge());
        let mut draws = Vec::new();
        let ink = self.letters(&word, false, self.look.normal.fill, block, &at, &mut draws);
        let content = Arc::new(Content::new(ink, draws));
        Said { span, rect, word, unlit: Patch { content, origin: at.origin }, block }
    }

    /// Shadows and glyphs of a word at a spot, and what they show of the background of `block`; returns what they may
    /// touch.
    fn letters(
        &self,
        word: &Word,
        lit: bool,
        color: Color,
        block: Rect,
        at: &Spot,
        draws: &mut Vec<Draw>,
    ) -> Rect {
        let (layout, letters) =
            if lit { (&word.lit, &self.look.lit) } else { (&word.normal, &self.look.normal) };
        let origin = self.start(word, layout, at.rect);
        let baseline = origin.y + layout.lines.first().map_or(0.0, |l| f64::from(l.baseline));
        let snaps = self.snaps && (at.is_turned() || at.is_plain());
        // Enlarged letters and each of their shadows are snapped to whole pixels separately.
        let marks = |below: f64| {
            let down = if self.snaps { at.to_whole_pixel(baseline + below) } else { 0.0 };
            let stroke = letters.stroke;
            Marks { layout, origin: origin + Vec2::new(0.0, down), snaps, decoration: &[], stroke }
        };
        if letters.clips {
            let background = self.look.block.background();
            marks(0.0).draw_clipped(&background, block - at.origin, &self.look.block.css, draws);
        }
        for shadow in letters.shadows.iter().rev() {
            draws.extend(marks(shadow.offset.y).shadow(shadow));
        }
        marks(0.0).draw(&Paint::Solid(color), color, draws);
        let reach = letters.shadows.iter().map(boxes::shadow_reach).fold(0.0, f64::max);
        let reach = reach.max(letters.stroke.map_or(0.0, |stroke| stroke.reach()));
        ink(layout, origin).inset(reach)
    }

    /// A word lit up to `progress`, in the space of its spot.
    fn lit(&self, said: &Said, progress: f64, at: &Spot) -> (Content, Option<Backdrop>) {
        let (look, frame) = (&self.look, &self.look.word);
        let rect = if self.snaps { boxes::snapped(at.rect) } else { at.rect };
        let style = frame.style(rect);
        let mut draws = Vec::new();
        let mut color = look.lit.fill;
        if look.transition.is_some() {
            // The fade is inside the border.
            let inside = rect.inset(-frame.edge());
            let mut fading = Vec::new();
            BoxStyle { border: None, ..style.clone() }.draw_under(inside, &frame.css, &mut fading);
            draws.push(Draw::Group {
                draws: fading,
                filters: Vec::new(),
                clip: None,
                opacity: progress as f32,
            });
            // Without a colour of its own, a lit word keeps the fill of the others.
            if look.lit.fill == look.lit.color {
                color = look.normal.color.mix_srgb(look.lit.color, progress);
            }
        } else {
            style.draw_under(rect, &frame.css, &mut draws);
        }
        style.draw_border(rect, &mut draws);
        let ink = self.letters(&said.word, true, color, said.block, at, &mut draws);
        let backdrop = (!frame.backdrop.is_empty()).then(|| Backdrop {
            outline: outlines::rounded(rect, style.radii),
            filters: frame.backdrop.clone(),
        });
        (Content::new(rect.union(ink), draws), backdrop)
    }

    fn state(&self, span: Span, spoken: bool, ms: f64) -> State {
        let begun = span.start <= ms;
        let lit = || State::Lit(self.look.progress(ms - span.start));
        match self.mode {
            _ if spoken && self.mode != CaptionMode::Fill => lit(),
            CaptionMode::Karaoke if begun => lit(),
            CaptionMode::Fill if begun => {
                let length = span.end - span.start;
                State::Filled(if length > 0.0 { ((ms - span.start) / length).min(1.0) } else { 1.0 })
            }
            CaptionMode::Progressive if !begun => State::Hidden,
            _ => State::Unlit,
        }
    }
}

/// End of a fill that covers `part` of a word's box; a complete one covers the shadows too.
fn said_edge(rect: Rect, ink: Rect, part: f64) -> f64 {
    if part >= 1.0 { ink.x1 } else { rect.x0 + rect.width() * part }
}

/// Where a word is drawn: the beginning of its own space, its box there, and how much it is enlarged about its middle
/// and then transformed.
struct Spot {
    origin: Vec2,
    rect: Rect,
    scale: f64,
    /// In the overlay's space.
    turn: Option<Homography>,
}

impl Spot {
    fn plain(rect: Rect) -> Self {
        let origin = Vec2::new(rect.x0.floor(), rect.y0.floor());
        Self { origin, rect: rect - origin, scale: 1.0, turn: None }
    }

    /// Browsers move boxes to whole pixels before they scale them.
    fn posed(rect: Rect, scale: f64, turn: Option<Homography>) -> Self {
        if scale == 1.0 && turn.is_none() {
            return Self::plain(rect);
        }
        let origin = Vec2::new(rect.x0.round(), rect.y0.round());
        Self { origin, rect: Rect::from_origin_size(Point::ORIGIN, rect.size()), scale, turn }
    }

    fn transform(&self) -> Homography {
        let scaled = Affine::translate(self.origin) * Affine::scale_about(self.scale, self.rect.center());
        self.turn.unwrap_or(Homography::IDENTITY) * scaled.into()
    }

    fn is_plain(&self) -> bool {
        self.scale == 1.0 && self.turn.is_none()
    }

    /// How far down the transform moves the word, if it does nothing else to it.
    fn lift(&self) -> Option<f64> {
        let Some(turn) = self.turn else { return Some(0.0) };
        let [a, b, c, d, _, down] = turn.as_affine()?.as_coeffs();
        ([a, b, c, d] == [1.0, 0.0, 0.0, 1.0]).then_some(down)
    }

    fn is_turned(&self) -> bool {
        self.lift().is_none()
    }

    /// Offset that moves `y` onto a whole pixel after scaling.
    fn to_whole_pixel(&self, y: f64) -> f64 {
        let Some(lift) = self.lift().filter(|_| !self.is_plain() && self.scale > 0.0) else { return 0.0 };
        let middle = self.rect.center().y;
        let seen = middle + (y - middle) * self.scale + lift;
        (seen.round() - seen) / self.scale
    }
}

/// What letters may touch, without their shadows.
fn ink(layout: &TextLayout, origin: Point) -> Rect {
    let (ascent, descent) = (f64::from(layout.metrics.ascent), f64::from(layout.metrics.descent));
    let slack = 0.3 * f64::from(layout.size);
    let boxes = layout.lines.iter().map(|line| {
        let (x, y) = (origin.x + f64::from(line.left), origin.y + f64::from(line.baseline));
        Rect::new(x, y - ascent, x + f64::from(line.width), y + descent).inset(slack)
    });
    boxes.reduce(|a, b| a.union(b)).unwrap_or(Rect::ZERO)
}

/// The layers of one frame while they are collected.
struct Shot<'a> {
    speech: &'a Speech,
    placed: &'a Placed,
    /// Whether all layers are faded or filtered together.
    grouped: bool,
    /// Backdrops that must see what is behind the group.
    behind: Vec<Item>,
    layers: Vec<Item>,
}

impl Shot<'_> {
    fn add(
        &mut self,
        content: Arc<Content>,
        at: Homography,
        opacity: f32,
        part: Option<Rect>,
        backdrop: Option<Backdrop>,
    ) {
        let placed = self.placed;
        let transform = placed.transform * at;
        let mut clips = Vec::new();
        if !self.grouped {
            clips.clone_from(&placed.clips);
            let inside =
                at.map_rect(content.bounds).is_some_and(|b| self.speech.frame.union(b) == self.speech.frame);
            if !inside {
                clips.push(self.clip());
            }
        }
        clips.extend(part.map(|rect| Clip { outline: Outline::Rect(rect), transform }));
        let placement = |opacity, clips, backdrop| Placement {
            transform,
            moving: placed.moving,
            opacity,
            clips,
            filters: Vec::new(),
            backdrop,
        };
        let (behind, backdrop) = if self.grouped { (backdrop, None) } else { (None, backdrop) };
        if behind.is_some() {
            let content = Arc::new(Content::new(Rect::ZERO, Vec::new()));
            let placement = placement(placed.opacity, self.clips(), behind);
            self.behind.push(Item::Layer(Layer { content, placement }));
        }
        self.layers.push(Item::Layer(Layer { content, placement: placement(opacity, clips, backdrop) }));
    }

    fn clip(&self) -> Clip {
        Clip { outline: Outline::Rect(self.speech.frame), transform: self.placed.transform }
    }

    /// Those of the whole overlay.
    fn clips(&self) -> Vec<Clip> {
        self.placed.clips.iter().cloned().chain([self.clip()]).collect()
    }

    fn finish(self) -> Vec<Item> {
        if !self.grouped || self.layers.is_empty() {
            return self.layers;
        }
        let group = Group {
            opacity: self.placed.opacity,
            clips: self.clips(),
            filters: self.placed.group_filters.clone(),
            items: self.layers,
            blend: BlendMode::Normal,
        };
        self.behind.into_iter().chain([Item::Group(group)]).collect()
    }
}

/// Half a length on the grid of [`floor64`], rounded towards zero.
fn half64(length: f64) -> f64 {
    (length * 32.0).trunc() / 64.0
}
