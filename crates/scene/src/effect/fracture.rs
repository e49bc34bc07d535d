//! Tiles that fly together, rest as one picture, and fly apart again.

use kurbo::{Point, Rect, Size, Vec2};
use rondo_composition::{Base, EffectStyles};
use rondo_css::Easing;

use super::children::Children;
use super::pictures::{Cell, Cover, Face, faces};
use super::{TICKS, cell_colors};
use crate::Homography;
use crate::boxes;
use crate::motion::{Property, flatten, random};
use crate::prepare::Prepare;
use crate::sprite::Sprite;

const TILES: u32 = 5;
const LEG_TICKS: f64 = 55.0;
const STAGGER_TICKS: f64 = 4.0;
/// In vmin of the box.
const TILE: f64 = 14.0;
const GAP: f64 = 1.2;
const RADIUS: f64 = 1.5;
const PERSPECTIVE: f64 = 100.0;

/// Offsets of a tile that is away: property, seed, range, and whether the range is in vmin rather than degrees.
const FLIGHT: [(Property, &str, f64, f64, bool); 6] = [
    (Property::X, "x", -80.0, 80.0, true),
    (Property::Y, "y", -80.0, 80.0, true),
    (Property::Z, "z", -120.0, 20.0, true),
    (Property::RotateX, "rx", -180.0, 180.0, false),
    (Property::RotateY, "ry", -180.0, 180.0, false),
    (Property::Rotate, "rz", -90.0, 90.0, false),
];

pub(super) struct Fracture {
    tiles: Vec<Tile>,
    vmin: f64,
    leg: f64,
    hold: f64,
    easing: Easing,
    children: Option<Children>,
}

struct Tile {
    index: usize,
    /// Browsers snap the edges of a box at rest to whole pixels, but its origin and size separately if it is transformed.
    resting: (Cell, Vec2),
    flying: (Cell, Vec2),
    middle: Point,
    delay: f64,
    away: [f64; 6],
}

pub(super) fn prepare(s: &EffectStyles, base: &Base, p: &mut Prepare<'_>) -> Fracture {
    let size = Size::new(base.width, base.height);
    let vmin = size.min_side() / 100.0;
    let ticks = p.fps / TICKS;
    let (cols, rows) = (s.grid_cols.unwrap_or(TILES), s.grid_rows.unwrap_or(TILES));
    let (tile, gap) = (TILE * vmin, GAP * vmin);
    let length = |n: u32| f64::from(n) * tile + f64::from(n - 1) * gap;
    let whole = Rect::from_center_size(size.to_rect().center(), (length(cols), length(rows)));
    let step = s.stagger_delay.unwrap_or(STAGGER_TICKS * ticks);
    let leg = s.anim_duration.unwrap_or(LEG_TICKS * ticks);
    let far = |row: u32, col: u32| f64::from(row.abs_diff(rows / 2) + col.abs_diff(cols / 2));
    let farthest = [(0, 0), (0, cols - 1), (rows - 1, 0), (rows - 1, cols - 1)]
        .iter()
        .map(|&(row, col)| far(row, col))
        .fold(0.0, f64::max);
    let colors = cell_colors(s, p);
    let faces = faces(&s.cell_images, &colors, p);
    let cut = matches!(faces.as_slice(), [Face::Picture(_)]);
    let n = (cols * rows) as usize;
    let tiles = (0..n)
        .filter_map(|index| {
            let (col, row) = (index as u32 % cols, index as u32 / cols);
            let at = whole.origin() + Vec2::new(f64::from(col), f64::from(row)) * (tile + gap);
            let face = &faces[index % faces.len()];
            let drawn = |origin: Vec2, within: Vec2| {
                let local = Rect::from_origin_size(within.to_point(), (tile, tile));
                let rect = if p.snaps { boxes::snapped(local) } else { local };
                let cover = if cut { Cover::Image(whole - at.to_vec2() + within) } else { Cover::Box(local) };
                Some((Cell::new(face, rect, cover, RADIUS * vmin)?, origin))
            };
            let floor = Vec2::new(at.x.floor(), at.y.floor());
            let near = if p.snaps { Vec2::new(at.x.round(), at.y.round()) } else { at.to_vec2() };
            let middle = Rect::from_origin_size(near.to_point(), (tile, tile)).center();
            let (resting, flying) = (drawn(floor, at.to_vec2() - floor)?, drawn(near, Vec2::ZERO)?);
            let away = FLIGHT.map(|(_, seed, low, high, length)| {
                let at = random::from_text(&format!("frac-{seed}-{index}"));
                (low + (high - low) * at) * if length { vmin } else { 1.0 }
            });
            let delay = step * far(row, col);
            Some(Tile { index, resting, flying, middle, delay, away })
        })
        .collect();
    Fracture {
        tiles,
        vmin,
        leg,
        hold: (f64::from(base.duration) - 2.0 * leg - step * farthest).max(0.0),
        easing: Easing::parse("easeInOutCubic").unwrap_or(Easing::Linear),
        children: Children::staggered(s.staggered_motion.as_ref(), n, p),
    }
}

impl Fracture {
    /// Progress of a tile towards its resting position: 0 away, 1 at rest.
    fn home(&self, frame: u32, delay: f64) -> f64 {
        let since = f64::from(frame) - delay;
        let leg = self.leg.max(1e-9);
        let part = if since < self.leg + self.hold {
            since / leg
        } else {
            1.0 - (since - self.leg - self.hold) / leg
        };
        self.easing.at(part)
    }

    pub fn sprites(&self, frame: u32) -> Vec<Sprite> {
        let tile = |t: &Tile| {
            let home = |origin: Vec2| Homography::translate(origin.x, origin.y);
            let (flying, resting) = (&t.flying, &t.resting);
            if let Some(children) = &self.children {
                let pose = children.at(frame, t.index, t.middle);
                let moving = children.moves(frame, t.index);
                let rests = !moving && pose.transform == Homography::IDENTITY;
                let (cell, origin) = if rests { resting } else { flying };
                return cell.posed(home(*origin), &pose, moving);
            }
            let q = self.home(frame, t.delay);
            if q >= 1.0 {
                return resting.0.still(home(resting.1));
            }
            let away = FLIGHT.iter().zip(t.away).map(|(row, v)| (row.0, v * (1.0 - q)));
            let chain = std::iter::once((Property::Perspective, PERSPECTIVE * self.vmin)).chain(away);
            let flown = flatten(chain, Size::ZERO, t.middle);
            flying.0.moving(flown * home(flying.1)).faded(q)
        };
        self.tiles.iter().map(tile).collect()
    }
}
