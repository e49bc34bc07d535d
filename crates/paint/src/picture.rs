//! Pictures prepared for the canvas: scaled down, keyed, and mapped.

use std::sync::Arc;

use kurbo::{Point, Rect};
use rondo_pixels::{Bitmap, BitmapRef, Picture};
use rondo_scene::display::PictureDraw;
use rondo_scene::{Homography, Pictures};

use crate::PaintError;
use crate::cache::{Cache, Kept, Sheet, Stay};
use crate::identity::Identity;
use crate::key;
use crate::rect;
use crate::resample::{halve, halves_evenly, resize};
use crate::warp::{self, Map, Placing, Scratch, Shade, Target};

/// Pixels shared with the cache or with the world.
#[derive(Clone, Debug)]
pub enum Pixels {
    Sheet(Arc<Sheet>),
    Picture(Arc<Picture>),
}

impl Pixels {
    pub fn view(&self) -> BitmapRef<'_> {
        match self {
            Self::Sheet(s) => s.bitmap.view(),
            Self::Picture(p) => p.as_bitmap(),
        }
    }

    fn size(&self) -> (u32, u32) {
        match self {
            Self::Sheet(s) => (s.bitmap.width, s.bitmap.height),
            Self::Picture(p) => (p.width, p.height),
        }
    }

    pub fn opaque(&self) -> bool {
        match self {
            Self::Sheet(s) => s.opaque,
            Self::Picture(p) => p.opaque,
        }
    }
}

/// A picture ready to be placed.
#[derive(Clone, Debug)]
pub struct Prepared {
    pub pixels: Pixels,
    pub region: Rect,
    pub map: Map,
}

impl Prepared {
    pub fn placing(&self) -> Placing<'_> {
        let footprint = match (&self.pixels, self.map) {
            (Pixels::Sheet(sheet), Map::Plane(_)) if !sheet.opaque => Some(sheet.footprint()),
            _ => None,
        };
        let (view, opaque) = (self.pixels.view(), self.pixels.opaque());
        Placing { view, region: self.region, map: self.map, opaque, footprint }
    }
}

/// Makes a picture ready for the way `transform` leads its content space to the canvas; `None` when nothing shows.
pub fn prepare(
    draw: &PictureDraw,
    transform: &Homography,
    moving: bool,
    cache: &mut Cache,
    pictures: &mut dyn Pictures,
) -> Result<Option<Prepared>, PaintError> {
    let stay = if draw.picture.time_us == 0 { Stay::Long } else { Stay::Brief };
    let picture = pictures.picture(&draw.picture)?;
    let bytes = picture.pixels.rgba_len();
    if bytes != picture.width as usize * picture.height as usize * 4 {
        return Err(PaintError::PictureSize { width: picture.width, height: picture.height, bytes });
    }
    let full = Rect::new(0.0, 0.0, f64::from(picture.width), f64::from(picture.height));
    let (mut source, dest) = (draw.source.intersect(full), draw.dest);
    if source.area() <= 0.0 || dest.area() <= 0.0 || !source.is_finite() || !dest.is_finite() {
        return Ok(None);
    }
    let mut id = Identity::of("picture");
    id.picture(&draw.picture);
    let mut pixels = Pixels::Picture(picture);
    if let Some(key) = &draw.key {
        let (w, h) = (side(dest.width()), side(dest.height()));
        id.rect(source).int(w.into()).int(h.into()).chroma_key(key);
        let sheet = kept(cache, id, stay, |_| {
            let mut bitmap = resize(pixels.view(), source, w, h);
            key::apply(&mut bitmap, key);
            sheet_of(bitmap)
        });
        id = Identity::of("keyed");
        id.picture_draw(draw);
        pixels = Pixels::Sheet(sheet);
        source = Rect::new(0.0, 0.0, f64::from(w), f64::from(h));
    }

    if let Some(placed) = upright(transform, dest) {
        let (map, region) = straight(source, placed);
        if matches!(map, Map::Shift { .. }) {
            return Ok(Some(Prepared { pixels, region, map }));
        }
        let scale = [placed.width() / source.width(), placed.height() / source.height()];
        // Only pays for a picture that is shown again.
        let seen_again = !moving && stay == Stay::Long;
        if seen_again && whole(placed) && placed.width() <= 8192.0 && placed.height() <= 8192.0 {
            let (w, h) = (side(placed.width()), side(placed.height()));
            let (reduced, from) = level(pixels, source, scale, id.clone(), stay, cache);
            id.rect(source).int(w.into()).int(h.into());
            let sheet = kept(cache, id, stay, |_| sheet_of(stretched(&reduced, from, w, h)));
            let map = Map::Shift { x: placed.x0.round() as i32, y: placed.y0.round() as i32 };
            let region = Rect::new(0.0, 0.0, f64::from(w), f64::from(h));
            return Ok(Some(Prepared { pixels: Pixels::Sheet(sheet), region, map }));
        }
        let (pixels, region) = level(pixels, source, scale, id, stay, cache);
        let (map, region) = straight(region, placed);
        return Ok(Some(Prepared { pixels, region, map }));
    }

    let spread = |from: Rect| {
        Homography::translate(dest.x0, dest.y0)
            * Homography([
                dest.width() / from.width(),
                0.0,
                0.0,
                0.0,
                dest.height() / from.height(),
                0.0,
                0.0,
                0.0,
                1.0,
            ])
            * Homography::translate(-from.x0, -from.y0)
    };
    let scale = scale_of(&(*transform * spread(source)), source);
    let (pixels, region) = level(pixels, source, scale, id, stay, cache);
    Ok((*transform * spread(region)).inverse().map(|inverse| Prepared {
        pixels,
        region,
        map: Map::Plane(inverse),
    }))
}

