//! Shaping: a text turned into glyphs and break opportunities, in units of the em, independent of its size.

use std::ops::Range;

use parlance::{FontFeature, FontVariation, Tag};
use parley_engine::break_overrides::CHROMIUM_LINE_BREAK_OVERRIDE;
use parley_engine::itemize::Item;
use parley_engine::shape::Whitespace;
use parley_engine::{
    Analysis, AnalysisDataSources, AnalysisOptions, Analyzer, Atom, BaseDirection, ShapeOptions, ShapedSlice,
    ShapedText, Shaper,
};

use skrifa::instance::{LocationRef, Size};
use skrifa::raw::types::F2Dot14;
use skrifa::{FontRef, GlyphId, MetadataProvider};

use crate::catalog::Catalog;
use crate::fallback::Selector;
use crate::font::{Font, Glyph};
use crate::line_box::FaceHeights;
use crate::shape_key::ShapeKey;

/// A shaped text, paragraph by paragraph.
pub(crate) struct Shaped {
    pub paragraphs: Vec<Paragraph>,
    /// Of the primary face.
    pub heights: FaceHeights,
    /// Advance of a space, per em.
    pub space: f32,
}

/// Text between newlines.
#[derive(Default)]
pub(crate) struct Paragraph {
    /// Bytes of the whole text, the newline not included.
    pub range: Range<usize>,
    /// In logical order; they tile the range.
    pub atoms: Vec<ShapedAtom>,
    pub runs: Vec<ShapedRun>,
    pub glyphs: Vec<GlyphAdvance>,
}

/// Atoms in one face and direction.
pub(crate) struct ShapedRun {
    pub font: Font,
    pub coords: Vec<i16>,
    pub heights: FaceHeights,
    pub level: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AtomKind {
    Visible,
    /// Hangs at the end of a line.
    Space,
    Tab,
    /// Carriage returns and form feeds: no glyph and no room.
    Ignored,
}

/// The smallest stretch of text a line can be broken around.
#[derive(Clone, Debug)]
pub(crate) struct ShapedAtom {
    /// Bytes of the whole text.
    pub range: Range<usize>,
    /// In em.
    pub advance: f32,
    /// The advance where a line is broken after it: without kerning towards what follows.
    pub final_advance: f32,
    pub kind: AtomKind,
    pub break_before: bool,
    /// Number of its run in the paragraph.
    pub run: usize,
    /// In visual order, of the paragraph's glyphs.
    pub glyphs: Range<usize>,
    /// Ends of its graphemes but the last one's, in bytes of the whole text.
    pub splits: Vec<usize>,
    /// Of a script whose letters join, or between such letters: takes no letter-spacing.
    pub cursive: bool,
    /// A space that takes word-spacing.
    pub word_space: bool,
}

impl ShapedAtom {
    pub fn characters(&self) -> usize {
        self.splits.len() + 1
    }

    /// How often letter-spacing is added to its advance.
    pub fn spacings(&self) -> f32 {
        if self.cursive { 0.0 } else { self.characters() as f32 }
    }
}

/// A glyph and its offset from the pen, in em.
#[derive(Clone, Copy)]
pub(crate) struct GlyphAdvance {
    pub glyph: Glyph,
    pub advance: f32,
}

/// Reusable working memory of shaping.
pub(crate) struct Scratch {
    analyzer: Analyzer,
    analysis: Analysis,
    shaper: Shaper,
    shaped: ShapedText,
    sources: AnalysisDataSources,
}

impl Default for Scratch {
    fn default() -> Self {
        Self {
            analyzer: Analyzer::new(),
            analysis: Analysis::new(),
            shaper: Shaper::default(),
            shaped: ShapedText::new(),
            sources: AnalysisDataSources::new(),
        }
    }
}

/// Ligatures and contextual forms, which letter-spacing switches off.
const SPACED_FEATURES: [&[u8; 4]; 5] = [b"liga", b"clig", b"dlig", b"hlig", b"calt"];

impl Scratch {
    pub fn shape(&mut self, catalog: &Catalog, text: &str, key: &ShapeKey) -> Shaped {
        let stack = catalog.stack(key);
        // The first face meant for a space sets the line, whether it has one or not.
        let meant = stack.iter().copied().filter(|id| catalog.is_meant_for(*id, ' '));
        let heights = catalog
            .first_face(meant.chain(stack.iter().copied()))
            .map_or(FaceHeights { ascent: 0.8, descent: 0.2, gap: 0.0 }, |face| face.heights);
        let mut shaped = Shaped { paragraphs: Vec::new(), heights, space: 0.0 };
        if text.contains('\t') {
            let space = self.paragraph(catalog, " ", 0, key);
            shaped.space = space.atoms.first().map_or(0.0, |atom| atom.advance);
        }
        let mut start = 0;
        for line in paragraphs(text) {
            shaped.paragraphs.push(self.paragraph(catalog, line, start, key));
            start += line.len() + 1;
        }
        shaped
    }

