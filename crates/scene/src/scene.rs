//! A composition prepared for rendering: any of its frames, in any order, as a display list.

use kurbo::Size;
use rondo_composition::{Composition, Overlay, OverlayKind};
use rondo_css::{Color, Context};
use rondo_text::TextEngine;

use crate::display::{Frame, Item, Layer, Placement};
use crate::effect;
use crate::notice::{Notice, Notices};
use crate::overlay::{Body, Prepare, caption, media, shape, text};
use crate::stage::{Motion, Stage, subpixel};
use crate::sticker;
use crate::view::over_white;
use crate::world::World;

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
    from: i64,
    duration: u32,
    stage: Stage,
    body: Body,
}

impl Scene {
    /// Prepares a composition; what will not look as written is told in the notices.
    pub fn new(composition: &Composition, engine: &mut TextEngine, world: &dyn World) -> (Self, Vec<Notice>) {
        let mut notices = Notices::default();
        let canvas = Size::new(f64::from(composition.width), f64::from(composition.height));
        let background = notices
            .css("backgroundColor".into(), Color::parse(&composition.background_color))
            .unwrap_or(Color::WHITE);
        let mut stacked: Vec<(usize, &Overlay)> = composition.overlays.iter().enumerate().collect();
        // Lower rows lie in front; the sort is stable, so equal rows keep the order of the array.
        stacked.sort_by(|a, b| b.1.base.row.total_cmp(&a.1.base.row));
        let mut actors = Vec::new();
        for (index, overlay) in stacked {
            let mut prepare = Prepare {
                engine,
                world,
                notices: &mut notices,
                path: format!("overlays[{index}]"),
                css: Context::new(canvas),
                fps: f64::from(composition.fps),
                from: overlay.base.from,
                duration: overlay.base.duration,
                offset: kurbo::Vec2::ZERO,
                snaps: true,
            };
            actors.extend(actor(overlay, &mut prepare));
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

    /// What lies behind everything, as it is written.
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
        let mut items = Vec::new();
        for actor in &self.actors {
            let Ok(local) = u32::try_from(i64::from(frame) - actor.from) else { continue };
            if local < actor.duration {
                actor.items(local, &mut items);
            }
        }
        Frame { width: self.width, height: self.height, background: over_white(self.background), items }
    }
}

impl Actor {
    fn items(&self, local: u32, items: &mut Vec<Item>) {
        let Some(placed) = self.stage.at(local) else { return };
        match &self.body {
            Body::Still(still) => items.push(Item::Layer(Layer {
                content: still.content.clone(),
                placement: Placement {
                    transform: placed.transform,
                    moving: placed.moving,
                    opacity: placed.opacity,
                    clips: placed.clips,
                    filters: placed.filters,
                    backdrop: still.backdrop.clone(),
                },
            })),
            Body::Media(media) => items.extend(media.items(local, &placed, self.stage.drift(local))),
            Body::Text(text) => items.extend(text.items(local, &placed)),
            Body::Shape(shape) => items.push(Item::Layer(Layer {
                content: shape.content(local),
                placement: Placement {
                    transform: placed.transform,
                    moving: placed.moving,
                    opacity: placed.opacity,
                    clips: placed.clips,
                    filters: placed.filters,
                    backdrop: None,
                },
            })),
            Body::Captions(speech) => items.extend(speech.items(local, &placed)),
            Body::Effect(play) => items.extend(play.items(local, &placed)),
            Body::Sticker(stuck) => items.extend(stuck.items(local, &placed)),
        }
    }
}

/// The actor of an overlay; sound has none.
fn actor(overlay: &Overlay, p: &mut Prepare<'_>) -> Option<Actor> {
    let base = &overlay.base;
    let size = Size::new(base.width, base.height);
    let motion = motion(&overlay.kind)?;
    (p.offset, p.snaps) = subpixel(base, motion.transform);
    let stage = Stage::prepare(base, &motion, p);
    let body = match &overlay.kind {
        OverlayKind::Text(t) => text::prepare(t, size, stage.typing(), p),
        OverlayKind::Shape(s) => shape::prepare(s, size, p),
        OverlayKind::Image(i) => media::prepare_image(i, size, motion.pose.is_some(), stage.drifts(), p)?,
        OverlayKind::Video(v) => media::prepare_video(v, size, p)?,
        OverlayKind::Caption(c) => caption::prepare(c, size, p),
        OverlayKind::Effect(e) => effect::prepare(e, base, p),
        OverlayKind::Sticker(s) => sticker::prepare(s, size, p)?,
        OverlayKind::Sound(_) => return None,
    };
    Some(Actor { from: base.from, duration: base.duration, stage, body })
}

/// What the styles say about the overlay's place; `None` for types that draw nothing.
fn motion(kind: &OverlayKind) -> Option<Motion<'_>> {
    macro_rules! motion {
        ($styles:expr, $pose:expr, $media:expr) => {
            Motion {
                animation: $styles.animation.as_ref(),
                transform: $styles.transform.as_deref(),
                opacity: $styles.opacity,
                pose: $pose,
                media: $media,
                stagger: None,
                during: true,
            }
        };
    }
    Some(match kind {
        OverlayKind::Text(t) => motion!(t.styles, None, false),
        OverlayKind::Shape(s) => {
            Motion { stagger: s.styles.staggered_motion.as_ref(), ..motion!(s.styles, None, false) }
        }
        OverlayKind::Video(v) => {
            Motion { stagger: v.styles.staggered_motion.as_ref(), ..motion!(v.styles, None, true) }
        }
        OverlayKind::Image(i) => {
            let pose = i.styles.layout_3d.as_ref().map(|l| (l.layout, l.settle));
            let pose = pose.filter(|(name, _)| name.name() != "none");
            Motion { stagger: i.styles.staggered_motion.as_ref(), ..motion!(i.styles, pose, true) }
        }
        OverlayKind::Caption(c) => Motion {
            animation: c.styles.animation.as_ref(),
            transform: None,
            opacity: c.styles.opacity,
            pose: None,
            media: false,
            stagger: None,
            during: false,
        },
        OverlayKind::Effect(e) => {
            let stagger = e.styles.staggered_motion.as_ref().filter(|_| effect::is_one_child(e.content));
            Motion { stagger, during: false, ..motion!(e.styles, None, false) }
        }
        OverlayKind::Sound(_) => return None,
        OverlayKind::Sticker(s) => {
            Motion { stagger: s.styles.staggered_motion.as_ref(), ..motion!(s.styles, None, false) }
        }
    })
}
