//! Texts and titles.

use serde_json::{Value, json};

use super::clip::Placing;
use crate::color;
use crate::fields::{Fields, named};
use crate::film::{Film, Overlay, Rect, tidy};
use crate::place::{CENTER, place, text_align, vertical_align};

/// Similar fonts and their weights by title style; the last column is the case of the letters.
const TITLES: [(&str, (&str, &str, &str)); 10] = [
    ("minimal", ("Montserrat", "400", "none")),
    ("blockbuster", ("Anton", "400", "uppercase")),
    ("vogue", ("Playfair Display", "400", "uppercase")),
    ("sketchy", ("Caveat", "700", "none")),
    ("skinny", ("Oswald", "300", "uppercase")),
    ("chunk", ("Archivo Black", "400", "uppercase")),
    ("chunkLight", ("Roboto", "500", "uppercase")),
    ("marker", ("Permanent Marker", "400", "none")),
    ("future", ("Orbitron", "700", "uppercase")),
    ("subtitle", ("Open Sans", "400", "none")),
];

/// Percent of the canvas height by title size.
const TITLE_SIZES: [(&str, f64); 7] = [
    ("xx-small", 3.0),
    ("x-small", 4.0),
    ("small", 5.5),
    ("medium", 7.5),
    ("large", 10.0),
    ("x-large", 13.0),
    ("xx-large", 17.0),
];

/// A text or rich text, over its background.
pub fn text(asset: &Fields<'_>, film: &Film, placing: &Placing, length: f64) -> Vec<Overlay> {
    let mut overlay = Overlay::new("text", asset.path.clone());
    let content = asset.content("text").unwrap_or_default();
    overlay.rect = placing.rect_of(asset.number("width"), asset.number("height"));
    overlay.style("padding", "0px");
    let mut size = 24.0;
    overlay.style("fontFamily", "Open Sans");
    overlay.style("color", "#ffffff");
    if let Some(font) = asset.fields("font") {
        size = font.number("size").unwrap_or(size);
        overlay.style_if("fontFamily", font.text("family"));
        overlay.style_if("fontWeight", font.text("weight"));
        overlay.style_if("lineHeight", font.text("lineHeight"));
        let opacity = font.number("opacity").unwrap_or(1.0);
        let font_color = font.text("color").unwrap_or_else(|| "#ffffff".into());
        overlay.style_if("color", color::faded(&font_color, opacity));
        overlay.style_if("backgroundColor", font.text("background").and_then(|text| color::css(&text)));
        stroke(&font, placing.scale, &mut overlay);
        font.finish();
    }
    overlay.style("fontSize", px(size * placing.scale));
    style(asset, placing.scale, &mut overlay);
    stroke(asset, placing.scale, &mut overlay);
    align(asset, &mut overlay);
    animation(asset, &content.text, length, film, &mut overlay);
    asset.refuse(&["ellipsis"], "Text that is too long for its box shrinks. It has no ellipsis.");
    overlay.content("content", content);
    let mut overlays: Vec<Overlay> =
        background(asset, overlay.rect, placing.scale, &mut overlay).into_iter().collect();
    overlays.push(overlay);
    overlays
}

pub fn px(value: f64) -> String {
    format!("{}px", tidy(value))
}

/// The styles of rich text.
fn style(asset: &Fields<'_>, scale: f64, overlay: &mut Overlay) {
    if let Some(style) = asset.fields("style") {
        overlay.style_if("letterSpacing", style.number("letterSpacing").map(|value| px(value * scale)));
        overlay.style_if("wordSpacing", style.number("wordSpacing").map(|value| px(value * scale)));
        overlay.style_if("lineHeight", style.text("lineHeight"));
        overlay.style_if("textTransform", style.text("textTransform").filter(|text| text != "none"));
        overlay.style_if("textDecoration", style.text("textDecoration").filter(|text| text != "none"));
        if let Some(gradient) = style.fields("gradient") {
            overlay.style("background", gradient_css(&gradient));
            overlay.style("WebkitBackgroundClip", "text");
            overlay.style("WebkitTextFillColor", "transparent");
            gradient.finish();
        }
        style.finish();
    }
    if let Some(shadow) = asset.fields("shadow") {
        let [x, y, blur] =
            ["offsetX", "offsetY", "blur"].map(|key| px(shadow.number(key).unwrap_or(0.0) * scale));
        let opacity = shadow.number("opacity").unwrap_or(0.5);
        let shadow_color = shadow.text("color").unwrap_or_else(|| "#000000".into());
        let shadow_color = color::faded(&shadow_color, opacity).unwrap_or_else(|| "#000000".into());
        overlay.style("textShadow", format!("{x} {y} {blur} {shadow_color}"));
        shadow.finish();
    }
}

