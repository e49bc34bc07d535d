//! The table of caption templates, one row each. Values are CSS; what a row leaves out is the plain caption's.

use crate::nearest::{Lookup, look_up};

/// How captions of one template look. The styles of an overlay override it field by field.
#[derive(Debug)]
pub(crate) struct Template {
    pub name: &'static str,
    pub font_family: &'static str,
    pub font_size: &'static str,
    pub font_weight: &'static str,
    pub line_height: f64,
    pub letter_spacing: Option<&'static str>,
    pub color: &'static str,
    pub text_shadow: Option<&'static str>,
    pub padding: Option<&'static str>,
    pub background_color: Option<&'static str>,
    pub background: Option<&'static str>,
    pub border_radius: Option<&'static str>,
    pub backdrop_filter: Option<&'static str>,
    pub highlight: Highlight,
}

/// The word being spoken.
#[derive(Debug)]
pub(crate) struct Highlight {
    pub background_color: Option<&'static str>,
    pub color: Option<&'static str>,
    pub text_shadow: Option<&'static str>,
    pub border: Option<&'static str>,
    pub backdrop_filter: Option<&'static str>,
    pub scale: Option<f64>,
    pub font_weight: &'static str,
    pub border_radius: Option<&'static str>,
    pub padding: Option<&'static str>,
}

/// What styles that name no template stand on.
pub(crate) const PLAIN: Template = Template {
    name: "plain",
    font_family: "Inter",
    font_size: "2.2rem",
    font_weight: "400",
    line_height: 1.4,
    letter_spacing: None,
    color: "#fff",
    text_shadow: None,
    padding: None,
    background_color: None,
    background: None,
    border_radius: None,
    backdrop_filter: None,
    highlight: LIT,
};

const LIT: Highlight = Highlight {
    background_color: None,
    color: None,
    text_shadow: None,
    border: None,
    backdrop_filter: None,
    scale: None,
    font_weight: "600",
    border_radius: None,
    padding: None,
};

/// A highlight as most rows have it: background, scale, weight, radius and padding under white letters.
const fn lit(
    background: &'static str,
    scale: f64,
    font_weight: &'static str,
    radius: &'static str,
    padding: &'static str,
) -> Highlight {
    Highlight {
        background_color: Some(background),
        color: Some("#fff"),
        scale: Some(scale),
        font_weight,
        border_radius: Some(radius),
        padding: Some(padding),
        ..LIT
    }
}

