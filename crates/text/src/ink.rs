//! Where the ink of glyphs is: in a horizontal stripe, so that an underline can leave it room, and beyond a box that cuts it off.

use skrifa::instance::{LocationRef, NormalizedCoord, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{FontRef, GlyphId, MetadataProvider};

use crate::font::{Glyph, GlyphRun};
use crate::layout::TextLayout;

/// Pieces a curve is cut into.
const PIECES: u16 = 12;

/// Ink reaches at most so many ems beside its line, above its baseline and below it, in nearly every face.
const REACH: [f32; 3] = [1.0, 1.6, 0.9];
/// Glyphs at each end of a line that may reach out of it: a letter and its mark.
const ENDS: usize = 2;

impl TextLayout {
    /// How far the ink reaches beyond a box around the layout's origin: left, top, right and bottom, each 0 or more.
    pub fn ink_beyond(&self, [left, top, right, bottom]: [f32; 4]) -> [f32; 4] {
        let mut beyond = [0.0_f32; 4];
        let [beside, above, below] = REACH.map(|ems| ems * self.size);
        for line in &self.lines {
            // Most lines are too far from the edges to be looked at closely; beside a line, only its ends reach out.
            let is_high = line.baseline - above < top || line.baseline + below > bottom;
            let is_wide = line.left - beside < left || line.left + line.width + beside > right;
            if !is_high && !is_wide {
                continue;
            }
            let last = line.runs.len().saturating_sub(1);
            for (number, run) in line.runs.iter().enumerate() {
                let (all, count) = (&run.glyphs.glyphs, run.glyphs.glyphs.len());
                let is_near = |at: usize| {
                    is_high || is_wide && (number == 0 && at < ENDS || number == last && at + ENDS >= count)
                };
                let near = all.iter().enumerate().filter(|(at, _)| is_near(*at)).map(|(_, glyph)| glyph);
                let Some([x0, y0, x1, y1]) = run.glyphs.ink_bounds(near) else { continue };
                let over = [
                    left - (run.x + x0),
                    top - (line.baseline + y0),
                    run.x + x1 - right,
                    line.baseline + y1 - bottom,
                ];
                beyond = std::array::from_fn(|side| beyond[side].max(over[side]));
            }
        }
        beyond
    }
}

impl GlyphRun {
    /// Left, top, right and bottom of the ink of some glyphs from the run's origin, y down. `None` without outlines.
    fn ink_bounds<'a>(&self, glyphs: impl Iterator<Item = &'a Glyph>) -> Option<[f32; 4]> {
        let mut all: Option<[f32; 4]> = None;
        self.draw_outlines(
            glyphs,
            |_| Stripe::new(f32::NEG_INFINITY, f32::INFINITY),
            |glyph, ink| {
                let own = [glyph.x + ink.left, glyph.y - ink.top, glyph.x + ink.right, glyph.y - ink.bottom];
                all = Some(all.map_or(own, |all| {
                    [all[0].min(own[0]), all[1].min(own[1]), all[2].max(own[2]), all[3].max(own[3])]
                }));
            },
        );
        all
    }

    /// What the outline of each of the glyphs leaves in a stripe of its own, if it leaves something.
    fn draw_outlines<'a>(
        &self,
        glyphs: impl Iterator<Item = &'a Glyph>,
        stripe: impl Fn(&Glyph) -> Stripe,
        mut found: impl FnMut(&Glyph, &Stripe),
    ) {
        let Ok(font) = FontRef::from_index(&self.font.data, self.font.index) else { return };
        let outlines = font.outline_glyphs();
        let coords: Vec<NormalizedCoord> =
            self.coords.iter().map(|c| NormalizedCoord::from_bits(*c)).collect();
        for glyph in glyphs {
            let Some(outline) = outlines.get(GlyphId::new(glyph.id)) else { continue };
            let mut stripe = stripe(glyph);
            let settings = DrawSettings::unhinted(Size::new(self.size), LocationRef::new(&coords));
            if outline.draw(settings, &mut stripe).is_ok() && stripe.left <= stripe.right {
                found(glyph, &stripe);
            }
        }
    }

    /// Left and right ends of each glyph's ink between two heights below the run's origin, y down.
    pub fn ink_between(&self, top: f32, bottom: f32) -> Vec<[f32; 2]> {
        let mut found = Vec::new();
        let stripe = |glyph: &Glyph| Stripe::new(-(bottom - glyph.y), -(top - glyph.y));
        let push = |glyph: &Glyph, ink: &Stripe| found.push([glyph.x + ink.left, glyph.x + ink.right]);
        self.draw_outlines(self.glyphs.iter(), stripe, push);
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
    bottom: f32,
    top: f32,
}

impl Stripe {
    fn new(low: f32, high: f32) -> Self {
        let nowhere = (0.0, 0.0);
        let (left, bottom) = (f32::INFINITY, f32::INFINITY);
        let (right, top) = (f32::NEG_INFINITY, f32::NEG_INFINITY);
        Self { low, high, at: nowhere, start: nowhere, left, right, bottom, top }
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
        for y in [lower.1.max(self.low), upper.1.min(self.high)] {
            let x = x_at(y);
            self.left = self.left.min(x);
            self.right = self.right.max(x);
            self.bottom = self.bottom.min(y);
            self.top = self.top.max(y);
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
