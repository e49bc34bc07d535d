//! Gradient colours, evaluated for every pixel rather than through a table, so that hard stops stay hard.

use kurbo::{Affine, Point, Rect, Vec2};
use rondo_css::rotation;
use rondo_scene::display::{Gradient, GradientKind, Paint, Tiles};

use crate::simd::nearest;

/// Pixels computed together.
const BATCH: usize = 16;

/// The part of content space that a gradient has colour in; `None` when that may be all of it. A glow that fades into nothing
/// is often much smaller than the box it is the background of.
pub fn inked(gradient: &Gradient) -> Option<Rect> {
    let GradientKind::Radial { center, radii } = gradient.kind else { return None };
    let visible = gradient.stops.iter().rposition(|stop| stop.color.a > 0.0);
    let end = gradient.stops.get(visible.map_or(0, |last| last + 1))?;
    let reach = radii * f64::from(end.offset.max(0.0));
    (!gradient.repeat).then(|| Rect::from_points(center - reach, center + reach))
}

/// A gradient prepared for evaluation row by row.
pub struct Shader {
    measure: Measure,
    repeat: bool,
    /// Offsets and premultiplied colours in 0..255.
    stops: Vec<(f32, [f32; 4])>,
    /// Leads from pixels to where offsets are measured.
    to_unit: Affine,
    tiling: Option<Tiling>,
}

/// The place of a tiled gradient.
struct Tiling {
    /// Leads from pixels to content space, and on to where offsets are measured.
    to_content: Affine,
    to_unit: Affine,
    tile: Rect,
    step: Vec2,
}

impl Tiling {
    /// The same place in the first tile; `None` between tiles.
    fn first(&self, at: Point) -> Option<Point> {
        let along = |at: f64, from: f64, to: f64, step: f64| {
            let at = if step > 0.0 { from + (at - from).rem_euclid(step) } else { at };
            (from..to).contains(&at).then_some(at)
        };
        let x = along(at.x, self.tile.x0, self.tile.x1, self.step.x)?;
        Some(Point::new(x, along(at.y, self.tile.y0, self.tile.y1, self.step.y)?))
    }
}

/// The function from a point to its offset.
#[derive(Clone, Copy)]
enum Measure {
    /// Its x.
    Across,
    /// Its distance from the origin.
    Away,
    /// Its turn clockwise from straight up.
    Around,
}

impl Shader {
    /// The shader of a paint that is not one colour.
    pub fn of(paint: &Paint, transform: Affine) -> Option<Self> {
        match paint {
            Paint::Solid(_) => None,
            Paint::Gradient(gradient) => Some(Self::new(gradient, transform)),
            Paint::Tiles(tiles) => Some(Self::tiled(tiles, transform)),
        }
    }

    fn tiled(tiles: &Tiles, transform: Affine) -> Self {
        let shader = Self::new(&tiles.gradient, transform);
        let (to_content, to_unit) = (transform.inverse(), shader.to_unit * transform);
        let tiling = Some(Tiling { to_content, to_unit, tile: tiles.tile, step: tiles.step });
        Self { tiling, ..shader }
    }

    /// `transform` maps content space to the output pixels.
    pub fn new(gradient: &Gradient, transform: Affine) -> Self {
        let stops = gradient
            .stops
            .iter()
            .map(|s| {
                let (c, a) = (s.color, s.color.a * 255.0);
                (s.offset, [c.r * a, c.g * a, c.b * a, a])
            })
            .collect();
        let (measure, unit) = match gradient.kind {
            GradientKind::Linear { start, end } => {
                let way = end - start;
                let length = way.hypot2();
                let unit = if length < 1e-12 {
                    Affine::new([0.0, 0.0, 0.0, 0.0, 1.0, 0.0])
                } else {
                    let step = way / length;
                    Affine::new([step.x, 0.0, step.y, 0.0, -start.to_vec2().dot(step), 0.0])
                };
                (Measure::Across, unit)
            }
            GradientKind::Radial { center, radii } => {
                let shrink = Affine::scale_non_uniform(1.0 / radii.x.max(1e-9), 1.0 / radii.y.max(1e-9));
                (Measure::Away, shrink * Affine::translate(-center.to_vec2()))
            }
            GradientKind::Conic { center, angle } => {
                (Measure::Around, rotation(-angle) * Affine::translate(-center.to_vec2()))
            }
        };
        Self { measure, repeat: gradient.repeat, stops, to_unit: unit * transform.inverse(), tiling: None }
    }