pub(crate) const TEMPLATES: &[Template] = &[
    Template {
        name: "classic",
        font_weight: "500",
        letter_spacing: Some("0.01em"),
        padding: Some("12px"),
        text_shadow: Some("2px 2px 4px rgba(0,0,0,.6), 0 0 20px rgba(0,0,0,.3)"),
        highlight: lit("rgba(59,130,246,.92)", 1.06, "600", "6px", "2px 8px"),
        ..PLAIN
    },
    Template {
        name: "hustle",
        font_family: "Montserrat",
        font_weight: "800",
        line_height: 1.3,
        letter_spacing: Some("-0.02em"),
        text_shadow: Some("3px 3px 0 rgba(0,0,0,.8)"),
        highlight: lit("#FF3B3B", 1.08, "800", "2px", "4px 12px"),
        ..PLAIN
    },
    Template {
        name: "medusa",
        font_family: "Space Grotesk",
        font_size: "2rem",
        font_weight: "500",
        line_height: 1.3,
        letter_spacing: Some("0.02em"),
        highlight: lit("rgba(34,197,94,.95)", 1.06, "600", "8px", "4px 12px"),
        ..PLAIN
    },
    Template {
        name: "minimal",
        font_size: "1.5rem",
        line_height: 1.2,
        padding: Some("4px 22px"),
        background_color: Some("rgba(0,0,0,.6)"),
        highlight: lit("rgba(0,0,0,.8)", 1.02, "500", "4px", "2px 8px"),
        ..PLAIN
    },
    Template {
        name: "neon",
        font_family: "Outfit",
        line_height: 1.3,
        text_shadow: Some(
            "0 0 10px rgba(255,255,255,.8), 0 0 20px rgba(255,255,255,.8), 0 0 30px rgba(255,255,255,.8)",
        ),
        highlight: Highlight {
            color: Some("#F0ABFC"),
            text_shadow: Some("0 0 12px #E879F9"),
            ..lit("rgba(139,92,246,.25)", 1.07, "600", "8px", "4px 16px")
        },
        ..PLAIN
    },
    Template {
        name: "handwritten",
        font_family: "Caveat",
        padding: Some("8px"),
        text_shadow: Some("1px 1px 2px rgba(0,0,0,.5)"),
        highlight: lit("rgba(34,197,94,.9)", 1.08, "600", "8px", "4px 12px"),
        ..PLAIN
    },
    Template {
        name: "retro",
        font_family: "Rubik Mono One",
        font_size: "1.8rem",
        line_height: 1.2,
        letter_spacing: Some("0.02em"),
        color: "#FFD700",
        text_shadow: Some("3px 3px 0 #FF4500"),
        highlight: Highlight {
            color: Some("#FFD700"),
            text_shadow: Some("2px 2px 0 #000"),
            ..lit("#FF4500", 1.05, "400", "0", "2px 8px")
        },
        ..PLAIN
    },
    Template {
        name: "cinematic",
        font_family: "Playfair Display",
        font_size: "2.4rem",
        font_weight: "700",
        line_height: 1.3,
        letter_spacing: Some("0.03em"),
        text_shadow: Some("2px 2px 8px rgba(0,0,0,.6)"),
        highlight: lit("rgba(245,158,11,.9)", 1.06, "700", "2px", "4px 16px"),
        ..PLAIN
    },
    Template {
        name: "gradient",
        font_family: "Plus Jakarta Sans",
        font_weight: "600",
        line_height: 1.3,
        padding: Some("12px 24px"),
        background: Some("linear-gradient(135deg, rgba(255,255,255,.1), rgba(255,255,255,0))"),
        border_radius: Some("12px"),
        backdrop_filter: Some("blur(8px)"),
        highlight: lit("#000", 1.05, "700", "8px", "4px 16px"),
        ..PLAIN
    },
    Template {
        name: "future",
        font_family: "Space Grotesk",
        font_size: "2.1rem",
        font_weight: "600",
        line_height: 1.3,
        letter_spacing: Some("0.02em"),
        padding: Some("12px"),
        color: "#E2E8F0",
        text_shadow: Some("0 0 15px rgba(148,163,184,.5)"),
        highlight: Highlight {
            color: Some("#38BDF8"),
            text_shadow: Some("0 0 12px rgba(56,189,248,.6)"),
            border: Some("1px solid rgba(56,189,248,.3)"),
            backdrop_filter: Some("blur(4px)"),
            ..lit("rgba(14,165,233,.15)", 1.06, "700", "4px", "4px 16px")
        },
        ..PLAIN
    },
    Template {
        name: "default",
        font_size: "24px",
        font_weight: "600",
        background_color: Some("rgba(0,0,0,.7)"),
        ..PLAIN
    },
    Template {
        name: "modern",
        font_size: "28px",
        font_weight: "700",
        background: Some("linear-gradient(135deg, #667eea, #764ba2)"),
        highlight: Highlight { font_weight: "700", ..LIT },
        ..PLAIN
    },
    Template {
        name: "bold",
        font_size: "32px",
        font_weight: "900",
        background_color: Some("#000"),
        highlight: Highlight { font_weight: "900", ..LIT },
        ..PLAIN
    },
    Template {
        name: "highlight",
        font_size: "26px",
        font_weight: "600",
        highlight: Highlight { background_color: Some("#ffeb3b"), color: Some("#000"), ..LIT },
        ..PLAIN
    },
];

/// The template of captions that have neither a template nor styles.
pub(crate) const DEFAULT: &Template = &TEMPLATES[0];

pub(crate) fn find(name: &str) -> Lookup<&'static Template> {
    look_up(name, TEMPLATES, |row, same| same(row.name))
}

pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    TEMPLATES.iter().map(|row| row.name)
}
