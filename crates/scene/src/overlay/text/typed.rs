//! Text that appears character by character: the typewriter and the `typing` entrance.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use kurbo::{Point, Size};
use rondo_composition::TypeWriter;
use rondo_text::{Align, Cluster, GlyphRun, Line, LineRun, TextEngine, TextLayout};
use unicode_segmentation::UnicodeSegmentation;

use super::block::{Block, Ink};
use super::states::States;
use super::{Desk, Manner, Set};
use crate::Homography;
use crate::display::Content;
use crate::motion::presets::typed;
use crate::motion::typewriter::{Cursor, Habits, Page, Timeline, strings};
use crate::overlay::parts::Part;
use crate::stage::Typing;
use crate::visual::Still;

const CURSOR: &str = "|";
/// Letters that are no further apart stand side by side: lines are rounded to 1/64 px where the direction changes.
const NEIGHBOURS: f32 = 1.0 / 32.0;
/// Strings whose layouts are kept: several threads paint different parts of the film.
const MOST_SET: usize = 4;

/// A text with the states it will show.
pub(super) struct Typed {
    script: Script,
    sheets: States<Page, Sheet>,
    /// Cursor and wrong letters, drawn over the text from the origin, with the baseline at 0.
    over: States<String, Content>,
    /// Draws states that were not drawn ahead, if there are any.
    typist: Option<Typist>,
}

enum Script {
    Machine {
        timeline: Timeline,
        cursor: bool,
        strings: usize,
        /// Wrong letters and the cursor take room in their line.
        centered: bool,
    },
    Entrance {
        typing: Typing,
        characters: usize,
    },
}

/// One state of the text.
struct Sheet {
    block: Arc<Still>,
    lines: Vec<Arc<Content>>,
    /// Where the next letter would begin, on the baseline.
    end: Point,
    /// The cursor, where it is part of a text that shows its background.
    cursor: Option<Arc<Content>>,
    /// What it holds of its own: lines and letters.
    weight: usize,
}

impl Typed {
    pub fn by_machine(habits: &TypeWriter, content: &str, desk: &mut Desk<'_, '_>) -> Self {
        let strings = strings(content, habits.delete_before_next);
        let timeline = Timeline::new(
            &strings,
            Habits {
                type_speed: habits.type_speed,
                delete_speed: habits.delete_speed,
                pause_after_type: habits.pause_after_type,
                pause_after_delete: habits.pause_after_delete,
                error_rate: habits.error_rate,
                error_correct_delay: habits.error_correct_delay,
                repeat: habits.repeats,
                delete_before_next: habits.delete_before_next.unwrap_or(true),
                delay: habits.delay,
                blink_speed: habits.blink_speed,
            },
        );
        let length = |s: &str| s.graphemes(true).count();
        let longest = strings.iter().fold("", |a, s| if length(s) > length(a) { *s } else { a });
        let measure = desk.set(longest, false);
        let centered = desk.look.style.align == Align::Center;
        let script = Script::Machine { timeline, cursor: habits.cursor, strings: strings.len(), centered };
        let strings = strings.into_iter().map(str::to_owned).collect();
        let typist = Typist {
            manner: desk.manner(),
            strings,
            measure: measure.blank(),
            cursor: habits.cursor,
            centered,
            last: Mutex::default(),
        };
        Self::new(script, typist, desk)
    }

    pub fn entering(typing: Typing, content: &str, desk: &mut Desk<'_, '_>) -> Self {
        let set = desk.set(content, false);
        let manner = desk.manner();
        let measure = set.blank();
        let full = Arc::new(Full::new(content.to_owned(), set, &manner));
        let typist = Typist {
            manner,
            strings: vec![content.to_owned()],
            measure,
            cursor: false,
            centered: false,
            last: Mutex::new([(0, full)].into()),
        };
        let script = Script::Entrance { typing, characters: content.graphemes(true).count() };
        Self::new(script, typist, desk)
    }

    fn new(script: Script, typist: Typist, desk: &mut Desk<'_, '_>) -> Self {
        let frames = desk.p.duration;
        let mut drawn = (0, Drawn::default());
        let sheet = |page: &Page| {
            if drawn.0 != page.string {
                drawn = (page.string, Drawn::default());
            }
            let sheet = typist.sheet(*page, &mut drawn.1, desk.p.engine);
            let weight = sheet.weight;
            (sheet, weight)
        };
        let sheets = States::ahead(frames, |frame| script.page(frame), sheet);
        let letters = |frame| script.over(frame).filter(|letters| !letters.is_empty());
        let over = States::ahead(frames, letters, |letters| (typist.over(letters, desk.p.engine), 1));
        let is_complete = sheets.is_complete() && over.is_complete();
        Self { script, sheets, over, typist: (!is_complete).then_some(typist) }
    }

