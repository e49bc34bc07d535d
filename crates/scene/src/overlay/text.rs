//! Text overlays: a block that shrinks to its text, centred vertically in the layer box, which clips it.

use std::sync::Arc;

use kurbo::{Affine, Point, Rect, Size, Vec2};
use rondo_composition::{Text, TextAlign};
use rondo_css::{Background, Border, BorderRadius, Color, Context, Edges, Length, ResolvedShadow};
use rondo_text::{Align, Decorations, FitRequest, LineHeight, TextLayout, TextStyle};
use unicode_segmentation::UnicodeSegmentation;

use super::{Body, Prepare, Still, font_weight};
use crate::boxes::{self, BoxStyle};
use crate::display::*;

/// Lays the text out and draws its block.
pub(crate) fn prepare(text: &Text, size: Size, p: &mut Prepare<'_>) -> Body {
    let look = Look::read(text, p);
    let content = transformed(&text.content, text.styles.text_transform.as_deref());
    let fit = p.engine.fit(&FitRequest {
        text: &content,
        style: &look.style,
        width: size.width as f32,
        height: size.height as f32,
        padding: look.padding.each_ref().map(|l| two_part(l, p.css, size.width)),
        border: look.border.as_ref().map(|b| b.resolve(&p.css).width as f32),
        font_size: look.font_size,
        fixed: look.font_size.is_some() && text.styles.font_size_fixed,
        scale: text.styles.font_size_scale.unwrap_or(1.0) as f32,
    });
    if fit.overflow && text.styles.font_size_fixed {
        p.notices.warn(
            "TEXT_MAY_CLIP",
            p.at("content"),
            format!(
                "The text does not fit its {} × {} box at {} px and is clipped.",
                size.width, size.height, fit.size
            ),
            Some(
                "Shorten the text, enlarge the box, or leave fontSizeFixed out so that the text shrinks."
                    .into(),
            ),
        );
    }
    let context = Context { font_size: f64::from(fit.size), current_color: look.color, ..p.css };
    Body::Still(block(&look, &content, &fit.layout, size, &context, p))
}

/// The style of a text overlay, read from its CSS strings.
struct Look {
    style: TextStyle,
    font_size: Option<f32>,
    color: Color,
    /// What glyphs are filled with, when not with `color`.
    fill: Option<Color>,
    clip_background: bool,
    padding: [Length; 4],
    border: Option<Border>,
    radius: Option<BorderRadius>,
    shadows: Vec<rondo_css::Shadow>,
    text_shadows: Vec<rondo_css::Shadow>,
    background: Option<Background>,
    background_color: Option<Color>,
    decoration: Vec<DecorationLine>,
    backdrop: Vec<rondo_css::FilterFunction>,
}

impl Look {
    fn read(text: &Text, p: &mut Prepare<'_>) -> Self {
        let s = &text.styles;
        let color = p.read("styles.color", s.color.as_deref(), Color::parse).unwrap_or(Color::BLACK);
        let css = Context { current_color: color, ..p.css };
        let weight = font_weight(s.font_weight.as_deref());
        let italic = s.font_style.as_deref().is_some_and(|v| v.contains("italic") || v.contains("oblique"));
        let families = s.font_family.clone().unwrap_or_default();
        p.check_font(&families, weight, italic);
        let line_height = match s.line_height.as_deref().map(str::trim) {
            None | Some("" | "normal") => LineHeight::Factor(1.2),
            Some(v) => match v.parse::<f32>() {
                Ok(factor) if factor.is_finite() => LineHeight::Factor(factor.clamp(0.0, 20.0)),
                _ => {
                    p.read("styles.lineHeight", Some(v), Length::parse).map_or(LineHeight::Factor(1.2), |l| {
                        let two = two_part(&l, css, 0.0);
                        if two.px == 0.0 { LineHeight::Factor(two.em) } else { LineHeight::Px(two.px) }
                    })
                }
            },
        };
        let letter_spacing = s
            .letter_spacing
            .as_deref()
            .filter(|v| v.trim() != "normal")
            .and_then(|v| p.read("styles.letterSpacing", Some(v), Length::parse_px))
            .map_or(rondo_text::Length::ZERO, |l| two_part(&l, css, 0.0));
        let default_padding = || Length::Value(0.1, rondo_css::Unit::Em);
        let padding = p.read("styles.padding", s.padding.as_deref(), Edges::parse_padding).map_or_else(
            || std::array::from_fn(|_| default_padding()),
            |e| [e.top, e.right, e.bottom, e.left],
        );
        let background = p.read("styles.background", s.background.as_deref(), Background::parse);
        let mut background_color =
            p.read("styles.backgroundColor", s.background_color.as_deref(), Color::parse);
        if background_color.is_none() && background.is_none() {
            let under = s.padding_background_color.as_deref();
            background_color = p.read("styles.paddingBackgroundColor", under, Color::parse);
        }
        Self {
            style: TextStyle {
                families,
                size: 16.0,
                weight,
                italic,
                letter_spacing,
                line_height,
                align: match s.text_align {
                    TextAlign::Center => Align::Center,
                    TextAlign::Right => Align::Right,
                    TextAlign::Left => Align::Left,
                },
                tabular_digits: false,
            },
            font_size: p.pixel_size(s.font_size.as_deref()),
            color,
            fill: p.read("styles.WebkitTextFillColor", s.text_fill_color.as_deref(), |v| {
                rondo_css::ColorValue::parse(v).map(|c| c.resolve(&css))
            }),
            clip_background: s.background_clip.as_deref().is_some_and(|v| v.trim() == "text"),
            padding,
            border: p.read("styles.border", s.border.as_deref(), Border::parse),
            radius: p.read("styles.borderRadius", s.border_radius.as_deref(), BorderRadius::parse),
            shadows: p
                .read("styles.boxShadow", s.box_shadow.as_deref(), rondo_css::parse_box_shadows)
                .unwrap_or_default(),
            text_shadows: p
                .read("styles.textShadow", s.text_shadow.as_deref(), rondo_css::parse_text_shadows)
                .unwrap_or_default(),
            background,
            background_color,
            decoration: s.text_decoration.as_deref().map(decoration_lines).unwrap_or_default(),
            backdrop: p
                .read("styles.backdropFilter", s.backdrop_filter.as_deref(), rondo_css::parse_filters)
                .unwrap_or_default(),
        }
    }
}

