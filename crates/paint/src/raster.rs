//! Content to pixels: paths and glyphs through the vector rasteriser, gradients, shadows, pictures and filters here.

use std::collections::HashMap;
use std::sync::Arc;

use kurbo::{Affine, BezPath, Rect, Shape, Stroke, Vec2};
use rondo_css::Color;
use rondo_pixels::{Bitmap, IRect, Stop};
use rondo_scene::display::{Draw, FillRule, Filter, Outline, Paint, PictureDraw};
use rondo_scene::{Homography, Pictures};
use rondo_text::GlyphRun;
use vello_cpu::color::{AlphaColor, Srgb};
use vello_cpu::peniko::{Blob, Fill, FontData};
use vello_cpu::{PixmapMut, RasterizerSettings, RenderContext, RenderSettings, Resources, TargetInit};

use crate::PaintError;
use crate::cache::Cache;
use crate::clip::{Mask, outline_bounds, outline_path, outline_rule};
use crate::composite::{self, Coverage};
use crate::filter::{self, Edge, Grain};
use crate::glyph::{self, Outlines};
use crate::gradient::Shader;
use crate::picture;
use crate::rect;
use crate::simd::{unfused, widest};
use crate::warp::{self, Scratch, Shade, Target};
use crate::watch::{Watch, Work};

/// Corners sharper than this are cut off, as in CSS and SVG.
const MITER_LIMIT: f64 = 4.0;

/// Rows of a mask that are drawn at once, so that their colours stay in the processor's caches.
const MASK_BAND: i32 = 64;

/// Parts of a path beyond which going through it again for every band costs more than that saves.
const SIMPLE_PATH: usize = 200;

/// The vector rasteriser and its cached fonts.
pub struct Rasterizer {
    context: RenderContext,
    resources: Resources,
    /// Faces with colour glyphs; `None` for those of plain outlines.
    fonts: HashMap<u64, Option<FontData>>,
    outlines: Outlines,
    pub watch: Option<Watch>,
    pub stop: Stop,
}

/// What draws need besides themselves.
pub struct Supplies<'a> {
    pub cache: &'a mut Cache,
    pub pictures: &'a mut dyn Pictures,
}

/// Pixels being drawn: the bitmap covers `region` of raster space.
struct Board<'a> {
    bitmap: &'a mut Bitmap,
    region: IRect,
    /// Whether nothing has been drawn.
    blank: bool,
}

impl std::fmt::Debug for Rasterizer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rasterizer").field("fonts", &self.fonts.len()).finish_non_exhaustive()
    }
}

impl Rasterizer {
    pub fn new() -> Self {
        Self {
            context: RenderContext::new_with(1, 1, RenderSettings { level: unfused(), num_threads: 0 }),
            resources: Resources::new(),
            fonts: HashMap::new(),
            outlines: Outlines::default(),
            watch: None,
            stop: Stop::default(),
        }
    }

    /// An error once painting is stopped.
    pub fn check(&self) -> Result<(), PaintError> {
        if self.stop.is_set() { Err(PaintError::Stopped) } else { Ok(()) }
    }

    fn tell(&self, work: Option<Work>) {
        if let Some(watch) = self.watch {
            watch(work);
        }
    }

    /// Draws over nothing; `transform` leads from content space to raster space.
    pub fn draw(
        &mut self,
        draws: &[Draw],
        transform: Affine,
        region: IRect,
        supplies: &mut Supplies<'_>,
    ) -> Result<Bitmap, PaintError> {
        let mut bitmap = Bitmap::new(region.width() as u32, region.height() as u32);
        if !region.is_empty() {
            self.tell(Some(Work::Raster));
            let board = &mut Board { bitmap: &mut bitmap, region, blank: true };
            let drawn = self.draws(draws, transform, board, supplies);
            self.tell(None);
            drawn?;
        }
        Ok(bitmap)
    }

