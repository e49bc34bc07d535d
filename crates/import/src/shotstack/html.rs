//! HTML as text.

use super::clip::Placing;
use super::text::px;
use crate::color;
use crate::fields::{Content, Fields};
use crate::film::{Film, Overlay};
use crate::html;
use crate::length::{Base, pixels};
use crate::place::{CENTER, place, text_align, vertical_align};

/// The text of HTML, with the styles that apply to all of it.
pub fn import(asset: &Fields<'_>, film: &Film, placing: &Placing) -> Vec<Overlay> {
    let source = asset.content("html").unwrap_or_default();
    let css = asset.text("css").unwrap_or_default();
    let text = html::text_of(&source.text);
    let mut overlay = Overlay::new("text", asset.path.clone());
    overlay.rect = placing.rect_of(asset.number("width"), asset.number("height"));
    overlay.style("padding", "0px");
    overlay.style("color", "#ffffff");
    let at = asset.text("position").and_then(|name| place(&name)).unwrap_or(CENTER);
    overlay.style("textAlign", text_align(at.0));
    if at.1 != 0.5 {
        overlay.style("verticalAlign", vertical_align(at.1));
    }
    let whole = overlay.rect.height;
    let base = Base { width: film.width, height: film.height, whole, em: 16.0 };
    for (key, value) in html::declarations(&css, &source.text) {
        match &*key {
            "font-size" => {
                overlay.style_if("fontSize", pixels(&value, base).map(|size| px(size * placing.scale)))
            }
            "font-family" => overlay.style("fontFamily", value.replace(['\'', '"'], "")),
            "font-weight" => overlay.style("fontWeight", value),
            "font-style" => overlay.style("fontStyle", value),
            "color" => overlay.style_if("color", color::css(&value)),
            "text-align" if matches!(&*value, "left" | "center" | "right") => {
                overlay.style("textAlign", value)
            }
            "text-transform" => overlay.style("textTransform", value),
            "text-decoration" => overlay.style("textDecoration", value),
            "text-shadow" => overlay.style("textShadow", value),
            "letter-spacing" => overlay.style("letterSpacing", value),
            "line-height" => overlay.style("lineHeight", value),
            "background" | "background-color" => overlay.style_if("backgroundColor", color::css(&value)),
            "padding" => overlay.style("padding", value),
            _ => asset.notes.no_equivalent(asset.at("css"), format!("`{key}` is not supported for text.")),
        }
    }
    if source.text.contains('<') || !css.is_empty() {
        let message = "HTML becomes text with one style. Styles of parts of it are applied to the whole.";
        asset.notes.approximated(asset.at("html"), message);
    }
    overlay.content("content", Content { text, variable: source.variable });
    let mut overlays = Vec::new();
    if let Some(fill) = asset.text("background").filter(|text| text != "transparent") {
        let mut shape = Overlay::new("shape", asset.path.clone());
        shape.rect = overlay.rect;
        shape.field("content", "rectangle");
        shape.style_if("fill", color::opacity_first(&fill));
        overlays.push(shape);
    }
    overlays.push(overlay);
    overlays
}
