//! How captions look: the template or plain defaults, overridden by the overlay's styles, read from CSS.

use kurbo::{Rect, Vec2};
use rondo_composition::{CaptionStyles, Captions, HighlightStyle, TextAlign};
use rondo_css::{
    Background, Border, BorderRadius, Color, ColorValue, Context, CssError, Edges, Length, ResolvedBorder,
    ResolvedShadow, Transform,
};
use rondo_text::{Align, LineHeight, TextStyle};

use super::super::marks::letter_spacing;
use super::super::stroke::{Stroke, StrokeFields, StrokeStyle};
use super::templates::{self, Highlight, Template};
use crate::Homography;
use crate::boxes::{self, BoxStyle, floor64};
use crate::display::Filter;
use crate::prepare::{Prepare, font_weight};

const BLOCK_PADDING: f64 = 16.0;
const WORD_PADDING: [f64; 4] = [4.0, 8.0, 4.0, 8.0];
const WORD_RADIUS: f64 = 4.0;

/// Everything captions of one overlay have in common.
pub(crate) struct Look {
    pub normal: Letters,
    pub lit: Letters,
    /// Words are measured with the heavier of both faces, so that lighting one moves nothing.
    pub lit_is_heavier: bool,
    /// The upright heavier face, where the lit one is of another style: words have room for the wider of both.
    pub also_measured: Option<TextStyle>,
    pub align: Align,
    pub block: Frame,
    pub word: Frame,
    /// The scale of a lit word and how it gets there; without one it jumps.
    pub scale: Option<f64>,
    /// Of a lit word, around its scale.
    transform: Option<Transform>,
    /// Milliseconds of a transition written out, which fades colour and background as well.
    pub transition: Option<f64>,
}

/// How letters are set and coloured.
pub(crate) struct Letters {
    pub style: TextStyle,
    pub color: Color,
    /// What they are filled with.
    pub fill: Color,
    /// Whether the background of the block shows in them.
    pub clips: bool,
    pub stroke: Option<Stroke>,
    pub shadows: Vec<ResolvedShadow>,
}

/// A box with a padding.
pub(crate) struct Frame {
    pub css: Context,
    /// Top, right, bottom, left.
    pub padding: [f64; 4],
    pub border: Option<ResolvedBorder>,
    radius: Option<BorderRadius>,
    background: Option<Background>,
    color: Option<Color>,
    /// Whether the background shows in the letters only.
    clips: bool,
    pub backdrop: Vec<Filter>,
}

impl Frame {
    pub fn edge(&self) -> f64 {
        self.border.as_ref().map_or(0.0, |b| b.width)
    }

    pub fn radii(&self, rect: Rect) -> [Vec2; 4] {
        let fixed = |r: &BorderRadius| r.resolve(rect.width(), rect.height(), &self.css);
        self.radius.as_ref().map_or([Vec2::ZERO; 4], fixed)
    }

    /// What is seen of the background.
    pub fn background(&self) -> BoxStyle {
        BoxStyle { background: self.background.clone(), color: self.color, ..BoxStyle::default() }
    }

    /// Background and border around `rect`.
    pub fn style(&self, rect: Rect) -> BoxStyle {
        let background = if self.clips { BoxStyle::default() } else { self.background() };
        BoxStyle { border: self.border, radii: self.radii(rect), ..background }
    }
}

