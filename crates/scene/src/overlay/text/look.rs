//! The CSS strings of a text overlay as typed values.

use kurbo::Size;
use rondo_composition::{Text, TextAlign, TextStyles};
use rondo_css::{
    Background, BackgroundLonghands, Border, BorderRadius, Color, Context, Edges, FontFeature, Length,
    TextIndent, parse_font_features, parse_font_stretch, parse_numeric_variants,
};
use rondo_text::{Align, Indent, LineHeight, TextStyle};

use crate::notice::{Notice, Severity};
use crate::overlay::decoration::{DecorationLine, decoration_lines};
use crate::overlay::marks::{letter_spacing, spacing};
use crate::overlay::stroke::{StrokeFields, StrokeStyle};
use crate::prepare::{Prepare, font_weight};

/// Where a block is in its box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Vertical {
    Top,
    Middle,
    Bottom,
}

impl Vertical {
    /// In the middle unless the value says otherwise.
    fn read(value: Option<&str>) -> Self {
        match value.map(|v| v.trim().to_ascii_lowercase()).as_deref() {
            Some("top") => Self::Top,
            Some("bottom") => Self::Bottom,
            _ => Self::Middle,
        }
    }

    /// Space above a block with `free` room around it.
    pub fn above(self, free: f64) -> f64 {
        match self {
            Self::Top => 0.0,
            Self::Middle => free / 2.0,
            Self::Bottom => free,
        }
    }
}

/// The style of a text overlay, read from its CSS strings.
#[derive(Clone)]
pub(super) struct Look {
    pub style: TextStyle,
    pub vertical: Vertical,
    /// Lengths relative to the text's face, and its colour; the font size is not the text's.
    pub css: Context,
    pub font_size: Option<f32>,
    pub color: Color,
    /// What glyphs are filled with, when not with `color`.
    pub fill: Option<Color>,
    pub stroke: Option<StrokeStyle>,
    pub clip_background: bool,
    pub padding: [Length; 4],
    pub border: Option<Border>,
    /// Whether the border takes room and is drawn across (left and right) and down (top and bottom).
    pub bordered: [bool; 2],
    pub radius: Option<BorderRadius>,
    pub shadows: Vec<rondo_css::Shadow>,
    pub text_shadows: Vec<rondo_css::Shadow>,
    pub background: Option<Background>,
    pub background_color: Option<Color>,
    pub decoration: Vec<DecorationLine>,
    pub filters: Vec<rondo_css::FilterFunction>,
    pub backdrop: Vec<rondo_css::FilterFunction>,
}

impl Look {
    pub fn read(text: &Text, p: &mut Prepare<'_>) -> Self {
        let s = &text.styles;
        let color = p.read("styles.color", s.color.as_deref(), Color::parse).unwrap_or(Color::BLACK);
        let weight = font_weight(s.font_weight.as_deref());
        let italic = s.font_style.as_deref().is_some_and(|v| v.contains("italic") || v.contains("oblique"));
        let families = s.font_family.clone().unwrap_or_default();
        p.check_font(&families, weight, italic);
        let stretch = p
            .read("styles.fontStretch", s.font_stretch.as_deref(), parse_font_stretch)
            .unwrap_or(100.0) as f32;
        let face = TextStyle { families, weight, italic, stretch, ..TextStyle::default() };
        let css = Context { current_color: color, ..p.in_face(&face) };
        let letter_spacing = letter_spacing(s.letter_spacing.as_deref(), css, p);
        let word_spacing = spacing("styles.wordSpacing", s.word_spacing.as_deref(), css, p);
        let default_padding = || Length::Value(0.1, rondo_css::Unit::Em);
        let padding = p.read("styles.padding", s.padding.as_deref(), Edges::parse_padding).map_or_else(
            || std::array::from_fn(|_| default_padding()),
            |e| [e.top, e.right, e.bottom, e.left],
        );
        let longhands = background_longhands(text, p);
        let background = p
            .read("styles.background", s.background.as_deref(), Background::parse)
            .map(|background| background.with(&longhands));
        let background_color = p.read("styles.backgroundColor", s.background_color.as_deref(), Color::parse);
        if s.padding_background_color.is_some() {
            let message = "paddingBackgroundColor is a style of images and videos. It has no effect on text.";
            p.notices.push(
                Notice::new(
                    "STYLE_WITHOUT_EFFECT",
                    Severity::Info,
                    p.at("styles.paddingBackgroundColor"),
                    message,
                )
                .hint("Use backgroundColor."),
            );
        }
        Self {
            style: TextStyle {
                letter_spacing,
                word_spacing,
                indent: indent(s.text_indent.as_deref(), css, p),
                line_height: line_height(s.line_height.as_deref(), css, p),
                features: features(s, p),
                align: match s.text_align {
                    TextAlign::Center => Align::Center,
                    TextAlign::Right => Align::Right,
                    TextAlign::Left => Align::Left,
                },
                ..face
            },
            vertical: Vertical::read(s.vertical_align.as_deref()),
            css,
            font_size: p.pixel_size(s.font_size.as_deref()),
            color,
            fill: p.read("styles.WebkitTextFillColor", s.text_fill_color.as_deref(), |v| {
                rondo_css::ColorValue::parse(v).map(|c| c.resolve(&css))
            }),
            stroke: StrokeStyle::read(
                StrokeFields {
                    shorthand: s.text_stroke.as_deref(),
                    width: s.text_stroke_width.as_deref(),
                    color: s.text_stroke_color.as_deref(),
                    paint_order: s.paint_order.as_deref(),
                },
                p,
            ),
            clip_background: s.background_clip.as_deref().is_some_and(|v| v.trim() == "text"),
            padding,
            border: p.read("styles.border", s.border.as_deref(), Border::parse),
            bordered: [true; 2],
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
            filters: p
                .read("styles.filter", s.filter.as_deref(), rondo_css::parse_filters)
                .unwrap_or_default(),
            backdrop: p
                .read("styles.backdropFilter", s.backdrop_filter.as_deref(), rondo_css::parse_filters)
                .unwrap_or_default(),
        }
    }