    /// Shapes `text`, which begins at byte `base` of the whole and holds no newline.
    pub fn paragraph(&mut self, catalog: &Catalog, text: &str, base: usize, key: &ShapeKey) -> Paragraph {
        let mut paragraph = Paragraph { range: base..base + text.len(), ..Paragraph::default() };
        let characters = text.chars().count();
        if characters == 0 {
            return paragraph;
        }
        let options = AnalysisOptions {
            base_direction: BaseDirection::Ltr,
            line_break_override: Some(CHROMIUM_LINE_BREAK_OVERRIDE),
            ..AnalysisOptions::default()
        };
        self.analyzer.analyze(text, &options, &mut self.analysis);
        let words = catalog.word_breaks(text);
        let features = features(key);
        let mut variations = vec![FontVariation::new(Tag::new(b"wght"), f32::from(key.weight))];
        if key.stretch != 1000 {
            variations.push(FontVariation::new(Tag::new(b"wdth"), f32::from(key.stretch) / 10.0));
        }
        let stack = catalog.stack(key);
        let item = Item {
            char_end: characters as u32,
            options: ShapeOptions {
                font_size: 1.0,
                language: None,
                features: &features,
                variations: &variations,
            },
        };
        let mut selector = Selector::new(catalog, &self.sources, &stack, key);
        let styles = vec![0; characters];
        self.shaper.shape_text(text, &self.analysis, &styles, [item], &mut selector, &mut self.shaped);
        for index in 0..self.shaped.runs().len() {
            let run = &self.shaped.runs()[index];
            let Some(face) = selector.face(&self.shaped.fonts()[run.font_index]) else { continue };
            paragraph.runs.push(ShapedRun {
                font: face.font.clone(),
                heights: face.heights,
                coords: self.shaped.normalized_coords()[run.normalized_coords_range.clone()]
                    .iter()
                    .map(|coord| coord.to_bits())
                    .collect(),
                level: run.bidi_level.to_u8(),
            });
            let slice = self.shaped.run_slice(index as u32);
            let first = paragraph.atoms.len();
            for atom in slice.atoms_start() {
                push_atom(&mut paragraph, text, base, &slice, &atom, &words);
            }
            unkern(&mut paragraph, first);
        }
        paragraph
    }
}

/// The features of a style, each once.
fn features(key: &ShapeKey) -> Vec<FontFeature> {
    let spaced = SPACED_FEATURES.iter().filter(|_| key.spaced).map(|tag| (**tag, 0));
    let tabular = key.tabular_digits.then_some((*b"tnum", 1));
    let given = key.features.iter().map(|feature| (feature.tag, feature.value));
    let mut features: Vec<([u8; 4], u32)> = Vec::new();
    for (tag, value) in spaced.chain(tabular).chain(given) {
        features.retain(|(before, _)| *before != tag);
        features.push((tag, value));
    }
    features.iter().map(|(tag, value)| FontFeature::new(Tag::new(tag), (*value).min(0xffff) as u16)).collect()
}

/// Lines of the source text. A newline at the very end opens no further line.
fn paragraphs(text: &str) -> impl Iterator<Item = &str> {
    let text = text.strip_suffix('\n').map_or(text, |rest| rest);
    text.split('\n')
}

/// Letters of Arabic, Syriac, Mandaic, N'Ko, Mongolian, Phags-pa and Hanifi Rohingya.
fn is_cursive(ch: char) -> bool {
    ch.is_alphabetic()
        && matches!(ch, '\u{600}'..='\u{77F}' | '\u{7C0}'..='\u{7FF}' | '\u{840}'..='\u{8FF}' | '\u{1800}'..='\u{18AF}'
            | '\u{A840}'..='\u{A87F}' | '\u{FB50}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFE}' | '\u{10D00}'..='\u{10D3F}')
}

/// Appends an atom. `words` are the places in `text` where words begin without a space before them.
fn push_atom(
    paragraph: &mut Paragraph,
    text: &str,
    base: usize,
    slice: &ShapedSlice<'_>,
    atom: &Atom<'_>,
    words: &[usize],
) {
    let run = paragraph.runs.len() - 1;
    let bytes = slice.text_byte_range(atom.char_range());
    let source = &text[bytes.clone()];
    let kind = match atom.characters().first().map_or(Whitespace::None, |first| first.whitespace) {
        _ if source.chars().all(|ch| matches!(ch, '\r' | '\u{c}')) => AtomKind::Ignored,
        Whitespace::Space | Whitespace::IdeographicSpace | Whitespace::OtherSpaceSeparator => AtomKind::Space,
        Whitespace::Tab => AtomKind::Tab,
        _ => AtomKind::Visible,
    };
    let first_glyph = paragraph.glyphs.len();
    if !matches!(kind, AtomKind::Tab | AtomKind::Ignored) {
        let glyphs = |cluster| {
            slice.shaped_cluster_glyphs(cluster).map(|glyph| GlyphAdvance {
                glyph: Glyph { id: glyph.id, x: glyph.x, y: glyph.y },
                advance: glyph.advance,
            })
        };
        let clusters = atom.shaped_clusters_range();
        if paragraph.runs[run].level % 2 == 1 {
            paragraph.glyphs.extend(clusters.rev().flat_map(glyphs));
        } else {
            paragraph.glyphs.extend(clusters.flat_map(glyphs));
        }
    }
    let mut splits: Vec<usize> = atom
        .graphemes_start()
        .map(|grapheme| base + slice.text_byte_range(grapheme.char_range()).end)
        .collect();
    splits.pop();
    let advance = if kind == AtomKind::Ignored { 0.0 } else { atom.advance() };
    let neutral = !source.chars().any(char::is_alphabetic);
    let continues = || paragraph.atoms.last().is_some_and(|before| before.run == run && before.cursive);
    let cursive = source.chars().any(is_cursive) || (neutral && continues());
    paragraph.atoms.push(ShapedAtom {
        range: base + bytes.start..base + bytes.end,
        advance,
        final_advance: advance,
        kind,
        break_before: atom.is_soft_wrap_opportunity_before() || words.binary_search(&bytes.start).is_ok(),
        run,
        glyphs: first_glyph..paragraph.glyphs.len(),
        splits,
        cursive,
        word_space: source.chars().any(|ch| matches!(ch, ' ' | '\u{a0}')),
    });
}

/// Looks up the final advances of the last run's atoms, from `first` on: a lone glyph's own width. Kerning sits in the
/// advance of the glyph before it, in text read from the left.
fn unkern(paragraph: &mut Paragraph, first: usize) {
    let Some(run) = paragraph.runs.last().filter(|run| run.level % 2 == 0) else { return };
    let Ok(font) = FontRef::from_index(&run.font.data, run.font.index) else { return };
    let coords: Vec<F2Dot14> = run.coords.iter().map(|bits| F2Dot14::from_bits(*bits)).collect();
    let metrics = font.glyph_metrics(Size::new(1.0), LocationRef::new(&coords));
    for atom in &mut paragraph.atoms[first..] {
        if atom.kind == AtomKind::Visible
            && atom.characters() == 1
            && let [only] = paragraph.glyphs[atom.glyphs.clone()]
            && let Some(advance) = metrics.advance_width(GlyphId::new(only.glyph.id))
        {
            atom.final_advance = advance;
        }
    }
}
