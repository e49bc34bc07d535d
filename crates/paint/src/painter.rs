//! The painter: keeps the canvas and the layer cache between frames and repaints only what changed.

use std::collections::VecDeque;
use std::ops::Range;

use rondo_css::Color;
use rondo_pixels::{Bitmap, IRect, Planes, Stop};
use rondo_scene::display::{BlendMode, Frame};
use rondo_scene::{PictureError, Pictures};

use crate::cache::Cache;
use crate::composite::{self, Coverage};
use crate::convert::{follow_planes, keep_unpainted, update_planes};
use crate::dirty::{self, Mark};
use crate::filter::{self, Edge, Grain};
use crate::ground::Ground;
use crate::pass;
use crate::place::{Behind, Cluster, Placed, Placer, Ready};
use crate::raster::Rasterizer;
use crate::rect;
use crate::warp::{self, Map, Placing, Scratch, Shade, Target};
use crate::watch::{Costs, Watch, Work};

/// Rasterised layers and scaled pictures.
const SHEET_BUDGET: usize = 192 << 20;
/// Clip masks; apart, because a moving clip makes a new one every frame.
const MASK_BUDGET: usize = 24 << 20;

/// Why a frame could not be painted.
#[derive(Debug, Clone, thiserror::Error)]
pub enum PaintError {
    #[error(transparent)]
    Picture(#[from] PictureError),
    #[error("A picture of {width}×{height} pixels has {bytes} bytes; it needs width × height × 4.")]
    PictureSize { width: u32, height: u32, bytes: usize },
    #[error("Painting was stopped.")]
    Stopped,
    #[error("The frame is {got_width}×{got_height}, but the painter is {width}×{height}.")]
    Size { width: u32, height: u32, got_width: u32, got_height: u32 },
}

/// A painted frame, borrowed from the painter.
#[derive(Debug)]
pub struct Painted<'a> {
    /// The canvas; every alpha is 255 where the frame's background is opaque.
    pub bitmap: &'a Bitmap,
    /// Where the canvas differs, at most, from the frame painted before; empty when nothing changed, the whole canvas
    /// for the first frame.
    pub dirty: &'a [IRect],
}

/// Paints frames of one size, in any order.
#[derive(Debug)]
pub struct Painter {
    canvas: Bitmap,
    dirty: Vec<IRect>,
    shown: Option<Shown>,
    /// Marks of the frame that went into planes without passing the canvas.
    passed: Option<Vec<Mark>>,
    ground: Ground,
    rasterizer: Rasterizer,
    sheets: Cache,
    masks: Cache,
    scratch: Scratch,
    costs: Option<Costs>,
}

/// What the canvas shows now.
#[derive(Debug)]
struct Shown {
    background: [u8; 4],
    marks: Vec<Mark>,
}

impl Painter {
    pub fn new(width: u32, height: u32) -> Self {
        Self::with_budget(width, height, SHEET_BUDGET)
    }

    /// `budget` is how many bytes of rasterised layers may be kept.
    pub fn with_budget(width: u32, height: u32, budget: usize) -> Self {
        Self {
            canvas: Bitmap::new(width, height),
            dirty: Vec::new(),
            shown: None,
            passed: None,
            ground: Ground::default(),
            rasterizer: Rasterizer::new(),
            sheets: Cache::new(budget),
            masks: Cache::new(MASK_BUDGET),
            scratch: Scratch::default(),
            costs: None,
        }
    }

    /// Reports the current stage to `watch`.
    pub fn watch(&mut self, watch: Option<Watch>) {
        self.rasterizer.watch = watch;
    }

    /// From now on setting `stop` ends a frame early, with an error.
    pub fn stop_by(&mut self, stop: Stop) {
        self.rasterizer.stop = stop;
    }

    /// Measures with `clock`, which is in units of its own, what each item of a frame takes.
    pub fn measure(&mut self, clock: fn() -> u64) {
        self.costs = Some(Costs { clock, items: Vec::new() });
    }

    /// What each item of the frame painted last took; nothing unless it is measured.
    pub fn costs(&self) -> &[u64] {
        self.costs.as_ref().map_or(&[], |costs| &costs.items)
    }

    /// The canvas as the frame painted last left it.
    pub fn bitmap(&self) -> &Bitmap {
        &self.canvas
    }

    /// Bytes of layers, scaled pictures and masks kept for coming frames.
    pub fn cached_bytes(&self) -> usize {
        self.sheets.bytes() + self.masks.bytes()
    }

