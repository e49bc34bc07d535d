//! Identity of contents and frames: a BLAKE3 hash over every number that decides a pixel, the same on every machine. Chunks
//! are shared under such hashes, and texts and media come from strangers, so no two may be made to collide.

use kurbo::{Affine, BezPath, PathEl, Point, Rect, Vec2};
use rondo_css::Color;
use rondo_text::GlyphRun;

use crate::display::*;

/// A collision-resistant hash.
pub type Digest = [u8; 32];

/// Values in a fixed order and byte layout. They are collected first: the hash is slow with a few bytes at a time.
pub(crate) struct Feed(Vec<u8>);

impl Feed {
    pub fn new() -> Self {
        Self(Vec::with_capacity(1024))
    }

    pub fn finish(&self) -> Digest {
        *blake3::hash(&self.0).as_bytes()
    }

    fn digest(&mut self, v: &Digest) {
        self.0.extend_from_slice(v);
    }

    fn u8(&mut self, v: u8) {
        self.0.push(v);
    }

    fn u64(&mut self, v: u64) {
        self.0.extend_from_slice(&v.to_le_bytes());
    }

    pub fn f64(&mut self, v: f64) {
        // Both zeros paint the same.
        self.u64((v + 0.0).to_bits());
    }

    fn f32(&mut self, v: f32) {
        self.f64(f64::from(v));
    }

    fn point(&mut self, p: Point) {
        self.f64(p.x);
        self.f64(p.y);
    }

    fn vec(&mut self, v: Vec2) {
        self.f64(v.x);
        self.f64(v.y);
    }

    pub fn rect(&mut self, r: Rect) {
        for v in [r.x0, r.y0, r.x1, r.y1] {
            self.f64(v);
        }
    }

    fn affine(&mut self, a: Affine) {
        for v in a.as_coeffs() {
            self.f64(v);
        }
    }

    fn color(&mut self, c: Color) {
        for v in [c.r, c.g, c.b, c.a] {
            self.f32(v);
        }
    }

    fn path(&mut self, path: &BezPath) {
        for el in path.elements() {
            let (tag, points): (u8, &[Point]) = match el {
                PathEl::MoveTo(a) => (0, &[*a]),
                PathEl::LineTo(a) => (1, &[*a]),
                PathEl::QuadTo(a, b) => (2, &[*a, *b]),
                PathEl::CurveTo(a, b, c) => (3, &[*a, *b, *c]),
                PathEl::ClosePath => (4, &[]),
            };
            self.u8(tag);
            for p in points {
                self.point(*p);
            }
        }
        self.u8(5);
    }

    fn outline(&mut self, outline: &Outline) {
        match outline {
            Outline::Rect(r) => {
                self.u8(0);
                self.rect(*r);
            }
            Outline::RoundedRect(r, radii) => {
                self.u8(1);
                self.rect(*r);
                for v in radii {
                    self.vec(*v);
                }
            }
            Outline::Path(p, rule) => {
                self.u8(2 + u8::from(*rule == FillRule::EvenOdd));
                self.path(p);
            }
        }
    }

    fn paint(&mut self, paint: &Paint) {
        match paint {
            Paint::Solid(c) => {
                self.u8(0);
                self.color(*c);
            }
            Paint::Gradient(g) => self.gradient(g),
            Paint::Tiles(tiles) => {
                self.u8(4);
                self.rect(tiles.tile);
                self.vec(tiles.step);
                self.gradient(&tiles.gradient);
            }
        }
    }

    fn gradient(&mut self, g: &Gradient) {
        match g.kind {
            GradientKind::Linear { start, end } => {
                self.u8(1);
                self.point(start);
                self.point(end);
            }
            GradientKind::Radial { center, radii } => {
                self.u8(2);
                self.point(center);
                self.vec(radii);
            }
            GradientKind::Conic { center, angle } => {
                self.u8(3);
                self.point(center);
                self.f64(angle);
            }
        }
        self.u8(u8::from(g.repeat));
        self.u64(g.stops.len() as u64);
        for s in &g.stops {
            self.f32(s.offset);
            self.color(s.color);
        }
    }

    fn filters(&mut self, filters: &[Filter]) {
        self.u64(filters.len() as u64);
        for f in filters {
            match f {
                Filter::Blur { sigma } => {
                    self.u8(0);
                    self.f64(*sigma);
                }
                Filter::Matrix(m) => {
                    self.u8(1);
                    for v in m.iter() {
                        self.f32(*v);
                    }
                }
                Filter::DropShadow { offset, sigma, color } => {
                    self.u8(2);
                    self.vec(*offset);
                    self.f64(*sigma);
                    self.color(*color);
                }
            }
        }
    }

