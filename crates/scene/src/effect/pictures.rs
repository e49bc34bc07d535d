//! Cells and pictures of effects: coloured or covered by an image, with round corners.

use std::sync::Arc;

use kurbo::{Affine, Rect, Size, Vec2};
use rondo_css::Color;

use crate::Homography;
use crate::boxes;
use crate::display::*;
use crate::motion::keyframes::Pose;
use crate::outlines;
use crate::prepare::Prepare;
use crate::sprite::Sprite;
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

/// The centred `cover` fit of a picture, of which a cell shows a part.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cover {
    /// The box it is the background of.
    Box(Rect),
    /// The position of an image, snapped to whole pixels.
    Image(Rect),
}

/// A drawn cell.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    whole: Arc<Content>,
    /// A picture without its corners, and these.
    picture: Option<(Arc<Content>, Outline)>,
}

impl Cell {
    /// A face filling `rect`, with corners of `radius`.
    pub fn new(face: &Face, rect: Rect, cover: Cover, radius: f64) -> Option<Self> {
        if rect.width() <= 0.0 || rect.height() <= 0.0 {
            return None;
        }
        let radius = radius.min(rect.width() / 2.0).min(rect.height() / 2.0);
        let outline = outlines::rounded(rect, [Vec2::new(radius, radius); 4]);
        let content = |draw| Arc::new(Content::new(rect, vec![draw]));
        Some(match face {
            Face::Nothing => return None,
            Face::Color(color) => {
                let fill = Draw::Fill { outline, transform: Affine::IDENTITY, paint: Paint::Solid(*color) };
                Self { whole: content(fill), picture: None }
            }
            Face::Picture(info) => {
                let picture = covering(info, cover, rect)?;
                let cut = Draw::Group {
                    draws: vec![picture.clone()],
                    filters: Vec::new(),
                    clip: Some(outline.clone()),
                    opacity: 1.0,
                };
                Self { whole: content(cut), picture: Some((content(picture), outline)) }
            }
        })
    }

    pub fn still(&self, transform: Homography) -> Sprite {
        Sprite::still(self.whole.clone(), transform)
    }

    /// In motion. A picture is then sampled and clipped at its final position: drawing it first and moving it afterwards
    /// would resample it twice.
    pub fn moving(&self, transform: Homography) -> Sprite {
        match &self.picture {
            Some((picture, corners)) if transform.as_affine().is_some() => {
                Sprite { corners: Some(corners.clone()), ..Sprite::moving(picture.clone(), transform) }
            }
            _ => Sprite::moving(self.whole.clone(), transform),
        }
    }

    /// Moved by keyframes.
    pub fn posed(&self, at: Homography, pose: &Pose, moving: bool) -> Sprite {
        let transform = pose.transform * at;
        let sprite = if moving && pose.blur <= 0.0 { self.moving(transform) } else { self.still(transform) };
        Sprite { moving, blur: pose.blur, ..sprite.faded(pose.opacity) }
    }
}

/// The part of a picture seen in `seen`.
fn covering(info: &MediaInfo, cover: Cover, seen: Rect) -> Option<Draw> {
    let natural = Size::new(f64::from(info.width.max(1)), f64::from(info.height.max(1)));
    let covered = |rect: Rect| {
        let scale = (rect.width() / natural.width).max(rect.height() / natural.height);
        Rect::from_center_size(rect.center(), natural * scale)
    };
    let placed = match cover {
        Cover::Box(rect) => covered(rect),
        Cover::Image(rect) => boxes::snapped(covered(rect)),
    };
    let dest = seen.intersect(placed);
    if dest.width() <= 0.0 || dest.height() <= 0.0 {
        return None;
    }
    let across = info.scale * natural.width / placed.width();
    let down = info.scale * natural.height / placed.height();
    let source = Rect::new(
        (dest.x0 - placed.x0) * across,
        (dest.y0 - placed.y0) * down,
        (dest.x1 - placed.x0) * across,
        (dest.y1 - placed.y0) * down,
    );
    let picture = PictureRef { source: info.source, source_key: info.key, time_us: 0 };
    Some(Draw::Picture(PictureDraw { picture, source, dest, key: None }))
}
