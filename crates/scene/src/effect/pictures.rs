//! Cells and pictures of effects: coloured or covered by an image, with round corners.

use std::sync::Arc;

use kurbo::{Affine, Rect, Size, Vec2};
use rondo_css::Color;

use crate::boxes;
use crate::display::*;
use crate::overlay::Prepare;
use crate::world::MediaInfo;

/// What a cell shows.
#[derive(Clone, Debug)]
pub(super) enum Face {
    Color(Color),
    Picture(MediaInfo),
    /// The media could not be read.
    Nothing,
}

/// The faces of cells, repeated in turn: pictures where there are any, colours otherwise.
pub(super) fn faces(images: &[String], colors: &[Color], p: &Prepare<'_>) -> Vec<Face> {
    if images.is_empty() {
        return colors.iter().map(|c| Face::Color(*c)).collect();
    }
    images.iter().map(|src| p.world.media(src).map_or(Face::Nothing, Face::Picture)).collect()
}

/// A face filling `rect`, with corners of `radius`; a picture covers `cover`, of which `rect` shows a part.
pub(super) fn cell(face: &Face, rect: Rect, cover: Rect, radius: f64) -> Option<Arc<Content>> {
    if rect.width() <= 0.0 || rect.height() <= 0.0 {
        return None;
    }
    let radius = radius.min(rect.width() / 2.0).min(rect.height() / 2.0);
    let outline = boxes::rounded(rect, [Vec2::new(radius, radius); 4]);
    let draw = match face {
        Face::Nothing => return None,
        Face::Color(color) => {
            Draw::Fill { outline, transform: Affine::IDENTITY, paint: Paint::Solid(*color) }
        }
        Face::Picture(info) => {
            let picture = covering(info, cover, rect)?;
            Draw::Group { draws: vec![picture], filters: Vec::new(), clip: Some(outline), opacity: 1.0 }
        }
    };
    Some(Arc::new(Content::new(rect, vec![draw])))
}

/// The part of a picture seen in `seen` when it covers `cover` without distortion, centred.
fn covering(info: &MediaInfo, cover: Rect, seen: Rect) -> Option<Draw> {
    let natural = Size::new(f64::from(info.width.max(1)), f64::from(info.height.max(1)));
    let scale = (cover.width() / natural.width).max(cover.height() / natural.height);
    let placed = Rect::from_center_size(cover.center(), natural * scale);
    let dest = seen.intersect(placed);
    if dest.width() <= 0.0 || dest.height() <= 0.0 {
        return None;
    }
    let per_pixel = info.scale / scale;
    let source = Rect::new(
        (dest.x0 - placed.x0) * per_pixel,
        (dest.y0 - placed.y0) * per_pixel,
        (dest.x1 - placed.x0) * per_pixel,
        (dest.y1 - placed.y0) * per_pixel,
    );
    let picture = PictureRef { source: info.source, source_key: info.key, time_us: 0 };
    Some(Draw::Picture(PictureDraw { picture, source, dest, key: None }))
}
