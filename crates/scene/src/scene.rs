//! A composition prepared for rendering: any of its frames, in any order, as a display list.

use kurbo::{Rect, Size};
use rondo_composition::{Composition, Overlay};
use rondo_css::{BlendMode, Color, Context};
use rondo_text::{TextEngine, TextStyle};

use crate::area::{self, Area};
use crate::display::{Frame, Group, Item, Outline};
use crate::notice::{Notice, Notices};
use crate::overlay::visual;
use crate::prepare::Prepare;
use crate::stage::{Stage, subpixel};
use crate::visual::Body;
use crate::world::World;
use crate::{boxes, budget};

/// A composition with its texts laid out and its contents built. `frame` is a pure function.
pub struct Scene {
    width: u32,
    height: u32,
    duration: u32,
    background: Color,
    /// Back to front.
    actors: Vec<Actor>,
}

/// A visual overlay, ready to be placed.
struct Actor {
    /// Index of the overlay in the composition.
    overlay: u32,
    from: i64,
    duration: u32,
    blend: BlendMode,
    /// The box before motion, and its angle in degrees.
    rect: Rect,
    rotation: f64,
    stage: Stage,
    /// `None` when there is nothing to show, such as media that are not there.
    body: Option<Body>,
}

impl Scene {
    /// Prepares a composition; notices list what will not look as written.
    pub fn new(composition: &Composition, engine: &mut TextEngine, world: &dyn World) -> (Self, Vec<Notice>) {
        let mut notices = Notices::default();
        let canvas = Size::new(f64::from(composition.width), f64::from(composition.height));
        let background = notices
            .css("backgroundColor".into(), Color::parse(&composition.background_color))
            .unwrap_or(Color::WHITE);
        let mut stacked: Vec<(usize, &Overlay)> = composition.overlays.iter().enumerate().collect();
        // Lower rows are in front; the sort is stable, so equal rows keep the order of the array.
        stacked.sort_by(|a, b| b.1.base.row.total_cmp(&a.1.base.row));
        let (zero_width, x_height) = engine.letter_sizes(&TextStyle::default());
        let css =
            Context { zero_width: zero_width.into(), x_height: x_height.into(), ..Context::new(canvas) };
        let mut actors = Vec::new();
        for (index, overlay) in stacked {
            let mut prepare = Prepare {
                engine,
                world,
                notices: &mut notices,
                path: format!("overlays[{index}]"),
                css,
                fps: f64::from(composition.fps),
                from: overlay.base.from,
                duration: overlay.base.duration,
                offset: kurbo::Vec2::ZERO,
                snaps: true,
            };
            actors.extend(actor(index as u32, overlay, &mut prepare));
        }
        let scene = Self {
            width: composition.width,
            height: composition.height,
            duration: composition.duration,
            background,
            actors,
        };
        (scene, notices.into_sorted())
    }

    pub fn width(&self) -> u32 {
        self.width
    }

    pub fn height(&self) -> u32 {
        self.height
    }

    /// The background as authored.
    pub(crate) fn background(&self) -> Color {
        self.background
    }

    /// Whether nothing can be seen through the background.
    pub fn is_opaque(&self) -> bool {
        self.background.a >= 1.0
    }

    /// Number of frames.
    pub fn duration(&self) -> u32 {
        self.duration
    }

    /// What frame number `frame` shows, on an opaque ground.
    pub fn frame(&self, frame: u32) -> Frame {
        let (mut items, mut overlays) = (Vec::new(), Vec::new());
        for actor in &self.actors {
            let Ok(local) = u32::try_from(i64::from(frame) - actor.from) else { continue };
            if local < actor.duration {
                actor.items(local, &mut items);
                overlays.resize(items.len(), actor.overlay);
            }
        }
        let canvas = Rect::new(0.0, 0.0, f64::from(self.width), f64::from(self.height));
        let kept = budget::limit(&mut items, canvas);
        items.truncate(kept);
        overlays.truncate(kept);
        let background = over_white(self.background);
        Frame { width: self.width, height: self.height, background, items, overlays }
    }

    /// Where the overlays of frame number `frame` are on the canvas, back to front.
    pub fn areas(&self, frame: u32) -> Vec<Area> {
        let shown = |actor: &Actor| {
            let local = u32::try_from(i64::from(frame) - actor.from).ok()?;
            (local < actor.duration).then(|| actor.area(local))
        };
        self.actors.iter().filter_map(shown).collect()
    }
}

impl Actor {
    fn items(&self, local: u32, items: &mut Vec<Item>) {
        let (Some(placed), Some(body)) = (self.stage.at(local), &self.body) else { return };
        let beneath = items.len();
        body.show(local, placed, &self.stage, items);
        if self.blend != BlendMode::Normal && items.len() > beneath {
            let own = items.split_off(beneath);
            items.push(Item::Group(Group::blended(own, self.blend)));
        }
    }

    fn area(&self, local: u32) -> Area {
        let placed = self.stage.place(local);
        let whole = boxes::snapped(self.stage.size().to_rect() + self.stage.offset());
        let mut clips = match &self.body {
            Some(body) => body.area(whole, local, &placed, &self.stage),
            None => vec![placed.clip(Outline::Rect(whole))],
        };
        clips.extend(placed.clips.iter().cloned());
        Area {
            overlay: self.overlay,
            id: self.stage.id(),
            corners: area::corners(self.stage.size(), &placed.from_box()),
            rect: self.rect,
            rotation: self.rotation,
            seen: placed.opacity > 0.0 && self.body.is_some(),
            clips,
        }
    }
}

/// The actor of an overlay; sound has none.
fn actor(index: u32, overlay: &Overlay, p: &mut Prepare<'_>) -> Option<Actor> {
    let base = &overlay.base;
    let visual = visual(&overlay.kind)?;
    let motion = visual.motion();
    (p.offset, p.snaps) = subpixel(base, motion.transform);
    let blend = p.read("styles.mixBlendMode", motion.blend, BlendMode::parse).unwrap_or_default();
    let stage = Stage::prepare(base, &motion, p);
    let body = visual.prepare(base, &stage, p);
    let rect = Rect::from_origin_size((base.left, base.top), (base.width, base.height));
    Some(Actor {
        overlay: index,
        from: base.from,
        duration: base.duration,
        blend,
        rect,
        rotation: base.rotation,
        stage,
        body,
    })
}

/// A translucent background is painted on white.
pub(crate) fn over_white(c: Color) -> Color {
    let mix = |v: f32| v * c.a + (1.0 - c.a);
    Color { r: mix(c.r), g: mix(c.g), b: mix(c.b), a: 1.0 }
}
