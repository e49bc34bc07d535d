//! Items made ready to composite: rasters fetched or made, clips turned into scissors and masks.

use std::sync::Arc;

use kurbo::{Affine, Rect};
use rondo_pixels::{Bitmap, IRect, Picture};
use rondo_scene::display::{BlendMode, Clip, Content, Draw, Filter, Item, Layer, Paint};
use rondo_scene::{Homography, Pictures};

use crate::PaintError;
use crate::cache::{Cache, Kept, Sheet, Stay};
use crate::clip::{Cut, Stencil, cut, map_path, outline_path, outline_rule};
use crate::dirty::{backdrop_bounds, finite, group_reach, item_bounds};
use crate::filter::{self, Edge, Grain};
use crate::gradient;
use crate::identity::Identity;
use crate::picture::{self, Pixels, Prepared, bucket, scale_of, upright};
use crate::raster::{Rasterizer, Supplies, bounds_through, changes_with_time};
use crate::rect;
use crate::warp::Map;

/// An item ready to composite.
pub enum Ready {
    Nothing,
    Layer(Placed),
    Group(Cluster),
}

pub struct Placed {
    /// Where it may draw, on the canvas.
    pub area: IRect,
    /// `None` when only the backdrop shows.
    pub picture: Option<Prepared>,
    pub opacity: u8,
    pub masks: Vec<Arc<Stencil>>,
    pub backdrop: Option<Behind>,
}

/// A backdrop filter.
pub struct Behind {
    pub bounds: IRect,
    /// Coverage of the outline, `None` when it is the bounds themselves.
    pub outline: Option<Arc<Stencil>>,
    pub filters: Vec<Filter>,
    pub grain: Grain,
}

pub struct Cluster {
    pub items: Vec<Ready>,
    pub area: IRect,
    /// What must be composited before filtering; wider than `area` by the filters' reach.
    pub room: IRect,
    pub opacity: u8,
    pub masks: Vec<Arc<Stencil>>,
    pub filters: Vec<Filter>,
    pub blend: BlendMode,
}

impl Ready {
    /// Whether nothing beneath can be seen inside `rect`.
    pub fn covers(&self, rect: &IRect) -> bool {
        self.hides().contains(rect)
    }

    /// Where nothing beneath can be seen.
    pub fn hides(&self) -> IRect {
        let Self::Layer(placed) = self else { return IRect::EMPTY };
        let Some(picture) = &placed.picture else { return IRect::EMPTY };
        if placed.opacity != 255 || placed.backdrop.is_some() || !picture.pixels.opaque() {
            return IRect::EMPTY;
        }
        let extent = match picture.map {
            Map::Shift { x, y } => picture.region + kurbo::Vec2::new(f64::from(x), f64::from(y)),
            Map::Stretch(dest) => dest,
            Map::Plane(_) => return IRect::EMPTY,
        };
        placed.masks.iter().fold(placed.area.intersect(&rect::inside(extent)), |hidden, mask| {
            hidden.intersect(&mask.clear_rectangle())
        })
    }
}

impl Ready {
    /// The picture that is on the canvas pixel by pixel, from edge to edge, with nothing done to it.
    pub fn picture_filling(&self, canvas: IRect) -> Option<&Picture> {
        let Self::Layer(Placed { picture: Some(prepared), .. }) = self else { return None };
        let Pixels::Picture(picture) = &prepared.pixels else { return None };
        let fills = prepared.map == Map::Shift { x: 0, y: 0 }
            && IRect::of_size(picture.width, picture.height) == canvas;
        (fills && self.covers(&canvas)).then_some(picture)
    }
}

/// Everything needed to make items ready.
pub struct Placer<'a> {
    pub canvas: IRect,
    pub rasterizer: &'a mut Rasterizer,
    pub sheets: &'a mut Cache,
    pub masks: &'a mut Cache,
    pub pictures: &'a mut dyn Pictures,
}

fn byte(opacity: f32) -> u8 {
    if opacity.is_nan() { 0 } else { (opacity.clamp(0.0, 1.0) * 255.0).round() as u8 }
}