    fn reset_costs(&mut self, frame: &Frame) {
        if let Some(costs) = &mut self.costs {
            costs.items.clear();
            costs.items.resize(frame.items.len(), 0);
        }
    }

    /// Paints a frame. After an error the next frame is painted whole.
    pub fn paint(&mut self, frame: &Frame, pictures: &mut dyn Pictures) -> Result<Painted<'_>, PaintError> {
        self.reset_costs(frame);
        self.paint_canvas(frame, pictures)
    }

    fn paint_canvas(
        &mut self,
        frame: &Frame,
        pictures: &mut dyn Pictures,
    ) -> Result<Painted<'_>, PaintError> {
        let canvas = self.canvas.bounds();
        if IRect::of_size(frame.width, frame.height) != canvas {
            return Err(PaintError::Size {
                width: self.canvas.width,
                height: self.canvas.height,
                got_width: frame.width,
                got_height: frame.height,
            });
        }
        let background = premultiplied(frame.background);
        let marks = dirty::marks(&frame.items, canvas);
        self.passed = None;
        let shown = self.shown.take();
        self.dirty = match &shown {
            Some(shown) if shown.background == background => dirty::regions(&shown.marks, &marks, canvas),
            _ if canvas.is_empty() => Vec::new(),
            _ => vec![canvas],
        };
        if !self.dirty.is_empty() {
            let unchanged = match &shown {
                Some(shown) if shown.background == background => marks
                    .iter()
                    .zip(&shown.marks)
                    .take_while(|(now, before)| now.identity == before.identity)
                    .count(),
                _ => 0,
            };
            self.repaint(frame, background, &marks, unchanged, pictures)?;
        }
        self.shown = Some(Shown { background, marks });
        Ok(Painted { bitmap: &self.canvas, dirty: &self.dirty })
    }

    /// Paints a frame of a film into planes and returns whether it differs from the frame before, which `last` holds; if it
    /// does not, the planes are left as they were. A video that fills the canvas goes there as it came, without passing
    /// through RGBA, wherever nothing is above it.
    pub fn paint_film(
        &mut self,
        frame: &Frame,
        pictures: &mut dyn Pictures,
        last: Option<&Planes>,
        planes: &mut Planes,
    ) -> Result<bool, PaintError> {
        self.reset_costs(frame);
        let canvas = self.canvas.bounds();
        let same_size = IRect::of_size(frame.width, frame.height) == canvas
            && (planes.width, planes.height) == (frame.width, frame.height);
        if same_size && let Some(base) = pass::base(&frame.items, canvas) {
            let marks = dirty::marks(&frame.items, canvas);
            if last.is_some() && self.passed.as_ref().is_some_and(|before| *before == marks) {
                return Ok(false);
            }
            let above = pass::regions(&marks[base + 1..], planes, canvas);
            if let Some(above) = above
                && self.pass(frame, &marks, base, &above, pictures, planes)?
            {
                self.passed = Some(marks);
                return Ok(true);
            }
        }
        self.paint_canvas(frame, pictures)?;
        if self.dirty.is_empty() && last.is_some() {
            return Ok(false);
        }
        let watch = self.rasterizer.watch;
        watch.inspect(|tell| tell(Some(Work::Convert)));
        match last {
            _ if self.dirty == [canvas] => update_planes(planes, &self.canvas, &self.dirty),
            Some(last) => follow_planes(planes, last, &self.canvas, &self.dirty),
            None => update_planes(planes, &self.canvas, &[canvas]),
        }
        watch.inspect(|tell| tell(None));
        Ok(true)
    }

    /// Copies the picture of the item `base` into the planes and paints the regions where something is above it;
    /// `false` when the picture is not of the kind.
    fn pass(
        &mut self,
        frame: &Frame,
        marks: &[Mark],
        base: usize,
        above: &[IRect],
        pictures: &mut dyn Pictures,
        planes: &mut Planes,
    ) -> Result<bool, PaintError> {
        let canvas = self.canvas.bounds();
        let mut stage = Stage {
            frame,
            marks,
            background: [0; 4],
            ready: frame.items.iter().map(|_| None).collect(),
            placer: Placer {
                canvas,
                rasterizer: &mut self.rasterizer,
                sheets: &mut self.sheets,
                masks: &mut self.masks,
                pictures,
            },
            scratch: &mut self.scratch,
            costs: self.costs.as_mut(),
        };
        let bottom = stage.placer.ready(&frame.items[base])?;
        let Some((picture, source)) =
            bottom.picture_filling(canvas).and_then(|p| Some((p, p.pixels.planes()?)))
        else {
            return Ok(false);
        };
        // From here on the canvas shows no frame, and an error leaves the planes half painted.
        (self.passed, self.shown) = (None, None);
        planes.copy_from(source);
        for rect in above {
            let (columns, rows) = (rect.x0 as usize..rect.x1 as usize, rect.y0 as usize..rect.y1 as usize);
            let mut before = vec![0; rect.area() as usize * 4];
            picture.copy_part(columns, rows, &mut before);
            for (y, row) in (rect.y0..rect.y1).zip(before.chunks_exact(rect.width() as usize * 4)) {
                self.canvas.span_mut(y, rect.x0, rect.x1).copy_from_slice(row);
            }
            stage.paint_above(base, *rect, &mut self.canvas)?;
            update_planes(planes, &self.canvas, &[*rect]);
            keep_unpainted(planes, source, &self.canvas, *rect, &before);
        }
        self.sheets.end_frame();
        self.masks.end_frame();
        Ok(true)
    }

    fn repaint(
        &mut self,
        frame: &Frame,
        background: [u8; 4],
        marks: &[Mark],
        unchanged: usize,
        pictures: &mut dyn Pictures,
    ) -> Result<(), PaintError> {
        let wanted = self.ground.observe(background, marks, unchanged, &self.dirty, self.canvas.bounds());
        let mut stage = Stage {
            frame,
            marks,
            background,
            ready: frame.items.iter().map(|_| None).collect(),
            placer: Placer {
                canvas: self.canvas.bounds(),
                rasterizer: &mut self.rasterizer,
                sheets: &mut self.sheets,
                masks: &mut self.masks,
                pictures,
            },
            scratch: &mut self.scratch,
            costs: self.costs.as_mut(),
        };
        if wanted > self.ground.len() {
            let mut bitmap = Bitmap::new(self.canvas.width, self.canvas.height);
            self.ground.clear();
            stage.paint(bitmap.bounds(), wanted, &self.ground, &mut bitmap)?;
            self.ground.keep(bitmap, background, &marks[..wanted]);
        }
        for rect in &self.dirty {
            stage.paint(*rect, marks.len(), &self.ground, &mut self.canvas)?;
        }
        self.sheets.end_frame();
        self.masks.end_frame();
        Ok(())
    }
}