    /// Coverage of a path.
    pub fn mask(&mut self, path: &BezPath, rule: FillRule, transform: Affine, region: IRect) -> Mask {
        let mut mask = Mask::new(region);
        if region.is_empty() {
            return mask;
        }
        self.tell(Some(Work::Raster));
        let width = region.width() as usize;
        let rows = if path.elements().len() > SIMPLE_PATH { region.height() } else { MASK_BAND };
        let mut bitmap = Bitmap::default();
        let bands = (region.y0..region.y1).step_by(rows as usize);
        for (y, values) in bands.zip(mask.values.chunks_mut(width * rows as usize)) {
            let band = IRect::new(region.x0, y, region.x1, region.y1.min(y + rows));
            bitmap.pixels.clear();
            bitmap.pixels.resize(values.len() * 4, 0);
            (bitmap.width, bitmap.height) = (band.width() as u32, band.height() as u32);
            self.begin(band);
            self.fill(path, rule, transform, WHITE, band);
            self.finish(&mut bitmap);
            for (value, pixel) in values.iter_mut().zip(bitmap.pixels.as_chunks::<4>().0) {
                *value = pixel[3];
            }
        }
        self.tell(None);
        mask
    }

    /// The one colour of everything that is drawn, if it has but one.
    pub fn ink(&mut self, draws: &[Draw]) -> Option<Color> {
        let color = solid(draws.first()?)?;
        let mut plain = |draw: &Draw| match draw {
            Draw::Glyphs { run, .. } => {
                self.fonts.entry(run.font.key).or_insert_with(|| colored(run)).is_none()
            }
            _ => true,
        };
        draws.iter().all(|draw| solid(draw) == Some(color) && plain(draw)).then_some(color)
    }

    fn draws(
        &mut self,
        draws: &[Draw],
        transform: Affine,
        board: &mut Board<'_>,
        supplies: &mut Supplies<'_>,
    ) -> Result<(), PaintError> {
        let region = board.region;
        let mut open = false;
        for draw in draws {
            self.check()?;
            if let Some(color) = solid(draw) {
                if !open {
                    self.begin(region);
                    open = true;
                }
                self.vector(draw, transform, region, color);
                continue;
            }
            if std::mem::take(&mut open) {
                self.finish(board.bitmap);
                board.blank = false;
            }
            match draw {
                Draw::Fill { paint, .. }
                | Draw::Stroke { paint, .. }
                | Draw::Glyphs { paint, .. }
                | Draw::GlyphStroke { paint, .. } => {
                    if let Some(shader) = Shader::of(paint, transform) {
                        self.shaded(draw, transform, board, &shader);
                    }
                }
                Draw::Picture(picture) => place_picture(picture, transform, board, supplies)?,
                Draw::BoxShadow { outline, offset, sigma, spread, color, inset } => {
                    let shadow =
                        BoxShadow { outline, offset: *offset, sigma: *sigma, spread: *spread, inset: *inset };
                    self.box_shadow(&shadow, *color, transform, board);
                }
                Draw::Group { draws, filters, clip, opacity } => {
                    self.group(draws, filters, clip.as_ref(), *opacity, transform, board, supplies)?;
                }
                Draw::Masked { draws, mask } => {
                    let region = board.region;
                    let source = self.draw(draws, transform, region, supplies)?;
                    let mask = self.draw(mask, transform, region, supplies)?;
                    for y in 0..region.height() {
                        let row = mask.span(y, 0, region.width()).as_chunks::<4>().0;
                        let coverage: Vec<u8> = row.iter().map(|pixel| pixel[3]).collect();
                        let source = source.span(y, 0, region.width());
                        composite::over(board.row(region.y0 + y, region), source, Coverage::Row(&coverage));
                    }
                }
            }
            board.blank = false;
        }
        if open {
            self.finish(board.bitmap);
        }
        Ok(())
    }

    fn begin(&mut self, region: IRect) {
        self.context.reset_and_resize(region.width() as u16, region.height() as u16);
    }

    fn finish(&mut self, bitmap: &mut Bitmap) {
        self.context.flush();
        if let Some(target) = PixmapMut::new(bitmap.width as u16, bitmap.height as u16, &mut bitmap.pixels) {
            let settings = RasterizerSettings { target_init: TargetInit::SrcOver, ..Default::default() };
            self.context.render_with(target, &mut self.resources, settings);
        }
    }