    pub fn parts(&self, frame: u32) -> Vec<Part> {
        let Some(page) = self.script.page(frame) else { return Vec::new() };
        let typist = self.typist.as_ref();
        let sheet = || Some(typist?.sheet(page, &mut Drawn::default(), &mut typist?.manner.engine()));
        let Some(sheet) = self.sheets.get(&page, sheet) else { return Vec::new() };
        let letters = self.script.over(frame).filter(|letters| !letters.is_empty());
        let over = letters.and_then(|letters| {
            self.over.get(&letters, || Some(typist?.over(&letters, &mut typist?.manner.engine())))
        });
        let over = over.map(|content| match &sheet.cursor {
            Some(cursor) => Part::still(cursor.clone()),
            None => {
                Part { transform: Homography::translate(sheet.end.x, sheet.end.y), ..Part::still(content) }
            }
        });
        let lines = sheet.lines.iter().cloned().map(Part::still);
        [sheet.block.part()].into_iter().chain(lines).chain(over).collect()
    }
}

impl Script {
    /// What the text shows at a frame; `None` before it has strings.
    fn page(&self, frame: u32) -> Option<Page> {
        match self {
            Self::Machine { timeline, strings, centered, .. } => {
                let (page, _) = timeline.at(frame);
                (page.string < *strings).then(|| sheet_of(page, *centered))
            }
            Self::Entrance { typing, characters } => {
                Some(Page { characters: typing.shown(*characters, frame), ..Page::default() })
            }
        }
    }

    /// What is drawn over it, if anything ever is.
    fn over(&self, frame: u32) -> Option<String> {
        match self {
            Self::Machine { timeline, cursor, centered, .. } => {
                let (page, state) = timeline.at(frame);
                Some(written_over(page, *cursor && state == Cursor::Lit, *centered))
            }
            Self::Entrance { .. } => None,
        }
    }
}

impl Typing {
    fn shown(&self, characters: usize, frame: u32) -> usize {
        typed(characters, frame, self.ramps.entered(frame), self.duration_given)
    }
}

/// What is drawn over the text: the cursor, and a wrong letter unless it is part of the line.
fn written_over(page: Page, lit: bool, centered: bool) -> String {
    let wrong = page.wrong.filter(|_| !centered);
    wrong.into_iter().map(String::from).chain(lit.then(|| CURSOR.to_owned())).collect()
}

/// A wrong letter changes the text beneath only where it stands in the line.
fn sheet_of(page: Page, centered: bool) -> Page {
    Page { wrong: page.wrong.filter(|_| centered), ..page }
}

/// Draws the states of a text.
struct Typist {
    manner: Manner,
    strings: Vec<String>,
    /// How all of them are set.
    measure: Set,
    /// Whether there is a cursor.
    cursor: bool,
    /// Whether each state is centred without the rest of its string.
    centered: bool,
    /// The strings that were set last, by their numbers, the newest first.
    last: Mutex<VecDeque<(usize, Arc<Full>)>>,
}

impl Typist {
    fn sheet(&self, page: Page, drawn: &mut Drawn, engine: &mut TextEngine) -> Sheet {
        let full = self.full(page.string, engine);
        match self.centered {
            true => full.centered(page, self.cursor, &self.manner, engine),
            false => full.shown(page.characters, drawn, engine),
        }
    }

    fn full(&self, number: usize, engine: &mut TextEngine) -> Arc<Full> {
        let last = || self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let found = last().iter().find(|(known, _)| *known == number).map(|(_, full)| full.clone());
        if let Some(full) = found {
            return full;
        }
        let text = self.strings.get(number).cloned().unwrap_or_default();
        let set = self.manner.like(&self.measure, &text, engine);
        let full = Arc::new(Full::new(text, set, &self.manner));
        let mut last = last();
        last.push_front((number, full.clone()));
        last.truncate(MOST_SET);
        full
    }

    /// Letters drawn over the text, starting at the origin.
    fn over(&self, letters: &str, engine: &mut TextEngine) -> Content {
        let letters: String = letters.chars().map(|letter| self.manner.recased(letter)).collect();
        let ink = self.manner.block(&self.measure, Size::ZERO).ink.without_background();
        on_baseline(&letters, Point::ORIGIN, &ink, &self.measure, engine)
    }
}

/// One string laid out as a whole.
struct Full {
    text: String,
    set: Set,
    /// Where each character ends.
    ends: Vec<usize>,
    block: Block,
    under: Arc<Still>,
    lines: Vec<Arc<Content>>,
    /// Glyphs that are drawn for each letter.
    glyphs: usize,
}

