//! Letters that flicker: some are replaced by random ones, others at every frame.

use kurbo::{Point, Vec2};
use rondo_text::{Align, Cluster, TextLayout, TextStyle};

use super::block::{Ink, aligned};
use crate::display::Content;
use crate::motion::random;
use crate::prepare::Prepare;

/// What letters are replaced by, before any change of case.
pub(super) const RANDOM: &str =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*()_+-=[]{}|;:,.<>?/~`";

/// The letters that may appear, and how they are drawn.
pub(super) struct Glitch {
    random: Vec<TextLayout>,
    ink: Ink,
    /// How a line that changed its width is placed; `None` keeps its left edge.
    align: Option<Align>,
    /// First frame of the overlay in the film.
    from: i64,
}

/// One character of a unit, shaped alone.
pub(super) struct Letter {
    /// Among the characters of its unit.
    number: usize,
    layout: TextLayout,
    origin: Point,
    advance: f64,
    line: usize,
    blank: bool,
}

impl Letter {
    /// Character `number` of a unit, at `cluster` of `text`, drawn from `origin` on.
    pub fn new(
        number: usize,
        text: &str,
        cluster: &Cluster,
        origin: Point,
        style: &TextStyle,
        p: &mut Prepare<'_>,
    ) -> Self {
        Self {
            number,
            layout: p.engine.layout_part(text, cluster.text_range.clone(), style),
            origin,
            advance: f64::from(cluster.advance),
            line: cluster.line,
            blank: text[cluster.text_range.clone()].contains(char::is_whitespace),
        }
    }
}

impl Glitch {
    /// `random` are the letters that may appear, in order.
    pub fn new(
        random: &[String],
        ink: Ink,
        align: Option<Align>,
        style: &TextStyle,
        p: &mut Prepare<'_>,
    ) -> Self {
        let mut alone = |c: &String| p.engine.layout_part(c, 0..c.len(), style);
        Self { random: random.iter().map(&mut alone).collect(), ink, align, from: p.from }
    }

    /// The letters at a local frame, each replaced with probability `share`; `None` when all are themselves. What
    /// follows a replaced letter moves by the difference in width.
    pub fn content(&self, frame: u32, unit: usize, share: f64, letters: &[Letter]) -> Option<Content> {
        let frame = i64::from(frame) + self.from;
        let replaced = |number: usize| {
            let seed = format!("{frame}-{unit}-{number}");
            (random::from_text(&format!("glitch-{seed}")) < share).then(|| {
                let choice = random::from_text(&format!("char-{seed}")) * self.random.len() as f64;
                &self.random[(choice as usize).min(self.random.len() - 1)]
            })
        };
        let mut placed: Vec<(&TextLayout, Point)> = Vec::with_capacity(letters.len());
        let (mut wider, mut line, mut line_start) = (0.0, letters.first()?.line, 0);
        let mut changed = false;
        let settle = |placed: &mut [(&TextLayout, Point)], wider: f64| {
            let back = self.align.map_or(0.0, |align| aligned(align, wider));
            placed.iter_mut().for_each(|(_, origin)| origin.x -= back);
        };
        for letter in letters {
            if letter.line != line {
                settle(&mut placed[line_start..], wider);
                (wider, line, line_start) = (0.0, letter.line, placed.len());
            }
            let origin = letter.origin + Vec2::new(wider, 0.0);
            match replaced(letter.number).filter(|_| !letter.blank) {
                Some(other) => {
                    changed = true;
                    wider += f64::from(other.width) - letter.advance;
                    placed.push((other, origin));
                }
                None => placed.push((&letter.layout, origin)),
            }
        }
        settle(&mut placed[line_start..], wider);
        changed.then(|| self.ink.content(&placed))
    }
}