impl Placer<'_> {
    /// Whether an item shows a picture that is not available.
    pub fn waits(&self, item: &Item) -> bool {
        match item {
            Item::Layer(layer) => self.lacks_pictures(&layer.content.draws),
            Item::Group(group) => group.items.iter().any(|item| self.waits(item)),
        }
    }

    fn lacks_pictures(&self, draws: &[Draw]) -> bool {
        draws.iter().any(|draw| match draw {
            Draw::Picture(draw) => !self.pictures.at_hand(&draw.picture),
            Draw::Group { draws, .. } | Draw::Masked { draws, .. } => self.lacks_pictures(draws),
            _ => false,
        })
    }

    pub fn ready(&mut self, item: &Item) -> Result<Ready, PaintError> {
        self.ready_within(item, self.canvas)
    }

    fn ready_within(&mut self, item: &Item, canvas: IRect) -> Result<Ready, PaintError> {
        self.rasterizer.check()?;
        match item {
            Item::Layer(layer) => self.layer(layer, item, canvas),
            Item::Group(group) => {
                let opacity = byte(group.opacity);
                let area = item_bounds(item, canvas, &mut Vec::new());
                if opacity == 0 || area.is_empty() {
                    return Ok(Ready::Nothing);
                }
                let reach = group_reach(&group.filters);
                let outer = canvas.grow(reach);
                let inner = group
                    .items
                    .iter()
                    .fold(IRect::EMPTY, |b, i| b.union(&item_bounds(i, outer, &mut Vec::new())));
                let room = inner.grow(reach).intersect(&outer.grow(reach));
                let items =
                    group.items.iter().map(|i| self.ready_within(i, outer)).collect::<Result<_, _>>()?;
                let (area, masks) = self.clips(&group.clips, area);
                Ok(Ready::Group(Cluster {
                    items,
                    area,
                    room,
                    opacity,
                    masks,
                    filters: group.filters.clone(),
                    blend: group.blend,
                }))
            }
        }
    }

    fn layer(&mut self, layer: &Layer, item: &Item, canvas: IRect) -> Result<Ready, PaintError> {
        let placement = &layer.placement;
        let opacity = byte(placement.opacity);
        let area = item_bounds(item, canvas, &mut Vec::new());
        if opacity == 0 || area.is_empty() || !finite(&placement.transform) {
            return Ok(Ready::Nothing);
        }
        let (area, masks) = self.clips(&placement.clips, area);
        if area.is_empty() {
            return Ok(Ready::Nothing);
        }
        let picture = self.picture(layer, canvas)?;
        let backdrop = self.backdrop(layer, canvas);
        if picture.is_none() && backdrop.is_none() {
            return Ok(Ready::Nothing);
        }
        Ok(Ready::Layer(Placed { area, picture, opacity, masks, backdrop }))
    }

    fn picture(&mut self, layer: &Layer, canvas: IRect) -> Result<Option<Prepared>, PaintError> {
        let (content, placement) = (&layer.content, &layer.placement);
        let filters: &[Filter] = if filter::idle(&placement.filters) { &[] } else { &placement.filters };
        let flat = placement.transform.as_affine().is_some();
        if let ([Draw::Picture(draw)], [], true) = (content.draws.as_slice(), filters, flat) {
            return picture::prepare(
                draw,
                &placement.transform,
                placement.moving,
                self.sheets,
                self.pictures,
            );
        }
        if content.draws.is_empty() || content.bounds.area() <= 0.0 {
            return Ok(None);
        }
        match placement.transform.as_affine() {
            Some(affine) if !placement.moving => self.still(content, affine, filters, canvas),
            _ => self.moving(content, &placement.transform, filters, canvas),
        }
    }

    /// Rasterised through the transform itself; only whole pixels of translation are left to placing.
    fn still(
        &mut self,
        content: &Content,
        affine: Affine,
        filters: &[Filter],
        canvas: IRect,
    ) -> Result<Option<Prepared>, PaintError> {
        let c = affine.as_coeffs();
        let fine = |v: f64| (v * 16_777_216.0).round() / 16_777_216.0;
        let (ex, ey) = ((c[4] * 256.0).round() / 256.0, (c[5] * 256.0).round() / 256.0);
        if ex.abs() > 1e8 || ey.abs() > 1e8 {
            return Ok(None);
        }
        let (x, y) = (ex.floor(), ey.floor());
        let raster = Affine::new([fine(c[0]), fine(c[1]), fine(c[2]), fine(c[3]), ex - x, ey - y]);
        let (x, y) = (x as i32, y as i32);
        let reach = filter::reach(filters, &Grain::new(raster));
        let seen = canvas.shift(-x, -y).grow(reach);
        let region = bounds_through(raster, content.bounds).intersect(&seen);
        let Some(sheet) = self.sheet(content, raster, region, filters)? else { return Ok(None) };
        let map = Map::Shift { x: x + sheet.x, y: y + sheet.y };
        Ok(Some(Prepared { region: extent(&sheet), pixels: Pixels::Sheet(sheet), map }))
    }

    /// Rasterised at a bucketed scale and resampled into place.
    fn moving(
        &mut self,
        content: &Content,
        transform: &Homography,
        filters: &[Filter],
        canvas: IRect,
    ) -> Result<Option<Prepared>, PaintError> {
        let most = (canvas.area() * 4).max(1 << 22);
        let scale = scale_of(transform, content.bounds);
        if scale.iter().any(|s| !s.is_finite() || *s <= 0.0) {
            return Ok(None);
        }
        let mut scale = if transform.as_affine().is_some() {
            scale.map(|s| bucket(s.clamp(1.0 / 32.0, 16.0)))
        } else {
            // Chromium draws a layer at a whole scale before it turns it in space.
            scale.map(|s| s.round().clamp(1.0, 16.0))
        };
        // A wide blur removes detail, so a smaller raster suffices.
        let soft = filter::softness(filters).max(softness(&content.draws)) * scale[0].min(scale[1]);
        let smaller = libm::exp2(f64::from(filter::reduction(soft)));
        scale = scale.map(|s| s / smaller);
        let (raster, mut region) = loop {
            let raster = Affine::scale_non_uniform(scale[0], scale[1]);
            let region = bounds_through(raster, content.bounds);
            let region = if region.area() > most {
                self.seen(&raster, transform, region, filters, canvas)
            } else {
                region
            };
            if region.area() <= most * 2 && region.width() <= 16384 && region.height() <= 16384 {
                break (raster, region);
            }
            scale = scale.map(|s| s / 2.0);
        };
        region = region.intersect(&bounds_through(raster, content.bounds));
        let Some(sheet) = self.sheet(content, raster, region, filters)? else { return Ok(None) };
        let place = *transform
            * Homography::from(raster.inverse())
            * Homography::translate(f64::from(sheet.x), f64::from(sheet.y));
        let region = extent(&sheet);
        let map = match upright(&place, region) {
            Some(dest) => {
                let whole = |v: f64| (v - v.round()).abs() < 1.0 / 512.0;
                let unit = (dest.width() - region.width()).abs() < 1e-6
                    && (dest.height() - region.height()).abs() < 1e-6;
                if unit && whole(dest.x0) && whole(dest.y0) {
                    Map::Shift { x: dest.x0.round() as i32, y: dest.y0.round() as i32 }
                } else {
                    Map::Stretch(dest)
                }
            }
            None => match place.inverse() {
                Some(inverse) => Map::Plane(inverse),
                None => return Ok(None),
            },
        };
        Ok(Some(Prepared { region, pixels: Pixels::Sheet(sheet), map }))
    }

    /// The part of a raster that can reach the canvas, in coarse steps so that motion seldom changes it.
    fn seen(
        &self,
        raster: &Affine,
        transform: &Homography,
        region: IRect,
        filters: &[Filter],
        canvas: IRect,
    ) -> IRect {
        const STEP: i32 = 512;
        let place = *transform * Homography::from(raster.inverse());
        let Some(back) = place.inverse().and_then(|i| i.map_rect(rect::to_rect(canvas))) else {
            return region;
        };
        let seen = filter::room(rect::around(back).grow(2), filters, &Grain::new(*raster)).intersect(&region);
        let down = |v: i32| v.div_euclid(STEP) * STEP;
        let up = |v: i32| (v + STEP - 1).div_euclid(STEP) * STEP;
        IRect::new(down(seen.x0), down(seen.y0), up(seen.x1), up(seen.y1)).intersect(&region)
    }

    /// The raster of a content, filtered; `None` when it is empty.
    fn sheet(
        &mut self,
        content: &Content,
        raster: Affine,
        region: IRect,
        filters: &[Filter],
    ) -> Result<Option<Arc<Sheet>>, PaintError> {
        let region = inked(&content.draws, raster).map_or(region, |ink| region.intersect(&ink));
        if region.is_empty() || region.width() > 65_000 || region.height() > 65_000 {
            return Ok(None);
        }
        let mut id = Identity::of("layer");
        id.wide(content.hash.short());
        for v in raster.as_coeffs() {
            id.float(v);
        }
        for v in [region.x0, region.y0, region.x1, region.y1] {
            id.int(v.into());
        }
        let key = id.done();
        let plain = match self.sheets.get(key) {
            Some(Kept::Sheet(sheet)) => sheet,
            _ => {
                let mut supplies = Supplies { cache: self.sheets, pictures: self.pictures };
                let bitmap = self.rasterizer.draw(&content.draws, raster, region, &mut supplies)?;
                let sheet = Arc::new(trimmed(bitmap, region));
                let stay = if changes_with_time(&content.draws) { Stay::Brief } else { Stay::Long };
                self.sheets.put(key, Kept::Sheet(sheet.clone()), stay);
                sheet
            }
        };
        if plain.bitmap.width == 0 {
            return Ok(None);
        }
        if filters.is_empty() {
            return Ok(Some(plain));
        }
        let grain = Grain::new(raster);
        let mut id = Identity::of("filtered");
        id.wide(key).filters_seen(filters, &grain);
        let key = id.done();
        if let Some(Kept::Sheet(sheet)) = self.sheets.get(key) {
            return Ok(Some(sheet));
        }
        let reach = filter::reach(filters, &grain);
        let bitmap = match (filters, self.rasterizer.ink(&content.draws)) {
            ([Filter::Blur { sigma }], Some(color)) => {
                filter::blurred_ink(&plain.bitmap, color, grain.settled(*sigma), reach)
            }
            _ => {
                let mut bitmap = filter::padded(&plain.bitmap, reach);
                filter::apply(filters, &mut bitmap, &grain, Edge::Transparent, &self.rasterizer.stop);
                self.rasterizer.check()?;
                bitmap
            }
        };
        let region = bitmap.bounds().shift(plain.x - reach, plain.y - reach);
        let sheet = Arc::new(trimmed(bitmap, region));
        self.sheets.put(key, Kept::Sheet(sheet.clone()), Stay::Brief);
        Ok((sheet.bitmap.width > 0).then_some(sheet))
    }

    fn clips(&mut self, clips: &[Clip], mut area: IRect) -> (IRect, Vec<Arc<Stencil>>) {
        let mut masks = Vec::new();
        for clip in clips {
            match cut(clip) {
                Cut::Scissor(r) => area = area.intersect(&r),
                Cut::Nothing => area = IRect::EMPTY,
                Cut::Path { path, rule, bounds } => {
                    // Cut to the canvas, not to the area, so that one mask serves every layer.
                    let bounds = rect::around(bounds).intersect(&self.canvas.grow(256));
                    area = area.intersect(&bounds);
                    if !area.is_empty() {
                        let mut id = Identity::of("clip");
                        id.clips(std::slice::from_ref(clip));
                        masks.push(self.mask(id, &path, rule, bounds));
                    }
                }
            }
        }
        (area, masks)
    }

    fn mask(
        &mut self,
        id: Identity,
        path: &kurbo::BezPath,
        rule: rondo_scene::display::FillRule,
        bounds: IRect,
    ) -> Arc<Stencil> {
        let key = id.done();
        if let Some(Kept::Stencil(mask)) = self.masks.get(key) {
            return mask;
        }
        let mask = Arc::new(Stencil::new(self.rasterizer.mask(path, rule, Affine::IDENTITY, bounds)));
        self.masks.put(key, Kept::Stencil(mask.clone()), Stay::Long);
        mask
    }

    fn backdrop(&mut self, layer: &Layer, canvas: IRect) -> Option<Behind> {
        let backdrop = layer.placement.backdrop.as_ref()?;
        let bounds = backdrop_bounds(layer, canvas);
        if bounds.is_empty() || filter::idle(&backdrop.filters) {
            return None;
        }
        let transform = layer.placement.transform;
        let clip = Clip { outline: backdrop.outline.clone(), transform };
        let outline = match cut(&clip) {
            Cut::Scissor(_) => None,
            _ => {
                let mut id = Identity::of("backdrop");
                id.clips(std::slice::from_ref(&clip));
                for v in [bounds.x0, bounds.y0, bounds.x1, bounds.y1] {
                    id.int(v.into());
                }
                let path = map_path(&outline_path(&backdrop.outline), &transform);
                Some(self.mask(id, &path, outline_rule(&backdrop.outline), bounds))
            }
        };
        let [sx, sy] = scale_of(&transform, layer.content.bounds);
        let even = Affine::scale((sx * sy).sqrt().clamp(0.0, 100.0));
        Some(Behind { bounds, outline, filters: backdrop.filters.clone(), grain: Grain::new(even) })
    }
}

