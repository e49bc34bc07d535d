//! Limits on the painting cost of one overlay's parts in a frame, and of the whole frame. Ordinary films stay far below them;
//! they keep hostile compositions from taking minutes per frame.

use kurbo::Rect;

use crate::Homography;
use crate::display::{BlendMode, Filter, Item};

const FULL_HD: f64 = 1920.0 * 1080.0;
/// Maximum pixels the parts of one overlay paint, overlaps included.
const MOST_PAINTED: f64 = 64.0 * FULL_HD;
/// Maximum blurred pixels, summed over the parts.
const MOST_BLURRED: f64 = 16.0 * FULL_HD;
/// Maximum pixels a frame paints, overlaps included.
const FRAME_PAINTED: f64 = 512.0 * FULL_HD;
/// Maximum blurred pixels of a frame.
const FRAME_BLURRED: f64 = 128.0 * FULL_HD;

/// Pixels that cost as much to paint as one that is blended.
const BLENDED: f64 = 8.0;

/// The area of a part on the canvas, in pixels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    width: f64,
    height: f64,
    /// Standard deviation of its blur.
    sigma: f64,
}

impl Extent {
    /// The cost of a content with these bounds, clipped to `frame`.
    pub fn new(bounds: Rect, sigma: f64, transform: &Homography, frame: Option<Rect>) -> Self {
        let seen = transform.map_rect(bounds).unwrap_or(Rect::ZERO);
        let cut = |from: f64, to: f64| (to - from).max(0.0);
        let (width, height) = match frame {
            Some(f) => (cut(seen.x0.max(f.x0), seen.x1.min(f.x1)), cut(seen.y0.max(f.y0), seen.y1.min(f.y1))),
            None => (seen.width(), seen.height()),
        };
        Self { width, height, sigma: sigma * transform.scale_at(bounds.center()) }
    }

    /// Pixels including the blur margin, with this fraction of the blur.
    fn area(&self, share: f64) -> f64 {
        let around = 6.0 * self.sigma * share;
        (self.width + around) * (self.height + around)
    }
}

/// The affordable subset of an overlay's parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Allowance {
    /// Number of parts, back to front.
    pub parts: usize,
    /// Factor for each blur's radius.
    pub blur: f64,
}

/// A single part is always drawn.
pub(crate) fn allowance(extents: &[Extent]) -> Allowance {
    let blurred =
        |share: f64| -> f64 { extents.iter().filter(|e| e.sigma > 0.0).map(|e| e.area(share)).sum() };
    let mut blur = 1.0;
    while extents.len() > 1 && blurred(blur) > MOST_BLURRED && blur > 1e-3 {
        blur *= 0.75;
    }
    let mut painted = 0.0;
    let affordable = extents.iter().take_while(|extent| {
        painted += extent.area(blur);
        painted <= MOST_PAINTED
    });
    Allowance { parts: affordable.count().max(1), blur }
}

/// Reduces what a frame shows, back to front, to what one frame may cost; returns the number of items that stay. Blurs in
/// front are left out first, then items.
pub(crate) fn limit(items: &mut [Item], canvas: Rect) -> usize {
    let costs: Vec<Cost> = items.iter().map(|item| cost(item, canvas)).collect();
    if costs.iter().map(|cost| cost.blurred).sum::<f64>() > FRAME_BLURRED {
        // Smaller blurs still touch every pixel, so there are none beyond the limit.
        let mut blurred = 0.0;
        for (item, cost) in items.iter_mut().zip(&costs) {
            blurred += cost.blurred;
            if blurred > FRAME_BLURRED {
                sharpen(item);
            }
        }
    }
    let mut painted = 0.0;
    let affordable = costs.iter().take_while(|cost| {
        painted += cost.painted;
        painted <= FRAME_PAINTED
    });
    affordable.count().max(1).min(items.len())
}

struct Cost {
    painted: f64,
    blurred: f64,
}