/// The block with everything it carries, in layer box coordinates moved by the layer's subpixel offset.
fn block(
    look: &Look,
    content: &str,
    layout: &TextLayout,
    size: Size,
    css: &Context,
    p: &Prepare<'_>,
) -> Still {
    let padding = look.padding.each_ref().map(|l| l.resolve(css, size.width));
    let border = look.border.as_ref().map(|b| b.resolve(css));
    let edge = border.as_ref().map_or(0.0, |b| b.width);
    let outer = |inside: f64, before: f64, after: f64, limit: f64| {
        (inside + before + after + 2.0 * edge).min(limit).max(0.0)
    };
    let width = outer(f64::from(layout.width), padding[1], padding[3], size.width);
    let height = outer(f64::from(layout.height), padding[0], padding[2], size.height);
    let free = size.width - width;
    let x = match look.style.align {
        Align::Left => 0.0,
        Align::Center => free / 2.0,
        Align::Right => free,
    };
    let exact = Rect::from_origin_size((x, (size.height - height) / 2.0), (width, height)) + p.offset;
    let rect = if p.snaps { boxes::snapped(exact) } else { exact };
    let radii = look.radius.as_ref().map_or([Vec2::ZERO; 4], |r| r.resolve(rect.width(), rect.height(), css));
    let style = BoxStyle {
        background: look.background.clone().filter(|_| !look.clip_background),
        color: look.background_color.filter(|_| !look.clip_background),
        border,
        radii,
        shadows: look.shadows.iter().map(|s| s.resolve(css)).collect(),
    };
    let mut draws = Vec::new();
    style.draw_under(rect, css, &mut draws);
    style.draw_border(rect, &mut draws);

    let origin = exact.origin() + Vec2::new(edge + padding[3], edge + padding[0]);
    let marks = Marks { layout, origin, snaps: p.snaps, decoration: &look.decoration };
    for shadow in look.text_shadows.iter().rev().map(|s| s.resolve(css)) {
        draws.extend(marks.shadow(&shadow));
    }
    let fill = look.fill.unwrap_or(look.color);
    if look.clip_background {
        let under = BoxStyle {
            background: look.background.clone(),
            color: look.background_color,
            ..BoxStyle::default()
        };
        marks.draw_clipped(&under, rect, css, &mut draws);
    }
    marks.draw(&Paint::Solid(fill), look.color, &mut draws);

    let clip = Rect::from_origin_size(Point::ORIGIN, size) + p.offset;
    let clip = if p.snaps { boxes::snapped(clip) } else { clip };
    let spills = !look.text_shadows.is_empty()
        || style.reach() > 0.0
        || f64::from(layout.height) > height
        || f64::from(layout.width) > width
        || line_is_tight(layout);
    if spills {
        let inside = std::mem::take(&mut draws);
        draws.push(Draw::Group {
            draws: inside,
            filters: Vec::new(),
            clip: Some(Outline::Rect(clip)),
            opacity: 1.0,
        });
    }
    let backdrop = (!look.backdrop.is_empty()).then(|| Backdrop {
        outline: boxes::rounded(rect, radii),
        filters: boxes::filters(rondo_css::resolve_filters(&look.backdrop, css)),
    });
    let empty = content.trim().is_empty() && draws.is_empty() && backdrop.is_none();
    let bounds = if empty { Rect::ZERO } else { clip };
    Still { content: Arc::new(Content::new(bounds, draws)), backdrop }
}

