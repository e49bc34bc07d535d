//! Effect overlays: particles, matrix rain, grids, fractures and scrolling columns. Sprites are built once; a frame only
//! places them.

mod children;
mod columns;
mod dice;
mod fracture;
mod grid;
mod matrix;
mod particles;
mod pictures;

use kurbo::{Rect, Size, Vec2};
use rondo_composition::{Base, Effect, EffectName, EffectStyles};
use rondo_css::Color;

use crate::boxes;
use crate::display::Item;
use crate::prepare::Prepare;
use crate::sprite::together;
use crate::stage::{Motion, Placed, Stage};
use crate::visual::{Body, Show, Visual};

/// Frame rate of the built-in numbers of effects.
const TICKS: f64 = 30.0;

/// An effect ready to be placed.
pub(crate) struct Play {
    kind: Kind,
    /// The layer box, which clips.
    frame: Rect,
    offset: Vec2,
}

enum Kind {
    Particles(particles::Particles),
    Matrix(matrix::Matrix),
    Grid(grid::Grid),
    Fracture(fracture::Fracture),
    Columns(columns::Columns),
}

/// Whether an effect moves as a whole rather than by its cells or columns.
fn is_one_child(content: EffectName) -> bool {
    !matches!(content, EffectName::GridStagger | EffectName::Fracture | EffectName::ScrollingColumns)
}

impl Visual for Effect {
    fn motion(&self) -> Motion<'_> {
        let s = &self.styles;
        let stagger = s.staggered_motion.as_ref().filter(|_| is_one_child(self.content));
        let motion = Motion::new(s.animation.as_ref(), s.transform.as_deref(), s.opacity);
        Motion { blend: s.mix_blend_mode.as_deref(), stagger, during: false, ..motion }
    }

    fn prepare(&self, base: &Base, _: &Stage, p: &mut Prepare<'_>) -> Option<Body> {
        let size = Size::new(base.width, base.height);
        let s = &self.styles;
        let kind = match self.content {
            EffectName::Matrix => Kind::Matrix(matrix::prepare(s, size, p)),
            EffectName::GridStagger => Kind::Grid(grid::prepare(s, size, p)),
            EffectName::Fracture => Kind::Fracture(fracture::prepare(s, base, p)),
            EffectName::ScrollingColumns => Kind::Columns(columns::prepare(s, size, p)),
            EffectName::Snow
            | EffectName::Confetti
            | EffectName::Rain
            | EffectName::Fireflies
            | EffectName::Sparkles
            | EffectName::Bubbles => Kind::Particles(particles::prepare(self.content, s, base, p)),
        };
        let frame = size.to_rect() + p.offset;
        let frame = if p.snaps { boxes::snapped(frame) } else { frame };
        Some(Box::new(Play { kind, frame, offset: p.offset }))
    }
}

impl Show for Play {
    fn show(&self, frame: u32, placed: Placed, _: &Stage, items: &mut Vec<Item>) {
        let sprites = match &self.kind {
            Kind::Particles(e) => e.sprites(frame),
            Kind::Matrix(e) => e.sprites(frame),
            Kind::Grid(e) => e.sprites(frame),
            Kind::Fracture(e) => e.sprites(frame),
            Kind::Columns(e) => e.sprites(frame),
        };
        items.extend(together(sprites, &placed, self.offset, Some(self.frame)));
    }
}

/// The colours of cells, repeated in turn; the theme's own where none can be read.
fn cell_colors(s: &EffectStyles, p: &mut Prepare<'_>) -> Vec<Color> {
    let fallback = Color::from_rgba8([0x63, 0x66, 0xf1, 255]);
    let mut colors = Vec::new();
    for (i, value) in s.cell_colors.iter().enumerate() {
        let color = p.read(&format!("styles.cellColors[{i}]"), Some(value), Color::parse);
        colors.push(color.unwrap_or(fallback));
    }
    if colors.is_empty() { vec![fallback] } else { colors }
}
