//! Plane-to-plane projective maps: what any chain of CSS 2D and 3D transforms becomes once each stage is flattened.

use kurbo::{Affine, Point, Rect};

/// A 3×3 matrix in row order; maps (x, y, 1) to (X, Y, W), the point being (X/W, Y/W).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Homography(pub [f64; 9]);

impl Homography {
    pub const IDENTITY: Self = Self([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);

    pub fn translate(x: f64, y: f64) -> Self {
        Self([1.0, 0.0, x, 0.0, 1.0, y, 0.0, 0.0, 1.0])
    }

    /// The affine map, when no perspective is left in the matrix.
    pub fn as_affine(&self) -> Option<Affine> {
        let m = &self.0;
        if m[6].abs() > 1e-12 || m[7].abs() > 1e-12 || m[8].abs() < 1e-12 {
            return None;
        }
        let w = m[8];
        Some(Affine::new([m[0] / w, m[3] / w, m[1] / w, m[4] / w, m[2] / w, m[5] / w]))
    }

    /// Maps a point; `None` where the plane is behind the viewer.
    pub fn apply(&self, p: Point) -> Option<Point> {
        let m = &self.0;
        let w = m[6] * p.x + m[7] * p.y + m[8];
        if w <= 1e-9 {
            return None;
        }
        Some(Point::new((m[0] * p.x + m[1] * p.y + m[2]) / w, (m[3] * p.x + m[4] * p.y + m[5]) / w))
    }

    /// The point that is mapped to `seen`; `None` where there is none in front of the viewer.
    pub fn unapply(&self, seen: Point) -> Option<Point> {
        let m = &self.inverse()?.0;
        let w = m[6] * seen.x + m[7] * seen.y + m[8];
        let p = Point::new(
            (m[0] * seen.x + m[1] * seen.y + m[2]) / w,
            (m[3] * seen.x + m[4] * seen.y + m[5]) / w,
        );
        // Points behind the viewer are mapped to the same place.
        (p.is_finite() && self.apply(p).is_some()).then_some(p)
    }

    /// How much larger lengths become around a point, on average over all directions; 0 behind the viewer.
    pub fn scale_at(&self, p: Point) -> f64 {
        let [a, b, c, d, e, f, g, h, i] = self.0;
        let w = g * p.x + h * p.y + i;
        if w <= 1e-9 {
            return 0.0;
        }
        let det = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
        (det.abs() / (w * w * w)).sqrt()
    }

    /// The inverse map; `None` for a plane seen edge-on. That of an affine map has (0, 0, 1) for its last row.
    pub fn inverse(&self) -> Option<Self> {
        let [a, b, c, d, e, f, g, h, i] = self.0;
        let det = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
        if det.abs() < 1e-12 || !det.is_finite() {
            return None;
        }
        let r = 1.0 / det;
        let mut m = [
            (e * i - f * h) * r,
            (c * h - b * i) * r,
            (b * f - c * e) * r,
            (f * g - d * i) * r,
            (a * i - c * g) * r,
            (c * d - a * f) * r,
            (d * h - e * g) * r,
            (b * g - a * h) * r,
            (a * e - b * d) * r,
        ];
        let w = m[8];
        if g == 0.0 && h == 0.0 && w > 0.0 {
            m = m.map(|v| v / w);
        }
        m.iter().all(|v| v.is_finite()).then_some(Self(m))
    }

    /// Bounding box of a mapped rectangle; `None` when part of it is behind the viewer.
    pub fn map_rect(&self, r: Rect) -> Option<Rect> {
        let mut out: Option<Rect> = None;
        for p in [(r.x0, r.y0), (r.x1, r.y0), (r.x1, r.y1), (r.x0, r.y1)] {
            let q = self.apply(Point::from(p))?;
            let b = Rect::from_points(q, q);
            out = Some(out.map_or(b, |o| o.union(b)));
        }
        out
    }
}

impl From<Affine> for Homography {
    fn from(a: Affine) -> Self {
        let c = a.as_coeffs();
        Self([c[0], c[2], c[4], c[1], c[3], c[5], 0.0, 0.0, 1.0])
    }
}

/// `a * b` applies `b` first.
impl std::ops::Mul for Homography {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        let (a, b) = (&self.0, &o.0);
        let mut m = [0.0; 9];
        for r in 0..3 {
            for c in 0..3 {
                m[r * 3 + c] = a[r * 3] * b[c] + a[r * 3 + 1] * b[3 + c] + a[r * 3 + 2] * b[6 + c];
            }
        }
        Self(m)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_of_an_affine_map_is_affine_to_the_last_bit() {
        for step in 0..1000 {
            let step = f64::from(step);
            let there = Affine::translate((step, 7.0))
                * Affine::rotate(step * 0.37)
                * Affine::scale(0.3 + step * 0.011);
            let inverse = Homography::from(there).inverse().map(|inverse| inverse.0);
            assert_eq!(inverse.map(|m| [m[6], m[7], m[8]]), Some([0.0, 0.0, 1.0]), "step {step}");
        }
    }

    #[test]
    fn a_map_leads_there_and_its_inverse_back() {
        for last in [[0.0, 0.0, 2.0], [0.001, -0.002, 1.0]] {
            let there = Homography([1.5, -0.4, 20.0, 0.7, 0.9, -5.0, last[0], last[1], last[2]]);
            let back = there.inverse().and_then(|back| back.apply(there.apply(Point::new(30.0, 40.0))?));
            assert!(back.is_some_and(|p| (p - Point::new(30.0, 40.0)).hypot() < 1e-9), "{back:?}");
        }
    }

    #[test]
    fn what_is_too_large_for_numbers_has_no_inverse() {
        assert_eq!(Homography([1e-200, 0.0, 1e200, 0.0, 1e200, 1e200, 0.0, 0.0, 1.0]).inverse(), None);
    }
}
