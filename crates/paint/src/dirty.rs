//! Which parts of the canvas differ from the frame painted before.

use std::collections::HashMap;

use kurbo::{Affine, Rect};
use rondo_pixels::IRect;
use rondo_scene::Homography;
use rondo_scene::display::{Clip, Filter, Item, Layer};

use crate::clip::{Cut, cut, map_bounds, outline_bounds};
use crate::filter::{self, Grain};
use crate::identity::Identity;
use crate::picture::scale_of;
use crate::rect;

/// The mark of one item on the canvas.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    pub identity: u128,
    /// Everything it may touch.
    pub bounds: IRect,
    /// Regions that can only be painted whole, because they are filtered together.
    pub closed: Vec<IRect>,
}

/// Marks of all items of a frame.
pub fn marks(items: &[Item], canvas: IRect) -> Vec<Mark> {
    items
        .iter()
        .map(|item| {
            let mut id = Identity::of("item");
            id.item(item);
            let mut closed = Vec::new();
            let bounds = item_bounds(item, canvas, &mut closed);
            closed.retain(|c| !c.is_empty());
            Mark { identity: id.done(), bounds, closed }
        })
        .collect()
}

/// Where an item may leave colour. `closed` collects regions that must be painted whole.
pub fn item_bounds(item: &Item, canvas: IRect, closed: &mut Vec<IRect>) -> IRect {
    match item {
        Item::Layer(layer) => {
            let clipped = clip_bounds(&layer.placement.clips, canvas);
            let mut bounds = layer_bounds(layer).intersect(&clipped);
            if layer.placement.backdrop.is_some() {
                let behind = backdrop_bounds(layer, canvas);
                closed.push(behind);
                bounds = bounds.union(&behind.intersect(&clipped));
            }
            bounds
        }
        Item::Group(group) => {
            let clipped = clip_bounds(&group.clips, canvas);
            let reach = group_reach(&group.filters);
            let room = canvas.grow(reach);
            let inner = group.items.iter().fold(IRect::EMPTY, |b, i| b.union(&item_bounds(i, room, closed)));
            let bounds = inner.grow(reach).intersect(&clipped);
            if !filter::idle(&group.filters) {
                closed.push(bounds);
            }
            bounds
        }
    }
}

/// Group filters work in canvas pixels.
pub fn group_reach(filters: &[Filter]) -> i32 {
    filter::reach(filters, &Grain::new(Affine::IDENTITY))
}

/// Bounds of the clipped region, without a margin for antialiasing.
fn clip_bounds(clips: &[Clip], canvas: IRect) -> IRect {
    clips.iter().fold(canvas, |b, c| {
        b.intersect(&match cut(c) {
            Cut::Scissor(r) => r,
            Cut::Path { bounds, .. } => rect::around(bounds),
            Cut::Nothing => IRect::EMPTY,
        })
    })
}

/// Content bounds with the room its placement's filters need, in content space.
pub fn filtered_bounds(layer: &Layer) -> Rect {
    let reach = f64::from(filter::reach(&layer.placement.filters, &Grain::new(Affine::IDENTITY)));
    layer.content.bounds.inflate(reach, reach)
}

/// Canvas region of a layer before clips.
fn layer_bounds(layer: &Layer) -> IRect {
    let placement = &layer.placement;
    if !finite(&placement.transform) || !layer.content.bounds.is_finite() {
        return IRect::EMPTY;
    }
    let Some(r) = map_bounds(filtered_bounds(layer), &placement.transform) else { return IRect::EMPTY };
    let bounds = rect::around(r);
    // Reduced rasters are coarser than the canvas; their edges may be a little outside.
    let [sx, sy] = scale_of(&placement.transform, layer.content.bounds);
    let slack = if placement.moving || placement.transform.as_affine().is_none() {
        (1.0 + sx.max(sy)).min(64.0).ceil() as i32
    } else {
        1
    };
    bounds.grow(slack)
}

pub fn finite(h: &Homography) -> bool {
    h.0.iter().all(|v| v.is_finite())
}

/// What a layer's backdrop filter sees, on whole pixels.
pub fn backdrop_bounds(layer: &Layer, canvas: IRect) -> IRect {
    let Some(backdrop) = &layer.placement.backdrop else { return IRect::EMPTY };
    if !finite(&layer.placement.transform) {
        return IRect::EMPTY;
    }
    map_bounds(outline_bounds(&backdrop.outline), &layer.placement.transform)
        .map_or(IRect::EMPTY, |r| rect::around(r).intersect(&canvas))
}

/// Regions to paint again so that the canvas shows `new` instead of `old`.
pub fn regions(old: &[Mark], new: &[Mark], canvas: IRect) -> Vec<IRect> {
    let mut places: HashMap<u128, Vec<usize>> = HashMap::new();
    for (i, mark) in old.iter().enumerate().rev() {
        places.entry(mark.identity).or_default().push(i);
    }
    let mut kept = vec![false; old.len()];
    let mut rects = Vec::new();
    let mut next = 0;
    for mark in new {
        let found = places.get_mut(&mark.identity).and_then(|at| {
            while at.last().is_some_and(|i| *i < next) {
                at.pop();
            }
            at.pop()
        });
        match found {
            Some(i) => {
                kept[i] = true;
                next = i + 1;
            }
            None => rects.push(mark.bounds),
        }
    }
    rects.extend(old.iter().zip(&kept).filter(|(_, kept)| !**kept).map(|(m, _)| m.bounds));
    whole_regions(rects, new, &|r| r.intersect(&canvas))
}