/// One frame being painted.
struct Stage<'a> {
    frame: &'a Frame,
    marks: &'a [Mark],
    background: [u8; 4],
    /// Items made ready so far.
    ready: Vec<Option<Ready>>,
    placer: Placer<'a>,
    scratch: &'a mut Scratch,
    costs: Option<&'a mut Costs>,
}

impl Stage<'_> {
    /// Paints the items above `base` inside `rect` onto what is there.
    fn paint_above(&mut self, base: usize, rect: IRect, bitmap: &mut Bitmap) -> Result<(), PaintError> {
        let mut target = Target { bitmap, x: 0, y: 0 };
        for i in base + 1..self.marks.len() {
            if self.marks[i].bounds.intersect(&rect).is_empty() {
                continue;
            }
            let item = self.ready(i)?;
            let started = self.now();
            draw(&item, &mut target, rect, &mut self.brush());
            self.count(i, started);
            self.ready[i] = Some(item);
        }
        self.placer.rasterizer.check()
    }

    /// Paints the lowest `count` items inside `rect`, starting from the ground or from the highest item that hides
    /// everything beneath it.
    fn paint(
        &mut self,
        rect: IRect,
        count: usize,
        ground: &Ground,
        bitmap: &mut Bitmap,
    ) -> Result<(), PaintError> {
        let first = self.highest_that_hides(rect, ground.len()..count)?;
        // The item that hides most of what is beneath it, and where.
        let (mut lid, mut hidden) = (0, IRect::EMPTY);
        for i in (first.map_or(ground.len(), |first| first + 1)..count).rev() {
            let hides = self.ready[i].as_ref().map_or(IRect::EMPTY, |item| item.hides().intersect(&rect));
            if hides.area() > hidden.area() {
                (lid, hidden) = (i, hides);
            }
        }
        let mut target = Target { bitmap, x: 0, y: 0 };
        let bare = first.is_none();
        let first = first.unwrap_or(ground.len());
        let lid = lid.clamp(first, count);
        // What is filtered together needs everything beneath it.
        let apart = self.marks[..lid].iter().all(|mark| mark.closed.is_empty());
        let (lid, seen) = if apart { (lid, rect.without(&hidden)) } else { (first, vec![rect]) };
        for part in &seen {
            if bare && !ground.copy(&mut target, *part) {
                for y in part.y0..part.y1 {
                    composite::fill(target.span(y, part.x0, part.x1), self.background);
                }
            }
            self.draw(first..lid, *part, &mut target);
        }
        self.draw(lid..count, rect, &mut target);
        self.placer.rasterizer.check()
    }

    /// The highest item that hides everything beneath it in `rect`. It and those above it are made ready, from the top down
    /// except for those whose pictures are not available: they are decoded meanwhile.
    fn highest_that_hides(&mut self, rect: IRect, items: Range<usize>) -> Result<Option<usize>, PaintError> {
        // The highest item so far that hides all beneath it, or cannot be painted: those beneath it do not matter.
        let mut end: Option<(usize, Result<(), PaintError>)> = None;
        let seen = |i: &usize| !self.marks[*i].bounds.intersect(&rect).is_empty();
        let mut left: VecDeque<usize> = items.rev().filter(seen).collect();
        while !left.is_empty() {
            let at_hand = |i: &usize| self.ready[*i].is_some() || !self.placer.waits(&self.frame.items[*i]);
            let next = left.iter().position(at_hand).and_then(|at| left.remove(at));
            let Some(i) = next.or_else(|| left.pop_front()) else { break };
            let ended = match self.hides(i, rect) {
                Ok(hides) if hides != rect => continue,
                Ok(_) => Ok(()),
                Err(error) => Err(error),
            };
            left.retain(|above| *above > i);
            end = Some((i, ended));
        }
        end.map(|(i, ended)| ended.map(|()| i)).transpose()
    }

    /// An item, made ready if it was not; to be put back.
    fn ready(&mut self, i: usize) -> Result<Ready, PaintError> {
        match self.ready[i].take() {
            Some(item) => Ok(item),
            None => {
                let started = self.now();
                let ready = self.placer.ready(&self.frame.items[i]);
                self.count(i, started);
                ready
            }
        }
    }

    fn now(&self) -> u64 {
        self.costs.as_ref().map_or(0, |costs| (costs.clock)())
    }

    /// Counts the time since `started` for an item.
    fn count(&mut self, item: usize, started: u64) {
        if let Some(costs) = &mut self.costs
            && let Some(cost) = costs.items.get_mut(item)
        {
            *cost += (costs.clock)().saturating_sub(started);
        }
    }

    fn brush(&mut self) -> Brush<'_> {
        Brush { scratch: self.scratch, stop: &self.placer.rasterizer.stop, beneath: None }
    }

    /// Prepares an item and returns the part of the canvas it hides.
    fn hides(&mut self, i: usize, rect: IRect) -> Result<IRect, PaintError> {
        let item = self.ready(i)?;
        let hides = item.hides().intersect(&rect);
        self.ready[i] = Some(item);
        Ok(hides)
    }

    /// Draws items that are ready.
    fn draw(&mut self, items: Range<usize>, rect: IRect, target: &mut Target<'_>) {
        for i in items {
            if self.marks[i].bounds.intersect(&rect).is_empty() {
                continue;
            }
            if let Some(item) = self.ready[i].take() {
                let started = self.now();
                draw(&item, target, rect, &mut self.brush());
                self.count(i, started);
                self.ready[i] = Some(item);
            }
        }
    }
}

