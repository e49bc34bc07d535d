//! Box shadows: geometry after CSS, drawn from blurred coverage.

use kurbo::{Rect, Vec2};
use rondo_scene::display::Outline;

use crate::clip::Mask;

/// The outline grown by `by` (shrunk when negative) with its corners following; `None` when nothing is left.
/// Outlines that are not boxes keep their size.
pub fn grown(outline: &Outline, by: f64) -> Option<Outline> {
    let inflate = |r: &Rect| Some(r.inflate(by, by)).filter(|r| r.width() > 0.0 && r.height() > 0.0);
    match outline {
        Outline::Rect(r) => inflate(r).map(Outline::Rect),
        Outline::RoundedRect(r, radii) => {
            inflate(r).map(|grown| Outline::RoundedRect(grown, radii.map(|c| corner(c, by))))
        }
        Outline::Path(..) => Some(outline.clone()),
    }
}

/// Sharp corners stay sharp, and nearly sharp ones nearly so.
fn corner(radius: Vec2, by: f64) -> Vec2 {
    let one = |r: f64| {
        if by <= 0.0 {
            (r + by).max(0.0)
        } else if r >= by {
            r + by
        } else {
            let k = 1.0 - r / by;
            r + by * (1.0 - k * k * k)
        }
    };
    if radius.x <= 0.0 || radius.y <= 0.0 { Vec2::ZERO } else { Vec2::new(one(radius.x), one(radius.y)) }
}

/// Coverage of a blurred rectangle, without a picture of it: the browser's own approximation of the bell's integral.
pub fn blurred_rect(r: Rect, sigma: (f64, f64), mask: &mut Mask) {
    let side = |from: i32, to: i32, lo: f64, hi: f64, sigma: f64| -> Vec<f64> {
        let at = |x: i32| f64::from(x) + 0.5;
        (from..to)
            .map(|x| integral((lo - at(x)) / (2.0 * sigma)) - integral((hi - at(x)) / (2.0 * sigma)))
            .collect()
    };
    let b = mask.bounds;
    let across = side(b.x0, b.x1, r.x0, r.x1, sigma.0);
    let down = side(b.y0, b.y1, r.y0, r.y1, sigma.1);
    for (row, v) in mask.values.chunks_exact_mut(across.len().max(1)).zip(&down) {
        for (m, u) in row.iter_mut().zip(&across) {
            *m = (u * v * 255.0 + 0.5) as u8;
        }
    }
}

/// How much of three convolved boxes is right of `x`.
fn integral(x: f64) -> f64 {
    let (x2, x3) = (x * x, x * x * x);
    if x > 1.5 {
        0.0
    } else if x < -1.5 {
        1.0
    } else if x > 0.5 {
        0.5625 - (x3 / 6.0 - 0.75 * x2 + 1.125 * x)
    } else if x > -0.5 {
        0.5 - (0.75 * x - x3 / 3.0)
    } else {
        0.4375 + (-x3 / 6.0 - 0.75 * x2 - 1.125 * x)
    }
}

/// Coverage moved by any distance, empty where it came from.
pub fn shift(values: &[u8], width: usize, height: usize, by: Vec2) -> Vec<u8> {
    let quarter = |v: f64| (v.clamp(-1e6, 1e6) * 256.0).round() as i64;
    let (dx, dy) = (quarter(by.x), quarter(by.y));
    let (sx, fx) = (dx >> 8, (dx & 255) as u32);
    let (sy, fy) = (dy >> 8, (dy & 255) as u32);
    let at = |x: i64, y: i64| -> u32 {
        if x < 0 || y < 0 || x >= width as i64 || y >= height as i64 {
            0
        } else {
            u32::from(values[y as usize * width + x as usize])
        }
    };
    let mut out = Vec::with_capacity(values.len());
    for y in 0..height as i64 {
        for x in 0..width as i64 {
            let (u, v) = (x - sx, y - sy);
            if fx == 0 && fy == 0 {
                out.push(at(u, v) as u8);
                continue;
            }
            let upper = at(u, v - 1) * (256 - fx) + at(u - 1, v - 1) * fx;
            let lower = at(u, v) * (256 - fx) + at(u - 1, v) * fx;
            out.push(((lower * (256 - fy) + upper * fy + 0x8000) >> 16) as u8);
        }
    }
    out
}
