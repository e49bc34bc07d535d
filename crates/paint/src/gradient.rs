//! Gradient colours, evaluated for every pixel rather than through a table, so that hard stops stay hard.

use kurbo::{Affine, Point};
use rondo_scene::display::{Gradient, GradientKind};

/// A gradient ready to be asked row by row.
pub struct Shader {
    kind: GradientKind,
    repeat: bool,
    /// Offsets and premultiplied colours in 0..255.
    stops: Vec<(f32, [f32; 4])>,
    to_content: Affine,
}

impl Shader {
    /// `transform` leads from content space to the pixels asked for.
    pub fn new(gradient: &Gradient, transform: Affine) -> Self {
        let stops = gradient
            .stops
            .iter()
            .map(|s| {
                let (c, a) = (s.color, s.color.a * 255.0);
                (s.offset, [c.r * a, c.g * a, c.b * a, a])
            })
            .collect();
        Self { kind: gradient.kind, repeat: gradient.repeat, stops, to_content: transform.inverse() }
    }

    /// Fills one row of pixels, `x` and `y` naming its first.
    pub fn row(&self, x: i32, y: i32, out: &mut [u8]) {
        let [a, b, c, d, e, f] = self.to_content.as_coeffs();
        let (px, py) = (f64::from(x) + 0.5, f64::from(y) + 0.5);
        let (x0, y0) = (a * px + c * py + e, b * px + d * py + f);
        let mut segment = 0;
        for (i, p) in out.as_chunks_mut::<4>().0.iter_mut().enumerate() {
            let at = Point::new(x0 + a * i as f64, y0 + b * i as f64);
            let t = self.wrap(self.offset(at));
            *p = self.color(t, &mut segment);
        }
    }

    fn offset(&self, p: Point) -> f32 {
        match self.kind {
            GradientKind::Linear { start, end } => {
                let d = end - start;
                let length = d.hypot2();
                if length < 1e-12 { 1.0 } else { ((p - start).dot(d) / length) as f32 }
            }
            GradientKind::Radial { center, radii } => {
                let x = (p.x - center.x) / radii.x.max(1e-9);
                let y = (p.y - center.y) / radii.y.max(1e-9);
                (x * x + y * y).sqrt() as f32
            }
            GradientKind::Conic { center, angle } => {
                let turn = ((p.x - center.x).atan2(center.y - p.y) - angle) / std::f64::consts::TAU;
                (turn - turn.floor()) as f32
            }
        }
    }

    fn wrap(&self, t: f32) -> f32 {
        let (Some(first), Some(last)) = (self.stops.first(), self.stops.last()) else { return t };
        let span = last.0 - first.0;
        if !self.repeat || span <= 1e-7 {
            return t;
        }
        first.0 + (t - first.0).rem_euclid(span)
    }

    /// `segment` remembers where the last colour was found.
    fn color(&self, t: f32, segment: &mut usize) -> [u8; 4] {
        let stops = &self.stops;
        let (Some(first), Some(last)) = (stops.first(), stops.last()) else { return [0; 4] };
        if t < first.0 {
            return quantise(first.1);
        }
        if t >= last.0 || t.is_nan() {
            return quantise(last.1);
        }
        // The last stop at or before `t`, so that of two equal offsets the second rules to their right.
        let inside = |i: usize| i + 1 < stops.len() && stops[i].0 <= t && t < stops[i + 1].0;
        if !inside(*segment) {
            *segment = stops.partition_point(|s| s.0 <= t).saturating_sub(1).min(stops.len() - 1);
        }
        let (o0, c0) = stops[*segment];
        let (o1, c1) = stops[(*segment + 1).min(stops.len() - 1)];
        let k = if o1 > o0 { (t - o0) / (o1 - o0) } else { 0.0 };
        quantise(std::array::from_fn(|i| c0[i] + (c1[i] - c0[i]) * k))
    }
}

fn quantise(c: [f32; 4]) -> [u8; 4] {
    c.map(|v| (v + 0.5) as u8)
}