fn premultiplied(color: Color) -> [u8; 4] {
    let a = color.a.clamp(0.0, 1.0);
    let byte = |v: f32| (v.clamp(0.0, 1.0) * a * 255.0 + 0.5) as u8;
    [byte(color.r), byte(color.g), byte(color.b), byte(1.0)]
}

/// What drawing needs besides the item and the target.
struct Brush<'a> {
    scratch: &'a mut Scratch,
    stop: &'a Stop,
    /// What is beneath the group being painted, if it is painted apart and its backdrop filters see that.
    beneath: Option<&'a Target<'a>>,
}

/// Draws an item, or nothing of it once painting is stopped.
fn draw(item: &Ready, target: &mut Target<'_>, rect: IRect, brush: &mut Brush<'_>) {
    if brush.stop.is_set() {
        return;
    }
    match item {
        Ready::Nothing => {}
        Ready::Layer(placed) => draw_layer(placed, BlendMode::Normal, target, rect, brush),
        Ready::Group(cluster) => draw_group(cluster, target, rect, brush),
    }
}

fn draw_layer(
    placed: &Placed,
    blend: BlendMode,
    target: &mut Target<'_>,
    rect: IRect,
    brush: &mut Brush<'_>,
) {
    let area = placed.area.intersect(&rect);
    if area.is_empty() || placed.opacity == 0 {
        return;
    }
    let shade = Shade { opacity: placed.opacity, masks: &placed.masks, blend };
    if let Some(behind) = &placed.backdrop {
        draw_backdrop(behind, target, area, &shade, brush);
    }
    if let Some(picture) = &placed.picture {
        warp::draw(target, area, &picture.placing(), &shade, brush.scratch);
    }
}

