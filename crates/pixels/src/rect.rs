//! Whole-pixel rectangles.

/// Whole-pixel rectangle; `x1` and `y1` lie outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct IRect {
    pub x0: i32,
    pub y0: i32,
    pub x1: i32,
    pub y1: i32,
}

impl IRect {
    pub const EMPTY: Self = Self { x0: 0, y0: 0, x1: 0, y1: 0 };

    pub const fn new(x0: i32, y0: i32, x1: i32, y1: i32) -> Self {
        Self { x0, y0, x1, y1 }
    }

    pub const fn of_size(width: u32, height: u32) -> Self {
        Self { x0: 0, y0: 0, x1: width as i32, y1: height as i32 }
    }

    /// The parts of it that lie outside of another, none of them over another.
    pub fn without(&self, other: &Self) -> Vec<Self> {
        let hole = self.intersect(other);
        if hole.is_empty() {
            return vec![*self];
        }
        let parts = [
            Self::new(self.x0, self.y0, self.x1, hole.y0),
            Self::new(self.x0, hole.y0, hole.x0, hole.y1),
            Self::new(hole.x1, hole.y0, self.x1, hole.y1),
            Self::new(self.x0, hole.y1, self.x1, self.y1),
        ];
        parts.into_iter().filter(|part| !part.is_empty()).collect()
    }

    pub const fn is_empty(&self) -> bool {
        self.x0 >= self.x1 || self.y0 >= self.y1
    }

    pub const fn width(&self) -> i32 {
        if self.x1 > self.x0 { self.x1 - self.x0 } else { 0 }
    }

    pub const fn height(&self) -> i32 {
        if self.y1 > self.y0 { self.y1 - self.y0 } else { 0 }
    }

    pub const fn area(&self) -> i64 {
        self.width() as i64 * self.height() as i64
    }

    /// Empty rectangles come out as `EMPTY`.
    pub fn intersect(&self, o: &Self) -> Self {
        let r = Self {
            x0: self.x0.max(o.x0),
            y0: self.y0.max(o.y0),
            x1: self.x1.min(o.x1),
            y1: self.y1.min(o.y1),
        };
        if r.is_empty() { Self::EMPTY } else { r }
    }

    pub fn union(&self, o: &Self) -> Self {
        if self.is_empty() {
            return *o;
        }
        if o.is_empty() {
            return *self;
        }
        Self { x0: self.x0.min(o.x0), y0: self.y0.min(o.y0), x1: self.x1.max(o.x1), y1: self.y1.max(o.y1) }
    }

    pub fn contains(&self, o: &Self) -> bool {
        o.is_empty() || (self.x0 <= o.x0 && self.y0 <= o.y0 && self.x1 >= o.x1 && self.y1 >= o.y1)
    }

    /// Grown by `by` on every side.
    pub fn grow(&self, by: i32) -> Self {
        if self.is_empty() {
            return Self::EMPTY;
        }
        Self { x0: self.x0 - by, y0: self.y0 - by, x1: self.x1 + by, y1: self.y1 + by }
    }

    pub fn shift(&self, dx: i32, dy: i32) -> Self {
        Self { x0: self.x0 + dx, y0: self.y0 + dy, x1: self.x1 + dx, y1: self.y1 + dy }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rectangle_without_another_covers_the_rest_once() {
        let whole = IRect::new(2, 3, 9, 8);
        let holes = [(4, 4, 6, 6), (0, 0, 5, 5), (2, 3, 9, 8), (8, 2, 20, 4), (20, 20, 30, 30), (2, 5, 9, 6)];
        for hole in holes.map(|(x0, y0, x1, y1)| IRect::new(x0, y0, x1, y1)) {
            let parts = whole.without(&hole);
            for y in 0..12 {
                for x in 0..12 {
                    let pixel = IRect::new(x, y, x + 1, y + 1);
                    let wanted = whole.contains(&pixel) && !hole.contains(&pixel);
                    let got = parts.iter().filter(|part| part.contains(&pixel)).count();
                    assert_eq!(got, usize::from(wanted), "{hole:?} at {x}, {y}");
                }
            }
        }
    }
}
