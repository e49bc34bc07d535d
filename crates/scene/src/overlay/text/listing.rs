//! Text shown as highlighted code, all at once or line by line.

use std::sync::Arc;

use kurbo::{Point, Rect, Size, Vec2};
use rondo_composition::CodeBlock;
use rondo_css::{BorderRadius, Color, Context, Length, Unit};
use rondo_text::{Align, Cluster, GlyphRun, LineHeight, LineRun, TextLayout, TextStyle, WrapMode};

use super::block::{Block, ink};
use super::{Desk, Set};
use crate::boxes;
use crate::code::{self, Kind, Palette, Token};
use crate::display::*;
use crate::overlay::marks::Marks;
use crate::overlay::moves::Moves;
use crate::overlay::parts::Part;
use crate::visual::Still;

/// Font size when none is given, of the width of the film.
const SIZE: f64 = 0.015;
/// Room of the line numbers, and between them and the code, in ems.
const NUMBERS: f64 = 2.5;
const BESIDE_NUMBERS: f64 = 1.0;
const RADIUS: f64 = 8.0;
/// Columns between two tab stops.
const TAB: usize = 4;

/// A code laid out and coloured.
pub(super) struct Listing {
    block: Still,
    lines: Vec<Line>,
    moves: Moves,
    /// The layer box.
    frame: Rect,
}

struct Line {
    content: Arc<Content>,
    center: Point,
}

impl Listing {
    pub fn new(mode: &CodeBlock, desk: &mut Desk<'_, '_>) -> Self {
        let palette = Palette::new(mode.theme);
        dress(palette, desk);
        let text = &untabbed(&desk.text.content);
        let language = desk.p.registered(
            "UNKNOWN_LANGUAGE",
            "styles.codeBlock.language",
            &mode.language,
            code::find(&mode.language),
            code::names(),
        );
        let tokens = language.map_or_else(Vec::new, |language| code::highlight(text, language));
        let set = fitted(mode, text, desk);
        let gutter = gutter(mode, set.style.size);
        let block = desk.block(&set, set.room() + Size::new(gutter, 0.0));
        let page = Page { set: &set, block: &block, tokens: &tokens, palette, gutter };
        let lines = (0..set.layout.lines.len()).map(|number| page.line(number, desk)).collect();
        Self { block: block.empty(), lines, moves: Moves::of_code(mode.line_stagger), frame: block.frame }
    }

    /// Block and code as one content.
    pub fn still(self) -> Still {
        let all = || [&self.block.content].into_iter().chain(self.lines.iter().map(|l| &l.content));
        let visible = || all().filter(|c| !c.draws.is_empty());
        let mut draws: Vec<Draw> = all().flat_map(|c| c.draws.iter().cloned()).collect();
        let bounds = visible().map(|c| c.bounds).reduce(|a, b| a.union(b)).unwrap_or(Rect::ZERO);
        if self.frame.union(bounds) != self.frame {
            let clip = Some(Outline::Rect(self.frame));
            draws = vec![Draw::Group { draws, filters: Vec::new(), clip, opacity: 1.0 }];
        }
        let bounds = if draws.is_empty() { Rect::ZERO } else { bounds.intersect(self.frame) };
        Still {
            content: Arc::new(Content::new(bounds, draws)),
            backdrop: self.block.backdrop,
            cuts: Vec::new(),
        }
    }

    pub fn parts(&self, frame: u32) -> Vec<Part> {
        let lines = self.lines.iter().enumerate();
        let lines =
            lines.map(|(i, l)| Part::still(l.content.clone()).posed(self.moves.at(frame, i, l.center)));
        [self.block.part()].into_iter().chain(lines).collect()
    }
}

