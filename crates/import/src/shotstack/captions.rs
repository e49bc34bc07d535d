//! Captions, given as subtitles or to come.

use serde_json::json;

use super::text::px;
use crate::color;
use crate::fields::Fields;
use crate::film::{Film, Overlay, Rect};
use crate::speech;

/// Captions from a subtitle file, which is not fetched.
pub fn import(asset: &Fields<'_>, film: &Film) -> Overlay {
    let src = asset.content("src").unwrap_or_default();
    let trim = asset.number("trim").unwrap_or(0.0);
    let speed = asset.number("speed").filter(|speed| *speed > 0.0).unwrap_or(1.0);
    let mut overlay = match speech::parsed(&src.text) {
        Some(captions) => speech::captions(&captions, &asset.path, trim, speed),
        None => {
            let name = src.variable.unwrap_or_else(|| "captions".into());
            let what = match src.text.strip_prefix("alias://") {
                Some(alias) => format!("The captions are transcribed from `{alias}`."),
                None => format!(
                    "The subtitles at {} are not fetched.",
                    src.text.chars().take(200).collect::<String>()
                ),
            };
            speech::captions_to_come(name, &what, &asset.path, asset.notes)
        }
    };
    let mut margins = [0.0, 0.05, 0.05];
    if let Some(margin) = asset.fields("margin") {
        margins = ["top", "left", "right"].map(|key| margin.number(key).unwrap_or(0.0).clamp(0.0, 1.0));
        margin.finish();
    }
    let [top, left, right] = margins;
    // Captions stand in the lower part of the canvas, pushed down by the margin.
    let height = film.height * 0.25;
    let rect_top = (film.height * 0.7 + top * film.height * 0.3).min(film.height - height);
    overlay.rect = Rect::new(left * film.width, rect_top, film.width * (1.0 - left - right).max(0.1), height);
    let mut size = film.vmin() * 4.5;
    overlay.style("color", "#ffffff");
    overlay.style("padding", "0px");
    overlay.style("highlightStyle", json!({"scale": 1, "padding": "0px", "fontWeight": "400"}));
    if let Some(font) = asset.fields("font") {
        overlay.style_if("fontFamily", font.text("family"));
        size = font.number("size").unwrap_or(size);
        let opacity = font.number("opacity").unwrap_or(1.0);
        let font_color = font.text("color").unwrap_or_else(|| "#ffffff".into());
        overlay.style_if("color", color::faded(&font_color, opacity));
        overlay.style_if("lineHeight", font.number("lineHeight"));
        overlay.style_if("fontWeight", font.text("weight"));
        if let Some(width) = font.number("strokeWidth").filter(|width| *width > 0.0) {
            let stroke =
                font.text("stroke").and_then(|text| color::css(&text)).unwrap_or_else(|| "#000000".into());
            overlay.style("WebkitTextStroke", format!("{} {stroke}", px(width)));
            overlay.style("paintOrder", "stroke fill");
        }
        font.skip(&["stroke"]);
        font.finish();
    }
    overlay.style("fontSize", px(size));
    if let Some(background) = asset.fields("background") {
        let opacity = background.number("opacity").unwrap_or(1.0);
        let background_color = background.text("color").and_then(|text| color::faded(&text, opacity));
        overlay.style_if("backgroundColor", background_color);
        overlay.style_if("padding", background.number("padding").map(px));
        overlay.style_if("borderRadius", background.number("borderRadius").map(px));
        background.finish();
    }
    overlay
}
