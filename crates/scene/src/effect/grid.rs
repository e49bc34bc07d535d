//! A grid of cells that grow into place one after the other.

use kurbo::{Point, Rect, Size, Vec2};
use rondo_composition::EffectStyles;

use super::children::Children;
use super::pictures::{self, Cover, faces};
use super::{TICKS, cell_colors};
use crate::Homography;
use crate::boxes;
use crate::motion::stagger::Direction;
use crate::prepare::Prepare;
use crate::sprite::Sprite;

const CELLS: u32 = 4;
const GAP: f64 = 20.0;
const PADDING: f64 = 60.0;
const GROW_TICKS: f64 = 45.0;
const STAGGER_TICKS: f64 = 3.0;
/// Corner radius of pictures, as a part of the cell's shorter side.
const PICTURE_RADIUS: f64 = 0.12;

pub(super) struct Grid {
    cells: Vec<Cell>,
    children: Children,
}

struct Cell {
    index: usize,
    /// Browsers snap the edges of a box at rest to whole pixels, but its origin and size separately if it is transformed.
    resting: (pictures::Cell, Vec2),
    moving: (pictures::Cell, Vec2),
    middle: Point,
}

pub(super) fn prepare(s: &EffectStyles, size: Size, p: &mut Prepare<'_>) -> Grid {
    let (cols, rows) = (s.grid_cols.unwrap_or(CELLS), s.grid_rows.unwrap_or(CELLS));
    let n = (cols * rows) as usize;
    let gap = s.column_gap.unwrap_or(GAP);
    let side = |length: f64, n: u32| (length - 2.0 * PADDING - gap * f64::from(n - 1)) / f64::from(n);
    let (w, h) = (side(size.width, cols), side(size.height, rows));
    let pictured = !s.cell_images.is_empty();
    let (w, h) = if pictured { (w, h) } else { (w.min(h), w.min(h)) };
    let start =
        |length: f64, cell: f64, n: u32| (length - (f64::from(n) * cell + f64::from(n - 1) * gap)) / 2.0;
    let (x0, y0) = (start(size.width, w, cols), start(size.height, h, rows));
    let radius = if pictured { PICTURE_RADIUS * w.min(h) } else { w / 2.0 };
    let colors = cell_colors(s, p);
    let faces = faces(&s.cell_images, &colors, p);
    let cells = (0..n)
        .filter_map(|index| {
            let (col, row) = (index as u32 % cols, index as u32 / cols);
            let at = Point::new(x0 + f64::from(col) * (w + gap), y0 + f64::from(row) * (h + gap));
            let size = Size::new(w.max(0.0), h.max(0.0));
            let face = &faces[index % faces.len()];
            let drawn = |origin: Vec2, within: Vec2| {
                let local = Rect::from_origin_size(within.to_point(), size);
                let rect = if p.snaps { boxes::snapped(local) } else { local };
                Some((pictures::Cell::new(face, rect, Cover::Box(local), radius)?, origin))
            };
            let whole = Vec2::new(at.x.floor(), at.y.floor());
            let near = if p.snaps { Vec2::new(at.x.round(), at.y.round()) } else { at.to_vec2() };
            let middle = Rect::from_origin_size(near.to_point(), size).center();
            let resting = drawn(whole, at.to_vec2() - whole)?;
            Some(Cell { index, resting, moving: drawn(near, Vec2::ZERO)?, middle })
        })
        .collect();
    let ticks = p.fps / TICKS;
    let children = Children::staggered(s.staggered_motion.as_ref(), n, p).unwrap_or_else(|| {
        let order = s.stagger_dir.map_or(Direction::Center, |d| Direction::named(d.name())).order(n);
        let duration = s.anim_duration.unwrap_or(GROW_TICKS * ticks);
        Children::growing(duration, s.stagger_delay.unwrap_or(STAGGER_TICKS * ticks), order)
    });
    Grid { cells, children }
}

impl Grid {
    pub fn sprites(&self, frame: u32) -> Vec<Sprite> {
        let cell = |c: &Cell| {
            let pose = self.children.at(frame, c.index, c.middle);
            let moving = self.children.moves(frame, c.index);
            let rests = !moving && pose.transform == Homography::IDENTITY;
            let (cell, origin) = if rests { &c.resting } else { &c.moving };
            cell.posed(Homography::translate(origin.x, origin.y), &pose, moving)
        };
        self.cells.iter().map(cell).collect()
    }
}
