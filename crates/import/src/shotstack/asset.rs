//! Pictures, videos, sounds and shapes.

use serde_json::{Value, json};

use super::clip::{Placing, fit};
use crate::color;
use crate::fields::{Content, Fields, number_of};
use crate::film::{Overlay, Rect};
use crate::speech;

/// Seconds of a volume effect.
const FADE: f64 = 2.0;
const SPEEDS: (f64, f64) = (0.01, 10.0);

/// A video or an image.
pub fn picture(clip: &Fields<'_>, asset: &Fields<'_>, kind: &str, placing: &Placing) -> Overlay {
    let kind = if kind == "video" { "video" } else { "image" };
    let mut overlay = Overlay::new(kind, asset.path.clone());
    source(asset, &mut overlay);
    fit(clip, placing, &mut overlay);
    if let Some(crop) = asset.fields("crop") {
        let [top, bottom, left, right] = ["top", "bottom", "left", "right"]
            .map(|key| crop.number(key).unwrap_or(0.0).clamp(0.0, 1.0) * 100.0);
        overlay.style("cropEnabled", true);
        overlay.style("cropX", left);
        overlay.style("cropY", top);
        overlay.style("cropWidth", (100.0 - left - right).max(0.0));
        overlay.style("cropHeight", (100.0 - top - bottom).max(0.0));
        crop.finish();
    }
    if let Some(key) = asset.fields("chromaKey") {
        let threshold = key.number("threshold").unwrap_or(150.0).clamp(0.0, 250.0);
        let halo = key.number("halo").unwrap_or(0.0).clamp(0.0, 250.0);
        let key_color = key.text("color").unwrap_or_else(|| "#00ff00".into());
        let screen = json!({
            "enabled": true, "sensitivity": (threshold * 1.7).min(255.0), "smoothing": (halo / 50.0).round(),
            "spill": 0.5, "keyColor": key_color,
        });
        overlay.field("greenscreen", screen);
        asset.notes.approximated(&*key.path, "Keying works differently. Check the edges.");
        key.finish();
    }
    if kind == "video" {
        playback(asset, &mut overlay, "videoStartTime");
        asset.skip(&["transcode"]);
    }
    overlay
}

pub fn audio(asset: &Fields<'_>) -> Overlay {
    let mut overlay = Overlay::new("sound", asset.path.clone());
    source(asset, &mut overlay);
    playback(asset, &mut overlay, "startFromSound");
    overlay
}

/// The sound under the whole film.
pub fn soundtrack(fields: &Fields<'_>, length: f64) -> Overlay {
    let mut overlay = Overlay::new("sound", fields.path.clone());
    overlay.length = length;
    source(fields, &mut overlay);
    volume(fields, &mut overlay);
    fade(fields, "effect", &mut overlay);
    overlay
}

pub fn narration(asset: &Fields<'_>) -> Overlay {
    let text = asset.content("text").unwrap_or_default();
    let name = text.variable.unwrap_or_else(|| "narration".into());
    asset.skip(&["voice", "language", "newscaster"]);
    let mut overlay = speech::narration(&text.text, name, &asset.path, asset.notes);
    volume(asset, &mut overlay);
    overlay
}

fn source(asset: &Fields<'_>, overlay: &mut Overlay) {
    let src = asset.content("src").unwrap_or_default();
    if src.text.is_empty() {
        asset.notes.media_needed(
            asset.at("src"),
            "The media has no address. Set `src` before the film is rendered.",
        );
    }
    asset.refuse(
        &["prompt", "inputSrc", "model", "resolution", "duration", "aspectRatio", "generateAudio"],
        "A composition does not generate pictures and videos.",
    );
    overlay.content("src", src);
}

fn playback(asset: &Fields<'_>, overlay: &mut Overlay, in_point: &str) {
    if let Some(trim) = asset.number("trim").filter(|trim| *trim > 0.0) {
        overlay.field(in_point, trim);
    }
    if let Some(speed) = asset.number("speed") {
        if speed < SPEEDS.0 {
            asset.notes.value_ignored(asset.at("speed"), "Media cannot stand still. Speed 0.01 is used.");
        }
        overlay.field("speed", speed.clamp(SPEEDS.0, SPEEDS.1));
    }
    volume(asset, overlay);
    fade(asset, "volumeEffect", overlay);
    fade(asset, "effect", overlay);
}