    fn glyphs(&mut self, run: &GlyphRun) {
        self.digest(&run.font.digest);
        self.f32(run.size);
        self.u64(run.coords.len() as u64);
        for c in &run.coords {
            self.u64(*c as u64);
        }
        self.u64(run.glyphs.len() as u64);
        for g in &run.glyphs {
            self.u64(u64::from(g.id));
            self.f32(g.x);
            self.f32(g.y);
        }
    }

    pub fn draws(&mut self, draws: &[Draw]) {
        self.u64(draws.len() as u64);
        for d in draws {
            match d {
                Draw::Fill { outline, transform, paint } => {
                    self.u8(0);
                    self.outline(outline);
                    self.affine(*transform);
                    self.paint(paint);
                }
                Draw::Stroke { path, transform, width, paint } => {
                    self.u8(1);
                    self.path(path);
                    self.affine(*transform);
                    self.f64(*width);
                    self.paint(paint);
                }
                Draw::Glyphs { run, origin, paint } => {
                    self.u8(2);
                    self.glyphs(run);
                    self.point(*origin);
                    self.paint(paint);
                }
                Draw::GlyphStroke { run, origin, width, paint } => {
                    self.u8(7);
                    self.glyphs(run);
                    self.point(*origin);
                    self.f64(*width);
                    self.paint(paint);
                }
                Draw::Picture(p) => {
                    self.u8(3);
                    self.digest(&p.picture.source_key);
                    self.u64(p.picture.time_us as u64);
                    self.rect(p.source);
                    self.rect(p.dest);
                    self.u8(u8::from(p.key.is_some()));
                    if let Some(k) = &p.key {
                        self.f32(k.sensitivity);
                        k.threshold.iter().for_each(|v| self.f32(*v));
                        self.u64(u64::from(k.smoothing));
                        self.f32(k.spill);
                        self.u64(k.channel as u64);
                    }
                }
                Draw::BoxShadow { outline, offset, sigma, spread, color, inset } => {
                    self.u8(4 + u8::from(*inset));
                    self.outline(outline);
                    self.vec(*offset);
                    self.f64(*sigma);
                    self.f64(*spread);
                    self.color(*color);
                }
                Draw::Group { draws, filters, clip, opacity } => {
                    self.u8(6);
                    self.draws(draws);
                    self.filters(filters);
                    self.u8(u8::from(clip.is_some()));
                    if let Some(c) = clip {
                        self.outline(c);
                    }
                    self.f32(*opacity);
                }
                Draw::Masked { draws, mask } => {
                    self.u8(8);
                    self.draws(draws);
                    self.draws(mask);
                }
            }
        }
    }

    fn homography(&mut self, h: &crate::Homography) {
        for v in h.0 {
            self.f64(v);
        }
    }

    fn clips(&mut self, clips: &[Clip]) {
        self.u64(clips.len() as u64);
        for c in clips {
            self.outline(&c.outline);
            self.homography(&c.transform);
        }
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Layer(l) => {
                self.u8(0);
                self.digest(&l.content.hash.0);
                self.homography(&l.placement.transform);
                self.u8(u8::from(l.placement.moving));
                self.f32(l.placement.opacity);
                self.clips(&l.placement.clips);
                self.filters(&l.placement.filters);
                self.u8(u8::from(l.placement.backdrop.is_some()));
                if let Some(b) = &l.placement.backdrop {
                    self.outline(&b.outline);
                    self.filters(&b.filters);
                }
            }
            Item::Group(g) => {
                self.u8(1);
                self.u64(g.items.len() as u64);
                for i in &g.items {
                    self.item(i);
                }
                self.f32(g.opacity);
                self.clips(&g.clips);
                self.filters(&g.filters);
                self.u8(g.blend as u8);
            }
        }
    }
}

impl Content {
    /// Draws and the region they may touch, with the identity of the result.
    pub fn new(bounds: Rect, draws: Vec<Draw>) -> Self {
        let bounds = bounds.expand();
        let mut feed = Feed::new();
        feed.rect(bounds);
        feed.draws(&draws);
        Self { hash: ContentHash(feed.finish()), bounds, draws }
    }
}

impl Frame {
    /// Equal hash, equal picture: what a frame looks like without painting it.
    pub fn hash(&self) -> Digest {
        let mut feed = Feed::new();
        feed.u64(u64::from(self.width));
        feed.u64(u64::from(self.height));
        feed.color(self.background);
        for item in &self.items {
            feed.item(item);
        }
        feed.finish()
    }
}

impl Item {
    /// Equal hash, equal contribution to the picture.
    pub fn hash(&self) -> Digest {
        let mut feed = Feed::new();
        feed.item(self);
        feed.finish()
    }
}