    fn fill(&mut self, path: &BezPath, rule: FillRule, transform: Affine, color: Color, region: IRect) {
        self.context.set_paint(AlphaColor::<Srgb>::new([color.r, color.g, color.b, color.a]));
        self.context.set_fill_rule(match rule {
            FillRule::NonZero => Fill::NonZero,
            FillRule::EvenOdd => Fill::EvenOdd,
        });
        self.context.set_transform(onto(region, transform));
        self.context.fill_path(path);
    }

    /// Records a fill, stroke or glyph run in one colour.
    fn vector(&mut self, draw: &Draw, transform: Affine, region: IRect, color: Color) {
        match draw {
            Draw::Fill { outline, transform: own, .. } => {
                self.fill(&outline_path(outline), outline_rule(outline), transform * *own, color, region);
            }
            Draw::Stroke { path, transform: own, width, .. } => {
                self.context.set_paint(AlphaColor::<Srgb>::new([color.r, color.g, color.b, color.a]));
                self.context.set_transform(onto(region, transform));
                self.context.set_stroke(line(*width));
                self.context.stroke_path(&(*own * path.as_ref()));
            }
            Draw::Glyphs { run, origin, .. } => {
                self.context.set_paint(AlphaColor::<Srgb>::new([color.r, color.g, color.b, color.a]));
                self.context.set_fill_rule(Fill::NonZero);
                self.glyphs(run, onto(region, transform * Affine::translate(origin.to_vec2())));
            }
            Draw::GlyphStroke { run, origin, width, .. } => {
                self.context.set_paint(AlphaColor::<Srgb>::new([color.r, color.g, color.b, color.a]));
                let transform = onto(region, transform * Affine::translate(origin.to_vec2()));
                self.glyph_strokes(run, *width, transform);
            }
            _ => {}
        }
    }

    /// Glyphs in colour have no stroke.
    fn glyph_strokes(&mut self, run: &GlyphRun, width: f64, transform: Affine) {
        if self.fonts.entry(run.font.key).or_insert_with(|| colored(run)).is_some() {
            return;
        }
        self.context.set_stroke(line(width * glyph::scale(transform)));
        self.outlines.each(run, transform, |outline, way| {
            self.context.set_transform(way);
            self.context.stroke_path(outline);
        });
    }

    fn glyphs(&mut self, run: &GlyphRun, transform: Affine) {
        let Some(font) = self.fonts.entry(run.font.key).or_insert_with(|| colored(run)) else {
            self.outlines.each(run, transform, |outline, way| {
                self.context.set_transform(way);
                self.context.fill_path(outline);
            });
            return;
        };
        self.context.set_transform(transform);
        let glyphs = run.glyphs.iter().map(|g| vello_cpu::Glyph { id: g.id, x: g.x, y: g.y });
        // A glyph that cannot be drawn leaves a gap, as in a browser.
        let _ = self
            .context
            .glyph_run(&mut self.resources, font)
            .font_size(run.size)
            .hint(false)
            .normalized_coords(bytemuck::cast_slice(&run.coords))
            .fill_glyphs(glyphs);
    }

