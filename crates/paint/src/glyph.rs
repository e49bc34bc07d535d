//! Glyph outlines as Chromium on Linux sets them: upright text is fitted to the pixel grid vertically (FreeType's light
//! mode), starts at quarters of a pixel, and has its baseline on a whole one; turned text is left as designed.

use std::collections::HashMap;
use std::sync::Arc;

use kurbo::{Affine, BezPath, Point};
use rondo_text::{Font, GlyphRun};
use skrifa::instance::{LocationRef, NormalizedCoord, Size};
use skrifa::outline::{
    DrawSettings, Engine, GlyphStyles, HintingInstance, HintingOptions, OutlineGlyphCollection,
    OutlineGlyphFormat, OutlinePen, SmoothMode, Target,
};
use skrifa::raw::TableProvider;
use skrifa::{FontRef, GlyphId, MetadataProvider};

/// Outlines kept before all are dropped.
const MOST_OUTLINES: usize = 20_000;

/// Beyond this size Chromium fills outlines as they are designed.
const LARGEST_FITTED: f32 = 256.0;

/// Outlines of glyphs met so far.
#[derive(Default)]
pub struct Outlines {
    kept: HashMap<Key, Arc<BezPath>>,
    fitting: HashMap<Strike, Option<HintingInstance>>,
    styles: HashMap<u64, GlyphStyles>,
}

/// A face at a size; coordinates of a variable face are part of it.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Strike {
    font: u64,
    size: u32,
    coords: Vec<i16>,
    fitted: bool,
}

type Key = (Strike, u32);

/// Whether every glyph of a face is a plain outline; colour glyphs are drawn by the vector rasteriser.
pub fn plain(font: &Font) -> bool {
    FontRef::from_index(&font.data, font.index)
        .is_ok_and(|f| f.colr().is_err() && f.cbdt().is_err() && f.sbix().is_err() && f.svg().is_err())
}

fn upright(transform: Affine) -> bool {
    let [a, b, c, d, ..] = transform.as_coeffs();
    b.abs() < 1e-6 && c.abs() < 1e-6 && a > 0.0 && d > 0.0
}

/// How much larger than the run the outlines are that [`Outlines::each`] gives.
pub fn scale(transform: Affine) -> f64 {
    if upright(transform) { transform.as_coeffs()[3] } else { 1.0 }
}

impl Outlines {
    /// Calls `fill` with each outline and its way to raster space; `transform` leads there from the run.
    pub fn each(&mut self, run: &GlyphRun, transform: Affine, mut fill: impl FnMut(&BezPath, Affine)) {
        let [a, _, _, d, ..] = transform.as_coeffs();
        let upright = upright(transform);
        let scale = scale(transform);
        let size = (f64::from(run.size) * scale) as f32;
        let fitted = upright && size <= LARGEST_FITTED;
        let strike = Strike { font: run.font.key, size: size.to_bits(), coords: run.coords.clone(), fitted };
        let Ok(font) = FontRef::from_index(&run.font.data, run.font.index) else { return };
        let glyphs = font.outline_glyphs();
        for glyph in &run.glyphs {
            let outline = self.outline(&strike, &glyphs, glyph.id);
            if outline.is_empty() {
                continue;
            }
            let at = Point::new(f64::from(glyph.x), f64::from(glyph.y));
            let way = if fitted {
                let at = transform * at;
                let at = Point::new((at.x * 4.0).round() / 4.0, (at.y + 0.5).floor());
                Affine::translate(at.to_vec2()) * Affine::scale_non_uniform(a / d, 1.0)
            } else {
                transform * Affine::translate(at.to_vec2()) * Affine::scale(1.0 / scale)
            };
            fill(&outline, way);
        }
    }

    fn outline(&mut self, strike: &Strike, glyphs: &OutlineGlyphCollection<'_>, id: u32) -> Arc<BezPath> {
        let key = (strike.clone(), id);
        if let Some(outline) = self.kept.get(&key) {
            return outline.clone();
        }
        if self.kept.len() >= MOST_OUTLINES {
            self.kept.clear();
            self.fitting.clear();
        }
        let outline = Arc::new(self.drawn(strike, glyphs, id));
        self.kept.insert(key, outline.clone());
        outline
    }

    /// A glyph that cannot be drawn is empty: it leaves a gap, as in a browser.
    fn drawn(&mut self, strike: &Strike, glyphs: &OutlineGlyphCollection<'_>, id: u32) -> BezPath {
        let mut pen = Pen(BezPath::new());
        let Some(glyph) = glyphs.get(GlyphId::new(id)) else { return pen.0 };
        let size = Size::new(f32::from_bits(strike.size));
        let coords: Vec<NormalizedCoord> =
            strike.coords.iter().map(|c| NormalizedCoord::from_bits(*c)).collect();
        let location = LocationRef::new(&coords);
        if strike.fitted {
            let styles = &mut self.styles;
            let fitting = self.fitting.entry(strike.clone()).or_insert_with(|| {
                let engine = match glyphs.format() {
                    Some(OutlineGlyphFormat::Cff | OutlineGlyphFormat::Cff2) => Engine::Interpreter,
                    _ => {
                        let of_font = styles.entry(strike.font).or_insert_with(|| GlyphStyles::new(glyphs));
                        Engine::Auto(Some(of_font.clone()))
                    }
                };
                let target = Target::Smooth {
                    mode: SmoothMode::Light,
                    symmetric_rendering: false,
                    preserve_linear_metrics: true,
                };
                HintingInstance::new(glyphs, size, location, HintingOptions { engine, target }).ok()
            });
            if let Some(fitting) = fitting
                && glyph.draw(DrawSettings::hinted(fitting, false), &mut pen).is_ok()
            {
                return pen.0;
            }
            pen.0 = BezPath::new();
        }
        if glyph.draw(DrawSettings::unhinted(size, location), &mut pen).is_err() {
            return BezPath::new();
        }
        pen.0
    }
}

/// Font outlines have y upwards, pictures downwards.
struct Pen(BezPath);

fn point(x: f32, y: f32) -> Point {
    Point::new(f64::from(x), -f64::from(y))
}

impl OutlinePen for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.move_to(point(x, y));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.0.line_to(point(x, y));
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        self.0.quad_to(point(cx, cy), point(x, y));
    }

    fn curve_to(&mut self, ax: f32, ay: f32, bx: f32, by: f32, x: f32, y: f32) {
        self.0.curve_to(point(ax, ay), point(bx, by), point(x, y));
    }

    fn close(&mut self) {
        self.0.close_path();
    }
}
