//! Texts, HTML and subtitles.

use serde_json::json;

use super::element::frame;
use crate::color;
use crate::fields::{Content, Fields};
use crate::film::{Film, Overlay, Rect, tidy};
use crate::html;
use crate::length::{Base, pixels};
use crate::place::{CENTER, Nine, place, text_align, vertical_align};
use crate::speech;

/// CSS properties of `settings` that a text has under another name, or under the same.
const STYLES: [(&str, &str); 12] = [
    ("font-family", "fontFamily"),
    ("font-weight", "fontWeight"),
    ("font-style", "fontStyle"),
    ("text-shadow", "textShadow"),
    ("text-transform", "textTransform"),
    ("text-decoration", "textDecoration"),
    ("line-height", "lineHeight"),
    ("background", "background"),
    ("border", "border"),
    ("box-shadow", "boxShadow"),
    ("-webkit-text-stroke", "WebkitTextStroke"),
    ("filter", "filter"),
];
const COLORS: [(&str, &str); 3] =
    [("color", "color"), ("font-color", "color"), ("background-color", "backgroundColor")];
/// Lengths, which may be relative to the canvas.
const LENGTHS: [(&str, &str); 3] =
    [("letter-spacing", "letterSpacing"), ("padding", "padding"), ("border-radius", "borderRadius")];

pub fn text(fields: &Fields<'_>, length: f64, film: &Film) -> Overlay {
    let mut overlay = Overlay::new("text", fields.path.clone());
    let content = fields.content("text").unwrap_or_default();
    let (rect, _, _) = frame(fields, film);
    overlay.rect = rect;
    let style = fields.text("style").unwrap_or_else(|| "001".into());
    overlay.style("fontFamily", if style == "011" { "Inter" } else { "Roboto" });
    overlay.style("fontSize", format!("{}px", tidy(film.width * 0.04)));
    overlay.style("color", "#ffffff");
    overlay.style("padding", "0px");
    let mut at = CENTER;
    let mut align = None;
    if let Some(settings) = fields.fields("settings") {
        at = (along(&settings, "horizontal-position"), down(&settings));
        align = settings.text("text-align");
        apply(&settings, film, &mut overlay);
        settings.finish();
    }
    let align = align.filter(|align| matches!(&**align, "left" | "center" | "right"));
    overlay.style("textAlign", align.unwrap_or_else(|| text_align(at.0).into()));
    if at.1 != 0.5 {
        overlay.style("verticalAlign", vertical_align(at.1));
    }
    animate(fields, &style, &content.text, length, film, &mut overlay);
    overlay.content("content", content);
    overlay
}

fn along(settings: &Fields<'_>, key: &'static str) -> f64 {
    settings.text(key).and_then(|name| place(&name)).unwrap_or(CENTER).0
}

fn down(settings: &Fields<'_>) -> f64 {
    let name = settings.text("vertical-position").or_else(|| settings.text("vertical-align"));
    settings.skip(&["vertical-align"]);
    name.and_then(|name| place(&name)).unwrap_or(CENTER).1
}

/// The CSS of the settings.
fn apply(settings: &Fields<'_>, film: &Film, overlay: &mut Overlay) {
    let em = film.width * 0.04;
    let base = Base { width: film.width, height: film.height, whole: overlay.rect.height, em };
    let px = |text: &str| pixels(text, base).map(|size| format!("{}px", tidy(size)));
    for (key, style) in STYLES {
        overlay.style_if(style, settings.text(key));
    }
    for (key, style) in COLORS {
        if let Some(text) = settings.text(key) {
            match color::css(&text) {
                Some(css) => overlay.style(style, css),
                None => {
                    settings.notes.value_ignored(settings.at(key), "This must be a colour. It is ignored.")
                }
            }
        }
    }
    for (key, style) in LENGTHS {
        let Some(text) = settings.text(key) else { continue };
        let parts: Option<Vec<String>> = text.split_whitespace().take(4).map(px).collect();
        overlay.style_if(style, parts.map(|parts| parts.join(" ")));
    }
    if let Some(size) = settings.text("font-size") {
        match px(&size) {
            Some(size) => overlay.style("fontSize", size),
            None => settings
                .notes
                .value_ignored(settings.at("font-size"), "This must be a length. It is ignored."),
        }
    }
    settings.refuse(
        &["font-url"],
        "Fonts are not imported. Upload the font: films use it by the name of its family.",
    );
}

/// The entrances of text styles.
fn animate(fields: &Fields<'_>, style: &str, text: &str, length: f64, film: &Film, overlay: &mut Overlay) {
    let fps = f64::from(film.fps);
    let seconds = 2.0_f64.min(length / 2.0).max(0.05);
    match style {
        "001" | "1" | "011" => return,
        "002" => {
            overlay.animation("enter", "fade");
            overlay.animation("enterDuration", seconds);
            return;
        }
        "003" | "005" => {
            let stagger = seconds * fps / (text.split_whitespace().count().max(1) * 2) as f64;
            overlay.style(
                "animatedText",
                json!({
                    "enabled": true, "split": "word", "splitStagger": tidy(stagger), "duration": 6,
                    "opacity": [0, 1], "y": [20, 0], "easing": "easeOutCubic",
                }),
            );
        }
        _ => {
            let stagger = seconds * fps / text.chars().count().max(1) as f64;
            overlay.style(
                "animatedText",
                json!({
                    "enabled": true, "split": "character", "splitStagger": tidy(stagger), "duration": 6,
                    "opacity": [0, 1], "easing": "easeOutCubic",
                }),
            );
        }
    }
    fields.notes.approximated(
        fields.at("style"),
        format!("A composition has an entrance similar to style `{style}`."),
    );
}

