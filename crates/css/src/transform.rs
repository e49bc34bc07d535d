//! `transform` and `transform-origin`.

use cssparser::{Parser, Token};
use kurbo::Point;

use crate::numeric::{angle, length, length_percent, number, number_or_percent, positive_length};
use crate::parse::{Parsed, fail, only_none, parse_whole};
use crate::position::simple_position;
use crate::{AxisPosition, Context, CssError, Length, Position};

/// Applied right to left, as written in CSS.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transform(pub Vec<TransformFunction>);

/// Angles in degrees.
#[derive(Clone, Debug, PartialEq)]
pub enum TransformFunction {
    Translate {
        x: Length,
        y: Length,
        z: Length,
    },
    Scale {
        x: f64,
        y: f64,
        z: f64,
    },
    /// About an axis.
    Rotate {
        axis: [f64; 3],
        angle: f64,
    },
    Skew {
        x: f64,
        y: f64,
    },
    /// `None` is `perspective(none)`.
    Perspective(Option<Length>),
    Matrix(Matrix4),
}

/// Row-major, for column vectors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Matrix4(pub [f64; 16]);

#[derive(Clone, Debug, PartialEq)]
pub struct TransformOrigin {
    pub x: AxisPosition,
    pub y: AxisPosition,
    pub z: Length,
}

/// Longer lists are refused.
const MOST_FUNCTIONS: usize = 128;

impl Transform {
    pub fn parse(value: &str) -> Result<Self, CssError> {
        let expected = "transform functions such as rotate(10deg) scale(1.2)";
        parse_whole(value, "transform", expected, |input| {
            if only_none(input) {
                return Ok(Transform::default());
            }
            let mut functions = vec![function(input)?];
            while !input.is_exhausted() {
                if functions.len() == MOST_FUNCTIONS {
                    return fail("a shorter list");
                }
                functions.push(function(input)?);
            }
            Ok(Transform(functions))
        })
    }

    /// About the origin of coordinates; percentages are of the box. A product beyond all numbers is the identity.
    pub fn matrix(&self, width: f64, height: f64, context: &Context) -> Matrix4 {
        let product = self.0.iter().fold(Matrix4::IDENTITY, |product, function| {
            product.multiply(&function.matrix(width, height, context))
        });
        if product.0.iter().all(|cell| cell.is_finite()) { product } else { Matrix4::IDENTITY }
    }
}

fn function(input: &mut Parser<'_>) -> Parsed<TransformFunction> {
    use TransformFunction::*;
    let name = match input.next()? {
        Token::Function(name) => name.to_ascii_lowercase(),
        _ => return fail("a transform function such as rotate(10deg)"),
    };
    let zero = Length::ZERO;
    input.parse_nested_block(|input| {
        Ok(match name.as_str() {
            "translate" => Translate {
                x: length_percent(input)?,
                y: another(input, length_percent)?.unwrap_or(zero.clone()),
                z: zero,
            },
            "translatex" => Translate { x: length_percent(input)?, y: zero.clone(), z: zero },
            "translatey" => Translate { x: zero.clone(), y: length_percent(input)?, z: zero },
            "translatez" => Translate { x: zero.clone(), y: zero, z: length(input)? },
            "translate3d" => {
                let x = length_percent(input)?;
                input.expect_comma()?;
                let y = length_percent(input)?;
                input.expect_comma()?;
                Translate { x, y, z: length(input)? }
            }
            "scale" => {
                let x = number_or_percent(input)?;
                Scale { x, y: another(input, number_or_percent)?.unwrap_or(x), z: 1.0 }
            }
            "scalex" => Scale { x: number_or_percent(input)?, y: 1.0, z: 1.0 },
            "scaley" => Scale { x: 1.0, y: number_or_percent(input)?, z: 1.0 },
            "scalez" => Scale { x: 1.0, y: 1.0, z: number_or_percent(input)? },
            "scale3d" => {
                let [x, y, z] = numbers(input, number_or_percent)?;
                Scale { x, y, z }
            }
            "rotate" | "rotatez" => Rotate { axis: [0.0, 0.0, 1.0], angle: angle(input)? },
            "rotatex" => Rotate { axis: [1.0, 0.0, 0.0], angle: angle(input)? },
            "rotatey" => Rotate { axis: [0.0, 1.0, 0.0], angle: angle(input)? },
            "rotate3d" => {
                let axis = numbers(input, number)?;
                input.expect_comma()?;
                Rotate { axis, angle: angle(input)? }
            }
            "skew" => Skew { x: angle(input)?, y: another(input, angle)?.unwrap_or(0.0) },
            "skewx" => Skew { x: angle(input)?, y: 0.0 },
            "skewy" => Skew { x: 0.0, y: angle(input)? },
            "perspective" if only_none(input) => Perspective(None),
            "perspective" => Perspective(Some(positive_length(input)?)),
            "matrix" => {
                let [a, b, c, d, e, f] = numbers(input, number)?;
                Matrix(Matrix4([a, c, 0.0, e, b, d, 0.0, f, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0]))
            }
            "matrix3d" => {
                // Written column by column.
                let columns: [f64; 16] = numbers(input, number)?;
                Matrix(Matrix4(std::array::from_fn(|cell| columns[cell % 4 * 4 + cell / 4])))
            }
            _ => {
                return fail(
                    "a transform function such as translate, scale, rotate, skew, perspective or matrix",
                );
            }
        })
    })
}