    /// Whether all rows look the same.
    pub fn rows_alike(&self) -> bool {
        self.tiling.is_none() && matches!(self.measure, Measure::Across) && self.to_unit.as_coeffs()[2] == 0.0
    }

    /// Fills one row of pixels, `x` and `y` naming its first.
    #[inline(always)]
    pub fn row(&self, x: i32, y: i32, out: &mut [u8]) {
        let [a, b, ..] = self.to_unit.as_coeffs();
        let first = self.to_unit * Point::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
        let at = |i: usize| first + Vec2::new(a, b) * i as f64;
        let mut segment = 0;
        if let Some(tiling) = &self.tiling {
            for (pixel, x) in out.as_chunks_mut::<4>().0.iter_mut().zip(x..) {
                let at = tiling.to_content * Point::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
                *pixel = tiling.first(at).map_or([0; 4], |at| {
                    let [t, ..] = self.offsets(tiling.to_unit * at, Vec2::ZERO);
                    self.color(self.wrap(t), &mut segment)
                });
            }
            return;
        }
        let (batches, rest) = out.as_chunks_mut::<4>().0.as_chunks_mut::<BATCH>();
        let whole = batches.len() * BATCH;
        for (i, pixels) in batches.iter_mut().enumerate() {
            *pixels = self.batch(at(i * BATCH), Vec2::new(a, b), &mut segment);
        }
        if !rest.is_empty() {
            let pixels = self.batch(at(whole), Vec2::new(a, b), &mut segment);
            rest.copy_from_slice(&pixels[..rest.len()]);
        }
    }

    /// The colours of neighbouring pixels, from the place of the first one and the step to the next.
    #[inline(always)]
    fn batch(&self, first: Point, step: Vec2, segment: &mut usize) -> [[u8; 4]; BATCH] {
        let mut offsets = self.offsets(first, step);
        if self.repeat {
            for t in &mut offsets {
                *t = self.wrap(*t);
            }
        }
        let extent = extent(&offsets);
        if let Some(color) = self.outside(extent) {
            [color; BATCH]
        } else if let Some(between) = self.between_stops(extent, segment) {
            between.colors(&offsets)
        } else {
            offsets.map(|t| self.color(t, segment))
        }
    }

    /// The colour before the first stop or from the last one on, where all of the offsets lie there.
    #[inline(always)]
    fn outside(&self, (least, most): (f32, f32)) -> Option<[u8; 4]> {
        let (first, last) = (self.stops.first()?, self.stops.last()?);
        match () {
            () if least >= last.0 => Some(last.1.map(quantise)),
            () if most < first.0 => Some(first.1.map(quantise)),
            () => None,
        }
    }

    /// The two stops that all of the offsets lie between, if there are such.
    #[inline(always)]
    fn between_stops(&self, (least, most): (f32, f32), segment: &mut usize) -> Option<Between> {
        let between = self.between(least, segment)?;
        (between.start <= least && most < between.end).then_some(between)
    }

