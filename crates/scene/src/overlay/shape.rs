//! Shape overlays: an outline of the registry with fill, gradient, stroke and shadows.

use std::sync::Arc;

use kurbo::{Affine, Rect, Shape as _, Size, Vec2};
use rondo_composition::{Base, GradientTransition, Shape};
use rondo_css::{BorderRadius, BorderStyle, Color, Context, Gradient, ResolvedShadow, parse_box_shadows};

use crate::border::border_draws;
use crate::boxes::{self, gradient, shadow_reach};
use crate::display::*;
use crate::motion::gradients::{Shade, Transition};
use crate::nearest::Lookup;
use crate::outlines::{fill_path, rounded};
use crate::prepare::Prepare;
use crate::shapes;
use crate::stage::{Motion, Placed, Stage};
use crate::visual::{Body, Show, Still, Visual};

const DEFAULT_FILL: Color = Color { r: 59.0 / 255.0, g: 130.0 / 255.0, b: 246.0 / 255.0, a: 1.0 };
const DEFAULT_STROKE_WIDTH: f64 = 2.0;

impl Visual for Shape {
    fn motion(&self) -> Motion<'_> {
        let s = &self.styles;
        let motion = Motion::new(s.animation.as_ref(), s.transform.as_deref(), s.opacity);
        Motion { blend: s.mix_blend_mode.as_deref(), stagger: s.staggered_motion.as_ref(), ..motion }
    }

    fn prepare(&self, base: &Base, _: &Stage, p: &mut Prepare<'_>) -> Option<Body> {
        let s = &self.styles;
        let figure = Figure::read(self, Size::new(base.width, base.height), p);
        if let Some(transition) = s.gradient_transition.as_ref().and_then(|t| transition(t, p)) {
            return Some(Box::new(Shifting { figure, transition }));
        }
        let gradient =
            p.read("styles.gradient", s.gradient.as_deref(), Gradient::parse).map(Paintable::Gradient);
        let fill = gradient.or_else(|| p.read("styles.fill", s.fill.as_deref(), Paintable::parse));
        let paint = fill.unwrap_or(Paintable::Color(DEFAULT_FILL));
        let content = Arc::new(figure.content(&[(&paint, 1.0)]));
        Some(Box::new(Still { content, backdrop: None, cuts: figure.boxed().into_iter().collect() }))
    }
}

/// The gradients of a transition; `None` when it is off or has none.
fn transition(t: &GradientTransition, p: &mut Prepare<'_>) -> Option<Transition> {
    if !t.enabled {
        return None;
    }
    let field = |i: usize| format!("styles.gradientTransition.gradients[{i}]");
    let gradients = t.gradients.iter().enumerate();
    let gradients = gradients.filter_map(|(i, g)| p.read(&field(i), Some(g), Gradient::parse)).collect();
    let easing = p.easing("styles.gradientTransition.easing", t.easing.as_deref());
    Transition::new(gradients, t.duration.unwrap_or(f64::from(p.duration)), easing)
}

/// A shape whose gradient turns into others.
pub(crate) struct Shifting {
    figure: Figure,
    transition: Transition,
}

impl Show for Shifting {
    fn show(&self, frame: u32, placed: Placed, _: &Stage, items: &mut Vec<Item>) {
        items.push(placed.layer(self.content(frame), None));
    }

    fn area(&self, whole: Rect, _: u32, placed: &Placed, _: &Stage) -> Vec<Clip> {
        vec![placed.clip(self.figure.boxed().unwrap_or(Outline::Rect(whole)))]
    }
}

impl Shifting {
    /// The shape at a local frame.
    fn content(&self, frame: u32) -> Arc<Content> {
        let shade = self.transition.at(frame, &self.figure.css);
        Arc::new(match shade {
            Shade::One(gradient) => self.figure.content(&[(&Paintable::Gradient(gradient), 1.0)]),
            Shade::Faded(from, to, t) => {
                // Over an opaque one the weights add up exactly, so that one goes beneath.
                let swap = self.figure.is_opaque(&from) && !self.figure.is_opaque(&to);
                let (under, over, weight) = if swap { (to, from, 1.0 - t) } else { (from, to, t) };
                let paints = [Paintable::Gradient(under), Paintable::Gradient(over)];
                self.figure.content(&[(&paints[0], 1.0), (&paints[1], weight as f32)])
            }
        })
    }
}

/// Everything about a shape but its fill.
struct Figure {
    outline: shapes::Outline,
    size: Size,
    stroke: Option<Color>,
    stroke_width: f64,
    radius: Option<BorderRadius>,
    shadows: Vec<ResolvedShadow>,
    css: Context,
    offset: Vec2,
}