/// The map from a region to its upright rectangle on the canvas, and the region, in whole pixels if the map is a shift.
fn straight(region: Rect, placed: Rect) -> (Map, Rect) {
    let same = |placed: f64, region: f64| (placed / region - 1.0).abs() < 1e-6;
    let same = same(placed.width(), region.width()) && same(placed.height(), region.height());
    if same && whole(placed) && whole(region) {
        let shift = |placed: f64, region: f64| (placed - region).round() as i32;
        (Map::Shift { x: shift(placed.x0, region.x0), y: shift(placed.y0, region.y0) }, rounded(region))
    } else {
        (Map::Stretch(placed), region)
    }
}

/// A region as it looks when it is stretched over a canvas of its own.
fn stretched(pixels: &Pixels, region: Rect, width: u32, height: u32) -> Bitmap {
    let mut bitmap = Bitmap::new(width, height);
    let area = bitmap.bounds();
    let whole = Prepared { pixels: pixels.clone(), region, map: Map::Stretch(rect::to_rect(area)) };
    let mut target = Target { bitmap: &mut bitmap, x: 0, y: 0 };
    warp::draw(&mut target, area, &whole.placing(), &Shade::FULL, &mut Scratch::default());
    bitmap
}

fn side(length: f64) -> u32 {
    length.round().clamp(1.0, 16384.0) as u32
}

fn whole(r: Rect) -> bool {
    [r.x0, r.y0, r.x1, r.y1].iter().all(|v| (v - v.round()).abs() < 1e-3)
}

fn rounded(r: Rect) -> Rect {
    Rect::new(r.x0.round(), r.y0.round(), r.x1.round(), r.y1.round())
}

/// Where a rectangle is when the map neither turns, tilts nor mirrors it.
pub fn upright(transform: &Homography, r: Rect) -> Option<Rect> {
    let [a, b, c, d, e, f] = transform.as_affine()?.as_coeffs();
    (b.abs() < 1e-9 && c.abs() < 1e-9 && a > 1e-9 && d > 1e-9)
        .then(|| Rect::new(a * r.x0 + e, d * r.y0 + f, a * r.x1 + e, d * r.y1 + f))
}

/// Largest magnification across and down that a map gives a rectangle, looked at in its corners and centre.
pub fn scale_of(h: &Homography, r: Rect) -> [f64; 2] {
    let m = &h.0;
    let mut scale = [0.0f64; 2];
    for p in [(r.x0, r.y0), (r.x1, r.y0), (r.x1, r.y1), (r.x0, r.y1), (r.center().x, r.center().y)] {
        let p = Point::from(p);
        let w = m[6] * p.x + m[7] * p.y + m[8];
        let Some(q) = h.apply(p) else { continue };
        scale[0] = scale[0].max(libm::hypot((m[0] - q.x * m[6]) / w, (m[3] - q.y * m[6]) / w));
        scale[1] = scale[1].max(libm::hypot((m[1] - q.x * m[7]) / w, (m[4] - q.y * m[7]) / w));
    }
    scale
}