/// Stretches of a text that were drawn: most of a line is the same on the next page.
type Drawn = BTreeMap<(usize, usize), Option<Arc<Content>>>;

impl Full {
    fn new(text: String, set: Set, manner: &Manner) -> Self {
        let block = manner.block(&set, set.room());
        let lines = (0..set.layout.lines.len()).map(|i| Arc::new(line(&set.layout, i, &block))).collect();
        let ends = text.grapheme_indices(true).map(|(at, c)| at + c.len()).collect();
        let (under, glyphs) = (Arc::new(block.empty()), manner.glyphs_of_letter());
        Self { text, ends, under, lines, block, set, glyphs }
    }

    fn prefix(&self, characters: usize) -> usize {
        characters.checked_sub(1).and_then(|last| self.ends.get(last)).copied().unwrap_or(0)
    }

    /// The first characters at the places they have in the whole.
    fn shown(&self, characters: usize, drawn: &mut Drawn, engine: &mut TextEngine) -> Sheet {
        let prefix = self.prefix(characters);
        let (mut lines, mut letters) = (Vec::new(), 0);
        for (i, whole) in self.lines.iter().enumerate() {
            let range = self.set.layout.lines[i].text_range.clone();
            if range.end <= prefix {
                lines.push(whole.clone());
            } else if range.start < prefix {
                letters += prefix - range.start;
                let (set, block) = (&self.set, &self.block);
                lines.extend(parts_of_line(&self.text, range.start..prefix, set, block, drawn, engine));
            }
        }
        let weight = lines.len() + letters * self.glyphs;
        Sheet { block: self.under.clone(), lines, end: self.end(prefix), cursor: None, weight }
    }

    /// Where the letter after the first `prefix` bytes would begin.
    fn end(&self, prefix: usize) -> Point {
        let layout = &self.set.layout;
        let typed = &self.text[..prefix];
        let after = || {
            let last = layout.clusters.iter().find(|c| c.text_range.end == prefix)?;
            Some((last.x + last.advance, last.line))
        };
        let before = || layout.clusters.iter().find(|c| c.text_range.start == prefix).map(|c| (c.x, c.line));
        let ended = typed.is_empty() || typed.ends_with('\n');
        let (x, line) = (if ended { None } else { after() })
            .or_else(|| before().filter(|_| !self.text[prefix..].starts_with('\n')))
            .unwrap_or((0.0, typed.matches('\n').count()));
        at_baseline(x, line, &self.set, &self.block)
    }

    /// The first characters, perhaps a wrong one and the cursor, centred without the rest.
    fn centered(&self, page: Page, cursor: bool, manner: &Manner, engine: &mut TextEngine) -> Sheet {
        let mut text = self.text[..self.prefix(page.characters)].to_owned();
        text.extend(page.wrong.map(|wrong| manner.recased(wrong)));
        let visible = text.len();
        if cursor {
            text.push_str(CURSOR);
        }
        let set = manner.like(&self.set, &text, engine);
        let room = Size::new(set.room().width, self.set.room().height);
        let block = manner.block(&set, room);
        let (mut lines, mut drawn) = (Vec::new(), Drawn::default());
        for (i, laid) in set.layout.lines.iter().enumerate() {
            let range = laid.text_range.clone();
            if range.end <= visible {
                lines.push(Arc::new(line(&set.layout, i, &block)));
            } else if range.start < visible {
                lines.extend(parts_of_line(&text, range.start..visible, &set, &block, &mut drawn, engine));
            }
        }
        let last = set.layout.clusters.last().filter(|_| cursor).map_or((0.0, 0), |c| (c.x, c.line));
        let end = at_baseline(last.0, last.1, &set, &block);
        let shows_background = cursor && block.ink.has_background();
        let cursor = shows_background.then(|| Arc::new(on_baseline(CURSOR, end, &block.ink, &set, engine)));
        let weight = lines.len() + text.len() * self.glyphs;
        Sheet { block: Arc::new(block.empty()), lines, end, cursor, weight }
    }
}

/// Letters that begin at a point.
fn on_baseline(letters: &str, at: Point, ink: &Ink, set: &Set, engine: &mut TextEngine) -> Content {
    let layout = engine.layout_part(letters, 0..letters.len(), &set.style);
    let baseline = layout.lines.first().map_or(0.0, |l| f64::from(l.baseline));
    ink.content(&[(&layout, Point::new(at.x, at.y - baseline))])
}