/// Volume as a number, or as tweens that fade in and out.
fn volume(asset: &Fields<'_>, overlay: &mut Overlay) {
    if !asset.peek("volume").is_some_and(Value::is_array) {
        if let Some(volume) = asset.number("volume") {
            overlay.style("volume", volume.clamp(0.0, 1.0));
        }
        return;
    }
    let mut loudest: f64 = 0.0;
    let (mut fade_in, mut fade_out) = (0.0, 0.0);
    let mut other = false;
    for tween in asset.objects("volume") {
        let end = |key: &'static str| tween.value(key).and_then(number_of).unwrap_or(1.0).clamp(0.0, 1.0);
        let (from, to) = (end("from"), end("to"));
        let length = tween.number("length").unwrap_or(0.0);
        loudest = loudest.max(from).max(to);
        match (from == 0.0, to == 0.0) {
            (true, false) if tween.number("start").unwrap_or(0.0) == 0.0 => fade_in = length,
            (false, true) => fade_out = length,
            (false, false) if from == to => {}
            _ => other = true,
        }
        tween.skip(&["start", "interpolation", "easing"]);
        tween.finish();
    }
    if other {
        let message =
            "A sound has one volume with a fade at its start and its end. The loudest volume is used.";
        asset.notes.approximated(asset.at("volume"), message);
    }
    overlay.style("volume", loudest);
    overlay.style_if("fadeIn", (fade_in > 0.0).then_some(fade_in));
    overlay.style_if("fadeOut", (fade_out > 0.0).then_some(fade_out));
}

fn fade(asset: &Fields<'_>, key: &'static str, overlay: &mut Overlay) {
    let effect = asset.text(key).unwrap_or_default();
    if matches!(&*effect, "fadeIn" | "fadeInFadeOut") {
        overlay.style("fadeIn", FADE);
    }
    if matches!(&*effect, "fadeOut" | "fadeInFadeOut") {
        overlay.style("fadeOut", FADE);
    }
}

/// A rectangle, circle or line in the middle of its bounding box.
pub fn shape(asset: &Fields<'_>, placing: &Placing) -> Overlay {
    let mut overlay = Overlay::new("shape", asset.path.clone());
    let frame = placing.rect_of(asset.number("width"), asset.number("height"));
    let name = asset.text("shape").unwrap_or_default();
    let mut size = (frame.width, frame.height);
    let mut content = "rectangle";
    let size_of = |fields: &Fields<'_>, width: &'static str, height: &'static str, or: (f64, f64)| {
        let side = |key, or: f64| fields.number(key).map_or(or, |side| side.max(0.0) * placing.scale);
        (side(width, or.0), side(height, or.1))
    };
    for key in ["rectangle", "circle", "line"] {
        let Some(fields) = asset.fields(key) else { continue };
        if key != name {
            continue;
        }
        match key {
            "rectangle" => {
                size = size_of(&fields, "width", "height", size);
                let radius = fields.number("cornerRadius").map(|radius| radius * placing.scale);
                overlay.style_if("borderRadius", radius.map(|radius| format!("{radius}px")));
            }
            "circle" => {
                let radius = fields.number("radius").unwrap_or(size.0.min(size.1) / 2.0 / placing.scale);
                size = (radius * 2.0 * placing.scale, radius * 2.0 * placing.scale);
                content = "circle";
            }
            _ => size = size_of(&fields, "length", "thickness", (size.0, 4.0)),
        }
        fields.finish();
    }
    if !["rectangle", "circle", "line"].contains(&&*name) {
        let message = format!("There is no shape `{name}`. A rectangle is used.");
        asset.notes.value_ignored(asset.at("shape"), message);
    }
    overlay.field("content", content);
    let (x, y) = frame.center();
    overlay.rect = Rect::about(x, y, size.0, size.1);
    paint(asset, &mut overlay);
    overlay
}

/// Fill and stroke.
fn paint(asset: &Fields<'_>, overlay: &mut Overlay) {
    let fill = asset.fields("fill").and_then(|fill| {
        let opacity = fill.number("opacity").unwrap_or(1.0);
        let fill_color = fill.text("color").unwrap_or_else(|| "#000000".into());
        fill.finish();
        color::faded(&fill_color, opacity)
    });
    overlay.style("fill", fill.unwrap_or_else(|| "transparent".into()));
    if let Some(stroke) = asset.fields("stroke") {
        let width = stroke.number("width").unwrap_or(0.0);
        let stroke_color = stroke.text("color").and_then(|text| color::css(&text));
        if width > 0.0 {
            overlay.style("stroke", stroke_color.unwrap_or_else(|| "#000000".into()));
            overlay.style("strokeWidth", width);
        }
        stroke.finish();
    }
}

/// SVG text as an image.
pub fn svg(asset: &Fields<'_>, placing: &Placing) -> Option<Overlay> {
    let src = asset.text("src")?;
    let mut overlay = Overlay::new("image", asset.path.clone());
    let address = if src.trim_start().starts_with('<') {
        let bytes = src.bytes().map(|byte| match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'/' => {
                char::from(byte).to_string()
            }
            other => format!("%{other:02X}"),
        });
        format!("data:image/svg+xml,{}", bytes.collect::<String>())
    } else {
        src
    };
    overlay.content("src", Content { text: address, variable: None });
    overlay.rect = placing.rect_of(asset.number("width"), asset.number("height"));
    overlay.style("objectFit", "contain");
    Some(overlay)
}
