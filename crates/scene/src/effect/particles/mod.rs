//! Particles: each position is a function of time alone, so frames can be requested in any order.

mod laws;
mod looks;

use std::sync::Arc;

use kurbo::{Affine, Size};
use rondo_composition::{Base, EffectName, EffectStyles};
use rondo_css::{Color, rotation};

use super::TICKS;
use super::dice::Dice;
use crate::display::Content;
use crate::prepare::Prepare;
use crate::sprite::Sprite;

/// Box height that built-in pixel lengths refer to; they scale with the box.
const NOMINAL_HEIGHT: f64 = 1080.0;
/// Sizes up to this are factors, larger ones pixels.
const LARGEST_FACTOR: f64 = 10.0;

/// One kind of particle.
struct Species {
    content: EffectName,
    /// Particles at once.
    count: u32,
    /// Diameter of the typical particle in vmin.
    size: f64,
    look: fn(&Palette) -> Vec<Content>,
    law: fn(&Field, u32, f64) -> Option<Flight>,
}

#[rustfmt::skip]
const SPECIES: [Species; 6] = [
    Species { content: EffectName::Snow, count: 200, size: 2.0, look: looks::snow, law: laws::snow },
    Species { content: EffectName::Confetti, count: 110, size: 3.0, look: looks::confetti, law: laws::confetti },
    Species { content: EffectName::Rain, count: 300, size: 2.2, look: looks::rain, law: laws::rain },
    Species { content: EffectName::Fireflies, count: 20, size: 1.0, look: looks::fireflies, law: laws::fireflies },
    Species { content: EffectName::Sparkles, count: 60, size: 3.0, look: looks::sparkles, law: laws::sparkles },
    Species { content: EffectName::Bubbles, count: 40, size: 4.0, look: looks::bubbles, law: laws::bubbles },
];

/// What sprites are painted with.
struct Palette {
    /// The author's colour.
    color: Option<Color>,
    /// One hundredth of the box's shorter side times the author's size.
    unit: f64,
}

/// Input of the motion functions.
struct Field {
    size: Size,
    /// One hundredth of the box's shorter side.
    vmin: f64,
    /// Pixels for each built-in pixel.
    px: f64,
    /// `vmin` times the author's size.
    unit: f64,
    seed: u32,
    count: u32,
    /// Number of sprites.
    looks: usize,
}

/// A particle at one moment, in box coordinates.
#[derive(Clone, Copy, Debug)]
struct Flight {
    look: usize,
    x: f64,
    y: f64,
    /// Degrees.
    angle: f64,
    scale: (f64, f64),
    opacity: f64,
}

impl Field {
    fn dice(&self, particle: u32, life: i64) -> Dice {
        Dice::new(self.seed, particle, life)
    }

    /// Births spread evenly over a lifespan: the number of the particle's current life and its age in it.
    fn life(&self, particle: u32, tick: f64, span: f64) -> (i64, f64) {
        let clock = tick + span * (1.0 - f64::from(particle) / f64::from(self.count.max(1)));
        ((clock / span).floor() as i64, clock.rem_euclid(span))
    }
}

pub(super) struct Particles {
    species: &'static Species,
    field: Field,
    sprites: Vec<Arc<Content>>,
    ticks_per_frame: f64,
}

pub(super) fn prepare(content: EffectName, s: &EffectStyles, base: &Base, p: &mut Prepare<'_>) -> Particles {
    let species = SPECIES.iter().find(|row| row.content == content).unwrap_or(&SPECIES[0]);
    let size = Size::new(base.width, base.height);
    let vmin = size.min_side() / 100.0;
    let factor = match s.size {
        Some(factor) if factor <= LARGEST_FACTOR => factor,
        Some(pixels) => pixels / (species.size * vmin).max(1e-6),
        None => 1.0,
    };
    let color = p.read("styles.color", s.color.as_deref(), Color::parse);
    let unit = vmin * factor;
    let sprites: Vec<Arc<Content>> = if unit > 0.0 {
        (species.look)(&Palette { color, unit }).into_iter().map(Arc::new).collect()
    } else {
        Vec::new()
    };
    let field = Field {
        size,
        vmin,
        px: size.height / NOMINAL_HEIGHT,
        unit,
        seed: Dice::seed(&format!("{}-{}", base.id, content.name())),
        count: s.particle_count.unwrap_or(species.count),
        looks: sprites.len(),
    };
    Particles { species, field, sprites, ticks_per_frame: TICKS / p.fps * s.speed }
}

impl Particles {
    pub fn sprites(&self, frame: u32) -> Vec<Sprite> {
        let tick = f64::from(frame) * self.ticks_per_frame;
        (0..self.field.count)
            .filter_map(|particle| {
                let flight = (self.species.law)(&self.field, particle, tick)?;
                let content = self.sprites.get(flight.look)?;
                let mut at = Affine::translate((flight.x, flight.y));
                if flight.angle != 0.0 {
                    at *= rotation(flight.angle.to_radians());
                }
                at *= Affine::scale_non_uniform(flight.scale.0, flight.scale.1);
                let seen = at.transform_rect_bbox(content.bounds).overlaps(self.field.size.to_rect());
                (seen && flight.opacity > 0.0)
                    .then(|| Sprite::moving(content.clone(), at).faded(flight.opacity))
            })
            .collect()
    }
}
