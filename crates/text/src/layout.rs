//! A laid-out text: lines of glyph runs with their positions, and the way from characters to places.

use std::ops::Range;
use std::sync::Arc;

use crate::font::GlyphRun;

/// A text broken into lines. The origin is the top left of the first line; x grows right, y down.
#[derive(Clone, Debug, Default)]
pub struct TextLayout {
    /// Width of the block as CSS shrinks it to fit: the widest line, or the width given once a line wrapped.
    pub width: f32,
    pub height: f32,
    /// None for empty text.
    pub lines: Vec<Line>,
    /// Pixels per em.
    pub size: f32,
    pub metrics: FaceMetrics,
    /// In the order of the text.
    pub clusters: Vec<Cluster>,
}

/// Ascent and descent of the primary face at the layout's size, each rounded to whole pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FaceMetrics {
    pub ascent: f32,
    pub descent: f32,
}

#[derive(Clone, Debug)]
pub struct Line {
    /// Bytes of the text, the line's trailing spaces included, its newline not.
    pub text_range: Range<usize>,
    pub top: f32,
    pub height: f32,
    /// y of the baseline, exact.
    pub baseline: f32,
    /// Room before the line that alignment leaves alone.
    pub indent: f32,
    /// Left edge of the visible text, alignment applied.
    pub left: f32,
    /// Without trailing spaces, rounded up to 1/64 px.
    pub width: f32,
    /// With the trailing spaces that take room: alignment and the block's width count these.
    pub counted_width: f32,
    /// Whether the line ended for lack of room rather than by a newline or the end of the text.
    pub wrapped: bool,
    /// In visual order, left to right.
    pub runs: Vec<LineRun>,
}

impl Line {
    /// Right edge with all trailing spaces, also those that the room of the line ends before.
    pub fn right(&self) -> f32 {
        self.runs.iter().map(|run| run.x + run.advance).fold(self.left + self.width, f32::max)
    }

    /// The baseline when the layout's origin sits at `origin_y`: painted on a whole pixel.
    pub fn painted_baseline(&self, origin_y: f32) -> f32 {
        (origin_y + self.baseline).round()
    }
}

/// A stretch of a line in one face and one direction.
#[derive(Clone, Debug)]
pub struct LineRun {
    /// Glyph positions are relative to the run's left end on the line's baseline.
    pub glyphs: Arc<GlyphRun>,
    /// Where the characters of each glyph start in the text.
    pub places: Vec<usize>,
    pub text_range: Range<usize>,
    /// Left end, in the layout's space.
    pub x: f32,
    pub advance: f32,
    pub rtl: bool,
}

/// One grapheme cluster in its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Cluster {
    pub text_range: Range<usize>,
    /// Number of its line.
    pub line: usize,
    /// Left edge, in the layout's space.
    pub x: f32,
    pub advance: f32,
    pub rtl: bool,
    /// Space, tab or newline: nothing to see.
    pub blank: bool,
}

/// The part of a range of text on one line.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    pub text_range: Range<usize>,
    pub line: usize,
    pub x: f32,
    pub advance: f32,
}

impl TextLayout {
    /// Where a range of the text (a word, a character) ended up: one unit for each line it touches, in order.
    pub fn units(&self, range: Range<usize>) -> Vec<Unit> {
        let first = self.clusters.partition_point(|cluster| cluster.text_range.end <= range.start);
        let mut units: Vec<Unit> = Vec::new();
        for cluster in self.clusters[first..].iter().take_while(|c| c.text_range.start < range.end) {
            let right = cluster.x + cluster.advance;
            match units.last_mut().filter(|unit| unit.line == cluster.line) {
                Some(unit) => {
                    let end = (unit.x + unit.advance).max(right);
                    unit.x = unit.x.min(cluster.x);
                    unit.advance = end - unit.x;
                    unit.text_range.end = cluster.text_range.end;
                }
                None => units.push(Unit {
                    text_range: cluster.text_range.clone(),
                    line: cluster.line,
                    x: cluster.x,
                    advance: cluster.advance,
                }),
            }
        }
        units
    }
}