/// How wide, in content pixels, everything that is drawn is blurred.
fn softness(draws: &[Draw]) -> f64 {
    let of = |draw: &Draw| match draw {
        Draw::Group { draws, filters, clip: None, .. } => filter::softness(filters).max(softness(draws)),
        _ => 0.0,
    };
    draws.iter().map(of).reduce(f64::min).unwrap_or(0.0)
}

/// The part of raster space that draws have colour in, and a pixel around it; `None` when that may be all of it.
fn inked(draws: &[Draw], raster: Affine) -> Option<IRect> {
    draws.iter().try_fold(IRect::EMPTY, |ink, draw| match draw {
        Draw::Fill { paint: Paint::Gradient(gradient), .. } => {
            Some(ink.union(&bounds_through(raster, gradient::inked(gradient)?).grow(1)))
        }
        _ => None,
    })
}

fn extent(sheet: &Sheet) -> Rect {
    rect::to_rect(sheet.bitmap.bounds())
}

/// A raster without its empty margins, where they are worth a copy, except for one pixel, so that its outermost colour can still
/// fade out when resampled.
fn trimmed(bitmap: Bitmap, region: IRect) -> Sheet {
    let (w, h) = (bitmap.width as i32, bitmap.height as i32);
    let blank = |row: &[u8]| row.iter().fold(0, |a, b| a | b) == 0;
    let rows = |y: &i32| !blank(bitmap.span(*y, 0, w));
    let (Some(top), Some(bottom)) = ((0..h).find(rows), (0..h).rev().find(rows)) else {
        return Sheet::new(Bitmap::default(), region.x0, region.y0, false);
    };
    let (mut left, mut right) = (w, 0);
    for y in top..=bottom {
        let row = bitmap.span(y, 0, w).as_chunks::<4>().0;
        if let Some(x) = row[..left as usize].iter().position(|p| *p != [0; 4]) {
            left = x as i32;
        }
        if let Some(x) = row[right as usize..].iter().rposition(|p| *p != [0; 4]) {
            right += x as i32 + 1;
        }
    }
    let ink = IRect::new(left - 1, top - 1, right + 1, bottom + 2).intersect(&bitmap.bounds());
    if ink.area() > bitmap.bounds().area() / 8 * 7 {
        return picture::sheet_at(region.x0, region.y0, bitmap);
    }
    let (x, y) = (region.x0 + ink.x0, region.y0 + ink.y0);
    let mut pixels = Vec::with_capacity(ink.area() as usize * 4);
    for row in ink.y0..ink.y1 {
        pixels.extend_from_slice(bitmap.span(row, ink.x0, ink.x1));
    }
    picture::sheet_at(x, y, Bitmap { width: ink.width() as u32, height: ink.height() as u32, pixels })
}
