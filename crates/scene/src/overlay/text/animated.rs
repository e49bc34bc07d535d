//! Text whose words, characters or lines move one after another.

use std::ops::Range;
use std::sync::Arc;

use kurbo::{Point, Rect, Vec2};
use rondo_composition::{AnimatedText, Split, StaggerDirection};
use rondo_text::{Cluster, TextLayout};
use unicode_segmentation::UnicodeSegmentation;

use super::block::Block;
use super::glitch::{Glitch, Letter, RANDOM};
use super::{Desk, Set};
use crate::display::Content;
use crate::overlay::moves::{Moves, direction};
use crate::overlay::parts::Part;
use crate::visual::Still;

/// A text cut into units.
pub(super) struct Units {
    block: Still,
    /// Without those that show nothing.
    units: Vec<Unit>,
    moves: Moves,
    glitch: Option<Glitch>,
}

struct Unit {
    /// Among all units of the text.
    number: usize,
    /// Stagger steps it waits.
    steps: usize,
    center: Point,
    content: Arc<Content>,
    /// Only when it may glitch.
    letters: Vec<Letter>,
}

impl Units {
    pub fn animated(a: &AnimatedText, content: &str, desk: &mut Desk<'_, '_>) -> Self {
        let moves = Moves::of_text(a, desk.p);
        let set = desk.set(content, false);
        let mut block = desk.block(&set, set.room());
        let glitches = moves.glitches();
        let units = match &a.split {
            Split::None => {
                let all = 0..set.layout.lines.len();
                vec![lines_unit(0, all, content, &set, &block, glitches, desk)]
            }
            Split::Line => source_lines(&set.layout)
                .enumerate()
                .map(|(i, lines)| lines_unit(i, lines, content, &set, &block, glitches, desk))
                .collect(),
            split => {
                // Decorations belong to the line, which is not drawn as such.
                block.ink.decoration.clear();
                pieces(content, split)
                    .into_iter()
                    .enumerate()
                    .filter_map(|(i, piece)| piece_unit(i, piece, content, &set, &block, glitches, desk))
                    .collect()
            }
        };
        let glitch = glitches.then(|| {
            let follows = matches!(a.split, Split::None | Split::Line).then_some(desk.look.style.align);
            let manner = desk.manner();
            let random: Vec<String> = RANDOM.chars().map(|c| manner.recased(c)).collect();
            Glitch::new(&random, block.ink.clone(), follows, &set.style, desk.p)
        });
        Self { block: block.empty(), units, moves, glitch }
    }

    pub fn staggered(moves: Moves, order: StaggerDirection, content: &str, desk: &mut Desk<'_, '_>) -> Self {
        let set = desk.set(content, false);
        let block = desk.block(&set, set.room());
        let order = direction(order).order(content.split('\n').count());
        let units = source_lines(&set.layout)
            .zip(order)
            .enumerate()
            .map(|(i, (lines, steps))| {
                let unit = lines_unit(i, lines, content, &set, &block, false, desk);
                Unit { steps, ..unit }
            })
            .collect();
        Self { block: block.empty(), units, moves, glitch: None }
    }

    pub fn parts(&self, frame: u32) -> Vec<Part> {
        let units = self.units.iter().map(|unit| {
            let (pose, moving) = self.moves.at(frame, unit.steps, unit.center);
            let glitched = self
                .glitch
                .as_ref()
                .filter(|_| pose.glitch > 0.0 && pose.opacity > 0.0)
                .and_then(|glitch| glitch.content(frame, unit.number, pose.glitch, &unit.letters));
            let content = glitched.map_or_else(|| unit.content.clone(), Arc::new);
            Part::still(content).posed((pose, moving))
        });
        [self.block.part()].into_iter().chain(units).collect()
    }
}

/// The laid-out lines of each source line.
fn source_lines(layout: &TextLayout) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    layout.lines.iter().enumerate().filter(|(_, line)| !line.wrapped).map(move |(last, _)| {
        let lines = start..last + 1;
        start = last + 1;
        lines
    })
}

/// The words with the spaces between them, the characters, or the text between separators.
fn pieces(text: &str, split: &Split) -> Vec<Range<usize>> {
    match split {
        Split::Word => {
            let mut pieces: Vec<Range<usize>> = Vec::new();
            let mut previous = None;
            for (at, c) in text.char_indices() {
                let space = c.is_whitespace();
                match pieces.last_mut().filter(|_| previous == Some(space)) {
                    Some(piece) => piece.end = at + c.len_utf8(),
                    None => pieces.push(at..at + c.len_utf8()),
                }
                previous = Some(space);
            }
            pieces
        }
        Split::Separator(separator) => {
            let start = text.as_ptr() as usize;
            text.split(separator.as_str())
                .map(|piece| {
                    let at = piece.as_ptr() as usize - start;
                    at..at + piece.len()
                })
                .collect()
        }
        _ => text.grapheme_indices(true).map(|(at, c)| at..at + c.len()).collect(),
    }
}

