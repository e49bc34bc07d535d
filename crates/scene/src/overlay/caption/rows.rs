//! Words in rows, once for each caption: nothing moves while it is shown.

use std::collections::HashMap;
use std::sync::Arc;

use kurbo::{Rect, Size};
use rondo_text::{Align, TextEngine, TextLayout, TextStyle, WrapMode};

use super::half64;
use super::look::Look;

/// On either side of a word.
const MARGIN: f64 = 2.0;
/// Between words and between rows.
const GAP: f64 = 2.0;

/// One word's letters in both faces.
pub(crate) struct Word {
    pub normal: TextLayout,
    pub lit: TextLayout,
    /// Room of the letters: that of the heavier face, or of the wider one if they differ in style.
    pub room: f64,
}

impl Word {
    /// From the left edge of the room to a face's letters: they are centred.
    pub fn inset(&self, layout: &TextLayout) -> f64 {
        half64((self.room - f64::from(layout.width)).max(0.0))
    }

    fn height(&self) -> f64 {
        f64::from(self.normal.height.max(self.lit.height))
    }
}

/// Shapes words once, however often they are said.
pub(crate) struct Shaper<'a> {
    look: &'a Look,
    engine: &'a mut TextEngine,
    known: HashMap<(String, Option<u64>), Arc<Word>>,
}

impl<'a> Shaper<'a> {
    pub fn new(look: &'a Look, engine: &'a mut TextEngine) -> Self {
        Self { look, engine, known: HashMap::new() }
    }

    /// A word on one line, or wrapped where it is wider than `limit` and can be.
    fn word(&mut self, text: &str, limit: Option<f64>) -> Arc<Word> {
        let key = (text.to_owned(), limit.map(f64::to_bits));
        if let Some(word) = self.known.get(&key) {
            return word.clone();
        }
        let (normal, lit) = (&self.look.normal.style, &self.look.lit.style);
        let limit = limit.map(|limit| {
            [normal, lit].iter().fold(limit as f32, |limit, style| unbroken(text, style, limit, self.engine))
        });
        let wrap = if limit.is_some() { WrapMode::Wrap } else { WrapMode::NoWrap };
        let mut set = |style: &TextStyle| self.engine.layout(text, style, limit, wrap);
        let (normal, lit) = (set(normal), set(lit));
        let room = match &self.look.also_measured {
            Some(heavier) => lit.width.max(set(heavier).width),
            None if self.look.lit_is_heavier => lit.width,
            None => normal.width,
        };
        let room = f64::from(room);
        let word = Arc::new(Word { normal, lit, room });
        self.known.insert(key, word.clone());
        word
    }

    /// Sets the words of one caption in a box. Rectangles are exact, in coordinates of the box.
    pub fn set<'t>(&mut self, texts: impl Iterator<Item = &'t str>, size: Size) -> Rows {
        let (block, frame) = (&self.look.block, &self.look.word);
        let [top, right, bottom, left] = block.padding.map(|side| side + block.edge());
        let [above, after, below, before] = frame.padding.map(|side| side + frame.edge());
        let most = (size.width - left - right).max(0.0);
        let mut words: Vec<(Arc<Word>, Size)> = Vec::new();
        for text in texts {
            let mut word = self.word(text, None);
            let mut width = word.room + before + after;
            if width > most {
                word = self.word(text, Some((most - before - after).max(0.0)));
                width = most;
            }
            let height = word.height() + above + below;
            words.push((word, Size::new(width, height)));
        }

        let mut rows: Vec<Row> = Vec::new();
        for (index, (_, size)) in words.iter().enumerate() {
            let outer = size.width + 2.0 * MARGIN;
            match rows.last_mut().filter(|row| row.width + GAP + outer <= most) {
                Some(row) => {
                    row.width += GAP + outer;
                    row.height = row.height.max(size.height);
                }
                None => rows.push(Row { first: index, width: outer, height: size.height }),
            }
        }
        let inside = match rows.as_slice() {
            [only] => only.width.min(most),
            [] => 0.0,
            _ => most,
        };
        let between = GAP * rows.len().saturating_sub(1) as f64;
        let height = rows.iter().map(|r| r.height).sum::<f64>() + between + top + bottom;
        let width = inside + left + right;
        let aligned = |room: f64, taken: f64| match self.look.align {
            Align::Left => 0.0,
            Align::Center => half64(room - taken),
            Align::Right => room - taken,
        };
        let origin = (aligned(size.width, width), half64(size.height - height));
        let block = Rect::from_origin_size(origin, (width, height));

        let mut placed = Vec::with_capacity(words.len());
        let mut y = block.y0 + top;
        let ends: Vec<usize> = rows.iter().skip(1).map(|r| r.first).chain([words.len()]).collect();
        for (row, end) in rows.iter().zip(ends) {
            let mut x = block.x0 + left + aligned(inside, row.width);
            for (word, size) in &words[row.first..end] {
                let at = (x + MARGIN, y + half64(row.height - size.height));
                placed.push((word.clone(), Rect::from_origin_size(at, *size)));
                x += size.width + 2.0 * MARGIN + GAP;
            }
            y += row.height + GAP;
        }
        Rows { block, words: placed }
    }
}

/// Where everything of one caption is.
pub(crate) struct Rows {
    pub block: Rect,
    /// Each with its padding and border.
    pub words: Vec<(Arc<Word>, Rect)>,
}

struct Row {
    first: usize,
    width: f64,
    height: f64,
}

/// The width to wrap at: the limit, or that of the widest word in it, since captions do not break inside words.
fn unbroken(text: &str, style: &TextStyle, limit: f32, engine: &mut TextEngine) -> f32 {
    let wrapped = engine.layout(text, style, Some(limit), WrapMode::Wrap);
    let letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_ideographic(c));
    let broken = wrapped.lines.iter().skip(1).any(|line| {
        let (before, after) = text.split_at(line.text_range.start);
        letter(before.chars().next_back()) && letter(after.chars().next())
    });
    if !broken {
        return limit;
    }
    text.split_whitespace()
        .map(|part| engine.layout(part, style, None, WrapMode::NoWrap).width)
        .fold(limit, f32::max)
}

/// Scripts whose lines may break between any two letters.
fn is_ideographic(c: char) -> bool {
    matches!(c, '\u{2E80}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}