/// The item after a comma, if there is a comma.
fn another<T>(input: &mut Parser<'_>, item: fn(&mut Parser<'_>) -> Parsed<T>) -> Parsed<Option<T>> {
    if input.try_parse(Parser::expect_comma).is_ok() { item(input).map(Some) } else { Ok(None) }
}

/// Exactly this many, with commas between.
fn numbers<const N: usize>(
    input: &mut Parser<'_>,
    item: fn(&mut Parser<'_>) -> Parsed<f64>,
) -> Parsed<[f64; N]> {
    let mut values = [0.0; N];
    for (index, value) in values.iter_mut().enumerate() {
        if index > 0 {
            input.expect_comma()?;
        }
        *value = item(input)?;
    }
    Ok(values)
}

impl TransformFunction {
    fn matrix(&self, width: f64, height: f64, context: &Context) -> Matrix4 {
        match self {
            TransformFunction::Translate { x, y, z } => Matrix4::translation([
                x.resolve(context, width),
                y.resolve(context, height),
                z.resolve(context, 0.0),
            ]),
            TransformFunction::Scale { x, y, z } => {
                let mut matrix = Matrix4::IDENTITY;
                (matrix.0[0], matrix.0[5], matrix.0[10]) = (*x, *y, *z);
                matrix
            }
            TransformFunction::Rotate { axis, angle } => Matrix4::rotation(*axis, *angle),
            TransformFunction::Skew { x, y } => {
                let mut matrix = Matrix4::IDENTITY;
                (matrix.0[1], matrix.0[4]) = (libm::tan(x.to_radians()), libm::tan(y.to_radians()));
                matrix
            }
            TransformFunction::Perspective(None) => Matrix4::IDENTITY,
            TransformFunction::Perspective(Some(depth)) => {
                let mut matrix = Matrix4::IDENTITY;
                matrix.0[14] = -1.0 / depth.resolve(context, 0.0).max(1.0);
                matrix
            }
            TransformFunction::Matrix(matrix) => *matrix,
        }
    }
}

impl TransformOrigin {
    /// The middle of the box.
    pub const CENTER: TransformOrigin = TransformOrigin {
        x: AxisPosition::start(Length::Value(0.5, crate::Unit::Percent)),
        y: AxisPosition::start(Length::Value(0.5, crate::Unit::Percent)),
        z: Length::ZERO,
    };

    pub fn parse(value: &str) -> Result<Self, CssError> {
        let expected = "a point such as center, left top or 20px 50%";
        parse_whole(value, "transform origin", expected, |input| {
            let Position { x, y } = simple_position(input)?;
            let z = if input.is_exhausted() { Length::ZERO } else { length(input)? };
            Ok(TransformOrigin { x, y, z })
        })
    }

    pub fn resolve(&self, width: f64, height: f64, context: &Context) -> [f64; 3] {
        [self.x.resolve(width, context), self.y.resolve(height, context), self.z.resolve(context, 0.0)]
    }
}

impl Matrix4 {
    pub const IDENTITY: Matrix4 =
        Matrix4([1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0]);

    fn translation([x, y, z]: [f64; 3]) -> Matrix4 {
        let mut matrix = Matrix4::IDENTITY;
        (matrix.0[3], matrix.0[7], matrix.0[11]) = (x, y, z);
        matrix
    }

    /// The identity when the axis has no direction.
    fn rotation(axis: [f64; 3], degrees: f64) -> Matrix4 {
        let length = axis.iter().map(|v| v * v).sum::<f64>().sqrt();
        if length < 1e-12 {
            return Matrix4::IDENTITY;
        }
        let [x, y, z] = axis.map(|v| v / length);
        let (sin, cos) = exact_sin_cos(degrees);
        let rest = 1.0 - cos;
        Matrix4([
            cos + x * x * rest,
            x * y * rest - z * sin,
            x * z * rest + y * sin,
            0.0,
            y * x * rest + z * sin,
            cos + y * y * rest,
            y * z * rest - x * sin,
            0.0,
            z * x * rest - y * sin,
            z * y * rest + x * sin,
            cos + z * z * rest,
            0.0,
            0.0,
            0.0,
            0.0,
            1.0,
        ])
    }

    /// Applies `other` first.
    pub fn multiply(&self, other: &Matrix4) -> Matrix4 {
        Matrix4(std::array::from_fn(|cell| {
            let (row, column) = (cell / 4, cell % 4);
            (0..4).map(|k| self.0[row * 4 + k] * other.0[k * 4 + column]).sum()
        }))
    }

    /// The same transform about another origin.
    pub fn about(&self, origin: [f64; 3]) -> Matrix4 {
        let back = Matrix4::translation(origin.map(|v| -v));
        Matrix4::translation(origin).multiply(self).multiply(&back)
    }

    /// What it does to the plane z = 0: a 3×3 homography, row-major.
    pub fn flatten(&self) -> [f64; 9] {
        let m = &self.0;
        [m[0], m[1], m[3], m[4], m[5], m[7], m[12], m[13], m[15]]
    }

    /// [`Matrix4::about`] a point of the plane, flattened.
    pub fn homography(&self, origin: Point) -> [f64; 9] {
        self.about([origin.x, origin.y, 0.0]).flatten()
    }
}

/// Without rounding at quarter turns.
fn exact_sin_cos(degrees: f64) -> (f64, f64) {
    let degrees = degrees.rem_euclid(360.0);
    match degrees {
        0.0 => (0.0, 1.0),
        90.0 => (1.0, 0.0),
        180.0 => (0.0, -1.0),
        270.0 => (-1.0, 0.0),
        _ => libm::sincos(degrees.to_radians()),
    }
}

#[cfg(test)]
mod tests {
    use kurbo::Size;

    use super::*;

    fn context() -> Context {
        Context::new(Size::new(1000.0, 500.0))
    }

    fn matrix(value: &str) -> Matrix4 {
        Transform::parse(value).unwrap().matrix(200.0, 100.0, &context())
    }

    /// Where a point of the box goes, about the middle of the box.
    fn moved(value: &str, x: f64, y: f64) -> (f64, f64) {
        let h = matrix(value).homography(Point::new(100.0, 50.0));
        let w = h[6] * x + h[7] * y + h[8];
        ((h[0] * x + h[1] * y + h[2]) / w, (h[3] * x + h[4] * y + h[5]) / w)
    }

    fn assert_moves(value: &str, from: (f64, f64), to: (f64, f64)) {
        let (x, y) = moved(value, from.0, from.1);
        assert!((x - to.0).abs() < 1e-3 && (y - to.1).abs() < 1e-3, "{value} took {from:?} to {x} {y}");
    }

    #[test]
    fn functions_apply_right_to_left_about_the_origin() {
        assert_moves("translate(10px, 50%)", (0.0, 0.0), (10.0, 50.0));
        assert_moves("rotate(90deg)", (200.0, 50.0), (100.0, 150.0));
        assert_moves("scale(2, 50%)", (0.0, 0.0), (-100.0, 25.0));
        assert_moves("translateX(10px) scale(2)", (150.0, 50.0), (210.0, 50.0));
        assert_moves("scale(2) translateX(10px)", (150.0, 50.0), (220.0, 50.0));
        assert_moves("skewX(45deg)", (100.0, 100.0), (150.0, 100.0));
        assert_moves("rotate(0.25turn) rotate(-100grad)", (13.0, 17.0), (13.0, 17.0));
    }

    #[test]
    fn perspective_foreshortens() {
        // A point 100 px right of the centre, turned 60° away: depth 86.6 px, 50 px to the right, seen from 400 px.
        let x = 100.0 + 50.0 * 400.0 / (400.0 + 86.602540378);
        assert_moves("perspective(400px) rotateY(60deg)", (200.0, 50.0), (x, 50.0));
        assert_moves("perspective(200px) translateZ(100px)", (200.0, 100.0), (300.0, 150.0));
        assert_moves("perspective(none) rotateX(180deg)", (0.0, 0.0), (0.0, 100.0));
    }

    #[test]
    fn matrices_are_read_column_by_column() {
        assert_eq!(
            matrix("matrix(1, 2, 3, 4, 5, 6)").flatten(),
            [1.0, 3.0, 5.0, 2.0, 4.0, 6.0, 0.0, 0.0, 1.0]
        );
        let same = matrix("matrix3d(1,2,0,0, 3,4,0,0, 0,0,1,0, 5,6,0,1)");
        assert_eq!(same, matrix("matrix(1, 2, 3, 4, 5, 6)"));
        assert_eq!(matrix("rotate3d(0, 0, 2, 30deg)"), matrix("rotate(30deg)"));
        assert_eq!(matrix("rotate3d(0, 0, 0, 30deg)"), Matrix4::IDENTITY);
        assert_eq!(matrix("none"), Matrix4::IDENTITY);
    }

    #[test]
    fn what_a_browser_refuses_is_refused() {
        for value in [
            "",
            "rotate(10)",
            "scale()",
            "scale(1px)",
            "translate(5)",
            "translateZ(5%)",
            "matrix(1,2,3)",
            "foo(1)",
            "rotate(1deg),scale(1)",
            "none rotate(1deg)",
            "perspective(-1px)",
        ] {
            assert!(Transform::parse(value).is_err(), "{value} was accepted");
        }
        assert!(Transform::parse(&"scale(2)".repeat(1000)).is_err());
    }

    #[test]
    fn overflow_leaves_the_box_where_it_is() {
        assert_eq!(matrix(&"scale(1e7)".repeat(100)), Matrix4::IDENTITY);
    }

    #[test]
    fn origins_take_words_lengths_and_a_depth() {
        let resolve = |value: &str| TransformOrigin::parse(value).unwrap().resolve(200.0, 100.0, &context());
        assert_eq!(resolve("center"), [100.0, 50.0, 0.0]);
        assert_eq!(resolve("top"), [100.0, 0.0, 0.0]);
        assert_eq!(resolve("bottom right"), [200.0, 100.0, 0.0]);
        assert_eq!(resolve("25% 10px"), [50.0, 10.0, 0.0]);
        assert_eq!(resolve("left 10px 5px"), [0.0, 10.0, 5.0]);
        for value in ["", "left right", "1px 2px 3%", "left 5px top 3px", "1px 2px 3px 4px"] {
            assert!(TransformOrigin::parse(value).is_err(), "{value} was accepted");
        }
    }
}
