//! CSS value strings to typed values. Independent of overlays.
//!
//! A value is parsed once, without knowing where it will be used; `resolve` then turns it into pixels and plain colours
//! for a box and a [`Context`]. Everything here is total: input of any kind gives a value or a [`CssError`].

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]
#![forbid(unsafe_code)]

mod background;
mod blend;
mod border;
mod clip_path;
mod color;
mod easing;
mod error;
mod filter;
mod font;
mod gradient;
mod length;
mod line_height;
mod numeric;
mod parse;
mod position;
mod rotation;
mod shadow;
mod svg_path;
mod text_indent;
mod text_stroke;
mod transform;

pub use background::{
    Background, BackgroundBox, BackgroundLayer, BackgroundLonghands, BackgroundSize, Repeat, TilePlan,
};
pub use blend::{BLEND_MODES, BlendMode};
pub use border::{Border, BorderRadius, BorderStyle, Edges, ResolvedBorder};
pub use clip_path::{ClipPath, FillRule, ResolvedShape, ShapeRadius};
pub use color::{Color, ColorSpace, ColorValue, HueDirection, Oklch};
pub use easing::{EASINGS, Easing, EasingEntry, StepPosition};
pub use error::CssError;
pub use filter::{
    FILTER_PRESETS, FilterFunction, FilterPreset, ResolvedFilter, parse_filters, resolve_filters,
};
pub use font::{FontFeature, parse_font_features, parse_font_stretch, parse_numeric_variants};
pub use gradient::{
    Direction, Extent, Gradient, GradientShape, Interpolation, RadialSize, ResolvedGradient, ResolvedKind,
    ResolvedStop, StopItem, StopPosition,
};
pub use length::{Context, Length, Math, Unit};
pub use line_height::LineHeight;
pub use position::{AxisPosition, Position};
pub use rotation::{rotation, rotation_about};
pub use shadow::{ResolvedShadow, Shadow, parse_box_shadows, parse_text_shadows};
pub use svg_path::parse_svg_path;
pub use text_indent::TextIndent;
pub use text_stroke::{TextStroke, stroke_below_fill};
pub use transform::{Matrix4, Transform, TransformFunction, TransformOrigin};