    /// A fill, stroke or glyph run whose colour differs from pixel to pixel.
    fn shaded(&mut self, draw: &Draw, transform: Affine, board: &mut Board<'_>, shader: &Shader) {
        let mut bounds = board.region;
        if let Draw::Fill { outline, transform: own, .. } = draw {
            let reach = (transform * *own).transform_rect_bbox(outline_bounds(outline));
            bounds = bounds.intersect(&rect::around(reach));
        }
        if bounds.is_empty() {
            return;
        }
        if let Draw::Fill { outline: Outline::Rect(r), transform: own, .. } = draw
            && let Some(whole) = on_whole_pixels(*r, transform * *own)
        {
            let bounds = bounds.intersect(&whole);
            shade(board, bounds, shader, |_| None);
            return;
        }
        self.begin(bounds);
        self.vector(draw, transform, bounds, WHITE);
        let mut shape = Bitmap::new(bounds.width() as u32, bounds.height() as u32);
        self.finish(&mut shape);
        shade(board, bounds, shader, |y| Some(shape.span(y - bounds.y0, 0, bounds.width())));
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one display-list entry")]
    fn group(
        &mut self,
        draws: &[Draw],
        filters: &[Filter],
        clip: Option<&Outline>,
        opacity: f32,
        transform: Affine,
        board: &mut Board<'_>,
        supplies: &mut Supplies<'_>,
    ) -> Result<(), PaintError> {
        let grain = Grain::new(transform);
        let mut region = board.region;
        if let Some(clip) = clip {
            region = region.intersect(&bounds_through(transform, outline_bounds(clip)));
            if region.is_empty() {
                return Ok(());
            }
        }
        let room = filter::room(region, filters, &grain);
        let mut bitmap = self.draw(draws, transform, room, supplies)?;
        filter::apply(filters, &mut bitmap, &grain, Edge::Transparent, &self.stop);
        self.check()?;
        let cuts = |o: &&Outline| !matches!(o, Outline::Rect(r) if on_whole_pixels(*r, transform).is_some());
        let clip = clip.filter(cuts).map(|o| self.mask(&outline_path(o), outline_rule(o), transform, region));
        let opacity = (opacity.clamp(0.0, 1.0) * 255.0).round() as u8;
        for y in region.y0..region.y1 {
            let source = bitmap.span(y - room.y0, region.x0 - room.x0, region.x1 - room.x0);
            match &clip {
                None => composite::over(board.row(y, region), source, Coverage::Even(opacity)),
                Some(mask) => {
                    let mut coverage = mask.span(y, region.x0, region.x1).to_vec();
                    composite::dim(&mut coverage, opacity);
                    composite::over(board.row(y, region), source, Coverage::Row(&coverage));
                }
            }
        }
        Ok(())
    }

    fn box_shadow(&mut self, shadow: &BoxShadow<'_>, color: Color, transform: Affine, board: &mut Board<'_>) {
        let grain = Grain::new(transform);
        let sigma = grain.sigma(shadow.sigma);
        let reach = filter::spread(sigma.0.max(sigma.1));
        let spread = if shadow.inset { -shadow.spread } else { shadow.spread };
        let shape = filter::shadow::grown(shadow.outline, spread);
        let moved = transform * Affine::translate(shadow.offset);
        let own = transform.transform_rect_bbox(outline_bounds(shadow.outline));
        let touched = match (&shape, shadow.inset) {
            (_, true) => own,
            (Some(shape), false) => {
                moved.transform_rect_bbox(outline_bounds(shape)).inflate(f64::from(reach), f64::from(reach))
            }
            (None, false) => return,
        };
        let bounds = rect::around(touched).intersect(&board.region);
        if bounds.is_empty() {
            return;
        }
        let room = bounds.grow(reach);
        let c = moved.as_coeffs();
        let upright = c[1].abs() < 1e-9 && c[2].abs() < 1e-9;
        let mut blurred = Mask::new(room);
        match &shape {
            Some(Outline::Rect(r)) if upright && !shadow.inset && sigma.0 > 0.0 && sigma.1 > 0.0 => {
                filter::shadow::blurred_rect(moved.transform_rect_bbox(*r), sigma, &mut blurred);
            }
            _ => {
                if let Some(shape) = &shape {
                    blurred = self.mask(&outline_path(shape), outline_rule(shape), moved, room);
                }
                if shadow.inset {
                    blurred.values.iter_mut().for_each(|v| *v = 255 - *v);
                }
                let (width, height) = (room.width() as usize, room.height() as usize);
                let edge = if shadow.inset { Edge::Mirror } else { Edge::Transparent };
                filter::blur::<1>(&mut blurred.values, width, height, sigma, edge);
            }
        }
        let rule = outline_rule(shadow.outline);
        let cut = self.mask(&outline_path(shadow.outline), rule, transform, bounds);
        let mut line = vec![0; bounds.width() as usize * 4];
        for y in bounds.y0..bounds.y1 {
            let mut coverage = cut.span(y, bounds.x0, bounds.x1).to_vec();
            if !shadow.inset {
                coverage.iter_mut().for_each(|v| *v = 255 - *v);
            }
            composite::multiply(&mut coverage, blurred.span(y, bounds.x0, bounds.x1));
            filter::tint(&mut line, &coverage, color);
            composite::over(board.row(y, bounds), &line, Coverage::Full);
        }
    }
}

const WHITE: Color = Color { r: 1.0, g: 1.0, b: 1.0, a: 1.0 };

struct BoxShadow<'a> {
    outline: &'a Outline,
    offset: Vec2,
    sigma: f64,
    spread: f64,
    inset: bool,
}

