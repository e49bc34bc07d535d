//! Text overlays: a block that shrinks to its text, centred vertically in the layer box, which clips it.

use std::sync::Arc;

use kurbo::{Point, Rect, Size, Vec2};
use rondo_composition::{Text, TextAlign};
use rondo_css::{Background, Border, BorderRadius, Color, Context, Edges, Length};
use rondo_text::{Align, FitRequest, LineHeight, TextLayout, TextStyle};
use unicode_segmentation::UnicodeSegmentation;

use super::marks::{DecorationLine, Marks, decoration_lines, letter_spacing, two_part};
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
        let letter_spacing = letter_spacing(s.letter_spacing.as_deref(), css, p);
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
