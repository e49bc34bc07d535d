//! The trait of overlay types that are drawn.

use std::sync::Arc;

use kurbo::{Point, Rect};
use rondo_composition::Base;

use crate::display::{Backdrop, Clip, Content, Item, Layer, Outline, Placement};
use crate::prepare::Prepare;
use crate::stage::{Motion, Placed, Stage};

/// An overlay type that is drawn.
pub(crate) trait Visual {
    /// What its styles say about position, opacity and motion.
    fn motion(&self) -> Motion<'_>;

    /// Reads its styles and builds its contents; `None` when there is nothing to show.
    fn prepare(&self, base: &Base, stage: &Stage, p: &mut Prepare<'_>) -> Option<Body>;
}

/// What an overlay shows, in layer box coordinates moved by the layer's subpixel offset.
pub(crate) type Body = Box<dyn Show + Send + Sync>;

/// A prepared overlay.
pub(crate) trait Show {
    /// Adds the layers at a local frame, back to front.
    fn show(&self, frame: u32, placed: Placed, stage: &Stage, items: &mut Vec<Item>);

    /// What cuts the overlay to where it is seen: its box, and more where corners or clip paths cut that. `whole` is the box
    /// in content space.
    fn area(&self, whole: Rect, _frame: u32, placed: &Placed, _: &Stage) -> Vec<Clip> {
        vec![placed.clip(Outline::Rect(whole))]
    }

    /// When the word at a point, or nearest to it, is said: milliseconds of the overlay. The point is in content space.
    fn said_at(&self, _frame: u32, _point: Point) -> Option<f64> {
        None
    }
}

/// One content for the overlay's whole life.
pub(crate) struct Still {
    pub content: Arc<Content>,
    pub backdrop: Option<Backdrop>,
    /// What cuts it to where it is seen, in place of its box.
    pub cuts: Vec<Outline>,
}

impl Show for Still {
    fn show(&self, _: u32, placed: Placed, _: &Stage, items: &mut Vec<Item>) {
        items.push(placed.layer(self.content.clone(), self.backdrop.clone()));
    }

    fn area(&self, whole: Rect, _: u32, placed: &Placed, _: &Stage) -> Vec<Clip> {
        if self.cuts.is_empty() {
            return vec![placed.clip(Outline::Rect(whole))];
        }
        self.cuts.iter().map(|cut| placed.clip(cut.clone())).collect()
    }
}

impl Placed {
    /// The content as a layer at this place.
    pub fn layer(self, content: Arc<Content>, backdrop: Option<Backdrop>) -> Item {
        let Self { transform, moving, opacity, clips, filters, .. } = self;
        Item::Layer(Layer {
            content,
            placement: Placement { transform, moving, opacity, clips, filters, backdrop },
        })
    }
}
