//! Video that goes from decoder to encoder without a colour round trip: where that is possible, and where not.

use rondo_pixels::{IRect, Planes};
use rondo_scene::display::{Draw, Item};

use crate::convert::whole_steps;
use crate::dirty::{self, Mark};
use crate::filter;

/// Above this share of the canvas, painting everything is the quicker way.
const MOST_PAINTED: f64 = 0.6;

/// The highest item that is nothing but a moving picture over the whole canvas.
pub fn base(items: &[Item], canvas: IRect) -> Option<usize> {
    items.iter().rposition(|item| {
        let Item::Layer(layer) = item else { return false };
        let placement = &layer.placement;
        let [Draw::Picture(draw)] = layer.content.draws.as_slice() else { return false };
        let plain = draw.key.is_none()
            && placement.opacity >= 1.0
            && placement.clips.is_empty()
            && placement.backdrop.is_none()
            && filter::idle(&placement.filters);
        plain && dirty::item_bounds(item, canvas, &mut Vec::new()) == canvas
    })
}

/// Where the items above leave something, in the steps that are converted together; `None` when that is too much. It
/// depends on the frame alone, so that a frame is the same regardless of earlier frames.
pub fn regions(above: &[Mark], planes: &Planes, canvas: IRect) -> Option<Vec<IRect>> {
    let fit = |rect: &IRect| whole_steps(planes, rect.intersect(&canvas));
    let touched = above.iter().map(|mark| mark.bounds).collect();
    let regions = dirty::whole_regions(touched, above, &fit);
    let painted: i64 = regions.iter().map(IRect::area).sum();
    (painted as f64 <= canvas.area() as f64 * MOST_PAINTED).then_some(regions)
}
