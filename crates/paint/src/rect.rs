//! Whole-pixel rectangles from rectangles of any size, and back.

use kurbo::Rect;
use rondo_pixels::IRect;

/// The smallest whole-pixel rectangle around `r`. Coordinates saturate, so any float is welcome.
pub fn around(r: Rect) -> IRect {
    const LIMIT: f64 = 1e8;
    // Products of matrices leave dust around whole numbers; it must not add a row of pixels.
    const DUST: f64 = 1e-6;
    let floor = |v: f64| (v + DUST).floor().clamp(-LIMIT, LIMIT) as i32;
    let ceil = |v: f64| (v - DUST).ceil().clamp(-LIMIT, LIMIT) as i32;
    IRect { x0: floor(r.x0), y0: floor(r.y0), x1: ceil(r.x1), y1: ceil(r.y1) }
}

/// The largest whole-pixel rectangle in `r`.
pub fn inside(r: Rect) -> IRect {
    let IRect { x0, y0, x1, y1 } = around(Rect { x0: -r.x0, y0: -r.y0, x1: -r.x1, y1: -r.y1 });
    IRect { x0: -x0, y0: -y0, x1: -x1, y1: -y1 }
}

pub fn to_rect(r: IRect) -> Rect {
    Rect::new(f64::from(r.x0), f64::from(r.y0), f64::from(r.x1), f64::from(r.y1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_pixels_inside_a_rectangle_are_all_covered_by_it() {
        assert_eq!(inside(Rect::new(0.2, -1.5, 3.9, 4.0)), IRect::new(1, -1, 3, 4));
        assert_eq!(inside(Rect::new(1.000_000_01, 2.0, 2.999_999_99, 5.0)), IRect::new(1, 2, 3, 5));
    }
}
