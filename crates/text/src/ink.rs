//! Where glyphs cross a horizontal stripe, so that an underline can leave them room.

use skrifa::instance::{LocationRef, NormalizedCoord, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{FontRef, GlyphId, MetadataProvider};

use crate::font::GlyphRun;

/// Pieces a curve is cut into.
const PIECES: u16 = 12;

impl GlyphRun {
    /// Left and right ends of each glyph's ink between two heights below the run's origin, y down.
    pub fn ink_between(&self, top: f32, bottom: f32) -> Vec<[f32; 2]> {
        let Ok(font) = FontRef::from_index(&self.font.data, self.font.index) else { return Vec::new() };
        let outlines = font.outline_glyphs();
        let coords: Vec<NormalizedCoord> =
            self.coords.iter().map(|c| NormalizedCoord::from_bits(*c)).collect();
        let mut found = Vec::new();
        for glyph in &self.glyphs {
            let Some(outline) = outlines.get(GlyphId::new(glyph.id)) else { continue };
            let mut stripe = Stripe::new(-(bottom - glyph.y), -(top - glyph.y));
            let settings = DrawSettings::unhinted(Size::new(self.size), LocationRef::new(&coords));
            if outline.draw(settings, &mut stripe).is_ok() && stripe.left <= stripe.right {
                found.push([glyph.x + stripe.left, glyph.x + stripe.right]);
            }
        }
        found
    }
}

/// Collects how far an outline reaches between two heights, y up.
struct Stripe {
    low: f32,
    high: f32,
    at: (f32, f32),
    start: (f32, f32),
    left: f32,
    right: f32,
}

impl Stripe {
    fn new(low: f32, high: f32) -> Self {
        let nowhere = (0.0, 0.0);
        Self { low, high, at: nowhere, start: nowhere, left: f32::INFINITY, right: f32::NEG_INFINITY }
    }

    fn line(&mut self, to: (f32, f32)) {
        let from = std::mem::replace(&mut self.at, to);
        let (lower, upper) = if from.1 <= to.1 { (from, to) } else { (to, from) };
        if upper.1 <= self.low || lower.1 >= self.high {
            return;
        }
        let x_at = |y: f32| {
            let rise = upper.1 - lower.1;
            if rise <= f32::EPSILON { lower.0 } else { lower.0 + (y - lower.1) / rise * (upper.0 - lower.0) }
        };
        for x in [x_at(lower.1.max(self.low)), x_at(upper.1.min(self.high))] {
            self.left = self.left.min(x);
            self.right = self.right.max(x);
        }
    }

    fn curve(&mut self, point: impl Fn(f32) -> (f32, f32)) {
        (1..=PIECES).for_each(|i| self.line(point(f32::from(i) / f32::from(PIECES))));
    }
}

impl OutlinePen for Stripe {
    fn move_to(&mut self, x: f32, y: f32) {
        self.at = (x, y);
        self.start = (x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.line((x, y));
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        let (x0, y0) = self.at;
        let mix = |a: f32, b: f32, c: f32, t: f32| {
            let s = 1.0 - t;
            s * s * a + 2.0 * s * t * b + t * t * c
        };
        self.curve(|t| (mix(x0, cx, x, t), mix(y0, cy, y, t)));
    }

    fn curve_to(&mut self, ax: f32, ay: f32, bx: f32, by: f32, x: f32, y: f32) {
        let (x0, y0) = self.at;
        let mix = |p: f32, a: f32, b: f32, q: f32, t: f32| {
            let s = 1.0 - t;
            s * s * s * p + 3.0 * s * s * t * a + 3.0 * s * t * t * b + t * t * t * q
        };
        self.curve(|t| (mix(x0, ax, bx, x, t), mix(y0, ay, by, y, t)));
    }

    fn close(&mut self) {
        self.line(self.start);
    }
}