impl Look {
    pub fn read(captions: &Captions, width: f64, p: &mut Prepare<'_>) -> Self {
        let name = captions.template.as_deref().unwrap_or("");
        let found = p.registered(
            "UNKNOWN_CAPTION_TEMPLATE",
            "template",
            name,
            templates::find(name),
            templates::names(),
        );
        let is_bare = captions.styles.is_none();
        let template = found.unwrap_or(if is_bare { templates::DEFAULT } else { &templates::PLAIN });
        let (none, unlit) = (CaptionStyles::default(), HighlightStyle::default());
        let s = captions.styles.as_ref().unwrap_or(&none);
        let h = s.highlight_style.as_ref().unwrap_or(&unlit);
        let size = p
            .read("styles.fontSize", pick(&s.font_size, Some(template.font_size)), Length::parse_px)
            .map(|l| l.resolve(&p.css, p.css.font_size))
            .filter(|size| size.is_finite() && *size > 0.0)
            .unwrap_or(2.2 * p.css.root_font_size)
            .min(4000.0);
        let color = p
            .read("styles.color", pick(&s.color, Some(template.color)), Color::parse)
            .unwrap_or(Color::WHITE);
        let css = Context { font_size: size, current_color: color, ..p.css };
        let weight = font_weight(pick(&s.font_weight, Some(template.font_weight)));
        let lit_weight = font_weight(pick(&h.font_weight, Some(template.highlight.font_weight)));
        let families = pick(&s.font_family, Some(template.font_family)).unwrap_or_default().to_owned();
        let italic = slanted(s.font_style.as_deref());
        let lit_italic = h.font_style.as_deref().map_or(italic, |style| slanted(Some(style)));
        p.check_font(&families, weight, italic);
        p.check_font(&families, lit_weight, lit_italic);
        let style = TextStyle {
            families,
            size: size as f32,
            weight,
            italic,
            letter_spacing: letter_spacing(pick(&s.letter_spacing, template.letter_spacing), css, p),
            line_height: LineHeight::Factor(s.line_height.unwrap_or(template.line_height) as f32),
            align: Align::Center,
            ..TextStyle::default()
        };
        let own_lit_color =
            p.read("styles.highlightStyle.color", pick(&h.color, template.highlight.color), Color::parse);
        let lit_color = own_lit_color.unwrap_or(color);
        let lit_css = Context { current_color: lit_color, ..css };
        let shadow = pick(&s.text_shadow, template.text_shadow);
        let shadows = text_shadows("styles.textShadow", shadow, &css, p).unwrap_or_default();
        let lit_shadow = pick(&h.text_shadow, template.highlight.text_shadow);
        let lit_shadows = match lit_shadow.map(str::trim) {
            Some("none") => Vec::new(),
            _ => text_shadows("styles.highlightStyle.textShadow", lit_shadow, &lit_css, p)
                .or_else(|| text_shadows("styles.textShadow", shadow, &lit_css, p))
                .unwrap_or_default(),
        };
        let block = block(s, template, css, width, p);
        let fill = p
            .read("styles.WebkitTextFillColor", s.text_fill_color.as_deref(), ColorValue::parse)
            .map_or(color, |fill| fill.resolve(&css));
        let stroke = StrokeStyle::read(
            StrokeFields {
                shorthand: s.text_stroke.as_deref(),
                width: s.text_stroke_width.as_deref(),
                color: s.text_stroke_color.as_deref(),
                paint_order: s.paint_order.as_deref(),
            },
            p,
        );
        let lit = Letters {
            style: TextStyle { weight: lit_weight, italic: lit_italic, ..style.clone() },
            color: lit_color,
            fill: own_lit_color.unwrap_or(fill),
            clips: block.clips && own_lit_color.is_none(),
            stroke: stroke.as_ref().and_then(|stroke| stroke.resolve(&lit_css)),
            shadows: lit_shadows,
        };
        let heavier = TextStyle { weight: weight.max(lit_weight), ..style.clone() };
        Self {
            lit,
            normal: Letters {
                style,
                color,
                fill,
                clips: block.clips,
                stroke: stroke.as_ref().and_then(|stroke| stroke.resolve(&css)),
                shadows,
            },
            lit_is_heavier: lit_weight > weight,
            also_measured: (lit_italic != italic).then_some(heavier),
            align: match s.text_align {
                Some(TextAlign::Left) => Align::Left,
                Some(TextAlign::Right) => Align::Right,
                Some(TextAlign::Center) | None => Align::Center,
            },
            block,
            word: word(h, &template.highlight, lit_css, width, p),
            scale: h.scale.or(template.highlight.scale),
            transform: p.read("styles.highlightStyle.transform", h.transform.as_deref(), Transform::parse),
            transition: p.read("styles.highlightStyle.transition", h.transition.as_deref(), milliseconds),
        }
    }

    /// How far into the highlight a word is, `elapsed` milliseconds after its start.
    pub fn progress(&self, elapsed: f64) -> f64 {
        let ramp = self.transition.unwrap_or(300.0);
        if ramp <= 0.0 { 1.0 } else { (elapsed / ramp).clamp(0.0, 1.0) }
    }

    pub fn scale_at(&self, progress: f64) -> f64 {
        let jump = if self.transform.is_some() { 1.0 } else { 1.08 };
        self.scale.map_or(jump, |scale| 1.0 + (scale - 1.0) * progress)
    }

    /// The transform of a lit word with this box.
    pub fn transform_of(&self, word: Rect) -> Option<Homography> {
        let transform = self.transform.as_ref()?;
        let matrix = transform.matrix(word.width(), word.height(), &self.word.css);
        Some(Homography(matrix.homography(word.center())))
    }
}