/// Whole lines, which move about the middle of the block's room for text.
fn lines_unit(
    number: usize,
    lines: Range<usize>,
    text: &str,
    set: &Set,
    block: &Block,
    glitches: bool,
    desk: &mut Desk<'_, '_>,
) -> Unit {
    let part = TextLayout {
        lines: set.layout.lines[lines.clone()].to_vec(),
        size: set.layout.size,
        metrics: set.layout.metrics,
        ..TextLayout::default()
    };
    let top = part.lines.first().map_or(0.0, |l| l.top);
    let bottom = part.lines.last().map_or(top, |l| l.top + l.height);
    let middle = Vec2::new(block.inside.width / 2.0, f64::from(top + bottom) / 2.0);
    let letters = if glitches {
        let clusters = set.layout.clusters.iter().filter(|c| lines.contains(&c.line) && !c.blank);
        let start = part.lines.first().map_or(0, |l| l.text_range.start);
        let numbers = Numbers::new(text, start..part.lines.last().map_or(start, |l| l.text_range.end));
        let at = |line: usize, x: f32| {
            block.origin + Vec2::new(f64::from(x), f64::from(set.layout.lines[line].top))
        };
        clusters.map(|c| Letter::new(numbers.of(c), text, c, at(c.line, c.x), &set.style, desk.p)).collect()
    } else {
        Vec::new()
    };
    Unit {
        number,
        steps: number,
        center: block.origin + middle,
        content: Arc::new(block.ink.content(&[(&part, block.origin)])),
        letters,
    }
}

/// A word or a character shaped alone at its place in the full text; `None` when it shows nothing.
fn piece_unit(
    number: usize,
    piece: Range<usize>,
    text: &str,
    set: &Set,
    block: &Block,
    glitches: bool,
    desk: &mut Desk<'_, '_>,
) -> Option<Unit> {
    if text[piece.clone()].trim().is_empty() {
        return None;
    }
    let units = set.layout.units(piece.clone());
    let end = units.last().map_or(piece.end, |unit| unit.text_range.end.max(piece.end));
    let numbers = glitches.then(|| Numbers::new(text, piece.start..end));
    let mut layouts = Vec::new();
    let mut letters = Vec::new();
    let mut area: Option<Rect> = None;
    for unit in units {
        let Some(line) = set.layout.lines.get(unit.line) else { continue };
        let baseline = block.origin.y + f64::from(line.baseline);
        let (ascent, descent) = (f64::from(set.layout.metrics.ascent), f64::from(set.layout.metrics.descent));
        let advance = f64::from(unit.advance);
        let x = block.origin.x + f64::from(unit.x);
        let rect = Rect::new(x, baseline - ascent, x + advance, baseline + descent);
        area = Some(area.map_or(rect, |a| a.union(rect)));
        let alone = unit.text_range.clone();
        let layout = desk.p.engine.layout_part(text, alone.clone(), &set.style);
        let above = layout.lines.first().map_or(0.0, |first| f64::from(first.baseline));
        let origin = Point::new(x, baseline - above);
        if let Some(numbers) = &numbers {
            letters.extend(layout.clusters.iter().map(|c| {
                // Counted in the whole text, as the unit's place in it is.
                let range = c.text_range.start + alone.start..c.text_range.end + alone.start;
                let c = Cluster { text_range: range, line: unit.line, ..c.clone() };
                let at = origin + Vec2::new(f64::from(c.x), 0.0);
                Letter::new(numbers.of(&c), text, &c, at, &set.style, desk.p)
            }));
        }
        layouts.push((layout, origin));
    }
    let placed: Vec<(&TextLayout, Point)> = layouts.iter().map(|(l, o)| (l, *o)).collect();
    let content = Arc::new(block.ink.content(&placed));
    Some(Unit { number, steps: number, center: area?.center(), content, letters })
}

/// Numbers of the characters of one unit.
struct Numbers {
    /// Where each begins in the text.
    starts: Vec<usize>,
}

impl Numbers {
    /// For the unit in this range.
    fn new(text: &str, range: Range<usize>) -> Self {
        let start = range.start;
        let text = text.get(range).unwrap_or_default();
        Self { starts: text.grapheme_indices(true).map(|(at, _)| at + start).collect() }
    }

    fn of(&self, cluster: &Cluster) -> usize {
        self.starts.partition_point(|&at| at < cluster.text_range.start)
    }
}
