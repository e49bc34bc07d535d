//! A visual overlay that is prepared: what a frame shows of it, and where it is.

use kurbo::{Point, Rect};
use rondo_composition::Overlay;
use rondo_css::BlendMode;

use crate::area::{self, Area};
use crate::boxes;
use crate::display::{Group, Item, Outline};
use crate::notice::Notice;
use crate::overlay::visual;
use crate::prepare::Prepare;
use crate::stage::{Stage, subpixel};
use crate::visual::Body;
use crate::world::{MediaInfo, World};

/// An overlay with its texts laid out and its contents built.
pub(crate) struct Actor {
    blend: BlendMode,
    /// The box before motion, and its angle in degrees.
    rect: Rect,
    rotation: f64,
    stage: Stage,
    /// `None` when there is nothing to show, such as media that are not there.
    body: Option<Body>,
    /// What was known of its media.
    media: Vec<Option<MediaInfo>>,
    /// Their paths begin after the overlay's.
    pub notices: Vec<Notice>,
}

impl Actor {
    /// Prepares an overlay; sound cannot be.
    pub fn prepare(overlay: &Overlay, p: &mut Prepare<'_>) -> Option<Self> {
        let base = &overlay.base;
        let visual = visual(&overlay.kind)?;
        let motion = visual.motion();
        (p.offset, p.snaps) = subpixel(base, motion.transform);
        let blend = p.read("styles.mixBlendMode", motion.blend, BlendMode::parse).unwrap_or_default();
        let stage = Stage::prepare(base, &motion, p);
        let body = visual.prepare(base, &stage, p);
        let rect = Rect::from_origin_size((base.left, base.top), (base.width, base.height));
        let media = media_of(overlay, p.world);
        let notices = p.notices.take();
        Some(Self { blend, rect, rotation: base.rotation, stage, body, media, notices })
    }

    /// Whether the media of its overlay are what they were.
    pub fn is_current(&self, overlay: &Overlay, world: &dyn World) -> bool {
        self.media == media_of(overlay, world)
    }

    /// Adds what is shown at a local frame.
    pub fn items(&self, local: u32, items: &mut Vec<Item>) {
        let (Some(placed), Some(body)) = (self.stage.at(local), &self.body) else { return };
        let beneath = items.len();
        body.show(local, placed, &self.stage, items);
        if self.blend != BlendMode::Normal && items.len() > beneath {
            let own = items.split_off(beneath);
            items.push(Item::Group(Group::blended(own, self.blend)));
        }
    }

    /// When the word at a point of the canvas is said, if words are there.
    pub fn said_at(&self, local: u32, point: Point) -> Option<f64> {
        let point = self.stage.place(local).transform.unapply(point)?;
        self.body.as_ref()?.said_at(local, point)
    }

    /// Where overlay number `overlay` is at a local frame.
    pub fn area(&self, overlay: u32, local: u32) -> Area {
        let placed = self.stage.place(local);
        let whole = boxes::snapped(self.stage.size().to_rect() + self.stage.offset());
        let mut clips = match &self.body {
            Some(body) => body.area(whole, local, &placed, &self.stage),
            None => vec![placed.clip(Outline::Rect(whole))],
        };
        clips.extend(placed.clips.iter().cloned());
        Area {
            overlay,
            id: self.stage.id(),
            corners: area::corners(self.stage.size(), &placed.box_to_canvas()),
            rect: self.rect,
            rotation: self.rotation,
            seen: placed.opacity > 0.0 && self.body.is_some(),
            clips,
        }
    }
}

fn media_of(overlay: &Overlay, world: &dyn World) -> Vec<Option<MediaInfo>> {
    overlay.media().iter().map(|source| world.media(source.address)).collect()
}