fn gradient_css(gradient: &Fields<'_>) -> String {
    let stops: Vec<String> = gradient
        .objects("stops")
        .iter()
        .take(32)
        .map(|stop| {
            let stop_color =
                stop.text("color").and_then(|text| color::css(&text)).unwrap_or_else(|| "#ffffff".into());
            format!("{stop_color} {}%", tidy(stop.number("offset").unwrap_or(0.0) * 100.0))
        })
        .collect();
    let angle = gradient.number("angle").unwrap_or(0.0);
    match gradient.text("type").as_deref() {
        Some("radial") => format!("radial-gradient(circle, {})", stops.join(", ")),
        // 0 degrees is from left to right.
        _ => format!("linear-gradient({}deg, {})", tidy(angle + 90.0), stops.join(", ")),
    }
}

fn stroke(fields: &Fields<'_>, scale: f64, overlay: &mut Overlay) {
    let Some(stroke) = fields.fields("stroke") else { return };
    let width = stroke.number("width").unwrap_or(0.0);
    let opacity = stroke.number("opacity").unwrap_or(1.0);
    let stroke_color = stroke.text("color").unwrap_or_else(|| "#000000".into());
    if width > 0.0 {
        let stroke_color = color::faded(&stroke_color, opacity).unwrap_or_else(|| "#000000".into());
        overlay.style("WebkitTextStroke", format!("{} {stroke_color}", px(width * scale)));
        overlay.style("paintOrder", "stroke fill");
    }
    stroke.finish();
}

fn align(asset: &Fields<'_>, overlay: &mut Overlay) {
    let fields = asset.fields("align").or_else(|| asset.fields("alignment"));
    asset.skip(&["alignment"]);
    let (mut horizontal, mut vertical) = ("center".to_owned(), "middle".to_owned());
    if let Some(fields) = fields {
        horizontal = fields.text("horizontal").unwrap_or(horizontal);
        vertical = fields.text("vertical").unwrap_or(vertical);
        fields.finish();
    }
    overlay.style("textAlign", text_align(place(&horizontal).unwrap_or(CENTER).0));
    let vertical = match &*vertical {
        "top" => "top",
        "bottom" => "bottom",
        _ => "middle",
    };
    if vertical != "middle" {
        overlay.style("verticalAlign", vertical);
    }
}

/// The background of the whole box: a rectangle behind the text. Padding and border go to the text.
fn background(asset: &Fields<'_>, rect: Rect, scale: f64, overlay: &mut Overlay) -> Option<Overlay> {
    let mut padding = match asset.peek("padding") {
        Some(Value::Object(_)) => asset.fields("padding").map(|padding| {
            let sides =
                ["top", "right", "bottom", "left"].map(|key| px(padding.number(key).unwrap_or(0.0) * scale));
            padding.finish();
            sides.join(" ")
        }),
        _ => asset.number("padding").map(|padding| px(padding * scale)),
    };
    let mut shape = Overlay::new("shape", asset.path.clone());
    shape.rect = rect;
    shape.field("content", "rectangle");
    shape.style("fill", "transparent");
    let mut visible = false;
    if let Some(fields) = asset.fields("background") {
        let opacity = fields.number("opacity").unwrap_or(1.0);
        if let Some(fill) = fields.text("color").and_then(|text| color::faded(&text, opacity)) {
            shape.style("fill", fill);
            visible = true;
        }
        let radius = fields.number("borderRadius").filter(|radius| *radius > 0.0);
        shape.style_if("borderRadius", radius.map(|radius| px(radius * scale)));
        padding = fields.number("padding").map(|padding| px(padding * scale)).or(padding);
        fields.refuse(&["wrap"], "The background fills the box of the text.");
        fields.finish();
    }
    if let Some(border) = asset.fields("border") {
        let width = border.number("width").unwrap_or(0.0);
        let opacity = border.number("opacity").unwrap_or(1.0);
        let border_color = border.text("color").unwrap_or_else(|| "#000000".into());
        if width > 0.0 {
            shape.style_if("stroke", color::faded(&border_color, opacity));
            shape.style("strokeWidth", width * scale);
            visible = true;
        }
        let radius = border.number("radius").filter(|radius| *radius > 0.0);
        shape.style_if("borderRadius", radius.map(|radius| px(radius * scale)));
        border.finish();
    }
    overlay.style_if("padding", padding);
    visible.then_some(shape)
}

