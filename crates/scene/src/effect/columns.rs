//! Columns of pictures that scroll endlessly.

use kurbo::{Point, Rect, Size};
use rondo_composition::{ColumnDirection, EffectStyles};

use super::children::Children;
use super::pictures::{Cell, Cover, faces};
use crate::Homography;
use crate::boxes;
use crate::prepare::Prepare;
use crate::sprite::Sprite;

const PICTURE_HEIGHT: f64 = 300.0;
const PICTURE_GAP: f64 = 20.0;
const COLUMN_GAP: f64 = 20.0;
const RADIUS: f64 = 8.0;
/// Speeds of the default columns, among which pictures without columns are distributed; every second one scrolls down.
const DEALT_SPEEDS: [f64; 4] = [80.0, 140.0, 100.0, 120.0];

pub(super) struct Columns {
    columns: Vec<Column>,
    count: usize,
    size: Size,
    /// From one picture to the next.
    step: f64,
    height: f64,
    fps: f64,
    children: Option<Children>,
}

struct Column {
    index: usize,
    x: f64,
    /// Cuts the column where it moves; the whole effect is cut anyway.
    window: Rect,
    middle: Point,
    /// Pixels a second, downwards.
    speed: f64,
    pictures: Vec<Option<Cell>>,
}

/// A column as asked for: pictures, pixels a second, and whether it scrolls down.
type Wanted = (Vec<String>, f64, bool);

pub(super) fn prepare(s: &EffectStyles, size: Size, p: &mut Prepare<'_>) -> Columns {
    let wanted: Vec<Wanted> = if s.columns.is_empty() {
        let dealt = |k: usize| s.cell_images.iter().skip(k).step_by(DEALT_SPEEDS.len()).cloned().collect();
        DEALT_SPEEDS.iter().enumerate().map(|(k, &v)| (dealt(k), v, k % 2 == 1)).collect()
    } else {
        let down = |d| d == ColumnDirection::Down;
        s.columns.iter().map(|c| (c.images.clone(), c.speed, down(c.direction))).collect()
    };
    let count = wanted.len();
    let gap = s.column_gap.unwrap_or(COLUMN_GAP);
    let height = s.image_height.unwrap_or(PICTURE_HEIGHT);
    let width = (size.width - gap * (count as f64 - 1.0)) / count as f64;
    let columns = wanted
        .into_iter()
        .enumerate()
        .filter(|(_, (images, _, _))| !images.is_empty() && width > 0.0)
        .map(|(index, (images, speed, down))| {
            let x = index as f64 * (width + gap);
            let local = Rect::new(x.fract(), 0.0, x.fract() + width, height);
            let rect = if p.snaps { boxes::snapped(local) } else { local };
            let cell = |face| Cell::new(face, rect, Cover::Image(local), RADIUS);
            let pictures = faces(&images, &[], p).iter().map(cell).collect();
            Column {
                index,
                x: x.floor(),
                window: Rect::new(x - 1.0, 0.0, x + width + 1.0, size.height),
                middle: Point::new(x + width / 2.0, size.height / 2.0),
                speed: speed * s.speed * if down { 1.0 } else { -1.0 },
                pictures,
            }
        })
        .collect();
    let children = Children::staggered(s.staggered_motion.as_ref(), count, p);
    Columns { columns, count, size, step: height + PICTURE_GAP, height, fps: p.fps, children }
}

impl Columns {
    pub fn sprites(&self, frame: u32) -> Vec<Sprite> {
        let mut sprites = Vec::new();
        for column in &self.columns {
            let n = column.pictures.len() as i64;
            let scrolled = (f64::from(frame) / self.fps * column.speed).rem_euclid(n as f64 * self.step);
            // Pictures repeat above and below; only those in the box are placed.
            let first = ((-self.height - scrolled) / self.step).floor() as i64;
            let last = ((self.size.height - scrolled) / self.step).ceil() as i64;
            let motion = self.children.as_ref().filter(|_| self.count > 0);
            for k in first..=last {
                let y = scrolled + k as f64 * self.step;
                let seen = y > -self.height && y < self.size.height;
                let picture = column.pictures.get(k.rem_euclid(n) as usize).and_then(Option::as_ref);
                let (Some(picture), true) = (picture, seen) else { continue };
                let at = Homography::translate(column.x, y);
                let scrolls = column.speed != 0.0;
                sprites.push(match motion {
                    Some(children) => {
                        let pose = children.at(frame, column.index, column.middle);
                        let moves = scrolls || children.moves(frame, column.index);
                        let window = Some((column.window, pose.transform));
                        Sprite { window, ..picture.posed(at, &pose, moves) }
                    }
                    None if scrolls => picture.moving(at),
                    None => picture.still(at),
                });
            }
        }
        sprites
    }
}
