//! A composition prepared for rendering: any of its frames, in any order, as a display list.

use std::collections::HashMap;

use kurbo::{Point, Rect, Size};
use rondo_composition::{Composition, Overlay, OverlayId};
use rondo_css::{Color, Context};
use rondo_text::{TextEngine, TextStyle};

use crate::actor::Actor;
use crate::area::Area;
use crate::budget;
use crate::display::Frame;
use crate::notice::{Notice, Notices};
use crate::overlay::visual;
use crate::prepare::Prepare;
use crate::world::World;

/// A composition with its texts laid out and its contents built. `frame` is a pure function.
///
/// [`Scene::new`] prepares every overlay. A film that is being edited changes often and shows one frame at a time:
/// [`Scene::unprepared`] prepares nothing, [`Scene::prepare`] one overlay, and [`Scene::take_over`] keeps what did not
/// change. What is not prepared is not shown.
pub struct Scene {
    width: u32,
    height: u32,
    duration: u32,
    fps: f64,
    background: Color,
    css: Context,
    /// About the film itself.
    notices: Vec<Notice>,
    /// Of visual overlays, back to front.
    roles: Vec<Role>,
}

/// A visual overlay and when it is shown.
struct Role {
    /// Index of the overlay in the composition.
    overlay: usize,
    id: OverlayId,
    from: i64,
    duration: u32,
    actor: Option<Actor>,
}

impl Role {
    /// The frame of the overlay at a frame of the film, if it is shown.
    fn local(&self, frame: u32) -> Option<u32> {
        u32::try_from(i64::from(frame) - self.from).ok().filter(|local| *local < self.duration)
    }

    /// Adds what does not look as written in it.
    fn tell(&self, all: &mut Notices) {
        for notice in self.actor.iter().flat_map(|actor| &actor.notices) {
            let path = format!("overlays[{}]{}", self.overlay, notice.path);
            all.push(Notice { path, ..notice.clone() });
        }
    }
}

impl Scene {
    /// Prepares a composition; notices list what will not look as written.
    pub fn new(composition: &Composition, engine: &mut TextEngine, world: &dyn World) -> (Self, Vec<Notice>) {
        let mut scene = Self::unprepared(composition, engine);
        for number in 0..scene.roles.len() {
            scene.prepare_role(number, composition, engine, world);
        }
        let notices = scene.notices();
        (scene, notices)
    }

    /// What will not look as written. Prepares one overlay after the other and keeps none, so that memory is that of the largest.
    pub fn check(composition: &Composition, engine: &mut TextEngine, world: &dyn World) -> Vec<Notice> {
        let mut scene = Self::unprepared(composition, engine);
        let mut all = Notices::default();
        scene.notices.drain(..).for_each(|notice| all.push(notice));
        for number in 0..scene.roles.len() {
            scene.prepare_role(number, composition, engine, world);
            scene.roles[number].tell(&mut all);
            scene.roles[number].actor = None;
        }
        all.into_sorted()
    }

    /// A scene of which nothing is prepared.
    pub fn unprepared(composition: &Composition, engine: &TextEngine) -> Self {
        let mut notices = Notices::default();
        let canvas = Size::new(f64::from(composition.width), f64::from(composition.height));
        let background = notices
            .css("backgroundColor".into(), Color::parse(&composition.background_color))
            .unwrap_or(Color::WHITE);
        let mut stacked: Vec<(usize, &Overlay)> = composition.overlays.iter().enumerate().collect();
        stacked.retain(|(_, overlay)| visual(&overlay.kind).is_some());
        // Lower rows are in front; the sort is stable, so equal rows keep the order of the array.
        stacked.sort_by(|a, b| b.1.base.row.total_cmp(&a.1.base.row));
        let roles = stacked.into_iter().map(|(index, Overlay { base, .. })| Role {
            overlay: index,
            id: base.id,
            from: base.from,
            duration: base.duration,
            actor: None,
        });
        Self {
            width: composition.width,
            height: composition.height,
            duration: composition.duration,
            fps: f64::from(composition.fps),
            background,
            css: context(canvas, engine),
            notices: notices.take(),
            roles: roles.collect(),
        }
    }

    /// Whether the fonts of an engine leave relative lengths as they are.
    pub fn fits(&self, engine: &TextEngine) -> bool {
        self.css == context(self.css.viewport, engine)
    }

    /// Takes what another scene prepared of overlays that are the same in this one. `earlier` is its composition.
    pub fn take_over(&mut self, composition: &Composition, before: Self, earlier: &Composition) {
        if (before.css, before.fps) != (self.css, self.fps) {
            return;
        }
        let by_id = before.roles.into_iter().map(|role| (role.id.number().to_bits(), role));
        let mut known: HashMap<u64, Role> = by_id.collect();
        for role in &mut self.roles {
            let Some(old) = known.remove(&role.id.number().to_bits()) else { continue };
            if earlier.overlays.get(old.overlay) == composition.overlays.get(role.overlay) {
                role.actor = old.actor;
            }
        }
    }