    #[inline(always)]
    fn offsets(&self, first: Point, step: Vec2) -> [f32; BATCH] {
        let mut x = [0.0; BATCH];
        let mut y = [0.0; BATCH];
        for i in 0..BATCH {
            x[i] = (first.x + step.x * i as f64) as f32;
            y[i] = (first.y + step.y * i as f64) as f32;
        }
        match self.measure {
            Measure::Across => x,
            Measure::Away => each(
                #[inline(always)]
                |i| (x[i] * x[i] + y[i] * y[i]).sqrt(),
            ),
            Measure::Around => each(
                #[inline(always)]
                |i| turn(x[i], y[i]),
            ),
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

    fn color(&self, t: f32, segment: &mut usize) -> [u8; 4] {
        let (Some(first), Some(last)) = (self.stops.first(), self.stops.last()) else { return [0; 4] };
        if t < first.0 {
            return first.1.map(quantise);
        }
        match self.between(t, segment) {
            Some(between) => between.color(between.share(t)),
            None => last.1.map(quantise),
        }
    }

    /// The last stop at or before `t` and the next one, so that of two equal offsets the second rules to their right;
    /// `None` outside of all stops. `segment` remembers where the last ones were found.
    #[inline(always)]
    fn between(&self, t: f32, segment: &mut usize) -> Option<Between> {
        let stops = &self.stops;
        let inside = |i: usize| i + 1 < stops.len() && stops[i].0 <= t && t < stops[i + 1].0;
        if !inside(*segment) {
            *segment = stops.partition_point(|s| s.0 <= t).checked_sub(1)?;
        }
        let ((start, from), (end, to)) = (*stops.get(*segment)?, *stops.get(*segment + 1)?);
        let mut change = to;
        for i in 0..4 {
            change[i] -= from[i];
        }
        Some(Between { start, end, from, change })
    }
}

/// Minimum and maximum of some offsets, by repeated halving, which vectorizes.
#[inline(always)]
fn extent(offsets: &[f32; BATCH]) -> (f32, f32) {
    let (mut least, mut most) = (*offsets, *offsets);
    let mut half = BATCH / 2;
    while half > 0 {
        for i in 0..half {
            least[i] = if least[i + half] < least[i] { least[i + half] } else { least[i] };
            most[i] = if most[i + half] > most[i] { most[i + half] } else { most[i] };
        }
        half /= 2;
    }
    (least[0], most[0])
}

#[inline(always)]
fn each(offset: impl Fn(usize) -> f32) -> [f32; BATCH] {
    let mut offsets = [0.0; BATCH];
    for (i, to) in offsets.iter_mut().enumerate() {
        *to = offset(i);
    }
    offsets
}

/// How far a point is turned clockwise from straight up, in turns from 0 to 1. The arc tangent is a polynomial that is off
/// by 1e-8 at most, which vectors compute at once.
#[inline(always)]
fn turn(x: f32, y: f32) -> f32 {
    const ARC: [f32; 8] = [
        0.159_154_92,
        -0.053_049_227,
        0.031_778_406,
        -0.022_286_928,
        0.015_706_787,
        -0.009_363_046,
        0.003_784_787,
        -0.000_725_713_4,
    ];
    // Values within rounding of the seam count as on it: otherwise neighbours would alternate between the end colours.
    let x = if x.abs() < y.abs() * 1e-6 { 0.0 } else { x };
    let (across, along) = (x.abs(), y.abs());
    let flat = across > along;
    let (least, most) = if flat { (along, across) } else { (across, along) };
    let slope = least / most.max(f32::MIN_POSITIVE);
    let square = slope * slope;
    let mut arc = ARC[7];
    for i in (0..7).rev() {
        arc = arc * square + ARC[i];
    }
    arc *= slope;
    arc = if flat { 0.25 - arc } else { arc };
    arc = if y > 0.0 { 0.5 - arc } else { arc };
    if x < 0.0 { 1.0 - arc } else { arc }
}

/// Two stops that follow one another.
struct Between {
    start: f32,
    end: f32,
    from: [f32; 4],
    change: [f32; 4],
}

impl Between {
    /// How much of the second one an offset has.
    #[inline(always)]
    fn share(&self, t: f32) -> f32 {
        (t - self.start) / (self.end - self.start)
    }

    /// The same as [`Self::color`], one channel at a time over all pixels, which vectorizes.
    #[inline(always)]
    fn colors(&self, offsets: &[f32; BATCH]) -> [[u8; 4]; BATCH] {
        let mut shares = [0.0; BATCH * 4];
        let mut from = [0.0; BATCH * 4];
        let mut change = [0.0; BATCH * 4];
        for (i, t) in offsets.iter().enumerate() {
            shares.as_chunks_mut::<4>().0[i] = [self.share(*t); 4];
            from.as_chunks_mut::<4>().0[i] = self.from;
            change.as_chunks_mut::<4>().0[i] = self.change;
        }
        let mut colors = [[0; 4]; BATCH];
        for (i, value) in colors.as_flattened_mut().iter_mut().enumerate() {
            *value = quantise(from[i] + change[i] * shares[i]);
        }
        colors
    }

    fn color(&self, share: f32) -> [u8; 4] {
        std::array::from_fn(|i| quantise(self.from[i] + self.change[i] * share))
    }
}

#[inline(always)]
fn quantise(v: f32) -> u8 {
    nearest(v.clamp(0.0, 255.0))
}

#[cfg(test)]
mod tests {
    use rondo_css::Color;
    use rondo_scene::display::Stop;

    use super::*;

    /// One pixel through the definition.
    fn plain(gradient: &Gradient, x: f64, y: f64) -> [f64; 4] {
        let offset = match gradient.kind {
            GradientKind::Linear { start, end } => {
                (Point::new(x, y) - start).dot(end - start) / (end - start).hypot2()
            }
            GradientKind::Radial { center, radii } => {
                ((x - center.x) / radii.x).hypot((y - center.y) / radii.y)
            }
            GradientKind::Conic { center, angle } => {
                let turn = ((x - center.x).atan2(center.y - y) - angle) / std::f64::consts::TAU;
                turn.rem_euclid(1.0)
            }
        };
        let stops: Vec<(f64, [f64; 4])> = gradient
            .stops
            .iter()
            .map(|s| {
                let [r, g, b, a] = [s.color.r, s.color.g, s.color.b, s.color.a].map(f64::from);
                (f64::from(s.offset), [r * a, g * a, b * a, a].map(|v| v * 255.0))
            })
            .collect();
        let (first, last) = (stops[0], stops[stops.len() - 1]);
        let span = last.0 - first.0;
        let t = if gradient.repeat { first.0 + (offset - first.0).rem_euclid(span) } else { offset };
        let pair = stops.windows(2).find(|w| w[0].0 <= t && t < w[1].0);
        match pair {
            Some(w) => {
                let k = (t - w[0].0) / (w[1].0 - w[0].0);
                std::array::from_fn(|i| w[0].1[i] + (w[1].1[i] - w[0].1[i]) * k)
            }
            None if t < first.0 => first.1,
            None => last.1,
        }
    }

    #[test]
    fn rows_show_the_colours_that_single_points_have() {
        let color = |r, g, b, a| Color { r, g, b, a };
        let stops = vec![
            Stop { offset: 0.1, color: color(1.0, 0.2, 0.0, 1.0) },
            Stop { offset: 0.37, color: color(0.0, 0.9, 0.3, 0.4) },
            Stop { offset: 0.37, color: color(0.2, 0.2, 1.0, 1.0) },
            Stop { offset: 0.8, color: color(1.0, 1.0, 0.0, 0.7) },
        ];
        let center = Point::new(40.3, 11.2);
        for kind in [
            GradientKind::Linear { start: Point::new(3.1, 2.0), end: Point::new(90.0, 30.0) },
            GradientKind::Linear { start: Point::new(5.0, 0.0), end: Point::new(77.7, 0.0) },
            GradientKind::Linear { start: Point::new(0.0, 31.3), end: Point::new(0.0, -4.0) },
            GradientKind::Radial { center, radii: Vec2::new(50.0, 20.0) },
            GradientKind::Conic { center, angle: 0.7 },
        ] {
            for repeat in [false, true] {
                let gradient = Gradient { kind, stops: stops.clone(), repeat };
                let transform = Affine::translate((2.0, 1.0)) * Affine::scale(1.25);
                let shader = Shader::new(&gradient, transform);
                for y in 0..30 {
                    let mut row = vec![0; 101 * 4];
                    shader.row(-3, y, &mut row);
                    for (i, pixel) in row.as_chunks::<4>().0.iter().enumerate() {
                        let at = transform.inverse() * Point::new(i as f64 - 3.0 + 0.5, f64::from(y) + 0.5);
                        let expected = plain(&gradient, at.x, at.y);
                        let off = pixel.iter().zip(expected).map(|(p, e)| (f64::from(*p) - e).abs());
                        assert!(off.fold(0.0, f64::max) <= 0.51, "{kind:?} {i} {y}: {pixel:?}, {expected:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn tiles_repeat_the_gradient_of_the_first_and_leave_the_gaps_empty() {
        let stop = |offset, r| Stop { offset, color: Color { r, g: 0.5, b: 1.0 - r, a: 1.0 } };
        let tile = Rect::new(10.0, 4.0, 30.0, 12.5);
        let kind = GradientKind::Linear { start: tile.origin(), end: Point::new(30.0, 12.5) };
        let gradient = Gradient { kind, stops: vec![stop(0.0, 0.0), stop(1.0, 1.0)], repeat: false };
        let transform = Affine::translate((2.0, 1.0)) * Affine::scale(1.25);
        for step in [Vec2::new(20.0, 0.0), Vec2::new(26.5, 8.5), Vec2::ZERO] {
            let shader = Shader::tiled(&Tiles { gradient: gradient.clone(), tile, step }, transform);
            for y in 0..40 {
                let mut row = vec![0; 101 * 4];
                shader.row(-3, y, &mut row);
                for (i, pixel) in row.as_chunks::<4>().0.iter().enumerate() {
                    let at = transform.inverse() * Point::new(i as f64 - 3.0 + 0.5, f64::from(y) + 0.5);
                    let all = (-9..=9).flat_map(|m| (-9..=9).map(move |n| (f64::from(m), f64::from(n))));
                    let inside = all.map(|(m, n)| at - Vec2::new(m * step.x, n * step.y));
                    let expected = inside
                        .into_iter()
                        .find(|p| tile.contains(*p))
                        .map_or([0.0; 4], |p| plain(&gradient, p.x, p.y));
                    let off = pixel.iter().zip(expected).map(|(p, e)| (f64::from(*p) - e).abs());
                    assert!(off.fold(0.0, f64::max) <= 0.51, "{step:?} {i} {y}: {pixel:?}, {expected:?}");
                }
            }
        }
    }

    #[test]
    fn a_radial_gradient_has_colour_only_within_its_bounds() {
        let stop = |offset, a| Stop { offset, color: Color { r: 1.0, g: 0.5, b: 0.2, a } };
        let kind = GradientKind::Radial { center: Point::new(61.3, 40.0), radii: Vec2::new(90.0, 55.0) };
        for (stops, repeat, ends) in [
            (vec![stop(0.0, 1.0), stop(0.5, 0.0)], false, true),
            (vec![stop(0.1, 0.0), stop(0.3, 1.0), stop(0.3, 0.0), stop(1.0, 0.0)], false, true),
            (vec![stop(-0.5, 1.0), stop(-0.1, 0.0)], false, true),
            (vec![stop(0.0, 0.0), stop(1.0, 0.0)], false, true),
            (vec![stop(0.0, 0.0), stop(0.5, 1.0)], false, false),
            (vec![stop(0.0, 1.0), stop(0.5, 0.0)], true, false),
        ] {
            let gradient = Gradient { kind, stops, repeat };
            let ink = inked(&gradient);
            assert_eq!(ink.is_some(), ends, "{gradient:?}");
            let Some(ink) = ink else { continue };
            let shader = Shader::new(&gradient, Affine::IDENTITY);
            for y in 0..100 {
                let mut row = vec![0; 160 * 4];
                shader.row(0, y, &mut row);
                for (x, pixel) in row.as_chunks::<4>().0.iter().enumerate() {
                    let at = Point::new(x as f64 + 0.5, f64::from(y) + 0.5);
                    assert!(pixel[3] == 0 || ink.contains(at), "{gradient:?} {x} {y}");
                }
            }
        }
    }

    #[test]
    fn turns_are_those_of_the_arc_tangent() {
        for i in 0..100_000 {
            let angle = f64::from(i) * 1e-5 * std::f64::consts::TAU;
            let (x, y) = (angle.sin() as f32 * 300.0, -angle.cos() as f32 * 300.0);
            let exact = (f64::from(x).atan2(-f64::from(y)) / std::f64::consts::TAU).rem_euclid(1.0);
            let off = (f64::from(turn(x, y)) - exact).abs();
            assert!(off.min(1.0 - off) < 2e-7, "{x} {y}");
        }
        assert_eq!([turn(0.0, 0.0), turn(1e-6, -9.0), turn(-1e-6, -9.0)], [0.0; 3]);
    }
}