    /// Ignores padding in an axis where padding and border leave no room for text in a box of `size`, and a border where
    /// it alone leaves none. The em of text that is fitted shrinks along and counts as nothing here.
    pub fn keep_room(&mut self, is_fixed: bool, size: Size, p: &mut Prepare<'_>) {
        let font_size = self.font_size.filter(|_| is_fixed).map_or(0.0, f64::from);
        let css = Context { font_size, ..self.css };
        let edges = 2.0 * self.border.as_ref().map_or(0.0, |border| border.resolve(&css).width);
        for (axis, [first, second], length) in [(0, [3, 1], size.width), (1, [0, 2], size.height)] {
            let padding =
                [first, second].map(|side| self.padding[side].resolve(&css, size.width)).iter().sum::<f64>();
            let padded_away = padding > 0.0 && padding + edges >= length;
            if padded_away {
                (self.padding[first], self.padding[second]) = (Length::px(0.0), Length::px(0.0));
            }
            self.bordered[axis] = edges <= 0.0 || edges < length;
            if padded_away || !self.bordered[axis] {
                let what = if self.bordered[axis] { "padding" } else { "border" };
                let across = ["left and right", "top and bottom"][axis];
                let message = format!(
                    "The {what} leaves no room for text in the {} × {} box, so it is ignored {across}.",
                    size.width, size.height
                );
                let hint = format!("Make the {what} smaller, or the box larger.");
                p.notices.warn("NO_ROOM_FOR_TEXT", p.at(&format!("styles.{what}")), message, Some(hint));
            }
        }
    }
}

fn background_longhands(text: &Text, p: &mut Prepare<'_>) -> BackgroundLonghands {
    let s = &text.styles;
    let (size, position) = (s.background_size.as_deref(), s.background_position.as_deref());
    BackgroundLonghands {
        sizes: p.read("styles.backgroundSize", size, BackgroundLonghands::parse_sizes).unwrap_or_default(),
        positions: p
            .read("styles.backgroundPosition", position, BackgroundLonghands::parse_positions)
            .unwrap_or_default(),
        repeats: p
            .read(
                "styles.backgroundRepeat",
                s.background_repeat.as_deref(),
                BackgroundLonghands::parse_repeats,
            )
            .unwrap_or_default(),
    }
}

/// 1.2 unless the value says otherwise.
fn line_height(value: Option<&str>, css: Context, p: &mut Prepare<'_>) -> LineHeight {
    use rondo_css::{LineHeight as Read, Unit};
    match p.read("styles.lineHeight", value, Read::parse) {
        None => LineHeight::Factor(1.2),
        Some(Read::Normal) => LineHeight::Normal,
        Some(Read::Factor(factor) | Read::Length(Length::Value(factor, Unit::Em | Unit::Percent))) => {
            LineHeight::Factor(factor.min(20.0) as f32)
        }
        Some(Read::Length(Length::Value(px, Unit::Px))) => LineHeight::Px(px as f32),
        Some(Read::Length(length)) => LineHeight::Length(rondo_text::Length::of_size(length, css)),
    }
}

fn indent(value: Option<&str>, css: Context, p: &mut Prepare<'_>) -> Indent {
    p.read("styles.textIndent", value, TextIndent::parse).map_or_else(Indent::default, |indent| Indent {
        length: rondo_text::Length::new(indent.length, css, 0.0),
        hanging: indent.hanging,
        each_line: indent.each_line,
    })
}

/// Features by name win over numeric variants.
fn features(s: &TextStyles, p: &mut Prepare<'_>) -> Vec<FontFeature> {
    let variants =
        p.read("styles.fontVariantNumeric", s.font_variant_numeric.as_deref(), parse_numeric_variants);
    let named = p.read("styles.fontFeatureSettings", s.font_feature_settings.as_deref(), parse_font_features);
    variants.into_iter().chain(named).flatten().collect()
}