/// Fills in the block's defaults for code.
fn dress(palette: Palette, desk: &mut Desk<'_, '_>) {
    let look = &mut desk.look;
    if desk.text.styles.padding.as_deref().is_none_or(|v| v.trim().is_empty()) {
        look.padding = std::array::from_fn(|_| Length::Value(1.0, Unit::Em));
    }
    // A background meant to be seen through the letters only is not one of the block.
    if std::mem::take(&mut look.clip_background) {
        (look.background, look.background_color) = (None, None);
    }
    if look.background.is_none() && look.background_color.is_none() {
        look.background_color = Some(palette.background());
        let corner = || Length::Value(RADIUS, Unit::Px);
        look.radius.get_or_insert_with(|| BorderRadius(std::array::from_fn(|_| (corner(), corner()))));
    }
}

/// The code without blanks around it, tabs as spaces.
fn untabbed(content: &str) -> String {
    let mut text = String::with_capacity(content.len());
    let mut column = 0;
    let content = content.trim();
    for (at, c) in content.char_indices() {
        match c {
            '\t' => {
                let blanks = TAB - column % TAB;
                text.extend(std::iter::repeat_n(' ', blanks));
                column += blanks;
            }
            '\r' if content[at + 1..].starts_with('\n') => {}
            '\r' | '\n' => {
                text.push('\n');
                column = 0;
            }
            _ => {
                text.push(c);
                column += 1;
            }
        }
    }
    text
}

/// Room the line numbers take, beside the code.
fn gutter(mode: &CodeBlock, size: f32) -> f64 {
    if mode.show_line_numbers { (NUMBERS + BESIDE_NUMBERS) * f64::from(size) } else { 0.0 }
}

/// The code laid out at the size given, or at one that fits the box.
fn fitted(mode: &CodeBlock, text: &str, desk: &mut Desk<'_, '_>) -> Set {
    let given = mode.font_size.map(|s| s as f32);
    let mut size = given.unwrap_or((SIZE * desk.p.css.viewport.width) as f32).max(1.0);
    let mut tries = 0;
    loop {
        let style = TextStyle {
            families: "monospace".into(),
            size,
            line_height: LineHeight::Factor(1.5),
            align: Align::Left,
            ..TextStyle::default()
        };
        let layout = desk.p.engine.layout(text, &style, None, WrapMode::NoWrap);
        let css = Context { font_size: f64::from(size), current_color: desk.look.color, ..desk.p.css };
        let set = Set { layout, style, css };
        let share = share_of_box(&set, gutter(mode, size), desk);
        if share <= 1.0 {
            return set;
        }
        if given.is_some() {
            desk.p.notices.warn(
                "TEXT_MAY_CLIP",
                desk.p.at("content"),
                format!(
                    "The code does not fit its {} × {} box at {size} px and is clipped.",
                    desk.size.width, desk.size.height
                ),
                Some(
                    "Shorten the code, enlarge the box, or leave codeBlock.fontSize out so that the code shrinks."
                        .into(),
                ),
            );
            return set;
        }
        tries += 1;
        if size <= 1.0 || tries > 8 {
            return set;
        }
        // Slightly less, because widths are rounded up.
        size = (f64::from(size) / share * 0.9995).max(1.0) as f32;
    }
}

/// Ratio of the block to the box in the direction that overflows more.
fn share_of_box(set: &Set, gutter: f64, desk: &Desk<'_, '_>) -> f64 {
    let padding = desk.look.padding.each_ref().map(|l| l.resolve(&set.css, desk.size.width));
    let border = desk.look.border.as_ref().map_or(0.0, |b| b.resolve(&set.css).width);
    let room = set.room();
    let width = room.width + gutter + padding[1] + padding[3] + 2.0 * border;
    let height = room.height + padding[0] + padding[2] + 2.0 * border;
    (width / desk.size.width.max(1.0)).max(height / desk.size.height.max(1.0))
}

/// Everything the lines of one code have in common.
struct Page<'a> {
    set: &'a Set,
    block: &'a Block,
    tokens: &'a [Token],
    palette: Palette,
    gutter: f64,
}

