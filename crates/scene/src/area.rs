//! Where overlays are on the canvas at a frame, and which of them are at a point of it.

use kurbo::{BezPath, PathEl, Point, Rect, Shape, Size, Vec2};
use rondo_composition::OverlayId;

use crate::Homography;
use crate::display::{Clip, FillRule, Outline};

/// The least depth of a corner in front of the viewer: one behind is drawn far away.
const NEAREST: f64 = 1e-3;

/// An overlay on the canvas at one frame.
#[derive(Clone, Debug)]
pub struct Area {
    /// Index of the overlay in the composition.
    pub overlay: u32,
    pub id: OverlayId,
    /// The corners of its box as they are seen: top left, top right, bottom right, bottom left.
    pub corners: [Point; 4],
    /// Its box before it is turned and moved, and its angle in degrees.
    pub rect: Rect,
    pub rotation: f64,
    /// Whether anything of it is painted: it is not transparent, and its media are there.
    pub seen: bool,
    /// It is inside all of them.
    pub clips: Vec<Clip>,
}

impl Area {
    /// Whether a point of the canvas is on it.
    pub fn contains(&self, point: Point) -> bool {
        self.clips.iter().all(|clip| {
            clip.transform.unapply(point).is_some_and(|point| outline_contains(&clip.outline, point))
        })
    }
}

/// The overlays at a point of the canvas, the one in front first; those of which nothing is seen come after all others.
/// `areas` are back to front.
pub fn hit(areas: &[Area], point: Point) -> Vec<&Area> {
    let mut found: Vec<&Area> = areas.iter().rev().filter(|area| area.contains(point)).collect();
    found.sort_by_key(|area| !area.seen);
    found
}

/// The corners of a box that `transform` maps to the canvas.
pub(crate) fn corners(size: Size, transform: &Homography) -> [Point; 4] {
    let m = &transform.0;
    [(0.0, 0.0), (size.width, 0.0), (size.width, size.height), (0.0, size.height)].map(|(x, y)| {
        let w = (m[6] * x + m[7] * y + m[8]).max(NEAREST);
        Point::new((m[0] * x + m[1] * y + m[2]) / w, (m[3] * x + m[4] * y + m[5]) / w)
    })
}

fn outline_contains(outline: &Outline, point: Point) -> bool {
    match outline {
        Outline::Rect(rect) => rect.contains(point),
        Outline::RoundedRect(rect, radii) => rect.contains(point) && !is_off_corner(*rect, *radii, point),
        Outline::Path(path, rule) => {
            let winding = closed(path).winding(point);
            match rule {
                FillRule::NonZero => winding != 0,
                FillRule::EvenOdd => winding % 2 != 0,
            }
        }
    }
}

/// Whether a point of a rectangle is outside one of its round corners.
fn is_off_corner(rect: Rect, radii: [Vec2; 4], point: Point) -> bool {
    let [left, top] = [point.x - rect.x0, point.y - rect.y0];
    let [right, bottom] = [rect.x1 - point.x, rect.y1 - point.y];
    let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
    corners.into_iter().zip(radii).any(|((x, y), radius)| {
        let beyond = |distance: f64, radius: f64| {
            if distance < radius { (radius - distance) / radius } else { 0.0 }
        };
        let (x, y) = (beyond(x, radius.x), beyond(y, radius.y));
        x > 0.0 && y > 0.0 && x * x + y * y > 1.0
    })
}

/// A path is filled as if each part of it were closed.
fn closed(path: &BezPath) -> BezPath {
    let mut closed = BezPath::new();
    for element in path {
        if matches!(element, PathEl::MoveTo(_)) && !closed.elements().is_empty() {
            closed.close_path();
        }
        closed.push(element);
    }
    if !closed.elements().is_empty() {
        closed.close_path();
    }
    closed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(overlay: u32, seen: bool, outline: Outline, transform: Homography) -> Area {
        let clips = vec![Clip { outline, transform }];
        let corners = [Point::ORIGIN; 4];
        Area { overlay, id: overlay.into(), corners, rect: Rect::ZERO, rotation: 0.0, seen, clips }
    }

    fn found(areas: &[Area], x: f64, y: f64) -> Vec<u32> {
        hit(areas, Point::new(x, y)).iter().map(|area| area.overlay).collect()
    }

    #[test]
    fn the_overlay_in_front_is_hit_first_and_what_is_not_seen_last() {
        let square = |overlay, seen| {
            area(overlay, seen, Outline::Rect(Rect::new(0.0, 0.0, 10.0, 10.0)), Homography::IDENTITY)
        };
        let areas = [square(4, true), square(2, true), square(7, false)];
        assert_eq!(found(&areas, 5.0, 5.0), [2, 4, 7]);
        assert_eq!(found(&areas, 10.0, 5.0), [0; 0]);
    }

    #[test]
    fn corners_and_holes_are_not_hit() {
        let rect = Rect::new(0.0, 0.0, 100.0, 50.0);
        let radii = [Vec2::new(20.0, 10.0), Vec2::ZERO, Vec2::ZERO, Vec2::ZERO];
        let round = [area(0, true, Outline::RoundedRect(rect, radii), Homography::IDENTITY)];
        assert_eq!(found(&round, 1.0, 1.0), [0; 0]);
        assert_eq!(found(&round, 99.0, 1.0), [0]);
        assert_eq!(found(&round, 7.0, 4.0), [0]);
        let mut path = rect.to_path(0.1);
        path.extend(rect.inset(-10.0).to_path(0.1));
        let ring = |rule| [area(0, true, Outline::Path(path.clone().into(), rule), Homography::IDENTITY)];
        assert_eq!(found(&ring(FillRule::EvenOdd), 50.0, 25.0), [0; 0]);
        assert_eq!(found(&ring(FillRule::NonZero), 50.0, 25.0), [0]);
    }

    #[test]
    fn an_open_path_is_hit_where_it_is_filled() {
        let mut path = BezPath::new();
        path.move_to((0.0, 0.0));
        path.line_to((10.0, 0.0));
        path.line_to((10.0, 10.0));
        path.move_to((20.0, 0.0));
        path.line_to((30.0, 0.0));
        path.line_to((30.0, 10.0));
        let open = [area(0, true, Outline::Path(path.into(), FillRule::NonZero), Homography::IDENTITY)];
        assert_eq!(found(&open, 8.0, 4.0), [0]);
        assert_eq!(found(&open, 28.0, 4.0), [0]);
        assert_eq!(found(&open, 15.0, 4.0), [0; 0]);
    }

    #[test]
    fn what_is_behind_the_viewer_or_edge_on_is_not_hit() {
        let rect = Outline::Rect(Rect::new(-1e6, -1e6, 1e6, 1e6));
        // The plane is behind the viewer left of x = -100.
        let tilted = Homography([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.01, 0.0, 1.0]);
        let areas = [area(0, true, rect.clone(), tilted)];
        assert_eq!(found(&areas, 50.0, 10.0), [0]);
        assert_eq!(found(&areas, 150.0, 10.0), [0; 0]);
        let flat = Homography([1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
        assert_eq!(found(&[area(0, true, rect, flat)], 5.0, 0.0), [0; 0]);
        assert!(corners(Size::new(10.0, 10.0), &flat).iter().all(|corner| corner.y == 0.0));
    }
}
