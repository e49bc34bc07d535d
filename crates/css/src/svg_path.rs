//! SVG path data, the `d` of a `<path>`.

use std::f64::consts::{FRAC_PI_2, TAU};

use kurbo::{Affine, BezPath, Point, Vec2};

use crate::CssError;
use crate::parse::{LARGEST_NUMBER, LONGEST_VALUE};

/// The path; data that breaks off or goes wrong is refused as a whole.
pub fn parse_svg_path(data: &str) -> Result<BezPath, CssError> {
    let refuse = |expected| CssError { value: data.to_owned(), what: "path", expected };
    if data.len() > LONGEST_VALUE {
        return Err(refuse("shorter path data"));
    }
    let mut reader = Reader { bytes: data.as_bytes(), at: 0 };
    read_path(&mut reader).ok_or_else(|| refuse("SVG path data such as M0 0 L10 0 L10 10 Z"))
}

/// Numbers and commands, one after the other.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0c)) {
            self.at += 1;
        }
    }

    /// White space around at most one comma.
    fn skip_separator(&mut self) {
        self.skip_space();
        if self.peek() == Some(b',') {
            self.at += 1;
            self.skip_space();
        }
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        self.at - start
    }

    fn number(&mut self) -> Option<f64> {
        let start = self.at;
        if matches!(self.peek(), Some(b'+' | b'-')) {
            self.at += 1;
        }
        let mut digits = self.digits();
        if self.peek() == Some(b'.') {
            self.at += 1;
            digits += self.digits();
        }
        if digits == 0 {
            return None;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            let mantissa_end = self.at;
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            if self.digits() == 0 {
                self.at = mantissa_end;
            }
        }
        let text = str::from_utf8(self.bytes.get(start..self.at)?).ok()?;
        let value: f64 = text.parse().ok()?;
        self.skip_separator();
        value.is_finite().then(|| value.clamp(-LARGEST_NUMBER, LARGEST_NUMBER))
    }

    fn flag(&mut self) -> Option<bool> {
        let flag = match self.peek()? {
            b'0' => false,
            b'1' => true,
            _ => return None,
        };
        self.at += 1;
        self.skip_separator();
        Some(flag)
    }

    fn point(&mut self, base: Point) -> Option<Point> {
        Some(base + Vec2::new(self.number()?, self.number()?))
    }
}

/// The control point a smooth command reflects.
#[derive(Clone, Copy)]
enum Handle {
    None,
    Quadratic(Point),
    Cubic(Point),
}

fn read_path(reader: &mut Reader<'_>) -> Option<BezPath> {
    let mut path = BezPath::new();
    let (mut current, mut start) = (Point::ORIGIN, Point::ORIGIN);
    let mut handle = Handle::None;
    let mut command = None;
    reader.skip_space();
    while let Some(byte) = reader.peek() {
        if byte.is_ascii_alphabetic() {
            reader.at += 1;
            reader.skip_space();
            command = Some(byte);
        } else {
            // Further arguments repeat the command; after a move they are lines.
            command = match command? {
                b'M' => Some(b'L'),
                b'm' => Some(b'l'),
                b'Z' | b'z' => return None,
                other => Some(other),
            };
        }
        let letter = command?;
        if path.elements().is_empty() && !matches!(letter, b'M' | b'm') {
            return None;
        }
        let closed = matches!(path.elements().last(), Some(kurbo::PathEl::ClosePath));
        if closed && !matches!(letter, b'M' | b'm' | b'Z' | b'z') {
            path.move_to(start);
        }
        let base = if letter.is_ascii_lowercase() { current } else { Point::ORIGIN };
        let mut next_handle = Handle::None;
        match letter.to_ascii_uppercase() {
            b'M' => {
                current = reader.point(base)?;
                start = current;
                path.move_to(current);
            }
            b'L' => {
                current = reader.point(base)?;
                path.line_to(current);
            }
            b'H' => {
                current.x = base.x + reader.number()?;
                path.line_to(current);
            }
            b'V' => {
                current.y = base.y + reader.number()?;
                path.line_to(current);
            }
            b'Q' | b'T' => {
                let control = match (letter, handle) {
                    (b'Q' | b'q', _) => reader.point(base)?,
                    (_, Handle::Quadratic(control)) => current + (current - control),
                    _ => current,
                };
                current = reader.point(base)?;
                path.quad_to(control, current);
                next_handle = Handle::Quadratic(control);
            }
            b'C' | b'S' => {
                let first = match (letter, handle) {
                    (b'C' | b'c', _) => reader.point(base)?,
                    (_, Handle::Cubic(control)) => current + (current - control),
                    _ => current,
                };
                let second = reader.point(base)?;
                current = reader.point(base)?;
                path.curve_to(first, second, current);
                next_handle = Handle::Cubic(second);
            }
            b'A' => {
                let radii = Vec2::new(reader.number()?, reader.number()?);
                let rotation = reader.number()?.to_radians();
                let (large, sweep) = (reader.flag()?, reader.flag()?);
                let end = reader.point(base)?;
                arc_to(&mut path, current, end, radii, rotation, large, sweep);
                current = end;
            }
            b'Z' => {
                path.close_path();
                current = start;
            }
            _ => return None,
        }
        // Relative commands may wander off without end.
        if current.x.abs() > LARGEST_NUMBER || current.y.abs() > LARGEST_NUMBER {
            return None;
        }
        handle = next_handle;
        reader.skip_space();
    }
    Some(path)
}

