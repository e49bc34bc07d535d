//! Gradients as written, and their geometry for a box.

mod between;
mod parse;
mod resolve;
mod stops;

use kurbo::{Point, Vec2};

pub(crate) use parse::gradient;

use crate::parse::parse_whole;
use crate::{Color, ColorSpace, ColorValue, Context, CssError, HueDirection, Length, Position};

#[derive(Clone, Debug, PartialEq)]
pub struct Gradient {
    pub shape: GradientShape,
    pub items: Vec<StopItem>,
    pub repeating: bool,
    /// `None`: sRGB, or OKLab when a stop is not in one of the old sRGB syntaxes.
    pub interpolation: Option<Interpolation>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum GradientShape {
    Linear(Direction),
    Radial {
        size: RadialSize,
        position: Position,
    },
    /// Degrees clockwise from straight up.
    Conic {
        from: f64,
        position: Position,
    },
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Direction {
    /// Degrees clockwise from straight up.
    Angle(f64),
    /// Towards a side or corner: x is -1 (left), 0 or 1 (right), y is -1 (top), 0 or 1 (bottom).
    To { x: i8, y: i8 },
}

#[derive(Clone, Debug, PartialEq)]
pub enum RadialSize {
    Extent { circle: bool, extent: Extent },
    Circle(Length),
    Ellipse(Length, Length),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    ClosestSide,
    ClosestCorner,
    FarthestSide,
    FarthestCorner,
}

#[derive(Clone, Debug, PartialEq)]
pub enum StopItem {
    /// With none, one or two positions.
    Stop { color: ColorValue, position: Option<StopPosition>, end: Option<StopPosition> },
    /// Position of the middle colour of its neighbours.
    Hint(StopPosition),
}

#[derive(Clone, Debug, PartialEq)]
pub enum StopPosition {
    Length(Length),
    /// Degrees, in conic gradients only.
    Angle(f64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interpolation {
    pub space: ColorSpace,
    pub hue: HueDirection,
}

/// Plain geometry. Between stops colours interpolate premultiplied in sRGB; outside them the end colours continue.
#[derive(Clone, Debug, PartialEq)]
pub struct ResolvedGradient {
    pub kind: ResolvedKind,
    /// Offsets do not decrease; there is at least one stop.
    pub stops: Vec<ResolvedStop>,
    /// Repeats with the period from first to last stop.
    pub repeat: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ResolvedKind {
    Linear {
        start: Point,
        end: Point,
    },
    /// Offset 1 is on the ellipse with these radii, both above 0.
    Radial {
        center: Point,
        radii: Vec2,
    },
    /// Offset 0 at `angle` radians clockwise from straight up, offset 1 after one full turn.
    Conic {
        center: Point,
        angle: f64,
    },
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResolvedStop {
    pub offset: f32,
    pub color: Color,
}

impl Gradient {
    pub fn parse(value: &str) -> Result<Self, CssError> {
        let expected = "a gradient such as linear-gradient(90deg, red, blue 80%)";
        parse_whole(value, "gradient", expected, gradient)
    }

    /// For a box of this size whose top left corner is the origin.
    pub fn resolve(&self, width: f64, height: f64, context: &Context) -> ResolvedGradient {
        resolve::resolve(self, width.max(0.0), height.max(0.0), context)
    }
}