/// Rectangles joined until each is worth painting separately and holds the closed regions of `marks` whole or not at all.
/// `fit` brings every rectangle into its final shape first.
pub fn whole_regions(rects: Vec<IRect>, marks: &[Mark], fit: &dyn Fn(&IRect) -> IRect) -> Vec<IRect> {
    let mut rects: Vec<IRect> = rects.iter().map(fit).filter(|r| !r.is_empty()).collect();
    let closed: Vec<IRect> = marks.iter().flat_map(|m| &m.closed).map(fit).collect();
    loop {
        merge(&mut rects);
        let mut grew = false;
        for c in &closed {
            let touched = rects.iter().any(|r| !r.intersect(c).is_empty());
            if touched && !rects.iter().any(|r| r.contains(c)) {
                rects.push(*c);
                grew = true;
            }
            // Rectangles that hold only a part of a closed region are joined with it.
            let mut whole = *c;
            let before = rects.len();
            rects.retain(|r| {
                let partial = !r.intersect(c).is_empty() && !r.contains(c);
                if partial {
                    whole = whole.union(r);
                }
                !partial
            });
            if rects.len() != before {
                rects.push(whole);
                grew = true;
            }
        }
        if !grew {
            return rects;
        }
    }
}

const MOST: usize = 12;

/// Joins rectangles that cost less together than apart.
fn merge(rects: &mut Vec<IRect>) {
    // Of many, only a few at a time are compared with each other: the time taken grows no faster than their number.
    let mut few: Vec<IRect> = Vec::with_capacity(2 * MOST + 1);
    for rect in rects.drain(..) {
        if !few.iter().any(|r| r.contains(&rect)) {
            few.push(rect);
        }
        if few.len() > 2 * MOST {
            join_cheapest(&mut few, MOST);
        }
    }
    while join_cheapest(&mut few, MOST) {}
    *rects = few;
}

/// Joins the two rectangles that lose least by it, if they lose nothing or there are more than `most`.
fn join_cheapest(rects: &mut Vec<IRect>, most: usize) -> bool {
    // What a rectangle costs besides its pixels, in pixels.
    const OVERHEAD: i64 = 4096;
    let mut best: Option<(i64, usize, usize)> = None;
    for i in 0..rects.len() {
        for j in i + 1..rects.len() {
            let joined = rects[i].union(&rects[j]).area();
            let loss = joined - rects[i].area() - rects[j].area() - OVERHEAD;
            if best.is_none_or(|b| loss < b.0) {
                best = Some((loss, i, j));
            }
        }
    }
    match best {
        Some((loss, i, j)) if loss <= 0 || rects.len() > most => {
            rects[i] = rects[i].union(&rects[j]);
            rects.swap_remove(j);
            true
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CANVAS: IRect = IRect::new(0, 0, 1000, 1000);

    fn mark(identity: u128, x: i32, y: i32) -> Mark {
        Mark { identity, bounds: IRect::new(x, y, x + 10, y + 10), closed: Vec::new() }
    }

    #[test]
    fn equal_lists_leave_nothing_to_paint() {
        let list = [mark(1, 0, 0), mark(2, 500, 500)];
        assert!(regions(&list, &list, CANVAS).is_empty());
    }

    #[test]
    fn a_moved_item_dirties_where_it_was_and_where_it_is() {
        let still = mark(1, 300, 300);
        let rects = regions(&[still.clone(), mark(2, 0, 0)], &[still, mark(3, 800, 800)], CANVAS);
        assert_eq!(rects.len(), 2);
        assert!(rects.contains(&IRect::new(0, 0, 10, 10)) && rects.contains(&IRect::new(800, 800, 810, 810)));
    }

    #[test]
    fn items_that_change_places_are_painted_again() {
        let (a, b) = (mark(1, 0, 0), mark(2, 5, 5));
        assert!(!regions(&[a.clone(), b.clone()], &[b, a], CANVAS).is_empty());
    }

    #[test]
    fn a_change_under_a_backdrop_repaints_the_whole_backdrop() {
        let glass = Mark {
            identity: 9,
            bounds: IRect::new(100, 100, 400, 400),
            closed: vec![IRect::new(100, 100, 400, 400)],
        };
        let rects = regions(&[mark(1, 95, 95), glass.clone()], &[mark(2, 95, 95), glass], CANVAS);
        assert_eq!(rects, [IRect::new(95, 95, 400, 400)]);
    }
    #[test]
    fn many_changes_are_gathered_into_a_few_regions_that_hold_them_all() {
        let now: Vec<Mark> =
            (0..5000u128).map(|i| mark(i, (i * 37 % 990) as i32, (i * 101 % 990) as i32)).collect();
        let began = std::time::Instant::now();
        let rects = regions(&[], &now, CANVAS);
        assert!(rects.len() <= MOST && now.iter().all(|m| rects.iter().any(|r| r.contains(&m.bounds))));
        assert!(began.elapsed().as_secs() < 2, "comparing each with each would take minutes");
    }
}
