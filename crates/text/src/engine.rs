//! The engine: shapes texts, keeps what it shaped, and sets the lines.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use crate::breaking::{Measure, break_lines};
use crate::catalog::Catalog;
use crate::layout::TextLayout;
use crate::line::set_line;
use crate::line_box::LineBox;
use crate::rounding::{floor64, sane};
use crate::shape_key::{Han, ShapeKey};
use crate::shaping::{Scratch, Shaped};
use crate::style::{Align, Indent, TextStyle, WrapMode};

/// Lays out texts with the fonts of a catalogue. Keeps caches; results do not depend on them.
pub struct TextEngine {
    catalog: Arc<Catalog>,
    scratch: Scratch,
    shaped: HashMap<(String, ShapeKey), Arc<Shaped>>,
    /// Bytes of text in `shaped`.
    kept: usize,
    /// The last text of which a part was laid out, and how it draws Chinese characters.
    whole: Option<(String, Han)>,
}

/// The cache of shaped texts is emptied when it holds more text than this.
const KEEP_BYTES: usize = 1 << 18;

impl TextEngine {
    pub fn new(catalog: Arc<Catalog>) -> Self {
        Self { catalog, scratch: Scratch::default(), shaped: HashMap::new(), kept: 0, whole: None }
    }

    pub fn catalog(&self) -> &Arc<Catalog> {
        &self.catalog
    }

    /// Lays out `text`. With a `max_width` lines wrap to it, and alignment is within the block as CSS shrinks it to
    /// fit: the widest line if nothing wrapped, else `max_width`.
    pub fn layout(
        &mut self,
        text: &str,
        style: &TextStyle,
        max_width: Option<f32>,
        wrap: WrapMode,
    ) -> TextLayout {
        let shaped = self.shape(text, style);
        set(text, style, &shaped, max_width, wrap)
    }

    /// Lays out a part of `text` alone on its lines, with the faces it has within the whole: for words and characters
    /// that are moved on their own. Ranges in the result count from the part's start.
    pub fn layout_part(&mut self, text: &str, part: Range<usize>, style: &TextStyle) -> TextLayout {
        let Some(alone) = text.get(part) else { return TextLayout::default() };
        // Comparing long texts takes far less time than looking through one for each of its letters.
        let han = match &self.whole {
            Some((whole, han)) if whole == text => *han,
            _ => self.whole.insert((text.to_owned(), Han::of(text))).1,
        };
        let shaped = self.shape_keyed(alone, ShapeKey::with_han(han, style));
        let style = TextStyle { indent: Indent::default(), ..style.clone() };
        set(alone, &style, &shaped, None, WrapMode::NoWrap)
    }

    /// Advance of the digit 0 and height of the letter x in the primary face of a style, in em.
    pub fn letter_sizes(&self, style: &TextStyle) -> (f32, f32) {
        let stack = self.catalog.stack(&ShapeKey::new("", style));
        let meant = stack.into_iter().filter(|id| self.catalog.is_meant_for(*id, '0'));
        self.catalog.first_face(meant).map_or((0.5, 0.5), |face| (face.zero_width, face.x_height))
    }

    /// The shaped text, from memory where it was shaped before.
    pub(crate) fn shape(&mut self, text: &str, style: &TextStyle) -> Arc<Shaped> {
        self.shape_keyed(text, ShapeKey::new(text, style))
    }

    fn shape_keyed(&mut self, text: &str, key: ShapeKey) -> Arc<Shaped> {
        let key = (text.to_owned(), key);
        if let Some(shaped) = self.shaped.get(&key) {
            return shaped.clone();
        }
        let shaped = Arc::new(self.scratch.shape(&self.catalog, text, &key.1));
        if self.kept > KEEP_BYTES {
            self.shaped.clear();
            self.kept = 0;
        }
        self.kept += text.len() + 64;
        self.shaped.insert(key, shaped.clone());
        shaped
    }
}

/// Breaks a shaped text into lines and places them.
fn set(text: &str, style: &TextStyle, shaped: &Shaped, max_width: Option<f32>, wrap: WrapMode) -> TextLayout {
    let layout = set_indented(text, style, shaped, 0.0, max_width, wrap);
    if !style.indent.length.has_percent() {
        return layout;
    }
    // Percentages are of the block's width, which is found without them.
    let width = layout.width;
    TextLayout { width, ..set_indented(text, style, shaped, width, Some(width), wrap) }
}

/// Percentages of the indent are of `indent_base`.
fn set_indented(
    text: &str,
    style: &TextStyle,
    shaped: &Shaped,
    indent_base: f32,
    max_width: Option<f32>,
    wrap: WrapMode,
) -> TextLayout {
    let size = sane(style.size);
    let measure = Measure::new(shaped, style, size);
    let available = max_width.map(|width| floor64(sane(width)));
    let breaking = available.filter(|_| wrap == WrapMode::Wrap);
    let mut layout = TextLayout { size, metrics: shaped.heights.at(size), ..TextLayout::default() };
    if text.is_empty() {
        return layout;
    }
    let indents = style.indent.at(size, indent_base);
    for (number, paragraph) in shaped.paragraphs.iter().enumerate() {
        break_lines(paragraph, measure, indents.of(number), breaking, |span| {
            let line_box = LineBox::new(&style.line_height, shaped, paragraph, &span, size);
            set_line(&mut layout, paragraph, &span, measure, line_box, available);
        });
    }
    layout.align(style.align, available);
    layout
}

impl TextLayout {
    /// Moves every line to its place in the block.
    fn align(&mut self, align: Align, available: Option<f32>) {
        let widest = self.lines.iter().map(|line| line.indent + line.counted_width).fold(0.0, f32::max);
        let wrapped = self.lines.iter().any(|line| line.wrapped);
        self.width = match available {
            Some(available) if wrapped || widest > available => available,
            _ => widest,
        };
        let mut moved = Vec::with_capacity(self.lines.len());
        for line in &mut self.lines {
            let room = (self.width - line.indent - line.counted_width).max(0.0);
            let shift = match align {
                Align::Left => 0.0,
                Align::Center => floor64(room / 2.0),
                Align::Right => room,
            };
            line.left += shift;
            for run in &mut line.runs {
                run.x += shift;
            }
            moved.push(shift);
        }
        for cluster in &mut self.clusters {
            cluster.x += moved[cluster.line];
        }
    }
}
