//! Many small contents placed as one overlay: what effects and stickers are made of.

use std::sync::Arc;

use kurbo::{Rect, Vec2};

use crate::Homography;
use crate::budget::{Extent, allowance};
use crate::display::*;
use crate::stage::Placed;

/// A content somewhere in the layer box.
#[derive(Clone, Debug)]
pub(crate) struct Sprite {
    pub content: Arc<Content>,
    /// Content to layer box.
    pub transform: Homography,
    pub opacity: f64,
    pub moving: bool,
    /// Standard deviation of a blur in pixels; 0 for none.
    pub blur: f64,
    /// Cuts the content, in its space; not together with a blur.
    pub corners: Option<Outline>,
    /// Cuts the content too: a rectangle and its way to the layer box. Not together with a blur.
    pub window: Option<(Rect, Homography)>,
}

impl Sprite {
    pub fn still(content: Arc<Content>, transform: impl Into<Homography>) -> Self {
        let transform = transform.into();
        Self { content, transform, opacity: 1.0, moving: false, blur: 0.0, corners: None, window: None }
    }

    pub fn moving(content: Arc<Content>, transform: impl Into<Homography>) -> Self {
        Self { moving: true, ..Self::still(content, transform) }
    }

    pub fn faded(self, opacity: f64) -> Self {
        Self { opacity: self.opacity * opacity, ..self }
    }
}

/// The sprites of one overlay, back to front, as one item. `offset` is the subpixel offset of the layer box,
/// `clip` what cuts them, in the space of the overlay's contents.
pub(crate) fn together(
    sprites: Vec<Sprite>,
    placed: &Placed,
    offset: Vec2,
    clip: Option<Rect>,
) -> Option<Item> {
    let base = placed.transform * Homography::translate(offset.x, offset.y);
    let sprites: Vec<Sprite> = sprites.into_iter().filter(|s| s.opacity > 0.0).collect();
    let frame = clip.and_then(|rect| placed.transform.map_rect(rect));
    let extent = |s: &Sprite| Extent::new(s.content.bounds, s.blur, &(base * s.transform), frame);
    let allowed = allowance(&sprites.iter().map(extent).collect::<Vec<_>>());
    let items: Vec<Item> = sprites
        .into_iter()
        .take(allowed.parts)
        .map(|s| {
            let blur = (s.blur > 0.0).then_some(Filter::Blur { sigma: s.blur * allowed.blur });
            let transform = base * s.transform;
            let mut clips: Vec<Clip> =
                s.corners.map(|outline| Clip { outline, transform }).into_iter().collect();
            if let Some((rect, transform)) = s.window.filter(|_| blur.is_none()) {
                clips.push(Clip { outline: Outline::Rect(rect), transform: base * transform });
            }
            let placement = Placement {
                transform,
                moving: s.moving || placed.moving,
                opacity: s.opacity.min(1.0) as f32,
                clips,
                filters: blur.into_iter().collect(),
                backdrop: None,
            };
            Item::Layer(Layer { content: s.content, placement })
        })
        .collect();
    let mut clips = placed.clips.clone();
    clips.extend(clip.map(|rect| Clip { outline: Outline::Rect(rect), transform: placed.transform }));
    (!items.is_empty()).then(|| {
        let filters = placed.group_filters.clone();
        Item::Group(Group { items, opacity: placed.opacity, clips, filters, blend: BlendMode::Normal })
    })
}