fn draw_backdrop(
    behind: &Behind,
    target: &mut Target<'_>,
    area: IRect,
    shade: &Shade<'_>,
    brush: &mut Brush<'_>,
) {
    let bounds = behind.bounds.intersect(&brush.beneath.unwrap_or(target).bounds());
    if bounds.is_empty() {
        return;
    }
    let mut seen = Bitmap::new(bounds.width() as u32, bounds.height() as u32);
    for y in bounds.y0..bounds.y1 {
        let row = brush.beneath.unwrap_or(target).row(y, bounds.x0, bounds.x1);
        seen.span_mut(y - bounds.y0, 0, bounds.width()).copy_from_slice(row);
    }
    if brush.beneath.is_some() {
        let own = bounds.intersect(&target.bounds());
        for y in own.y0..own.y1 {
            let row = seen.span_mut(y - bounds.y0, own.x0 - bounds.x0, own.x1 - bounds.x0);
            composite::over(row, target.row(y, own.x0, own.x1), Coverage::Full);
        }
    }
    filter::apply(&behind.filters, &mut seen, &behind.grain, Edge::Mirror, brush.stop);
    let mut masks = shade.masks.to_vec();
    masks.extend(behind.outline.clone());
    put(&seen, bounds, target, area, &Shade { masks: &masks, ..*shade }, brush);
}

fn draw_group(cluster: &Cluster, target: &mut Target<'_>, rect: IRect, brush: &mut Brush<'_>) {
    let area = cluster.area.intersect(&rect).intersect(&target.bounds());
    if area.is_empty() {
        return;
    }
    let filtered = !filter::idle(&cluster.filters);
    let blend = cluster.blend;
    if !filtered && cluster.opacity == 255 && cluster.masks.is_empty() {
        // Where nothing happens to the group as a whole, it needs no picture of its own.
        match cluster.items.as_slice() {
            items if blend == BlendMode::Normal => {
                items.iter().for_each(|item| draw(item, target, area, brush));
                return;
            }
            [Ready::Layer(placed)] if placed.backdrop.is_none() => {
                draw_layer(placed, blend, target, area, brush);
                return;
            }
            _ => {}
        }
    }
    let room = if filtered { cluster.room } else { area };
    let mut bitmap = Bitmap::new(room.width() as u32, room.height() as u32);
    let mut inner = Target { bitmap: &mut bitmap, x: room.x0, y: room.y0 };
    let beneath = if blend == BlendMode::Normal { brush.beneath } else { Some(&*target) };
    let mut within = Brush { scratch: brush.scratch, stop: brush.stop, beneath };
    for item in &cluster.items {
        draw(item, &mut inner, room, &mut within);
    }
    if filtered {
        let grain = Grain::new(kurbo::Affine::IDENTITY);
        filter::apply(&cluster.filters, &mut bitmap, &grain, Edge::Transparent, brush.stop);
    }
    let shade = Shade { opacity: cluster.opacity, masks: &cluster.masks, blend };
    put(&bitmap, room, target, area, &shade, brush);
}

/// Composites a picture that is at `at`.
fn put(
    bitmap: &Bitmap,
    at: IRect,
    target: &mut Target<'_>,
    area: IRect,
    shade: &Shade<'_>,
    brush: &mut Brush<'_>,
) {
    let placing = Placing {
        view: bitmap.view(),
        region: rect::to_rect(bitmap.bounds()),
        map: Map::Shift { x: at.x0, y: at.y0 },
        opaque: false,
        footprint: None,
    };
    warp::draw(target, area, &placing, shade, brush.scratch);
}
