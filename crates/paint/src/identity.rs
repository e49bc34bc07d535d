//! Hashes of placements, clips and filters: equal identity, equal pixels.

use kurbo::{PathEl, Point, Rect};
use rondo_css::Color;
use rondo_scene::Homography;
use rondo_scene::display::{
    Backdrop, ChromaKey, Clip, FillRule, Filter, Item, Outline, PictureDraw, PictureRef,
};
use xxhash_rust::xxh3::Xxh3;

use crate::filter::Grain;

/// Hashes the properties that determine pixels.
#[derive(Clone, Default)]
pub struct Identity(Xxh3);

impl Identity {
    /// `kind` keeps different things with equal parts apart.
    pub fn of(kind: &str) -> Self {
        let mut id = Self::default();
        id.0.update(kind.as_bytes());
        id
    }

    pub fn done(self) -> u128 {
        self.0.digest128()
    }

    pub fn int(&mut self, v: i64) -> &mut Self {
        self.0.update(&v.to_le_bytes());
        self
    }

    pub fn wide(&mut self, v: u128) -> &mut Self {
        self.0.update(&v.to_le_bytes());
        self
    }

    pub fn float(&mut self, v: f64) -> &mut Self {
        self.0.update(&v.to_bits().to_le_bytes());
        self
    }

    pub fn rect(&mut self, r: Rect) -> &mut Self {
        self.float(r.x0).float(r.y0).float(r.x1).float(r.y1)
    }

    pub fn color(&mut self, c: Color) -> &mut Self {
        for v in [c.r, c.g, c.b, c.a] {
            self.float(f64::from(v));
        }
        self
    }

    pub fn homography(&mut self, h: &Homography) -> &mut Self {
        for v in h.0 {
            self.float(v);
        }
        self
    }

    fn point(&mut self, p: Point) -> &mut Self {
        self.float(p.x).float(p.y)
    }

    pub fn outline(&mut self, outline: &Outline) -> &mut Self {
        match outline {
            Outline::Rect(r) => self.int(0).rect(*r),
            Outline::RoundedRect(r, radii) => {
                self.int(1).rect(*r);
                for v in radii {
                    self.point(v.to_point());
                }
                self
            }
            Outline::Path(path, rule) => {
                self.int(if *rule == FillRule::NonZero { 2 } else { 3 }).int(path.elements().len() as i64);
                for el in path.elements() {
                    match *el {
                        PathEl::MoveTo(a) => self.int(0).point(a),
                        PathEl::LineTo(a) => self.int(1).point(a),
                        PathEl::QuadTo(a, b) => self.int(2).point(a).point(b),
                        PathEl::CurveTo(a, b, c) => self.int(3).point(a).point(b).point(c),
                        PathEl::ClosePath => self.int(4),
                    };
                }
                self
            }
        }
    }

    pub fn clips(&mut self, clips: &[Clip]) -> &mut Self {
        self.int(clips.len() as i64);
        for clip in clips {
            self.outline(&clip.outline).homography(&clip.transform);
        }
        self
    }

    pub fn filters(&mut self, filters: &[Filter]) -> &mut Self {
        self.int(filters.len() as i64);
        for filter in filters {
            match filter {
                Filter::Blur { sigma } => self.int(0).float(*sigma),
                Filter::Matrix(m) => {
                    self.int(1);
                    m.iter().fold(&mut *self, |id, v| id.float(f64::from(*v)))
                }
                Filter::DropShadow { offset, sigma, color } => {
                    self.int(2).point(offset.to_point()).float(*sigma).color(*color)
                }
            };
        }
        self
    }

    /// Filters as they come out on pixels of the given grain: blurs too alike to tell apart count as the same.
    pub fn filters_seen(&mut self, filters: &[Filter], grain: &Grain) -> &mut Self {
        for filter in filters {
            match filter {
                Filter::Blur { sigma } => {
                    let (x, y) = grain.settled(*sigma);
                    self.int(-1).float(x).float(y)
                }
                _ => self.filters(std::slice::from_ref(filter)),
            };
        }
        self
    }

    /// `source` numbers differ between worlds; the key does not.
    pub fn picture(&mut self, p: &PictureRef) -> &mut Self {
        self.0.update(&p.source_key);
        self.int(i64::from(p.source)).int(p.time_us)
    }

    pub fn chroma_key(&mut self, key: &ChromaKey) -> &mut Self {
        for v in key.threshold.iter().chain([&key.sensitivity, &key.spill]) {
            self.float(f64::from(*v));
        }
        self.int(i64::from(key.smoothing)).int(key.channel as i64)
    }

    pub fn picture_draw(&mut self, draw: &PictureDraw) -> &mut Self {
        self.picture(&draw.picture).rect(draw.source).rect(draw.dest);
        match &draw.key {
            Some(key) => self.int(1).chroma_key(key),
            None => self.int(0),
        }
    }

    fn backdrop(&mut self, backdrop: &Backdrop) -> &mut Self {
        self.outline(&backdrop.outline).filters(&backdrop.filters)
    }

    pub fn item(&mut self, item: &Item) -> &mut Self {
        match item {
            Item::Layer(layer) => {
                let p = &layer.placement;
                self.int(0).wide(layer.content.hash.short()).homography(&p.transform);
                self.int(i64::from(p.moving)).float(f64::from(p.opacity)).clips(&p.clips).filters(&p.filters);
                match &p.backdrop {
                    Some(backdrop) => self.int(1).backdrop(backdrop),
                    None => self.int(0),
                }
            }
            Item::Group(group) => {
                self.int(1).float(f64::from(group.opacity)).clips(&group.clips).filters(&group.filters);
                self.int(group.blend as i64).int(group.items.len() as i64);
                for item in &group.items {
                    self.item(item);
                }
                self
            }
        }
    }
}