/// The entrance of a text.
fn animation(asset: &Fields<'_>, text: &str, length: f64, film: &Film, overlay: &mut Overlay) {
    let Some(fields) = asset.fields("animation") else { return };
    let preset = fields.text("preset").unwrap_or_default();
    let fps = f64::from(film.fps);
    let seconds = fields.number("duration").unwrap_or(1.0).clamp(0.05, length.max(0.05));
    let by_character = fields.text("style").as_deref() == Some("character") || preset == "movingLetters";
    let reach = 0.4 * overlay.rect.height.min(film.height / 4.0);
    let (x, y) = match fields.text("direction").as_deref() {
        Some("left") => (reach, 0.0),
        Some("right") => (-reach, 0.0),
        Some("down") => (0.0, -reach),
        _ => (0.0, reach),
    };
    match &*preset {
        "typewriter" => {
            let characters = text.chars().count().max(1) as f64;
            let speed = (seconds * fps / characters).max(0.1);
            overlay.style("typeWriter", json!({"enabled": true, "cursor": false, "typeSpeed": tidy(speed)}));
        }
        "fadeIn" => {
            overlay.animation("enter", "fade");
            overlay.animation("enterDuration", seconds);
        }
        "slideIn" | "ascend" | "shift" | "movingLetters" => {
            let words = text.split_whitespace().count().max(1) * 2;
            let units = if by_character { text.chars().count().max(1) } else { words } as f64;
            let split = if by_character { "character" } else { "word" };
            let each = (seconds * fps / 2.0).round().max(1.0);
            overlay.style(
                "animatedText",
                json!({
                    "enabled": true, "split": split, "splitStagger": tidy(each / units), "duration": each,
                    "x": [tidy(x), 0], "y": [tidy(y), 0], "opacity": [0, 1], "easing": "easeOutCubic",
                }),
            );
            asset
                .notes
                .approximated(&*fields.path, format!("A composition has an entrance similar to `{preset}`."));
        }
        _ => asset.notes.no_equivalent(&*fields.path, format!("There is no entrance like `{preset}`.")),
    }
    fields.finish();
}

/// A title: a preset of fonts and sizes.
pub fn title(asset: &Fields<'_>, film: &Film, placing: &Placing) -> Vec<Overlay> {
    let mut overlay = Overlay::new("text", asset.path.clone());
    overlay.content("content", asset.content("text").unwrap_or_default());
    let style = asset.text("style").unwrap_or_else(|| "minimal".into());
    let (family, weight, case) = named(&TITLES, &style).unwrap_or(TITLES[0].1);
    asset
        .notes
        .approximated(&*asset.path, "Titles have fonts and sizes of their own. Similar ones are used.");
    let size = asset.text("size").unwrap_or_else(|| "medium".into());
    let size = named(&TITLE_SIZES, &size).unwrap_or(7.5) * film.height / 100.0;
    let at = asset.text("position").and_then(|name| place(&name)).unwrap_or(placing.at);
    let mut placing = Placing { at: CENTER, ..*placing };
    if let Some(offset) = asset.fields("offset") {
        placing.offset.0 += offset.number("x").unwrap_or(0.0) * film.width;
        placing.offset.1 -= offset.number("y").unwrap_or(0.0) * film.height;
        offset.finish();
    }
    let margin = 0.05;
    overlay.rect = placing.rect(film.width * (1.0 - 2.0 * margin), film.height * (1.0 - 2.0 * margin));
    overlay.style("fontFamily", family);
    overlay.style("fontWeight", weight);
    if case != "none" {
        overlay.style("textTransform", case);
    }
    overlay.style("fontSize", px(size * placing.scale));
    let text_color = asset.text("color").and_then(|text| color::opacity_first(&text));
    overlay.style("color", text_color.unwrap_or_else(|| "#ffffff".into()));
    if let Some(background) = asset.text("background").and_then(|text| color::opacity_first(&text)) {
        overlay.style("backgroundColor", background);
        overlay.style("padding", "0.2em 0.4em");
    }
    overlay.style("textAlign", text_align(at.0));
    if at.1 != 0.5 {
        overlay.style("verticalAlign", vertical_align(at.1));
    }
    vec![overlay]
}