/// Whether glyphs may reach out of their line box.
fn line_is_tight(layout: &TextLayout) -> bool {
    let line = layout.lines.first().map_or(0.0, |l| l.height);
    line < layout.metrics.ascent + layout.metrics.descent
}

/// Glyphs and decoration lines of a layout at a place.
struct Marks<'a> {
    layout: &'a TextLayout,
    origin: Point,
    snaps: bool,
    decoration: &'a [DecorationLine],
}

impl Marks<'_> {
    /// Glyphs in `paint`, decoration lines in `line_color`.
    fn draw(&self, paint: &Paint, line_color: Color, draws: &mut Vec<Draw>) {
        let visible = |p: &Paint| !matches!(p, Paint::Solid(c) if c.is_transparent());
        let lines = |over: bool, draws: &mut Vec<Draw>| {
            for kind in self.decoration.iter().filter(|d| (**d == DecorationLine::LineThrough) == over) {
                draws.extend(self.decoration_line(*kind, &Paint::Solid(line_color)));
            }
        };
        lines(false, draws);
        if visible(paint) {
            for line in &self.layout.lines {
                let baseline = self.baseline(line);
                for run in &line.runs {
                    let origin = Point::new(self.origin.x + f64::from(run.x), baseline);
                    draws.push(Draw::Glyphs { run: run.glyphs.clone(), origin, paint: paint.clone() });
                }
            }
        }
        lines(true, draws);
    }

    fn baseline(&self, line: &rondo_text::Line) -> f64 {
        let exact = self.origin.y + f64::from(line.baseline);
        if self.snaps { exact.round() } else { exact }
    }

    fn decoration_line(&self, kind: DecorationLine, paint: &Paint) -> Vec<Draw> {
        let at = Decorations::new(self.layout.metrics, self.layout.size);
        let top = f64::from(match kind {
            DecorationLine::Underline => at.underline,
            DecorationLine::Overline => at.overline,
            DecorationLine::LineThrough => at.line_through,
        });
        self.layout
            .lines
            .iter()
            .filter(|line| line.width > 0.0)
            .map(|line| {
                let x = self.origin.x + f64::from(line.left);
                let y = self.baseline(line) + top;
                let rect = Rect::new(x, y, x + f64::from(line.width), y + f64::from(at.thickness));
                Draw::Fill { outline: Outline::Rect(rect), transform: Affine::IDENTITY, paint: paint.clone() }
            })
            .collect()
    }

    /// The marks in one colour, moved and blurred.
    fn shadow(&self, shadow: &ResolvedShadow) -> Option<Draw> {
        if shadow.color.is_transparent() {
            return None;
        }
        let moved = Marks { origin: self.origin + shadow.offset, ..*self };
        let mut draws = Vec::new();
        moved.draw(&Paint::Solid(shadow.color), shadow.color, &mut draws);
        let filters =
            if shadow.sigma > 0.0 { vec![Filter::Blur { sigma: shadow.sigma }] } else { Vec::new() };
        Some(Draw::Group { draws, filters, clip: None, opacity: 1.0 })
    }

    /// The background as seen through the glyphs.
    fn draw_clipped(&self, under: &BoxStyle, rect: Rect, css: &Context, draws: &mut Vec<Draw>) {
        let mut fills = Vec::new();
        under.draw_under(rect, css, &mut fills);
        for fill in fills {
            if let Draw::Fill { paint, .. } = fill {
                self.draw(&paint, Color::TRANSPARENT, draws);
            }
        }
    }
}

/// The lines of a `text-decoration` value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DecorationLine {
    Underline,
    Overline,
    LineThrough,
}

fn decoration_lines(value: &str) -> Vec<DecorationLine> {
    value
        .split_whitespace()
        .filter_map(|word| match word.to_ascii_lowercase().as_str() {
            "underline" => Some(DecorationLine::Underline),
            "overline" => Some(DecorationLine::Overline),
            "line-through" => Some(DecorationLine::LineThrough),
            _ => None,
        })
        .collect()
}

/// CSS `text-transform`.
fn transformed(text: &str, value: Option<&str>) -> String {
    match value.map(|v| v.trim().to_ascii_lowercase()).as_deref() {
        Some("uppercase") => text.to_uppercase(),
        Some("lowercase") => text.to_lowercase(),
        Some("capitalize") => text
            .split_word_bounds()
            .map(|word| {
                let mut chars = word.chars();
                chars.next().map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
            })
            .collect(),
        _ => text.to_owned(),
    }
}

/// A CSS length as pixels plus ems, found by resolving it at two font sizes: lengths are linear in it.
pub(crate) fn two_part(length: &Length, css: Context, percent_base: f64) -> rondo_text::Length {
    let at = |font_size: f64| length.resolve(&Context { font_size, ..css }, percent_base);
    let px = at(0.0);
    rondo_text::Length { px: px as f32, em: (at(1.0) - px) as f32 }
}