/// Whether a `font-style` asks for italic letters.
fn slanted(value: Option<&str>) -> bool {
    value.is_some_and(|v| v.contains("italic") || v.contains("oblique"))
}

/// What the styles say, else what the template does.
fn pick<'a>(given: &'a Option<String>, template: Option<&'static str>) -> Option<&'a str> {
    given.as_deref().or(template)
}

fn text_shadows(
    field: &str,
    value: Option<&str>,
    css: &Context,
    p: &mut Prepare<'_>,
) -> Option<Vec<ResolvedShadow>> {
    let shadows = p.read(field, value, rondo_css::parse_text_shadows)?;
    Some(shadows.iter().map(|s| s.resolve(css)).collect())
}

fn filters(field: &str, value: Option<&str>, css: &Context, p: &mut Prepare<'_>) -> Vec<Filter> {
    p.read(field, value, rondo_css::parse_filters)
        .map(|f| boxes::filters(rondo_css::resolve_filters(&f, css)))
        .unwrap_or_default()
}

fn padding(
    field: &str,
    value: Option<&str>,
    default: [f64; 4],
    css: &Context,
    width: f64,
    p: &mut Prepare<'_>,
) -> [f64; 4] {
    p.read(field, value, Edges::parse_padding).map_or(default, |e| {
        let e = e.resolve(css, width);
        [e.top, e.right, e.bottom, e.left].map(floor64)
    })
}

/// The block around all words.
fn block(s: &CaptionStyles, t: &Template, css: Context, width: f64, p: &mut Prepare<'_>) -> Frame {
    let radius = pick(&s.border_radius, t.border_radius);
    let clips = s.background_clip.as_deref().is_some_and(|v| v.trim() == "text");
    Frame {
        padding: padding("styles.padding", pick(&s.padding, t.padding), [BLOCK_PADDING; 4], &css, width, p),
        border: p.read("styles.border", s.border.as_deref(), Border::parse).map(|b| b.resolve(&css)),
        radius: p.read("styles.borderRadius", radius, BorderRadius::parse),
        background: p.read("styles.background", pick(&s.background, t.background), Background::parse),
        color: p.read("styles.backgroundColor", pick(&s.background_color, t.background_color), Color::parse),
        clips,
        backdrop: filters("styles.backdropFilter", pick(&s.backdrop_filter, t.backdrop_filter), &css, p),
        css,
    }
}

/// The box of a lit word. Its padding and border take their room on every word.
fn word(h: &HighlightStyle, t: &Highlight, css: Context, width: f64, p: &mut Prepare<'_>) -> Frame {
    let at = |field: &str| format!("styles.highlightStyle.{field}");
    let background = p.read(&at("background"), h.background.as_deref(), Background::parse);
    let color = pick(&h.background_color, t.background_color).filter(|_| background.is_none());
    let radius = p
        .read(&at("borderRadius"), pick(&h.border_radius, t.border_radius), BorderRadius::parse)
        .unwrap_or_else(|| {
            BorderRadius(std::array::from_fn(|_| (Length::px(WORD_RADIUS), Length::px(WORD_RADIUS))))
        });
    Frame {
        padding: padding(&at("padding"), pick(&h.padding, t.padding), WORD_PADDING, &css, width, p),
        border: p.read(&at("border"), pick(&h.border, t.border), Border::parse).map(|b| b.resolve(&css)),
        radius: Some(radius),
        background,
        color: p.read(&at("backgroundColor"), color, Color::parse),
        clips: false,
        backdrop: filters(&at("backdropFilter"), pick(&h.backdrop_filter, t.backdrop_filter), &css, p),
        css,
    }
}

/// The first time in a CSS `transition`.
fn milliseconds(value: &str) -> Result<f64, CssError> {
    let time = |token: &str| {
        let token = token.to_ascii_lowercase();
        let (number, unit) = match token.strip_suffix("ms") {
            Some(number) => (number, 1.0),
            None => (token.strip_suffix('s')?, 1000.0),
        };
        number.parse::<f64>().ok().filter(|n| n.is_finite() && *n >= 0.0).map(|n| n * unit)
    };
    value.split(|c: char| c.is_whitespace() || c == ',').find_map(time).ok_or_else(|| CssError {
        value: value.to_owned(),
        what: "transition",
        expected: "a time such as 0.2s or 150ms",
    })
}
