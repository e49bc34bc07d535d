//! Random numbers of one particle: a sequence that depends on the effect, the particle and its life alone.

use crate::motion::random;

/// The random sequence of one life of one particle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dice(u32);

impl Dice {
    /// The common seed of an effect's particles.
    pub fn seed(name: &str) -> u32 {
        (random::from_text(name) * 4_294_967_296.0) as u32
    }

    pub fn new(seed: u32, particle: u32, life: i64) -> Self {
        let mixed = seed
            .wrapping_add(particle.wrapping_mul(0x9e37_79b9))
            .wrapping_add((life as u32).wrapping_mul(0x7feb_352d));
        // Neighbouring particles need unrelated sequences.
        let mixed = (mixed ^ (mixed >> 16)).wrapping_mul(0x85eb_ca6b);
        let mixed = (mixed ^ (mixed >> 13)).wrapping_mul(0xc2b2_ae35);
        Self(mixed ^ (mixed >> 16))
    }

    /// A number in 0..1.
    pub fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x6d2b_79f5);
        let mut t = self.0;
        t = (t ^ (t >> 15)).wrapping_mul(t | 1);
        t ^= t.wrapping_add((t ^ (t >> 7)).wrapping_mul(t | 61));
        f64::from(t ^ (t >> 14)) / 4_294_967_296.0
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// `middle`, give or take `spread`.
    pub fn about(&mut self, middle: f64, spread: f64) -> f64 {
        self.between(middle - spread, middle + spread)
    }

    /// One of `n`.
    pub fn of(&mut self, n: usize) -> usize {
        ((self.unit() * n as f64) as usize).min(n.saturating_sub(1))
    }
}
