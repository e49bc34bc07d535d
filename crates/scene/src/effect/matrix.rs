//! Streams of glyphs that fall and fade, as on a green screen.

use std::sync::Arc;

use kurbo::{Point, Rect, Size};
use rondo_composition::EffectStyles;
use rondo_css::{Color, ResolvedShadow};
use rondo_text::{LineHeight, TextStyle, WrapMode};
use unicode_segmentation::UnicodeSegmentation;

use super::TICKS;
use crate::Homography;
use crate::display::*;
use crate::motion::random;
use crate::overlay::marks::Marks;
use crate::prepare::Prepare;
use crate::sprite::Sprite;

const CHARACTERS: &str =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!@#$%^&*()_+-=[]{}|;:,.<>?/~`";
const FONT: &str = "Roboto Mono";
const FONT_SIZE: f64 = 20.0;
/// Characters of a stream, head included.
const STREAM: f64 = 20.0;
/// A glyph lasts this long.
const GLYPH_TICKS: f64 = 4.0;
const COLOR: Color = Color::new(0.0, 1.0, 0.0, 1.0);
const GLOW_SIGMA: f64 = 4.0;

pub(super) struct Matrix {
    streams: Vec<Stream>,
    rows: u32,
    cell: f64,
    /// How far a head falls before it starts again.
    fall: f64,
    ticks_per_frame: f64,
    glyphs: Vec<Glyphs>,
    snaps: bool,
}

/// A column that flows.
struct Stream {
    column: u32,
    /// Pixels a tick.
    speed: f64,
    offset: f64,
}

/// A character as the head of a stream and inside it.
struct Glyphs {
    head: Arc<Content>,
    tail: Arc<Content>,
}

pub(super) fn prepare(s: &EffectStyles, size: Size, p: &mut Prepare<'_>) -> Matrix {
    let cell = s.matrix_font_size.unwrap_or(FONT_SIZE);
    let color = p
        .read("styles.matrixColor", s.matrix_color.as_deref(), Color::parse)
        .or_else(|| p.read("styles.color", s.color.as_deref(), Color::parse))
        .unwrap_or(COLOR);
    let density = s.matrix_density.unwrap_or(1.0);
    let charset = s.matrix_charset.as_deref().filter(|c| !c.is_empty()).unwrap_or(CHARACTERS);
    let glyphs = charset
        .graphemes(true)
        .map(|c| Glyphs {
            head: glyph(c, cell, Color::WHITE, true, p),
            tail: glyph(c, cell, color, false, p),
        })
        .collect();
    let fall = size.height + STREAM * cell;
    let streams = (0..(size.width / cell) as u32)
        .filter(|&c| random::from_number(f64::from(c)) < density)
        .map(|column| {
            let throw = |n: u32| random::from_number(f64::from(column + n));
            Stream { column, speed: s.speed * (0.5 + 1.5 * throw(1)) * cell, offset: throw(2) * fall }
        })
        .collect();
    let rows = (size.height / cell).ceil() as u32;
    Matrix { streams, rows, cell, fall, ticks_per_frame: TICKS / p.fps, glyphs, snaps: p.snaps }
}

/// A character centred in its cell; a head is bold and glows.
fn glyph(character: &str, cell: f64, color: Color, head: bool, p: &mut Prepare<'_>) -> Arc<Content> {
    let style = TextStyle {
        families: FONT.into(),
        size: cell as f32,
        weight: if head { 700 } else { 400 },
        line_height: LineHeight::Px(cell as f32),
        ..TextStyle::default()
    };
    let layout = p.engine.layout(character, &style, None, WrapMode::NoWrap);
    let free = (cell - f64::from(layout.width)).max(0.0);
    let origin = Point::new(free / 2.0, 0.0);
    let marks = Marks { layout: &layout, origin, snaps: false, decoration: &[], stroke: None };
    let mut draws = Vec::new();
    let mut reach = 0.3 * cell;
    if head {
        let glow =
            ResolvedShadow { offset: kurbo::Vec2::ZERO, sigma: GLOW_SIGMA, spread: 0.0, color, inset: false };
        draws.extend(marks.shadow(&glow));
        reach += 3.0 * GLOW_SIGMA;
    }
    marks.draw(&Paint::Solid(color), color, &mut draws);
    let width = cell.max(f64::from(layout.width));
    Arc::new(Content::new(Rect::new(0.0, 0.0, width, cell).inset(reach), draws))
}

impl Matrix {
    pub fn sprites(&self, frame: u32) -> Vec<Sprite> {
        let tick = f64::from(frame) * self.ticks_per_frame;
        let turn = (tick / GLYPH_TICKS).floor();
        let mut sprites = Vec::new();
        for stream in &self.streams {
            let head = (tick * stream.speed + stream.offset) % self.fall;
            let lowest = ((head / self.cell) as u32).min(self.rows.saturating_sub(1));
            for row in lowest.saturating_sub(STREAM as u32)..=lowest {
                let distance = (head - f64::from(row) * self.cell) / self.cell;
                if row >= self.rows || !(0.0..STREAM).contains(&distance) {
                    continue;
                }
                let seed = f64::from(1000 * stream.column) + f64::from(100 * row) + turn;
                let pick = (random::from_number(seed) * self.glyphs.len() as f64) as usize;
                let Some(glyph) = self.glyphs.get(pick) else { continue };
                // Baselines are on whole pixels.
                let y = f64::from(row) * self.cell;
                let y = if self.snaps { y.round() } else { y };
                let at = Homography::translate(f64::from(stream.column) * self.cell, y);
                sprites.push(if distance < 1.0 {
                    Sprite::still(glyph.head.clone(), at)
                } else {
                    Sprite::still(glyph.tail.clone(), at).faded(1.0 - distance / STREAM)
                });
            }
        }
        sprites
    }
}
