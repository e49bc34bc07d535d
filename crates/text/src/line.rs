//! Setting one line: visual order, glyph positions, clusters.

use std::ops::Range;
use std::sync::Arc;

use crate::breaking::{Measure, Span};
use crate::font::{Glyph, GlyphRun};
use crate::layout::{Cluster, Line, LineRun, TextLayout};
use crate::line_box::LineBox;
use crate::rounding::ceil64;
use crate::shaping::{AtomKind, Paragraph};

/// Neighbouring atoms of one run, all content or all trailing space.
struct Piece {
    atoms: Range<usize>,
    level: u8,
    run: usize,
}

/// Appends a line below the others, left-aligned.
pub(crate) fn set_line(
    layout: &mut TextLayout,
    paragraph: &Paragraph,
    span: &Span,
    measure: Measure,
    line_box: LineBox,
    available: Option<f32>,
) {
    let (top, height) = (layout.height, line_box.height);
    layout.height += height;
    let atoms = &paragraph.atoms;
    let text_range = match (span.atoms.clone().next(), span.atoms.clone().last()) {
        (Some(first), Some(last)) => atoms[first].range.start..atoms[last].range.end,
        _ => paragraph.range.start..paragraph.range.start,
    };
    let mut content_end = span.atoms.end;
    while content_end > span.atoms.start && atoms[content_end - 1].kind != AtomKind::Visible {
        content_end -= 1;
    }
    let mut pieces = pieces(paragraph, span.atoms.start..content_end, None);
    reorder(&mut pieces);
    pieces.extend(self::pieces(paragraph, content_end..span.atoms.end, Some(0)));

    let last = span.wrapped.then(|| content_end.checked_sub(1)).flatten();
    let number = layout.lines.len();
    let first_cluster = layout.clusters.len();
    let (mut x, mut width, mut previous) = (span.indent, span.indent, None);
    let mut runs = Vec::new();
    for piece in &pieces {
        // Browsers snap where the direction changes and where trailing spaces begin.
        let trailing = piece.atoms.start >= content_end;
        if previous.is_some_and(|before| before != (piece.level, trailing)) {
            x = ceil64(x);
        }
        previous = Some((piece.level, trailing));
        let left = x;
        let (glyphs, places) = set_piece(layout, paragraph, piece, measure, number, last, &mut x);
        if !trailing {
            width = x;
        }
        if !glyphs.is_empty() {
            let run = &paragraph.runs[piece.run];
            runs.push(LineRun {
                glyphs: Arc::new(GlyphRun {
                    font: run.font.clone(),
                    size: measure.size,
                    coords: run.coords.clone(),
                    glyphs,
                }),
                places,
                text_range: atoms[piece.atoms.start].range.start..atoms[piece.atoms.end - 1].range.end,
                x: left,
                advance: x - left,
                rtl: piece.level % 2 == 1,
            });
        }
    }
    layout.clusters[first_cluster..].sort_by_key(|cluster| cluster.text_range.start);
    let width = ceil64(width);
    // Spaces before a newline or the end of the text take room as far as there is any.
    let counted_width = match available {
        _ if span.wrapped => width,
        Some(available) => ceil64(x).min(available).max(width),
        None => ceil64(x),
    };
    let (width, counted_width) = (width - span.indent, counted_width - span.indent);
    let wrapped = span.wrapped;
    layout.lines.push(Line {
        text_range,
        top,
        height,
        baseline: top + line_box.baseline,
        indent: span.indent,
        left: span.indent,
        width,
        counted_width,
        wrapped,
        runs,
    });
}

fn pieces(paragraph: &Paragraph, atoms: Range<usize>, level: Option<u8>) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for at in atoms {
        let run = paragraph.atoms[at].run;
        match pieces.last_mut().filter(|piece| piece.run == run) {
            Some(piece) => piece.atoms.end = at + 1,
            None => {
                let level = level.unwrap_or(paragraph.runs[run].level);
                pieces.push(Piece { atoms: at..at + 1, level, run });
            }
        }
    }
    pieces
}

/// Rule L2 of the bidirectional algorithm: from the highest level down to 1, reverse runs at that level or above.
fn reorder(pieces: &mut [Piece]) {
    let highest = pieces.iter().map(|piece| piece.level).max().unwrap_or(0);
    for level in (1..=highest).rev() {
        for stretch in pieces.chunk_by_mut(|a, b| (a.level >= level) == (b.level >= level)) {
            if stretch[0].level >= level {
                stretch.reverse();
            }
        }
    }
}

/// Places the atoms of a piece from `x` on; returns glyphs relative to the piece's left end, and where the characters of each
/// start. `last` ends a wrapped line.
fn set_piece(
    layout: &mut TextLayout,
    paragraph: &Paragraph,
    piece: &Piece,
    measure: Measure,
    line: usize,
    last: Option<usize>,
    x: &mut f32,
) -> (Vec<Glyph>, Vec<usize>) {
    let rtl = piece.level % 2 == 1;
    let left = *x;
    let (mut glyphs, mut places) = (Vec::new(), Vec::new());
    let mut set = |at: usize| {
        let atom = &paragraph.atoms[at];
        if atom.kind == AtomKind::Tab {
            *x = ceil64(*x);
        }
        let advance = if Some(at) == last { measure.final_advance(atom) } else { measure.advance(atom, *x) };
        let mut pen = *x - left;
        for placed in &paragraph.glyphs[atom.glyphs.clone()] {
            let Glyph { id, x, y } = placed.glyph;
            glyphs.push(Glyph { id, x: pen + x * measure.size, y: y * measure.size });
            places.push(atom.range.start);
            pen += placed.advance * measure.size;
        }
        let each = advance / atom.characters() as f32;
        let ends = atom.splits.iter().copied().chain([atom.range.end]);
        let mut start = atom.range.start;
        for (number, end) in ends.enumerate() {
            let from_left = if rtl { atom.characters() - 1 - number } else { number };
            layout.clusters.push(Cluster {
                text_range: start..end,
                line,
                x: *x + each * from_left as f32,
                advance: each,
                rtl,
                blank: atom.kind != AtomKind::Visible,
            });
            start = end;
        }
        *x += advance;
    };
    if rtl {
        piece.atoms.clone().rev().for_each(&mut set);
    } else {
        piece.atoms.clone().for_each(&mut set);
    }
    (glyphs, places)
}