impl Figure {
    fn read(overlay: &Shape, size: Size, p: &mut Prepare<'_>) -> Self {
        let s = &overlay.styles;
        let stroke =
            p.read("styles.stroke", s.stroke.as_deref(), Color::parse).filter(|c| !c.is_transparent());
        let stroke_width =
            if stroke.is_some() { s.stroke_width.unwrap_or(DEFAULT_STROKE_WIDTH).max(0.0) } else { 0.0 };
        let radius = p.read("styles.borderRadius", s.border_radius.as_deref(), BorderRadius::parse);
        let css = p.css;
        if !shapes::is_known(&overlay.content) {
            let unknown = Lookup::<()>::Unknown;
            p.registered("UNKNOWN_SHAPE", "content", &overlay.content, unknown, shapes::names());
        }
        let shadows = p
            .read("styles.boxShadow", s.box_shadow.as_deref(), parse_box_shadows)
            .unwrap_or_default()
            .iter()
            .map(|s| s.resolve(&css))
            .collect();
        let outline = shapes::outline(&overlay.content, size, stroke_width);
        Self { outline, size, stroke, stroke_width, radius, shadows, css, offset: p.offset }
    }

    /// The rectangle and corners of a box.
    fn corners(&self, rect: Rect, radius: f64, styled: bool) -> (Rect, [Vec2; 4]) {
        let given = self.radius.as_ref().filter(|_| styled);
        let radii = given
            .map_or([Vec2::new(radius, radius); 4], |r| r.resolve(rect.width(), rect.height(), &self.css));
        (boxes::snapped(rect + self.offset), radii)
    }

    /// The outline of a shape that is a box.
    fn boxed(&self) -> Option<Outline> {
        let shapes::Outline::Box { rect, radius, styled } = self.outline else { return None };
        let (rect, radii) = self.corners(rect, radius, styled);
        Some(rounded(rect, radii))
    }

    /// The shape filled with paints over one another, each with its opacity.
    fn content(&self, paints: &[(&Paintable, f32)]) -> Content {
        let reach = self.shadows.iter().map(shadow_reach).fold(0.0, f64::max);
        let area = Rect::from_origin_size(self.offset.to_point(), self.size);
        let mut draws = Vec::new();
        let bounds = match &self.outline {
            shapes::Outline::Box { rect, radius, styled } => {
                let (rect, radii) = self.corners(*rect, *radius, *styled);
                let outline = rounded(rect, radii);
                let cast = |inset: bool| self.shadows.iter().rev().filter(move |s| s.inset == inset);
                draws.extend(cast(false).map(|s| boxes::shadow(&outline, s)));
                self.fill(paints, rect, &mut draws, |paint| Draw::Fill {
                    outline: outline.clone(),
                    transform: Affine::IDENTITY,
                    paint,
                });
                draws.extend(cast(true).map(|s| boxes::shadow(&outline, s)));
                if let Some(color) = self.stroke {
                    draws.extend(border_draws(rect, radii, self.stroke_width, BorderStyle::Solid, color));
                }
                rect.inset(reach)
            }
            shapes::Outline::Path(path, rule) => {
                let path = Affine::translate(self.offset) * path.clone();
                for s in self.shadows.iter().rev().filter(|s| !s.inset) {
                    draws.push(silhouette(&path, *rule, self.stroke.map(|_| self.stroke_width), s));
                }
                let ink = path.bounding_box().inset(self.stroke_width * 2.0).inset(reach);
                self.fill(paints, area, &mut draws, |paint| fill_path(path.clone(), *rule, paint));
                if let Some(color) = self.stroke.filter(|_| self.stroke_width > 0.0) {
                    draws.push(Draw::Stroke {
                        path: Arc::new(path),
                        transform: Affine::IDENTITY,
                        width: self.stroke_width,
                        paint: Paint::Solid(color),
                    });
                }
                ink
            }
            shapes::Outline::Line(path) => {
                let path = Arc::new(Affine::translate(self.offset) * path.clone());
                let width = if self.stroke_width > 0.0 { self.stroke_width } else { DEFAULT_STROKE_WIDTH };
                let line =
                    |paint| Draw::Stroke { path: path.clone(), transform: Affine::IDENTITY, width, paint };
                match self.stroke {
                    Some(color) => draws.push(line(Paint::Solid(color))),
                    None => self.fill(paints, area, &mut draws, line),
                }
                path.bounding_box().inset(width * 2.0)
            }
        };
        Content::new(bounds, draws)
    }

    /// The paints over one another, for an area.
    fn fill(
        &self,
        paints: &[(&Paintable, f32)],
        area: Rect,
        draws: &mut Vec<Draw>,
        draw: impl Fn(Paint) -> Draw,
    ) {
        for (paint, opacity) in paints.iter().filter(|(_, opacity)| *opacity > 0.0) {
            let drawn = draw(match paint {
                Paintable::Color(color) => Paint::Solid(*color),
                Paintable::Gradient(g) => {
                    let resolved = g.resolve(area.width(), area.height(), &self.css);
                    gradient(&resolved, area.origin().to_vec2())
                }
            });
            let faded = |drawn| Draw::Group {
                draws: vec![drawn],
                filters: Vec::new(),
                clip: None,
                opacity: *opacity,
            };
            draws.push(if *opacity < 1.0 { faded(drawn) } else { drawn });
        }
    }

    fn is_opaque(&self, g: &Gradient) -> bool {
        g.resolve(self.size.width, self.size.height, &self.css).stops.iter().all(|s| s.color.is_opaque())
    }
}

/// The shape in one colour, stroke included, moved and blurred.
fn silhouette(path: &kurbo::BezPath, rule: FillRule, stroke: Option<f64>, s: &ResolvedShadow) -> Draw {
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