fn cost(item: &Item, canvas: Rect) -> Cost {
    match item {
        Item::Layer(layer) => {
            let place = &layer.placement;
            let extent = |sigma| Extent::new(layer.content.bounds, sigma, &place.transform, Some(canvas));
            let painted = extent(0.0).area(0.0);
            let own = extent(widest(&place.filters).unwrap_or(0.0)).area(1.0).min(4.0 * canvas.area());
            let behind = place.backdrop.as_ref().filter(|backdrop| widest(&backdrop.filters).is_some());
            let blurred = widest(&place.filters).map_or(0.0, |_| own) + behind.map_or(0.0, |_| canvas.area());
            Cost { painted, blurred }
        }
        Item::Group(group) => {
            let (mut painted, mut blurred) = (0.0, 0.0);
            for cost in group.items.iter().map(|item| cost(item, canvas)) {
                painted += cost.painted;
                blurred += cost.blurred;
            }
            if group.blend != BlendMode::Normal {
                painted *= BLENDED;
            }
            blurred += widest(&group.filters).map_or(0.0, |_| canvas.area());
            Cost { painted, blurred }
        }
    }
}

/// The largest standard deviation of blurs and shadows.
fn widest(filters: &[Filter]) -> Option<f64> {
    let sigma = |filter: &Filter| match filter {
        Filter::Blur { sigma } | Filter::DropShadow { sigma, .. } => Some(*sigma),
        Filter::Matrix(_) => None,
    };
    filters.iter().filter_map(sigma).filter(|sigma| *sigma > 0.0).reduce(f64::max)
}

/// Takes blurs and shadows out.
fn sharpen(item: &mut Item) {
    let keep = |filter: &Filter| matches!(filter, Filter::Matrix(_));
    match item {
        Item::Layer(layer) => {
            layer.placement.filters.retain(keep);
            if let Some(backdrop) = &mut layer.placement.backdrop {
                backdrop.filters.retain(keep);
            }
        }
        Item::Group(group) => {
            group.filters.retain(keep);
            group.items.iter_mut().for_each(sharpen);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::display::{Content, Layer, Placement};

    fn layers(count: usize, side: f64, sigma: f64) -> Vec<Item> {
        let content = Arc::new(Content::new(Rect::new(0.0, 0.0, side, side), Vec::new()));
        let placement = Placement {
            transform: Homography::IDENTITY,
            moving: false,
            opacity: 1.0,
            clips: Vec::new(),
            filters: vec![Filter::Blur { sigma }],
            backdrop: None,
        };
        vec![Item::Layer(Layer { content, placement }); count]
    }

    #[test]
    fn overlays_of_a_frame_share_one_budget() {
        let canvas = Rect::new(0.0, 0.0, 1920.0, 1080.0);
        let blurred = |items: &[Item]| items.iter().filter(|item| cost(item, canvas).blurred > 0.0).count();
        let mut usual = layers(40, 1000.0, 30.0);
        assert_eq!((limit(&mut usual, canvas), blurred(&usual)), (40, 40));
        let mut hostile = layers(3000, 1000.0, 30.0);
        let kept = limit(&mut hostile, canvas);
        assert!((900..1200).contains(&kept), "{kept}");
        assert!((50..300).contains(&blurred(&hostile)), "{}", blurred(&hostile));
    }

    fn parts(count: usize, side: f64, sigma: f64) -> Vec<Extent> {
        vec![Extent::new(Rect::new(0.0, 0.0, side, side), sigma, &Homography::IDENTITY, None); count]
    }

    #[test]
    fn what_films_show_is_drawn_as_it_is() {
        for (count, side, sigma) in
            [(200, 64.0, 40.0), (2000, 110.0, 0.0), (10_000, 40.0, 0.0), (1, 4000.0, 300.0)]
        {
            assert_eq!(allowance(&parts(count, side, sigma)), Allowance { parts: count, blur: 1.0 });
        }
    }

    #[test]
    fn parts_beyond_all_measure_are_blurred_less_or_left_out() {
        let letters = allowance(&parts(5000, 12.0, 500.0));
        assert!(letters.parts == 5000 && letters.blur < 0.05 && letters.blur > 0.01, "{letters:?}");
        let flakes = allowance(&parts(2000, 1000.0, 0.0));
        assert!((100..200).contains(&flakes.parts), "{flakes:?}");
    }
}