impl Board<'_> {
    /// The part of a row that is in `bounds`, both in raster space.
    fn row(&mut self, y: i32, bounds: IRect) -> &mut [u8] {
        self.bitmap.span_mut(y - self.region.y0, bounds.x0 - self.region.x0, bounds.x1 - self.region.x0)
    }
}

fn line(width: f64) -> Stroke {
    Stroke::new(width).with_join(kurbo::Join::Miter).with_miter_limit(MITER_LIMIT).with_caps(kurbo::Cap::Butt)
}

/// The font of a run that has glyphs in colour, which the vector rasteriser draws.
fn colored(run: &GlyphRun) -> Option<FontData> {
    if glyph::plain(&run.font) {
        return None;
    }
    let data: Arc<dyn AsRef<[u8]> + Send + Sync> = Arc::new(run.font.data.clone());
    Some(FontData::new(Blob::new(data), run.font.index))
}

/// The colour of a draw the vector rasteriser does alone.
fn solid(draw: &Draw) -> Option<Color> {
    match draw {
        Draw::Fill { paint: Paint::Solid(c), .. }
        | Draw::Stroke { paint: Paint::Solid(c), .. }
        | Draw::Glyphs { paint: Paint::Solid(c), .. }
        | Draw::GlyphStroke { paint: Paint::Solid(c), .. } => Some(*c),
        _ => None,
    }
}

/// Draws the colours of a gradient where the alpha of `shape` lets it; without a shape everywhere.
fn shade<'s>(board: &mut Board<'_>, bounds: IRect, shader: &Shader, shape: impl Fn(i32) -> Option<&'s [u8]>) {
    let mut line = vec![0; bounds.width().max(0) as usize * 4];
    let mut coverage = Vec::new();
    let mut drawn = false;
    widest(
        #[inline(always)]
        || {
            let alike = shader.rows_alike();
            for y in bounds.y0..bounds.y1 {
                let shape = shape(y);
                if let Some(row) = shape {
                    coverage.clear();
                    coverage.extend(row.as_chunks::<4>().0.iter().map(|p| p[3]));
                    if coverage.iter().all(|c| *c == 0) {
                        continue;
                    }
                }
                if board.blank && shape.is_none() && !alike {
                    shader.row(bounds.x0, y, board.row(y, bounds));
                    continue;
                }
                if !std::mem::replace(&mut drawn, alike) {
                    shader.row(bounds.x0, y, &mut line);
                }
                let coverage = if shape.is_some() { Coverage::Row(&coverage) } else { Coverage::Full };
                composite::over(board.row(y, bounds), &line, coverage);
            }
        },
    );
}

/// Where a rectangle is, if that is on whole pixels.
fn on_whole_pixels(r: Rect, transform: Affine) -> Option<IRect> {
    let [_, b, c, ..] = transform.as_coeffs();
    let r = transform.transform_rect_bbox(r);
    let whole = [r.x0, r.y0, r.x1, r.y1].iter().all(|v| (v - v.round()).abs() < 1e-6);
    (b == 0.0 && c == 0.0 && whole).then(|| {
        IRect::new(r.x0.round() as i32, r.y0.round() as i32, r.x1.round() as i32, r.y1.round() as i32)
    })
}

/// Raster space moved so that the region starts at the origin.
fn onto(region: IRect, transform: Affine) -> Affine {
    Affine::translate((-f64::from(region.x0), -f64::from(region.y0))) * transform
}

