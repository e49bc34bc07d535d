//! Shape overlays: an outline of the registry with fill, gradient, stroke and shadows.

use std::sync::Arc;

use kurbo::{Affine, Rect, Shape as _, Size, Vec2};
use rondo_composition::Shape;
use rondo_css::{BorderRadius, BorderStyle, Color, Gradient, parse_box_shadows};

use super::{Body, Prepare, Still};
use crate::boxes::{self, border_draw, fill_path, gradient, rounded, shadow_reach};
use crate::display::*;
use crate::nearest::Lookup;
use crate::shape;

const DEFAULT_FILL: Color = Color { r: 59.0 / 255.0, g: 130.0 / 255.0, b: 246.0 / 255.0, a: 1.0 };
const DEFAULT_STROKE_WIDTH: f64 = 2.0;

pub(crate) fn prepare(overlay: &Shape, size: Size, p: &mut Prepare<'_>) -> Body {
    let s = &overlay.styles;
    let stroke = p.read("styles.stroke", s.stroke.as_deref(), Color::parse).filter(|c| !c.is_transparent());
    let stroke_width =
        if stroke.is_some() { s.stroke_width.unwrap_or(DEFAULT_STROKE_WIDTH).max(0.0) } else { 0.0 };
    let radius = p.read("styles.borderRadius", s.border_radius.as_deref(), BorderRadius::parse);
    let css = p.css;
    if !shape::is_known(&overlay.content) {
        let unknown = Lookup::<()>::Unknown;
        p.registered("UNKNOWN_SHAPE", "content", &overlay.content, unknown, shape::names());
    }
    let shadows: Vec<_> = p
        .read("styles.boxShadow", s.box_shadow.as_deref(), parse_box_shadows)
        .unwrap_or_default()
        .iter()
        .map(|s| s.resolve(&css))
        .collect();
    let reach = shadows.iter().map(shadow_reach).fold(0.0, f64::max);
    let gradient_css = p.read("styles.gradient", s.gradient.as_deref(), Gradient::parse);
    let fill = p.read("styles.fill", s.fill.as_deref(), Paintable::parse);

    let mut draws = Vec::new();
    let bounds;
    let paint_for = |rect: Rect| match (&gradient_css, &fill) {
        (Some(g), _) | (None, Some(Paintable::Gradient(g))) => {
            gradient(&g.resolve(rect.width(), rect.height(), &css), rect.origin().to_vec2())
        }
        (None, Some(Paintable::Color(c))) => Paint::Solid(*c),
        (None, None) => Paint::Solid(DEFAULT_FILL),
    };
    match shape::outline(&overlay.content, size, stroke_width) {
        shape::Outline::Box { rect, radius: own, styled } => {
            let given = radius.filter(|_| styled).map(|r| r.resolve(rect.width(), rect.height(), &css));
            let radii = given.unwrap_or([Vec2::new(own, own); 4]);
            let rect = if p.snaps { boxes::snapped(rect + p.offset) } else { rect + p.offset };
            let outline = rounded(rect, radii);
            let cast = |inset: bool| shadows.iter().rev().filter(move |s| s.inset == inset);
            draws.extend(cast(false).map(|s| boxes::shadow(&outline, s)));
            draws.push(Draw::Fill {
                outline: outline.clone(),
                transform: Affine::IDENTITY,
                paint: paint_for(rect),
            });
            draws.extend(cast(true).map(|s| boxes::shadow(&outline, s)));
            if let Some(color) = stroke {
                draws.extend(border_draw(rect, radii, stroke_width, BorderStyle::Solid, color));
            }
            bounds = rect.inset(reach);
        }
        shape::Outline::Path(path, rule) => {
            let path = Affine::translate(p.offset) * path;
            let mut ink = path.bounding_box().inset(stroke_width * 2.0);
            for s in shadows.iter().rev().filter(|s| !s.inset) {
                draws.push(silhouette(&path, rule, stroke.map(|_| stroke_width), s));
            }
            ink = ink.inset(reach);
            let area = Rect::from_origin_size(p.offset.to_point(), size);
            draws.push(fill_path(path.clone(), rule, paint_for(area)));
            if let Some(color) = stroke.filter(|_| stroke_width > 0.0) {
                draws.push(Draw::Stroke {
                    path: Arc::new(path),
                    transform: Affine::IDENTITY,
                    width: stroke_width,
                    paint: Paint::Solid(color),
                });
            }
            bounds = ink;
        }
        shape::Outline::Line(path) => {
            let path = Affine::translate(p.offset) * path;
            let width = if stroke_width > 0.0 { stroke_width } else { DEFAULT_STROKE_WIDTH };
            let area = Rect::from_origin_size(p.offset.to_point(), size);
            let paint = stroke.map_or_else(|| paint_for(area), Paint::Solid);
            bounds = path.bounding_box().inset(width * 2.0);
            draws.push(Draw::Stroke { path: Arc::new(path), transform: Affine::IDENTITY, width, paint });
        }
    }
    Body::Still(Still { content: Arc::new(Content::new(bounds, draws)), backdrop: None })
}

/// The shape in one colour, stroke included, moved and blurred.
fn silhouette(
    path: &kurbo::BezPath,
    rule: FillRule,
    stroke: Option<f64>,
    s: &rondo_css::ResolvedShadow,
) -> Draw {
    let path = Affine::translate(s.offset) * path.clone();
    let mut draws = vec![fill_path(path.clone(), rule, Paint::Solid(Color { a: 1.0, ..s.color }))];
    if let Some(width) = stroke {
        draws.push(Draw::Stroke {
            path: Arc::new(path),
            transform: Affine::IDENTITY,
            width,
            paint: Paint::Solid(Color { a: 1.0, ..s.color }),
        });
    }
    let filters = if s.sigma > 0.0 { vec![Filter::Blur { sigma: s.sigma }] } else { Vec::new() };
    Draw::Group { draws, filters, clip: None, opacity: s.color.a }
}

/// What `fill` may hold: a colour, or a gradient as authors write it in CSS backgrounds.
enum Paintable {
    Color(Color),
    Gradient(Gradient),
}

impl Paintable {
    fn parse(value: &str) -> Result<Self, rondo_css::CssError> {
        if value.contains("gradient(") {
            Gradient::parse(value).map(Self::Gradient)
        } else {
            Color::parse(value).map(Self::Color)
        }
    }
}