/// One line of a layout.
fn line(layout: &TextLayout, number: usize, block: &Block) -> Content {
    let alone = TextLayout {
        lines: layout.lines.get(number).cloned().into_iter().collect(),
        size: layout.size,
        metrics: layout.metrics,
        ..TextLayout::default()
    };
    block.ink.content(&[(&alone, block.origin)])
}

/// The beginning of a line, in parts. In right-to-left words, the first letters stand at the right from the start.
fn parts_of_line(
    text: &str,
    range: Range<usize>,
    set: &Set,
    block: &Block,
    drawn: &mut Drawn,
    engine: &mut TextEngine,
) -> Vec<Arc<Content>> {
    let stretches = stretches(&set.layout, range).into_iter();
    let parts = stretches.filter_map(|Stretch { range, rtl, .. }| {
        let part = drawn.entry((range.start, range.end)).or_insert_with(|| match rtl {
            true => right_to_left(range, set, block),
            false => left_to_right(text, range, set, block, engine),
        });
        part.clone()
    });
    parts.collect()
}

/// A range of a line, in which neighbours in the text are neighbours in the line.
struct Stretch<'a> {
    range: Range<usize>,
    rtl: bool,
    last: &'a Cluster,
}

fn stretches(layout: &TextLayout, range: Range<usize>) -> Vec<Stretch<'_>> {
    let first = layout.clusters.partition_point(|cluster| cluster.text_range.end <= range.start);
    let clusters = layout.clusters[first..].iter().take_while(|cluster| cluster.text_range.start < range.end);
    let mut stretches: Vec<Stretch<'_>> = Vec::new();
    for cluster in clusters {
        let follows = |before: &Cluster| {
            let (left, right) = if cluster.rtl { (cluster, before) } else { (before, cluster) };
            cluster.rtl == before.rtl && (left.x + left.advance - right.x).abs() < NEIGHBOURS
        };
        match stretches.last_mut().filter(|stretch| follows(stretch.last)) {
            Some(stretch) => (stretch.range.end, stretch.last) = (cluster.text_range.end, cluster),
            None => {
                let range = cluster.text_range.clone();
                stretches.push(Stretch { range, rtl: cluster.rtl, last: cluster });
            }
        }
    }
    stretches
}

/// The beginning of left-to-right text, shaped without the rest: a letter does not appear as half of a ligature.
fn left_to_right(
    text: &str,
    range: Range<usize>,
    set: &Set,
    block: &Block,
    engine: &mut TextEngine,
) -> Option<Arc<Content>> {
    let unit = set.layout.units(range.clone()).into_iter().next()?;
    let layout = engine.layout_part(text, range, &set.style);
    let above = set.layout.lines.get(unit.line)?.baseline - layout.lines.first()?.baseline;
    let origin = block.origin + kurbo::Vec2::new(f64::from(unit.x), f64::from(above));
    Some(Arc::new(block.ink.content(&[(&layout, origin)])))
}

/// The beginning of right-to-left text, with the letters that the whole has: in Arabic, their forms depend on the next ones.
fn right_to_left(range: Range<usize>, set: &Set, block: &Block) -> Option<Arc<Content>> {
    let unit = set.layout.units(range.clone()).into_iter().next()?;
    let line = set.layout.lines.get(unit.line)?;
    let shown = |run: &LineRun| {
        let glyphs = run.glyphs.glyphs.iter().zip(&run.places);
        let glyphs = glyphs.filter(|(_, place)| range.contains(place)).map(|(glyph, _)| *glyph).collect();
        LineRun { glyphs: Arc::new(GlyphRun { glyphs, ..GlyphRun::clone(&run.glyphs) }), ..run.clone() }
    };
    let touched = |run: &&LineRun| run.text_range.start < range.end && range.start < run.text_range.end;
    let runs = line.runs.iter().filter(touched).map(shown).collect();
    let alone = TextLayout {
        lines: vec![Line { runs, left: unit.x, width: unit.advance, ..line.clone() }],
        size: set.layout.size,
        metrics: set.layout.metrics,
        ..TextLayout::default()
    };
    Some(Arc::new(block.ink.content(&[(&alone, block.origin)])))
}

fn at_baseline(x: f32, line: usize, set: &Set, block: &Block) -> Point {
    let layout = &set.layout;
    let height = set.style.line_height.at(set.style.size, layout.metrics);
    let leading = ((height - layout.metrics.ascent - layout.metrics.descent) / 2.0).floor();
    let first = layout.metrics.ascent + leading;
    let baseline = layout.lines.get(line).map_or(first + line as f32 * height, |l| l.baseline);
    block.ink.on_baseline(block.origin + kurbo::Vec2::new(f64::from(x), f64::from(baseline)))
}