impl Page<'_> {
    fn line(&self, number: usize, desk: &mut Desk<'_, '_>) -> Line {
        let origin = self.block.origin + Vec2::new(self.gutter, 0.0);
        let layout = &self.set.layout;
        let alone = TextLayout {
            lines: vec![layout.lines[number].clone()],
            size: layout.size,
            metrics: layout.metrics,
            ..TextLayout::default()
        };
        let line = &layout.lines[number];
        let baseline = self.block.ink.on_baseline(origin + Vec2::new(0.0, f64::from(line.baseline))).y;
        let mut draws = Vec::new();
        let shadows: Vec<_> = desk.look.text_shadows.iter().map(|s| s.resolve(&self.set.css)).collect();
        let marks = Marks { layout: &alone, origin, snaps: true, decoration: &[], stroke: None };
        draws.extend(shadows.iter().rev().flat_map(|s| marks.shadow(s)));
        let reach = shadows.iter().map(boxes::shadow_reach).fold(0.0, f64::max);
        let mut bounds = ink(&alone, origin).unwrap_or(Rect::ZERO).inset(reach);
        if self.gutter > 0.0 {
            let style = &self.set.style;
            let label = desk.p.engine.layout(&(number + 1).to_string(), style, None, WrapMode::NoWrap);
            let right = self.block.origin.x + NUMBERS * f64::from(style.size);
            let place = Point::new(right - f64::from(label.width), baseline);
            for run in label.lines.iter().flat_map(|l| &l.runs) {
                let at = place + Vec2::new(f64::from(run.x), 0.0);
                draws.push(glyphs(run.glyphs.clone(), at, self.palette.gutter()));
            }
            bounds = bounds.union(Rect::from_points((place.x, bounds.y0), (place.x, bounds.y1)));
        }
        let places = self.places(number);
        for run in &line.runs {
            let at = Point::new(origin.x + f64::from(run.x), baseline);
            for (color, glyph_run) in self.coloured(&places, run) {
                draws.push(glyphs(Arc::new(glyph_run), at, color));
            }
        }
        let bounds = if draws.is_empty() { Rect::ZERO } else { bounds };
        Line { center: bounds.center(), content: Arc::new(Content::new(bounds, draws)) }
    }

    /// The characters of a line, left to right.
    fn places(&self, number: usize) -> Vec<&Cluster> {
        let clusters = &self.set.layout.clusters;
        let first = clusters.partition_point(|c| c.line < number);
        let last = clusters.partition_point(|c| c.line <= number);
        let mut places: Vec<&Cluster> = clusters[first..last].iter().collect();
        places.sort_by(|a, b| a.x.total_cmp(&b.x));
        places
    }

    /// The visible glyphs of a run by colour, in the order in which the colours appear.
    fn coloured(&self, places: &[&Cluster], run: &LineRun) -> Vec<(Color, GlyphRun)> {
        let mut colours: Vec<(Kind, GlyphRun)> = Vec::new();
        for glyph in &run.glyphs.glyphs {
            let x = run.x + glyph.x + 0.01;
            let place = places.partition_point(|c| c.x <= x).saturating_sub(1);
            let Some(cluster) = places.get(place).filter(|c| !c.blank) else { continue };
            let kind = self.kind_at(cluster.text_range.start);
            match colours.iter_mut().find(|(k, _)| *k == kind) {
                Some((_, same)) => same.glyphs.push(*glyph),
                None => {
                    let font = run.glyphs.as_ref();
                    let (size, coords) = (font.size, font.coords.clone());
                    let alone = GlyphRun { font: font.font.clone(), size, coords, glyphs: vec![*glyph] };
                    colours.push((kind, alone));
                }
            }
        }
        colours.into_iter().map(|(kind, run)| (self.palette.color(kind), run)).collect()
    }

    fn kind_at(&self, byte: usize) -> Kind {
        let token = self.tokens.partition_point(|t| t.range.end <= byte);
        self.tokens.get(token).filter(|t| t.range.start <= byte).map_or(Kind::Plain, |t| t.kind)
    }
}

fn glyphs(run: Arc<GlyphRun>, origin: Point, color: Color) -> Draw {
    Draw::Glyphs { run, origin, paint: Paint::Solid(color) }
}