fn place_picture(
    draw: &PictureDraw,
    transform: Affine,
    board: &mut Board<'_>,
    supplies: &mut Supplies<'_>,
) -> Result<(), PaintError> {
    let way = Homography::from(transform);
    let Some(ready) = picture::prepare(draw, &way, false, supplies.cache, supplies.pictures)? else {
        return Ok(());
    };
    let area = rect::around(transform.transform_rect_bbox(draw.dest)).grow(1).intersect(&board.region);
    let mut target = Target { bitmap: board.bitmap, x: board.region.x0, y: board.region.y0 };
    warp::draw(&mut target, area, &ready.placing(), &Shade::FULL, &mut Scratch::default());
    Ok(())
}

/// Whether any draw shows a picture that changes with time.
pub fn changes_with_time(draws: &[Draw]) -> bool {
    draws.iter().any(|d| match d {
        Draw::Picture(p) => p.picture.time_us != 0,
        Draw::Group { draws, .. } | Draw::Masked { draws, .. } => changes_with_time(draws),
        _ => false,
    })
}

/// Bounds through an affine map.
pub fn bounds_through(transform: Affine, bounds: Rect) -> IRect {
    rect::around(transform.transform_rect_bbox(bounds.bounding_box()))
}

#[cfg(test)]
mod tests {
    use rondo_scene::PictureError;
    use rondo_scene::display::{Gradient, GradientKind, PictureRef, Stop};

    use super::*;

    struct NoPictures;

    impl Pictures for NoPictures {
        fn picture(&mut self, _: &PictureRef) -> Result<Arc<rondo_pixels::Picture>, PictureError> {
            Err(PictureError("there are none".into()))
        }
    }

    fn drawn(draws: &[Draw], transform: Affine, region: IRect) -> Bitmap {
        let (mut cache, mut pictures) = (Cache::new(1 << 20), NoPictures);
        let mut supplies = Supplies { cache: &mut cache, pictures: &mut pictures };
        Rasterizer::new().draw(draws, transform, region, &mut supplies).expect("it is drawn")
    }

    fn filled(path: BezPath, paint: Paint) -> Draw {
        let outline = Outline::Path(Arc::new(path), FillRule::NonZero);
        Draw::Fill { outline, transform: Affine::IDENTITY, paint }
    }

    #[test]
    fn a_mask_is_what_the_path_covers_when_it_is_drawn_at_once() {
        let path = kurbo::Ellipse::new((70.0, 150.0), (60.3, 141.7), 0.4).to_path(0.01);
        let transform = Affine::translate((3.3, 7.9));
        let region = IRect::new(-5, 20, 160, 20 + 3 * MASK_BAND + 17);
        let whole = drawn(&[filled(path.clone(), Paint::Solid(WHITE))], transform, region);
        let mask = Rasterizer::new().mask(&path, FillRule::NonZero, transform, region);
        let covered = whole.pixels.as_chunks::<4>().0.iter().map(|pixel| pixel[3]);
        assert_eq!(mask.values.len(), covered.len());
        let worst = mask.values.iter().zip(covered).map(|(a, b)| a.abs_diff(b)).max();
        assert!(worst <= Some(1), "{worst:?}");
    }

    #[test]
    fn a_gradient_looks_the_same_whether_or_not_anything_was_drawn_before_it() {
        let stop = |offset, a| Stop { offset, color: Color { r: 0.9, g: 0.2, b: 0.4, a } };
        let gradient = Gradient {
            kind: GradientKind::Radial { center: (40.0, 30.0).into(), radii: Vec2::new(50.0, 35.0) },
            repeat: false,
            stops: vec![stop(0.0, 1.0), stop(1.0, 0.0)],
        };
        let region = IRect::new(0, 0, 96, 64);
        let shaded = Draw::Fill {
            outline: Outline::Rect(rect::to_rect(region)),
            transform: Affine::IDENTITY,
            paint: Paint::Gradient(Arc::new(gradient)),
        };
        let nothing = filled(BezPath::new(), Paint::Solid(WHITE));
        let alone = drawn(std::slice::from_ref(&shaded), Affine::IDENTITY, region);
        assert_eq!(alone, drawn(&[nothing, shaded], Affine::IDENTITY, region));
        assert!(alone.pixel(40, 30)[3] > 200 && alone.pixel(95, 63)[3] == 0);
    }
}