/// The next half power of two at or above a scale.
pub fn bucket(scale: f64) -> f64 {
    if (scale - 1.0).abs() < 1e-3 { 1.0 } else { libm::exp2((2.0 * libm::log2(scale) - 1e-6).ceil() / 2.0) }
}

/// The picture halved as often as `scale` allows in both directions, as Chromium does before it samples bilinearly. Of a
/// video that is cropped only what is seen.
fn level(
    pixels: Pixels,
    source: Rect,
    scale: [f64; 2],
    mut id: Identity,
    stay: Stay,
    cache: &mut Cache,
) -> (Pixels, Rect) {
    let (width, height) = pixels.size();
    let halvings = |length: u32, scale: f64| {
        let target = (f64::from(length) * scale.clamp(1e-4, 1.0)).round().max(1.0);
        libm::log2(f64::from(length) / target).floor() as u32
    };
    let halvings = halvings(width, scale[0]).min(halvings(height, scale[1]));
    if halvings == 0 {
        return match &pixels {
            Pixels::Picture(picture) if stay == Stay::Brief => cropped(picture, source, id, cache),
            _ => (pixels, source),
        };
    }
    let (w, h) = ((width >> halvings).max(1), (height >> halvings).max(1));
    let (kx, ky) = (f64::from(w) / f64::from(width), f64::from(h) / f64::from(height));
    id.int(-1).int(w.into()).int(h.into());
    let sheet = kept(cache, id, stay, |cache| match &pixels {
        Pixels::Picture(picture) if halves_evenly((width, height), halvings) => {
            let mut bitmap = cache.canvas(w, h);
            halve(picture, halvings, &mut bitmap);
            if picture.opaque { Sheet::new(bitmap, 0, 0, true) } else { sheet_of(bitmap) }
        }
        _ => {
            let full = Rect::new(0.0, 0.0, f64::from(width), f64::from(height));
            sheet_of(resize(pixels.view(), full, w, h))
        }
    });
    let region = Rect::new(source.x0 * kx, source.y0 * ky, source.x1 * kx, source.y1 * ky);
    (Pixels::Sheet(sheet), region)
}

/// The largest share of a picture for which cropping it pays.
const SMALL_PART: f64 = 0.75;

/// Crops a picture to a region if that saves enough.
fn cropped(picture: &Arc<Picture>, region: Rect, mut id: Identity, cache: &mut Cache) -> (Pixels, Rect) {
    // Sampling stays between the centres of the outermost pixels, but its neighbours may be a pixel further.
    let [x0, y0] = [region.x0, region.y0].map(|v| (v - 1.0).floor().max(0.0));
    let (x1, y1) = ((region.x1 + 1.0).ceil(), (region.y1 + 1.0).ceil());
    let (x1, y1) = (x1.min(f64::from(picture.width)), y1.min(f64::from(picture.height)));
    let part = Rect::new(x0, y0, x1, y1);
    if part.area() > SMALL_PART * f64::from(picture.width) * f64::from(picture.height) {
        return (Pixels::Picture(picture.clone()), region);
    }
    let (columns, rows) = (x0 as usize..x1 as usize, y0 as usize..y1 as usize);
    id.int(-2).rect(part);
    let sheet = kept(cache, id, Stay::Brief, |cache| {
        let mut bitmap = cache.canvas(columns.len() as u32, rows.len() as u32);
        picture.copy_part(columns, rows, &mut bitmap.pixels);
        Sheet::new(bitmap, 0, 0, picture.opaque)
    });
    (Pixels::Sheet(sheet), region - part.origin().to_vec2())
}

fn kept(cache: &mut Cache, id: Identity, stay: Stay, make: impl FnOnce(&mut Cache) -> Sheet) -> Arc<Sheet> {
    let key = id.done();
    if let Some(Kept::Sheet(sheet)) = cache.get(key) {
        return sheet;
    }
    let sheet = Arc::new(make(cache));
    cache.put(key, Kept::Sheet(sheet.clone()), stay);
    sheet
}

pub fn sheet_of(bitmap: Bitmap) -> Sheet {
    sheet_at(0, 0, bitmap)
}

/// A sheet whose first pixel is at (x, y) of its own space.
pub fn sheet_at(x: i32, y: i32, bitmap: Bitmap) -> Sheet {
    let opaque = bitmap.is_opaque();
    Sheet::new(bitmap, x, y, opaque)
}