/// An elliptical arc as SVG defines it (its appendix on arcs), in cubics of a quarter turn at most.
fn arc_to(path: &mut BezPath, from: Point, to: Point, radii: Vec2, rotation: f64, large: bool, sweep: bool) {
    let (mut rx, mut ry) = (radii.x.abs(), radii.y.abs());
    if from == to {
        return;
    }
    if rx < 1e-9 || ry < 1e-9 {
        path.line_to(to);
        return;
    }
    let (sin, cos) = libm::sincos(rotation);
    let half = (from - to) / 2.0;
    let half = Vec2::new(cos * half.x + sin * half.y, cos * half.y - sin * half.x);
    let excess = Vec2::new(half.x / rx, half.y / ry).hypot2();
    if excess > 1.0 {
        rx *= excess.sqrt();
        ry *= excess.sqrt();
    }
    // In the space where the ellipse is the unit circle about `center`.
    let unit = Vec2::new(half.x / rx, half.y / ry);
    let reach = unit.hypot2();
    let away = ((1.0 - reach).max(0.0) / reach).sqrt() * if large == sweep { -1.0 } else { 1.0 };
    let center = Vec2::new(unit.y * away, -unit.x * away);
    if !center.is_finite() {
        path.line_to(to);
        return;
    }
    let angle_of = |v: Vec2| libm::atan2(v.y, v.x);
    let (start, end) = (angle_of(unit - center), angle_of(-unit - center));
    let mut turn = end - start;
    if sweep && turn < 0.0 {
        turn += TAU;
    } else if !sweep && turn > 0.0 {
        turn -= TAU;
    }
    let to_page = Affine::translate(from.midpoint(to).to_vec2())
        * Affine::new([cos, sin, -sin, cos, 0.0, 0.0])
        * Affine::scale_non_uniform(rx, ry)
        * Affine::translate(center);
    let count = (turn.abs() / FRAC_PI_2 - 1e-9).ceil().clamp(1.0, 4.0);
    let step = turn / count;
    let reach = 4.0 / 3.0 * libm::tan(step / 4.0);
    let direction = |angle: f64| {
        let (sin, cos) = libm::sincos(angle);
        Vec2::new(cos, sin)
    };
    let mut angle = start;
    for index in 0..count as usize {
        let next = angle + step;
        let (from_direction, to_direction) = (direction(angle), direction(next));
        let first = from_direction + Vec2::new(-from_direction.y, from_direction.x) * reach;
        let second = to_direction - Vec2::new(-to_direction.y, to_direction.x) * reach;
        let last = if index + 1 == count as usize { to } else { to_page * to_direction.to_point() };
        path.curve_to(to_page * first.to_point(), to_page * second.to_point(), last);
        angle = next;
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use kurbo::Shape;

    use super::*;

    fn path(data: &str) -> BezPath {
        parse_svg_path(data).unwrap()
    }

    #[test]
    fn repeated_arguments_continue_as_lines() {
        assert_eq!(path("M0,0 10,0 10,10z"), path("M0 0L10 0L10 10Z"));
        assert_eq!(path("m1-1 2.5.5"), path("M1 -1 L3.5 -0.5"));
    }

    #[test]
    fn drawing_goes_on_from_the_start_after_closing() {
        assert_eq!(path("M5 5h10v10z l1 1"), path("M5 5 L15 5 L15 15 Z M5 5 L6 6"));
    }

    #[test]
    fn smooth_curves_reflect_only_their_own_kind() {
        assert_eq!(path("M0 0C0 10 10 10 10 0S20 -10 20 0"), path("M0 0C0 10 10 10 10 0C10 -10 20 -10 20 0"));
        assert_eq!(path("M0 0Q5 10 10 0S20 10 20 0"), path("M0 0Q5 10 10 0C10 0 20 10 20 0"));
    }

    #[test]
    fn arcs_make_a_circle_of_the_right_area() {
        let circle = path("M0 50A50 50 0 1 1 100 50A50 50 0 1 1 0 50Z");
        assert!((circle.area().abs() - PI * 2500.0).abs() < 3.0);
        let packed = path("M0 50a50 50 0 11100 0a50 50 0 11-100 0z");
        assert!((packed.area() - circle.area()).abs() < 1e-6);
    }

    #[test]
    fn radii_too_small_are_scaled_up() {
        let bounds = path("M0 0A1 1 0 0 1 100 0").bounding_box();
        assert!((bounds.y0 + 50.0).abs() < 0.1 && bounds.y1.abs() < 0.1, "{bounds:?}");
    }

    #[test]
    fn broken_data_is_refused_without_panic() {
        for data in [
            "10 10",
            "L10 10",
            "M",
            "M1",
            "M0 0 X",
            "M0 0 A1 1 0 2 0 5 5",
            "M0 0Z5 5",
            "M0 0 L1e999 0",
            "M0 0 é",
            "M0 0 #",
        ] {
            assert!(parse_svg_path(data).is_err(), "{data} was accepted");
        }
        assert!(parse_svg_path(&format!("M0 0{}", "m9e6 9e6".repeat(100))).is_err());
        assert!(path("").elements().is_empty());
    }
}
