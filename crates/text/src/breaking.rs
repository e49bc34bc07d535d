//! Breaking shaped paragraphs into lines, at any size.

use std::ops::Range;

use crate::rounding::{ceil64, floor64, sane_signed};
use crate::shaping::{AtomKind, Paragraph, Shaped, ShapedAtom};
use crate::style::TextStyle;

/// The size Chromium makes a font in: cut to hundredths of a pixel.
pub(crate) fn font_size(size: f32) -> f32 {
    (size * 100.0).floor() / 100.0
}

/// What turns ems into pixels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measure {
    pub size: f32,
    /// Letter-spacing in pixels.
    pub spacing: f32,
    /// Word-spacing in pixels.
    pub word_spacing: f32,
    /// Distance of tab stops in pixels.
    pub tab: f32,
}

impl Measure {
    /// For text of `size`, whatever the size in `style`.
    pub fn new(shaped: &Shaped, style: &TextStyle, size: f32) -> Self {
        let spacing = sane_signed(style.letter_spacing.at(size));
        let word_spacing = sane_signed(style.word_spacing.at(size));
        // FreeType, which Chromium draws with, scales glyphs to whole 1/64 px.
        let size = floor64(font_size(size));
        let tab = 8.0 * (shaped.space * size + spacing + word_spacing);
        Self { size, spacing, word_spacing, tab }
    }

    /// What letter-spacing and word-spacing add to the advance of an atom.
    fn added(&self, atom: &ShapedAtom) -> f32 {
        self.spacing * atom.spacings() + if atom.word_space { self.word_spacing } else { 0.0 }
    }

    /// Advance of an atom whose left edge is `x` from the start of its line.
    pub fn advance(&self, atom: &ShapedAtom, x: f32) -> f32 {
        match atom.kind {
            AtomKind::Ignored => 0.0,
            AtomKind::Tab if self.tab > 0.0 => {
                let stop = ((ceil64(x) / self.tab).floor() + 1.0) * self.tab - x;
                // A stop nearer than half a space is passed over.
                if stop < self.tab / 16.0 { stop + self.tab } else { stop }
            }
            AtomKind::Tab => 0.0,
            _ => atom.advance * self.size + self.added(atom),
        }
    }

    /// Advance of a visible atom that ends a wrapped line.
    pub fn final_advance(&self, atom: &ShapedAtom) -> f32 {
        atom.final_advance * self.size + self.added(atom)
    }
}

/// A line as a range of its paragraph's atoms.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Span {
    pub atoms: Range<usize>,
    /// Room before it.
    pub indent: f32,
    /// Ended because the width was used up, not by a newline or the end.
    pub wrapped: bool,
}

/// Breaks a paragraph into at least one line, calling `line` for each. The first line begins at `first`, the others
/// at `other`.
pub(crate) fn break_lines(
    paragraph: &Paragraph,
    measure: Measure,
    (first, other): (f32, f32),
    width: Option<f32>,
    mut line: impl FnMut(Span),
) {
    let atoms = &paragraph.atoms;
    let Some(width) = width else {
        line(Span { atoms: 0..atoms.len(), indent: first, wrapped: false });
        return;
    };
    let (mut start, mut at, mut x, mut opportunity) = (0, 0, first, None);
    while at < atoms.len() {
        let atom = &atoms[at];
        if at > start && atom.break_before {
            opportunity = Some(at);
        }
        let end = x + measure.advance(atom, x);
        let visible = atom.kind == AtomKind::Visible;
        let needed = x + measure.final_advance(atom);
        // Whole words must fit on the grid; inside a word less than a grid step may stick out.
        let needed = if opportunity.is_some() { ceil64(needed) } else { floor64(needed) };
        if visible && at > start && needed > width {
            let next = opportunity.unwrap_or(at);
            line(Span { atoms: start..next, indent: if start == 0 { first } else { other }, wrapped: true });
            (start, at, x, opportunity) = (next, next, other, None);
        } else {
            x = end;
            at += 1;
        }
    }
    line(Span { atoms: start..atoms.len(), indent: if start == 0 { first } else { other }, wrapped: false });
}

/// Width of the widest stretch without a break opportunity, with the indent of a line that begins with it.
pub(crate) fn widest_word(paragraph: &Paragraph, measure: Measure, (first, other): (f32, f32)) -> f32 {
    let (mut widest, mut x, mut visible) = (0.0_f32, first, 0.0_f32);
    for (at, atom) in paragraph.atoms.iter().enumerate() {
        if at > 0 && atom.break_before {
            widest = widest.max(visible);
            (x, visible) = (other, 0.0);
        }
        if atom.kind == AtomKind::Visible {
            visible = x + measure.final_advance(atom);
        }
        x += measure.advance(atom, x);
    }
    ceil64(widest.max(visible))
}
