//! Overlays made of several contents that move on their own: their layers at one frame.

use std::sync::Arc;

use kurbo::Rect;

use crate::Homography;
use crate::boxes::filters_reach;
use crate::budget::{Extent, allowance};
use crate::display::*;
use crate::motion::keyframes::Pose;
use crate::stage::Placed;

/// A content at one frame, placed within its overlay.
pub(crate) struct Part {
    pub content: Arc<Content>,
    /// To the space of the overlay's content.
    pub transform: Homography,
    pub moving: bool,
    pub opacity: f32,
    pub filters: Vec<Filter>,
    pub backdrop: Option<Backdrop>,
}

impl Part {
    /// A content that stays where it was drawn.
    pub fn still(content: Arc<Content>) -> Self {
        Self {
            content,
            transform: Homography::IDENTITY,
            moving: false,
            opacity: 1.0,
            filters: Vec::new(),
            backdrop: None,
        }
    }

    /// Moved, faded and blurred by keyframes.
    pub fn posed(self, (pose, moving): (Pose, bool)) -> Self {
        let blur = (pose.blur > 0.0).then_some(Filter::Blur { sigma: pose.blur });
        Self {
            transform: pose.transform,
            moving,
            opacity: pose.opacity as f32,
            filters: blur.into_iter().collect(),
            ..self
        }
    }

    fn is_empty(&self) -> bool {
        self.content.draws.is_empty() && self.backdrop.is_none()
    }

    /// Standard deviation of its blur.
    fn blur(&self) -> f64 {
        let sigma = |filter: &Filter| if let Filter::Blur { sigma } = filter { *sigma } else { 0.0 };
        self.filters.iter().map(sigma).fold(0.0, f64::max)
    }

    /// Whether it is entirely inside `frame`.
    fn lies_within(&self, frame: Rect) -> bool {
        let ink = self.content.bounds.inset(filters_reach(&self.filters));
        self.transform.map_rect(ink).is_some_and(|b| frame.union(b) == frame)
    }
}

/// Reduces the parts, and their blurs, to the budget.
fn afford(parts: &mut Vec<Part>, frame: Rect, placed: &Placed) {
    let frame = placed.transform.map_rect(frame);
    let extent = |part: &Part| {
        Extent::new(part.content.bounds, part.blur(), &(placed.transform * part.transform), frame)
    };
    let extents: Vec<Extent> = parts.iter().map(extent).collect();
    let allowed = allowance(&extents);
    parts.truncate(allowed.parts);
    for filter in parts.iter_mut().flat_map(|part| &mut part.filters) {
        if let Filter::Blur { sigma } = filter {
            *sigma *= allowed.blur;
        }
    }
}

/// The layers of the parts, back to front, filtered by `filters`, cut by `frame`, then faded and filtered as one.
pub(crate) fn items(parts: Vec<Part>, frame: Rect, filters: &[Filter], placed: &Placed) -> Vec<Item> {
    let mut parts: Vec<Part> = parts.into_iter().filter(|p| p.opacity > 0.0 && !p.is_empty()).collect();
    afford(&mut parts, frame, placed);
    let together = placed.opacity < 1.0 || !placed.filters.is_empty();
    // A filter of the whole must not be enlarged or turned with a part.
    let carried = !placed.filters.is_empty() && parts.iter().any(|p| p.transform != Homography::IDENTITY);
    let grouped = !filters.is_empty() || (together && (parts.len() > 1 || carried));
    let cut = || Clip { outline: Outline::Rect(frame), transform: placed.transform };
    let whole =
        |within: bool| -> Vec<Clip> { placed.clips.iter().cloned().chain((!within).then(cut)).collect() };
    let mut behind = Vec::new();
    let mut layers = Vec::with_capacity(parts.len());
    let mut all_within = true;
    for mut part in parts {
        let transform = placed.transform * part.transform;
        let moving = placed.moving || part.moving;
        let within = part.lies_within(frame);
        all_within &= within;
        if let Some(backdrop) = part.backdrop.take_if(|_| grouped) {
            let content = Arc::new(Content::new(Rect::ZERO, Vec::new()));
            let placement = Placement {
                transform,
                moving,
                opacity: placed.opacity,
                clips: whole(false),
                filters: Vec::new(),
                backdrop: Some(backdrop),
            };
            behind.push(Item::Layer(Layer { content, placement }));
        }
        let mut own_filters = part.filters;
        let (mut opacity, mut clips) = (part.opacity, Vec::new());
        if !grouped {
            opacity *= placed.opacity;
            own_filters.extend(placed.filters.iter().cloned());
            clips = whole(within);
        }
        let backdrop = part.backdrop;
        let placement = Placement { transform, moving, opacity, clips, filters: own_filters, backdrop };
        layers.push(Item::Layer(Layer { content: part.content, placement }));
    }
    if !grouped {
        return layers;
    }
    if !filters.is_empty() {
        let filters = on_canvas(filters, frame, placed);
        layers = vec![Item::Group(Group { filters, ..Group::blended(layers, BlendMode::Normal) })];
        all_within = false;
    }
    let group = Group {
        items: layers,
        opacity: placed.opacity,
        clips: whole(all_within),
        filters: placed.group_filters.clone(),
        blend: BlendMode::Normal,
    };
    behind.into_iter().chain([Item::Group(group)]).collect()
}

/// Filters of the overlay's content in canvas pixels, as groups have them.
fn on_canvas(filters: &[Filter], frame: Rect, placed: &Placed) -> Vec<Filter> {
    let (map, center) = (placed.transform, frame.center());
    let scale = map.scale_at(center);
    let moved = |offset: kurbo::Vec2| match (map.apply(center), map.apply(center + offset)) {
        (Some(from), Some(to)) => to - from,
        _ => offset,
    };
    filters
        .iter()
        .map(|filter| match filter {
            Filter::Blur { sigma } => Filter::Blur { sigma: sigma * scale },
            Filter::Matrix(matrix) => Filter::Matrix(matrix.clone()),
            Filter::DropShadow { offset, sigma, color } => {
                Filter::DropShadow { offset: moved(*offset), sigma: sigma * scale, color: *color }
            }
        })
        .collect()
}