    /// The overlays of a frame, by index, that are not prepared or whose media changed since.
    pub fn unprepared_at(&self, frame: u32, composition: &Composition, world: &dyn World) -> Vec<usize> {
        let shown = self.roles.iter().filter(|role| role.local(frame).is_some());
        let lacks = |role: &&Role| {
            let overlay = composition.overlays.get(role.overlay);
            let actor = role.actor.as_ref();
            !overlay.is_some_and(|overlay| actor.is_some_and(|actor| actor.is_current(overlay, world)))
        };
        shown.filter(lacks).map(|role| role.overlay).collect()
    }

    /// The overlay, by index, that is not prepared and is shown first from a frame on, else first of all.
    pub fn next_unprepared(&self, frame: u32) -> Option<usize> {
        let lacking = self.roles.iter().filter(|role| role.actor.is_none());
        let over = |role: &Role| role.from + i64::from(role.duration) <= i64::from(frame);
        lacking.min_by_key(|role| (over(role), role.from, role.overlay)).map(|role| role.overlay)
    }

    /// Prepares the overlay with an index; `composition` is that of the scene.
    pub fn prepare(
        &mut self,
        overlay: usize,
        composition: &Composition,
        engine: &mut TextEngine,
        world: &dyn World,
    ) {
        if let Some(number) = self.roles.iter().position(|role| role.overlay == overlay) {
            self.prepare_role(number, composition, engine, world);
        }
    }

    fn prepare_role(
        &mut self,
        number: usize,
        composition: &Composition,
        engine: &mut TextEngine,
        world: &dyn World,
    ) {
        let role = &mut self.roles[number];
        let Some(overlay) = composition.overlays.get(role.overlay) else { return };
        let mut prepare = Prepare {
            engine,
            world,
            notices: &mut Notices::default(),
            css: self.css,
            fps: self.fps,
            from: role.from,
            duration: role.duration,
            offset: kurbo::Vec2::ZERO,
            snaps: true,
        };
        role.actor = Actor::prepare(overlay, &mut prepare);
    }

    /// Forgets what was prepared of some overlays.
    pub fn forget(&mut self, is_stale: impl Fn(OverlayId) -> bool) {
        self.roles.iter_mut().filter(|role| is_stale(role.id)).for_each(|role| role.actor = None);
    }

    /// Ids of the visual overlays.
    pub fn ids(&self) -> impl Iterator<Item = OverlayId> {
        self.roles.iter().map(|role| role.id)
    }

    /// Ids of the visual overlays of a frame.
    pub fn shown(&self, frame: u32) -> impl Iterator<Item = OverlayId> {
        self.roles.iter().filter(move |role| role.local(frame).is_some()).map(|role| role.id)
    }

    /// What does not look as written in what is prepared.
    pub fn notices(&self) -> Vec<Notice> {
        let mut all = Notices::default();
        self.notices.iter().cloned().for_each(|notice| all.push(notice));
        self.roles.iter().for_each(|role| role.tell(&mut all));
        all.into_sorted()
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
        for role in &self.roles {
            if let (Some(local), Some(actor)) = (role.local(frame), &role.actor) {
                actor.items(local, &mut items);
                overlays.resize(items.len(), role.overlay as u32);
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
        let shown = |role: &Role| Some(role.actor.as_ref()?.area(role.overlay as u32, role.local(frame)?));
        self.roles.iter().filter_map(shown).collect()
    }

    /// When the word of captions at a point of the canvas, or nearest to it, is said: milliseconds of the overlay. `overlay` is
    /// its index in the composition.
    pub fn said_at(&self, frame: u32, overlay: u32, point: Point) -> Option<f64> {
        let role = self.roles.iter().find(|role| role.overlay == overlay as usize)?;
        role.actor.as_ref()?.said_at(role.local(frame)?, point)
    }
}

/// What lengths are relative to.
fn context(canvas: Size, engine: &TextEngine) -> Context {
    let (zero_width, x_height) = engine.letter_sizes(&TextStyle::default());
    Context { zero_width: zero_width.into(), x_height: x_height.into(), ..Context::new(canvas) }
}

/// A translucent background is painted on white.
pub(crate) fn over_white(c: Color) -> Color {
    let mix = |v: f32| v * c.a + (1.0 - c.a);
    Color { r: mix(c.r), g: mix(c.g), b: mix(c.b), a: 1.0 }
}