/// The text of HTML, with the styles that apply to all of it.
pub fn html(fields: &Fields<'_>, film: &Film) -> Option<Overlay> {
    let source = fields.content("html").unwrap_or_default();
    fields.refuse(&["src"], "A composition does not capture web pages.");
    fields.skip(&["tailwindcss", "wait"]);
    let text = html::text_of(&source.text);
    if text.is_empty() {
        fields.notes.no_equivalent(&*fields.path, "There is no text in the HTML. The element is left out.");
        return None;
    }
    let mut overlay = Overlay::new("text", fields.path.clone());
    overlay.rect = frame(fields, film).0;
    overlay.style("color", "#000000");
    overlay.style("textAlign", "center");
    let base = Base { width: film.width, height: film.height, whole: overlay.rect.height, em: 16.0 };
    for (key, value) in html::declarations("", &source.text) {
        match &*key {
            "font-size" => {
                overlay.style_if("fontSize", pixels(&value, base).map(|size| format!("{}px", tidy(size))))
            }
            "font-family" => overlay.style("fontFamily", value.replace(['\'', '"'], "")),
            "font-weight" => overlay.style("fontWeight", value),
            "color" => overlay.style_if("color", color::css(&value)),
            "background" | "background-color" => overlay.style_if("backgroundColor", color::css(&value)),
            "text-align" if matches!(&*value, "left" | "center" | "right") => {
                overlay.style("textAlign", value)
            }
            _ => {}
        }
    }
    fields.notes.approximated(fields.at("html"), "HTML becomes text with one style.");
    overlay.content("content", Content { text, variable: source.variable });
    Some(overlay)
}

/// Subtitles, given or to be transcribed.
pub fn subtitles(fields: &Fields<'_>, film: &Film) -> Overlay {
    let captions = fields.content("captions").unwrap_or_default();
    fields.skip(&["language", "model", "keywords"]);
    let mut overlay = match speech::parsed(&captions.text) {
        Some(captions) => speech::captions(&captions, &fields.path, 0.0, 1.0),
        None => {
            let what = match captions.text.is_empty() {
                true => "The subtitles are transcribed from the movie.".to_owned(),
                false => {
                    let address: String = captions.text.chars().take(200).collect();
                    format!("The subtitles at {address} are not fetched.")
                }
            };
            let name = captions.variable.unwrap_or_else(|| "subtitles".into());
            speech::captions_to_come(name, &what, &fields.path, fields.notes)
        }
    };
    let mut at: Nine = (0.5, 1.0);
    let mut size = film.vmin() * 7.0;
    let (mut line, mut word) = ("#ffffff".to_owned(), None);
    overlay.style("padding", "0px");
    if let Some(settings) = fields.fields("settings") {
        at = settings.text("position").and_then(|name| place(&name)).unwrap_or(at);
        size = settings.number("font-size").unwrap_or(size);
        overlay.style_if("fontFamily", settings.text("font-family"));
        overlay.style_if("fontWeight", settings.text("font-weight"));
        let css = |key| settings.text(key).and_then(|text| color::css(&text));
        line = css("line-color").unwrap_or(line);
        word = css("word-color");
        let outline = css("outline-color").unwrap_or_else(|| "#000000".into());
        if let Some(width) = settings.number("outline-width").filter(|width| *width > 0.0) {
            overlay.style("WebkitTextStroke", format!("{}px {outline}", tidy(width)));
            overlay.style("paintOrder", "stroke fill");
        }
        let shadow = css("shadow-color").unwrap_or_else(|| "#000000".into());
        if let Some(offset) = settings.number("shadow-offset").filter(|offset| *offset > 0.0) {
            overlay.style("textShadow", format!("{0}px {0}px 0px {shadow}", tidy(offset)));
        }
        let style = settings.text("style").unwrap_or_else(|| "classic".into());
        let fill = css("box-color");
        match &*style {
            "boxed-line" => overlay.style("backgroundColor", fill.unwrap_or_else(|| "#000000".into())),
            "boxed-word" => word = word.or_else(|| Some("#ffff00".into())),
            "classic-progressive" => overlay.style("mode", "progressive"),
            "classic-one-word" => overlay.style("mode", "one-word"),
            _ => {}
        }
        if settings.flag("all-caps") == Some(true) {
            overlay.style("textTransform", "uppercase");
        }
        if settings.number("max-words-per-line").is_some() {
            let message = "Captions keep their own lines.";
            settings.notes.approximated(settings.at("max-words-per-line"), message);
        }
        settings.refuse(
            &["font-url"],
            "Fonts are not imported. Upload the font: films use it by the name of its family.",
        );
        settings.refuse(&["x", "y"], "Captions stand at a named position. Set `position` instead.");
        settings.refuse(&["keywords", "replace"], "Captions keep the words of their source.");
        settings.finish();
    }
    overlay.style("fontSize", format!("{}px", tidy(size)));
    overlay.style("color", line.clone());
    let weight = overlay.get_style("fontWeight").cloned().unwrap_or_else(|| json!("400"));
    overlay.style(
        "highlightStyle",
        json!({
            "scale": 1, "padding": "0px 0.1em", "fontWeight": weight, "color": word.unwrap_or(line),
        }),
    );
    let height = film.height * 0.25;
    overlay.rect =
        Rect::new(film.width * 0.05, (film.height - height) * (0.05 + 0.9 * at.1), film.width * 0.9, height);
    overlay
}
